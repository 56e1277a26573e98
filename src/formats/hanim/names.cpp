// Names of joints in the standard's vocabulary.
#include <algorithm>
#include <map>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/reading.hpp"
#include "formats/x3d/findings.hpp"

namespace vesalius::hanim {
namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') result += c;
  }
  return result;
}

/// A prefix up to an underscore that most names share and without which more of them are known.
std::string common_prefix(const Profile& profile, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> count;
  for (const std::string& name : names) {
    for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
      const std::string rest = name.substr(at + 1);
      if (!rest.empty() && profile.match(rest).joint != nullptr && profile.match(name).joint == nullptr) ++count[name.substr(0, at + 1)];
    }
  }
  std::string best;
  std::size_t most = 0;
  for (const auto& [prefix, number] : count) {
    if (number > most) {
      most = number;
      best = prefix;
    }
  }
  return best;
}

/// A rig whose names a table knows, or the standard's own names of segments given to joints.
struct Foreign {
  const Reading* reading = nullptr;
  const Rig* rig = nullptr;
  std::map<std::string, const ProfileJoint*> by_segment;
  std::string prefix;
  std::string title;

  explicit operator bool() const { return rig != nullptr || !by_segment.empty(); }
  [[nodiscard]] Profile::Match match(const std::string& name) const {
    if (rig != nullptr) {
      const RigBone* bone = rig->match(name);
      return bone == nullptr || bone->joint.empty() ? Profile::Match{} : reading->profile.match(bone->joint);
    }
    const auto found = by_segment.find(without_prefix(name, prefix));
    return found == by_segment.end() ? Profile::Match{} : Profile::Match{found->second, {}, false};
  }
};

Foreign recognise_foreign(const Reading& reading, const std::vector<std::string>& names, const std::string& prefix) {
  Foreign foreign;
  foreign.reading = &reading;
  foreign.prefix = prefix;
  // Single names are ambiguous (neck, hip): only where most are not the standard's, others are asked.
  std::size_t standard = 0;
  for (const std::string& name : names) {
    if (reading.profile.match(name).joint != nullptr || reading.profile.match(without_prefix(name, prefix)).joint != nullptr) ++standard;
  }
  if (2 * standard > names.size()) return foreign;
  foreign.rig = reading.tables.recognise_rig(names);
  if (foreign.rig != nullptr) {
    foreign.title = foreign.rig->title;
    return foreign;
  }
  std::map<std::string, const ProfileJoint*> by_segment;
  for (const std::string& raw : names) {
    const std::string name = without_prefix(raw, prefix);
    const ProfileJoint* joint = reading.profile.match(name).joint;
    if (const ProfileSegment* segment = joint == nullptr ? reading.profile.match_segment(name) : nullptr; segment != nullptr) {
      joint = reading.profile.find(segment->joint);
    }
    if (joint != nullptr) by_segment.emplace(name, joint);
  }
  if (by_segment.size() >= 8 && 2 * by_segment.size() > names.size()) {
    foreign.by_segment = std::move(by_segment);
    foreign.title = "the standard's segments";
  }
  return foreign;
}

}  // namespace

std::string without_prefix(std::string_view name, const std::string& prefix) {
  std::string text = without_blanks(name);
  for (const std::string_view known : {std::string_view(prefix), std::string_view("hanim_"), std::string_view("hanim0_")}) {
    if (!known.empty() && text.starts_with(known) && text.size() > known.size()) return text.substr(known.size());
  }
  return text;
}

