#pragma once
// Joints that a level of articulation has and a figure lacks.
#include <map>
#include <string>
#include <vector>

#include "vesalius/joint_map.hpp"
#include "vesalius/kept.hpp"

namespace vesalius::convert_detail {

/// A joint to be made between those of a figure.
struct NewJoint {
  std::string name, source_name;
  std::string parent;   ///< name of the joint that it hangs on, which may be new too
  std::string carrier;  ///< name of the nearest joint above that the figure has: the new one moves with it
  Rigid rest;           ///< at the figure's rest pose, canonical
  std::optional<JointLimits> limits;
  std::optional<Vec3> stiffness;
  bool kept = false;  ///< as an earlier conversion kept it, else made up
};

struct NewJoints {
  std::vector<NewJoint> joints;                  ///< parents first
  std::map<std::string, std::string> parent_of;  ///< joints of the figure that hang on a new joint from now on
  std::vector<std::string> without_ancestor;     ///< joints of the level with nothing above them in the figure: not made
};

/// Joints of `profile` up to `loa` that `figure` lacks. `kept` (or null) tells where they were before.
[[nodiscard]] NewJoints new_joints(const Skeleton& figure, const Profile& profile, int loa, const Kept* kept);

}  // namespace vesalius::convert_detail
