// HAnimMotion (frames of channels, as motion capture writes them) and HAnimPose.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/kinds.hpp"
#include "formats/hanim/motion_read.hpp"
#include "formats/hanim/names.hpp"
#include "formats/hanim/skeleton.hpp"
#include "foundation/numbers.hpp"

namespace vesalius::hanim {
namespace {

std::vector<std::string> words(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) {
    std::string word;
    for (const char c : text + " ") {
      if (c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r') {
        if (!word.empty()) result.push_back(std::move(word));
        word.clear();
      } else {
        word += c;
      }
    }
  }
  return result;
}

/// SFString in one draft and MFString in another.
std::vector<std::string> field_words(const x3d::Node& node, std::string_view field) {
  std::vector<std::string> texts = read_strings(node, field);
  if (texts.empty()) texts.push_back(read_string(node, field));
  return words(texts);
}

struct ChannelGroup {
  std::string name;
  JointIndex joint = JointIndex::none;
  std::size_t first = 0;  ///< column of the values
  struct One {
    int axis = 0;
    bool turns = false;
  };
  std::vector<One> channels;
};

std::optional<std::vector<ChannelGroup>> read_groups(MotionReading& r, const x3d::Node& node, std::size_t& columns) {
  const auto names = field_words(node, "joints"), text = field_words(node, "channels");
  std::vector<ChannelGroup> groups;
  std::size_t unknown = 0;
  const auto fault = [&](const std::string& what) {
    r.in.sink.warning(codes::hanim_dropped_motion, "an HAnimMotion is left out: " + what, r.in.scene.locate(node));
    return std::nullopt;
  };
  columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto count = parse_integer(text[at]);
    if (!count || *count < 0 || at + 1 + static_cast<std::size_t>(*count) > text.size()) {
      return fault("its channels have '" + text[at] + "' where the number of a joint's channels is expected");
    }
    ChannelGroup group;
    group.first = columns;
    for (int i = 1; i <= *count; ++i) {
      const std::string& word = text[at + static_cast<std::size_t>(i)];
      const int axis = word.empty() ? -1 : std::toupper(static_cast<unsigned char>(word[0])) - 'X';
      const bool turns = word.ends_with("rotation"), moves = word.ends_with("position");
      if (axis < 0 || axis > 2 || (!turns && !moves)) return fault("channel '" + word + "' is not like 'Xrotation' or 'Yposition'");
      group.channels.push_back({axis, turns});
    }
    columns += static_cast<std::size_t>(*count);
    at += 1 + static_cast<std::size_t>(*count);
    if (groups.size() < names.size()) {
      group.name = names[groups.size()];
      if (group.name != "IGNORED") {
        group.joint = find_joint(r.skeleton, r.profile, group.name);
        if (group.joint == JointIndex::none) ++unknown;
      }
    }
    groups.push_back(std::move(group));
  }
  if (groups.size() != names.size()) {
    r.in.sink.warning(
        codes::hanim_bad_keys,
        "an HAnimMotion names " + std::to_string(names.size()) + " joints but has channels for " + std::to_string(groups.size()),
        r.in.scene.locate(node));
  }
  if (unknown > 0) {
    r.in.sink.warning(codes::hanim_dropped_motion, std::to_string(unknown) + " joint(s) that an HAnimMotion moves are not in the skeleton",
                      r.in.scene.locate(node));
  }
  return groups;
}

