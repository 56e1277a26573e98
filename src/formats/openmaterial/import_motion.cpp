// Animations to clips.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/openmaterial/codes.hpp"
#include "formats/openmaterial/importing.hpp"
#include "formats/openmaterial/tracks.hpp"

namespace vesalius::openmaterial {
namespace {

constexpr double same_angle_rad = 1e-6, same_place_m = 1e-6,
                 same_scale = 1e-4;  // float noise of exporters; the official human's scale channels are off by 2e-5

class Motion {
 public:
  Motion(const Importing& in, const Rig& rig, Humanoid& humanoid)
      : in_(in), rig_(rig), humanoid_(humanoid), rest_(rest_locals(humanoid.skeleton)) {
    // Local channels of a node become those of our skeleton by what lies between it and the joint above, and by that joint's scale.
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      Affine between = Affine::Identity();
      auto above = in.tree.parents[rig.joints[j]];
      for (; above && !rig.joint_of_node.contains(*above); above = in.tree.parents[*above])
        between = in.document.nodes[*above].local() * between;
      if (rig.parent[j] < 0) {
        before_.push_back(rig.canonical_from_mesh * rig.scene_from_mesh.inverse() * between);
      } else {
        const Affine& parent = rig.mesh_from_joint[static_cast<std::size_t>(rig.parent[j])];
        before_.push_back(Eigen::Scaling(rig.scale * std::cbrt(std::abs(parent.linear().determinant()))) * between);
      }
    }
  }

  void run(const std::map<std::size_t, std::size_t>& part_of_node) {
    for (std::size_t a = 0; a < in_.document.animations.size(); ++a) {
      const gltf::Animation& animation = in_.document.animations[a];
      Clip clip;
      clip.name = animation.name.empty() ? "Animation_" + std::to_string(a + 1) : animation.name;
      clip.loops = true;  // glTF says nothing; players repeat
      const bool sampled = needs_sampling(in_, rig_, animation);
      if (sampled) sample_motion(in_, rig_, humanoid_, a, clip);
      for (std::size_t c = 0; c < animation.channels.size(); ++c) {
        const std::string where = "/animations/" + std::to_string(a) + "/channels/" + std::to_string(c);
        if (sampled && animation.channels[c].path != gltf::Path::weights) continue;
        channel(animation, animation.channels[c], where, part_of_node, clip);
      }
      const auto json = nlohmann::json::parse(animation.extras, nullptr, false);
      if (json.is_object() && json.contains("vesalius") && json["vesalius"].is_object()) {
        const auto& own = json["vesalius"];
        if (own.contains("loops") && own["loops"].is_boolean()) clip.loops = own["loops"].get<bool>();
        if (own.contains("duration") && own["duration"].is_number())
          clip.duration_s = std::max(clip.duration_s, own["duration"].get<double>());
      }
      std::ranges::sort(clip.joints, {}, &JointTracks::joint);
      if (!clip.joints.empty() || !clip.morphs.empty()) humanoid_.clips.push_back(std::move(clip));
    }
    if (constant_ > 0)
      in_.sink.note(codes::openmaterial_constant_track,
                    std::to_string(constant_) + " channels hold the rest value all the time; they were left out", in_.at("/animations"));
    if (splines_ > 0)
      in_.sink.note(codes::openmaterial_spline,
                    std::to_string(splines_) + " spline channels were sampled to within 1e-3 rad, 1e-4 m and 1e-3 of a morph weight",
                    in_.at("/animations"));
  }

 private:
  template <class T, class ValueOf>
  bool read_track(const gltf::Sampler& sampler, unsigned width, const std::string& where, const ValueOf& value_of, Track<T>& track) {
    return openmaterial::read_track(in_, sampler, width, where, value_of, track, splines_);
  }

