#include "formats/hanim/figure.hpp"

#include <cmath>
#include <numbers>

namespace vesalius::hanim {
namespace {

std::string axis_text(const Vec3& direction) {
  Eigen::Index axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return std::string(direction[axis] < 0 ? "-" : "+") + "XYZ"[axis];
}

double wrapped(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

}  // namespace

Figure Figure::from(const Affine& canonical_from_humanoid) {
  Figure result;
  result.canonical_from_humanoid = canonical_from_humanoid;
  result.turn = rotation_of(canonical_from_humanoid);
  result.scale = std::cbrt(std::abs(canonical_from_humanoid.linear().determinant()));
  return result;
}

Measure measure(const Skeleton& skeleton, const Profile& profile) {
  Measure result;
  const MeasuredAxes axes = measure_axes(skeleton, profile);
  result.measured = axes.measured;
  if (axes.measured) {
    result.facing = axis_text(axes.forward);
    result.up = axis_text(axes.up);
    result.upright = result.up == "+Y";
    result.yaw_rad = std::atan2(axes.forward.x(), axes.forward.z());
  }
  // Spread of the joints about their middle, here and in the nominal figure.
  Vec3 middle = Vec3::Zero(), nominal_middle = Vec3::Zero();
  std::vector<std::pair<Vec3, Vec3>> both;
  for (const Joint& joint : skeleton.joints()) {
    const ProfileJoint* known = profile.find(joint.name);
    if (known == nullptr || !known->centre) continue;
    both.emplace_back(joint.rest.place, *known->centre);
    middle += joint.rest.place;
    nominal_middle += *known->centre;
  }
  if (both.size() >= 3) {
    middle /= static_cast<double>(both.size());
    nominal_middle /= static_cast<double>(both.size());
    double here = 0, nominal = 0;
    for (const auto& [place, centre] : both) {
      here += (place - middle).squaredNorm();
      nominal += (centre - nominal_middle).squaredNorm();
    }
    if (nominal > 0) result.relative_size = std::sqrt(here / nominal);
  } else if (!skeleton.empty()) {
    Eigen::AlignedBox3d box;
    for (const Joint& joint : skeleton.joints()) box.extend(joint.rest.place);
    if (skeleton.size() >= 3 && profile.height_m > 0) result.relative_size = box.sizes().maxCoeff() / (0.9 * profile.height_m);
  }
  return result;
}

double facing_correction_rad(const Measure& measure, const Figure& figure) {
  constexpr double tolerance_rad = 10 * std::numbers::pi / 180;
  if (!measure.measured || !measure.upright || std::abs(measure.yaw_rad) < tolerance_rad) return 0;
  const Vec3 ahead = figure.turn * Vec3::UnitZ();
  const double surroundings = std::atan2(ahead.x(), ahead.z());
  if (std::abs(wrapped(measure.yaw_rad - surroundings)) < tolerance_rad) return -surroundings;
  constexpr double quarter = std::numbers::pi / 2;
  return -quarter * std::round(measure.yaw_rad / quarter);
}

}  // namespace vesalius::hanim
