#pragma once
// Which way bones point, and their frames.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convert/rest.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::convert_detail {

struct BoneAxes {
  Quat frame = Quat::Identity();  ///< canonical_from_bone
  std::string pointed_by;         ///< "child", "end node", "site", "vertices" or "parent"
};

/// Frames of all bones at the rest pose that `bones` holds: the profile's frame turned by the least rotation onto the bone's
/// direction. Parts' influences name bones; sites' joints too. `toward`: index of the bone that each bone points at, or -1;
/// `tips`: names of sites that leaf bones point at.
[[nodiscard]] std::vector<BoneAxes> bone_axes(const BoneTree& bones, const std::vector<int>& toward,
                                              const std::vector<std::vector<std::string>>& tips, const std::vector<Part>& parts,
                                              const std::vector<Site>& sites);

}  // namespace vesalius::convert_detail
