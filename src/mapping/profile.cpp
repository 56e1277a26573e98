// Look-up by name in a profile.
#include <map>

#include "vesalius/joint_map.hpp"

namespace vesalius {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

/// Positions by name; the version is that of the alias.
struct ProfileIndex {
  struct Entry {
    std::size_t position = 0;
    std::string version;
  };
  using Names = std::map<std::string, Entry, std::less<>>;
  Names joints, joints_folded, segments, sites;
};

void Profile::index_names() {
  auto made = std::make_shared<ProfileIndex>();
  const auto add = [](ProfileIndex::Names& names, const auto& list, auto&& key) {
    for (std::size_t i = 0; i < list.size(); ++i) names.emplace(key(list[i].name), ProfileIndex::Entry{i, {}});
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const Alias& alias : list[i].aliases) names.emplace(key(alias.name), ProfileIndex::Entry{i, alias.version});
    }
  };
  const auto same = [](const std::string& text) { return text; };
  add(made->joints, joints, same);
  add(made->joints_folded, joints, lower);
  add(made->segments, segments, same);
  add(made->sites, sites, same);
  index = std::move(made);
}

const ProfileJoint* Profile::find(std::string_view wanted) const {
  if (wanted.empty()) return nullptr;
  if (index != nullptr) {
    const auto found = index->joints.find(wanted);
    return found != index->joints.end() && joints[found->second.position].name == wanted ? &joints[found->second.position] : nullptr;
  }
  for (const ProfileJoint& joint : joints) {
    if (joint.name == wanted) return &joint;
  }
  return nullptr;
}

Profile::Match Profile::match(std::string_view wanted) const {
  Match result;
  if (index == nullptr) return result;
  auto found = index->joints.find(wanted);
  if (found == index->joints.end()) {
    found = index->joints_folded.find(lower(wanted));
    if (found == index->joints_folded.end()) return result;
    result.case_folded = true;
  }
  result.joint = &joints[found->second.position];
  result.version = found->second.version;
  // The official name of a joint that version 1 calls otherwise tells version 2.
  if (result.version.empty() && (result.joint->name == wanted || result.case_folded)) {
    for (const Alias& alias : result.joint->aliases) {
      if (!alias.version.empty()) result.version = "2";
    }
    if (result.joint->lowest_loa_v1 < 0) result.version = "2";
  }
  return result;
}

const ProfileSegment* Profile::match_segment(std::string_view wanted) const {
  if (index == nullptr) return nullptr;
  const auto found = index->segments.find(wanted);
  return found == index->segments.end() ? nullptr : &segments[found->second.position];
}

const ProfileSite* Profile::match_site(std::string_view wanted) const {
  if (index == nullptr) return nullptr;
  const auto found = index->sites.find(wanted);
  return found == index->sites.end() ? nullptr : &sites[found->second.position];
}

std::string Profile::name_in_version(const ProfileJoint& joint, std::string_view version) const {
  for (const Alias& alias : joint.aliases) {
    if (alias.version == version) return alias.name;
  }
  return joint.name;
}

const ProfileJoint* Profile::ancestor_at_level(const ProfileJoint& joint, int loa) const {
  const ProfileJoint* at = find(joint.parent);
  while (at != nullptr && at->lowest_loa > loa) at = find(at->parent);
  return at;
}

double coverage(const Skeleton& skeleton, const Profile& profile) {
  if (skeleton.empty()) return 0;
  std::size_t known = 0;
  for (const Joint& joint : skeleton.joints()) known += profile.find(joint.name) != nullptr ? 1 : 0;
  return static_cast<double>(known) / static_cast<double>(skeleton.size());
}

}  // namespace vesalius
