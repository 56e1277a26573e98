// Many joints to few bones: weights summed and limited, rest pose changed, axes given, motion carried.
#include <algorithm>
#include <cmath>
#include <set>

#include "convert/axes.hpp"
#include "convert/codes.hpp"
#include "convert/steps.hpp"
#include "convert/synthesis.hpp"
#include "convert/weights.hpp"

namespace vesalius::convert_detail {
namespace {

constexpr double origin_tolerance_m = 1e-3;  // a figure this near to its origin stays where its file put it

/// State of one collapse; each step is a method so that the order reads as the design states it.
class Collapse {
 public:
  Collapse(const Humanoid& source, const Tables& tables, const ConvertOptions& options)
      : source_(source), tables_(tables), options_(options), kept_(usable_kept(source, tables.bones->name, options)) {}

  Result<Conversion> run() {
    correspondence_ = resolve(*tables_.mapping, *tables_.bones, source_.skeleton, sink_);
    if (correspondence_.known_joints == 0) {
      sink_.error(codes::convert_not_a_humanoid, "none of the " + std::to_string(source_.skeleton.size()) +
                                                     " joints is known to the table from '" + tables_.mapping->from + "' to '" +
                                                     tables_.mapping->to + "'; expected a standard humanoid");
      return {std::nullopt, std::move(sink_)};
    }
    if (2 * correspondence_.known_joints < source_.skeleton.size()) {
      sink_.warning(codes::convert_low_coverage, "only " + std::to_string(correspondence_.known_joints) + " of " +
                                                     std::to_string(source_.skeleton.size()) +
                                                     " joints are known to the table: not a standard humanoid?");
    }
    place_bones();
    sum_weights();
    change_rest();
    give_axes();
    put_on_ground();
    build_skeleton();
    if (!result_.diagnostics_ok) return {std::nullopt, std::move(sink_)};
    carry();
    keep();
    Humanoid& out = conversion_.humanoid;
    out.profile = tables_.bones->name;
    Conversion done = std::move(conversion_);
    return {std::move(done), std::move(sink_)};
  }

 private:
  [[nodiscard]] const std::string& bone_name(std::size_t b) const { return tables_.bones->joints[b].name; }

  void place_bones() {
    bones_.profile = tables_.bones;
    for (const ResolvedGroup& group : correspondence_.groups) {
      bones_.parent.push_back(group.parent);
      bones_.place.push_back(group.whole() ? std::optional<Vec3>(Vec3::Zero()) : group.origin);
    }
    for (std::size_t g = 0; g < correspondence_.groups.size(); ++g) {
      if (correspondence_.groups[g].whole()) root_ = static_cast<int>(g);
    }
    toward_ = toward_indices(correspondence_, bones_);
    kept_joint_.assign(bones_.place.size(), JointIndex::none);
    kept_entry_.assign(bones_.place.size(), nullptr);
    if (kept_ != nullptr) {
      for (const KeptJoint& entry : kept_->joints) {
        const int b = bones_.find(entry.name);
        const JointIndex joint = source_.skeleton.find(entry.bone);
        if (b < 0) {
          sink_.warning(codes::convert_stale_kept, "kept bone '" + entry.name + "' is not in the target vocabulary and was dropped");
          continue;
        }
        const auto i = static_cast<std::size_t>(b);
        if (joint == JointIndex::none && !correspondence_.groups[i].whole()) {
          sink_.note(codes::convert_stale_kept,
                     "kept axes of bone '" + entry.name + "' were dropped: its joint '" + entry.bone + "' is gone");
          continue;
        }
        kept_joint_[i] = joint;
        kept_entry_[i] = &entry;
        if (!bones_.place[i] && joint != JointIndex::none) bones_.place[i] = source_.skeleton[joint].rest * entry.place_in_bone;
      }
      synthesised_.assign(bones_.place.size(), false);
      return;  // a figure that came from bones gets back the bones it had, no others
    }
    if (!options_.synthesis) {
      synthesised_.assign(bones_.place.size(), false);
      for (std::size_t b = 0; b < bones_.place.size(); ++b) {
        if (!bones_.place[b])
          sink_.warning(codes::convert_left_out_bone, "bone '" + bone_name(b) + "' has no source joint and was left out");
      }
      return;
    }
    synthesised_ = synthesise(bones_, toward_);
    for (std::size_t b = 0; b < bones_.place.size(); ++b) {
      if (synthesised_[b]) {
        sink_.warning(codes::convert_synthesised_bone,
                      "bone '" + bone_name(b) + "' has no source joint; it was made up and rests on its parent");
      }
    }
  }

