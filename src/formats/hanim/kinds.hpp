#pragma once
// What a node is, whatever binding it comes from.
#include <cstdint>
#include <string_view>

#include "formats/x3d/scene.hpp"

namespace vesalius::hanim {

enum class Kind : std::uint8_t {
  humanoid,
  joint,
  segment,
  site,
  displacer,
  grouping,  ///< Group, Anchor, Collision ...: children as they are
  transform,
  lod,
  choice,  ///< Switch
  shape,
  viewpoint,
  inlined,
  proto,  ///< instance of a PROTO that is none of the above; its body is not expanded
  other,
};

/// Native nodes (HAnimJoint) and PROTO instances of the old bindings (Joint, HAnimJoint) are the same kind.
[[nodiscard]] Kind kind_of(const x3d::Node& node) noexcept;

/// The first of the fields that is there; null when none is.
[[nodiscard]] const x3d::Field* first_field(const x3d::Node& node, std::initializer_list<std::string_view> names) noexcept;

/// Bindings call the field of the joint tree skeleton or, in 1.1, humanoidBody.
[[nodiscard]] const x3d::Field* skeleton_field(const x3d::Node& humanoid) noexcept;

}  // namespace vesalius::hanim
