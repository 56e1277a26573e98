#pragma once
// What a converted humanoid keeps of its source because its own vocabulary cannot say it. It complements the file and never
// overrides it: places are stored relative to the bone, weights as shares, so that an edit made in between wins.
#include <optional>
#include <string>
#include <vector>

#include "vesalius/diagnostics.hpp"
#include "vesalius/frames.hpp"
#include "vesalius/skeleton.hpp"

namespace vesalius {

/// One joint of the source humanoid.
struct KeptJoint {
  std::string name;
  std::string source_name;
  std::string parent;  ///< name of its parent in the source; empty for the root
  std::string bone;    ///< joint of the converted humanoid that it went into
  /// bone_from_joint at the converted rest pose: place in the bone's axes (metre) and orientation; absent for the joint whose place
  /// is the bone's origin and that therefore has nothing to keep but its turn.
  Vec3 place_in_bone = Vec3::Zero();
  Quat turn_in_bone = Quat::Identity();
  std::optional<JointLimits> limits;
  std::optional<Vec3> stiffness;
};

/// Turn that the rest pose of one bone took from the source's rest pose to this one's (A of the design), canonical axes, accumulated.
struct KeptTurn {
  std::string bone;
  Quat turn = Quat::Identity();
};

/// What hung on a source joint that was merged into a bone: a site, a segment or a displacer ("part/morph"), by name.
struct KeptOwner {
  std::string kind;  ///< "site", "segment" or "displacer"
  std::string name;
  std::string joint;  ///< name of the source joint
};

struct Kept {
  std::string profile;               ///< profile of the source
  std::vector<KeptJoint> joints;     ///< in the source's joint order
  std::vector<KeptTurn> rest_turns;  ///< only where they are not the profile's own
  std::vector<KeptOwner> owners;     ///< only where the bone does not tell the joint
  Vec3 shift = Vec3::Zero();         ///< translation that put the origin on the ground under the box's centre, canonical, metre
  std::string hanim_version;         ///< names to write on the way back ("1" or "2"); empty: 2
  std::optional<int> loa;
};

/// One line of JSON, keys in fixed order, shortest numbers; the same text is stored in glTF extras and X3D metadata.
[[nodiscard]] std::string to_json(const Kept& kept);
/// Errors: model.bad_kept with the JSON pointer.
[[nodiscard]] Result<Kept> kept_from_json(std::string_view text);

}  // namespace vesalius
