#include "formats/hanim/reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/x3d/defaults.hpp"

namespace vesalius::hanim {

const Field* Reading::field(const Node& node, std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (const Field* found = node.find(name)) return found;
  }
  return nullptr;
}

bool Reading::is_value(const Node& node, const Field& found) const {
  if (!found.is_node) return true;
  if (!found.nodes.empty() && read_once.insert(&found).second) {
    sink.warning(codes::hanim_bad_value, "field '" + std::string(found.name) + "' holds a node; expected a value",
                 scene.locate(node, found));
  }
  return false;
}

/// What a field is read again for every use of its node counts; the first time, the file's own size is the limit.
bool Reading::may_read(const Node& node, const Field& found) const {
  constexpr std::size_t least_bytes_per_number = 2;
  return read_once.insert(&found).second || within_budget(found.text.size() / least_bytes_per_number / 2, node);
}

std::vector<double> Reading::numbers(const Node& node, std::string_view name) const {
  std::vector<double> values;
  const Field* found = node.find(name);
  if (found == nullptr || !is_value(node, *found) || !may_read(node, *found)) return values;
  if (!x3d::parse_doubles(scene, node, *found, values, sink)) values.clear();
  return values;
}

std::vector<std::int32_t> Reading::integers(const Node& node, std::string_view name) const {
  std::vector<std::int32_t> values;
  const Field* found = node.find(name);
  if (found == nullptr || !is_value(node, *found) || !may_read(node, *found)) return values;
  if (!x3d::parse_ints(scene, node, *found, values, sink)) values.clear();
  return values;
}

std::vector<std::string> Reading::strings(const Node& node, std::string_view name) const {
  const Field* found = node.find(name);
  return found == nullptr || found->is_node ? std::vector<std::string>() : x3d::parse_strings(*found);
}

std::string Reading::text(const Node& node, std::string_view name) const {
  const Field* found = node.find(name);
  return found == nullptr || found->is_node ? std::string() : x3d::parse_string(*found);
}

std::optional<Vec3> Reading::vec3(const Node& node, std::string_view name) const {
  const auto values = numbers(node, name);
  if (values.empty()) return std::nullopt;
  if (values.size() != 3) {
    sink.warning(codes::hanim_bad_value,
                 "field '" + std::string(name) + "' holds " + std::to_string(values.size()) + " numbers; expected 3",
                 scene.locate(node, *node.find(name)));
    if (values.size() < 3) return std::nullopt;
  }
  return Vec3(values[0], values[1], values[2]);
}

Vec3 Reading::vec3(const Node& node, std::string_view name, const Vec3& otherwise) const {
  return vec3(node, name).value_or(otherwise);
}

double Reading::number(const Node& node, std::string_view name, double otherwise) const {
  const auto values = numbers(node, name);
  return values.empty() ? otherwise : values.front();
}

bool Reading::boolean(const Node& node, std::string_view name, bool otherwise) const {
  const Field* found = node.find(name);
  return found == nullptr || found->is_node ? otherwise : x3d::parse_bool(*found).value_or(otherwise);
}

bool Reading::within_budget(std::size_t amount, const Node& node) const {
  const bool before = spent <= most_corners;
  spent += std::min(amount, most_corners);
  if (spent <= most_corners) return true;
  if (before) {
    sink.error(codes::hanim_too_large,
               "the humanoid draws more than " + std::to_string(most_corners) + " corners, counting what is used again",
               scene.locate(node));
  }
  return false;
}

std::filesystem::path Reading::folder_of(const Node& node) const {
  return node.source == 0 ? folder : std::filesystem::path(scene.file(node.source)).parent_path();
}

