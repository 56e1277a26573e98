#pragma once
// Motion from one skeleton to another: global changes are sampled, solved for the target's local channels and keyed again.
#include <functional>
#include <optional>
#include <vector>

#include "vesalius/convert.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::convert_detail {

/// Rotation vectors that go on smoothly from one time to the next, so that powers of turns never jump.
struct Unwrap {
  std::vector<Vec3> rotation_rad;  ///< last rotation vector per slot
  std::vector<bool> known;
  explicit Unwrap(std::size_t slots = 0) : rotation_rad(slots, Vec3::Zero()), known(slots, false) {}
  /// The rotation vector of `turn` nearest to the slot's last one (the short way the first time); remembers it.
  Vec3 log(std::size_t slot, const Quat& turn);
};

/// exp of a rotation vector.
[[nodiscard]] Quat turn_of(const Vec3& rotation_rad);

/// model_from_joint of every joint, without scale: places and orientations exact where no scale is animated.
[[nodiscard]] std::vector<Rigid> rigid_model(const Skeleton& skeleton, const LocalPose& pose);
/// Global change from rest, without scale: model now * model at rest^-1.
[[nodiscard]] std::vector<Rigid> rigid_change(const Skeleton& skeleton, const LocalPose& pose);

/// Target's local channels for the source's pose. `state` carries what must go on smoothly in time.
using Solve = std::function<LocalPose(const LocalPose& source, Unwrap& state)>;

struct MotionTarget {
  const Skeleton* skeleton = nullptr;
  std::size_t slots = 0;              ///< of the Unwrap state
  std::vector<bool> translates;       ///< per joint: may have a translation track
  double max_angle_error_rad = 1e-3;  ///< between keys
  double max_place_error_m = 1e-4;
};

struct MotionReport {
  std::size_t keys_added = 0;
  std::size_t constant_tracks = 0;  ///< equal to rest, not written
  std::size_t scale_tracks = 0;     ///< lost
};

/// One clip on the target: one time base, keys added where the target would otherwise leave the source by more than allowed.
[[nodiscard]] Clip carry(const Clip& clip, const Skeleton& source, const MotionTarget& target, const Solve& solve, MotionReport& report,
                         Diagnostics& sink);

}  // namespace vesalius::convert_detail
