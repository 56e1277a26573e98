#include "convert/level.hpp"

#include <algorithm>
#include <map>

#include "convert/codes.hpp"
#include "convert/new_joints.hpp"
#include "convert/steps.hpp"
#include "convert/weights.hpp"

namespace vesalius::convert_detail {
namespace {

constexpr std::size_t most_split_influences = 4;  // as when bones are expanded
constexpr double leaf_length_m = 0.08;            // of sticks

/// One change of level, or none. Joints of the source are kept or removed, joints of the level are made; the rest follows from that.
class Level {
 public:
  Level(const Humanoid& source, const Profile& profile, const ConvertOptions& options)
      : source_(source), profile_(profile), options_(options), kept_(usable_kept(source, profile.name, options)) {
    conversion_.humanoid = source;
  }

  Result<Conversion> run() {
    if (options_.loa && !in_range(*options_.loa)) return {std::nullopt, std::move(sink_)};
    choose_joints();
    change_rest();
    if (!build_skeleton()) return {std::nullopt, std::move(sink_)};
    weights();
    hang_things();
    if (changed_) carry();
    keep();
    sticks();
    return {std::move(conversion_), std::move(sink_)};
  }

 private:
  bool in_range(int loa) {
    int highest = 0;
    for (const ProfileJoint& joint : profile_.joints) highest = std::max(highest, joint.lowest_loa);
    if (loa >= 0 && loa <= highest) return true;
    sink_.error(codes::convert_level, "level of articulation " + std::to_string(loa) + " is outside 0 to " + std::to_string(highest) +
                                          " of '" + profile_.name + "'");
    return false;
  }

  void choose_joints() {
    const std::size_t count = source_.skeleton.size();
    stands_for_.resize(count);
    for (std::size_t j = 0; j < count; ++j) {
      const Joint& joint = source_.skeleton.joints()[j];
      const ProfileJoint* known = profile_.find(joint.name);
      const bool stays = !options_.loa || known == nullptr || known->lowest_loa <= *options_.loa || joint.parent == JointIndex::none;
      stands_for_[j] = stays ? joint_index(j) : stands_for_[index(joint.parent)];
      if (stays) continue;
      changed_ = true;
      sink_.note(codes::convert_removed_joint, "joint '" + joint.name + "' is above level " + std::to_string(*options_.loa) +
                                                   "; its weights go to '" + source_.skeleton[stands_for_[j]].name +
                                                   "', its own motion is lost");
    }
    if (!options_.loa) return;
    made_ = new_joints(source_.skeleton, profile_, *options_.loa, kept_);
    std::string made_up;
    for (const NewJoint& joint : made_.joints) {
      changed_ = true;
      if (!joint.kept) made_up += (made_up.empty() ? "" : ", ") + joint.name;
    }
    if (!made_up.empty())
      sink_.warning(codes::convert_synthesised_bone, "joints of level " + std::to_string(*options_.loa) +
                                                         " that the figure lacks were made and rest on their parents: " + made_up);
    for (const std::string& name : made_.without_ancestor)
      sink_.warning(codes::convert_level, "joint '" + name + "' of level " + std::to_string(*options_.loa) +
                                              " was not made: the figure has no joint that it could hang on");
  }

