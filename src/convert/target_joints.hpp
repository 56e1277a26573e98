#pragma once
// Which joints a figure of few bones gets when it is expanded, and where they lie.
#include <optional>
#include <string>
#include <vector>

#include "convert/steps.hpp"

namespace vesalius::convert_detail {

/// The bones at the target's rest pose (before any shift).
struct PlacedBones {
  BoneTree tree;
  std::vector<Quat> frame;  ///< canonical_from_bone at the target's rest pose
  std::vector<int> toward;  ///< bone each bone points at, or -1
  std::vector<Vec3> along;  ///< direction of each bone: its y axis, or what was measured where the figure's axes are not the standard's
};

/// Joints of the source that an earlier conversion kept, placed on the bones as they are now; parents first. Joints whose bone is gone
/// are dropped with a finding.
[[nodiscard]] std::vector<Joint> kept_joints(const Kept& kept, const PlacedBones& bones, Diagnostics& sink);

/// Joints of the profile up to a level of articulation, for bones that are present; parents first. The first joint of a group sits on the
/// bone's origin, the others on the straight line to its end at the profile's fractions; side branches and parallel chains by the
/// similarity of the bone.
[[nodiscard]] std::vector<Joint> level_joints(const Tables& tables, const PlacedBones& bones, int loa);

}  // namespace vesalius::convert_detail
