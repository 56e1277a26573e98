#pragma once
// Names of the standard's nodes.
#include <string_view>

namespace vesalius::x3d {

/// Whether X3D (up to 4.1) or VRML97 has a node of that name.
[[nodiscard]] bool is_standard_type(std::string_view type);

}  // namespace vesalius::x3d
