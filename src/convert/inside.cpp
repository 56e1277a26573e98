// Which vertices of limbs lie inside the rest of the body.
#include <algorithm>
#include <cmath>
#include <map>

#include "convert/steps.hpp"

namespace vesalius::convert_detail {
namespace {

/// Triangles of the body in columns along x, so that a ray along x meets few of them.
class Columns {
 public:
  Columns(const std::vector<Part>& parts, const std::vector<std::vector<bool>>& on_limb) {
    Eigen::AlignedBox3d box = bounding_box(parts);
    if (box.isEmpty()) return;
    low_ = box.min();
    cell_m_ = std::max(1e-6, box.sizes().maxCoeff() / 200);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (const Surface& surface : parts[p].surfaces) {
        for (const auto& triangle : surface.triangles) {
          // A triangle with any corner on a limb belongs to the limb, or hands would always lie in their own wrists.
          if (on_limb[p][triangle[0]] || on_limb[p][triangle[1]] || on_limb[p][triangle[2]]) continue;
          Eigen::AlignedBox3d extent;
          std::array<Vec3, 3> corners;
          for (std::size_t c = 0; c < 3; ++c) {
            corners[c] = parts[p].positions[triangle[c]];
            extent.extend(corners[c]);
          }
          const auto id = triangles_.size();
          triangles_.push_back(corners);
          for (int y = cell(extent.min().y(), low_.y()); y <= cell(extent.max().y(), low_.y()); ++y) {
            for (int z = cell(extent.min().z(), low_.z()); z <= cell(extent.max().z(), low_.z()); ++z) columns_[{y, z}].push_back(id);
          }
        }
      }
    }
  }

  /// Parity of the crossings of a ray from the point along +x and along -x; inside when both are odd (open meshes fail one of them).
  [[nodiscard]] bool holds(const Vec3& point) const {
    const auto column = columns_.find({cell(point.y(), low_.y()), cell(point.z(), low_.z())});
    if (column == columns_.end()) return false;
    int ahead = 0, behind = 0;
    for (const std::size_t id : column->second) {
      const auto& [a, b, c] = triangles_[id];
      // Barycentric coordinates in the y, z plane.
      const auto cross = [](const Vec3& u, const Vec3& v) { return u.y() * v.z() - u.z() * v.y(); };
      const double area = cross(b - a, c - a);
      if (area == 0) continue;
      const double s = cross(point - a, c - a) / area, t = cross(b - a, point - a) / area;
      if (s < 0 || t < 0 || s + t > 1) continue;
      const double x = a.x() + s * (b.x() - a.x()) + t * (c.x() - a.x());
      (x > point.x() ? ahead : behind) += 1;
    }
    return ahead % 2 == 1 && behind % 2 == 1;
  }

 private:
  [[nodiscard]] int cell(double value, double low) const { return static_cast<int>(std::floor((value - low) / cell_m_)); }
  Vec3 low_ = Vec3::Zero();
  double cell_m_ = 1;
  std::vector<std::array<Vec3, 3>> triangles_;
  std::map<std::pair<int, int>, std::vector<std::size_t>> columns_;
};

}  // namespace

std::size_t entered_body(const std::vector<Part>& before, const std::vector<Part>& after, const std::vector<bool>& limbs) {
  if (std::none_of(limbs.begin(), limbs.end(), [](bool limb) { return limb; })) return 0;
  std::vector<std::vector<bool>> on_limb;
  for (const Part& part : after) {
    std::vector<bool> mostly(part.positions.size(), false);
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      double weight = 0;
      for (const Influence& influence : part.influences.of(v)) {
        if (limbs[index(influence.joint)]) weight += influence.weight;
      }
      mostly[v] = weight > 0.5;
    }
    on_limb.push_back(std::move(mostly));
  }
  const Columns then(before, on_limb), now(after, on_limb);
  std::size_t count = 0;
  for (std::size_t p = 0; p < after.size(); ++p) {
    for (std::size_t v = 0; v < after[p].positions.size(); ++v) {
      if (on_limb[p][v] && now.holds(after[p].positions[v]) && !then.holds(before[p].positions[v])) ++count;
    }
  }
  return count;
}

}  // namespace vesalius::convert_detail
