#include "report/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

namespace vesalius::report_detail {

namespace {

constexpr std::size_t most_palette = 10;

std::string mesh_colour(const Material* material) {
  std::array<double, 3> linear{0.55, 0.55, 0.56};
  if (material != nullptr && !material->base_texture) {
    for (std::size_t k = 0; k < 3; ++k) linear[k] = std::clamp(material->base_colour[k], 0.0, 1.0);
  }
  constexpr std::array<double, 3> paper{0.93, 0.93, 0.94};
  constexpr double own = 0.7;  // pale, so that the skeleton stands out
  std::string text = "#";
  for (std::size_t k = 0; k < 3; ++k) {
    const double encoded = linear[k] <= 0.0031308 ? 12.92 * linear[k] : 1.055 * std::pow(linear[k], 1 / 2.4) - 0.055;
    const auto byte = static_cast<unsigned>(std::lround(255 * (own * encoded + (1 - own) * paper[k])));
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

}  // namespace

Palette palette_of(const Humanoid& humanoid) {
  std::vector<std::size_t> triangles(humanoid.materials.size() + 1, 0);
  for (const Part& part : humanoid.parts) {
    for (const Surface& surface : part.surfaces) {
      triangles[std::min(surface.material.value_or(humanoid.materials.size()), humanoid.materials.size())] += surface.triangles.size();
    }
  }
  std::map<std::string, std::size_t> weight;
  std::vector<std::string> own(triangles.size());
  constexpr double invisible = 0.05;
  Palette palette;
  palette.colour_of.assign(triangles.size(), -1);
  for (std::size_t m = 0; m < triangles.size(); ++m) {
    const Material* material = m < humanoid.materials.size() ? &humanoid.materials[m] : nullptr;
    if (triangles[m] == 0) continue;
    if (material != nullptr && material->alpha_mode == AlphaMode::blend && material->base_colour[3] < invisible) continue;
    own[m] = mesh_colour(material);
    weight[own[m]] += triangles[m];
  }
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [colour, count] : weight) order.emplace_back(count, colour);
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.size() > most_palette) order.resize(most_palette);
  for (const auto& [count, colour] : order) palette.colours.push_back(colour);
  for (std::size_t m = 0; m < triangles.size(); ++m) {
    if (own[m].empty()) continue;
    const auto it = std::ranges::find(palette.colours, own[m]);
    palette.colour_of[m] =
        static_cast<int>(std::min<std::ptrdiff_t>(it - palette.colours.begin(), static_cast<std::ptrdiff_t>(palette.colours.size()) - 1));
  }
  return palette;
}

}  // namespace vesalius::report_detail