  void sum_weights() {
    Humanoid& out = conversion_.humanoid;
    out.name = source_.name;
    out.materials = source_.materials;
    out.textures = source_.textures;
    out.metadata = source_.metadata;
    out.asset_blocks = source_.asset_blocks;
    out.source = source_.source;
    out.parts = source_.parts;
    NormaliseReport normalised;
    LimitReport limited;
    for (Part& part : out.parts) {
      part.kept_influences = {};
      Influences all = summed(part.influences, correspondence_.group_of_joint, options_.extras ? &part.kept_influences : nullptr);
      const NormaliseReport n = normalise(all, kept_ != nullptr ? rounding_of_floats : rounding_in_files);
      normalised.above += n.above;
      normalised.resting += n.resting;
      if (root_ >= 0) fill_with(all, static_cast<JointIndex>(root_));
      part.influences = all;
      const LimitReport l = limit(part.influences, options_.max_influences);
      limited.vertices += l.vertices;
      limited.dropped += l.dropped;
      limited.worst = std::max(limited.worst, l.worst);
      if (options_.extras && l.vertices > 0) mark_dropped(part, all);
      for (Morph& morph : part.morphs) {
        if (morph.joint == JointIndex::none) continue;
        morph.joint = static_cast<JointIndex>(correspondence_.group_of_joint[index(morph.joint)]);
      }
    }
    conversion_.report.influences_dropped = limited.dropped;
    conversion_.report.worst_dropped_weight = limited.worst;
    if (normalised.resting > 0) {
      resting_ = normalised.resting;
      sink_.note(codes::convert_resting_share,
                 std::to_string(normalised.resting) + " vertices have weights that sum to less than 1; the static root carries the rest");
    }
    report_weights(normalised, limited, options_.max_influences, sink_);
    out.sites = source_.sites;
    for (Site& site : out.sites) {
      if (site.joint != JointIndex::none) site.joint = static_cast<JointIndex>(correspondence_.group_of_joint[index(site.joint)]);
    }
    out.segments = source_.segments;
    for (Segment& segment : out.segments) {
      if (segment.joint != JointIndex::none) segment.joint = static_cast<JointIndex>(correspondence_.group_of_joint[index(segment.joint)]);
    }
  }

  /// Ratios of joints whose bone was dropped at a vertex become the negated weight itself.
  void mark_dropped(Part& part, const Influences& all) const {
    for (std::size_t v = 0; v < all.vertices(); ++v) {
      if (part.influences.of(v).size() == all.of(v).size()) continue;
      for (KeptInfluence& kept : part.kept_influences.of(v)) {
        const auto bone = static_cast<JointIndex>(correspondence_.group_of_joint[kept.joint]);
        const auto is_bone = [&](const Influence& i) { return i.joint == bone; };
        if (std::ranges::any_of(part.influences.of(v), is_bone)) continue;
        const auto items = all.of(v);
        const auto was = std::ranges::find_if(items, is_bone);
        if (was != items.end()) kept.ratio = -kept.ratio * was->weight;
      }
    }
  }

