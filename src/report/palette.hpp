#pragma once
// The few colours that a picture shows a mesh in.
#include <string>
#include <vector>

#include "vesalius/humanoid.hpp"

namespace vesalius::report_detail {

/// Palette entry of each material, by how many triangles have it; what is beyond the palette shares the last entry.
struct Palette {
  std::vector<int> colour_of;        // per material, and one for none
  std::vector<std::string> colours;  // may be empty
};

/// Colours are pale, so that the skeleton stands out; what hardly can be seen is not drawn.
[[nodiscard]] Palette palette_of(const Humanoid& humanoid);

}  // namespace vesalius::report_detail