  /// Only figures of bones have a rest pose of their standard's; what H-Anim files rest in is theirs.
  void change_rest() {
    const std::size_t count = source_.skeleton.size();
    turn_.assign(count, Quat::Identity());
    change_.assign(count, Affine::Identity());
    if (!profile_.has_bone_axes) return;
    BoneTree tree;
    tree.profile = &profile_;
    for (const ProfileJoint& joint : profile_.joints) {
      tree.parent.push_back(tree.find(joint.parent));
      const JointIndex own = source_.skeleton.find(joint.name);
      tree.place.push_back(own == JointIndex::none ? std::nullopt : std::optional<Vec3>(source_.skeleton[own].rest.place));
    }
    const RestChange rest = rest_change(tree, identity_mapping(profile_), profile_, RestDirection::towards_bones, options_, {}, sink_);
    conversion_.report.limbs = rest.limbs;
    for (std::size_t j = 0; j < count; ++j) {
      const Joint& joint = source_.skeleton.joints()[j];
      if (const int b = tree.find(joint.name); b >= 0) {
        turn_[j] = rest.turn[static_cast<std::size_t>(b)];
        change_[j] = rest.change[static_cast<std::size_t>(b)];
      } else if (joint.parent != JointIndex::none) {
        turn_[j] = turn_[index(joint.parent)];
        change_[j] = change_[index(joint.parent)];
      }
      turns_ = turns_ || angle_between_rad(turn_[j], Quat::Identity()) > 1e-9;
    }
    changed_ = changed_ || turns_;
    if (!turns_) return;
    Humanoid& out = conversion_.humanoid;
    for (Part& part : out.parts) repose(part, change_, Blend::forward, sink_);
    for (Site& site : out.sites) {
      if (site.joint == JointIndex::none) continue;
      const auto j = index(site.joint);
      site.rest = {change_[j] * site.rest.place, (turn_[j] * site.rest.turn).normalized()};
    }
    for (Segment& segment : out.segments) {
      if (segment.joint != JointIndex::none) turn_segment(segment, change_[index(segment.joint)], turn_[index(segment.joint)]);
    }
  }

  [[nodiscard]] Rigid moved_rest(JointIndex joint) const {
    const Rigid& rest = source_.skeleton[joint].rest;
    return {change_[index(joint)] * rest.place, (turn_[index(joint)] * rest.turn).normalized()};
  }

  bool build_skeleton() {
    const std::size_t count = source_.skeleton.size();
    target_.assign(count, -1);
    if (!changed_) {  // the source's own, to the last bit
      for (std::size_t j = 0; j < count; ++j) target_[j] = static_cast<int>(j);
      return true;
    }
    std::vector<Joint> joints;
    std::map<std::string, JointIndex> made;
    // Parents first: what hangs on a joint that is not there yet waits for the next round.
    const auto add = [&](Joint joint, const std::string& parent, JointIndex driver) {
      if (!parent.empty()) joint.parent = made.at(parent);
      made.emplace(joint.name, joint_index(joints.size()));
      joints.push_back(std::move(joint));
      driver_.push_back(driver);
    };
    // A joint that goes is stood for by the one that takes it in.
    const auto standing = [&](const std::string& name) {
      const JointIndex joint = source_.skeleton.find(name);
      return joint == JointIndex::none ? name : source_.skeleton[stands_for_[index(joint)]].name;
    };
    // Where the file's own tree and that of the new joints wait for each other, the file's own wins.
    bool own_parents = false;
    for (bool more = true; more;) {
      more = false;
      bool waits = false;
      for (std::size_t j = 0; j < count; ++j) {
        const Joint& joint = source_.skeleton.joints()[j];
        if (stands_for_[j] != joint_index(j) || made.contains(joint.name)) continue;
        std::string parent = joint.parent == JointIndex::none ? std::string() : source_.skeleton[stands_for_[index(joint.parent)]].name;
        if (const auto fresh = made_.parent_of.find(joint.name); !own_parents && fresh != made_.parent_of.end()) parent = fresh->second;
        if (!parent.empty() && !made.contains(parent)) {
          waits = true;
          continue;
        }
        Joint copy = joint;
        copy.parent = JointIndex::none;
        if (turns_) copy.rest = moved_rest(joint_index(j));
        add(std::move(copy), parent, joint_index(j));
        more = true;
      }
      for (const NewJoint& fresh : made_.joints) {
        const std::string parent = standing(fresh.parent);
        if (made.contains(fresh.name) || !made.contains(parent)) continue;
        Joint joint;
        joint.name = fresh.name;
        joint.source_name = fresh.source_name;
        joint.rest = fresh.rest;
        joint.limits = fresh.limits;
        joint.stiffness = fresh.stiffness;
        const JointIndex carrier = source_.skeleton.find(fresh.carrier);
        add(std::move(joint), parent, carrier != JointIndex::none ? carrier : driver_[index(made.at(parent))]);
        more = true;
      }
      if (!more && waits && !own_parents) {
        own_parents = true;
        more = true;
      }
    }
    std::erase_if(made_.joints, [&](const NewJoint& fresh) { return !made.contains(fresh.name); });
    for (std::size_t j = 0; j < count; ++j) target_[j] = static_cast<int>(index(made.at(source_.skeleton[stands_for_[j]].name)));
    auto skeleton = Skeleton::create(std::move(joints));
    sink_.append(skeleton.diagnostics);
    if (skeleton) conversion_.humanoid.skeleton = std::move(*skeleton.value);
    return skeleton.value.has_value();
  }

