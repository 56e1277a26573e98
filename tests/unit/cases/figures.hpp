#pragma once
// Small H-Anim figures for the cases of conversion.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "vesalius/convert.hpp"

namespace vesalius::test {

/// Joints with the parents that the case is about: name, parent (empty for none), place.
struct JointSpec {
  std::string name, parent;
  Vec3 place;
};

inline Humanoid figure_of(const std::vector<JointSpec>& specs, const std::string& profile = "hanim-2") {
  Humanoid human;
  human.name = "case";
  human.profile = profile;
  std::vector<Joint> joints;
  std::map<std::string, int> made;
  const Profile& table = *MappingTables::built_in().profile(profile);
  for (const JointSpec& spec : specs) {
    const ProfileJoint* known = table.find(spec.name);
    joints.push_back(joint_at(spec.name, spec.parent.empty() ? -1 : made.at(spec.parent), spec.place,
                              known != nullptr ? known->rest_frame : Quat::Identity()));
    made.emplace(spec.name, static_cast<int>(joints.size()) - 1);
  }
  human.skeleton = *Skeleton::create(std::move(joints));
  Part part;
  part.name = "Body_Case";
  Surface surface;
  for (std::size_t j = 0; j < human.skeleton.size(); ++j) {
    const auto base = static_cast<std::uint32_t>(part.positions.size());
    for (const Vec3& by : {Vec3(0.03, 0, 0), Vec3(0, 0.03, 0), Vec3(0, 0, 0.03)}) {
      part.positions.push_back(human.skeleton.joints()[j].rest.place + by);
      part.influences.items.push_back({joint_index(j), 1.0});
      part.influences.end_vertex();
    }
    surface.triangles.push_back({base, base + 1, base + 2});
  }
  part.surfaces = {surface};
  human.parts = {part};
  return human;
}

/// Level of articulation 1 with the nominal places.
inline std::vector<JointSpec> level_joints(int loa) {
  const Profile& table = *MappingTables::built_in().profile("hanim-2");
  std::vector<JointSpec> specs;
  for (const ProfileJoint& joint : table.joints) {
    if (joint.lowest_loa > loa) continue;
    const ProfileJoint* parent = table.ancestor_at_level(joint, loa);
    specs.push_back({joint.name, parent == nullptr ? std::string() : parent->name, *joint.centre});
  }
  return specs;
}

inline const Joint& joint_of(const Humanoid& human, const std::string& name) {
  return human.skeleton[human.skeleton.find(name)];
}
inline Vec3 place_of(const Humanoid& human, const std::string& name) {
  return joint_of(human, name).rest.place;
}

/// Adds keys to the first clip: turns of one joint about canonical axes, relative to its parent, at whole seconds.
inline void turn(Humanoid& human, const std::string& name, const std::vector<Quat>& turns) {
  if (human.clips.empty()) human.clips.emplace_back().name = "Case";
  Clip& clip = human.clips.front();
  JointTracks tracks;
  tracks.joint = human.skeleton.find(name);
  const Quat frame = joint_of(human, name).rest.turn, rest = rest_locals(human.skeleton)[index(tracks.joint)].rotation;
  for (std::size_t k = 0; k < turns.size(); ++k) {
    tracks.rotation.times_s.push_back(static_cast<double>(k));
    tracks.rotation.values.push_back(rest * (frame.conjugate() * turns[k] * frame));
  }
  make_continuous(tracks.rotation.values);
  clip.duration_s = std::max(clip.duration_s, tracks.rotation.times_s.back());
  clip.joints.push_back(std::move(tracks));
  std::ranges::sort(clip.joints, {}, &JointTracks::joint);
}

inline GlobalChange change_at(const Humanoid& human, double time_s) {
  return global_change(human.skeleton, sample(human.skeleton, human.clips.at(0), time_s));
}
inline Quat turn_at(const Humanoid& human, const std::string& name, double time_s) {
  return rotation_of(change_at(human, time_s).change[index(human.skeleton.find(name))]);
}
inline Vec3 place_at(const Humanoid& human, const std::string& name, double time_s) {
  return change_at(human, time_s).change[index(human.skeleton.find(name))] * place_of(human, name);
}

inline Conversion converted(const Humanoid& source, const std::string& profile, ConvertOptions options = {}) {
  options.to = profile;
  auto made = convert(source, MappingTables::built_in(), options);
  EXPECT_TRUE(made) << testing::PrintToString(made.diagnostics);
  if (!made) return {};
  expect_sound(made->humanoid);
  return std::move(*made.value);
}

inline Quat about(const Vec3& axis, double degrees) {
  return Quat(Eigen::AngleAxisd(degrees * M_PI / 180, axis.normalized()));
}

}  // namespace vesalius::test
