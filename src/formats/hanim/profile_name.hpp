#pragma once
// The vocabulary that H-Anim joints are named in.
#include <string_view>

namespace vesalius::hanim {

inline constexpr std::string_view profile_name = "hanim-2";

}  // namespace vesalius::hanim
