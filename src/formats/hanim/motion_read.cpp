// Interpolators with ROUTEs to clips; HAnimMotion in its own file.
#include <algorithm>
#include <cmath>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/hanim_motion.hpp"
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {
namespace {

class Motion {
 public:
  Motion(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, const MorphPlaces& displacers,
         Humanoid& humanoid)
      : reading_(reading),
        node_(node),
        tree_(tree),
        fold_(fold),
        displacers_(displacers),
        humanoid_(humanoid),
        rest_(rest_locals(humanoid.skeleton)) {}

  void run() {
    for (const Node* above = node_.parent; above != nullptr && around_.insert(above).second; above = above->parent) {
    }
    std::vector<const Node*> stack{&node_};
    while (!stack.empty()) {
      const Node* node = stack.back();
      stack.pop_back();
      if (!below_.insert(node).second) continue;
      for (const Field& field : node->fields) {
        for (const Child& child : field.nodes) stack.push_back(child.node);
      }
    }
    for (const x3d::Route& route : reading_.scene.routes) driven_.emplace(route.to, &route);
    for (const x3d::Route& route : reading_.scene.routes) follow(route);
  }

 private:
  Clip& clip_of(const Node& sensor) {
    const auto [entry, fresh] = clips_.emplace(&sensor, humanoid_.clips.size());
    if (fresh) {
      Clip clip;
      clip.name = sensor.def.empty() ? "clip" + std::to_string(humanoid_.clips.size() + 1) : std::string(sensor.def);
      clip.duration_s = reading_.number(sensor, "cycleInterval", 1);
      if (!(clip.duration_s > 0)) {
        reading_.sink.warning(codes::hanim_motion, "a cycleInterval is not above 0; it was read as 1 s", reading_.scene.locate(sensor));
        clip.duration_s = 1;
      }
      clip.loops = reading_.boolean(sensor, "loop", false);
      humanoid_.clips.push_back(std::move(clip));
    }
    return humanoid_.clips[entry->second];
  }
  static JointTracks& tracks_of(Clip& clip, JointIndex joint) {
    const auto found = std::ranges::find(clip.joints, joint, &JointTracks::joint);
    if (found != clip.joints.end()) return *found;
    clip.joints.emplace_back().joint = joint;
    return clip.joints.back();
  }

  /// Key times of an interpolator in seconds, strictly ascending; positions of the keys that were kept.
  std::vector<double> key_times(const Node& interpolator, double duration_s, std::size_t values, std::vector<std::size_t>& kept) {
    const auto keys = reading_.numbers(interpolator, "key");
    std::vector<double> times;
    if (keys.size() != values) {
      reading_.sink.warning(codes::hanim_motion,
                            "an interpolator has " + std::to_string(keys.size()) + " keys and " + std::to_string(values) +
                                " values; what has no partner was left out",
                            reading_.scene.locate(interpolator));
    }
    double last_key = 0;
    std::size_t dropped = 0;
    for (std::size_t i = 0; i < std::min(keys.size(), values); ++i) {
      if (!times.empty() && keys[i] < last_key) {  // out of order
        ++dropped;
        continue;
      }
      double time = keys[i] * duration_s;
      if (!times.empty() && time <= times.back()) time = times.back() + 1e-6;  // a jump: two values at one key
      last_key = keys[i];
      times.push_back(time);
      kept.push_back(i);
    }
    if (dropped > 0) {
      reading_.sink.warning(codes::hanim_motion, std::to_string(dropped) + " keys of an interpolator are out of order; they were left out",
                            reading_.scene.locate(interpolator));
    }
    return times;
  }

  /// The TimeSensor that drives an interpolator, or null.
  const Node* sensor_of(const Node* interpolator) const {
    const auto [from, to] = driven_.equal_range(interpolator);
    for (auto route = from; route != to; ++route) {
      if (x3d::plain_field(route->second->to_field) == "fraction" && route->second->from->type == "TimeSensor") return route->second->from;
    }
    return nullptr;
  }

  void follow(const x3d::Route& route) {
    const Node* target = route.to;
    const Node* source = route.from;
    const std::string_view field = x3d::plain_field(route.to_field);
    const auto joint = tree_.index_of.find(target);
    const bool is_joint = joint != tree_.index_of.end(), is_figure = target == &node_, is_displacer = displacers_.contains(target);
    if (!is_joint && !is_figure && !is_displacer) {
      // Whatever else moves the figure or what it is made of is not carried over.
      const bool moves = (x3d::plain_field(route.from_field) == "value" && source->find("keyValue") != nullptr) &&
                         (around_.contains(target) || below_.contains(target));
      if (moves) {
        reading_.sink.warning(codes::hanim_motion,
                              "field '" + std::string(field) + "' of a " + std::string(target->type) +
                                  (around_.contains(target) ? " around" : " of") + " the humanoid is animated; that motion was left out",
                              reading_.scene.locate(route));
      }
      return;
    }
    if (x3d::plain_field(route.from_field) != "value" || source->find("keyValue") == nullptr) {
      reading_.sink.note(codes::hanim_motion,
                         "field '" + std::string(field) + "' is driven by a " + std::string(source->type) + "; that motion was left out",
                         reading_.scene.locate(route));
      return;
    }
    const Node* sensor = sensor_of(source);
    if (sensor == nullptr) {
      reading_.sink.note(codes::hanim_motion, "an interpolator is not driven by a TimeSensor; that motion was left out",
                         reading_.scene.locate(*source));
      return;
    }
    Clip& clip = clip_of(*sensor);
    if (is_displacer) {
      if (field == "weight") weights(*source, target, clip);
      return;
    }
    // Motion of the whole figure belongs to its root joint.
    const JointIndex moved = is_joint ? static_cast<JointIndex>(joint->second) : joint_index(0);
    if (field == "rotation" && source->type == "OrientationInterpolator") {
      if (is_figure) {
        reading_.sink.warning(codes::hanim_motion, "the rotation of the whole humanoid is animated; that motion was left out",
                              reading_.scene.locate(route));
        return;
      }
      rotation(*source, clip, moved);
    } else if (field == "translation" && source->type == "PositionInterpolator") {
      translation(*source, clip, moved, is_figure);
    } else if (field == "rotation" || field == "translation" || field == "scale") {
      reading_.sink.warning(codes::hanim_motion,
                            "the " + std::string(field) + " of joint '" + humanoid_.skeleton[moved].name + "' is driven by a " +
                                std::string(source->type) + "; that motion was left out",
                            reading_.scene.locate(route));
    } else {
      reading_.sink.note(codes::hanim_motion, "field '" + std::string(field) + "' of a joint is animated; that motion was left out",
                         reading_.scene.locate(route));
    }
  }

  void weights(const Node& source, const Node* target, Clip& clip) {
    const auto values = reading_.numbers(source, "keyValue");
    std::vector<std::size_t> kept;
    const auto times = key_times(source, clip.duration_s, values.size(), kept);
    const auto [from, to] = displacers_.equal_range(target);
    for (auto it = from; it != to; ++it) {
      MorphTrack track;
      track.part = it->second.first;
      track.morph = it->second.second;
      track.weight.times_s = times;
      for (const std::size_t i : kept) track.weight.values.push_back(values[i]);
      clip.morphs.push_back(std::move(track));
    }
  }

  void rotation(const Node& source, Clip& clip, JointIndex moved) {
    const auto values = reading_.numbers(source, "keyValue");
    std::vector<std::size_t> kept;
    Track<Quat> track;
    track.times_s = key_times(source, clip.duration_s, values.size() / 4, kept);
    for (const std::size_t i : kept) {
      const Vec3 axis(values[4 * i], values[4 * i + 1], values[4 * i + 2]);
      const Quat q = axis.norm() < 1e-12 ? Quat::Identity() : Quat(Eigen::AngleAxisd(values[4 * i + 3], axis.normalized()));
      track.values.push_back(fold_.rotation(tree_.joints[index(moved)].rotation(q)).normalized());
    }
    tracks_of(clip, moved).rotation = std::move(track);
  }

  void translation(const Node& source, Clip& clip, JointIndex moved, bool is_figure) {
    // The humanoid's own travel stands outside its own scale and turn.
    const Eigen::Matrix3d linear =
        is_figure ? Eigen::Matrix3d(fold_.linear * transform_of(reading_, node_).linear().inverse()) : fold_.linear;
    if (!linear.allFinite()) return;
    const Vec3 rest = rest_[index(moved)].translation;
    const auto values = reading_.numbers(source, "keyValue");
    std::vector<std::size_t> kept;
    Track<Vec3> track;
    track.times_s = key_times(source, clip.duration_s, values.size() / 3, kept);
    for (const std::size_t i : kept) {
      const Vec3 given(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
      track.values.push_back(rest + linear * (is_figure ? given : tree_.joints[index(moved)].offset(given)));
    }
    JointTracks& tracks = tracks_of(clip, moved);
    if (tracks.translation.empty() || track.empty()) {
      if (!track.empty()) tracks.translation = std::move(track);
      return;
    }
    // Root joint and humanoid both travel: their offsets add up, at the times of both.
    std::vector<double> times = tracks.translation.times_s;
    times.insert(times.end(), track.times_s.begin(), track.times_s.end());
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    Track<Vec3> sum;
    sum.times_s = times;
    for (const double t : times) sum.values.push_back(sample(tracks.translation, t) + sample(track, t) - rest);
    tracks.translation = std::move(sum);
  }

  const Reading& reading_;
  const Node& node_;
  const JointTree& tree_;
  const Folding& fold_;
  const MorphPlaces& displacers_;
  Humanoid& humanoid_;
  std::vector<Transform> rest_;
  std::map<const Node*, std::size_t> clips_;
  std::multimap<const Node*, const x3d::Route*> driven_;
  std::set<const Node*> around_, below_;
};

}  // namespace

void read_motion(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, const MorphPlaces& displacers,
                 Humanoid& humanoid) {
  Motion(reading, node, tree, fold, displacers, humanoid).run();
  if (const Field* motions = node.find("motions")) {
    for (const Child& child : motions->nodes) {
      if (type_of(*child.node) == "HAnimMotion") read_hanim_motion(reading, *child.node, tree, fold, humanoid);
    }
  }
  for (Clip& clip : humanoid.clips) {
    std::erase_if(clip.joints, [](const JointTracks& joint) { return joint.rotation.empty() && joint.translation.empty(); });
    std::erase_if(clip.morphs, [](const MorphTrack& morph) { return morph.weight.empty(); });
    std::ranges::sort(clip.joints, {}, &JointTracks::joint);
    for (JointTracks& joint : clip.joints) make_continuous(joint.rotation.values);
  }
  std::erase_if(humanoid.clips, [](const Clip& clip) { return clip.joints.empty() && clip.morphs.empty(); });
}

}  // namespace vesalius::hanim
