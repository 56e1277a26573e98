#include "formats/hanim/hanim_motion.hpp"

#include <cmath>
#include <numbers>

#include "formats/hanim/codes.hpp"

namespace vesalius::hanim {
namespace {

/// One column of the value table.
struct Column {
  JointIndex joint = JointIndex::none;
  int axis = 0;
  bool position = false;
};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::string word;
  for (const char c : text + " ") {
    if (c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r') {
      if (!word.empty()) result.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return result;
}

/// Columns of all channels; empty (with a finding) when the channels cannot be read.
std::vector<Column> read_columns(const Reading& reading, const Node& motion, const Humanoid& humanoid) {
  const auto names = words(reading.text(motion, "joints")), channels = words(reading.text(motion, "channels"));
  std::vector<Column> columns;
  std::vector<std::string> unknown;
  std::size_t group = 0;
  for (std::size_t i = 0; i < channels.size(); ++group) {
    std::size_t count = 0;
    for (const char c : channels[i]) {
      if (c < '0' || c > '9' || count > 100) {
        reading.sink.warning(codes::hanim_motion,
                             "found '" + channels[i] + "' among the channels; expected the number of channels of a joint",
                             reading.scene.locate(motion));
        return {};
      }
      count = count * 10 + static_cast<std::size_t>(c - '0');
    }
    ++i;
    JointIndex joint = JointIndex::none;
    if (group < names.size() && names[group] != "IGNORED") {
      joint = joint_named(reading, humanoid, names[group]);
      if (joint == JointIndex::none) unknown.push_back(names[group]);
    }
    for (std::size_t k = 0; k < count && i < channels.size(); ++k, ++i) {
      const char axis = channels[i].front();
      columns.push_back({joint, axis == 'X' || axis == 'x' ? 0 : axis == 'Y' || axis == 'y' ? 1 : 2, channels[i].ends_with("position")});
    }
  }
  if (!unknown.empty()) {
    reading.sink.warning(codes::hanim_motion,
                         "HAnimMotion moves " + std::to_string(unknown.size()) + " joints that the humanoid does not have, such as '" +
                             unknown.front() + "'; that motion was left out",
                         reading.scene.locate(motion));
  }
  return columns;
}

}  // namespace

void read_hanim_motion(const Reading& reading, const Node& motion, const JointTree& tree, const Folding& fold, Humanoid& humanoid) {
  const auto columns = read_columns(reading, motion, humanoid);
  const auto values = reading.numbers(motion, "values");
  if (columns.empty() || values.empty()) return;
  const std::size_t frames = values.size() / columns.size();
  if (values.size() % columns.size() != 0) {
    reading.sink.warning(codes::hanim_motion,
                         "HAnimMotion has " + std::to_string(values.size()) + " values for " + std::to_string(columns.size()) +
                             " channels; the last frame is incomplete and was left out",
                         reading.scene.locate(motion));
  }
  if (frames == 0) return;
  double frame_s = reading.number(motion, "frameDuration", 0.1);
  if (!(frame_s > 0)) frame_s = 0.1;
  Clip clip;
  clip.name = reading.text(motion, "name");
  if (clip.name.empty()) clip.name = motion.def.empty() ? "motion" + std::to_string(humanoid.clips.size() + 1) : std::string(motion.def);
  clip.loops = reading.boolean(motion, "loop", false);
  clip.duration_s = frame_s * static_cast<double>(frames > 1 ? frames - 1 : 1);
  const auto rest = rest_locals(humanoid.skeleton);
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    while (end < columns.size() && columns[end].joint == columns[begin].joint) ++end;
    if (columns[begin].joint == JointIndex::none) continue;
    JointTracks tracks;
    tracks.joint = columns[begin].joint;
    const Vec3 at_rest = rest[index(tracks.joint)].translation;
    const JointTree::Entry& entry = tree.joints[index(tracks.joint)];
    const bool own_rest = tree.bound || tree.by_translation;
    bool rotates = false, travels = false;
    for (std::size_t f = 0; f < frames; ++f) {
      Quat q = Quat::Identity();
      Vec3 offset = Vec3::Zero();
      for (std::size_t c = begin; c < end; ++c) {
        const double value = values[f * columns.size() + c];
        if (columns[c].position) {
          offset[columns[c].axis] = value;
          travels = true;
        } else {
          q = q * Quat(Eigen::AngleAxisd(value * std::numbers::pi / 180, Vec3::Unit(columns[c].axis)));
          rotates = true;
        }
      }
      tracks.rotation.times_s.push_back(frame_s * static_cast<double>(f));
      tracks.rotation.values.push_back(fold.rotation(entry.rotation(q)).normalized());
      // Where joints have a translation at rest, it is part of the values; else these may be places or offsets, as is told below.
      tracks.translation.values.push_back(own_rest ? Vec3(at_rest + fold(entry.offset(offset))) : fold(Vec3(entry.parent_linear * offset)));
    }
    if (travels) {
      // Positions may be places (as in motion files) or offsets from rest; the first frame tells which is nearer.
      tracks.translation.times_s = tracks.rotation.times_s;
      const Vec3 first = tracks.translation.values.front();
      if (!own_rest && (first - at_rest).norm() >= first.norm()) {
        for (Vec3& value : tracks.translation.values) value += at_rest;
      }
    } else {
      tracks.translation = {};
    }
    if (!rotates) tracks.rotation = {};
    clip.joints.push_back(std::move(tracks));
  }
  humanoid.clips.push_back(std::move(clip));
}

}  // namespace vesalius::hanim
