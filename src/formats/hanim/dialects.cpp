// Humanoids without humanoid nodes, or with their joints elsewhere.
#include <algorithm>
#include <unordered_set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/making.hpp"
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {
namespace {

/// Fewer standard names than this in a tree of Transforms are chance.
constexpr std::size_t least_named_transforms = 5;

/// All nodes of the scene, parents before children, once each.
std::vector<Node*> all_nodes(Scene& scene) {
  std::vector<Node*> result;
  std::unordered_set<const Node*> seen;
  std::vector<Node*> stack;
  const auto push = [&](const std::vector<Child>& children) {
    for (auto it = children.rbegin(); it != children.rend(); ++it) stack.push_back(it->node);
  };
  push(scene.roots);
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    if (!seen.insert(node).second) continue;
    result.push_back(node);
    for (auto field = node->fields.rbegin(); field != node->fields.rend(); ++field) push(field->nodes);
  }
  return result;
}

bool has_joint(const Node& humanoid) {
  for (const std::string_view name : {"skeleton", "humanoidBody"}) {
    const Field* field = humanoid.find(name);
    if (field != nullptr && !field->nodes.empty()) return true;
  }
  return false;
}

/// Replaces a child wherever its parent (or the scene) holds it.
void replace(Scene& scene, Node& old_child, Node& new_child) {
  const auto in = [&](std::vector<Child>& children) {
    for (Child& child : children) {
      if (child.node == &old_child) child.node = &new_child;
    }
  };
  in(scene.roots);
  if (old_child.parent != nullptr) {
    for (Field& field : old_child.parent->fields) in(field.nodes);
  }
  new_child.parent = old_child.parent;
}

/// Joints that stand outside their humanoid, as H-Anim 1.0 had it, or only in its flat list.
void gather_joints(Scene& scene, std::span<Node* const> nodes, Node& humanoid, Diagnostics& sink) {
  std::vector<Node*> tops;
  for (Node* node : nodes) {
    if (type_of(*node) != "HAnimJoint") continue;
    const bool below_joint = [&] {
      for (const Node* above = node->parent; above != nullptr; above = above->parent) {
        if (type_of(*above) == "HAnimJoint" || type_of(*above) == "HAnimPose") return true;
      }
      return false;
    }();
    const bool empty = node->find("center") == nullptr && node->find("children") == nullptr;
    if (!below_joint && !empty) tops.push_back(node);
  }
  if (tops.empty()) return;
  sink.warning(codes::hanim_dialect, "the humanoid has no skeleton; the joints that stand outside it were taken for its own",
               scene.locate(humanoid));
  Maker make(scene, humanoid);
  for (Node* top : tops) make.child(humanoid, "skeleton", *top, false);
}

/// Plain Transforms whose DEF names are the standard's: they become joints, and a humanoid around the outermost ones.
void adapt_transforms(Scene& scene, std::span<Node* const> nodes, const Profile& profile, Diagnostics& sink) {
  const auto standard = [&](const Node& node) {
    if (node.type != "Transform" || node.def.empty()) return false;
    const std::string_view def = node.def;
    if (profile.match(without_prefix(def, "")).joint != nullptr) return true;
    // A figure's own prefix ends at the first underscore.
    const auto mark = def.find('_');
    return mark != std::string_view::npos && profile.match(def.substr(mark + 1)).joint != nullptr;
  };
  std::vector<Node*> joints;
  std::ranges::copy_if(nodes, std::back_inserter(joints), [&](const Node* node) { return standard(*node); });
  if (joints.size() < least_named_transforms) return;
  std::unordered_set<const Node*> known(joints.begin(), joints.end());
  std::vector<Node*> tops;
  for (Node* joint : joints) {
    const Node* above = joint->parent;
    while (above != nullptr && !known.contains(above)) above = above->parent;
    if (above == nullptr) tops.push_back(joint);
  }
  for (Node* joint : joints) joint->type = "HAnimJoint";
  // Outermost joints with one parent are one figure.
  std::vector<std::pair<Node*, std::vector<Node*>>> figures;
  for (Node* top : tops) {
    const auto same = std::ranges::find(figures, top->parent, &std::pair<Node*, std::vector<Node*>>::first);
    if (same == figures.end()) {
      figures.push_back({top->parent, {top}});
    } else {
      same->second.push_back(top);
    }
  }
  for (auto& [parent, members] : figures) {
    Maker make(scene, *members.front());
    Node& humanoid = make.node("HAnimHumanoid", parent);
    make.text(humanoid, "name", parent != nullptr && !parent->def.empty() ? std::string(parent->def) : "humanoid");
    replace(scene, *members.front(), humanoid);
    for (Node* member : members) {
      if (member != members.front() && parent != nullptr) {
        for (Field& field : parent->fields) std::erase_if(field.nodes, [&](const Child& child) { return child.node == member; });
      } else if (member != members.front()) {
        std::erase_if(scene.roots, [&](const Child& child) { return child.node == member; });
      }
      make.child(humanoid, "skeleton", *member, false);
      member->parent = &humanoid;
    }
    sink.warning(codes::hanim_dialect,
                 "there are no joint nodes; " + std::to_string(joints.size()) + " Transforms named like joints were read as a humanoid",
                 scene.locate(*members.front()));
  }
}

}  // namespace

void adapt_dialects(Scene& scene, const Profile& profile, const MappingTables& tables, Diagnostics& sink) {
  const auto nodes = all_nodes(scene);
  std::vector<Node*> humanoids, joints;
  for (Node* node : nodes) {
    if (type_of(*node) == "HAnimHumanoid") humanoids.push_back(node);
    if (type_of(*node) == "HAnimJoint") joints.push_back(node);
  }
  if (humanoids.size() == 1 && !has_joint(*humanoids.front())) gather_joints(scene, nodes, *humanoids.front(), sink);
  if (!humanoids.empty()) return;
  if (!joints.empty()) {
    // Joints without any humanoid around them.
    Node* top = joints.front();
    Maker make(scene, *top);
    Node& humanoid = make.node("HAnimHumanoid", nullptr);
    replace(scene, *top, humanoid);
    make.text(humanoid, "name", "humanoid");
    make.child(humanoid, "skeleton", *top, false);
    top->parent = &humanoid;
    sink.warning(codes::hanim_dialect, "there is no Humanoid node; the tree of joints was read as one", scene.locate(*top));
    return;
  }
  if (adapt_avatar_studio(scene, tables, sink)) return;
  adapt_transforms(scene, nodes, profile, sink);
}

}  // namespace vesalius::hanim
