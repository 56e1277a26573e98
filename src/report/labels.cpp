#include "report/labels.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vesalius::report_detail {

namespace {

/// Heights at least `spacing` apart with the least squared distance to the wanted ones (pool adjacent violators), moved into the range.
std::vector<double> spread(const std::vector<Label>& labels, double top, double bottom, double spacing) {
  struct Block {
    double sum = 0;  // of wanted heights, each less its offset in the stack
    std::size_t count = 0;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    blocks.push_back({labels[i].anchor_y - spacing * static_cast<double>(i), 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> heights;
  const double room = bottom - spacing * static_cast<double>(labels.empty() ? 0 : labels.size() - 1);
  for (const Block& block : blocks) {
    for (std::size_t k = 0; k < block.count; ++k) {
      const double base = std::max(top, std::min(block.mean(), room));
      heights.push_back(base + spacing * static_cast<double>(heights.size()));
    }
  }
  return heights;
}

double side_of(double ax, double ay, double bx, double by, double px, double py) {
  return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
}

bool cross(const Label& a, const Label& b, double column_x) {
  const double d1 = side_of(column_x, a.y, a.anchor_x, a.anchor_y, column_x, b.y);
  const double d2 = side_of(column_x, a.y, a.anchor_x, a.anchor_y, b.anchor_x, b.anchor_y);
  const double d3 = side_of(column_x, b.y, b.anchor_x, b.anchor_y, column_x, a.y);
  const double d4 = side_of(column_x, b.y, b.anchor_x, b.anchor_y, a.anchor_x, a.anchor_y);
  return d1 * d2 < 0 && d3 * d4 < 0;
}

}  // namespace

void stack_labels(std::vector<Label>& labels, double column_x, double top, double bottom, double spacing) {
  std::ranges::stable_sort(labels, [](const Label& a, const Label& b) {
    return std::tie(a.anchor_y, a.anchor_x, a.text) < std::tie(b.anchor_y, b.anchor_x, b.text);
  });
  const std::vector<double> heights = spread(labels, top, bottom, spacing);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i].y = heights[i];
  // Exchanging the heights of two labels whose lines cross makes the lines together shorter, so this ends.
  bool changed = true;
  for (std::size_t round = 0; changed && round < labels.size() * labels.size() + 1; ++round) {
    changed = false;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t j = i + 1; j < labels.size(); ++j) {
        if (!cross(labels[i], labels[j], column_x)) continue;
        std::swap(labels[i].y, labels[j].y);
        changed = true;
      }
    }
  }
  std::ranges::stable_sort(labels, {}, &Label::y);
}

}  // namespace vesalius::report_detail
