#include "convert/level.hpp"

#include <algorithm>

#include "convert/codes.hpp"
#include "convert/steps.hpp"
#include "convert/weights.hpp"

namespace vesalius::convert_detail {

Result<Conversion> change_level(const Humanoid& source, const Profile& profile, const ConvertOptions& options) {
  Diagnostics sink;
  Conversion conversion;
  conversion.humanoid = source;
  if (!options.loa) return {std::move(conversion), std::move(sink)};

  int highest = 0;
  for (const ProfileJoint& joint : profile.joints) highest = std::max(highest, joint.lowest_loa);
  if (*options.loa < 0 || *options.loa > highest) {
    sink.error(codes::convert_level, "level of articulation " + std::to_string(*options.loa) + " is outside 0 to " +
                                         std::to_string(highest) + " of '" + profile.name + "'");
    return {std::nullopt, std::move(sink)};
  }
  const std::size_t count = source.skeleton.size();
  std::vector<int> target(count, -1);  // new index of the joint, or of the ancestor that stands for it
  std::vector<JointIndex> kept;
  std::vector<Joint> joints;
  int level = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const Joint& joint = source.skeleton.joints()[j];
    const ProfileJoint* known = profile.find(joint.name);
    const bool keep = known == nullptr || known->lowest_loa <= *options.loa || joint.parent == JointIndex::none;
    if (known != nullptr) level = std::max(level, known->lowest_loa);
    if (!keep) {
      target[j] = target[index(joint.parent)];
      sink.note(codes::convert_removed_joint, "joint '" + joint.name + "' is above level " + std::to_string(*options.loa) +
                                                  "; its weights go to '" + joints[static_cast<std::size_t>(target[j])].name +
                                                  "', its own motion is lost");
      continue;
    }
    target[j] = static_cast<int>(joints.size());
    kept.push_back(joint_index(j));
    Joint copy = joint;
    if (joint.parent != JointIndex::none) copy.parent = static_cast<JointIndex>(target[index(joint.parent)]);
    joints.push_back(std::move(copy));
  }
  if (level < *options.loa) {
    sink.error(codes::convert_level, "the figure has joints up to level " + std::to_string(level) + "; level " +
                                         std::to_string(*options.loa) + " needs joints that it does not have");
    return {std::nullopt, std::move(sink)};
  }
  Humanoid& out = conversion.humanoid;
  auto skeleton = Skeleton::create(std::move(joints));
  sink.append(skeleton.diagnostics);
  if (!skeleton) return {std::nullopt, std::move(sink)};
  out.skeleton = std::move(*skeleton.value);
  out.kept.reset();
  const auto moved = [&](JointIndex joint) { return joint == JointIndex::none ? joint : static_cast<JointIndex>(target[index(joint)]); };
  for (Part& part : out.parts) {
    part.influences = summed(part.influences, target, nullptr);
    part.kept_influences = {};
    for (Morph& morph : part.morphs) morph.joint = moved(morph.joint);
  }
  for (Site& site : out.sites) site.joint = moved(site.joint);
  for (Segment& segment : out.segments) segment.joint = moved(segment.joint);

  MotionTarget motion;
  motion.skeleton = &out.skeleton;
  motion.translates.assign(out.skeleton.size(), true);
  motion.max_angle_error_rad = options.max_angle_error_rad;
  motion.max_place_error_m = options.max_place_error_m;
  const auto solve = [&](const LocalPose& pose, Unwrap&) {
    const auto model = rigid_model(source.skeleton, pose);
    LocalPose local;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Rigid& now = model[index(kept[j])];
      const JointIndex parent = out.skeleton.joints()[j].parent;
      const Rigid own = parent == JointIndex::none ? now : model[index(kept[index(parent)])].inverse() * now;
      local.parent_from_joint.push_back({own.place, own.turn, Vec3::Ones()});
    }
    return local;
  };
  out.clips.clear();
  out.poses.clear();
  carry_motion(source, out, motion, solve, conversion.report, sink);
  return {std::move(conversion), std::move(sink)};
}

}  // namespace vesalius::convert_detail
