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

/// Cuts ears off an outline, the roundest first, so that no slivers are left over. What a corner is worth is kept until a neighbour goes;
/// corners that were no ears are looked at again only when there is no ear left.
class Clipper {
 public:
  explicit Clipper(const std::vector<Eigen::Vector2d>& flat)
      : flat_(flat), before_(flat.size()), behind_(flat.size()), shape_(flat.size(), no_ear) {
    const auto count = static_cast<std::uint32_t>(flat.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      before_[i] = (i + count - 1) % count;
      behind_[i] = (i + 1) % count;
    }
  }

  std::vector<std::array<std::uint32_t, 3>> run() {
    std::vector<std::array<std::uint32_t, 3>> result;
    judge_all();
    int looks = 0;
    constexpr int most_looks = 32;  // an outline that crosses itself has none to find
    for (std::size_t left = flat_.size(); left > 3; --left) {
      std::uint32_t best = roundest();
      if (shape_[best] == no_ear && looks < most_looks) {
        ++looks;
        judge_all();
        best = roundest();
      }
      if (shape_[best] == no_ear) best = flat_corner();
      const std::uint32_t a = before_[best], c = behind_[best];
      result.push_back({a, best, c});
      behind_[a] = c;
      before_[c] = a;
      start_ = a;
      judge(a);
      judge(c);
    }
    result.push_back({before_[start_], start_, behind_[start_]});
    return result;
  }

 private:
  static constexpr double no_ear = -1;

  /// Calls with every corner that is left.
  template <class Each>
  void each(Each&& call) const {
    std::uint32_t i = start_;
    do {
      call(i);
      i = behind_[i];
    } while (i != start_);
  }
  void judge_all() {
    each([&](std::uint32_t i) { judge(i); });
  }
  void judge(std::uint32_t b) {
    const std::uint32_t a = before_[b], c = behind_[b];
    shape_[b] = no_ear;
    const double twice_area = cross(flat_[b] - flat_[a], flat_[c] - flat_[a]);
    if (twice_area <= 0) return;
    for (std::uint32_t other = behind_[c]; other != a; other = behind_[other]) {
      const Eigen::Vector2d& p = flat_[other];
      if (p == flat_[a] || p == flat_[b] || p == flat_[c]) continue;  // bridges to holes visit a place twice
      if (inside(flat_[a], flat_[b], flat_[c], p)) return;
    }
    const double longest =
        std::max({(flat_[b] - flat_[a]).squaredNorm(), (flat_[c] - flat_[b]).squaredNorm(), (flat_[a] - flat_[c]).squaredNorm()});
    shape_[b] = twice_area / longest;
  }
  [[nodiscard]] std::uint32_t roundest() const {
    std::uint32_t best = start_;
    each([&](std::uint32_t i) {
      if (shape_[i] > shape_[best]) best = i;
    });
    return best;
  }
  /// The outline crosses itself or is flat: a corner without area goes first.
  [[nodiscard]] std::uint32_t flat_corner() const {
    std::uint32_t found = start_;
    each([&](std::uint32_t i) {
      if (cross(flat_[i] - flat_[before_[i]], flat_[behind_[i]] - flat_[before_[i]]) == 0) found = i;
    });
    return found;
  }

  const std::vector<Eigen::Vector2d>& flat_;
  std::vector<std::uint32_t> before_, behind_;
  std::vector<double> shape_;  ///< of each corner as an ear
  std::uint32_t start_ = 0;
};

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
  return Clipper(flat).run();
}

}  // namespace vesalius::hanim
