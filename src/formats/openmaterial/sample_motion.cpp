// Animations of figures whose channels cannot be taken one by one: the nodes are moved as the file says, and the joints follow.
#include <algorithm>
#include <cmath>
#include <set>

#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"
#include "formats/openmaterial/tracks.hpp"

namespace vesalius::openmaterial {
namespace {

constexpr double uneven = 1e-4;  // relative difference of scales that is no float noise
constexpr double same_angle_rad = 1e-6, same_place_m = 1e-6, lost_scale = 1e-3;
constexpr int most_halvings = 8;

/// Joints and all nodes above them.
std::set<std::size_t> nodes_above(const Importing& in, const Rig& rig) {
  std::set<std::size_t> result;
  for (const std::size_t joint : rig.joints) {
    for (std::optional<std::size_t> node = joint; node && result.insert(*node).second; node = in.tree.parents[*node]) {
    }
  }
  return result;
}

/// Channels of one node; empty tracks hold the node's own value.
struct NodeTracks {
  Track<Vec3> translation, scale;
  Track<Quat> rotation;
};

class Sampling {
 public:
  Sampling(const Importing& in, const Rig& rig, const Humanoid& humanoid, std::size_t animation)
      : in_(in), rig_(rig), skeleton_(humanoid.skeleton), above_(nodes_above(in, rig)), animation_(animation) {
    for (const std::size_t node : in.tree.order) {
      if (above_.contains(node)) order_.push_back(node);
    }
    scene_from_node_.resize(in.document.nodes.size(), Affine::Identity());
    for (const Affine& m : rig.mesh_from_joint) joint_from_canonical_.push_back(m.inverse() * rig.canonical_from_mesh.inverse());
    canonical_from_scene_ = rig.canonical_from_mesh * rig.scene_from_mesh.inverse();
  }

  void run(Clip& clip) {
    read_channels();
    if (times_.empty()) return;
    clip.duration_s = std::max(clip.duration_s, *times_.rbegin());
    const std::vector<double> times(times_.begin(), times_.end());
    key_times_ = {times.front()};
    poses_ = {pose_at(times.front())};
    for (std::size_t k = 1; k < times.size(); ++k) fill(times[k - 1], times[k], all_step_ ? most_halvings : 0);
    write(clip);
    if (splines_ > 0)
      in_.sink.note(codes::openmaterial_spline, std::to_string(splines_) + " spline channels were sampled to within 1e-3 rad and 1e-4 m",
                    in_.at("/animations"));
    if (worst_scale_ > lost_scale)
      in_.sink.warning(codes::openmaterial_lost_scale,
                       "animation '" + clip.name + "' scales bones against the bind pose, by up to " + std::to_string(worst_scale_) +
                           "; only their places and turns were read",
                       in_.at("/animations/" + std::to_string(animation_)));
  }

 private:
  void read_channels() {
    const gltf::Animation& animation = in_.document.animations[animation_];
    for (std::size_t c = 0; c < animation.channels.size(); ++c) {
      const gltf::Channel& channel = animation.channels[c];
      if (!channel.node || channel.path == gltf::Path::weights) continue;
      const std::string where = "/animations/" + std::to_string(animation_) + "/channels/" + std::to_string(c);
      if (!above_.contains(*channel.node)) {
        in_.sink.warning(codes::openmaterial_dropped_channel,
                         "node '" + in_.document.nodes[*channel.node].name + "' is no bone; its motion was left out", in_.at(where));
        continue;
      }
      NodeTracks& tracks = tracks_[*channel.node];
      const gltf::Sampler& sampler = animation.samplers[channel.sampler];
      const auto vector = [](const double* v) { return Vec3(v[0], v[1], v[2]); };
      const auto note = [&](const auto& track) {
        times_.insert(track.times_s.begin(), track.times_s.end());
        if (track.interpolation != Interpolation::step) {
          all_step_ = false;
          return;
        }
        // A step keeps its value until just before the next key.
        for (std::size_t k = 1; k < track.times_s.size(); ++k)
          times_.insert(track.times_s[k] - std::min(1e-4, (track.times_s[k] - track.times_s[k - 1]) / 100));
      };
      if (channel.path == gltf::Path::rotation) {
        const auto turn = [](const double* v) { return Quat(v[3], v[0], v[1], v[2]).normalized(); };
        if (read_track(in_, sampler, 4, where, turn, tracks.rotation, splines_)) {
          make_continuous(tracks.rotation.values);
          note(tracks.rotation);
        }
      } else {
        Track<Vec3>& track = channel.path == gltf::Path::scale ? tracks.scale : tracks.translation;
        if (read_track(in_, sampler, 3, where, vector, track, splines_)) note(track);
      }
    }
  }

