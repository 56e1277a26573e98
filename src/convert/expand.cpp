// Few bones to many joints: rest pose changed, joints placed, weights split, motion shared out.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "convert/axes.hpp"
#include "convert/codes.hpp"
#include "convert/steps.hpp"
#include "convert/synthesis.hpp"
#include "convert/target_joints.hpp"
#include "convert/weights.hpp"

namespace vesalius::convert_detail {
namespace {

constexpr int default_loa = 3;
constexpr double foreign_axes_rad = 0.5;          // half of the bones' axes are farther off: they are not the standard's
constexpr std::size_t most_split_influences = 4;  // weights are only split while a vertex stays within this

class Expand {
 public:
  Expand(const Humanoid& source, const Tables& tables, const ConvertOptions& options)
      : source_(source),
        tables_(tables),
        options_(options),
        kept_(options.loa ? nullptr : usable_kept(source, tables.joints->name, options)) {}

  Result<Conversion> run() {
    find_bones();
    if (known_ == 0) {
      sink_.error(codes::convert_not_a_humanoid, "none of the " + std::to_string(source_.skeleton.size()) +
                                                     " bones is in the vocabulary '" + tables_.bones->name +
                                                     "'; expected a standard human");
      return {std::nullopt, std::move(sink_)};
    }
    copy_looks();
    change_rest();
    if (!build_skeleton()) return {std::nullopt, std::move(sink_)};
    split_weights();
    hang_things();
    carry();
    keep();
    conversion_.humanoid.profile = tables_.joints->name;
    return {std::move(conversion_), std::move(sink_)};
  }

 private:
  void find_bones() {
    const Profile& profile = *tables_.bones;
    bones_.tree.profile = &profile;
    joint_of_bone_.assign(profile.joints.size(), JointIndex::none);
    bone_of_joint_.assign(source_.skeleton.size(), -1);
    for (std::size_t b = 0; b < profile.joints.size(); ++b) {
      bones_.tree.parent.push_back(bones_.tree.find(profile.joints[b].parent));
      const JointIndex joint = source_.skeleton.find(profile.joints[b].name);
      joint_of_bone_[b] = joint;
      bones_.tree.place.push_back(joint == JointIndex::none ? std::nullopt : std::optional<Vec3>(source_.skeleton[joint].rest.place));
      if (joint != JointIndex::none) {
        bone_of_joint_[index(joint)] = static_cast<int>(b);
        ++known_;
      }
      const BoneGroup* group = tables_.mapping->find_bone(profile.joints[b].name);
      bones_.toward.push_back(group != nullptr && !group->toward.empty() ? bones_.tree.find(group->toward) : -1);
    }
    // The figure's own tree is the truth for what hangs on what; a bone that the vocabulary does not know follows its parent.
    for (std::size_t j = 0; j < source_.skeleton.size(); ++j) {
      const Joint& joint = source_.skeleton.joints()[j];
      if (bone_of_joint_[j] >= 0) {
        JointIndex parent = joint.parent;
        while (parent != JointIndex::none && !is_known(parent)) parent = source_.skeleton[parent].parent;
        // Steps over the tree go in the vocabulary's order; a parent that comes later in it is not taken.
        if (parent != JointIndex::none && is_known(parent) && bone_of_joint_[index(parent)] < bone_of_joint_[j]) {
          bones_.tree.parent[static_cast<std::size_t>(bone_of_joint_[j])] = bone_of_joint_[index(parent)];
        }
        continue;
      }
      if (joint.parent != JointIndex::none) bone_of_joint_[j] = bone_of_joint_[index(joint.parent)];
    }
    // Bones that the vocabulary does not know, but that lie between a bone and the one it points at (twist bones), turn the flesh of the
    // bone: the last of them tells its orientation.
    driver_of_bone_ = joint_of_bone_;
    std::set<std::size_t> in_line;
    for (std::size_t b = 0; b < profile.joints.size(); ++b) {
      const int next = bones_.toward[b];
      if (next < 0 || joint_of_bone_[b] == JointIndex::none || joint_of_bone_[static_cast<std::size_t>(next)] == JointIndex::none) continue;
      const JointIndex last = source_.skeleton[joint_of_bone_[static_cast<std::size_t>(next)]].parent;
      std::set<std::size_t> between;
      JointIndex above = last;
      while (above != JointIndex::none && !is_known(above)) {
        between.insert(index(above));
        above = source_.skeleton[above].parent;
      }
      if (between.empty() || above != joint_of_bone_[b]) continue;
      driver_of_bone_[b] = last;
      in_line.insert(between.begin(), between.end());
    }
    for (std::size_t j = 0; j < source_.skeleton.size(); ++j) {
      if (is_known(joint_index(j))) continue;
      const std::string who = "bone '" + source_.skeleton.joints()[j].name + "' has no counterpart; its weights go to ";
      if (in_line.contains(j)) {
        sink_.note(codes::convert_unknown_joint, who + "the bone that it lies in, with its turn");
      } else {
        sink_.warning(codes::convert_unknown_joint, who + "its parent, its own motion is lost");
      }
    }
  }
  [[nodiscard]] bool is_known(JointIndex joint) const {
    const int b = bone_of_joint_[index(joint)];
    return b >= 0 && joint_of_bone_[static_cast<std::size_t>(b)] == joint;
  }
  [[nodiscard]] const BoneGroup* group_of(std::size_t bone) const { return tables_.mapping->find_bone(tables_.bones->joints[bone].name); }
  [[nodiscard]] bool is_static(std::size_t bone) const {
    const BoneGroup* group = group_of(bone);
    return group != nullptr && group->whole;
  }

