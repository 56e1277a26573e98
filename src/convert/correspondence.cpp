#include "convert/correspondence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "convert/codes.hpp"

namespace vesalius::convert_detail {
namespace {

/// Nearest common ancestor of those of `names` that are present, or none.
JointIndex common_ancestor(const Skeleton& skeleton, const std::vector<std::string>& names) {
  auto result = JointIndex::none;
  for (const std::string& name : names) {
    const JointIndex joint = skeleton.find(name);
    if (joint == JointIndex::none) continue;
    result = result == JointIndex::none ? joint : skeleton.common_ancestor(result, joint);
  }
  return result;
}

/// Mean place of those of `names` that are present.
std::optional<Vec3> middle_of(const Skeleton& skeleton, const std::vector<std::string>& names) {
  Vec3 sum = Vec3::Zero();
  int found = 0;
  for (const std::string& name : names) {
    const JointIndex joint = skeleton.find(name);
    if (joint == JointIndex::none) continue;
    sum += skeleton[joint].rest.place;
    ++found;
  }
  if (found == 0) return std::nullopt;
  return sum / found;
}

/// Chooses what places the bone: the first origin present (and high enough, where the table asks), else what the table falls back on.
void find_origin(ResolvedGroup& resolved, const Skeleton& skeleton, Diagnostics& sink) {
  const BoneGroup& group = *resolved.group;
  const auto middle = middle_of(skeleton, group.ancestor_of);
  for (const std::string& name : group.origins) {
    const JointIndex joint = skeleton.find(name);
    if (joint == JointIndex::none) continue;
    if (group.origin_height_tolerance > 0 && middle) {
      const double off = std::abs(skeleton[joint].rest.place.y() - middle->y());
      if (off > group.origin_height_tolerance * std::abs(middle->y())) continue;
    }
    resolved.origin_joint = joint;
    resolved.origin = skeleton[joint].rest.place;
    return;
  }
  if (group.origin_height_tolerance > 0 && middle) {
    resolved.origin = middle;
    sink.warning(codes::convert_guessed_origin,
                 "bone '" + group.bone + "': no joint lies where it should start; placed in the middle of its lower joints");
    return;
  }
  if (resolved.chains.empty() || resolved.chains.front().empty()) return;
  const JointIndex first = resolved.chains.front().front();
  resolved.origin_joint = first;
  resolved.origin = skeleton[first].rest.place;
  if (!group.origins.empty()) {
    sink.note(codes::convert_guessed_origin,
              "bone '" + group.bone + "' starts at joint '" + skeleton[first].name + "', the first of its joints that is present");
  }
}

}  // namespace

std::vector<int> depths(const Skeleton& skeleton) {
  std::vector<int> result(skeleton.size(), 0);
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const JointIndex parent = skeleton.joints()[i].parent;
    if (parent != JointIndex::none) result[i] = result[index(parent)] + 1;
  }
  return result;
}

bool ResolvedGroup::uses_collapse_factors() const noexcept {
  if (group == nullptr) return false;
  if (chains.size() > 1) return true;
  for (const auto& [name, share] : group->shares) {
    if (share.collapse != 1) return true;
  }
  return false;
}