const std::vector<Vec3>& Reading::points(const Node& coordinate) const {
  const auto [entry, fresh] = points_read.try_emplace(&coordinate);
  if (fresh) {
    const auto values = numbers(coordinate, "point");
    entry->second.resize(values.size() / 3);
    for (std::size_t i = 0; i < entry->second.size(); ++i) entry->second[i] = Vec3(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  }
  return entry->second;
}

Quat Reading::rotation(const Node& node, std::string_view name) const {
  const auto v = numbers(node, name);
  if (v.empty()) return Quat::Identity();
  if (v.size() != 4) {
    sink.warning(codes::hanim_bad_value, "rotation '" + std::string(name) + "' holds " + std::to_string(v.size()) + " numbers; expected 4",
                 scene.locate(node, *node.find(name)));
    return Quat::Identity();
  }
  const Vec3 axis(v[0], v[1], v[2]);
  if (axis.norm() < 1e-12) {
    if (v[3] != 0)
      sink.warning(codes::hanim_bad_value, "a rotation has no axis; it was read as no turn", scene.locate(node, *node.find(name)));
    return Quat::Identity();
  }
  return Quat(Eigen::AngleAxisd(v[3], axis.normalized()));
}

const Node* Reading::child(const Node& node, std::string_view name) const {
  const Field* found = node.find(name);
  if (found != nullptr && !found->is_node && !found->text.empty() && read_once.insert(found).second) {
    sink.warning(codes::hanim_bad_value, "field '" + std::string(name) + "' holds a value; expected a node", scene.locate(node, *found));
  }
  return found == nullptr || found->nodes.empty() ? nullptr : found->nodes.front().node;
}

std::string_view type_of(const Node& node) {
  return x3d::humanoid_type(node.type);
}

Affine transform_of(const Reading& reading, const Node& node) {
  const std::string_view type = type_of(node);
  if (type != "Transform" && type != "HAnimJoint" && type != "HAnimHumanoid" && type != "HAnimSite" && type != "Viewpoint")
    return Affine::Identity();
  const Vec3 centre = reading.vec3(node, "center", Vec3::Zero());
  const Quat orientation = reading.rotation(node, "scaleOrientation");
  return Eigen::Translation3d(reading.vec3(node, "translation", Vec3::Zero())) * Eigen::Translation3d(centre) *
         reading.rotation(node, "rotation") * orientation * Eigen::Scaling(reading.vec3(node, "scale", Vec3::Ones())) *
         orientation.conjugate() * Eigen::Translation3d(-centre);
}

bool is_grouping(const Node& node) {
  constexpr std::array<std::string_view, 13> types{"Anchor", "Billboard",     "CADAssembly", "CADLayer", "CADPart",   "Collision", "Group",
                                                   "LOD",    "PickableGroup", "StaticGroup", "Switch",   "Transform", "Viewport"};
  return std::ranges::find(types, node.type) != types.end();
}

std::vector<Child> shown_children(const Reading& reading, const Node& node) {
  const Field* children = reading.field(node, {"children", "choice", "level"});
  if (children == nullptr) return {};
  if (node.type == "Switch") {
    const auto choice = static_cast<std::ptrdiff_t>(std::clamp(reading.number(node, "whichChoice", -1), -1.0, 1e9));
    if (choice < 0 || choice >= std::ssize(children->nodes)) return {};
    return {children->nodes[static_cast<std::size_t>(choice)]};
  }
  if (node.type == "LOD") return children->nodes.empty() ? std::vector<Child>() : std::vector<Child>{children->nodes.front()};
  return children->nodes;
}

std::vector<Found> find_humanoids(const Reading& reading) {
  struct Step {
    const Node* node;
    Affine above;
  };
  std::vector<Found> result;
  std::vector<Step> stack;
  const auto push = [&](const std::vector<Child>& children, const Affine& above) {
    for (auto it = children.rbegin(); it != children.rend(); ++it) {
      if (!it->is_use) stack.push_back({it->node, above});
    }
  };
  push(reading.scene.roots, Affine::Identity());
  std::set<std::string> names;
  const auto unique = [&](std::string name) { return !names.insert(name).second ? name + "_" + std::to_string(result.size() + 1) : name; };
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    const Affine here = step.above * transform_of(reading, *step.node);
    if (type_of(*step.node) == "HAnimHumanoid") {
      std::string name = reading.text(*step.node, "name");
      if (name.empty()) name = std::string(step.node->def);
      name = unique(std::move(name));
      result.push_back({step.node, name, here});
      continue;
    }
    if (step.node->type == "LOD") {
      push(shown_children(reading, *step.node), here);
      continue;
    }
    // A Switch may hide the figure that the file is about: all its choices are looked through.
    for (const Field& field : step.node->fields) {
      if (field.is_node) push(field.nodes, here);
    }
  }
  return result;
}

}  // namespace vesalius::hanim
