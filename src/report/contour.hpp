#pragma once
// Outlines of the places where a field is at least a threshold, as SVG path data.
#include <string>

#include "report/raster.hpp"

namespace vesalius::report_detail {

/// Units of the path data per pixel.
inline constexpr int path_units_per_px = 10;

/// Closed loops (even-odd or non-zero both fill them rightly), simplified to `tolerance_px`; specks below `least_area_px2` are left
/// out. Pixel (x, y) has its centre at (x + 0.5, y + 0.5) px; coordinates are in tenths of a pixel. Empty when nothing reaches the
/// threshold.
[[nodiscard]] std::string contour_path(const Field& field, float threshold, double tolerance_px = 0.15, double least_area_px2 = 2);

}  // namespace vesalius::report_detail
