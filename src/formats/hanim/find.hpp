#pragma once
// Where the humanoids of a scene are.
#include <optional>
#include <string>
#include <vector>

#include "formats/hanim/values.hpp"

namespace vesalius::hanim {

struct Found {
  const x3d::Node* node = nullptr;
  Affine scene_from_outside = Affine::Identity();  ///< of the Transforms around it, without its own
  std::string name;                                ///< its name field, else its DEF
};

/// All humanoids, in file order, wherever grouping nodes hold them; each node once.
[[nodiscard]] std::vector<Found> find_humanoids(Reading& in);

/// The one that `wanted` names (name, DEF or 0-based index), or the only one.
/// Errors: hanim.no_humanoid with a hint, hanim.several_humanoids with a list.
[[nodiscard]] std::optional<Found> choose_humanoid(Reading& in, const std::vector<Found>& found, const std::string& wanted);

}  // namespace vesalius::hanim
