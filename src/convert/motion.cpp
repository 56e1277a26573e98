#include "convert/motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "convert/codes.hpp"

namespace vesalius::convert_detail {
namespace {

constexpr double same_angle_rad = 1e-7;  // tracks this close to rest say nothing (single precision files)
constexpr double same_place_m = 1e-7;
constexpr int most_halvings = 12;
constexpr double quarter_points = 0.8;  // of the allowed error there: between them a smooth error is at most a fifth larger

/// Whether a track moves away from the rest value.
template <class T, class Near>
bool moves(const Track<T>& track, const Near& near_rest) {
  return !std::all_of(track.values.begin(), track.values.end(), near_rest);
}

struct Key {
  double time_s = 0;
  LocalPose pose;
  Unwrap state;
};

LocalPose between(const LocalPose& a, const LocalPose& b, double t) {
  LocalPose result;
  result.parent_from_joint.resize(a.parent_from_joint.size());
  for (std::size_t i = 0; i < a.parent_from_joint.size(); ++i) {
    const Transform& from = a.parent_from_joint[i];
    const Transform& to = b.parent_from_joint[i];
    result.parent_from_joint[i].translation = from.translation + t * (to.translation - from.translation);
    result.parent_from_joint[i].rotation = from.rotation.slerp(t, to.rotation);
  }
  return result;
}

/// Largest difference of global orientations and of translation channels, as shares of what is allowed; above 1 is too much.
double excess(const MotionTarget& target, const LocalPose& a, const LocalPose& b) {
  const auto model_a = rigid_model(*target.skeleton, a);
  const auto model_b = rigid_model(*target.skeleton, b);
  double worst = 0;
  for (std::size_t i = 0; i < model_a.size(); ++i) {
    worst = std::max(worst, angle_between_rad(model_a[i].turn, model_b[i].turn) / target.max_angle_error_rad);
    if (target.translates[i]) {
      const double off = (a.parent_from_joint[i].translation - b.parent_from_joint[i].translation).norm();
      worst = std::max(worst, off / target.max_place_error_m);
    }
  }
  return worst;
}

}  // namespace

Vec3 Unwrap::log(std::size_t slot, const Quat& turn) {
  const Vec3 v = turn.vec();
  const double sine = v.norm();
  double angle = 2 * std::atan2(sine, turn.w());
  Vec3 axis = sine > 1e-14 ? Vec3(v / sine) : Vec3::UnitX();
  if (angle > std::numbers::pi) {  // the short way
    angle = 2 * std::numbers::pi - angle;
    axis = -axis;
  }
  if (known[slot]) {
    const Vec3& last = rotation_rad[slot];
    // Near no turn at all the axis says nothing: the last one goes on.
    if (sine <= 1e-14 && last.norm() > 1e-9) axis = last.normalized();
    const double turns = std::round((last.dot(axis) - angle) / (2 * std::numbers::pi));
    angle += 2 * std::numbers::pi * turns;
  }
  rotation_rad[slot] = angle * axis;
  known[slot] = true;
  return rotation_rad[slot];
}

Quat turn_of(const Vec3& rotation_rad) {
  const double angle = rotation_rad.norm();
  if (angle < 1e-300) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(angle, rotation_rad / angle));
}

std::vector<Rigid> rigid_model(const Skeleton& skeleton, const LocalPose& pose) {
  std::vector<Rigid> result(skeleton.size());
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const Transform& local = pose.parent_from_joint[i];
    const JointIndex parent = skeleton.joints()[i].parent;
    const Rigid own{local.translation, local.rotation};
    result[i] = parent == JointIndex::none ? own : result[index(parent)] * own;
    result[i].turn.normalize();
  }
  return result;
}

std::vector<Rigid> rigid_change(const Skeleton& skeleton, const LocalPose& pose) {
  auto result = rigid_model(skeleton, pose);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] * skeleton.joints()[i].rest.inverse();
  return result;
}

