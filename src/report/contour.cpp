#include "report/contour.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace vesalius::report_detail {

namespace {

struct Point {
  double x = 0;
  double y = 0;
};

/// Marching squares over the field with a border of empty pixels around it.
class Tracer {
 public:
  Tracer(const Field& field, float threshold)
      : field_(field), threshold_(threshold), width_(field.width + 2), height_(field.height + 2), next_(2 * width_ * height_, -1) {}

  std::vector<std::vector<Point>> loops() {
    for (std::size_t y = 0; y + 1 < height_; ++y) {
      for (std::size_t x = 0; x + 1 < width_; ++x) link_cell(x, y);
    }
    std::vector<std::vector<Point>> loops;
    for (std::size_t start = 0; start < next_.size(); ++start) {
      if (next_[start] < 0) continue;
      std::vector<Point>& loop = loops.emplace_back();
      std::size_t edge = start;
      while (next_[edge] >= 0) {
        loop.push_back(crossing(edge));
        edge = static_cast<std::size_t>(std::exchange(next_[edge], -1));
      }
    }
    return loops;
  }

 private:
  // Edge ids: 2 * corner for the edge to the right of a corner, 2 * corner + 1 for the edge below it.
  [[nodiscard]] float value(std::size_t x, std::size_t y) const {
    const bool inside = x > 0 && y > 0 && x <= field_.width && y <= field_.height;
    return inside ? field_.at(x - 1, y - 1) : -1e6F;
  }
  void link_cell(std::size_t x, std::size_t y) {
    const std::array<float, 4> corners{value(x, y), value(x + 1, y), value(x + 1, y + 1), value(x, y + 1)};  // clockwise
    const std::size_t corner = y * width_ + x;
    const std::array<std::size_t, 4> edges{2 * corner, 2 * (corner + 1) + 1, 2 * (corner + width_), 2 * corner + 1};
    std::array<std::size_t, 2> enters{};
    std::array<std::size_t, 2> exits{};
    std::size_t crossings = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool here = corners[k] >= threshold_;
      const bool there = corners[(k + 1) % 4] >= threshold_;
      if (here == there) continue;
      // Walking clockwise, an entered edge is left again by the exit that follows it.
      (there ? enters : exits)[crossings / 2] = k;
      ++crossings;
    }
    if (crossings == 0) return;
    if (crossings == 2) {
      link(edges[enters[0]], edges[exits[0]]);
      return;
    }
    // Two opposite corners are inside: joined when the middle is inside too.
    const float middle = (corners[0] + corners[1] + corners[2] + corners[3]) / 4;
    const bool joined = middle >= threshold_;
    const std::size_t after0 = (enters[0] + 1) % 4;
    const bool follows = exits[0] == after0;
    const bool straight = follows != joined;
    link(edges[enters[0]], edges[exits[straight ? 0 : 1]]);
    link(edges[enters[1]], edges[exits[straight ? 1 : 0]]);
  }
  void link(std::size_t from, std::size_t to) { next_[from] = static_cast<std::int64_t>(to); }

  /// Place where the field passes the threshold on an edge, px.
  [[nodiscard]] Point crossing(std::size_t edge) const {
    const std::size_t corner = edge / 2;
    const bool down = edge % 2 == 1;
    const std::size_t x = corner % width_;
    const std::size_t y = corner / width_;
    const float a = value(x, y);
    const float b = down ? value(x, y + 1) : value(x + 1, y);
    double t = static_cast<double>(threshold_ - a) / static_cast<double>(b - a);
    // Beside the border the value jumps: half way stands for the pixel's own border.
    if (a < -1e5F || b < -1e5F) t = 0.5;
    const double px = static_cast<double>(x) - 0.5;
    const double py = static_cast<double>(y) - 0.5;
    return down ? Point{px, py + t} : Point{px + t, py};
  }

  const Field& field_;
  float threshold_;
  std::size_t width_;
  std::size_t height_;
  std::vector<std::int64_t> next_;
};

double area_of(const std::vector<Point>& loop) {
  double twice = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point& a = loop[i];
    const Point& b = loop[(i + 1) % loop.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return std::abs(twice) / 2;
}

double distance_to(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = std::hypot(dx, dy);
  if (length < 1e-12) return std::hypot(p.x - a.x, p.y - a.y);
  return std::abs((p.x - a.x) * dy - (p.y - a.y) * dx) / length;
}

/// Leaves out points that lie within the tolerance of the line through their neighbours (Douglas and Peucker).
std::vector<Point> simplified(const std::vector<Point>& loop, double tolerance) {
  if (loop.size() < 5) return loop;
  std::vector<char> keep(loop.size(), 0);
  // Two anchors split the closed loop: the first point and the one farthest from it.
  std::size_t far = 0;
  for (std::size_t i = 1; i < loop.size(); ++i) {
    const auto from_first = [&](std::size_t k) { return std::hypot(loop[k].x - loop[0].x, loop[k].y - loop[0].y); };
    if (from_first(i) > from_first(far)) far = i;
  }
  keep[0] = keep[far] = 1;
  std::vector<std::pair<std::size_t, std::size_t>> spans{{0, far}, {far, loop.size()}};
  while (!spans.empty()) {
    const auto [begin, end] = spans.back();
    spans.pop_back();
    std::size_t worst = begin;
    double worst_distance = tolerance;
    for (std::size_t i = begin + 1; i < end; ++i) {
      const double distance = distance_to(loop[i], loop[begin], loop[end % loop.size()]);
      if (distance > worst_distance) {
        worst = i;
        worst_distance = distance;
      }
    }
    if (worst == begin) continue;
    keep[worst] = 1;
    spans.emplace_back(begin, worst);
    spans.emplace_back(worst, end);
  }
  std::vector<Point> out;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    if (keep[i] != 0) out.push_back(loop[i]);
  }
  return out;
}

}  // namespace

std::string contour_path(const Field& field, float threshold, double tolerance_px, double least_area_px2) {
  std::string path;
  for (const std::vector<Point>& loop : Tracer(field, threshold).loops()) {
    if (area_of(loop) < least_area_px2) continue;
    const std::vector<Point> points = simplified(loop, tolerance_px);
    if (points.size() < 3) continue;
    long last_x = 0;
    long last_y = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const long x = std::lround(points[i].x * path_units_per_px);
      const long y = std::lround(points[i].y * path_units_per_px);
      if (i == 0) {
        path += "M" + std::to_string(x) + " " + std::to_string(y) + "l";
      } else {
        if (x == last_x && y == last_y) continue;
        if (path.back() != 'l' && x >= last_x) path += ' ';  // a minus sign separates by itself
        path += std::to_string(x - last_x);
        if (y >= last_y) path += ' ';
        path += std::to_string(y - last_y);
      }
      last_x = x;
      last_y = y;
    }
    if (path.back() == 'l') path += "0 0";
    path += "z";
  }
  return path;
}

}  // namespace vesalius::report_detail
