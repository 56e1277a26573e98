// Which way a figure stands and faces, measured on its joints.
#include "vesalius/joint_map.hpp"

namespace vesalius {

MeasuredAxes measure_axes(const Skeleton& skeleton, const Profile& profile) {
  MeasuredAxes axes;
  const auto place = [&](const std::string& name) -> std::optional<Vec3> {
    const JointIndex joint = skeleton.find(name);
    if (joint == JointIndex::none) return std::nullopt;
    return skeleton[joint].rest.place;
  };
  Vec3 left = Vec3::Zero();
  std::optional<Vec3> lowest, highest;  // middles of the lowest and the highest pair, by the profile's nominal figure
  double low = 0, high = 0;
  for (const auto& [right_name, left_name] : profile.across) {
    const auto r = place(right_name), l = place(left_name);
    const ProfileJoint* nominal = profile.find(left_name);
    if (!r || !l) continue;
    left += *l - *r;
    const double height = nominal != nullptr && nominal->centre ? nominal->centre->y() : 0;
    if (!lowest || height < low) lowest = (*l + *r) / 2, low = height;
    if (!highest || height > high) highest = (*l + *r) / 2, high = height;
  }
  Vec3 up = lowest && highest ? Vec3(*highest - *lowest) : Vec3::Zero();
  if (up.norm() < 1e-9 && lowest) {
    // One pair only: from its middle to the joint that stands highest in the nominal figure.
    const ProfileJoint* top = nullptr;
    for (const ProfileJoint& joint : profile.joints) {
      if (joint.side == Side::middle && joint.centre && place(joint.name) && (top == nullptr || joint.centre->y() > top->centre->y()))
        top = &joint;
    }
    if (top != nullptr) up = *place(top->name) - *lowest;
  }
  if (left.norm() < 1e-9 || up.norm() < 1e-9) return axes;
  left.normalize();
  up = up - left * left.dot(up);
  if (up.norm() < 1e-9) return axes;
  axes.left = left;
  axes.up = up.normalized();
  axes.forward = axes.left.cross(axes.up);
  axes.measured = true;
  Vec3 ahead = Vec3::Zero();
  for (const auto& [from, to] : profile.ahead) {
    const auto a = place(from), b = place(to);
    if (a && b) ahead += *b - *a;
  }
  axes.feet_agree = ahead.isZero(0) || ahead.dot(axes.forward) >= 0;
  return axes;
}

}  // namespace vesalius
