// Clips as TimeSensors and interpolators with ROUTEs.
#include <algorithm>
#include <cmath>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/writing.hpp"

namespace vesalius::hanim {
namespace {

/// A stepped track holds each value until just before the next key.
template <class T>
Track<T> with_steps(const Track<T>& track) {
  if (track.interpolation != Interpolation::step) return track;
  Track<T> result;
  for (std::size_t i = 0; i < track.times_s.size(); ++i) {
    if (i > 0) {
      result.times_s.push_back(track.times_s[i]);
      result.values.push_back(track.values[i - 1]);
    }
    result.times_s.push_back(track.times_s[i]);
    result.values.push_back(track.values[i]);
  }
  return result;
}

struct Link {
  std::string from, to, field;
};

}  // namespace

void Writing::write_motion() {
  const auto rest = rest_locals(humanoid.skeleton);
  std::size_t scales = 0, unplaced_weights = 0;
  bool first = true;
  for (const Clip& clip : humanoid.clips) {
    if (clip.joints.empty() && clip.morphs.empty()) continue;
    const std::string sensor = defs.make(clip.name.empty() ? "clip" : clip.name);
    const double duration = clip.duration_s > 0 ? clip.duration_s : 1;
    out.open("TimeSensor").def(sensor).number("cycleInterval", duration);
    if (clip.loops) out.boolean("loop", true);
    // One clip plays when the file is opened; several at once would fight.
    if (!first) out.boolean("enabled", false);
    out.close();
    first = false;
    std::vector<Link> links;
    const auto key = [&](const std::vector<double>& times) {
      out.list("key", [&](auto append) {
        for (const double t : times) append(std::clamp(t / duration, 0.0, 1.0));
      });
    };
    for (const JointTracks& joint : clip.joints) {
      const std::size_t j = index(joint.joint);
      const std::string base = sensor + "_" + joint_names[j];
      if (!joint.scale.empty()) ++scales;
      if (!joint.rotation.empty()) {
        const auto track = with_steps(joint.rotation);
        const std::string def = defs.make(base + "_rotation");
        out.open("OrientationInterpolator").def(def);
        key(track.times_s);
        out.list("keyValue", [&](auto append) {
          Vec3 last = Vec3::UnitX();
          for (const Quat& q : track.values) {
            // The angle may pass half a turn, so that neighbours keep their axis.
            const double sine = q.vec().norm();
            const Vec3 axis = sine > 1e-12 ? Vec3(q.vec() / sine) : last;
            last = axis;
            for (int k = 0; k < 3; ++k) append(axis[k]);
            append(2 * std::atan2(sine, q.w()));
          }
        });
        out.close();
        links.push_back({def, joint_defs[j], "rotation"});
      }
      if (!joint.translation.empty()) {
        const auto track = with_steps(joint.translation);
        const std::string def = defs.make(base + "_translation");
        out.open("PositionInterpolator").def(def);
        key(track.times_s);
        out.list("keyValue", [&](auto append) {
          for (const Vec3& v : track.values) {
            for (int k = 0; k < 3; ++k) append(v[k] - rest[j].translation[k]);
          }
        });
        out.close();
        links.push_back({def, joint_defs[j], "translation"});
      }
    }
    for (const MorphTrack& morph : clip.morphs) {
      const auto target = morph_defs.find({morph.part, morph.morph});
      if (target == morph_defs.end() || !form.displacer_weights) {
        ++unplaced_weights;
        continue;
      }
      const auto track = with_steps(morph.weight);
      const std::string def = defs.make(sensor + "_" + target->second + "_weight");
      out.open("ScalarInterpolator").def(def);
      key(track.times_s);
      out.list("keyValue", [&](auto append) {
        for (const double v : track.values) append(v);
      });
      out.close();
      links.push_back({def, target->second, "weight"});
    }
    for (const Link& link : links) {
      out.route({sensor, "fraction_changed", link.from, "set_fraction"});
      out.route({link.from, "value_changed", link.to, "set_" + link.field});
    }
  }
  if (scales > 0)
    sink.warning(codes::hanim_motion, std::to_string(scales) + " joints change their scale over time; that was not written to H-Anim");
  if (unplaced_weights > 0)
    sink.warning(codes::hanim_motion,
                 std::to_string(unplaced_weights) + " displacers change their weight over time; this form of H-Anim has no place for it");
}

}  // namespace vesalius::hanim