  void change_rest() {
    rest_ = rest_change(bones_, *tables_.mapping, *tables_.joints, RestDirection::towards_bones, options_,
                        kept_ != nullptr ? std::span<const KeptTurn>(kept_->rest_turns) : std::span<const KeptTurn>(), sink_);
    conversion_.report.limbs = rest_.limbs;
    Humanoid& out = conversion_.humanoid;
    if (resting_ > 0 && std::ranges::any_of(rest_.turn, [](const Quat& q) { return angle_between_rad(q, Quat::Identity()) > 1e-6; })) {
      sink_.warning(codes::convert_resting_share,
                    "vertices that partly stay at rest are pulled when the arms turn to the target's rest pose; "
                    "keep the source's rest pose (rest policy keep) to have them exact");
    }
    for (Part& part : out.parts) repose(part, rest_.change, Blend::forward, sink_);
    for (Site& site : out.sites) {
      if (site.joint == JointIndex::none) continue;
      const auto b = index(site.joint);
      site.rest.place = rest_.change[b] * site.rest.place;
      site.rest.turn = (rest_.turn[b] * site.rest.turn).normalized();
    }
    for (Segment& segment : out.segments) {
      if (segment.joint != JointIndex::none) turn_segment(segment, rest_.change[index(segment.joint)], rest_.turn[index(segment.joint)]);
    }
    moved_ = bones_;
    for (std::size_t b = 0; b < bones_.place.size(); ++b) {
      if (bones_.place[b]) moved_.place[b] = rest_.change[b] * *bones_.place[b];
    }
  }

  void give_axes() {
    std::vector<std::vector<std::string>> tips;
    for (const ResolvedGroup& group : correspondence_.groups)
      tips.push_back(group.group != nullptr ? group.group->tips : std::vector<std::string>{});
    axes_ = bone_axes(moved_, toward_, tips, conversion_.humanoid.parts, conversion_.humanoid.sites);
    for (std::size_t b = 0; b < axes_.size(); ++b) {
      if (kept_entry_[b] != nullptr) {
        const Quat joint = kept_joint_[b] != JointIndex::none ? source_.skeleton[kept_joint_[b]].rest.turn : Quat::Identity();
        axes_[b].frame = (rest_.turn[b] * joint * kept_entry_[b]->turn_in_bone).normalized();
        axes_[b].pointed_by = "kept axes";
      }
      const ResolvedGroup& group = correspondence_.groups[b];
      if (moved_.place[b] && toward_[b] < 0 && !group.whole() && axes_[b].pointed_by != "kept axes") {
        sink_.note(codes::convert_bone_direction, "leaf bone '" + bone_name(b) + "' took its direction from: " + axes_[b].pointed_by);
      }
      BoneReport report;
      report.bone = bone_name(b);
      report.synthesised = synthesised_[b];
      report.pointed_by = axes_[b].pointed_by;
      report.table_line = group.group != nullptr ? group.group->line : 0;
      for (std::size_t j = 0; j < source_.skeleton.size(); ++j) {
        if (correspondence_.group_of_joint[j] == static_cast<int>(b)) report.joints.push_back(source_.skeleton.joints()[j].name);
      }
      if (moved_.place[b]) conversion_.report.bones.push_back(std::move(report));
    }
  }

  void put_on_ground() {
    Humanoid& out = conversion_.humanoid;
    if (kept_ != nullptr) {
      shift_ = -kept_->shift;
    } else {
      Eigen::AlignedBox3d box = bounding_box(out.parts);
      if (box.isEmpty()) {
        for (std::size_t b = 0; b < moved_.place.size(); ++b) {
          if (moved_.place[b] && static_cast<int>(b) != root_) box.extend(*moved_.place[b]);
        }
      }
      shift_ = Vec3(-box.center().x(), -box.min().y(), -box.center().z());
      if (shift_.cwiseAbs().maxCoeff() <= origin_tolerance_m) shift_ = Vec3::Zero();
    }
    if (!shift_.isZero(0)) {
      sink_.note(codes::convert_moved_origin, "the figure was moved by (" + std::to_string(shift_.x()) + ", " + std::to_string(shift_.y()) +
                                                  ", " + std::to_string(shift_.z()) +
                                                  ") m so that its origin is on the ground under its middle");
    }
    move_by(out, shift_);
    for (std::size_t b = 0; b < moved_.place.size(); ++b) {
      if (moved_.place[b] && static_cast<int>(b) != root_) *moved_.place[b] += shift_;
    }
  }

