#pragma once
// Names under which metadata travels.
#include <string_view>

namespace vesalius::hanim {

/// Name of the metadata string that holds what H-Anim itself cannot say.
inline constexpr std::string_view kept_name = "vesalius";
/// Name of the metadata set around it.
inline constexpr std::string_view asset_name = "asset";

}  // namespace vesalius::hanim
