#include "vesalius/skin.hpp"

#include <algorithm>

namespace vesalius {

std::vector<Vec3> skinned_positions(const Part& part, const GlobalChange& pose) {
  std::vector<Vec3> result(part.positions.size());
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    const Vec3& rest = part.positions[v];
    Vec3 moved = Vec3::Zero();
    double still = 1;
    for (const Influence& influence : part.influences.of(v)) {
      moved += influence.weight * (pose.change[index(influence.joint)] * rest);
      still -= influence.weight;
    }
    result[v] = moved + still * rest;
  }
  return result;
}

Eigen::AlignedBox3d bounding_box(const std::vector<Part>& parts) {
  Eigen::AlignedBox3d box;
  for (const Part& part : parts) {
    for (const Vec3& position : part.positions) box.extend(position);
  }
  return box;
}

double weight_sum(std::span<const Influence> influences) noexcept {
  double sum = 0;
  for (const Influence& influence : influences) sum += influence.weight;
  return sum;
}

void merge_influences(std::vector<Influence>& influences) {
  std::stable_sort(influences.begin(), influences.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    if (kept > 0 && influences[kept - 1].joint == influences[i].joint) {
      influences[kept - 1].weight += influences[i].weight;
    } else {
      influences[kept++] = influences[i];
    }
  }
  influences.resize(kept);
}

}  // namespace vesalius
