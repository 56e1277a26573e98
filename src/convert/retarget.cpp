// Motion of one figure on the body of another.
#include <algorithm>
#include <cmath>
#include <set>

#include "convert/codes.hpp"
#include "convert/steps.hpp"
#include "vesalius/convert.hpp"

namespace vesalius {
namespace convert_detail {
namespace {

constexpr double limb_tolerance_rad = 0.26179938779914941;  // 15 degrees, as the mappings' own: below it the profile's rest pose is meant
constexpr double stance_height_m = 0.02;                    // a foot this near to its lowest place stands

/// Mean height of the hip joints above the lowest joint or vertex; 0 when the figure has none.
double hip_height(const Humanoid& figure, const Profile& profile) {
  double ground = 0, sum = 0;
  for (std::size_t j = 0; j < figure.skeleton.size(); ++j) {
    const double y = figure.skeleton.joints()[j].rest.place.y();
    ground = j == 0 ? y : std::min(ground, y);
  }
  const auto box = bounding_box(figure.parts);
  if (!box.isEmpty()) ground = std::min(ground, box.min().y());
  // The lowest pair across the body is the hips'.
  const ProfileJoint* lowest = nullptr;
  for (const auto& [right, left] : profile.across) {
    const ProfileJoint* joint = profile.find(left);
    if (joint == nullptr || !joint->centre || figure.skeleton.find(left) == JointIndex::none ||
        figure.skeleton.find(right) == JointIndex::none || (lowest != nullptr && lowest->centre->y() <= joint->centre->y()))
      continue;
    lowest = joint;
    sum = figure.skeleton[figure.skeleton.find(left)].rest.place.y() + figure.skeleton[figure.skeleton.find(right)].rest.place.y();
  }
  return lowest == nullptr ? 0 : sum / 2 - ground;
}

class Retarget {
 public:
  Retarget(const Humanoid& body, Humanoid motion, const Profile& profile, const ConvertOptions& options, Diagnostics sink)
      : motion_(std::move(motion)), profile_(profile), options_(options), sink_(std::move(sink)) {
    conversion_.humanoid = body;
  }

  Result<Conversion> run() {
    if (motion_.clips.empty()) {
      sink_.error(codes::convert_no_motion, "the figure has no clip whose motion could be taken");
      return {std::nullopt, std::move(sink_)};
    }
    match();
    scale();
    limbs();
    carry();
    report_stance();
    return {std::move(conversion_), std::move(sink_)};
  }

 private:
  void match() {
    std::string without;
    for (const Joint& joint : conversion_.humanoid.skeleton.joints()) {
      source_.push_back(motion_.skeleton.find(joint.name));
      if (source_.back() == JointIndex::none) without += (without.empty() ? "" : ", ") + joint.name;
    }
    if (!without.empty()) sink_.note(codes::convert_lost_motion, "no motion for joints that rest on their parents: " + without);
    const auto rest = rest_locals(motion_.skeleton);
    for (const Clip& clip : motion_.clips) {
      for (const JointTracks& joint : clip.joints) {
        const Vec3& at_rest = rest[index(joint.joint)].translation;
        if (std::ranges::any_of(joint.translation.values, [&](const Vec3& t) { return (t - at_rest).norm() > 1e-7; }))
          travelling_.insert(joint.joint);
      }
    }
  }

  void scale() {
    const double own = hip_height(conversion_.humanoid, profile_), other = hip_height(motion_, profile_);
    if (options_.scale_motion && own > 0 && other > 0) ratio_ = own / other;
    // The same body to rounding moves exactly as it did.
    if (std::abs(ratio_ - 1) < 1e-6) ratio_ = 1;
    conversion_.report.motion_scale = ratio_;
  }

