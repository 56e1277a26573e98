#pragma once
// Which field an XML child without containerField belongs to.
#include <string_view>

namespace vesalius::x3d {

/// By the types of parent and child and whether the child is a USE; "children" where nothing more special is known. PROTO instances of the
/// humanoid nodes count as the nodes they stand for. Source: the containerField defaults of X3D 4.0, refined for USE lists of humanoids.
[[nodiscard]] std::string_view default_container(std::string_view parent, std::string_view child, bool is_use);

/// "HAnimJoint" for "Joint" and "HAnimJoint"; the type itself otherwise.
[[nodiscard]] std::string_view humanoid_type(std::string_view type);

}  // namespace vesalius::x3d
