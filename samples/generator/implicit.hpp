#pragma once
// Shapes as scalar fields: negative inside, positive outside, roughly the distance in metres near the surface.
#include <Eigen/Geometry>
#include <functional>
#include <vector>

namespace samples {

using Vec3 = Eigen::Vector3d;
/// Value at a place in the humanoid's frame (x to its left, y up, z forward; metres).
using Field = std::function<double(const Vec3&)>;

[[nodiscard]] double smoothstep(double from, double to, double value);
[[nodiscard]] double mix(double a, double b, double t);

/// Union, intersection and difference whose edges are rounded over a width of about `round` metres.
[[nodiscard]] double smooth_union(double a, double b, double round);
[[nodiscard]] double smooth_intersection(double a, double b, double round);

/// A cone between two spheres.
[[nodiscard]] double round_cone(const Vec3& p, const Vec3& a, const Vec3& b, double radius_a, double radius_b);
[[nodiscard]] double ellipsoid(const Vec3& p, const Vec3& centre, const Vec3& radii);
/// An ellipsoid turned about the x axis by `pitch_rad`, then about the z axis by `roll_rad`.
[[nodiscard]] double turned_ellipsoid(const Vec3& p, const Vec3& centre, const Vec3& radii, double pitch_rad, double roll_rad);
[[nodiscard]] double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b);

/// One horizontal section of a loft: the ring's middle in x, half width, and where it ends in front and at the back.
struct Section {
  double y, x, half_width, front, back;
};

/// A solid through horizontal sections, smooth in between; sections are ordered by y, upwards.
class Loft {
 public:
  /// `power` 2 makes elliptic sections, more makes them squarer.
  Loft(std::vector<Section> sections, double power);
  [[nodiscard]] double operator()(const Vec3& p) const;

 private:
  [[nodiscard]] Section at(double y) const;
  std::vector<Section> sections_;
  double power_;
};

/// Unit vector along which the field grows.
[[nodiscard]] Vec3 gradient_direction(const Field& field, const Vec3& p);
/// The place on the surface that is reached from `p` along the gradient.
[[nodiscard]] Vec3 project(const Field& field, Vec3 p, int steps = 6);

}  // namespace samples
