#include "formats/x3d/out_tree.hpp"

#include <algorithm>
#include <array>

#include "formats/x3d/defaults.hpp"

namespace vesalius::x3d {

bool holds_one_node(std::string_view field) {
  constexpr std::array<std::string_view, 18> names{
      "appearance",        "baseTexture",     "color",  "coord",         "diffuseTexture", "emissiveTexture", "fontStyle", "geometry",
      "material",          "metadata",        "normal", "normalTexture", "skinCoord",      "skinNormal",      "texCoord",  "texture",
      "textureProperties", "textureTransform"};
  return std::ranges::find(names, field) != names.end();
}

SceneWriter& SceneWriter::open(std::string_view type, std::string_view field) {
  OutNode& node = scene_.store.emplace_back();
  node.type = type;
  if (stack_.empty()) {
    scene_.roots.push_back(&node);
  } else {
    OutNode& parent = *stack_.back();
    const std::string_view name = field.empty() ? default_container(parent.type, type, false) : field;
    const auto known =
        std::ranges::find_if(parent.fields, [&](const OutField& f) { return f.kind == OutField::Kind::nodes && f.name == name; });
    if (known != parent.fields.end()) {
      known->nodes.push_back(&node);
    } else {
      add(name, OutField::Kind::nodes).nodes.push_back(&node);
    }
  }
  stack_.push_back(&node);
  return *this;
}

void SceneWriter::use(std::string_view type, std::string_view def_name, std::string_view field) {
  open(type, field);
  stack_.back()->use = def_name;
  close();
}

void SceneWriter::close() {
  stack_.pop_back();
}

SceneWriter& SceneWriter::def(std::string_view name) {
  stack_.back()->def = name;
  return *this;
}

OutField& SceneWriter::add(std::string_view name, OutField::Kind kind) {
  OutField& field = stack_.back()->fields.emplace_back();
  field.name = name;
  field.kind = kind;
  return field;
}

SceneWriter& SceneWriter::string(std::string_view name, std::string_view value) {
  add(name, OutField::Kind::string).text = value;
  return *this;
}
SceneWriter& SceneWriter::strings(std::string_view name, std::span<const std::string> values) {
  add(name, OutField::Kind::strings).strings.assign(values.begin(), values.end());
  return *this;
}
SceneWriter& SceneWriter::number(std::string_view name, double value) {
  append_number(add(name, OutField::Kind::number).text, finite(value));
  return *this;
}
SceneWriter& SceneWriter::integer(std::string_view name, long long value) {
  add(name, OutField::Kind::number).text = std::to_string(value);
  return *this;
}
SceneWriter& SceneWriter::vector(std::string_view name, const Vec3& value) {
  list(name, [&](auto append) {
    for (int k = 0; k < 3; ++k) append(value[k]);
  });
  stack_.back()->fields.back().kind = OutField::Kind::vector;
  return *this;
}
SceneWriter& SceneWriter::rotation(std::string_view name, const Quat& value) {
  const Eigen::AngleAxisd turn(value);
  list(name, [&](auto append) {
    for (int k = 0; k < 3; ++k) append(turn.axis()[k]);
    append(turn.angle());
  });
  stack_.back()->fields.back().kind = OutField::Kind::vector;
  return *this;
}
SceneWriter& SceneWriter::boolean(std::string_view name, bool value) {
  add(name, OutField::Kind::truth).text = value ? "true" : "false";
  return *this;
}

}  // namespace vesalius::x3d
