#include "clips.hpp"

#include <cmath>
#include <numbers>

namespace samples {
namespace {

constexpr int walk_steps = 12;

Turn about_x(double angle_rad) {
  return {Vec3::UnitX(), angle_rad};
}

/// A track of turns about x that follows `angle_rad(phase)` with the phase going once around.
template <class Angle>
Track cyclic(const std::string& joint, Angle angle_rad) {
  Track track{joint, {}, {}};
  for (int i = 0; i <= walk_steps; ++i) {
    const double time = static_cast<double>(i) / walk_steps;
    track.times.push_back(time);
    track.turns.push_back(about_x(angle_rad(2 * std::numbers::pi * (i % walk_steps) / walk_steps)));
  }
  return track;
}

}  // namespace

Clip wave() {
  Clip clip{"wave", 4.0, {}, {}, {}, {}, {}};
  const Vec3 x = Vec3::UnitX();
  const Vec3 y = Vec3::UnitY();
  const Vec3 z = Vec3::UnitZ();
  clip.tracks = {
      {"r_shoulder", {0, 0.22, 0.78, 1}, {{z, 0}, {z, -1.45}, {z, -1.45}, {z, 0}}},
      {"r_elbow",
       {0, 0.22, 0.32, 0.42, 0.52, 0.62, 0.70, 0.78, 1},
       {{z, 0}, {z, -1.30}, {z, -1.75}, {z, -0.95}, {z, -1.75}, {z, -0.95}, {z, -1.75}, {z, -1.30}, {z, 0}}},
      {"r_radiocarpal",
       {0, 0.22, 0.37, 0.47, 0.57, 0.66, 0.78, 1},
       {{z, 0}, {z, 0}, {z, 0.2}, {z, -0.2}, {z, 0.2}, {z, -0.2}, {z, 0}, {z, 0}}},
      {"r_acromioclavicular", {0, 0.22, 0.78, 1}, {{z, 0}, {z, -0.20}, {z, -0.20}, {z, 0}}},
      {"l_shoulder", {0, 0.3, 0.7, 1}, {{z, 0}, {z, 0.08}, {z, 0.08}, {z, 0}}},
      {"skullbase", {0, 0.25, 0.5, 0.75, 1}, {{y, 0}, {y, -0.22}, {y, -0.10}, {y, -0.22}, {y, 0}}},
      {"vt6", {0, 0.25, 0.75, 1}, {{z, 0}, {z, 0.05}, {z, 0.05}, {z, 0}}},
      {"l_eyeball_joint", {0, 0.2, 0.8, 1}, {{y, 0}, {y, -0.15}, {y, -0.15}, {y, 0}}},
      {"r_eyeball_joint", {0, 0.2, 0.8, 1}, {{y, 0}, {y, -0.15}, {y, -0.15}, {y, 0}}},
      {"temporomandibular", {0, 0.3, 0.5, 0.7, 1}, {{x, 0}, {x, 0.05}, {x, 0.02}, {x, 0.05}, {x, 0}}},
  };
  clip.smile_times = {0, 0.2, 0.8, 1};
  clip.smile_weights = {0, 1, 1, 0};
  return clip;
}

Clip walk() {
  Clip clip{"walk", 1.2, {}, {}, {}, {}, {}};
  const double pi = std::numbers::pi;
  for (const bool right : {false, true}) {
    const std::string side = right ? "r_" : "l_";
    const double lag = right ? pi : 0;
    // Forward is a negative turn about x for hip and shoulder; knees bend with a positive one.
    clip.tracks.push_back(cyclic(side + "hip", [=](double t) { return -0.06 - 0.42 * std::cos(t + lag); }));
    clip.tracks.push_back(cyclic(side + "knee", [=](double t) {
      const double swing = std::max(0.0, std::sin(t + lag + pi));
      return 0.08 + 0.95 * swing * swing;
    }));
    clip.tracks.push_back(cyclic(side + "talocrural", [=](double t) { return -0.04 + 0.16 * std::sin(t + lag + 0.6); }));
    clip.tracks.push_back(cyclic(side + "shoulder", [=](double t) { return 0.02 + 0.38 * std::cos(t + lag); }));
    clip.tracks.push_back(cyclic(side + "elbow", [=](double t) { return -0.25 - 0.15 * (1 - std::cos(t + lag)); }));
  }
  for (int i = 0; i <= walk_steps; ++i) {
    const double phase = 2 * pi * (i % walk_steps) / walk_steps;
    clip.root_times.push_back(static_cast<double>(i) / walk_steps);
    clip.root_moves.emplace_back(0, -0.022 + 0.016 * -std::cos(2 * phase), 0);
  }
  return clip;
}

}  // namespace samples
