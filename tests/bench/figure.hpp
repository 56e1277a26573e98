#pragma once
// A figure of any size for benchmarks: a closed tube of skin around every bone of the standard skeleton.
#include <cstddef>
#include <string>

#include "vesalius/joint_map.hpp"

namespace vesalius::bench {

/// X3D XML text of a humanoid with every joint of level 3 and close to `vertices` skin points, each held by two joints.
[[nodiscard]] std::string figure_x3d(const MappingTables& tables, std::size_t vertices);

}  // namespace vesalius::bench