  /// Global turns from the motion's rest pose to the body's: limbs only, and only where they lie in another pose.
  void limbs() {
    const Skeleton& body = conversion_.humanoid.skeleton;
    turn_.assign(body.size(), Quat::Identity());
    std::vector<bool> own(body.size(), false);
    for (const auto& limb : profile_.rest_limbs) {
      Quat before = Quat::Identity();
      for (std::size_t i = 0; i < limb.size(); ++i) {
        const JointIndex here = body.find(limb[i]), there = motion_.skeleton.find(limb[i]);
        if (here == JointIndex::none || there == JointIndex::none) continue;
        if (i + 1 < limb.size()) {
          const JointIndex next = body.find(limb[i + 1]), next_there = motion_.skeleton.find(limb[i + 1]);
          if (next != JointIndex::none && next_there != JointIndex::none) {
            const Vec3 to = body[next].rest.place - body[here].rest.place;
            const Vec3 from = motion_.skeleton[next_there].rest.place - motion_.skeleton[there].rest.place;
            const Quat between = least_rotation(from, to);
            before = angle_between_rad(between, Quat::Identity()) > limb_tolerance_rad ? between : Quat::Identity();
            conversion_.report.limbs.push_back({limb[i], angle_between_rad(before, Quat::Identity()), before.isApprox(Quat::Identity())});
          }
        }
        turn_[index(here)] = before;
        own[index(here)] = true;
      }
    }
    for (std::size_t j = 0; j < body.size(); ++j) {
      const JointIndex parent = body.joints()[j].parent;
      if (!own[j] && parent != JointIndex::none) turn_[j] = turn_[index(parent)];
    }
  }

  [[nodiscard]] LocalPose solve(const LocalPose& pose) const {
    const Skeleton& body = conversion_.humanoid.skeleton;
    const auto now = rigid_model(motion_.skeleton, pose);
    const auto rest = rest_locals(motion_.skeleton);
    LocalPose local;
    std::vector<Rigid> result(body.size());
    std::vector<Quat> delta(body.size(), Quat::Identity());
    for (std::size_t j = 0; j < body.size(); ++j) {
      const Joint& joint = body.joints()[j];
      const bool has_parent = joint.parent != JointIndex::none;
      const std::size_t p = has_parent ? index(joint.parent) : 0;
      const JointIndex from = source_[j];
      delta[j] = has_parent ? delta[p] : Quat::Identity();
      if (from != JointIndex::none) {
        const Quat& at_rest = motion_.skeleton[from].rest.turn;
        delta[j] = (now[index(from)].turn * at_rest.conjugate() * turn_[j].conjugate()).normalized();
      }
      Vec3 place = joint.rest.place;
      if (has_parent) place = result[p].place + delta[p] * (joint.rest.place - body.joints()[p].rest.place);
      if (from != JointIndex::none && travelling_.contains(from)) {
        const JointIndex above = motion_.skeleton[from].parent;
        const Vec3 travel = pose.parent_from_joint[index(from)].translation - rest[index(from)].translation;
        place += ratio_ * (above == JointIndex::none ? travel : Vec3(now[index(above)].turn * travel));
      }
      result[j] = {place, (delta[j] * joint.rest.turn).normalized()};
      const Rigid own = has_parent ? result[p].inverse() * result[j] : result[j];
      local.parent_from_joint.push_back({own.place, own.turn.normalized(), Vec3::Ones()});
    }
    return local;
  }

  void carry() {
    Humanoid& out = conversion_.humanoid;
    MotionTarget target;
    target.skeleton = &out.skeleton;
    target.max_angle_error_rad = options_.max_angle_error_rad;
    target.max_place_error_m = options_.max_place_error_m;
    for (const JointIndex from : source_) target.translates.push_back(from != JointIndex::none && travelling_.contains(from));
    Humanoid motion = motion_;
    std::size_t morphs = 0;
    for (Clip& clip : motion.clips) {
      morphs += clip.morphs.size();
      clip.morphs.clear();
    }
    if (morphs > 0)
      sink_.warning(codes::convert_lost_motion,
                    std::to_string(morphs) + " tracks of morph weights belong to the other figure's mesh and were dropped");
    out.clips.clear();
    out.poses.clear();
    carry_motion(
        motion, out, target, [this](const LocalPose& pose, Unwrap&) { return solve(pose); }, conversion_.report, sink_);
  }

