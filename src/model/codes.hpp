#pragma once
// Codes of findings about the model itself.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code model_duplicate_joint{"model.duplicate_joint"};
inline constexpr Code model_parent_order{"model.parent_order"};
inline constexpr Code model_not_finite{"model.not_finite"};
inline constexpr Code model_unnamed_joint{"model.unnamed_joint"};
inline constexpr Code model_invariant{"model.invariant"};
inline constexpr Code model_bad_kept{"model.bad_kept"};

}  // namespace vesalius::codes