std::optional<Clip> read_motion(MotionReading& r, const x3d::Node& node) {
  std::size_t columns = 0;
  const auto groups = read_groups(r, node, columns);
  if (!groups || columns == 0) return std::nullopt;
  std::vector<double> values;
  read_doubles(r.in, node, "values", values);
  const std::size_t frames = values.size() / columns;
  if (frames == 0) return std::nullopt;
  if (values.size() % columns != 0) {
    r.in.sink.warning(codes::hanim_bad_keys,
                      "an HAnimMotion has " + std::to_string(values.size()) + " values; expected a multiple of its " +
                          std::to_string(columns) + " channels",
                      r.in.scene.locate(node));
  }
  const double given = read_double(r.in, node, "frameDuration").value_or(0.1), step = given > 0 && std::isfinite(given) ? given : 0.1;
  Clip clip;
  clip.name = read_string(node, "name");
  if (clip.name.empty()) clip.name = std::string(node.def);
  if (clip.name.empty()) clip.name = "motion";
  clip.duration_s = step * static_cast<double>(frames > 1 ? frames - 1 : 1);
  clip.loops = read_bool(node, "loop", false);
  std::vector<double> times(frames);
  for (std::size_t f = 0; f < frames; ++f) times[f] = step * static_cast<double>(f);

  std::vector<const ChannelGroup*> of_joint(r.skeleton.size(), nullptr);
  for (const ChannelGroup& group : *groups) {
    if (group.joint != JointIndex::none) of_joint[index(group.joint)] = &group;
  }
  for (std::size_t j = 0; j < of_joint.size(); ++j) {
    if (of_joint[j] == nullptr) continue;
    const ChannelGroup& group = *of_joint[j];
    const bool turns = std::ranges::any_of(group.channels, &ChannelGroup::One::turns);
    const bool moves = std::ranges::any_of(group.channels, [](const auto& c) { return !c.turns; });
    JointTracks tracks;
    tracks.joint = joint_index(j);
    const Vec3 own = r.tree.by_translation ? r.tree.joints[j].fields.translation : Vec3(Vec3::Zero());
    Vec3 offset = Vec3::Zero();
    for (std::size_t f = 0; f < frames; ++f) {
      Vec3 position = Vec3::Zero();
      Quat rotation = Quat::Identity();
      for (std::size_t c = 0; c < group.channels.size(); ++c) {
        const double value = values[f * columns + group.first + c];
        const auto [axis, is_turn] = group.channels[c];
        if (is_turn) {
          rotation = rotation * Quat(Eigen::AngleAxisd(value * std::numbers::pi / 180, Vec3::Unit(axis)));
        } else {
          position[axis] = value;
        }
      }
      if (f == 0 && moves && !r.tree.by_translation) {
        // Motion capture gives the place of the hip, H-Anim its distance from the center; the first frame tells which was meant.
        const Vec3& center = r.tree.joints[j].fields.center;
        if (center.norm() > 0 && (position - center).norm() < 0.5 * center.norm()) {
          offset = center;
          r.in.sink.note(codes::hanim_motion_offset,
                         "positions of an HAnimMotion are places, not distances from the joint's center; the center is subtracted",
                         r.in.scene.locate(node));
        }
      }
      const Transform local = local_transform(r.tree, r.figure, j, moves ? Vec3(position - offset) : own, rotation, Vec3::Ones());
      if (turns) tracks.rotation.values.push_back(local.rotation.normalized());
      if (moves) tracks.translation.values.push_back(local.translation);
    }
    if (turns) tracks.rotation.times_s = times;
    if (moves) tracks.translation.times_s = times;
    make_continuous(tracks.rotation.values);
    if (turns || moves) clip.joints.push_back(std::move(tracks));
  }
  if (clip.joints.empty()) return std::nullopt;
  return clip;
}

}  // namespace

std::vector<Clip> read_hanim_motions(MotionReading& reading) {
  std::vector<Clip> clips;
  for (const x3d::Field& field : reading.found.node->fields) {
    for (const x3d::Child& child : field.nodes) {
      if (child.node == nullptr || child.node->type != "HAnimMotion") continue;
      if (auto clip = read_motion(reading, *child.node)) clips.push_back(std::move(*clip));
    }
  }
  return clips;
}

std::vector<NamedPose> read_poses(MotionReading& reading) {
  std::vector<NamedPose> poses;
  for (const x3d::Field& field : reading.found.node->fields) {
    for (const x3d::Child& child : field.nodes) {
      if (child.node == nullptr || child.node->type != "HAnimPose") continue;
      NamedPose pose{read_string(*child.node, "name"), rest_pose(reading.skeleton)};
      if (pose.name.empty()) pose.name = std::string(child.node->def);
      for (const x3d::Field& inner : child.node->fields) {
        for (const x3d::Child& entry : inner.nodes) {
          if (entry.node == nullptr || kind_of(*entry.node) != Kind::joint) continue;
          const JointIndex joint = find_joint(reading.skeleton, reading.profile, read_string(*entry.node, "name"));
          if (joint == JointIndex::none) continue;
          const TransformFields fields = read_transform(reading.in, *entry.node);
          const Vec3 own = reading.tree.by_translation ? reading.tree.joints[index(joint)].fields.translation : fields.translation;
          pose.pose.parent_from_joint[index(joint)] =
              local_transform(reading.tree, reading.figure, index(joint), own, fields.rotation, fields.scale);
        }
      }
      poses.push_back(std::move(pose));
    }
  }
  return poses;
}

}  // namespace vesalius::hanim
