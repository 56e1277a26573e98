#pragma once
// Polygons into triangles.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vesalius/frames.hpp"

namespace vesalius::hanim {

/// Appends triangles of corner numbers, in the polygon's order. Convex polygons become a fan, concave ones are clipped ear by ear in the
/// plane of their Newell normal; polygons without a plane, or of very many corners, become a fan.
class Triangulator {
 public:
  void triangulate(std::span<const Vec3> corners, std::vector<std::array<std::uint32_t, 3>>& out);

 private:
  [[nodiscard]] double area(std::uint32_t a, std::uint32_t b, std::uint32_t c) const noexcept;
  [[nodiscard]] bool is_ear(std::uint32_t at) const noexcept;
  void fan(std::uint32_t count, std::vector<std::array<std::uint32_t, 3>>& out);

  std::vector<std::array<double, 2>> flat_;
  std::vector<std::uint32_t> before_, after_;
};

}  // namespace vesalius::hanim