  void copy_looks() {
    Humanoid& out = conversion_.humanoid;
    out.name = source_.name;
    out.materials = source_.materials;
    out.textures = source_.textures;
    out.metadata = source_.metadata;
    out.asset_blocks = source_.asset_blocks;
    out.source = source_.source;
    out.parts = source_.parts;
    out.sites = source_.sites;
    out.segments = source_.segments;
    const auto bone_of = [&](JointIndex joint) {
      return joint == JointIndex::none ? joint : static_cast<JointIndex>(bone_of_joint_[index(joint)]);
    };
    std::vector<int> target(bone_of_joint_);
    for (int& bone : target) {
      if (bone >= 0 && is_static(static_cast<std::size_t>(bone))) bone = -1;  // the static bone carries what stays at rest
    }
    for (Part& part : out.parts) {
      part.influences = summed(part.influences, target, nullptr);
      for (Morph& morph : part.morphs) morph.joint = bone_of(morph.joint);
    }
    for (Site& site : out.sites) site.joint = bone_of(site.joint);
    for (Segment& segment : out.segments) segment.joint = bone_of(segment.joint);
  }

  void change_rest() {
    const auto kept_turns = kept_ != nullptr ? std::span<const KeptTurn>(kept_->rest_turns) : std::span<const KeptTurn>();
    rest_ = rest_change(bones_.tree, *tables_.mapping, *tables_.joints, RestDirection::towards_joints, options_, kept_turns, sink_);
    conversion_.report.limbs = rest_.limbs;
    Humanoid& out = conversion_.humanoid;
    const Places before = places_of(out.parts);
    for (Part& part : out.parts) repose(part, rest_.change, Blend::inverse, sink_);
    std::vector<bool> limbs(bones_.tree.place.size(), false);
    for (std::size_t b = 0; b < limbs.size(); ++b) limbs[b] = angle_between_rad(rest_.turn[b], Quat::Identity()) > 1e-6;
    conversion_.report.vertices_entered_body = entered_body(before, out.parts, limbs);
    if (conversion_.report.vertices_entered_body > 0) {
      sink_.warning(codes::convert_vertices_entered,
                    std::to_string(conversion_.report.vertices_entered_body) +
                        " vertices of the limbs lie inside the body in the target's rest pose; an arm clearance turns the arms out");
    }
    if (kept_ != nullptr) shift_ = -kept_->shift;
    bones_.frame.assign(bones_.tree.place.size(), Quat::Identity());
    for (std::size_t b = 0; b < bones_.tree.place.size(); ++b) {
      if (!bones_.tree.place[b]) continue;
      bones_.frame[b] = (rest_.turn[b] * source_.skeleton[joint_of_bone_[b]].rest.turn).normalized();
      if (!is_static(b)) bones_.tree.place[b] = rest_.change[b] * *bones_.tree.place[b] + shift_;
    }
    for (Site& site : out.sites) {
      if (site.joint == JointIndex::none) continue;
      const auto b = index(site.joint);
      site.rest.place = rest_.change[b] * site.rest.place;
      site.rest.turn = (rest_.turn[b] * site.rest.turn).normalized();
    }
    for (Segment& segment : out.segments) {
      if (segment.joint != JointIndex::none) turn_segment(segment, rest_.change[index(segment.joint)], rest_.turn[index(segment.joint)]);
    }
    move_by(out, shift_);
    find_directions();
  }

