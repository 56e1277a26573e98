#pragma once
// Figures for the tests of reports and pictures: the nominal skeleton of a profile up to a level, and a body of boxes around it.
#include <string>
#include <vector>

#include "support/builders.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius::test {

/// The joints of a profile up to a level at their nominal centres.
inline Skeleton nominal_skeleton(const Profile& profile, int loa) {
  std::vector<Joint> joints;
  std::map<std::string, int, std::less<>> place;
  for (const ProfileJoint& joint : profile.joints) {
    if (joint.lowest_loa > loa || !joint.centre) continue;
    int parent = -1;
    if (const ProfileJoint* above = profile.find(joint.parent)) {
      if (above->lowest_loa > loa) above = profile.ancestor_at_level(*above, loa);
      if (above != nullptr) parent = place.at(above->name);
    }
    place[joint.name] = static_cast<int>(joints.size());
    joints.push_back(joint_at(joint.name, parent, *joint.centre));
  }
  auto made = Skeleton::create(std::move(joints));
  EXPECT_TRUE(made);
  return std::move(*made);
}

/// Twelve triangles around a box; every vertex follows one joint.
inline void add_box(Humanoid& human, const Eigen::AlignedBox3d& box, JointIndex joint, std::size_t material) {
  Part part;
  part.name = "Box_" + std::to_string(human.parts.size());
  for (int corner = 0; corner < 8; ++corner) {
    part.positions.push_back(box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
    part.influences.items.push_back({joint, 1.0});
    part.influences.end_vertex();
  }
  part.surfaces.push_back({material,
                           {{0, 2, 1},
                            {1, 2, 3},
                            {4, 5, 6},
                            {5, 7, 6},
                            {0, 1, 4},
                            {1, 5, 4},
                            {2, 6, 3},
                            {3, 6, 7},
                            {0, 4, 2},
                            {2, 4, 6},
                            {1, 3, 5},
                            {3, 7, 5}}});
  human.parts.push_back(std::move(part));
}

/// A standing figure of boxes: legs and trunk, 1.6 m tall, in two colours.
inline Humanoid box_figure(int loa = 1) {
  Humanoid human;
  human.name = "boxes";
  human.profile = "hanim-2";
  human.skeleton = nominal_skeleton(*MappingTables::built_in().profile("hanim-2"), loa);
  human.materials.resize(2);
  human.materials[0].base_colour = {0.7, 0.1, 0.1, 1};
  human.materials[1].base_colour = {0.1, 0.1, 0.7, 1};
  const auto joint = joint_index(0);
  add_box(human, {Vec3(-0.2, 0.9, -0.12), Vec3(0.2, 1.6, 0.12)}, joint, 0);
  add_box(human, {Vec3(0.04, 0, -0.08), Vec3(0.16, 0.9, 0.08)}, joint, 1);
  add_box(human, {Vec3(-0.16, 0, -0.08), Vec3(-0.04, 0.9, 0.08)}, joint, 1);
  return human;
}

}  // namespace vesalius::test
