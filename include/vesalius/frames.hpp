#pragma once
// Points, turns and transforms, and the axes of the three frames that meet. All right-handed, metres, radians.
//   canonical (H-Anim): +Y up, +Z forward, +X the body's left. Everything in the model is in this frame.
//   OpenMATERIAL text (.xoma bounding box): +X forward, +Y left, +Z up.
//   glTF storage: +Y up, facing +X (default) or +Z.
#include <Eigen/Geometry>

namespace vesalius {

using Vec3 = Eigen::Vector3d;
using Quat = Eigen::Quaterniond;  ///< unit; Eigen's constructor takes w first, glTF stores x, y, z, w
using Affine = Eigen::Affine3d;

/// A place and an orientation without scale: `to_from` as the variable's name says.
struct Rigid {
  Vec3 place = Vec3::Zero();
  Quat turn = Quat::Identity();

  [[nodiscard]] Affine matrix() const;
  [[nodiscard]] Rigid inverse() const;
  friend Rigid operator*(const Rigid& a, const Rigid& b);
  friend Vec3 operator*(const Rigid& a, const Vec3& point);
};

/// A local transform in parts: matrix = T(translation) R(rotation) S(scale).
struct Transform {
  Vec3 translation = Vec3::Zero();
  Quat rotation = Quat::Identity();
  Vec3 scale = Vec3::Ones();

  [[nodiscard]] Affine matrix() const;
};

/// Which way a written glTF figure faces; reading measures it.
enum class GltfFront : std::uint8_t { plus_x, plus_z };

/// Rotation that takes canonical coordinates to glTF storage: (x,y,z) -> (z,y,-x) for plus_x, identity for plus_z.
[[nodiscard]] Quat storage_from_canonical(GltfFront front);
/// (x,y,z) -> (z,x,y): canonical to the frame of the OpenMATERIAL text.
[[nodiscard]] Quat openmaterial_from_canonical();

/// The rotation part of an affine map, by polar decomposition (nearest rotation, determinant +1).
[[nodiscard]] Quat rotation_of(const Affine& map);
/// Angle between two orientations, 0 to pi, accurate near 0.
[[nodiscard]] double angle_between_rad(const Quat& a, const Quat& b);
/// `turn` raised to `power`, along the short way (power 1 gives `turn` itself up to sign; w >= 0 side).
[[nodiscard]] Quat power(const Quat& turn, double exponent);
/// Least rotation that takes direction `from` onto direction `to` (need not be unit); about any normal when opposite.
[[nodiscard]] Quat least_rotation(const Vec3& from, const Vec3& to);
/// Mirror image in the plane x = 0 of a rotation: (x,y,z,w) -> (x,-y,-z,w).
[[nodiscard]] Quat mirrored(const Quat& turn);

}  // namespace vesalius