  void channel(const gltf::Animation& animation, const gltf::Channel& channel, const std::string& where,
               const std::map<std::size_t, std::size_t>& part_of_node, Clip& clip) {
    if (!channel.node) return;
    const gltf::Sampler& sampler = animation.samplers[channel.sampler];
    const auto found = rig_.joint_of_node.find(*channel.node);
    if (channel.path == gltf::Path::weights) {
      const auto part = part_of_node.find(*channel.node);
      if (part == part_of_node.end()) return;
      weights(sampler, where, part->second, clip);
      return;
    }
    if (found == rig_.joint_of_node.end()) {
      in_.sink.warning(codes::openmaterial_dropped_channel,
                       "node '" + in_.document.nodes[*channel.node].name + "' is no bone; its motion was left out", in_.at(where));
      return;
    }
    const JointIndex joint = found->second;
    const Affine& before = before_[index(joint)];
    const Transform& rest = rest_[index(joint)];
    JointTracks& tracks = [&]() -> JointTracks& {
      const auto known = std::ranges::find(clip.joints, joint, &JointTracks::joint);
      if (known != clip.joints.end()) return *known;
      clip.joints.emplace_back().joint = joint;
      return clip.joints.back();
    }();
    double end = 0;
    if (channel.path == gltf::Path::rotation) {
      const Quat turn = rotation_of(before);
      Track<Quat> track;
      if (read_track(
              sampler, 4, where, [&](const double* v) { return Quat((turn * Quat(v[3], v[0], v[1], v[2]).normalized()).normalized()); },
              track)) {
        end = track.times_s.back();
        make_continuous(track.values);
        if (std::ranges::all_of(track.values, [&](const Quat& q) { return angle_between_rad(q, rest.rotation) < same_angle_rad; })) {
          ++constant_;
        } else {
          tracks.rotation = std::move(track);
        }
      }
    } else if (channel.path == gltf::Path::translation) {
      Track<Vec3> track;
      if (read_track(
              sampler, 3, where, [&](const double* v) { return Vec3(before * Vec3(v[0], v[1], v[2])); }, track)) {
        end = track.times_s.back();
        if (std::ranges::all_of(track.values, [&](const Vec3& t) { return (t - rest.translation).norm() < same_place_m; })) {
          ++constant_;
        } else {
          tracks.translation = std::move(track);
        }
      }
    } else {
      // A bone that the file shows shrunk to nothing has no scale to compare with.
      const Vec3 own = in_.document.nodes[*channel.node].scale.unaryExpr([](double v) { return std::abs(v) < 1e-12 ? 1.0 : v; });
      Track<Vec3> track;
      if (read_track(
              sampler, 3, where, [&](const double* v) { return Vec3(Vec3(v[0], v[1], v[2]).cwiseQuotient(own)); }, track)) {
        end = track.times_s.back();
        if (std::ranges::all_of(track.values, [](const Vec3& s) { return (s - Vec3::Ones()).norm() < same_scale; })) {
          ++constant_;
        } else {
          tracks.scale = std::move(track);
        }
      }
    }
    clip.duration_s = std::max(clip.duration_s, end);
    if (tracks.rotation.empty() && tracks.translation.empty() && tracks.scale.empty()) {
      std::erase_if(clip.joints, [&](const JointTracks& t) { return t.joint == joint; });
    }
  }

  /// Keys of a cubic between two of its keys, so that straight lines follow it to 1e-3 at the quarter points.
  static void between_keys(double from_s, double to_s, double from, double leaving, double arriving, double to, Track<double>& track) {
    const double length = to_s - from_s;
    const auto curve = [&](double u) {
      const double u2 = u * u, u3 = u2 * u;
      return (2 * u3 - 3 * u2 + 1) * from + length * (u3 - 2 * u2 + u) * leaving + (3 * u2 - 2 * u3) * to + length * (u3 - u2) * arriving;
    };
    for (int parts = 1; parts <= 64; parts *= 2) {
      double worst = 0;
      for (int i = 0; i < parts; ++i) {
        const double a = curve(static_cast<double>(i) / parts), b = curve((i + 1.0) / parts);
        for (const double q : {0.25, 0.5, 0.75}) worst = std::max(worst, std::abs(a + q * (b - a) - curve((i + q) / parts)));
      }
      if (worst > 1e-3 && parts < 64) continue;
      for (int i = 1; i < parts; ++i) {
        track.times_s.push_back(from_s + length * i / parts);
        track.values.push_back(curve(static_cast<double>(i) / parts));
      }
      return;
    }
  }

  void weights(const gltf::Sampler& sampler, const std::string& where, std::size_t part, Clip& clip) {
    const auto times = gltf::read_values(in_.document, sampler.input, 1, in_.sink);
    const auto values = gltf::read_values(in_.document, sampler.output, 1, in_.sink);
    const std::size_t morphs = humanoid_.parts[part].morphs.size();
    const bool spline = sampler.interpolation == "CUBICSPLINE";
    const std::size_t per_key = (spline ? 3 : 1) * morphs;
    if (!times || !values || times->empty() || values->size() < times->size() * per_key) {
      in_.sink.warning(codes::openmaterial_dropped_channel, "a channel of morph weights does not fit its mesh; it was left out",
                       in_.at(where));
      return;
    }
    if (spline) ++splines_;
    for (std::size_t m = 0; m < morphs; ++m) {
      MorphTrack track;
      track.part = part;
      track.morph = m;
      track.weight.interpolation = sampler.interpolation == "STEP" ? Interpolation::step : Interpolation::linear;
      const auto number = [&](std::size_t key, std::size_t kind) { return (*values)[key * per_key + kind * morphs + m]; };
      for (std::size_t k = 0; k < times->size(); ++k) {
        if (k > 0 && (*times)[k] <= (*times)[k - 1]) continue;
        if (k > 0 && spline)
          between_keys((*times)[k - 1], (*times)[k], number(k - 1, 1), number(k - 1, 2), number(k, 0), number(k, 1), track.weight);
        track.weight.times_s.push_back((*times)[k]);
        track.weight.values.push_back(number(k, spline ? 1 : 0));
      }
      clip.duration_s = std::max(clip.duration_s, track.weight.times_s.back());
      const double rest = humanoid_.parts[part].morphs[m].weight;
      if (std::ranges::any_of(track.weight.values, [&](double w) { return std::abs(w - rest) > 1e-6; })) {
        clip.morphs.push_back(std::move(track));
      } else {
        ++constant_;
      }
    }
  }

  const Importing& in_;
  const Rig& rig_;
  Humanoid& humanoid_;
  std::vector<Transform> rest_;
  std::vector<Affine> before_;
  std::size_t constant_ = 0, splines_ = 0;
};

}  // namespace

void import_motion(const Importing& in, const Rig& rig, const std::map<std::size_t, std::size_t>& part_of_node, Humanoid& humanoid) {
  Motion(in, rig, humanoid).run(part_of_node);
}

}  // namespace vesalius::openmaterial