  /// Bones lie along their y axes, as the standard asks, unless those that point at another bone show that this figure's axes are others
  /// (some programs give every bone new ones): then a leaf's direction is measured.
  void find_directions() {
    const std::size_t count = bones_.tree.place.size();
    std::vector<double> off_rad;
    for (std::size_t b = 0; b < count; ++b) {
      bones_.along.push_back(bones_.frame[b] * Vec3::UnitY());
      const int next = bones_.toward[b];
      if (next < 0 || !bones_.tree.place[b] || !bones_.tree.place[static_cast<std::size_t>(next)]) continue;
      const Vec3 way = *bones_.tree.place[static_cast<std::size_t>(next)] - *bones_.tree.place[b];
      off_rad.push_back(std::atan2(way.cross(bones_.along[b]).norm(), way.dot(bones_.along[b])));
    }
    std::ranges::sort(off_rad);
    if (off_rad.empty() || off_rad[off_rad.size() / 2] < foreign_axes_rad) return;
    std::vector<std::vector<std::string>> tips;
    for (std::size_t b = 0; b < count; ++b) {
      tips.push_back({tables_.bones->joints[b].tip});
      if (const BoneGroup* group = group_of(b)) tips.back().insert(tips.back().end(), group->tips.begin(), group->tips.end());
    }
    const auto measured = bone_axes(bones_.tree, bones_.toward, tips, conversion_.humanoid.parts, conversion_.humanoid.sites);
    for (std::size_t b = 0; b < count; ++b) bones_.along[b] = measured[b].frame * Vec3::UnitY();
    sink_.note(codes::convert_bone_direction, "the bones' y axes do not lie along the bones; directions of leaf bones were measured");
  }

  bool build_skeleton() {
    const int loa = options_.loa.value_or(default_loa);
    auto joints = kept_ != nullptr ? kept_joints(*kept_, bones_, sink_) : level_joints(tables_, bones_, loa);
    auto skeleton = Skeleton::create(std::move(joints));
    sink_.append(skeleton.diagnostics);
    if (!skeleton) return false;
    conversion_.humanoid.skeleton = std::move(*skeleton.value);
    Diagnostics scratch;  // what the figure's own joints lack was said when it was made
    joints_ = resolve(*tables_.mapping, *tables_.bones, conversion_.humanoid.skeleton, scratch);
    // Bones without a joint go to the nearest ancestor that has one.
    host_.assign(bones_.tree.place.size(), -1);
    for (std::size_t b = 0; b < host_.size(); ++b) {
      if (joints_.groups[b].present()) {
        host_[b] = static_cast<int>(b);
        continue;
      }
      const int parent = bones_.tree.parent[b];
      host_[b] = parent >= 0 ? host_[static_cast<std::size_t>(parent)] : -1;
      if (bones_.tree.place[b] && !is_static(b)) {
        sink_.note(codes::convert_merged_bone,
                   "bone '" + tables_.bones->joints[b].name + "' has no joint at this level; it goes into '" +
                       (host_[b] >= 0 ? tables_.bones->joints[static_cast<std::size_t>(host_[b])].name : std::string("the rest")) + "'");
      }
    }
    // A bone that stands for merged ones takes the orientation of the last of them along its line that others hang on.
    orientation_.resize(host_.size());
    for (std::size_t b = 0; b < host_.size(); ++b) {
      orientation_[b] = b;
      int next = bones_.toward[b];
      while (next >= 0 && host_[static_cast<std::size_t>(next)] == static_cast<int>(b) &&
             bones_.tree.place[static_cast<std::size_t>(next)]) {
        const auto n = static_cast<std::size_t>(next);
        if (std::ranges::count(bones_.tree.parent, next) > 1) orientation_[b] = n;
        next = bones_.toward[n];
      }
    }
    for (std::size_t b = 0; b < host_.size(); ++b) {
      BoneReport report;
      report.bone = tables_.bones->joints[b].name;
      report.table_line = joints_.groups[b].group != nullptr ? joints_.groups[b].group->line : 0;
      for (std::size_t j = 0; j < joints_.group_of_joint.size(); ++j) {
        if (joints_.group_of_joint[j] == static_cast<int>(b)) report.joints.push_back(conversion_.humanoid.skeleton.joints()[j].name);
      }
      if (bones_.tree.place[b]) conversion_.report.bones.push_back(std::move(report));
    }
    return true;
  }

