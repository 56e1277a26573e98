#include "implicit.hpp"

#include <algorithm>
#include <cmath>

namespace samples {

double smoothstep(double from, double to, double value) {
  const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double mix(double a, double b, double t) {
  return a + (b - a) * t;
}

double smooth_union(double a, double b, double round) {
  const double h = std::max(round - std::abs(a - b), 0.0) / round;
  return std::min(a, b) - h * h * round * 0.25;
}

double smooth_intersection(double a, double b, double round) {
  return -smooth_union(-a, -b, round);
}

double round_cone(const Vec3& p, const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
  const Vec3 axis = b - a;
  const double t = std::clamp((p - a).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
  return (p - a - t * axis).norm() - mix(radius_a, radius_b, t);
}

double ellipsoid(const Vec3& p, const Vec3& centre, const Vec3& radii) {
  const Vec3 q = p - centre;
  const double k0 = q.cwiseQuotient(radii).norm();
  const double k1 = q.cwiseQuotient(radii.cwiseProduct(radii)).norm();
  return k1 < 1e-9 ? -radii.minCoeff() : k0 * (k0 - 1) / k1;
}

double turned_ellipsoid(const Vec3& p, const Vec3& centre, const Vec3& radii, double pitch_rad, double roll_rad) {
  const Eigen::Matrix3d turn =
      (Eigen::AngleAxisd(roll_rad, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch_rad, Vec3::UnitX())).toRotationMatrix();
  return ellipsoid(turn.transpose() * (p - centre), Vec3::Zero(), radii);
}

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  return round_cone(p, a, b, 0, 0);
}

Loft::Loft(std::vector<Section> sections, double power) : sections_(std::move(sections)), power_(power) {}

Section Loft::at(double y) const {
  if (y <= sections_.front().y) return sections_.front();
  if (y >= sections_.back().y) return sections_.back();
  std::size_t i = 1;
  while (sections_[i].y < y) ++i;
  const Section& before = sections_[i >= 2 ? i - 2 : 0];
  const Section& low = sections_[i - 1];
  const Section& high = sections_[i];
  const Section& after = sections_[std::min(i + 1, sections_.size() - 1)];
  const double span = high.y - low.y;
  const double t = (y - low.y) / span;
  // Cubic Hermite with slopes over the neighbours, because the sections are not evenly spaced.
  const auto blend = [&](double Section::*value) {
    const double slope_low = (high.*value - before.*value) / (high.y - before.y) * span;
    const double slope_high = (after.*value - low.*value) / (after.y - low.y) * span;
    const double t2 = t * t;
    const double t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * low.*value + (t3 - 2 * t2 + t) * slope_low + (3 * t2 - 2 * t3) * high.*value + (t3 - t2) * slope_high;
  };
  return {y, blend(&Section::x), blend(&Section::half_width), blend(&Section::front), blend(&Section::back)};
}

double Loft::operator()(const Vec3& p) const {
  const Section s = at(p.y());
  const double middle_z = (s.front + s.back) / 2;
  const double half_depth = (s.front - s.back) / 2;
  const double dx = p.x() - s.x;
  const double dz = p.z() - middle_z;
  const double reach = std::sqrt(dx * dx + dz * dz);
  const double ring = std::pow(std::pow(std::abs(dx) / s.half_width, power_) + std::pow(std::abs(dz) / half_depth, power_), 1 / power_);
  const double inside = -std::min(s.half_width, half_depth);
  const double side = ring < 1e-6 ? inside : std::max(inside, reach * (1 - 1 / ring));
  const double above = std::max(p.y() - sections_.back().y, sections_.front().y - p.y());
  if (above <= 0) return std::max(side, above);
  return side <= 0 ? above : std::sqrt(side * side + above * above);
}

Vec3 gradient_direction(const Field& field, const Vec3& p) {
  constexpr double step = 2e-4;
  Vec3 gradient;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 offset = step * Vec3::Unit(axis);
    gradient[axis] = field(p + offset) - field(p - offset);
  }
  const double length = gradient.norm();
  return length < 1e-12 ? Vec3(Vec3::UnitY()) : Vec3(gradient / length);
}

Vec3 project(const Field& field, Vec3 p, int steps) {
  constexpr double step = 2e-4;
  for (int i = 0; i < steps; ++i) {
    const double value = field(p);
    if (std::abs(value) < 1e-6) break;
    Vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 offset = step * Vec3::Unit(axis);
      gradient[axis] = (field(p + offset) - field(p - offset)) / (2 * step);
    }
    const double squared = gradient.squaredNorm();
    if (squared < 1e-6) break;
    Vec3 move = -value / squared * gradient;
    const double longest = 0.01;
    if (move.norm() > longest) move *= longest / move.norm();
    p += move;
  }
  return p;
}

}  // namespace samples