  /// Places and orientations of all joints, canonical.
  std::vector<Rigid> pose_at(double time_s) {
    for (const std::size_t n : order_) {
      const gltf::Node& node = in_.document.nodes[n];
      Affine local = node.local();
      if (const auto moved = tracks_.find(n); moved != tracks_.end()) {
        gltf::Node now = node;
        now.matrix.reset();
        if (!moved->second.translation.empty()) now.translation = sample(moved->second.translation, time_s);
        if (!moved->second.rotation.empty()) now.rotation = sample(moved->second.rotation, time_s);
        if (!moved->second.scale.empty()) now.scale = sample(moved->second.scale, time_s);
        local = now.local();
      }
      const auto& parent = in_.tree.parents[n];
      scene_from_node_[n] = parent ? scene_from_node_[*parent] * local : local;
    }
    std::vector<Rigid> result;
    for (std::size_t j = 0; j < rig_.joints.size(); ++j) {
      const Affine change = canonical_from_scene_ * scene_from_node_[rig_.joints[j]] * joint_from_canonical_[j];
      const Quat turn = rotation_of(change);
      const Rigid& rest = skeleton_.joints()[j].rest;
      worst_scale_ = std::max(worst_scale_,
                              (turn.toRotationMatrix().transpose() * change.linear() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff());
      result.push_back({change * rest.place, (turn * rest.turn).normalized()});
    }
    return result;
  }

  /// Local channels of a pose.
  [[nodiscard]] std::vector<Rigid> locals(const std::vector<Rigid>& pose) const {
    std::vector<Rigid> result;
    for (std::size_t j = 0; j < pose.size(); ++j)
      result.push_back(rig_.parent[j] < 0 ? pose[j] : pose[static_cast<std::size_t>(rig_.parent[j])].inverse() * pose[j]);
    return result;
  }

  /// Keys between two times until straight channels follow the nodes at the quarter points.
  void fill(double from_s, double to_s, int halvings) {
    const auto end = pose_at(to_s);
    if (halvings < most_halvings) {
      const auto a = locals(poses_.back()), b = locals(end);
      double worst = 0;
      for (const double q : {0.25, 0.5, 0.75}) {
        const auto between = locals(pose_at(from_s + q * (to_s - from_s)));
        for (std::size_t j = 0; j < between.size(); ++j) {
          worst = std::max(
              {worst, distance(mix(a[j].turn, b[j].turn, q), between[j].turn), distance(mix(a[j].place, b[j].place, q), between[j].place)});
        }
      }
      if (worst > 1) {
        const double middle = (from_s + to_s) / 2;
        fill(from_s, middle, halvings + 1);
        fill(middle, to_s, halvings + 1);
        return;
      }
    }
    key_times_.push_back(to_s);
    poses_.push_back(end);
  }

  void write(Clip& clip) const {
    const auto rest = rest_locals(skeleton_);
    std::vector<std::vector<Rigid>> keys;
    for (const auto& pose : poses_) keys.push_back(locals(pose));
    for (std::size_t j = 0; j < rest.size(); ++j) {
      JointTracks joint;
      joint.joint = joint_index(j);
      const auto interpolation = all_step_ ? Interpolation::step : Interpolation::linear;
      if (std::ranges::any_of(keys, [&](const auto& k) { return angle_between_rad(k[j].turn, rest[j].rotation) > same_angle_rad; })) {
        joint.rotation.times_s = key_times_;
        joint.rotation.interpolation = interpolation;
        for (const auto& key : keys) joint.rotation.values.push_back(key[j].turn);
        make_continuous(joint.rotation.values);
      }
      if (std::ranges::any_of(keys, [&](const auto& k) { return (k[j].place - rest[j].translation).norm() > same_place_m; })) {
        joint.translation.times_s = key_times_;
        joint.translation.interpolation = interpolation;
        for (const auto& key : keys) joint.translation.values.push_back(key[j].place);
      }
      if (!joint.rotation.empty() || !joint.translation.empty()) clip.joints.push_back(std::move(joint));
    }
  }

  const Importing& in_;
  const Rig& rig_;
  const Skeleton& skeleton_;
  std::set<std::size_t> above_;
  std::size_t animation_;
  std::vector<std::size_t> order_;
  std::vector<Affine> scene_from_node_, joint_from_canonical_;
  Affine canonical_from_scene_;
  std::map<std::size_t, NodeTracks> tracks_;
  std::set<double> times_;
  bool all_step_ = true;
  std::size_t splines_ = 0;
  double worst_scale_ = 0;
  std::vector<double> key_times_;
  std::vector<std::vector<Rigid>> poses_;
};

}  // namespace

bool needs_sampling(const Importing& in, const Rig& rig, const gltf::Animation& animation) {
  const auto above = nodes_above(in, rig);
  bool moves_bones = false;
  for (const gltf::Channel& channel : animation.channels) {
    if (!channel.node || channel.path == gltf::Path::weights || !above.contains(*channel.node)) continue;
    moves_bones = true;
    if (!rig.joint_of_node.contains(*channel.node)) return true;  // a node above or between bones moves itself
  }
  if (!moves_bones) return false;
  return rig.canonical_from_mesh.linear().determinant() < 0 || std::ranges::any_of(above, [&](std::size_t node) {
           const Eigen::Matrix3d m = in.document.nodes[node].local().linear();
           const Vec3 size(m.col(0).norm(), m.col(1).norm(), m.col(2).norm());
           const bool sheared = std::abs(m.determinant()) < (1 - uneven) * size.prod();
           return m.determinant() < 0 || sheared || size.maxCoeff() > (1 + uneven) * size.minCoeff();
         });
}

void sample_motion(const Importing& in, const Rig& rig, const Humanoid& humanoid, std::size_t animation, Clip& clip) {
  Sampling(in, rig, humanoid, animation).run(clip);
}

}  // namespace vesalius::openmaterial
