#pragma once
// Sensors, interpolators and routes, and HAnimMotion nodes, into clips.
#include "formats/hanim/figure.hpp"
#include "formats/hanim/find.hpp"
#include "formats/hanim/parts.hpp"
#include "formats/hanim/walk.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::hanim {

struct MotionReading {
  Reading& in;
  const Found& found;
  const Traversal& tree;
  const Figure& figure;
  const Affine& canonical_from_scene;  ///< the turn that makes the figure face forward
  const Skeleton& skeleton;
  const Profile& profile;
  const std::map<const x3d::Node*, std::vector<std::pair<std::size_t, std::size_t>>>& morphs_of;
};

/// One clip per TimeSensor that moves the humanoid; key times are key * cycleInterval. Motion of the humanoid itself goes to the roots.
[[nodiscard]] std::vector<Clip> read_interpolators(MotionReading& reading);
/// One clip per HAnimMotion: degrees, in the order of the channels.
[[nodiscard]] std::vector<Clip> read_hanim_motions(MotionReading& reading);
/// Poses that HAnimPose nodes list.
[[nodiscard]] std::vector<NamedPose> read_poses(MotionReading& reading);

}  // namespace vesalius::hanim