  [[nodiscard]] JointIndex host_joint(std::size_t bone) const {
    const int h = host_[bone];
    return h < 0 ? JointIndex::none : joints_.groups[static_cast<std::size_t>(h)].driver;
  }

  /// How the weight of each bone is split over its joints.
  [[nodiscard]] std::vector<SplitBone> splits() const {
    const Skeleton& skeleton = conversion_.humanoid.skeleton;
    std::vector<SplitBone> result(host_.size());
    for (std::size_t b = 0; b < host_.size(); ++b) {
      SplitBone& bone = result[b];
      bone.single = host_joint(b);
      if (host_[b] != static_cast<int>(b)) continue;
      for (const auto& chain : joints_.groups[b].chains) {
        if (chain.empty()) continue;
        SplitChain part;
        part.joints = chain;
        for (const JointIndex joint : chain) part.places.push_back(skeleton[joint].rest.place);
        const int next = bones_.toward[b];
        if (next >= 0 && bones_.tree.place[static_cast<std::size_t>(next)]) {
          part.end = *bones_.tree.place[static_cast<std::size_t>(next)];
        } else if (chain.size() > 1) {
          part.end = 2 * part.places.back() - part.places[part.places.size() - 2];
        } else {
          part.end = part.places.front();
        }
        bone.chains.push_back(std::move(part));
      }
    }
    return result;
  }

