#pragma once
// Orthographic drawing of a mesh into a grid: the base from which the picture's outlines are traced.
#include <cstdint>
#include <vector>

#include "vesalius/humanoid.hpp"

namespace vesalius::report_detail {

/// A look at the figure: unit directions in the canonical frame, and the rectangle that is drawn.
struct View {
  Vec3 right = Vec3::UnitX();
  Vec3 up = Vec3::UnitY();
  Vec3 toward_viewer = Vec3::UnitZ();
  double left_m = 0;  ///< along `right`, of the rectangle's left border
  double top_m = 0;   ///< along `up`
  double px_per_m = 1;

  [[nodiscard]] double x_px(const Vec3& place) const { return (place.dot(right) - left_m) * px_per_m; }
  [[nodiscard]] double y_px(const Vec3& place) const { return (top_m - place.dot(up)) * px_per_m; }
};

/// Values at the centres of width * height pixels, row by row from the top.
struct Field {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> values;

  Field() = default;
  Field(std::size_t w, std::size_t h) : width(w), height(h), values(w * h, 0.0F) {}
  [[nodiscard]] float at(std::size_t x, std::size_t y) const { return values[y * width + x]; }
  float& at(std::size_t x, std::size_t y) { return values[y * width + x]; }
};

struct Drawing {
  Field cover;                  ///< part of the pixel that the mesh covers, 0 to 1
  Field shade;                  ///< 0 dark to 1 lit; continued a few pixels beyond the outline, 1 farther out
  Field edge;                   ///< part of the pixel where one part of the body ends before another
  std::vector<Field> colours;   ///< per palette entry, the part of the covered pixel that has it; continued beyond the outline
  std::size_t drawn_every = 1;  ///< 1: all triangles; n: each n-th, because the mesh is too large
};

/// Work that drawing may take, in visited samples: a second or two.
inline constexpr double most_sample_visits = 4e8;

/// `colour_of`: palette entry of each material of the humanoid, and last of surfaces without material; negative: not drawn.
[[nodiscard]] Drawing draw_mesh(const Humanoid& humanoid, const View& view, std::size_t width, std::size_t height,
                                const std::vector<int>& colour_of, std::size_t palette_size, double most_visits = most_sample_visits);

}  // namespace vesalius::report_detail
