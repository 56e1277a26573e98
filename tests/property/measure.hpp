#pragma once
// How far two humanoids are apart, independent of the order of vertices and joints.
#include <string>

#include "vesalius/humanoid.hpp"

namespace vesalius::test {

struct Difference {
  double place_m = 0;   ///< of joints of the same name
  double turn_rad = 0;  ///< of their frames
  double mesh_m = 0;    ///< each vertex of one to the nearest equal-weighted vertex of the other
  double weight = 0;    ///< of joints of the same name at that vertex
  double site_m = 0;
  double displacer_m = 0;  ///< displacements at that vertex, by morph name
  double limit_rad = 0;
  std::size_t missing = 0;  ///< joints, sites or morphs that one lacks
  std::string worst;        ///< what `missing` counted first
};

/// Both at rest, same profile.
[[nodiscard]] Difference measure(const Humanoid& a, const Humanoid& b);

struct MotionDifference {
  double turn_rad = 0;  ///< global orientation of joints of the same name
  double place_m = 0;
};
/// The first clips of both at the given times.
[[nodiscard]] MotionDifference measure_motion(const Humanoid& a, const Humanoid& b, const std::vector<double>& times_s);

}  // namespace vesalius::test
