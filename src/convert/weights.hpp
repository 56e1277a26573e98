#pragma once
// Weights when many joints become few and back: sums, limits, splits.
#include <functional>
#include <span>
#include <vector>

#include "convert/correspondence.hpp"
#include "vesalius/skin.hpp"

namespace vesalius::convert_detail {

/// Influences renamed by `target_of_joint` (one entry per joint of the source; negative: dropped) and summed per target. The shares
/// of the source joints within each target go to `kept` when it is not null.
[[nodiscard]] Influences summed(const Influences& influences, std::span<const int> target_of_joint, PerVertex<KeptInfluence>* kept);

struct LimitReport {
  std::size_t vertices = 0;  ///< that lost influences
  std::size_t dropped = 0;   ///< influences
  double worst = 0;          ///< largest weight dropped
};

/// Keeps the `most` largest influences of each vertex (the lower joint among equals) and scales them to the sum they had.
LimitReport limit(Influences& influences, unsigned most);

/// A remainder below this is rounding in the file (three-digit weights); in a figure that came from an asset it is the static root's share,
/// and only what single precision leaves is rounding.
inline constexpr double rounding_in_files = 1e-3, rounding_of_floats = 1e-6;

/// Weights below 0 become 0; sums above 1 are scaled to 1; a remainder below `rounding` is scaled away.
struct NormaliseReport {
  std::size_t above = 0;    ///< vertices whose sum was above 1 by more than rounding
  std::size_t resting = 0;  ///< vertices that keep a share at rest
};
NormaliseReport normalise(Influences& influences, double rounding);

/// Findings about both. What stays at rest is not among them: whether that is a loss depends on the target.
void report_weights(const NormaliseReport& normalised, const LimitReport& limited, unsigned most, Diagnostics& sink);

/// Gives each vertex's missing share to `joint`.
void fill_with(Influences& influences, JointIndex joint);

/// A chain that a bone is split over: places of its joints and of the end, in the frame of the mesh.
struct SplitChain {
  std::vector<JointIndex> joints;  ///< target joints, proximal to distal
  std::vector<Vec3> places;        ///< as many
  Vec3 end = Vec3::Zero();
};

/// How one bone's weight is split: parallel chains, the nearest of which takes the vertex. Without chains, `single` takes all.
struct SplitBone {
  std::vector<SplitChain> chains;
  JointIndex single = JointIndex::none;
};

/// The shares of one vertex over the joints of its chain: clamped hats centred in the middle of each joint's stretch, a partition of
/// unity. At most two entries, ascending along the chain.
[[nodiscard]] std::vector<Influence> split(const SplitBone& bone, const Vec3& vertex);

/// The same while `free` more influences fit on the vertex, else all to the joint with the largest share; takes what it uses from `free`.
[[nodiscard]] std::vector<Influence> split_within(const SplitBone& bone, const Vec3& vertex, std::size_t& free);

/// Shares of one vertex as they were before joints became bones: the kept ratios of each bone's weight as it is now go to `merged`, and the
/// influences in `bones` that they used up become 0. Per kept joint: the bone that carries it (-1: none) and where its weight goes (none:
/// nowhere). Returns the sum of weights that the limit had dropped, for which the others make room.
double restore_shares(std::span<const KeptInfluence> kept, std::span<const int> bone_of_kept, std::span<const JointIndex> joint_of_kept,
                      std::vector<Influence>& bones, std::vector<Influence>& merged);

}  // namespace vesalius::convert_detail
