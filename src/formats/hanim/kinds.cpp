#include "formats/hanim/kinds.hpp"

#include <array>
#include <utility>

namespace vesalius::hanim {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 5> humanoid_parts{{{"Humanoid", Kind::humanoid},
                                                                           {"Joint", Kind::joint},
                                                                           {"Segment", Kind::segment},
                                                                           {"Site", Kind::site},
                                                                           {"Displacer", Kind::displacer}}};

constexpr std::array<std::pair<std::string_view, Kind>, 18> scene_parts{{{"Shape", Kind::shape},
                                                                         {"Transform", Kind::transform},
                                                                         {"Group", Kind::grouping},
                                                                         {"StaticGroup", Kind::grouping},
                                                                         {"Anchor", Kind::grouping},
                                                                         {"Collision", Kind::grouping},
                                                                         {"Billboard", Kind::grouping},
                                                                         {"CADLayer", Kind::grouping},
                                                                         {"CADAssembly", Kind::grouping},
                                                                         {"CADPart", Kind::transform},
                                                                         {"CADFace", Kind::grouping},
                                                                         {"Layer", Kind::grouping},
                                                                         {"LOD", Kind::lod},
                                                                         {"Switch", Kind::choice},
                                                                         {"Viewpoint", Kind::viewpoint},
                                                                         {"OrthoViewpoint", Kind::viewpoint},
                                                                         {"ViewpointGroup", Kind::viewpoint},
                                                                         {"Inline", Kind::inlined}}};

}  // namespace

Kind kind_of(const x3d::Node& node) noexcept {
  std::string_view type = node.type;
  const bool prefixed = type.starts_with("HAnim");
  if (prefixed) type.remove_prefix(5);
  if (prefixed || node.is_proto_instance) {
    for (const auto& [name, kind] : humanoid_parts) {
      if (type == name) return kind;
    }
  }
  if (node.is_proto_instance) return Kind::proto;
  for (const auto& [name, kind] : scene_parts) {
    if (node.type == name) return kind;
  }
  return Kind::other;
}

const x3d::Field* first_field(const x3d::Node& node, std::initializer_list<std::string_view> names) noexcept {
  for (const std::string_view name : names) {
    if (const x3d::Field* field = node.find(name)) return field;
  }
  return nullptr;
}

const x3d::Field* skeleton_field(const x3d::Node& humanoid) noexcept {
  for (const std::string_view name : {"skeleton", "humanoidBody"}) {
    if (const x3d::Field* field = humanoid.find(name); field != nullptr && !field->nodes.empty()) return field;
  }
  return nullptr;
}

}  // namespace vesalius::hanim