  void build_skeleton() {
    std::vector<Joint> joints;
    target_of_bone_.assign(moved_.place.size(), JointIndex::none);
    for (std::size_t b = 0; b < moved_.place.size(); ++b) {
      if (!moved_.place[b]) continue;
      Joint joint;
      joint.name = bone_name(b);
      joint.source_name = joint.name;
      int parent = moved_.parent[b];
      if (kept_entry_[b] != nullptr) {
        // The asset that this figure came from may hang its shoulders elsewhere; both trees are the standard's.
        const int kept = bones_.find(kept_entry_[b]->parent);
        if (kept >= 0 && target_of_bone_[static_cast<std::size_t>(kept)] != JointIndex::none) parent = kept;
      }
      while (parent >= 0 && target_of_bone_[static_cast<std::size_t>(parent)] == JointIndex::none)
        parent = moved_.parent[static_cast<std::size_t>(parent)];
      if (parent >= 0) joint.parent = target_of_bone_[static_cast<std::size_t>(parent)];
      joint.rest = {*moved_.place[b], axes_[b].frame};
      target_of_bone_[b] = joint_index(joints.size());
      bone_of_target_.push_back(b);
      joints.push_back(std::move(joint));
    }
    // What belongs to a bone that was left out goes to the nearest ancestor that is there.
    const auto host = [&](JointIndex bone) {
      if (bone == JointIndex::none) return bone;
      auto b = static_cast<int>(index(bone));
      while (b >= 0 && target_of_bone_[static_cast<std::size_t>(b)] == JointIndex::none) b = moved_.parent[static_cast<std::size_t>(b)];
      return b < 0 ? JointIndex::none : target_of_bone_[static_cast<std::size_t>(b)];
    };
    Humanoid& out = conversion_.humanoid;
    for (Part& part : out.parts) {
      for (Influence& influence : part.influences.items) influence.joint = host(influence.joint);
      for (Morph& morph : part.morphs) morph.joint = host(morph.joint);
    }
    for (Site& site : out.sites) site.joint = host(site.joint);
    for (Segment& segment : out.segments) segment.joint = host(segment.joint);
    auto skeleton = Skeleton::create(std::move(joints));
    sink_.append(skeleton.diagnostics);
    result_.diagnostics_ok = skeleton.value.has_value();
    if (skeleton) out.skeleton = std::move(*skeleton.value);

    bool triangles = false;
    for (const Part& part : out.parts) {
      for (const Surface& surface : part.surfaces) triangles = triangles || !surface.triangles.empty();
    }
    if (!triangles && options_.stick) {
      out.parts.push_back(stick_body(out.skeleton, "Body_Stick", 0.08 * figure_scale(moved_)));
      sink_.warning(codes::convert_stick_body, "the humanoid has no triangles; it got a body of sticks");
    } else if (!triangles) {
      sink_.warning(codes::convert_no_mesh, "the humanoid has no triangles");
    }
  }

