// Which vertices of limbs lie inside the rest of the body.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "convert/steps.hpp"

namespace vesalius::convert_detail {
namespace {

/// Places of the vertices of each part, borrowed.
using PlaceViews = std::vector<std::span<const Vec3>>;
/// Vertices of each part that belong to a limb.
using OnLimb = std::vector<std::vector<bool>>;

/// Triangles of the body in columns along x, so that a ray along x meets few of them. Only columns that a limb's vertex lies in are kept.
class Columns {
 public:
  Columns(const std::vector<Part>& parts, PlaceViews views, const OnLimb& on_limb) : parts_(parts), places_(std::move(views)) {
    const PlaceViews& places = places_;
    Eigen::AlignedBox3d box;
    for (const auto& part : places) {
      for (const Vec3& place : part) box.extend(place);
    }
    if (box.isEmpty()) return;
    low_ = box.min();
    std::size_t triangles = 0;
    for (const Part& part : parts) {
      for (const Surface& surface : part.surfaces) triangles += surface.triangles.size();
    }
    // About as wide as the triangles: narrower columns hold the same ones again, wider ones too many.
    cell_m_ = std::max(1e-6, box.sizes().maxCoeff() / std::clamp(std::sqrt(static_cast<double>(triangles)), 50.0, 800.0));
    rows_ = cell(box.max().y(), low_.y()) + 1;
    lanes_ = cell(box.max().z(), low_.z()) + 1;
    std::vector<bool> wanted(at(rows_ - 1, lanes_ - 1) + 1, false);
    for (std::size_t p = 0; p < places.size(); ++p) {
      for (std::size_t v = 0; v < places[p].size(); ++v) {
        if (on_limb[p][v]) wanted[at(cell(places[p][v].y(), low_.y()), cell(places[p][v].z(), low_.z()))] = true;
      }
    }
    // Counted first, then filled: one array for all columns.
    begin_.assign(wanted.size() + 1, 0);
    constexpr double endless = std::numeric_limits<double>::infinity();
    extent_.assign(wanted.size(), {endless, -endless});
    for (const bool filling : {false, true}) {
      if (filling) {
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        items_.resize(begin_.back());
      }
      for_cells(on_limb, wanted, [&](std::size_t column, const Triangle& triangle) {
        if (filling) {
          items_[--begin_[column + 1]] = triangle;
        } else {
          ++begin_[column + 1];
          for (const std::uint32_t corner : triangle.corners) {
            const double x = places_[triangle.part][corner].x();
            extent_[column].first = std::min(extent_[column].first, x);
            extent_[column].second = std::max(extent_[column].second, x);
          }
        }
      });
    }
    begin_.erase(begin_.begin());  // filling moved every end to its column's start
    begin_.push_back(items_.size());
  }

  /// Parity of the crossings of a ray from the point along +x and along -x; inside when both are odd (open meshes fail one of them).
  [[nodiscard]] bool holds(const Vec3& point) const {
    const int y = cell(point.y(), low_.y()), z = cell(point.z(), low_.z());
    if (y < 0 || y >= rows_ || z < 0 || z >= lanes_) return false;
    const auto& [least, most] = extent_[at(y, z)];
    if (point.x() < least || point.x() > most) return false;  // nothing on one side of it
    int ahead = 0, behind = 0;
    for (std::size_t i = begin_[at(y, z)]; i < begin_[at(y, z) + 1]; ++i) {
      const auto& [part, corners] = items_[i];
      const Vec3 &a = places_[part][corners[0]], &b = places_[part][corners[1]], &c = places_[part][corners[2]];
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
  struct Triangle {
    std::uint32_t part = 0;
    std::array<std::uint32_t, 3> corners{};
  };

  template <class Use>
  void for_cells(const OnLimb& on_limb, const std::vector<bool>& wanted, const Use& use) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const Surface& surface : parts_[p].surfaces) {
        for (const auto& triangle : surface.triangles) {
          // A triangle with any corner on a limb belongs to the limb, or hands would always lie in their own wrists.
          if (on_limb[p][triangle[0]] || on_limb[p][triangle[1]] || on_limb[p][triangle[2]]) continue;
          const Vec3 &a = places_[p][triangle[0]], &b = places_[p][triangle[1]], &c = places_[p][triangle[2]];
          const int y_end = cell(std::max({a.y(), b.y(), c.y()}), low_.y()), z_end = cell(std::max({a.z(), b.z(), c.z()}), low_.z());
          const int z_begin = cell(std::min({a.z(), b.z(), c.z()}), low_.z());
          for (int y = cell(std::min({a.y(), b.y(), c.y()}), low_.y()); y <= y_end; ++y) {
            for (int z = z_begin; z <= z_end; ++z) {
              if (wanted[at(y, z)]) use(at(y, z), Triangle{static_cast<std::uint32_t>(p), triangle});
            }
          }
        }
      }
    }
  }

  [[nodiscard]] int cell(double value, double low) const { return static_cast<int>(std::floor((value - low) / cell_m_)); }
  [[nodiscard]] std::size_t at(int y, int z) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(lanes_) + static_cast<std::size_t>(z);
  }

  const std::vector<Part>& parts_;
  PlaceViews places_;
  Vec3 low_ = Vec3::Zero();
  double cell_m_ = 1;
  int rows_ = 0, lanes_ = 0;
  std::vector<std::size_t> begin_;  ///< of each column in items_, by row and lane
  std::vector<Triangle> items_;
  std::vector<std::pair<double, double>> extent_;  ///< least and greatest x in each column
};

}  // namespace

Places places_of(const std::vector<Part>& parts) {
  Places result;
  for (const Part& part : parts) result.push_back(part.positions);
  return result;
}

std::size_t entered_body(const Places& before, const std::vector<Part>& after, const std::vector<bool>& limbs) {
  if (std::none_of(limbs.begin(), limbs.end(), [](bool limb) { return limb; })) return 0;
  OnLimb on_limb;
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
  PlaceViews places;
  for (const Part& part : after) places.emplace_back(part.positions);
  const Columns now(after, places, on_limb);
  std::vector<std::pair<std::size_t, std::size_t>> inside;
  for (std::size_t p = 0; p < after.size(); ++p) {
    for (std::size_t v = 0; v < after[p].positions.size(); ++v) {
      if (on_limb[p][v] && now.holds(places[p][v])) inside.emplace_back(p, v);
    }
  }
  if (inside.empty()) return 0;
  const Columns then(after, PlaceViews(before.begin(), before.end()), on_limb);
  return static_cast<std::size_t>(
      std::ranges::count_if(inside, [&](const auto& vertex) { return !then.holds(before[vertex.first][vertex.second]); }));
}

}  // namespace vesalius::convert_detail