  void weights() {
    Humanoid& out = conversion_.humanoid;
    const bool keeps = options_.extras && lowers() && !foreign_kept();
    for (Part& part : out.parts) {
      if (!changed_) break;
      const PerVertex<KeptInfluence> shares = std::move(part.kept_influences);
      part.kept_influences = {};
      part.influences = summed(part.influences, target_, keeps ? &part.kept_influences : nullptr);
      if (foreign_kept()) part.kept_influences = shares;
      if (!made_.joints.empty()) split_onto_new(part, shares);
      for (Morph& morph : part.morphs) morph.joint = moved(morph.joint);
    }
    if (profile_.has_bone_axes) obey_limits();
  }

  /// What the standard of few bones asks of weights; the static root needs no share here, what is missing stays at rest.
  void obey_limits() {
    NormaliseReport normalised;
    LimitReport limited;
    for (Part& part : conversion_.humanoid.parts) {
      const NormaliseReport n = normalise(part.influences, rounding_of_floats);
      const LimitReport l = limit(part.influences, options_.max_influences);
      normalised.above += n.above;
      limited.vertices += l.vertices;
      limited.dropped += l.dropped;
      limited.worst = std::max(limited.worst, l.worst);
    }
    conversion_.report.influences_dropped = limited.dropped;
    conversion_.report.worst_dropped_weight = limited.worst;
    report_weights(normalised, limited, options_.max_influences, sink_);
  }

  /// Splits weights of a joint onto the new joints below it. They all move with it, so that any split looks the same.
  void split_onto_new(Part& part, const PerVertex<KeptInfluence>& shares) const {
    const Skeleton& skeleton = conversion_.humanoid.skeleton;
    const auto bones = split_bones();
    std::vector<int> bone_of_kept;       // target joint that carries each kept joint in the figure as it is
    std::vector<JointIndex> kept_joint;  // and where its weights go now
    if (kept_ != nullptr && shares.vertices() == part.positions.size()) {
      for (const KeptJoint& entry : kept_->joints) {
        const JointIndex carrier = source_.skeleton.find(entry.bone);
        bone_of_kept.push_back(carrier == JointIndex::none ? -1 : target_[index(carrier)]);
        std::string name = entry.name;
        while (!name.empty() && skeleton.find(name) == JointIndex::none) {
          const auto up = std::ranges::find(kept_->joints, name, &KeptJoint::name);
          name = up == kept_->joints.end() ? std::string() : up->parent;
        }
        kept_joint.push_back(skeleton.find(name));
      }
    }
    Influences result;
    std::vector<Influence> sorted, merged;
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      const auto items = part.influences.of(v);
      sorted.assign(items.begin(), items.end());
      std::ranges::stable_sort(sorted, std::ranges::greater{}, &Influence::weight);
      merged.clear();
      if (!kept_joint.empty()) restore_shares(shares.of(v), bone_of_kept, kept_joint, sorted, merged);
      std::size_t free = most_split_influences > sorted.size() ? most_split_influences - sorted.size() : 0;
      for (const Influence& influence : sorted) {
        if (influence.weight == 0) continue;  // restored
        for (const Influence& piece : split_within(bones[index(influence.joint)], part.positions[v], free))
          merged.push_back({piece.joint, piece.weight * influence.weight});
      }
      merge_influences(merged);
      result.items.insert(result.items.end(), merged.begin(), merged.end());
      result.end_vertex();
    }
    part.influences = std::move(result);
  }

