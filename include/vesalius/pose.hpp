#pragma once
// Poses and clips of a skeleton. Two forms, told apart by type:
//   local channels  parent_from_joint in parts (rotation, translation, scale), as glTF nodes and H-Anim joints store motion;
//   global changes  model_from_joint now * model_from_joint at rest^-1, canonical frame: the matrix that moves the skin.
#include <span>
#include <string>
#include <vector>

#include "vesalius/skeleton.hpp"

namespace vesalius {

/// parent_from_joint of every joint, in joint order.
struct LocalPose {
  std::vector<Transform> parent_from_joint;
};

/// Global change from rest of every joint, in joint order; identity at rest.
struct GlobalChange {
  std::vector<Affine> change;
};

/// model_from_joint of every joint. The pose must have one entry per joint.
[[nodiscard]] std::vector<Affine> model_from_joints(const Skeleton& skeleton, const LocalPose& pose);
[[nodiscard]] GlobalChange global_change(const Skeleton& skeleton, const LocalPose& pose);
[[nodiscard]] LocalPose rest_pose(const Skeleton& skeleton);

enum class Interpolation : std::uint8_t { linear, step };

/// Keys of one value over time. `times_s` strictly increasing; as many values; empty: the rest value holds.
/// Before the first and after the last key the end values hold.
template <class T>
struct Track {
  std::vector<double> times_s;
  std::vector<T> values;
  Interpolation interpolation = Interpolation::linear;
  [[nodiscard]] bool empty() const noexcept { return times_s.empty(); }
};

/// Local channels of one joint: components of parent_from_joint (absolute, not relative to rest).
struct JointTracks {
  JointIndex joint = JointIndex::none;
  Track<Quat> rotation;     ///< neighbours on one side; linear means slerp
  Track<Vec3> translation;  ///< metre
  Track<Vec3> scale;
};

struct MorphTrack {
  std::size_t part = 0;   ///< index into Humanoid::parts
  std::size_t morph = 0;  ///< index into Part::morphs
  Track<double> weight;
};

struct Clip {
  std::string name;
  double duration_s = 0;
  bool loops = false;
  std::vector<JointTracks> joints;  ///< at most one entry per joint, in joint order
  std::vector<MorphTrack> morphs;
};

/// The pose of the whole skeleton at a time; joints without tracks rest.
[[nodiscard]] LocalPose sample(const Skeleton& skeleton, const Clip& clip, double time_s);
/// All key times of a clip, sorted, without doubles.
[[nodiscard]] std::vector<double> key_times_s(const Clip& clip);
/// Turns signs so that neighbouring quaternions have a non-negative dot product.
void make_continuous(std::span<Quat> rotations);

[[nodiscard]] Quat sample(const Track<Quat>& track, double time_s);
[[nodiscard]] Vec3 sample(const Track<Vec3>& track, double time_s);
[[nodiscard]] double sample(const Track<double>& track, double time_s);

struct NamedPose {
  std::string name;
  LocalPose pose;
};

}  // namespace vesalius