  void split_weights() {
    const auto bones = splits();
    // Joints that the kept shares name, in the new skeleton.
    std::vector<JointIndex> kept_joint;
    std::vector<int> bone_of_kept;
    if (kept_ != nullptr) {
      for (const KeptJoint& entry : kept_->joints) {
        kept_joint.push_back(conversion_.humanoid.skeleton.find(entry.name));
        bone_of_kept.push_back(kept_joint.back() == JointIndex::none ? -1 : joints_.group_of_joint[index(kept_joint.back())]);
      }
    }
    for (Part& part : conversion_.humanoid.parts) {
      Influences result;
      result.begin.reserve(part.influences.begin.size());
      result.items.reserve(part.influences.items.size() + part.influences.items.size() / 2);
      std::vector<Influence> sorted, merged;
      const bool shares = kept_ != nullptr && part.kept_influences.vertices() == part.positions.size();
      for (std::size_t v = 0; v < part.positions.size(); ++v) {
        const auto items = part.influences.of(v);
        sorted.assign(items.begin(), items.end());
        std::stable_sort(sorted.begin(), sorted.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
        merged.clear();
        const double dropped = shares ? restore_shares(part.kept_influences.of(v), bone_of_kept, kept_joint, sorted, merged) : 0;
        std::size_t free = most_split_influences > sorted.size() ? most_split_influences - sorted.size() : 0;
        for (const Influence& influence : sorted) {
          if (influence.weight == 0) continue;  // already restored
          for (const Influence& piece : split_within(bones[index(influence.joint)], part.positions[v], free)) {
            if (piece.joint != JointIndex::none) merged.push_back({piece.joint, piece.weight * influence.weight * (1 - dropped)});
          }
        }
        merge_influences(merged);
        result.items.insert(result.items.end(), merged.begin(), merged.end());
        result.end_vertex();
      }
      part.influences = std::move(result);
      part.kept_influences = {};
    }
  }

  /// Sites, segments and displacers find their joint: as kept, else by the segment's name, else by the bone.
  void hang_things() {
    Humanoid& out = conversion_.humanoid;
    std::map<std::pair<std::string, std::string>, std::string> owner;
    if (kept_ != nullptr) {
      for (const KeptOwner& entry : kept_->owners) owner.emplace(std::pair(entry.kind, entry.name), entry.joint);
    }
    const auto joint_for = [&](const char* kind, const std::string& name, const std::string& segment, JointIndex bone) {
      if (const auto found = owner.find({kind, name}); found != owner.end()) {
        const JointIndex joint = out.skeleton.find(found->second);
        if (joint != JointIndex::none) return joint;
      }
      if (const ProfileSegment* known = segment.empty() ? nullptr : tables_.joints->match_segment(segment)) {
        const JointIndex joint = out.skeleton.find(known->joint);
        if (joint != JointIndex::none) return joint;
      }
      return bone == JointIndex::none ? JointIndex::none : host_joint(index(bone));
    };
    for (Site& site : out.sites) site.joint = joint_for("site", site.name, site.segment, site.joint);
    for (Segment& segment : out.segments) segment.joint = joint_for("segment", segment.name, segment.name, segment.joint);
    for (Part& part : out.parts) {
      for (Morph& morph : part.morphs) morph.joint = joint_for("displacer", part.name + "/" + morph.name, "", morph.joint);
    }
    if (!out.segments.empty() || kept_ != nullptr) return;
    for (std::size_t j = 0; j < out.skeleton.size(); ++j) {
      const ProfileJoint* joint = tables_.joints->find(out.skeleton.joints()[j].name);
      if (joint == nullptr || joint->segment.empty()) continue;
      Segment segment;
      segment.name = joint->segment;
      segment.joint = joint_index(j);
      out.segments.push_back(std::move(segment));
    }
  }

  /// Where a joint stands in its group's chain.
  struct Place {
    std::size_t bone = 0;
    bool in_chain = false;
    bool first = false;
    bool last = false;     ///< of a chain whose turns simply multiply: takes exactly what is left
    double share = 0;      ///< normalised
    std::size_t slot = 0;  ///< of the chain's turn in the unwrap state
  };

  [[nodiscard]] std::vector<Place> places(std::size_t& slots) const {
    const Skeleton& skeleton = conversion_.humanoid.skeleton;
    std::vector<Place> result(skeleton.size());
    slots = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) result[j].bone = static_cast<std::size_t>(std::max(0, joints_.group_of_joint[j]));
    for (std::size_t b = 0; b < joints_.groups.size(); ++b) {
      const ResolvedGroup& group = joints_.groups[b];
      if (group.group == nullptr || group.whole()) continue;
      for (const auto& chain : group.chains) {
        double sum = 0;
        // Joints that the table does not know (twist joints) take what is left only.
        const auto named = static_cast<double>(
            std::ranges::count_if(chain, [&](JointIndex joint) { return tables_.mapping->group_of(skeleton[joint].name) != nullptr; }));
        for (const JointIndex joint : chain) {
          const auto share = group.group->shares.find(skeleton[joint].name);
          if (share != group.group->shares.end()) sum += share->second.rotation * share->second.collapse;
        }
        for (std::size_t i = 0; i < chain.size(); ++i) {
          Place& place = result[index(chain[i])];
          const auto share = group.group->shares.find(skeleton[chain[i]].name);
          place.in_chain = true;
          place.first = i == 0;
          place.slot = slots;
          const bool known = tables_.mapping->group_of(skeleton[chain[i]].name) != nullptr;
          place.share = !known                                           ? 0
                        : share == group.group->shares.end() || sum <= 0 ? 1.0 / std::max(1.0, named)
                                                                         : share->second.rotation / sum;
          place.last = chain[i] == group.driver && !group.uses_collapse_factors();
        }
        ++slots;
      }
    }
    return result;
  }