  /// Per joint of the new skeleton: the chains of new joints below it.
  [[nodiscard]] std::vector<SplitBone> split_bones() const {
    const Skeleton& skeleton = conversion_.humanoid.skeleton;
    std::vector<bool> fresh(skeleton.size(), false);
    for (const NewJoint& joint : made_.joints) fresh[index(skeleton.find(joint.name))] = true;
    std::vector<SplitBone> result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      result[j].single = joint_index(j);
      if (fresh[j]) continue;
      // Depth first through new joints only; every way to a last one is a chain.
      std::vector<std::vector<JointIndex>> open{{joint_index(j)}};
      while (!open.empty()) {
        const auto way = open.back();
        open.pop_back();
        bool last = true;
        std::optional<Vec3> end;
        for (const JointIndex child : skeleton.children(way.back())) {
          if (fresh[index(child)]) {
            last = false;
            open.push_back(way);
            open.back().push_back(child);
          } else if (!end) {
            end = skeleton[child].rest.place;
          }
        }
        if ((!last && !end) || way.size() == 1) continue;
        SplitChain chain;
        chain.joints = way;
        for (const JointIndex joint : way) chain.places.push_back(skeleton[joint].rest.place);
        chain.end = end.value_or(2 * chain.places.back() - chain.places[chain.places.size() - 2]);
        result[j].chains.push_back(std::move(chain));
      }
    }
    return result;
  }

  [[nodiscard]] JointIndex moved(JointIndex joint) const {
    return joint == JointIndex::none ? joint : static_cast<JointIndex>(target_[index(joint)]);
  }

  void hang_things() {
    Humanoid& out = conversion_.humanoid;
    std::map<std::pair<std::string, std::string>, std::string> owner;
    if (kept_ != nullptr && !made_.joints.empty()) {
      for (const KeptOwner& entry : kept_->owners) owner.emplace(std::pair(entry.kind, entry.name), entry.joint);
    }
    const auto hang = [&](const char* kind, const std::string& name, JointIndex joint) {
      if (const auto found = owner.find({kind, name}); found != owner.end()) {
        if (const JointIndex own = out.skeleton.find(found->second); own != JointIndex::none) return own;
      }
      return moved(joint);
    };
    for (Site& site : out.sites) site.joint = hang("site", site.name, site.joint);
    for (Segment& segment : out.segments) segment.joint = hang("segment", segment.name, segment.joint);
    for (Part& part : out.parts) {
      for (Morph& morph : part.morphs) {
        if (const auto found = owner.find({"displacer", part.name + "/" + morph.name}); found != owner.end()) {
          if (const JointIndex own = out.skeleton.find(found->second); own != JointIndex::none) morph.joint = own;
        }
      }
    }
    if (out.segments.empty()) return;
    for (const NewJoint& fresh : made_.joints) {
      const ProfileJoint* known = profile_.find(fresh.name);
      if (known == nullptr || known->segment.empty()) continue;
      if (std::ranges::any_of(out.segments, [&](const Segment& s) { return s.name == known->segment; })) continue;
      Segment segment;
      segment.name = known->segment;
      segment.joint = out.skeleton.find(fresh.name);
      out.segments.push_back(std::move(segment));
    }
  }

  void carry() {
    Humanoid& out = conversion_.humanoid;
    MotionTarget motion;
    motion.skeleton = &out.skeleton;
    motion.translates.assign(out.skeleton.size(), true);
    motion.max_angle_error_rad = options_.max_angle_error_rad;
    motion.max_place_error_m = options_.max_place_error_m;
    const auto solve = [&](const LocalPose& pose, Unwrap&) {
      const auto change = rigid_change(source_.skeleton, pose);
      std::vector<Rigid> now(out.skeleton.size());
      LocalPose local;
      for (std::size_t t = 0; t < now.size(); ++t) {
        const std::size_t driver = index(driver_[t]);
        const Rigid from_rest = change[driver] * Rigid{change_[driver].translation(), turn_[driver]}.inverse();
        now[t] = from_rest * out.skeleton.joints()[t].rest;
        const JointIndex parent = out.skeleton.joints()[t].parent;
        const Rigid own = parent == JointIndex::none ? now[t] : now[index(parent)].inverse() * now[t];
        local.parent_from_joint.push_back({own.place, own.turn.normalized(), Vec3::Ones()});
      }
      return local;
    };
    out.clips.clear();
    out.poses.clear();
    carry_motion(source_, out, motion, solve, conversion_.report, sink_);
  }