JointNames name_joints(const Reading& reading, const JointTree& tree, const std::string& humanoid_name, SourceFacts& facts) {
  JointNames result;
  std::vector<std::string> raw;
  std::vector<bool> from_def;
  for (const JointTree::Entry& entry : tree.joints) {
    std::string name = reading.text(*entry.node, "name");
    from_def.push_back(without_blanks(name).empty());
    if (from_def.back()) name = std::string(entry.node->def);
    raw.push_back(name);
  }
  std::vector<std::string> clean;
  for (const std::string& name : raw) clean.push_back(without_blanks(name));
  const std::string prefix = common_prefix(reading.profile, clean);
  const Foreign foreign = recognise_foreign(reading, clean, prefix);
  std::set<std::string> taken, versions;
  std::map<std::string, int> numbers;  // the next one to try for a name that is taken
  x3d::RepeatedWarning repaired{codes::hanim_repaired_name, "more joint names were read as the standard's"};
  x3d::RepeatedWarning unknown{codes::hanim_unknown_name, "more joint names are not in the standard; they were kept as they are"};
  x3d::RepeatedWarning doubled{codes::hanim_duplicate_joint, "more joint names occur twice; the later ones were numbered"};
  std::size_t guessed = 0;
  for (std::size_t j = 0; j < raw.size(); ++j) {
    const Node& node = *tree.joints[j].node;
    const auto where = [&] { return reading.scene.locate(node); };
    Profile::Match match = reading.profile.match(clean[j]);
    std::string name = clean[j];
    for (const std::string& candidate :
         {without_prefix(clean[j], humanoid_name.empty() ? "" : humanoid_name + "_"), without_prefix(clean[j], prefix)}) {
      if (match.joint != nullptr) break;
      match = reading.profile.match(candidate);
      if (match.joint != nullptr || from_def[j]) name = candidate;
    }
    if (foreign) match = foreign.match(clean[j]);
    result.source_names.push_back(raw[j]);
    if (match.joint != nullptr) {
      if (!match.version.empty()) versions.insert(match.version);
      if (!foreign && (match.case_folded || (!from_def[j] && clean[j] != raw[j]))) {
        repaired.add(reading.sink, "joint name '" + raw[j] + "' was read as '" + match.joint->name + "'", where);
      }
      name = match.joint->name;
    } else {
      facts.unknown_names.push_back(raw[j]);
      if (!foreign) unknown.add(reading.sink, "joint name '" + raw[j] + "' is not in the standard; it was kept as it is", where);
      if (name.empty()) name = "joint";
    }
    if (from_def[j]) ++guessed;
    if (taken.contains(name)) {
      // Where a name that DEF gave makes a double, DEF loses; where both are given, the second is renamed.
      const Profile::Match by_def = reading.profile.match(without_prefix(node.def, prefix));
      if (by_def.joint != nullptr && !taken.contains(by_def.joint->name)) {
        reading.sink.warning(codes::hanim_duplicate_joint,
                             "joint name '" + raw[j] + "' occurs twice; the second was named '" + by_def.joint->name + "' after its DEF",
                             reading.scene.locate(node));
        name = by_def.joint->name;
      } else {
        std::string fresh;
        for (int& number = numbers.try_emplace(name, 2).first->second; taken.contains(fresh = name + "_" + std::to_string(number));
             ++number) {
        }
        const std::string message = "joint name '" + raw[j] + "' occurs twice; names must be unique";
        if (reading.options.strict) {
          reading.sink.error(codes::hanim_duplicate_joint, message, where());
        } else {
          doubled.add(reading.sink, message + "; the second was named '" + fresh + "'", where);
        }
        name = fresh;
      }
    }
    taken.insert(name);
    result.names.push_back(name);
  }
  if (guessed > 0) {
    reading.sink.note(codes::hanim_name_from_def, std::to_string(guessed) + " joints have no name; their DEF was taken",
                      reading.scene.locate(*tree.joints.front().node));
  }
  if (foreign) {
    facts.rig = foreign.title;
    reading.sink.warning(codes::hanim_foreign_rig,
                         "the joints carry the names of " + foreign.title + ", not the standard's; " +
                             std::to_string(raw.size() - facts.unknown_names.size()) + " of " + std::to_string(raw.size()) +
                             " were told by a table, the others keep their names",
                         reading.scene.locate(*tree.joints.front().node));
    return result;
  }
  facts.hanim_version = versions.empty() ? "" : versions.size() == 1 ? *versions.begin() : "1 and 2";
  if (2 * facts.unknown_names.size() > raw.size()) {
    const bool robot = std::ranges::any_of(tree.joints, [](const JointTree::Entry& e) {
      return e.node->find("jointType") != nullptr || e.node->find("jointAxis") != nullptr;
    });
    reading.sink.warning(robot ? codes::hanim_robot : codes::hanim_unknown_name,
                         std::string(robot ? "this is a robot model" : "this is not a standard humanoid") + ": " +
                             std::to_string(raw.size() - facts.unknown_names.size()) + " of " + std::to_string(raw.size()) +
                             " joint names are in the standard",
                         reading.scene.locate(*tree.joints.front().node));
  }
  return result;
}

JointIndex joint_named(const Reading& reading, const Humanoid& humanoid, const std::string& name) {
  const auto match = reading.profile.match(name);
  if (const JointIndex joint = humanoid.skeleton.find(match.joint != nullptr ? match.joint->name : name); joint != JointIndex::none)
    return joint;
  const auto joints = humanoid.skeleton.joints();
  const auto own = std::ranges::find(joints, name, &Joint::source_name);
  if (own != joints.end()) return joint_index(static_cast<std::size_t>(own - joints.begin()));
  for (const Rig& rig : reading.tables.rigs()) {
    if (rig.title != humanoid.source.rig) continue;
    const RigBone* bone = rig.match(name);
    if (bone != nullptr && !bone->joint.empty()) return humanoid.skeleton.find(bone->joint);
  }
  return JointIndex::none;
}

}  // namespace vesalius::hanim
