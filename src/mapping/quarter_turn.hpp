#pragma once
// Files are off by quarter turns; small leans are the figure's own.
#include <string>

#include "vesalius/joint_map.hpp"

namespace vesalius {

/// The nearest of the 24 turns that bring the measured up to +Y and forward to +Z.
[[nodiscard]] Eigen::Matrix3d nearest_quarter_turn(const MeasuredAxes& axes);
/// "+X", "-Z" ...: the axis that a direction is nearest to.
[[nodiscard]] std::string axis_name(const Vec3& direction);

}  // namespace vesalius
