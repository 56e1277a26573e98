#pragma once
// How the coordinates of a humanoid become canonical ones, and what the figure looks like there.
#include "formats/hanim/values.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius::hanim {

/// canonical_from_humanoid: the humanoid's own transform and those around it, and a turn about the vertical where it faces elsewhere.
struct Figure {
  Affine canonical_from_humanoid = Affine::Identity();
  Quat turn = Quat::Identity();  ///< its rotation
  double scale = 1;              ///< its mean scale: metres per unit inside the humanoid

  [[nodiscard]] static Figure from(const Affine& canonical_from_humanoid);
  [[nodiscard]] Vec3 place(const Vec3& humanoid_point) const { return canonical_from_humanoid * humanoid_point; }
  [[nodiscard]] Vec3 offset(const Vec3& humanoid_vector) const { return canonical_from_humanoid.linear() * humanoid_vector; }
  /// A rotation about axes of the humanoid, about the same axes seen canonically.
  [[nodiscard]] Quat rotation(const Quat& in_humanoid) const { return turn * in_humanoid * turn.conjugate(); }
};

/// Facing, up and size of a skeleton, judged by the profile's nominal figure.
struct Measure {
  std::string facing = "+Z";
  std::string up = "+Y";
  bool measured = false;
  bool upright = true;
  double yaw_rad = 0;        ///< from +Z towards +X
  double relative_size = 1;  ///< against the nominal figure
};
[[nodiscard]] Measure measure(const Skeleton& skeleton, const Profile& profile);

/// The turn about the vertical that makes a figure face +Z: none within 10 degrees; what the surroundings turned it by when that
/// explains it; else a multiple of 90 degrees.
[[nodiscard]] double facing_correction_rad(const Measure& measure, const Figure& figure);

}  // namespace vesalius::hanim
