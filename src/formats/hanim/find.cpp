#include "formats/hanim/find.hpp"

#include <algorithm>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/kinds.hpp"
#include "foundation/numbers.hpp"

namespace vesalius::hanim {
namespace {

constexpr std::size_t most_visits = 20'000'000;

/// What a file without a humanoid holds, for the hint.
std::string hint(const Reading& in) {
  std::size_t transforms = 0, shapes = 0, inlines = 0, joints = 0, protos = 0;
  std::vector<const x3d::Node*> stack;
  std::set<const x3d::Node*> seen;
  for (const x3d::Child& root : in.scene.roots) stack.push_back(root.node);
  while (!stack.empty()) {
    const x3d::Node* node = stack.back();
    stack.pop_back();
    if (node == nullptr || !seen.insert(node).second) continue;
    switch (kind_of(*node)) {
      case Kind::transform:
        ++transforms;
        break;
      case Kind::shape:
        ++shapes;
        break;
      case Kind::inlined:
        ++inlines;
        break;
      case Kind::joint:
        ++joints;
        break;
      case Kind::proto:
        ++protos;
        break;
      default:
        break;
    }
    for (const x3d::Field& field : node->fields) {
      for (const x3d::Child& child : field.nodes) stack.push_back(child.node);
    }
  }
  std::string text;
  const auto say = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  say(joints, "joint node(s) outside a humanoid");
  say(transforms, "Transform node(s)");
  say(shapes, "Shape node(s)");
  say(protos, "instance(s) of prototypes");
  say(inlines, "Inline node(s), which are not followed");
  return text.empty() ? "it is empty" : "it holds " + text;
}

}  // namespace

std::vector<Found> find_humanoids(Reading& in) {
  struct Visit {
    const x3d::Node* node;
    Affine scene_from_here;
  };
  std::vector<Found> result;
  std::vector<Visit> stack;
  std::set<const x3d::Node*> seen;  // a node that is used twice counts where it comes first
  for (auto it = in.scene.roots.rbegin(); it != in.scene.roots.rend(); ++it) stack.push_back({it->node, Affine::Identity()});
  std::size_t visits = 0;
  while (!stack.empty() && ++visits < most_visits) {
    const Visit visit = stack.back();
    stack.pop_back();
    if (visit.node == nullptr || !seen.insert(visit.node).second) continue;
    const x3d::Node& node = *visit.node;
    const Kind kind = kind_of(node);
    Affine here = visit.scene_from_here;
    switch (kind) {
      case Kind::humanoid: {
        Found found{&node, here, read_string(node, "name")};
        if (found.name.empty()) found.name = std::string(node.def);
        result.push_back(std::move(found));
        continue;
      }
      case Kind::shape:
      case Kind::inlined:
      case Kind::viewpoint:
        continue;
      case Kind::transform:
        here = here * read_transform(in, node).matrix();
        break;
      default:
        break;
    }
    for (auto field = node.fields.rbegin(); field != node.fields.rend(); ++field) {
      for (auto child = field->nodes.rbegin(); child != field->nodes.rend(); ++child) stack.push_back({child->node, here});
    }
  }
  return result;
}

std::optional<Found> choose_humanoid(Reading& in, const std::vector<Found>& found, const std::string& wanted) {
  if (found.empty()) {
    in.sink.error(codes::hanim_no_humanoid,
                  "the file has no humanoid (" + hint(in) + "); expected HAnimHumanoid or an instance of PROTO Humanoid",
                  in.scene.locate(0));
    return std::nullopt;
  }
  if (wanted.empty()) {
    // Humanoids without joints (an example of the prototypes, a placeholder) do not compete with one that has some.
    std::vector<const Found*> full;
    for (const Found& one : found) {
      if (skeleton_field(*one.node) != nullptr) full.push_back(&one);
    }
    if (full.size() == 1) return *full.front();
    if (found.size() == 1) return found.front();
    if (full.empty()) return found.front();
    std::string list;
    for (std::size_t i = 0; i < found.size(); ++i) list += (i > 0 ? ", " : "") + std::to_string(i) + " '" + found[i].name + "'";
    in.sink.error(codes::hanim_several_humanoids,
                  "the file has " + std::to_string(found.size()) + " humanoids (" + list + "); choose one by its name or number",
                  in.scene.locate(*found[1].node));
    return std::nullopt;
  }
  for (const Found& one : found) {
    if (one.name == wanted || one.node->def == wanted) return one;
  }
  if (const auto number = parse_integer(wanted); number && *number >= 0 && static_cast<std::size_t>(*number) < found.size()) {
    return found[static_cast<std::size_t>(*number)];
  }
  std::string list;
  for (const Found& one : found) list += (list.empty() ? "'" : ", '") + one.name + "'";
  in.sink.error(codes::hanim_no_humanoid, "the file has no humanoid '" + wanted + "'; it has " + list,
                in.scene.locate(*found.front().node));
  return std::nullopt;
}

}  // namespace vesalius::hanim