  void carry() {
    Humanoid& out = conversion_.humanoid;
    MotionTarget target;
    target.skeleton = &out.skeleton;
    target.max_angle_error_rad = options_.max_angle_error_rad;
    target.max_place_error_m = options_.max_place_error_m;
    const auto joint_places = places(target.slots);
    std::set<int> travelling;  // bones with a translation of their own
    const auto rest = rest_locals(source_.skeleton);
    for (const Clip& clip : source_.clips) {
      for (const JointTracks& joint : clip.joints) {
        const Vec3& at_rest = rest[index(joint.joint)].translation;
        if (std::ranges::any_of(joint.translation.values, [&](const Vec3& t) { return (t - at_rest).norm() > 1e-7; })) {
          travelling.insert(bone_of_joint_[index(joint.joint)]);
        }
      }
    }
    target.translates.assign(out.skeleton.size(), false);
    for (std::size_t j = 0; j < out.skeleton.size(); ++j) {
      const Place& place = joint_places[j];
      target.translates[j] = out.skeleton.joints()[j].parent == JointIndex::none ||
                             (place.first && (travelling.contains(static_cast<int>(place.bone)) &&
                                              joints_.groups[place.bone].chains.front().front() == joint_index(j)));
    }
    const auto solve = [&](const LocalPose& pose, Unwrap& unwrap) {
      const auto change = rigid_change(source_.skeleton, pose);
      // Change of each bone from the target's rest pose, in the target's coordinates.
      std::vector<Rigid> bone(joint_of_bone_.size());
      for (std::size_t b = 0; b < bone.size(); ++b) {
        if (joint_of_bone_[b] == JointIndex::none) {
          if (bones_.tree.parent[b] >= 0) bone[b] = bone[static_cast<std::size_t>(bones_.tree.parent[b])];
          continue;
        }
        Rigid now = change[index(joint_of_bone_[b])];
        if (driver_of_bone_[b] != joint_of_bone_[b]) {
          const Vec3& origin = source_.skeleton[joint_of_bone_[b]].rest.place;
          const Vec3 place = now * origin;
          now.turn = change[index(driver_of_bone_[b])].turn;
          now.place = place - now.turn * origin;
        }
        const Rigid undo{rest_.change[b].translation(), rest_.turn[b]};
        bone[b] = now * undo.inverse();
        bone[b].place += shift_ - bone[b].turn * shift_;
      }
      LocalPose local;
      local.parent_from_joint.resize(out.skeleton.size());
      std::vector<Quat> delta(out.skeleton.size(), Quat::Identity());
      std::vector<Vec3> place(out.skeleton.size());
      std::vector<Vec3> chain_log(target.slots, Vec3::Zero());
      for (std::size_t j = 0; j < out.skeleton.size(); ++j) {
        const Joint& joint = out.skeleton.joints()[j];
        const Place& own = joint_places[j];
        const bool has_parent = joint.parent != JointIndex::none;
        const std::size_t p = has_parent ? index(joint.parent) : 0;
        const Quat before = has_parent ? delta[p] : Quat::Identity();
        const Quat& goal = bone[orientation_[own.bone]].turn;
        delta[j] = before;
        if (own.in_chain) {
          if (own.first) chain_log[own.slot] = unwrap.log(own.slot, before.conjugate() * goal);
          delta[j] = own.last ? goal : Quat(before * turn_of(own.share * chain_log[own.slot]));
        }
        delta[j].normalize();
        place[j] = joint.rest.place;
        if (has_parent) place[j] = place[p] + delta[p] * (joint.rest.place - out.skeleton.joints()[p].rest.place);
        if (own.in_chain && own.first) {
          const Vec3 exact = bone[own.bone] * joint.rest.place;
          if (target.translates[j]) {
            place[j] = exact;
          } else {
            conversion_.report.worst_chain_drift_m = std::max(conversion_.report.worst_chain_drift_m, (exact - place[j]).norm());
          }
        }
        Transform& result = local.parent_from_joint[j];
        const Quat global = delta[j] * joint.rest.turn;
        if (has_parent) {
          const Quat parent_global = delta[p] * out.skeleton.joints()[p].rest.turn;
          result.rotation = (parent_global.conjugate() * global).normalized();
          result.translation = parent_global.conjugate() * (place[j] - place[p]);
        } else {
          result.rotation = global;
          result.translation = place[j];
        }
      }
      return local;
    };
    carry_motion(source_, out, target, solve, conversion_.report, sink_);
    if (conversion_.report.worst_chain_drift_m > 1e-3) {
      sink_.note(codes::convert_chain_drift, "joints that only turn drift from their bones' places by up to " +
                                                 std::to_string(conversion_.report.worst_chain_drift_m) + " m in the motion");
    }
  }