  [[nodiscard]] bool lowers() const {
    for (std::size_t j = 0; j < stands_for_.size(); ++j) {
      if (stands_for_[j] != joint_index(j)) return true;
    }
    return false;
  }
  /// What a conversion from another vocabulary kept: it stays, and leaves no room for a level's own.
  [[nodiscard]] bool foreign_kept() const { return source_.kept && source_.kept->profile != profile_.name; }

  void keep() {
    Humanoid& out = conversion_.humanoid;
    if (!changed_) return;
    if (turns_ && out.kept) {
      sink_.warning(codes::convert_stale_kept, "what an earlier conversion kept was dropped: the rest pose it was kept for has changed");
      out.kept.reset();
      for (Part& part : out.parts) part.kept_influences = {};
      return;
    }
    if (foreign_kept()) return;
    out.kept.reset();
    if (!lowers() || !options_.extras) return;
    Kept kept;
    kept.profile = profile_.name;
    kept.hanim_version = source_.source.hanim_version;
    for (std::size_t j = 0; j < source_.skeleton.size(); ++j) {
      const Joint& joint = source_.skeleton.joints()[j];
      const Joint& carrier = out.skeleton[static_cast<JointIndex>(target_[j])];
      KeptJoint entry;
      entry.name = joint.name;
      entry.source_name = joint.source_name;
      if (joint.parent != JointIndex::none) entry.parent = source_.skeleton[joint.parent].name;
      entry.bone = carrier.name;
      const Rigid in_bone = carrier.rest.inverse() * joint.rest;
      entry.place_in_bone = in_bone.place;
      entry.turn_in_bone = in_bone.turn;
      entry.limits = joint.limits;
      entry.stiffness = joint.stiffness;
      kept.joints.push_back(std::move(entry));
    }
    const auto own = [&](const char* kind, const std::string& name, JointIndex joint) {
      if (joint != JointIndex::none && stands_for_[index(joint)] != joint)
        kept.owners.push_back({kind, name, source_.skeleton[joint].name});
    };
    for (const Site& site : source_.sites) own("site", site.name, site.joint);
    for (const Segment& segment : source_.segments) own("segment", segment.name, segment.joint);
    for (const Part& part : source_.parts) {
      for (const Morph& morph : part.morphs) own("displacer", part.name + "/" + morph.name, morph.joint);
    }
    out.kept = std::move(kept);
  }

  void sticks() {
    if (!profile_.has_bone_axes) return;
    Humanoid& out = conversion_.humanoid;
    const bool triangles = std::ranges::any_of(out.parts, [](const Part& part) {
      return std::ranges::any_of(part.surfaces, [](const Surface& surface) { return !surface.triangles.empty(); });
    });
    if (triangles) return;
    if (options_.stick) {
      out.parts.push_back(stick_body(out.skeleton, "Body_Stick", leaf_length_m));
      sink_.warning(codes::convert_stick_body, "the humanoid has no triangles; it got a body of sticks");
    } else {
      sink_.warning(codes::convert_no_mesh, "the humanoid has no triangles");
    }
  }

  const Humanoid& source_;
  const Profile& profile_;
  const ConvertOptions& options_;
  const Kept* kept_;  ///< joints that an earlier lowering kept
  Diagnostics sink_;
  std::vector<JointIndex> stands_for_;  ///< source joint that stays for each source joint
  NewJoints made_;
  std::vector<Quat> turn_;          ///< of each source joint, to the new rest pose
  std::vector<Affine> change_;      ///< the same with places
  std::vector<JointIndex> driver_;  ///< source joint that each new joint moves with
  std::vector<int> target_;         ///< joint of the result for each source joint
  bool turns_ = false, changed_ = false;
  Conversion conversion_;
};

}  // namespace

Mapping identity_mapping(const Profile& profile) {
  Mapping mapping;
  mapping.from = mapping.to = profile.name;
  for (const ProfileJoint& joint : profile.joints) {
    BoneGroup group;
    group.bone = joint.name;
    group.chains = {{joint.name}};
    group.origins = {joint.name};
    mapping.groups.push_back(std::move(group));
  }
  return mapping;
}

Result<Conversion> change_level(const Humanoid& source, const Profile& profile, const ConvertOptions& options) {
  return Level(source, profile, options).run();
}

}  // namespace vesalius::convert_detail
