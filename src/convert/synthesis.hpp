#pragma once
// Places for bones that the source lacks.
#include "convert/rest.hpp"

namespace vesalius::convert_detail {

/// Fills the missing places of `bones` from the profile's nominal figure: bones of the middle by their nominal fraction between present
/// neighbours, side bones by the similarity that takes the nominal stretch between present neighbours to the figure's, leaves by the
/// parent's. `toward` as in bone_axes. Returns which bones were made up.
[[nodiscard]] std::vector<bool> synthesise(BoneTree& bones, const std::vector<int>& toward);

/// Least similarity (scale and turn) that takes one stretch to another.
struct Similarity {
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::Zero();
  Quat turn = Quat::Identity();
  double scale = 1;
  [[nodiscard]] Vec3 operator()(const Vec3& point) const { return to + scale * (turn * (point - from)); }
};
[[nodiscard]] Similarity similarity(const Vec3& nominal_from, const Vec3& nominal_to, const Vec3& from, const Vec3& to);

/// Size of the figure against the profile's nominal one: the median over bones of the ratio of their distances from the parent.
[[nodiscard]] double figure_scale(const BoneTree& bones);

}  // namespace vesalius::convert_detail
