#include "convert/steps.hpp"

#include <algorithm>

#include "convert/codes.hpp"

namespace vesalius::convert_detail {

void move_by(Humanoid& humanoid, const Vec3& shift) {
  if (shift.isZero(0)) return;
  for (Part& part : humanoid.parts) {
    for (Vec3& position : part.positions) position += shift;
  }
  for (Site& site : humanoid.sites) site.rest.place += shift;
  for (Segment& segment : humanoid.segments) {
    if (segment.centre_of_mass) *segment.centre_of_mass += shift;
  }
}

std::vector<int> toward_indices(const Correspondence& correspondence, const BoneTree& bones) {
  std::vector<int> result(correspondence.groups.size(), -1);
  for (std::size_t g = 0; g < result.size(); ++g) {
    const BoneGroup* group = correspondence.groups[g].group;
    if (group != nullptr && !group->toward.empty()) result[g] = bones.find(group->toward);
  }
  return result;
}

void turn_segment(Segment& segment, const Affine& change, const Quat& turn) {
  if (segment.centre_of_mass) segment.centre_of_mass = change * *segment.centre_of_mass;
  if (segment.moments_of_inertia) {
    const Eigen::Matrix3d r = turn.toRotationMatrix();
    segment.moments_of_inertia = r * *segment.moments_of_inertia * r.transpose();
  }
}

const Kept* usable_kept(const Humanoid& source, const std::string& profile, const ConvertOptions& options) {
  if (!options.extras || !source.kept || source.kept->profile != profile) return nullptr;
  return &*source.kept;
}

void carry_motion(const Humanoid& source, Humanoid& result, const MotionTarget& target, const Solve& solve, ConversionReport& report,
                  Diagnostics& sink) {
  MotionReport motion;
  for (const Clip& clip : source.clips) result.clips.push_back(carry(clip, source.skeleton, target, solve, motion, sink));
  report.keys_added += motion.keys_added;
  for (const NamedPose& pose : source.poses) {
    Unwrap state(target.slots);
    result.poses.push_back({pose.name, solve(pose.pose, state)});
  }
}

Part stick_body(const Skeleton& skeleton, const std::string& name, double leaf_length_m) {
  Part part;
  part.name = name;
  Surface surface;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const Joint& joint = skeleton.joints()[j];
    const auto children = skeleton.children(joint_index(j));
    if (joint.parent == JointIndex::none && !children.empty()) continue;  // the static root has no extent
    const Vec3 from = joint.rest.place;
    Vec3 to = from + leaf_length_m * (joint.rest.turn * Vec3::UnitY());
    if (!children.empty()) {
      Vec3 sum = Vec3::Zero();
      for (const JointIndex child : children) sum += skeleton[child].rest.place;
      const Vec3 middle = sum / static_cast<double>(children.size());
      if ((middle - from).norm() > 1e-3) to = middle;
    }
    const Vec3 axis = to - from;
    const Quat turn = least_rotation(Vec3::UnitY(), axis);
    const double length = axis.norm(), radius = std::clamp(0.12 * length, 0.004, 0.05);
    const auto base = static_cast<std::uint32_t>(part.positions.size());
    part.positions.push_back(from);
    for (const auto& [x, z] : {std::pair{1.0, 0.0}, {0.0, -1.0}, {-1.0, 0.0}, {0.0, 1.0}}) {
      part.positions.push_back(from + turn * Vec3(radius * x, 0.2 * length, radius * z));
    }
    part.positions.push_back(to);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t a = base + 1 + i, b = base + 1 + (i + 1) % 4;
      surface.triangles.push_back({base, b, a});
      surface.triangles.push_back({base + 5, a, b});
    }
    for (int i = 0; i < 6; ++i) {
      part.influences.items.push_back({joint_index(j), 1.0});
      part.influences.end_vertex();
    }
  }
  part.surfaces.push_back(std::move(surface));
  return part;
}

}  // namespace vesalius::convert_detail
