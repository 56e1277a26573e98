// TimeSensor -> interpolator -> joint, humanoid or displacer.
#include "formats/hanim/motion_read.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/kinds.hpp"
#include "formats/hanim/skeleton.hpp"

namespace vesalius::hanim {
namespace {

/// Two values at one key are a jump; the model wants ascending times.
constexpr double jump_s = 1e-5;

enum class Channel : std::uint8_t { none, rotation, translation, scale, weight };

Channel channel_of(std::string_view field) noexcept {
  if (field.starts_with("set_")) field.remove_prefix(4);
  if (field == "rotation") return Channel::rotation;
  if (field == "translation") return Channel::translation;
  if (field == "scale") return Channel::scale;
  if (field == "weight") return Channel::weight;
  return Channel::none;
}

/// Numbers per key of an interpolator's value; 0 for interpolators of other things.
std::size_t width_of(std::string_view type) noexcept {
  if (type == "OrientationInterpolator" || type == "SquadOrientationInterpolator") return 4;
  if (type == "PositionInterpolator" || type == "SplinePositionInterpolator") return 3;
  if (type == "ScalarInterpolator" || type == "SplineScalarInterpolator") return 1;
  return 0;
}

/// Keys of one interpolator, numbers as the file has them.
struct Keys {
  std::vector<double> times_s;
  std::vector<double> values;
};

/// What drives one node in one clip.
struct Driven {
  Track<Quat> rotation;  ///< as the file has it
  Track<Vec3> translation;
  Track<Vec3> scale;
};

std::vector<double> merged_times(std::initializer_list<const std::vector<double>*> lists) {
  std::vector<double> result;
  for (const auto* list : lists) result.insert(result.end(), list->begin(), list->end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

class Reader {
 public:
  explicit Reader(MotionReading& reading) : r_(reading) {}

  std::vector<Clip> run() {
    collect();
    std::vector<Clip> clips;
    for (const x3d::Node* sensor : sensors_) {
      if (auto clip = read_clip(*sensor)) clips.push_back(std::move(*clip));
    }
    if (unclocked_ > 0) {
      r_.in.sink.warning(
          codes::hanim_dropped_motion,
          std::to_string(unclocked_) + " interpolator(s) that move the humanoid are driven by no TimeSensor; their motion is left out");
    }
    if (other_ > 0) {
      r_.in.sink.warning(codes::hanim_dropped_motion,
                         std::to_string(other_) +
                             " route(s) into the humanoid come from other nodes than interpolators of rotation, position or number; "
                             "their motion is left out");
    }
    return clips;
  }

 private:
  struct Link {
    const x3d::Node* interpolator = nullptr;
    const x3d::Node* target = nullptr;
    Channel channel = Channel::none;
  };

  [[nodiscard]] bool is_ours(const x3d::Node* node) const {
    return node == r_.found.node || r_.tree.joint_of_node.contains(node) || r_.morphs_of.contains(node);
  }

  void collect() {
    for (const x3d::Route& route : r_.in.scene.routes) {
      const x3d::Node* from = r_.in.scene.find_def(route.from_node);
      const x3d::Node* to = r_.in.scene.find_def(route.to_node);
      if (from == nullptr || to == nullptr) continue;
      if (from->type == "TimeSensor" && width_of(to->type) > 0) {
        clocks_[to].push_back(from);
        if (std::ranges::find(sensors_, from) == sensors_.end()) sensors_.push_back(from);
      } else if (is_ours(to)) {
        const Channel channel = channel_of(route.to_field);
        if (width_of(from->type) == 0 || channel == Channel::none) {
          if (from->type != "TimeSensor") ++other_;
        } else {
          links_.push_back({from, to, channel});
        }
      }
    }
    for (const Link& link : links_) {
      if (!clocks_.contains(link.interpolator)) ++unclocked_;
    }
  }

  Keys read_keys(const x3d::Node& node, double cycle_s) {
    Keys keys;
    std::vector<double> fractions, values;
    read_doubles(r_.in, node, "key", fractions);
    read_doubles(r_.in, node, "keyValue", values);
    const std::size_t width = width_of(node.type), given = values.size() / width;
    if (given != fractions.size()) {
      r_.in.sink.warning(codes::hanim_bad_keys,
                         "an interpolator has " + std::to_string(fractions.size()) + " keys and " + std::to_string(given) +
                             " values; the surplus is left out",
                         r_.in.scene.locate(node));
    }
    if (node.type.starts_with("S") && node.type != "ScalarInterpolator") {
      r_.in.sink.warning(codes::hanim_bad_keys, "between the keys of a " + std::string(node.type) + " values are read as linear",
                         r_.in.scene.locate(node));
    }
    std::size_t bad = 0;
    double last_key = 0;
    bool doubled = false;
    for (std::size_t i = 0; i < std::min(fractions.size(), given); ++i) {
      const double key = fractions[i];
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * width);
      const auto put = [&](double time_s) {
        keys.times_s.push_back(time_s);
        keys.values.insert(keys.values.end(), first, first + static_cast<std::ptrdiff_t>(width));
      };
      if (keys.times_s.empty()) {
        put(key * cycle_s);
      } else if (key < last_key) {
        ++bad;
        continue;
      } else if (key == last_key) {
        if (doubled) {  // only the last of many values at one key matters
          std::copy(first, first + static_cast<std::ptrdiff_t>(width), keys.values.end() - static_cast<std::ptrdiff_t>(width));
        } else {
          put(keys.times_s.back() + jump_s);
          doubled = true;
        }
        continue;
      } else {
        put(std::max(key * cycle_s, keys.times_s.back() + 1e-9));
      }
      last_key = key;
      doubled = false;
    }
    if (bad > 0) {
      r_.in.sink.warning(codes::hanim_bad_keys, std::to_string(bad) + " key(s) of an interpolator go back in time; they are left out",
                         r_.in.scene.locate(node));
    }
    return keys;
  }

  static Track<Vec3> vectors(const Keys& keys) {
    Track<Vec3> track;
    track.times_s = keys.times_s;
    for (std::size_t i = 0; i < keys.times_s.size(); ++i)
      track.values.emplace_back(keys.values[3 * i], keys.values[3 * i + 1], keys.values[3 * i + 2]);
    return track;
  }

  std::optional<Clip> read_clip(const x3d::Node& sensor) {
    Clip clip;
    const double cycle = read_double(r_.in, sensor, "cycleInterval").value_or(1);
    clip.duration_s = cycle > 0 && std::isfinite(cycle) ? cycle : 1;
    clip.loops = read_bool(sensor, "loop", false);
    // A name that DEF cannot hold is written as the description, whose letters then agree with DEF.
    clip.name = std::string(sensor.def);
    const std::string description = read_string(sensor, "description");
    const auto plain = [](std::string text) {
      std::replace_if(
          text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
      return text;
    };
    if (!description.empty() && (clip.name.empty() || plain(clip.name).starts_with(plain(description)))) clip.name = description;

    std::map<std::size_t, Driven> joints;
    Driven humanoid;
    std::map<const x3d::Node*, Track<double>> weights;
    bool any = false;
    for (const Link& link : links_) {
      const auto clocks = clocks_.find(link.interpolator);
      if (clocks == clocks_.end() || std::ranges::find(clocks->second, &sensor) == clocks->second.end()) continue;
      const std::size_t width = width_of(link.interpolator->type);
      const std::size_t wanted = link.channel == Channel::rotation ? 4 : link.channel == Channel::weight ? 1 : 3;
      if (width != wanted) {
        r_.in.sink.warning(codes::hanim_dropped_motion,
                           "a route leads from a " + std::string(link.interpolator->type) + " to a field of another type",
                           r_.in.scene.locate(*link.interpolator));
        continue;
      }
      const Keys keys = read_keys(*link.interpolator, clip.duration_s);
      if (keys.times_s.empty()) continue;
      any = true;
      if (link.channel == Channel::weight) {
        weights[link.target] = {keys.times_s, keys.values, Interpolation::linear};
        continue;
      }
      const auto joint = r_.tree.joint_of_node.find(link.target);
      if (joint == r_.tree.joint_of_node.end() && link.target != r_.found.node) continue;
      Driven& driven = link.target == r_.found.node ? humanoid : joints[joint->second];
      if (link.channel == Channel::rotation) {
        Track<Quat> track;
        track.times_s = keys.times_s;
        for (std::size_t i = 0; i < keys.times_s.size(); ++i) track.values.push_back(from_axis_angle(&keys.values[4 * i]));
        make_continuous(track.values);
        driven.rotation = std::move(track);
      } else {
        (link.channel == Channel::translation ? driven.translation : driven.scale) = vectors(keys);
      }
    }
    if (!any) return std::nullopt;

    if (!humanoid.scale.empty()) {
      r_.in.sink.warning(codes::hanim_dropped_motion, "the humanoid's scale is animated; that is left out", r_.in.scene.locate(sensor));
    }
    if (!humanoid.rotation.empty() || !humanoid.translation.empty()) {
      for (std::size_t j = 0; j < r_.tree.joints.size(); ++j) {
        if (r_.tree.joints[j].parent == none) joints[j];
      }
    }
    for (auto& [j, driven] : joints) clip.joints.push_back(joint_tracks(j, driven, humanoid));
    for (const auto& [displacer, track] : weights) {
      const auto morphs = r_.morphs_of.find(displacer);
      if (morphs == r_.morphs_of.end()) continue;
      for (const auto& [part, morph] : morphs->second) clip.morphs.push_back({part, morph, track});
    }
    std::sort(clip.morphs.begin(), clip.morphs.end(),
              [](const MorphTrack& a, const MorphTrack& b) { return std::pair(a.part, a.morph) < std::pair(b.part, b.morph); });
    return clip;
  }

  /// parent_from_joint channels in canonical axes; a root takes over what the humanoid itself does.
  JointTracks joint_tracks(std::size_t j, const Driven& driven, const Driven& humanoid) const {
    JointTracks out;
    out.joint = joint_index(j);
    const Quat still = Quat::Identity();
    const auto local = [&](const Vec3& translation, const Quat& rotation) {
      return local_transform(r_.tree, r_.figure, j, translation, rotation, Vec3::Ones());
    };
    const Vec3 own = r_.tree.by_translation ? r_.tree.joints[j].fields.translation : Vec3(Vec3::Zero());
    out.scale = driven.scale;
    for (std::size_t i = 0; i < driven.rotation.times_s.size(); ++i) {
      out.rotation.times_s.push_back(driven.rotation.times_s[i]);
      out.rotation.values.push_back(local(own, driven.rotation.values[i]).rotation);
    }
    for (std::size_t i = 0; i < driven.translation.times_s.size(); ++i) {
      out.translation.times_s.push_back(driven.translation.times_s[i]);
      out.translation.values.push_back(local(driven.translation.values[i], still).translation);
    }
    const bool turns = !humanoid.rotation.empty(), moves = turns || !humanoid.translation.empty();
    if (r_.tree.joints[j].parent != none || !moves) return out;

    // The humanoid's change from where the file has it, as the canonical frame sees it.
    const TransformFields at_rest = read_transform(r_.in, *r_.found.node);
    const Affine outside = r_.canonical_from_scene * r_.found.scene_from_outside;
    const Affine rest_inverse = (outside * at_rest.matrix()).inverse();
    const auto change = [&](double time_s) {
      TransformFields now = at_rest;
      if (!humanoid.translation.empty()) now.translation = sample(humanoid.translation, time_s);
      if (turns) now.rotation = sample(humanoid.rotation, time_s);
      return Affine(outside * now.matrix() * rest_inverse);
    };
    Track<Vec3> translation;
    Track<Quat> rotation;
    for (const double time_s : merged_times({&out.translation.times_s, turns ? &out.rotation.times_s : &out.translation.times_s,
                                             &humanoid.translation.times_s, &humanoid.rotation.times_s})) {
      Transform now = local(own, still);
      if (!out.translation.empty()) now.translation = sample(out.translation, time_s);
      if (!out.rotation.empty()) now.rotation = sample(out.rotation, time_s);
      const Affine moved = change(time_s) * now.matrix();
      translation.times_s.push_back(time_s);
      translation.values.push_back(moved.translation());
      if (turns) {
        rotation.times_s.push_back(time_s);
        rotation.values.push_back(rotation_of(moved));
      }
    }
    out.translation = std::move(translation);
    if (turns) {
      make_continuous(rotation.values);
      out.rotation = std::move(rotation);
    }
    return out;
  }

  MotionReading& r_;
  std::vector<const x3d::Node*> sensors_;
  std::map<const x3d::Node*, std::vector<const x3d::Node*>> clocks_;
  std::vector<Link> links_;
  std::size_t unclocked_ = 0, other_ = 0;
};

}  // namespace

std::vector<Clip> read_interpolators(MotionReading& reading) {
  return Reader(reading).run();
}

}  // namespace vesalius::hanim
