// Humanoids without humanoid nodes, or with their joints elsewhere.
#include <algorithm>
#include <set>
#include <unordered_set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/making.hpp"
#include "formats/hanim/reading.hpp"
#include "formats/x3d/defaults.hpp"

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

/// The standard joint that a DEF or name means, whatever prefix it has; null when it means none.
const ProfileJoint* standard_joint(const Profile& profile, std::string_view name) {
  if (const ProfileJoint* joint = profile.match(without_prefix(name, "")).joint) return joint;
  for (auto mark = name.find('_'); mark != std::string_view::npos; mark = name.find('_', mark + 1)) {
    if (const ProfileJoint* joint = profile.match(name.substr(mark + 1)).joint) return joint;
  }
  return nullptr;
}

/// A humanoid around each set of joint trees that stand side by side and have no joint in common: a second left knee is a second figure's.
std::size_t make_humanoids(Scene& scene, std::span<Node* const> joints, const Profile& profile) {
  const std::unordered_set<const Node*> known(joints.begin(), joints.end());
  const auto top_of = [&](Node* joint) {
    Node* top = joint;
    for (Node* above = joint->parent; above != nullptr; above = above->parent) {
      if (known.contains(above)) top = above;
    }
    return top;
  };
  struct Tree {
    Node* top;
    std::set<std::string> names;
  };
  std::vector<Tree> trees;
  for (Node* joint : joints) {
    Node* top = top_of(joint);
    auto tree = std::ranges::find(trees, top, &Tree::top);
    if (tree == trees.end()) tree = trees.insert(trees.end(), {top, {}});
    const ProfileJoint* standard = standard_joint(profile, joint->def);
    if (standard != nullptr) tree->names.insert(standard->name);
  }
  struct Figure {
    Node* parent;
    std::vector<Node*> tops;
    std::set<std::string> names;
  };
  std::vector<Figure> figures;
  for (Tree& tree : trees) {
    auto figure = std::ranges::find_if(figures, [&](const Figure& other) {
      return other.parent == tree.top->parent &&
             std::ranges::none_of(tree.names, [&](const std::string& n) { return other.names.contains(n); });
    });
    if (figure == figures.end()) figure = figures.insert(figures.end(), {tree.top->parent, {}, {}});
    figure->tops.push_back(tree.top);
    figure->names.merge(tree.names);
  }
  for (const Figure& figure : figures) {
    Node& first = *figure.tops.front();
    Maker make(scene, first);
    Node& humanoid = make.node("HAnimHumanoid", figure.parent);
    make.text(humanoid, "name", figure.parent != nullptr && !figure.parent->def.empty() ? std::string(figure.parent->def) : "humanoid");
    replace(scene, first, humanoid);
    for (Node* top : figure.tops) {
      const auto is_top = [&](const Child& child) { return child.node == top; };
      if (top != &first && figure.parent != nullptr) {
        for (Field& field : figure.parent->fields) std::erase_if(field.nodes, is_top);
      } else if (top != &first) {
        std::erase_if(scene.roots, is_top);
      }
      make.child(humanoid, "skeleton", *top, false);
      top->parent = &humanoid;
    }
  }
  return figures.size();
}

/// Plain Transforms whose DEF names are the standard's become joints.
void adapt_transforms(Scene& scene, std::span<Node* const> nodes, const Profile& profile, Diagnostics& sink) {
  std::vector<Node*> joints;
  std::ranges::copy_if(nodes, std::back_inserter(joints), [&](const Node* node) {
    return node->type == "Transform" && !node->def.empty() && standard_joint(profile, node->def) != nullptr;
  });
  if (joints.size() < least_named_transforms) return;
  for (Node* joint : joints) joint->type = "HAnimJoint";
  const Location where = scene.locate(*joints.front());
  make_humanoids(scene, joints, profile);
  sink.warning(codes::hanim_dialect,
               "there are no joint nodes; " + std::to_string(joints.size()) + " Transforms named like joints were read as a humanoid",
               where);
}

/// Nodes that stand in a field of the humanoid where they mean nothing: below `children`, which it does not have, or joints in its skin,
/// where instances of prototypes without containerField land.
void regroup(Scene& scene, Node& humanoid, Diagnostics& sink) {
  Maker make(scene, humanoid);
  for (const std::string_view name : {"children", "skin"}) {
    const auto field = std::ranges::find_if(humanoid.fields, [&](const Field& f) { return f.is_node && f.name == name; });
    if (field == humanoid.fields.end()) continue;
    std::vector<Child> kept, moved;
    for (const Child& child : field->nodes) {
      const std::string_view type = type_of(*child.node);
      const bool own = name == "skin" && !type.starts_with("HAnim");
      (own ? kept : moved).push_back(child);
    }
    if (moved.empty()) continue;
    field->nodes = kept;
    if (name == "children") {
      sink.warning(codes::hanim_dialect,
                   std::to_string(moved.size()) +
                       " nodes stand in the humanoid's children, a field it does not have; each went where its type belongs",
                   scene.locate(humanoid));
    }
    for (const Child& child : moved)
      make.child(humanoid, x3d::default_container(humanoid.type, child.node->type, child.is_use), *child.node, child.is_use);
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
  for (Node* humanoid : humanoids) regroup(scene, *humanoid, sink);
  if (humanoids.size() == 1 && !has_joint(*humanoids.front())) gather_joints(scene, nodes, *humanoids.front(), sink);
  if (!humanoids.empty()) return;
  if (!joints.empty()) {
    const Location where = scene.locate(*joints.front());
    const std::size_t figures = make_humanoids(scene, joints, profile);
    sink.warning(
        codes::hanim_dialect,
        "there is no Humanoid node; the joints were read as " + std::to_string(figures) + (figures == 1 ? " humanoid" : " humanoids"),
        where);
    return;
  }
  if (adapt_avatar_studio(scene, tables, sink)) return;
  adapt_transforms(scene, nodes, profile, sink);
}

}  // namespace vesalius::hanim
