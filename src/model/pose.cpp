#include "vesalius/pose.hpp"

#include <algorithm>

namespace vesalius {

std::vector<Affine> model_from_joints(const Skeleton& skeleton, const LocalPose& pose) {
  std::vector<Affine> result(skeleton.size());
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const JointIndex parent = skeleton.joints()[i].parent;
    const Affine local = pose.parent_from_joint[i].matrix();
    result[i] = parent == JointIndex::none ? local : result[index(parent)] * local;
  }
  return result;
}

GlobalChange global_change(const Skeleton& skeleton, const LocalPose& pose) {
  GlobalChange result{model_from_joints(skeleton, pose)};
  for (std::size_t i = 0; i < skeleton.size(); ++i) result.change[i] = result.change[i] * skeleton.joints()[i].rest.inverse().matrix();
  return result;
}

LocalPose rest_pose(const Skeleton& skeleton) {
  return {rest_locals(skeleton)};
}

namespace {

Quat mix(const Quat& a, const Quat& b, double t) {
  return a.slerp(t, b);
}
Vec3 mix(const Vec3& a, const Vec3& b, double t) {
  return a + t * (b - a);
}
double mix(double a, double b, double t) {
  return a + t * (b - a);
}

/// The track must have keys.
template <class T>
T sample_track(const Track<T>& track, double time_s) {
  const auto after = std::upper_bound(track.times_s.begin(), track.times_s.end(), time_s);
  if (after == track.times_s.begin()) return track.values.front();
  const auto i = static_cast<std::size_t>(after - track.times_s.begin()) - 1;
  if (after == track.times_s.end() || track.interpolation == Interpolation::step) return track.values[i];
  const double t = (time_s - track.times_s[i]) / (track.times_s[i + 1] - track.times_s[i]);
  return mix(track.values[i], track.values[i + 1], t);
}

template <class T>
void collect(const Track<T>& track, std::vector<double>& times) {
  times.insert(times.end(), track.times_s.begin(), track.times_s.end());
}

}  // namespace

Quat sample(const Track<Quat>& track, double time_s) {
  return sample_track(track, time_s);
}
Vec3 sample(const Track<Vec3>& track, double time_s) {
  return sample_track(track, time_s);
}
double sample(const Track<double>& track, double time_s) {
  return sample_track(track, time_s);
}

LocalPose sample(const Skeleton& skeleton, const Clip& clip, double time_s) {
  LocalPose pose = rest_pose(skeleton);
  for (const JointTracks& joint : clip.joints) {
    Transform& local = pose.parent_from_joint[index(joint.joint)];
    if (!joint.rotation.empty()) local.rotation = sample_track(joint.rotation, time_s);
    if (!joint.translation.empty()) local.translation = sample_track(joint.translation, time_s);
    if (!joint.scale.empty()) local.scale = sample_track(joint.scale, time_s);
  }
  return pose;
}

std::vector<double> key_times_s(const Clip& clip) {
  std::vector<double> times;
  for (const JointTracks& joint : clip.joints) {
    collect(joint.rotation, times);
    collect(joint.translation, times);
    collect(joint.scale, times);
  }
  for (const MorphTrack& morph : clip.morphs) collect(morph.weight, times);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void make_continuous(std::span<Quat> rotations) {
  for (std::size_t i = 1; i < rotations.size(); ++i) {
    if (rotations[i - 1].dot(rotations[i]) < 0) rotations[i].coeffs() = -rotations[i].coeffs();
  }
}

}  // namespace vesalius
