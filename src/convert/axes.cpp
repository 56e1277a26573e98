#include "convert/axes.hpp"

#include <algorithm>

namespace vesalius::convert_detail {
namespace {

constexpr double least_length_m = 1e-4;  // shorter bones have no direction

/// Weighted sum of the vertices of each bone: where its flesh is.
struct Flesh {
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  double spread = 0;  // weighted sum of squared distances from the origin
};

std::vector<Flesh> flesh_of(const BoneTree& bones, const std::vector<Part>& parts) {
  std::vector<Flesh> result(bones.place.size());
  for (const Part& part : parts) {
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      for (const Influence& influence : part.influences.of(v)) {
        const auto b = index(influence.joint);
        // What a neighbour shares lies around the joint and says nothing about the bone's direction.
        if (b >= result.size() || influence.weight < 0.5 || !bones.place[b]) continue;
        const Vec3 offset = part.positions[v] - *bones.place[b];
        result[b].sum += influence.weight * offset;
        result[b].weight += influence.weight;
        result[b].spread += influence.weight * offset.squaredNorm();
      }
    }
  }
  return result;
}

}  // namespace

std::vector<BoneAxes> bone_axes(const BoneTree& bones, const std::vector<int>& toward, const std::vector<std::vector<std::string>>& tips,
                                const std::vector<Part>& parts, const std::vector<Site>& sites) {
  const auto flesh = flesh_of(bones, parts);
  std::vector<BoneAxes> result(bones.place.size());
  for (std::size_t b = 0; b < bones.place.size(); ++b) {
    const Quat& nominal = bones.profile->joints[b].rest_frame;
    const int parent = bones.parent[b];
    BoneAxes& axes = result[b];
    if (parent < 0) {  // the static root: the figure's own axes
      axes.frame = nominal;
      axes.pointed_by = "profile";
      continue;
    }
    std::optional<Vec3> direction;
    if (!bones.place[b]) {
      axes.frame = nominal;
      continue;
    }
    const auto take = [&](const Vec3& to, const char* by) {
      const Vec3 along = to - *bones.place[b];
      if (direction || along.norm() < least_length_m) return;
      direction = along;
      axes.pointed_by = by;
    };
    if (toward[b] >= 0 && bones.place[static_cast<std::size_t>(toward[b])])
      take(*bones.place[static_cast<std::size_t>(toward[b])], "child");
    for (const std::string& tip : tips[b]) {
      for (const Site& site : sites) {
        if (!direction && site.name == tip && site.joint == joint_index(b))
          take(site.rest.place, tip.ends_with("_end") ? "end node" : "site");
      }
    }
    if (!direction && flesh[b].weight > 0) {
      // A ball around the origin (an eye) points nowhere.
      const Vec3 mean = flesh[b].sum / flesh[b].weight;
      if (mean.squaredNorm() > 0.1 * flesh[b].spread / flesh[b].weight) take(*bones.place[b] + mean, "vertices");
    }
    if (direction) {
      axes.frame = least_rotation(nominal * Vec3::UnitY(), *direction) * nominal;
    } else {
      const auto p = static_cast<std::size_t>(parent);
      axes.frame = result[p].frame * bones.profile->joints[p].rest_frame.conjugate() * nominal;
      axes.pointed_by = "parent";
    }
    axes.frame.normalize();
  }
  return result;
}

}  // namespace vesalius::convert_detail
