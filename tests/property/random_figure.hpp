#pragma once
// Seeded random humanoids of both vocabularies: skeletons, skins, motion and what hangs on joints.
#include "support/builders.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius::test {

struct FigureOptions {
  int loa = 3;
  bool mirrored = false;  ///< the same numbers on both sides
  std::size_t vertices_per_joint = 12;
  unsigned most_influences = 2;  ///< of a vertex: its joint, the parent, then any joints
  bool belongings = false;       ///< sites, segments with mass properties, displacers and limits
};

/// A figure of the H-Anim profile at a level: nominal centres moved by up to 2 cm (2 mm along the arms, so that their rest pose is the
/// profile's), a cloud of vertices around the joints.
[[nodiscard]] Humanoid random_figure(Random& random, const FigureOptions& options = {});
/// All bones of the standard, moved by up to 2 cm, arms within 15 degrees of the profile's, every bone rolled and some turned; on the
/// ground under the middle of its box; a clip of every bone.
[[nodiscard]] Humanoid random_asset(Random& random, std::size_t vertices_per_bone = 6);

/// Adds a clip of smooth random turns of every joint (or every third) and a travelling root. The first key is the rest pose when asked.
void add_motion(Humanoid& human, Random& random, int keys, double most_rad, bool all_joints = true, bool starts_at_rest = false);

/// The mirror image in the plane x = 0: names, places, frames, mesh, motion.
[[nodiscard]] Humanoid mirror_image(const Humanoid& human, const Profile& profile);

}  // namespace vesalius::test
