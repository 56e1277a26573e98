#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "foundation/numbers.hpp"
#include "mapping/codes.hpp"
#include "mapping/load.hpp"

namespace vesalius::mapping_detail {
namespace {

constexpr double sum_tolerance = 1e-6;

bool is_below(const Profile& profile, const ProfileJoint& joint, std::string_view ancestor) {
  for (const ProfileJoint* at = &joint; at != nullptr; at = profile.find(at->parent)) {
    if (at->name == ancestor) return true;
  }
  return false;
}

class Loader {
 public:
  Loader(const Element& root, const Profile& from, const Profile& to, Diagnostics& sink) : root_(root), from_(from), to_(to), sink_(sink) {}

  Mapping run() {
    Mapping mapping;
    mapping.from = from_.name;
    mapping.to = to_.name;
    mapping.file = root_.where.file;
    mapping.source = root_.text("source");
    mapping.rest_tolerance_rad = parse_number(root_.text("rest-tolerance")).value_or(15) * std::numbers::pi / 180;
    for (const Element& element : root_.children) mapping.groups.push_back(group(element));
    return mapping;
  }

 private:
  void need_joint(const std::string& name, const Element& element) {
    const ProfileJoint* known = from_.find(name);
    if (known != nullptr) return;
    const auto match = from_.match(name);
    const std::string hint = match.joint != nullptr ? "; did you mean '" + match.joint->name + "'?" : std::string();
    sink_.error(codes::mapping_unknown_joint, "found joint '" + name + "'; expected a joint of profile '" + from_.name + "'" + hint,
                element.where);
  }
  void take(const std::string& name, const Element& element) {
    need_joint(name, element);
    if (!taken_.emplace(name, element.text("bone")).second) {
      sink_.error(codes::mapping_duplicate,
                  "joint '" + name + "' is already in the group of '" + taken_[name] + "'; expected every joint in one group",
                  element.where);
    }
  }

  BoneGroup group(const Element& element) {
    BoneGroup group;
    group.bone = element.text("bone");
    group.line = element.where.line;
    const ProfileJoint* bone = to_.find(group.bone);
    if (bone == nullptr) {
      sink_.error(codes::mapping_unknown_bone, "found bone '" + group.bone + "'; expected a joint of profile '" + to_.name + "'",
                  element.where);
    }
    if (!bones_.insert(group.bone).second)
      sink_.error(codes::mapping_duplicate, "bone '" + group.bone + "' has two groups; expected one", element.where);
    if (element.has("joints")) group.chains.push_back(element.words("joints"));
    group.fold = element.words("fold");
    group.origins = element.words("origin");
    group.toward = element.text("toward");
    group.tips = element.words("tip");
    group.whole = element.text("whole") == "true" || element.text("whole") == "1";
    group.keeps_translation = element.text("translation") == "true" || element.text("translation") == "1";
    group.ancestor_of = element.words("ancestor-of");
    group.common_ancestor = !group.ancestor_of.empty();
    group.origin_height_tolerance = parse_number(element.text("origin-height-tolerance")).value_or(0);
    for (const Element& child : element.children) {
      if (child.name == "chain") group.chains.push_back(child.words("joints"));
    }
    if (!group.toward.empty() && to_.find(group.toward) == nullptr) {
      sink_.error(codes::mapping_unknown_bone,
                  "found bone '" + group.toward + "' to point at; expected a joint of profile '" + to_.name + "'", element.where);
    }
    for (const auto& chain : group.chains) check_chain(chain, element, bone);
    for (const std::string& joint : group.fold) take(joint, element);
    for (const auto* list : {&group.origins, &group.ancestor_of}) {
      for (const std::string& joint : *list) need_joint(joint, element);
    }
    for (const Element& child : element.children) {
      if (child.name != "share") continue;
      const std::string joint = child.text("joint");
      const bool in_chain = std::any_of(group.chains.begin(), group.chains.end(),
                                        [&](const auto& chain) { return std::ranges::find(chain, joint) != chain.end(); });
      if (!in_chain)
        sink_.error(codes::mapping_unknown_joint, "found a share for joint '" + joint + "'; expected a joint of this group's chains",
                    child.where);
      const GroupShare share{parse_number(child.text("rotation")).value_or(0), parse_number(child.text("collapse")).value_or(1)};
      if (!group.shares.emplace(joint, share).second)
        sink_.error(codes::mapping_duplicate, "joint '" + joint + "' has two shares; expected one", child.where);
    }
    for (const auto& chain : group.chains) check_sum(chain, group, element);
    return group;
  }

  void check_chain(const std::vector<std::string>& chain, const Element& element, const ProfileJoint* bone) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      take(chain[i], element);
      const ProfileJoint* joint = from_.find(chain[i]);
      if (joint == nullptr) continue;
      if (i > 0 && !is_below(from_, *joint, chain[i - 1])) {
        sink_.error(codes::mapping_chain_order,
                    "joint '" + chain[i] + "' comes after '" + chain[i - 1] + "' but does not hang below it; expected proximal to distal",
                    element.where);
      }
      if (bone != nullptr && bone->side != joint->side) {
        sink_.error(codes::mapping_look_alike, "joint '" + chain[i] + "' and bone '" + bone->name + "' are on different sides of the body",
                    element.where);
      }
    }
  }

  void check_sum(const std::vector<std::string>& chain, BoneGroup& group, const Element& element) {
    if (chain.size() == 1 && !group.shares.contains(chain.front())) {
      group.shares.emplace(chain.front(), GroupShare{1, 1});  // a lone joint takes its bone's whole turn
      return;
    }
    double sum = 0;
    for (const std::string& joint : chain) {
      const auto share = group.shares.find(joint);
      if (share == group.shares.end()) {
        sink_.error(codes::mapping_share_sum,
                    "joint '" + joint + "' of bone '" + group.bone + "' has no share; expected one for every joint of a chain",
                    element.where);
        return;
      }
      sum += share->second.rotation * share->second.collapse;
    }
    if (std::abs(sum - 1) > sum_tolerance) {
      sink_.error(codes::mapping_share_sum,
                  "rotation times collapse sums to " + number_text(sum) + " along the chain of '" + chain.front() + "' in bone '" +
                      group.bone + "'; expected 1",
                  element.where);
    }
  }

  const Element& root_;
  const Profile& from_;
  const Profile& to_;
  Diagnostics& sink_;
  std::map<std::string, std::string> taken_;
  std::set<std::string> bones_;
};

}  // namespace

std::optional<Mapping> load_mapping(const Element& root, const MappingTables& tables, Diagnostics& sink) {
  const std::size_t faults = sink.count(Severity::error);
  const Profile* from = tables.profile(root.text("from"));
  const Profile* to = tables.profile(root.text("to"));
  for (const char* end : {"from", "to"}) {
    if (tables.profile(root.text(end)) != nullptr) continue;
    std::string known;
    for (const Profile& profile : tables.profiles()) known += (known.empty() ? "'" : ", '") + profile.name + "'";
    sink.error(codes::mapping_unknown_profile, "found profile '" + root.text(end) + "'; expected one of " + known, root.where);
  }
  if (from == nullptr || to == nullptr) return std::nullopt;
  Mapping mapping = Loader(root, *from, *to, sink).run();
  if (sink.count(Severity::error) > faults) return std::nullopt;
  return mapping;
}

}  // namespace vesalius::mapping_detail
