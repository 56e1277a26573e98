#include "convert/new_joints.hpp"

#include <algorithm>

#include "convert/synthesis.hpp"

namespace vesalius::convert_detail {
namespace {

class Making {
 public:
  Making(const Skeleton& figure, const Profile& profile, int loa, const Kept* kept)
      : figure_(figure), profile_(profile), loa_(loa), kept_(kept), scale_(scale()) {}

  NewJoints run() {
    for (const ProfileJoint& joint : profile_.joints) {
      if (joint.lowest_loa > loa_ || present(joint.name)) continue;
      const ProfileJoint* carrier = above(joint);
      if (carrier == nullptr) {
        result_.without_ancestor.push_back(joint.name);
        continue;
      }
      add(joint, *carrier);
    }
    hang_on_new();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool present(const std::string& name) const { return figure_.find(name) != JointIndex::none; }
  [[nodiscard]] const Vec3& place(const std::string& name) const { return figure_[figure_.find(name)].rest.place; }
  static Vec3 nominal(const ProfileJoint& joint) { return joint.centre.value_or(Vec3::Zero()); }

  /// Nearest joint above that the figure has, by the profile's tree.
  [[nodiscard]] const ProfileJoint* above(const ProfileJoint& joint) const {
    const ProfileJoint* parent = profile_.find(joint.parent);
    while (parent != nullptr && !present(parent->name)) parent = profile_.find(parent->parent);
    return parent;
  }
  [[nodiscard]] bool is_above(const ProfileJoint& upper, const ProfileJoint& lower) const {
    for (const ProfileJoint* joint = profile_.find(lower.parent); joint != nullptr; joint = profile_.find(joint->parent)) {
      if (joint == &upper) return true;
    }
    return false;
  }
  /// The joint below that the figure has and that is fewest steps away, one of the same side before others; or null.
  [[nodiscard]] const ProfileJoint* below(const ProfileJoint& joint) const {
    const ProfileJoint* best = nullptr;
    int least = 0;
    for (const ProfileJoint& candidate : profile_.joints) {
      if (!present(candidate.name) || !is_above(joint, candidate)) continue;
      int steps = candidate.side == joint.side ? 0 : 1000;
      for (const ProfileJoint* at = &candidate; at != &joint; at = profile_.find(at->parent)) ++steps;
      if (best != nullptr && steps >= least) continue;
      best = &candidate;
      least = steps;
    }
    return best;
  }

  /// Size of the figure against the nominal one: median ratio of the distances between joints and what is above them.
  [[nodiscard]] double scale() const {
    std::vector<double> ratios;
    for (const ProfileJoint& joint : profile_.joints) {
      const ProfileJoint* parent = present(joint.name) ? above(joint) : nullptr;
      if (parent == nullptr) continue;
      const double length = (nominal(joint) - nominal(*parent)).norm();
      if (length > 0.05) ratios.push_back((place(joint.name) - place(parent->name)).norm() / length);
    }
    if (ratios.empty()) return 1;
    std::ranges::sort(ratios);
    const double median = ratios[ratios.size() / 2];
    return median > 0 ? median : 1;
  }

  [[nodiscard]] Vec3 place_for(const ProfileJoint& joint, const ProfileJoint& carrier) const {
    const Vec3 own = nominal(joint);
    if (const ProfileJoint* next = below(joint)) {
      const Vec3 from = nominal(carrier), along = nominal(*next) - from;
      if (joint.fraction && along.squaredNorm() > 0) {
        // The bones of a chain lie on a straight line.
        const double t = std::clamp((own - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
        return place(carrier.name) + t * (place(next->name) - place(carrier.name));
      }
      if (along.squaredNorm() > 0) return similarity(from, nominal(*next), place(carrier.name), place(next->name))(own);
    }
    // Goes on from the joint above as the nominal figure does.
    Quat turn = Quat::Identity();
    if (const ProfileJoint* before = above(carrier)) {
      const Vec3 nominal_way = nominal(carrier) - nominal(*before), way = place(carrier.name) - place(before->name);
      if (nominal_way.norm() > 1e-6 && way.norm() > 1e-6) turn = least_rotation(nominal_way, way);
    }
    return place(carrier.name) + scale_ * (turn * (own - nominal(carrier)));
  }

  void add(const ProfileJoint& joint, const ProfileJoint& carrier) {
    NewJoint made;
    made.name = made.source_name = joint.name;
    made.carrier = carrier.name;
    made.parent = carrier.name;
    for (const ProfileJoint* parent = profile_.find(joint.parent); parent != &carrier; parent = profile_.find(parent->parent)) {
      if (std::ranges::find(result_.joints, parent->name, &NewJoint::name) == result_.joints.end()) continue;
      made.parent = parent->name;
      break;
    }
    made.rest = {place_for(joint, carrier), figure_[figure_.find(carrier.name)].rest.turn};
    if (kept_ != nullptr) {
      const auto entry = std::ranges::find(kept_->joints, joint.name, &KeptJoint::name);
      if (entry != kept_->joints.end() && present(entry->bone)) {
        made.rest = figure_[figure_.find(entry->bone)].rest * Rigid{entry->place_in_bone, entry->turn_in_bone};
        made.source_name = entry->source_name;
        made.limits = entry->limits;
        made.stiffness = entry->stiffness;
        made.kept = true;
      }
    }
    result_.joints.push_back(std::move(made));
  }

  /// A joint of the figure hangs on the deepest new joint between it and the joint that it hung on. Where the file's own tree is another
  /// than the profile's, it stays.
  void hang_on_new() {
    for (const Joint& joint : figure_.joints()) {
      const ProfileJoint* known = profile_.find(joint.name);
      if (known == nullptr || joint.parent == JointIndex::none) continue;
      const ProfileJoint* parent = profile_.find(figure_[joint.parent].name);
      if (parent == nullptr || !is_above(*parent, *known)) continue;
      for (const ProfileJoint* at = profile_.find(known->parent); at != parent; at = profile_.find(at->parent)) {
        if (std::ranges::find(result_.joints, at->name, &NewJoint::name) == result_.joints.end()) continue;
        result_.parent_of[joint.name] = at->name;
        break;
      }
    }
  }

  const Skeleton& figure_;
  const Profile& profile_;
  int loa_;
  const Kept* kept_;
  double scale_;
  NewJoints result_;
};

}  // namespace

NewJoints new_joints(const Skeleton& figure, const Profile& profile, int loa, const Kept* kept) {
  return Making(figure, profile, loa, kept).run();
}

}  // namespace vesalius::convert_detail
