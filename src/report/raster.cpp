#include "report/raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vesalius::report_detail {

namespace {

constexpr std::size_t samples = 3;       // per pixel and direction
constexpr float edge_jump_m = 0.025F;    // neighbouring samples farther apart than this belong to different parts
constexpr std::size_t continued_px = 3;  // how far values go beyond the outline
constexpr float nothing = -std::numeric_limits<float>::infinity();
constexpr std::int16_t no_colour = -1;

struct Corner {
  double x = 0;  // samples
  double y = 0;
  double depth = 0;  // metre, larger is nearer
  double shade = 0;
};

struct Face {
  std::array<Corner, 3> corners;
  std::int16_t colour = no_colour;
};

double shade_of(Vec3 normal, const View& view) {
  if (normal.dot(view.toward_viewer) < 0) normal = -normal;
  const Vec3 light = (-0.45 * view.right + 0.6 * view.up + 0.8 * view.toward_viewer).normalized();
  return std::clamp(0.25 + 0.55 * normal.dot(light) + 0.2 * normal.dot(view.toward_viewer), 0.0, 1.0);
}

/// Calls `visit(face)` for every drawable triangle.
template <class Visit>
void each_face(const Humanoid& humanoid, const View& view, const std::vector<int>& colour_of, Visit&& visit) {
  for (const Part& part : humanoid.parts) {
    const bool smooth = part.normals.size() == part.positions.size();
    for (const Surface& surface : part.surfaces) {
      const std::size_t material = std::min(surface.material.value_or(humanoid.materials.size()), humanoid.materials.size());
      if (colour_of[material] < 0) continue;
      Face face;
      face.colour = static_cast<std::int16_t>(colour_of[material]);
      for (const auto& triangle : surface.triangles) {
        if (std::ranges::any_of(triangle, [&](std::uint32_t v) { return v >= part.positions.size() || !part.positions[v].allFinite(); })) {
          continue;
        }
        const Vec3& a = part.positions[triangle[0]];
        const Vec3 across = (part.positions[triangle[1]] - a).cross(part.positions[triangle[2]] - a);
        const double twice_area = across.norm();
        if (!(twice_area > 0)) continue;
        const double flat = shade_of(across / twice_area, view);
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3& place = part.positions[triangle[k]];
          face.corners[k] = {view.x_px(place) * samples, view.y_px(place) * samples, place.dot(view.toward_viewer),
                             smooth ? shade_of(part.normals[triangle[k]], view) : flat};
        }
        visit(face);
      }
    }
  }
}

/// Sample grid with the nearest surface.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height)
      : width_(width * samples),
        height_(height * samples),
        depth_(width_ * height_, nothing),
        shade_(depth_.size(), 0.0F),
        colour_(depth_.size(), no_colour) {}

  struct Range {
    std::size_t x0, x1, y0, y1;  // half open
    [[nodiscard]] double area() const { return static_cast<double>(x1 - x0) * static_cast<double>(y1 - y0); }
  };
  [[nodiscard]] Range range(const Face& face) const {
    const auto& [a, b, c] = face.corners;
    const auto clip = [](double value, std::size_t most) {
      return static_cast<std::size_t>(std::clamp(value, 0.0, static_cast<double>(most)));
    };
    return {clip(std::floor(std::min({a.x, b.x, c.x})), width_), clip(std::ceil(std::max({a.x, b.x, c.x})) + 1, width_),
            clip(std::floor(std::min({a.y, b.y, c.y})), height_), clip(std::ceil(std::max({a.y, b.y, c.y})) + 1, height_)};
  }

  void fill(const Face& face) {
    const auto& [a, b, c] = face.corners;
    const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area == 0 || !std::isfinite(area)) return;
    const Range r = range(face);
    for (std::size_t y = r.y0; y < r.y1; ++y) {
      const double py = static_cast<double>(y) + 0.5;
      for (std::size_t x = r.x0; x < r.x1; ++x) {
        const double px = static_cast<double>(x) + 0.5;
        const double wb = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area;
        const double wc = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
        const double wa = 1 - wb - wc;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        const auto depth = static_cast<float>(wa * a.depth + wb * b.depth + wc * c.depth);
        const std::size_t at = y * width_ + x;
        if (depth <= depth_[at]) continue;
        depth_[at] = depth;
        shade_[at] = static_cast<float>(wa * a.shade + wb * b.shade + wc * c.shade);
        colour_[at] = face.colour;
      }
    }
  }

  void reduce(Drawing& drawing) const {
    for (std::size_t y = 0; y < drawing.cover.height; ++y) {
      for (std::size_t x = 0; x < drawing.cover.width; ++x) reduce_pixel(drawing, x, y);
    }
  }

 private:
  void reduce_pixel(Drawing& drawing, std::size_t x, std::size_t y) const {
    std::size_t covered = 0;
    std::size_t edges = 0;
    float shade = 0;
    for (std::size_t sy = y * samples; sy < (y + 1) * samples; ++sy) {
      for (std::size_t sx = x * samples; sx < (x + 1) * samples; ++sx) {
        const std::size_t at = sy * width_ + sx;
        if (colour_[at] == no_colour) continue;
        ++covered;
        shade += shade_[at];
        drawing.colours[static_cast<std::size_t>(colour_[at])].at(x, y) += 1;
        if (is_edge(at, sx + 1 < width_ ? at + 1 : at) || is_edge(at, sy + 1 < height_ ? at + width_ : at)) ++edges;
      }
    }
    if (covered == 0) return;
    constexpr float all = samples * samples;
    drawing.cover.at(x, y) = static_cast<float>(covered) / all;
    drawing.shade.at(x, y) = shade / static_cast<float>(covered);
    drawing.edge.at(x, y) = static_cast<float>(edges) / samples;
    for (Field& colour : drawing.colours) colour.at(x, y) /= static_cast<float>(covered);
  }
  [[nodiscard]] bool is_edge(std::size_t a, std::size_t b) const {
    return colour_[b] != no_colour && std::abs(depth_[a] - depth_[b]) > edge_jump_m;
  }

  std::size_t width_;
  std::size_t height_;
  std::vector<float> depth_;
  std::vector<float> shade_;
  std::vector<std::int16_t> colour_;
};

