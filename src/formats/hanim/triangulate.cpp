// Polygons to triangles. Debian has no header-only triangulation library for C++ (earcut is packaged for Python only, CGAL's is GPL).
#include <cmath>

#include "formats/hanim/mesh.hpp"

namespace vesalius::hanim {
namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Whether p lies in the triangle or on its border.
bool inside(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c, const Eigen::Vector2d& p) {
  return cross(b - a, p - a) >= 0 && cross(c - b, p - b) >= 0 && cross(a - c, p - c) >= 0;
}

std::vector<std::array<std::uint32_t, 3>> fan(std::size_t count) {
  std::vector<std::array<std::uint32_t, 3>> result;
  for (std::uint32_t i = 2; i < count; ++i) result.push_back({0, i - 1, i});
  return result;
}

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangulate(std::span<const Vec3> polygon, bool convex) {
  const std::size_t count = polygon.size();
  constexpr std::size_t most_clipped = 2000;  // ear clipping is quadratic; larger faces become fans
  if (count <= 3 || convex || count > most_clipped) return fan(count);
  Vec3 area = Vec3::Zero();
  for (std::size_t i = 0; i < count; ++i) area += (polygon[i] - polygon[0]).cross(polygon[(i + 1) % count] - polygon[0]);
  if (area.norm() < 1e-30) return fan(count);
  const Vec3 normal = area.normalized(), u = normal.unitOrthogonal(), v = normal.cross(u);
  std::vector<Eigen::Vector2d> flat;
  for (const Vec3& point : polygon) flat.emplace_back(u.dot(point), v.dot(point));
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < count; ++i) left.push_back(i);
  std::vector<std::array<std::uint32_t, 3>> result;
  while (left.size() > 3) {
    std::size_t best = left.size();
    double best_shape = -1;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::uint32_t a = left[(i + left.size() - 1) % left.size()], b = left[i], c = left[(i + 1) % left.size()];
      const double twice_area = cross(flat[b] - flat[a], flat[c] - flat[a]);
      if (twice_area <= 0) continue;
      bool clear = true;
      for (const std::uint32_t other : left) {
        if (other == a || other == b || other == c) continue;
        const Eigen::Vector2d& p = flat[other];
        if (p == flat[a] || p == flat[b] || p == flat[c]) continue;  // bridges to holes visit a place twice
        if (inside(flat[a], flat[b], flat[c], p)) {
          clear = false;
          break;
        }
      }
      if (!clear) continue;
      // The roundest ear first, so that no slivers are left over.
      const double longest =
          std::max({(flat[b] - flat[a]).squaredNorm(), (flat[c] - flat[b]).squaredNorm(), (flat[a] - flat[c]).squaredNorm()});
      const double shape = twice_area / longest;
      if (shape > best_shape) {
        best_shape = shape;
        best = i;
      }
    }
    if (best == left.size()) {  // no ear: the outline crosses itself or is flat; a corner without area goes first
      best = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const std::uint32_t a = left[(i + left.size() - 1) % left.size()], b = left[i], c = left[(i + 1) % left.size()];
        if (cross(flat[b] - flat[a], flat[c] - flat[a]) == 0) {
          best = i;
          break;
        }
      }
    }
    const std::uint32_t a = left[(best + left.size() - 1) % left.size()], b = left[best], c = left[(best + 1) % left.size()];
    result.push_back({a, b, c});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  result.push_back({left[0], left[1], left[2]});
  return result;
}

}  // namespace vesalius::hanim