  /// A foot stands while it is the lower one and near its lowest place; what it moves then, beyond what it does on its own body, is drift.
  void report_stance() {
    const Skeleton& body = conversion_.humanoid.skeleton;
    double worst = 0;
    for (std::size_t c = 0; c < motion_.clips.size(); ++c) {
      const double length = motion_.clips[c].duration_s;
      const int samples = 1 + static_cast<int>(std::min(2000.0, std::ceil(30 * length)));
      std::vector<std::vector<Vec3>> there, here;
      for (int s = 0; s < samples; ++s) {
        const double t = samples > 1 ? length * s / (samples - 1) : 0;
        const auto a = rigid_model(motion_.skeleton, sample(motion_.skeleton, motion_.clips[c], t));
        const auto b = rigid_model(body, sample(body, conversion_.humanoid.clips[c], t));
        there.emplace_back();
        here.emplace_back();
        for (const auto& [foot, toes] : profile_.ahead) {
          const JointIndex i = motion_.skeleton.find(foot), j = body.find(foot);
          if (i == JointIndex::none || j == JointIndex::none) continue;
          there.back().push_back(a[index(i)].place);
          here.back().push_back(b[index(j)].place);
        }
      }
      if (there.empty()) continue;
      for (std::size_t foot = 0; foot < there.front().size(); ++foot) {
        double lowest = there.front()[foot].y();
        for (const auto& feet : there) lowest = std::min(lowest, feet[foot].y());
        std::optional<std::size_t> since;
        for (std::size_t s = 0; s < there.size(); ++s) {
          const bool lower = std::ranges::all_of(there[s], [&](const Vec3& other) { return there[s][foot].y() <= other.y() + 1e-9; });
          if (!lower || there[s][foot].y() > lowest + stance_height_m) {
            since.reset();
            continue;
          }
          if (!since) since = s;
          const Vec3 slid = here[s][foot] - here[*since][foot] - (there[s][foot] - there[*since][foot]);
          worst = std::max(worst, slid.norm());
        }
      }
    }
    conversion_.report.worst_stance_drift_m = worst;
    if (worst > 1e-3)
      sink_.note(codes::convert_stance_drift, "standing feet slide by up to " + std::to_string(worst) +
                                                  " m more than on the figure that the motion was made for; feet are not put back");
  }

  Humanoid motion_;  ///< in the body's vocabulary
  const Profile& profile_;
  const ConvertOptions& options_;
  Diagnostics sink_;
  std::vector<JointIndex> source_;   ///< joint of the motion for each joint of the body
  std::set<JointIndex> travelling_;  ///< joints of the motion with a translation of their own
  std::vector<Quat> turn_;           ///< from the motion's rest pose to the body's, per joint of the body
  double ratio_ = 1;
  Conversion conversion_;
};

}  // namespace
}  // namespace convert_detail

Result<Conversion> retarget(const Humanoid& body, const Humanoid& motion, const MappingTables& tables, const ConvertOptions& options) {
  using namespace convert_detail;
  const Profile* profile = tables.profile(body.profile);
  if (profile == nullptr) {
    Diagnostics sink;
    sink.error(codes::convert_no_mapping, "there is no profile '" + body.profile + "' among the tables");
    return {std::nullopt, std::move(sink)};
  }
  ConvertOptions same = options;
  same.to = body.profile;
  same.loa.reset();
  same.stick = false;
  same.extras = false;
  auto converted = convert(motion, tables, same);
  if (!converted) return {std::nullopt, std::move(converted.diagnostics)};
  return Retarget(body, std::move(converted->humanoid), *profile, options, std::move(converted.diagnostics)).run();
}

}  // namespace vesalius
