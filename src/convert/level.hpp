#pragma once
// Levels of articulation within one vocabulary.
#include "vesalius/convert.hpp"

namespace vesalius::convert_detail {

/// A copy of the humanoid; with options.loa, joints above that level are removed: weights go to the nearest kept ancestor and the global
/// orientations of kept joints stay. Joints that the profile does not know stay. Error: convert.level when the level is outside the
/// profile's or asks for joints that the figure does not have.
[[nodiscard]] Result<Conversion> change_level(const Humanoid& source, const Profile& profile, const ConvertOptions& options);

}  // namespace vesalius::convert_detail
