#pragma once
// A mapping resolved against one skeleton of its many-joint side: which joints are present, what drives and places each bone.
#include <optional>
#include <vector>

#include "vesalius/joint_map.hpp"
#include "vesalius/skeleton.hpp"

namespace vesalius::convert_detail {

/// One bone of the few-bone profile.
struct ResolvedGroup {
  const BoneGroup* group = nullptr;  ///< null when the table has no group for the bone
  const ProfileJoint* bone = nullptr;
  int parent = -1;                              ///< index of the parent bone's group; -1 for the root
  std::vector<std::vector<JointIndex>> chains;  ///< present joints of each chain, proximal to distal in the file's own tree
  JointIndex driver = JointIndex::none;         ///< deepest present joint of the main chain: its orientation is the bone's
  JointIndex origin_joint = JointIndex::none;   ///< the joint that places the bone, or none when the place is computed
  std::optional<Vec3> origin;                   ///< source rest coordinates; empty when the bone is absent and must be made up
  [[nodiscard]] bool whole() const noexcept { return group != nullptr && group->whole; }
  [[nodiscard]] bool present() const noexcept { return driver != JointIndex::none; }
  /// Several joints or exponents stand behind the bone's turn.
  [[nodiscard]] bool uses_collapse_factors() const noexcept;
};

struct Correspondence {
  std::vector<ResolvedGroup> groups;  ///< in the order of the few-bone profile's joints (parents first)
  std::vector<int> group_of_joint;    ///< per joint: the group its weights go into; never -1 once a group is present
  std::size_t known_joints = 0;       ///< joints that the table names
};

/// Resolves `mapping` (from the many-joint profile) against `skeleton`. Reports folded and unknown joints and guessed origins.
[[nodiscard]] Correspondence resolve(const Mapping& mapping, const Profile& bones, const Skeleton& skeleton, Diagnostics& sink);

/// Depth of every joint below its root.
[[nodiscard]] std::vector<int> depths(const Skeleton& skeleton);

}  // namespace vesalius::convert_detail
