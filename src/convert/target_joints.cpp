#include "convert/target_joints.hpp"

#include <algorithm>
#include <map>

#include "convert/codes.hpp"
#include "convert/synthesis.hpp"

namespace vesalius::convert_detail {
namespace {

/// Whether a profile joint exists at a level and its bone in the figure.
bool wanted(const ProfileJoint& joint, int loa, const BoneGroup* group, const PlacedBones& bones) {
  if (joint.lowest_loa > loa) return false;
  if (group == nullptr || group->whole) return joint.parent.empty();
  const int b = bones.tree.find(group->bone);
  return joint.parent.empty() || (b >= 0 && bones.tree.place[static_cast<std::size_t>(b)]);
}

/// How the nominal surroundings of a bone lie on the figure: by the stretch to the bone it points at, else by its own axis.
Similarity around(const Tables& tables, const BoneGroup& group, const PlacedBones& bones, std::size_t b, double scale) {
  const auto centre = [&](const std::string& name) {
    const ProfileJoint* joint = tables.joints->find(name);
    return joint != nullptr ? joint->centre : std::nullopt;
  };
  const std::vector<std::string>* main = group.chains.empty() || group.chains.front().empty() ? nullptr : &group.chains.front();
  const Vec3 from = main != nullptr ? centre(main->front()).value_or(Vec3::Zero()) : Vec3::Zero();
  const Vec3 place = *bones.tree.place[b];
  const int next = bones.toward[b];
  if (next >= 0 && bones.tree.place[static_cast<std::size_t>(next)]) {
    const BoneGroup* next_group = tables.mapping->find_bone(group.toward);
    if (next_group != nullptr && !next_group->chains.empty() && !next_group->chains.front().empty()) {
      const auto to = centre(next_group->chains.front().front());
      if (to && (*to - from).norm() > 1e-6) return similarity(from, *to, place, *bones.tree.place[static_cast<std::size_t>(next)]);
    }
  }
  Similarity result;
  result.from = from;
  result.to = place;
  result.scale = scale;
  if (main != nullptr && main->size() > 1) {
    const auto last = centre(main->back());
    if (last) result.turn = least_rotation(*last - from, bones.along[b]);
  }
  return result;
}

}  // namespace

std::vector<Joint> kept_joints(const Kept& kept, const PlacedBones& bones, Diagnostics& sink) {
  std::vector<Joint> joints;
  std::map<std::string, std::string, std::less<>> parent_of;  // every kept joint
  std::map<std::string, JointIndex, std::less<>> made;
  for (const KeptJoint& entry : kept.joints) parent_of.emplace(entry.name, entry.parent);
  for (const KeptJoint& entry : kept.joints) {
    const int b = bones.tree.find(entry.bone);
    if (b < 0 || !bones.tree.place[static_cast<std::size_t>(b)]) {
      sink.warning(codes::convert_stale_kept, "kept joint '" + entry.name + "' was dropped: bone '" + entry.bone + "' is gone");
      continue;
    }
    Joint joint;
    joint.name = entry.name;
    joint.source_name = entry.source_name;
    joint.limits = entry.limits;
    joint.stiffness = entry.stiffness;
    joint.rest.place = *bones.tree.place[static_cast<std::size_t>(b)] + bones.frame[static_cast<std::size_t>(b)] * entry.place_in_bone;
    std::size_t steps = 0;
    for (auto parent = parent_of.find(entry.parent); parent != parent_of.end() && steps <= parent_of.size();
         parent = parent_of.find(parent->second)) {
      if (const auto found = made.find(parent->first); found != made.end()) {
        joint.parent = found->second;
        break;
      }
      ++steps;
    }
    if (!made.emplace(joint.name, joint_index(joints.size())).second) {
      sink.warning(codes::convert_stale_kept, "kept joint '" + entry.name + "' occurs twice; the second was dropped");
      continue;
    }
    joints.push_back(std::move(joint));
  }
  return joints;
}

std::vector<Joint> level_joints(const Tables& tables, const PlacedBones& bones, int loa) {
  const double scale = figure_scale(bones.tree);
  std::vector<Joint> joints;
  std::map<std::string, JointIndex, std::less<>> made;
  for (const ProfileJoint& profile : tables.joints->joints) {
    const BoneGroup* group = tables.mapping->group_of(profile.name);
    if (!wanted(profile, loa, group, bones)) continue;
    Joint joint;
    joint.name = profile.name;
    joint.source_name = profile.name;
    const ProfileJoint* parent = tables.joints->find(profile.parent);
    while (parent != nullptr && !made.contains(parent->name)) parent = tables.joints->find(parent->parent);
    if (parent != nullptr) joint.parent = made.find(parent->name)->second;
    const int b = group != nullptr ? bones.tree.find(group->bone) : -1;
    if (b >= 0 && bones.tree.place[static_cast<std::size_t>(b)]) {
      const auto bone = static_cast<std::size_t>(b);
      const auto& main = group->chains.empty() ? std::vector<std::string>{} : group->chains.front();
      const auto first = std::ranges::find_if(main, [&](const std::string& name) {
        const ProfileJoint* candidate = tables.joints->find(name);
        return candidate != nullptr && candidate->lowest_loa <= loa;
      });
      const int next = bones.toward[bone];
      const bool in_main = std::ranges::find(main, profile.name) != main.end();
      if (first != main.end() && *first == profile.name) {
        joint.rest.place = *bones.tree.place[bone];
      } else if (in_main && profile.fraction && next >= 0 && bones.tree.place[static_cast<std::size_t>(next)]) {
        joint.rest.place =
            *bones.tree.place[bone] + *profile.fraction * (*bones.tree.place[static_cast<std::size_t>(next)] - *bones.tree.place[bone]);
      } else {
        joint.rest.place = around(tables, *group, bones, bone, scale)(profile.centre.value_or(Vec3::Zero()));
      }
    } else if (profile.centre) {
      joint.rest.place = scale * *profile.centre;  // a root without a bone of its own
    }
    made.emplace(joint.name, joint_index(joints.size()));
    joints.push_back(std::move(joint));
  }
  return joints;
}

}  // namespace vesalius::convert_detail
