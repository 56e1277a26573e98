#pragma once
// HAnimMotion: motion capture in columns.
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {

/// Adds one HAnimMotion as a clip: angles in degrees, channels in the order listed, joints by name in either version.
void read_hanim_motion(const Reading& reading, const Node& motion, const JointTree& tree, const Folding& fold, Humanoid& humanoid);

}  // namespace vesalius::hanim