  /// Turn of a bone whose joints count with exponents: product along each chain, mean over the chains.
  Quat blended_turn(const ResolvedGroup& group, const std::vector<Rigid>& change, Unwrap& unwrap) const {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (const auto& chain : group.chains) {
      if (chain.empty()) continue;
      Quat product = Quat::Identity();
      for (const JointIndex joint : chain) {
        const JointIndex parent = source_.skeleton[joint].parent;
        const Quat before = parent == JointIndex::none ? Quat::Identity() : change[index(parent)].turn;
        const auto share = group.group->shares.find(source_.skeleton[joint].name);
        const double exponent = share == group.group->shares.end() ? 1 : share->second.collapse;
        product = product * turn_of(exponent * unwrap.log(index(joint), before.conjugate() * change[index(joint)].turn));
      }
      sum += (sum.dot(product.coeffs()) < 0 ? -1.0 : 1.0) * product.coeffs();
    }
    Quat mean;
    mean.coeffs() = sum.normalized();
    return mean;
  }

  void carry() {
    Humanoid& out = conversion_.humanoid;
    MotionTarget target;
    target.skeleton = &out.skeleton;
    target.slots = source_.skeleton.size();
    target.max_angle_error_rad = options_.max_angle_error_rad;
    target.max_place_error_m = options_.max_place_error_m;
    std::set<JointIndex> travelling;
    const auto rest = rest_locals(source_.skeleton);
    for (const Clip& clip : source_.clips) {
      for (const JointTracks& joint : clip.joints) {
        const Vec3& at_rest = rest[index(joint.joint)].translation;
        if (std::ranges::any_of(joint.translation.values, [&](const Vec3& t) { return (t - at_rest).norm() > 1e-7; }))
          travelling.insert(joint.joint);
      }
    }
    std::vector<JointIndex> mover(out.skeleton.size(), JointIndex::none);  // joint whose motion places the bone
    target.translates.assign(out.skeleton.size(), false);
    for (std::size_t t = 0; t < out.skeleton.size(); ++t) {
      const ResolvedGroup& group = correspondence_.groups[bone_of_target_[t]];
      if (!group.present()) continue;
      const bool by_driver = group.group->common_ancestor || group.origin_joint == JointIndex::none;
      mover[t] = by_driver ? group.driver : group.origin_joint;
      target.translates[t] = group.group->keeps_translation || travelling.contains(group.origin_joint);
    }
    const auto solve = [&](const LocalPose& pose, Unwrap& unwrap) {
      const auto change = rigid_change(source_.skeleton, pose);
      LocalPose local;
      local.parent_from_joint.resize(out.skeleton.size());
      std::vector<Quat> delta(out.skeleton.size(), Quat::Identity());
      std::vector<Vec3> place(out.skeleton.size());
      for (std::size_t t = 0; t < out.skeleton.size(); ++t) {
        const Joint& joint = out.skeleton.joints()[t];
        const std::size_t b = bone_of_target_[t];
        const ResolvedGroup& group = correspondence_.groups[b];
        const bool has_parent = joint.parent != JointIndex::none;
        const std::size_t p = has_parent ? index(joint.parent) : 0;
        if (group.present()) {
          if (group.uses_collapse_factors()) {
            const Quat parent = has_parent ? Quat(delta[p] * rest_.turn[bone_of_target_[p]]) : Quat::Identity();
            delta[t] = parent * blended_turn(group, change, unwrap) * rest_.turn[b].conjugate();
          } else {
            delta[t] = change[index(group.driver)].turn * rest_.turn[b].conjugate();
          }
        } else if (has_parent) {
          delta[t] = delta[p];
        }
        delta[t].normalize();
        place[t] = joint.rest.place;
        if (has_parent) place[t] = place[p] + delta[p] * (joint.rest.place - out.skeleton.joints()[p].rest.place);
        if (mover[t] != JointIndex::none) {
          const Vec3 exact = change[index(mover[t])] * *bones_.place[b] + shift_;
          if (target.translates[t]) {
            place[t] = exact;
          } else {
            conversion_.report.worst_chain_drift_m = std::max(conversion_.report.worst_chain_drift_m, (exact - place[t]).norm());
          }
        }
        const Quat global = delta[t] * joint.rest.turn;
        Transform& own = local.parent_from_joint[t];
        if (has_parent) {
          const Quat parent_global = delta[p] * out.skeleton.joints()[p].rest.turn;
          own.rotation = (parent_global.conjugate() * global).normalized();
          own.translation = parent_global.conjugate() * (place[t] - place[p]);
        } else {
          own.rotation = global;
          own.translation = place[t];
        }
      }
      return local;
    };
    carry_motion(source_, out, target, solve, conversion_.report, sink_);
    if (conversion_.report.worst_chain_drift_m > 1e-3) {
      sink_.note(codes::convert_chain_drift, "bones that only turn drift from their joints' places by up to " +
                                                 std::to_string(conversion_.report.worst_chain_drift_m) + " m in the motion");
    }
  }