/// Gives empty pixels beside known ones their mean, ring by ring, so that contours leave the outline at right angles to it.
void continue_outwards(Drawing& drawing) {
  const std::size_t w = drawing.cover.width;
  const std::size_t h = drawing.cover.height;
  std::vector<std::uint8_t> known(w * h);
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = drawing.cover.values[i] > 0 ? 1 : 0;
  std::vector<Field*> fields{&drawing.shade};
  for (Field& colour : drawing.colours) fields.push_back(&colour);
  for (std::size_t ring = 0; ring < continued_px; ++ring) {
    const std::vector<std::uint8_t> before = known;
    for (std::size_t y = 0; y < h; ++y) {
      for (std::size_t x = 0; x < w; ++x) {
        if (before[y * w + x] != 0) continue;
        std::array<std::size_t, 8> near{};
        std::size_t found = 0;
        for (std::size_t ny = y > 0 ? y - 1 : 0; ny <= std::min(y + 1, h - 1); ++ny) {
          for (std::size_t nx = x > 0 ? x - 1 : 0; nx <= std::min(x + 1, w - 1); ++nx) {
            if (before[ny * w + nx] != 0) near[found++] = ny * w + nx;
          }
        }
        if (found == 0) continue;
        for (Field* field : fields) {
          float sum = 0;
          for (std::size_t k = 0; k < found; ++k) sum += field->values[near[k]];
          field->values[y * w + x] = sum / static_cast<float>(found);
        }
        known[y * w + x] = 1;
      }
    }
  }
}

}  // namespace

Drawing draw_mesh(const Humanoid& humanoid, const View& view, std::size_t width, std::size_t height, const std::vector<int>& colour_of,
                  std::size_t palette_size, double most_visits) {
  Drawing drawing{Field(width, height), Field(width, height), Field(width, height), std::vector<Field>(palette_size, Field(width, height)),
                  1};
  std::ranges::fill(drawing.shade.values, 1.0F);
  Canvas canvas(width, height);
  double visits = 0;
  each_face(humanoid, view, colour_of, [&](const Face& face) { visits += canvas.range(face).area(); });
  drawing.drawn_every = static_cast<std::size_t>(std::max(1.0, std::ceil(visits / most_visits)));
  std::size_t number = 0;
  each_face(humanoid, view, colour_of, [&](const Face& face) {
    if (number++ % drawing.drawn_every == 0) canvas.fill(face);
  });
  canvas.reduce(drawing);
  continue_outwards(drawing);
  return drawing;
}

}  // namespace vesalius::report_detail
