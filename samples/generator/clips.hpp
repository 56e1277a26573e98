#pragma once
// The movements of the samples.
#include <string>
#include <vector>

#include "implicit.hpp"

namespace samples {

struct Turn {
  Vec3 axis;
  double angle_rad;
};

/// Rotations of one joint at the clip's times.
struct Track {
  std::string joint;          ///< version 2 name
  std::vector<double> times;  ///< fractions of the clip, 0 ... 1
  std::vector<Turn> turns;
};

struct Clip {
  std::string name;
  double seconds;
  std::vector<Track> tracks;
  /// Of the root joint, metres; empty when it stays.
  std::vector<double> root_times;
  std::vector<Vec3> root_moves;
  /// Weight of the smile.
  std::vector<double> smile_times, smile_weights;
};

/// The right arm goes up, waves three times and comes down; head and trunk take part.
[[nodiscard]] Clip wave();
/// One double step on the spot.
[[nodiscard]] Clip walk();

}  // namespace samples
