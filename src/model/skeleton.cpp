#include "vesalius/skeleton.hpp"

#include <cmath>

#include "model/codes.hpp"

namespace vesalius {

Result<Skeleton> Skeleton::create(std::vector<Joint> joints) {
  Diagnostics sink;
  Skeleton skeleton;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Joint& joint = joints[i];
    if (joint.name.empty()) sink.error(codes::model_unnamed_joint, "joint " + std::to_string(i) + " has no name");
    if (!skeleton.by_name_.emplace(joint.name, joint_index(i)).second) {
      sink.error(codes::model_duplicate_joint, "joint name '" + joint.name + "' occurs twice; names must be unique");
    }
    if (joint.parent != JointIndex::none && index(joint.parent) >= i) {
      sink.error(codes::model_parent_order, "joint '" + joint.name + "' comes before its parent");
    }
    const double norm = joint.rest.turn.norm();
    if (!joint.rest.place.allFinite() || !std::isfinite(norm) || norm < 1e-6) {
      sink.error(codes::model_not_finite, "joint '" + joint.name + "' has a place or orientation that is not finite");
    } else {
      joint.rest.turn.normalize();
    }
  }
  if (sink.has_errors()) return {std::nullopt, std::move(sink)};
  skeleton.joints_ = std::move(joints);
  return {std::move(skeleton), std::move(sink)};
}

JointIndex Skeleton::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? JointIndex::none : found->second;
}

std::vector<JointIndex> Skeleton::children(JointIndex joint) const {
  std::vector<JointIndex> result;
  for (std::size_t i = index(joint) + 1; i < joints_.size(); ++i) {
    if (joints_[i].parent == joint) result.push_back(joint_index(i));
  }
  return result;
}

bool Skeleton::is_ancestor(JointIndex ancestor, JointIndex joint) const {
  while (joint != JointIndex::none && index(joint) > index(ancestor)) joint = joints_[index(joint)].parent;
  return joint == ancestor;
}

JointIndex Skeleton::common_ancestor(JointIndex a, JointIndex b) const {
  while (a != b && a != JointIndex::none && b != JointIndex::none) {
    JointIndex& later = index(a) > index(b) ? a : b;
    later = joints_[index(later)].parent;
  }
  return a == b ? a : JointIndex::none;
}

std::vector<Transform> rest_locals(const Skeleton& skeleton) {
  std::vector<Transform> result(skeleton.size());
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const Joint& joint = skeleton.joints()[i];
    const Rigid local = joint.parent == JointIndex::none ? joint.rest : skeleton[joint.parent].rest.inverse() * joint.rest;
    result[i].translation = local.place;
    result[i].rotation = local.turn;
  }
  return result;
}

}  // namespace vesalius