Correspondence resolve(const Mapping& mapping, const Profile& bones, const Skeleton& skeleton, Diagnostics& sink) {
  Correspondence result;
  const auto depth = depths(skeleton);
  std::map<std::string, int, std::less<>> group_index;
  for (const ProfileJoint& bone : bones.joints) {
    ResolvedGroup resolved;
    resolved.bone = &bone;
    resolved.group = mapping.find_bone(bone.name);
    if (const auto parent = group_index.find(bone.parent); parent != group_index.end()) resolved.parent = parent->second;
    group_index.emplace(bone.name, static_cast<int>(result.groups.size()));
    result.groups.push_back(std::move(resolved));
  }

  // A joint that the table puts into the common ancestor of some joints, but which does not lie on the way to them, carries
  // something else in this file: it goes to the front of the first chain found below it.
  std::map<std::string, std::string, std::less<>> moved;  // joint -> bone
  for (const ResolvedGroup& resolved : result.groups) {
    if (resolved.group == nullptr || !resolved.group->common_ancestor) continue;
    const JointIndex ancestor = common_ancestor(skeleton, resolved.group->ancestor_of);
    if (ancestor == JointIndex::none) continue;
    for (const auto& chain : resolved.group->chains) {
      for (const std::string& name : chain) {
        const JointIndex joint = skeleton.find(name);
        if (joint == JointIndex::none || skeleton.is_ancestor(joint, ancestor)) continue;
        for (std::size_t i = index(joint) + 1; i < skeleton.size(); ++i) {
          if (!skeleton.is_ancestor(joint, joint_index(i))) continue;
          const BoneGroup* below = mapping.group_of(skeleton.joints()[i].name);
          if (below == nullptr || below == resolved.group || below->chains.empty()) continue;
          const auto& main = below->chains.front();
          if (std::find(main.begin(), main.end(), skeleton.joints()[i].name) == main.end()) continue;
          moved.emplace(name, below->bone);
          break;
        }
      }
    }
  }

  result.group_of_joint.assign(skeleton.size(), -1);
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    ResolvedGroup& resolved = result.groups[g];
    if (resolved.group == nullptr) continue;
    for (std::size_t c = 0; c < resolved.group->chains.size(); ++c) {
      std::vector<JointIndex> chain;
      if (c == 0) {
        for (const auto& [name, bone] : moved) {
          if (bone == resolved.group->bone) chain.push_back(skeleton.find(name));
        }
      }
      for (const std::string& name : resolved.group->chains[c]) {
        const JointIndex joint = skeleton.find(name);
        if (joint != JointIndex::none && !moved.contains(name)) chain.push_back(joint);
      }
      // The file's own tree is the truth: proximal to distal by its depth, the table's order among equals.
      std::stable_sort(chain.begin(), chain.end(), [&](JointIndex a, JointIndex b) { return depth[index(a)] < depth[index(b)]; });
      for (const JointIndex joint : chain) result.group_of_joint[index(joint)] = static_cast<int>(g);
      resolved.chains.push_back(std::move(chain));
    }
    std::string folded;
    for (const std::string& name : resolved.group->fold) {
      const JointIndex joint = skeleton.find(name);
      if (joint == JointIndex::none || result.group_of_joint[index(joint)] != -1) continue;
      result.group_of_joint[index(joint)] = static_cast<int>(g);
      folded += (folded.empty() ? "" : ", ") + name;
    }
    if (!folded.empty()) {
      sink.note(codes::convert_folded_joint, "folded into bone '" + resolved.group->bone + "', weights kept, own motion lost: " + folded);
    }
    if (!resolved.whole()) {
      if (resolved.group->common_ancestor) {
        const JointIndex ancestor = common_ancestor(skeleton, resolved.group->ancestor_of);
        if (ancestor != JointIndex::none) resolved.driver = ancestor;
      }
      // Parallel chains stand in for a missing main chain.
      for (const auto& chain : resolved.chains) {
        if (resolved.driver == JointIndex::none && !chain.empty()) resolved.driver = chain.back();
      }
      const auto first_present =
          std::find_if(resolved.chains.begin(), resolved.chains.end(), [](const auto& chain) { return !chain.empty(); });
      if (first_present != resolved.chains.end()) std::rotate(resolved.chains.begin(), first_present, std::next(first_present));
      if (resolved.present()) find_origin(resolved, skeleton, sink);
    }
  }
  // Joints that the table does not know, but that lie between a bone's joints and those of the bone it points at (twist joints), belong to
  // its chain: the last of them tells the bone's orientation.
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    ResolvedGroup& resolved = result.groups[g];
    if (!resolved.present() || resolved.group->common_ancestor || resolved.chains.size() != 1) continue;
    const auto next = group_index.find(resolved.group->toward);
    if (next == group_index.end()) continue;
    const ResolvedGroup& end = result.groups[static_cast<std::size_t>(next->second)];
    if (end.chains.empty() || end.chains.front().empty()) continue;
    std::vector<JointIndex> between;
    JointIndex above = skeleton[end.chains.front().front()].parent;
    while (above != JointIndex::none && result.group_of_joint[index(above)] == -1) {
      between.push_back(above);
      above = skeleton[above].parent;
    }
    if (between.empty() || above != resolved.driver) continue;
    for (auto joint = between.rbegin(); joint != between.rend(); ++joint) {
      result.group_of_joint[index(*joint)] = static_cast<int>(g);
      resolved.chains.front().push_back(*joint);
      sink.note(codes::convert_unknown_joint, "joint '" + skeleton[*joint].name +
                                                  "' has no counterpart; its weights and its turn go to bone '" + resolved.group->bone +
                                                  "', in which it lies");
    }
    resolved.driver = resolved.chains.front().back();
  }
  const auto named = [&](std::size_t joint) {
    return result.group_of_joint[joint] != -1 && mapping.group_of(skeleton.joints()[joint].name) != nullptr;
  };
  result.known_joints = 0;
  for (std::size_t i = 0; i < skeleton.size(); ++i) result.known_joints += named(i) ? 1 : 0;

  // The rest follows its nearest ancestor; what has none, the first bone that moves.
  const auto first = std::find_if(result.groups.begin(), result.groups.end(), [](const ResolvedGroup& g) { return g.present(); });
  const int fallback = first == result.groups.end() ? -1 : static_cast<int>(first - result.groups.begin());
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    if (result.group_of_joint[i] != -1) continue;
    const Joint& joint = skeleton.joints()[i];
    result.group_of_joint[i] = joint.parent == JointIndex::none ? fallback : result.group_of_joint[index(joint.parent)];
    if (fallback == -1) continue;
    sink.warning(codes::convert_unknown_joint, "joint '" + joint.name + "' has no counterpart; its weights go to bone '" +
                                                   result.groups[static_cast<std::size_t>(result.group_of_joint[i])].bone->name +
                                                   "', its own motion is lost");
  }
  return result;
}

}  // namespace vesalius::convert_detail
