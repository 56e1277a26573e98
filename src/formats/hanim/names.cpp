#include "formats/hanim/names.hpp"

#include <algorithm>
#include <set>

#include "formats/hanim/codes.hpp"

namespace vesalius::hanim {
namespace {

/// Splits names at the separators that prefixes end with and remembers the prefixes that leave a known name behind.
class Prefixes {
 public:
  Prefixes(const Profile& profile, const std::string& humanoid) : profile_(profile) {
    counts_["hanim_"] = 2;  // the custom of every published example
    if (!humanoid.empty()) counts_[humanoid + "_"] = 2;
  }
  void learn(const std::string& name) {
    for (std::size_t cut : cuts(name)) {
      if (profile_.match(name.substr(cut)).joint != nullptr) ++counts_[name.substr(0, cut)];
    }
  }
  /// The name without a prefix that several joints share; the whole name when that is known already or no prefix helps.
  [[nodiscard]] Profile::Match match(const std::string& name) const {
    if (Profile::Match whole = profile_.match(name); whole.joint != nullptr) return whole;
    for (std::size_t cut : cuts(name)) {
      const auto known = counts_.find(name.substr(0, cut));
      if (known == counts_.end() || known->second < 2) continue;
      if (Profile::Match rest = profile_.match(name.substr(cut)); rest.joint != nullptr) return rest;
    }
    return {};
  }

 private:
  static std::vector<std::size_t> cuts(const std::string& name) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i + 1 < name.size() && result.size() < 4; ++i) {
      if (name[i] == '_' || name[i] == ':' || name[i] == '-' || name[i] == '.') result.push_back(i + 1);
    }
    return result;
  }
  const Profile& profile_;
  std::map<std::string, std::size_t> counts_;
};

std::string numbered(const std::string& name, const std::set<std::string>& taken) {
  for (std::size_t n = 2;; ++n) {
    std::string made = name + "_" + std::to_string(n);
    if (!taken.contains(made)) return made;
  }
}

}  // namespace

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') result += c;
  }
  return result;
}

JointNames name_joints(Reading& in, const Traversal& tree, const std::string& humanoid, const Profile& profile, bool strict) {
  const std::size_t count = tree.joints.size();
  JointNames result;
  std::vector<std::string> by_name(count), by_def(count);
  Prefixes prefixes(profile, humanoid);
  for (std::size_t j = 0; j < count; ++j) {
    const x3d::Node& node = *tree.joints[j].node;
    by_name[j] = without_blanks(read_string(node, "name"));
    by_def[j] = std::string(node.def);
    if (!by_name[j].empty()) prefixes.learn(by_name[j]);
    if (!by_def[j].empty()) prefixes.learn(by_def[j]);
  }

  // First choice of every joint, so that a second choice never takes what another joint is called.
  std::vector<Profile::Match> first(count);
  std::set<std::string> wanted;
  std::size_t from_def = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const std::string& raw = by_name[j].empty() ? by_def[j] : by_name[j];
    result.source_names.push_back(raw);
    first[j] = prefixes.match(raw);
    wanted.insert(first[j].joint != nullptr ? first[j].joint->name : raw);
    if (by_name[j].empty() && !by_def[j].empty()) ++from_def;
  }
  if (from_def > 0) {
    in.sink.note(codes::hanim_guessed_name, std::to_string(from_def) + " joint(s) have no name; their DEF names tell what they are");
  }

  bool version_1 = false, version_2 = false;
  std::set<std::string> taken;
  std::size_t folded = 0;
  for (std::size_t j = 0; j < count; ++j) {
    Profile::Match match = first[j];
    std::string name = match.joint != nullptr ? match.joint->name : result.source_names[j];
    const Location where = in.scene.locate(*tree.joints[j].node);
    if (name.empty()) {
      name = "joint_" + std::to_string(j);
      if (taken.contains(name)) name = numbered(name, taken);
    }
    if (taken.contains(name)) {
      // The name field wins over DEF except where it makes a duplicate.
      const Profile::Match other = by_def[j].empty() ? Profile::Match{} : prefixes.match(by_def[j]);
      const bool helps = other.joint != nullptr && !taken.contains(other.joint->name) && !wanted.contains(other.joint->name);
      const std::string instead = helps ? other.joint->name : numbered(name, taken);
      const std::string message = "joint name '" + result.source_names[j] + "' occurs twice; names must be unique";
      if (strict) {
        in.sink.error(codes::hanim_duplicate_joint, message, where);
      } else {
        in.sink.warning(codes::hanim_duplicate_joint, message + "; the second is called '" + instead + "'", where);
      }
      match = helps ? other : Profile::Match{};
      name = instead;
    }
    if (match.joint == nullptr) {
      result.unknown.push_back(name);
    } else {
      version_1 |= match.version == "1";
      version_2 |= match.version == "2";
      if (match.case_folded) ++folded;
    }
    taken.insert(name);
    result.names.push_back(std::move(name));
  }
  if (folded > 0) {
    in.sink.warning(codes::hanim_name_case, std::to_string(folded) + " joint name(s) differ from the standard's only in capital letters");
  }
  if (!result.unknown.empty()) {
    std::string list;
    for (std::size_t i = 0; i < result.unknown.size() && i < 8; ++i) list += (i > 0 ? ", '" : "'") + result.unknown[i] + "'";
    if (result.unknown.size() > 8) list += " ...";
    in.sink.warning(codes::hanim_unknown_joint, std::to_string(result.unknown.size()) + " joint(s) have names that the standard does not know (" +
                                                    list + "); they are kept as they are");
    if (2 * result.unknown.size() > count) {
      in.sink.warning(codes::hanim_low_coverage, "not a standard humanoid: only " + std::to_string(count - result.unknown.size()) + " of " +
                                                     std::to_string(count) + " joints have names of the standard");
    }
  }
  result.version = version_1 == version_2 ? "1 and 2" : version_1 ? "1" : "2";
  return result;
}

JointIndex find_joint(const Skeleton& skeleton, const Profile& profile, std::string_view name) {
  const std::string plain = without_blanks(name);
  if (const Profile::Match match = profile.match(plain); match.joint != nullptr) {
    if (const JointIndex joint = skeleton.find(match.joint->name); joint != JointIndex::none) return joint;
  }
  if (const JointIndex joint = skeleton.find(plain); joint != JointIndex::none) return joint;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (skeleton.joints()[j].source_name == plain) return joint_index(j);
  }
  return JointIndex::none;
}

}  // namespace vesalius::hanim