Clip carry(const Clip& clip, const Skeleton& source, const MotionTarget& target, const Solve& solve, MotionReport& report,
           Diagnostics& sink) {
  Clip result;
  result.name = clip.name;
  result.duration_s = clip.duration_s;
  result.loops = clip.loops;
  result.morphs = clip.morphs;
  const auto source_rest = rest_locals(source);

  // A track without scale, so that sampling costs nothing for what is dropped; step keys get a partner just before them.
  Clip moving = clip;
  std::vector<double> times;
  bool all_step = true;
  std::size_t tracks = 0;
  for (JointTracks& joint : moving.joints) {
    const Vec3 rest_scale = source_rest[index(joint.joint)].scale;
    if (moves(joint.scale, [&](const Vec3& s) { return (s - rest_scale).norm() < 1e-4; })) {
      ++report.scale_tracks;
      sink.warning(codes::convert_lost_motion,
                   "clip '" + clip.name + "': the scale of joint '" + source[joint.joint].name + "' is animated and was dropped");
    }
    joint.scale = {};
    const auto note = [&](const auto& track) {
      if (track.empty()) return;
      ++tracks;
      all_step = all_step && track.interpolation == Interpolation::step;
      times.insert(times.end(), track.times_s.begin(), track.times_s.end());
      if (track.interpolation != Interpolation::step) return;
      for (std::size_t k = 1; k < track.times_s.size(); ++k) {
        const double gap = track.times_s[k] - track.times_s[k - 1];
        times.push_back(track.times_s[k] - std::min(1e-4, gap / 100));
      }
    };
    note(joint.rotation);
    note(joint.translation);
  }
  if (tracks == 0) return result;
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());

  Unwrap state(target.slots);
  const auto solve_at = [&](double time_s, Unwrap& unwrap) { return solve(sample(source, moving, time_s), unwrap); };
  const auto align = [](const LocalPose& before, LocalPose& pose) {
    for (std::size_t i = 0; i < pose.parent_from_joint.size(); ++i) {
      Quat& rotation = pose.parent_from_joint[i].rotation;
      if (before.parent_from_joint[i].rotation.dot(rotation) < 0) rotation.coeffs() = -rotation.coeffs();
    }
  };
  std::vector<double> key_times;
  std::vector<LocalPose> poses;
  bool limited = false;
  Key last{times.front(), solve_at(times.front(), state), state};
  key_times.push_back(last.time_s);
  poses.push_back(last.pose);
  for (std::size_t k = 1; k < times.size(); ++k) {
    // Intervals still to settle, nearest on top; each begins where `last` ends.
    std::vector<std::pair<double, int>> ends{{times[k], 0}};
    while (!ends.empty()) {
      const auto [end_s, halvings] = ends.back();
      const double length = end_s - last.time_s;
      Key key{end_s, {}, last.state};
      bool good = true;
      if (!all_step && length > 1e-4) {
        std::vector<LocalPose> quarter;
        for (const double part : {0.25, 0.5, 0.75}) quarter.push_back(solve_at(last.time_s + part * length, key.state));
        key.pose = solve_at(end_s, key.state);
        align(last.pose, key.pose);
        for (std::size_t q = 0; q < quarter.size() && good; ++q) {
          good = excess(target, between(last.pose, key.pose, 0.25 * static_cast<double>(q + 1)), quarter[q]) <= quarter_points;
        }
      } else {
        key.pose = solve_at(end_s, key.state);
        align(last.pose, key.pose);
      }
      if (!good && halvings < most_halvings) {
        ends.emplace_back(last.time_s + length / 2, halvings + 1);
        ends[ends.size() - 2].second = halvings + 1;
        ++report.keys_added;
        continue;
      }
      limited = limited || !good;
      ends.pop_back();
      key_times.push_back(end_s);
      poses.push_back(key.pose);
      last = std::move(key);
    }
  }
  if (limited)
    sink.warning(codes::convert_key_limit,
                 "clip '" + clip.name + "': a turn was too fast to be followed within the allowed error between keys");

  const auto target_rest = rest_locals(*target.skeleton);
  for (std::size_t j = 0; j < target.skeleton->size(); ++j) {
    JointTracks joint;
    joint.joint = joint_index(j);
    const auto interpolation = all_step ? Interpolation::step : Interpolation::linear;
    const bool turns = std::any_of(poses.begin(), poses.end(), [&](const LocalPose& p) {
      return angle_between_rad(p.parent_from_joint[j].rotation, target_rest[j].rotation) > same_angle_rad;
    });
    const bool travels = target.translates[j] && std::any_of(poses.begin(), poses.end(), [&](const LocalPose& p) {
                           return (p.parent_from_joint[j].translation - target_rest[j].translation).norm() > same_place_m;
                         });
    if (turns) {
      joint.rotation.interpolation = interpolation;
      joint.rotation.times_s = key_times;
      for (const LocalPose& pose : poses) joint.rotation.values.push_back(pose.parent_from_joint[j].rotation);
      make_continuous(joint.rotation.values);
    }
    if (travels) {
      joint.translation.interpolation = interpolation;
      joint.translation.times_s = key_times;
      for (const LocalPose& pose : poses) joint.translation.values.push_back(pose.parent_from_joint[j].translation);
    }
    if (turns || travels) {
      result.joints.push_back(std::move(joint));
    } else {
      ++report.constant_tracks;
    }
  }
  return result;
}

}  // namespace vesalius::convert_detail