  void keep() {
    if (!options_.extras) return;
    Kept kept;
    kept.profile = tables_.bones->name;
    kept.shift = shift_;
    for (std::size_t b = 0; b < joint_of_bone_.size(); ++b) {
      if (joint_of_bone_[b] == JointIndex::none) continue;
      const Joint& joint = source_.skeleton[joint_of_bone_[b]];
      KeptJoint entry;
      entry.name = joint.name;
      entry.source_name = joint.source_name;
      if (joint.parent != JointIndex::none) entry.parent = source_.skeleton[joint.parent].name;
      // A bone's own first joint carries its frame; a merged bone hangs on the joint that stands for it.
      JointIndex on = JointIndex::none;
      if (host_[b] == static_cast<int>(b)) on = joints_.groups[b].chains.front().front();
      if (on == JointIndex::none) on = host_joint(b);
      Rigid carrier;
      if (on != JointIndex::none && !is_static(b)) {
        carrier = conversion_.humanoid.skeleton[on].rest;
        entry.bone = conversion_.humanoid.skeleton[on].name;
      }
      const Rigid in_joint = carrier.inverse() * Rigid{*bones_.tree.place[b], bones_.frame[b]};
      entry.place_in_bone = in_joint.place;
      entry.turn_in_bone = in_joint.turn;
      kept.joints.push_back(std::move(entry));
    }
    for (const auto& limb : tables_.bones->rest_limbs) {
      for (const std::string& name : limb) {
        const int b = bones_.tree.find(name);
        if (b >= 0 && joint_of_bone_[static_cast<std::size_t>(b)] != JointIndex::none && !rest_.from_profile[static_cast<std::size_t>(b)]) {
          kept.rest_turns.push_back({name, rest_.turn[static_cast<std::size_t>(b)]});
        }
      }
    }
    if (kept_ != nullptr) conversion_.humanoid.source.hanim_version = kept_->hanim_version;
    conversion_.humanoid.kept = std::move(kept);
  }

  const Humanoid& source_;
  const Tables& tables_;
  const ConvertOptions& options_;
  const Kept* kept_;
  Diagnostics sink_;
  PlacedBones bones_;                       ///< at the target's rest pose once change_rest ran
  std::vector<JointIndex> joint_of_bone_;   ///< source joint of each profile bone
  std::vector<JointIndex> driver_of_bone_;  ///< source joint whose orientation is the bone's
  std::vector<int> bone_of_joint_;          ///< profile bone that each source joint's weights belong to
  std::size_t known_ = 0;
  RestChange rest_;
  Vec3 shift_ = Vec3::Zero();
  Correspondence joints_;                 ///< the mapping resolved against the new skeleton
  std::vector<int> host_;                 ///< bone whose joints stand for each bone
  std::vector<std::size_t> orientation_;  ///< bone whose orientation each bone's joints take
  Conversion conversion_;
};

}  // namespace

Result<Conversion> expand(const Humanoid& source, const Tables& tables, const ConvertOptions& options) {
  return Expand(source, tables, options).run();
}

}  // namespace vesalius::convert_detail