  void keep() {
    if (!options_.extras) return;
    Kept kept;
    kept.profile = tables_.joints->name;
    kept.shift = shift_;
    kept.hanim_version = source_.source.hanim_version;
    for (std::size_t j = 0; j < source_.skeleton.size(); ++j) {
      const Joint& joint = source_.skeleton.joints()[j];
      const auto b = static_cast<std::size_t>(correspondence_.group_of_joint[j]);
      KeptJoint entry;
      entry.name = joint.name;
      entry.source_name = joint.source_name;
      if (joint.parent != JointIndex::none) entry.parent = source_.skeleton[joint.parent].name;
      entry.limits = joint.limits;
      entry.stiffness = joint.stiffness;
      if (moved_.place[b]) {
        const Rigid bone{*moved_.place[b], axes_[b].frame};
        const Rigid moved{rest_.change[b] * joint.rest.place + shift_, (rest_.turn[b] * joint.rest.turn).normalized()};
        const Rigid in_bone = bone.inverse() * moved;
        entry.bone = bone_name(b);
        entry.place_in_bone = in_bone.place;
        entry.turn_in_bone = in_bone.turn;
      }
      kept.joints.push_back(std::move(entry));
    }
    for (const auto& limb : tables_.bones->rest_limbs) {
      for (const std::string& name : limb) {
        const int b = bones_.find(name);
        if (b >= 0 && !rest_.from_profile[static_cast<std::size_t>(b)])
          kept.rest_turns.push_back({name, rest_.turn[static_cast<std::size_t>(b)]});
      }
    }
    const auto own = [&](const char* kind, const std::string& name, JointIndex joint) {
      if (joint != JointIndex::none) kept.owners.push_back({kind, name, source_.skeleton[joint].name});
    };
    for (const Site& site : source_.sites) own("site", site.name, site.joint);
    for (const Segment& segment : source_.segments) own("segment", segment.name, segment.joint);
    for (const Part& part : source_.parts) {
      for (const Morph& morph : part.morphs) own("displacer", part.name + "/" + morph.name, morph.joint);
    }
    conversion_.humanoid.kept = std::move(kept);
  }

  const Humanoid& source_;
  const Tables& tables_;
  const ConvertOptions& options_;
  const Kept* kept_;
  Diagnostics sink_;
  Correspondence correspondence_;
  BoneTree bones_;  ///< at the source's rest pose
  BoneTree moved_;  ///< at the target's
  std::vector<int> toward_;
  int root_ = -1;
  std::vector<bool> synthesised_;
  std::vector<JointIndex> kept_joint_;
  std::vector<const KeptJoint*> kept_entry_;
  std::size_t resting_ = 0;
  RestChange rest_;
  std::vector<BoneAxes> axes_;
  Vec3 shift_ = Vec3::Zero();
  std::vector<JointIndex> target_of_bone_;
  std::vector<std::size_t> bone_of_target_;
  struct {
    bool diagnostics_ok = true;
  } result_;
  Conversion conversion_;
};

}  // namespace

Result<Conversion> collapse(const Humanoid& source, const Tables& tables, const ConvertOptions& options) {
  return Collapse(source, tables, options).run();
}

}  // namespace vesalius::convert_detail
