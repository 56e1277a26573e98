#include "convert/synthesis.hpp"

#include <algorithm>
#include <limits>

namespace vesalius::convert_detail {
namespace {

/// Nominal place of a bone; profiles state one for every bone.
Vec3 nominal(const BoneTree& bones, std::size_t bone) {
  return bones.profile->joints[bone].centre.value_or(Vec3::Zero());
}

/// First bone with a place on the way along `toward`, or -1.
int next_present(const BoneTree& bones, const std::vector<int>& toward, std::size_t bone) {
  int next = toward[bone];
  while (next >= 0 && !bones.place[static_cast<std::size_t>(next)]) next = toward[static_cast<std::size_t>(next)];
  return next;
}

/// Nearest ancestor with a place that is not the static root, or -1.
int present_ancestor(const BoneTree& bones, std::size_t bone) {
  int parent = bones.parent[bone];
  while (parent >= 0 && (!bones.place[static_cast<std::size_t>(parent)] || bones.parent[static_cast<std::size_t>(parent)] < 0)) {
    parent = bones.parent[static_cast<std::size_t>(parent)];
  }
  return parent;
}

/// The bone of the middle with a place that lies nearest in the nominal figure, or -1.
int nearest_middle(const BoneTree& bones, std::size_t bone) {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < bones.place.size(); ++i) {
    if (!bones.place[i] || bones.parent[i] < 0 || bones.profile->joints[i].side != Side::middle) continue;
    const double d = (nominal(bones, i) - nominal(bones, bone)).norm();
    if (d < least) {
      least = d;
      best = static_cast<int>(i);
    }
  }
  return best;
}

/// Places one bone from what is present around it.
Vec3 place_for(const BoneTree& bones, const std::vector<int>& toward, std::size_t bone, double scale) {
  const Vec3 own = nominal(bones, bone);
  const int next = next_present(bones, toward, bone);
  const int before = bones.profile->joints[bone].side == Side::middle ? present_ancestor(bones, bone) : nearest_middle(bones, bone);
  if (next >= 0 && before >= 0) {
    const auto a = static_cast<std::size_t>(before), b = static_cast<std::size_t>(next);
    if (bones.profile->joints[bone].side == Side::middle) {
      const double whole = (nominal(bones, b) - nominal(bones, a)).norm();
      const double fraction =
          whole > 0 ? std::clamp((own - nominal(bones, a)).dot(nominal(bones, b) - nominal(bones, a)) / (whole * whole), 0.0, 1.0) : 0.5;
      return *bones.place[a] + fraction * (*bones.place[b] - *bones.place[a]);
    }
    return similarity(nominal(bones, a), nominal(bones, b), *bones.place[a], *bones.place[b])(own);
  }
  // A leaf goes on from its parent as the nominal figure does.
  const int parent = present_ancestor(bones, bone);
  if (parent >= 0) {
    const auto p = static_cast<std::size_t>(parent);
    const int grandparent = present_ancestor(bones, p);
    Quat turn = Quat::Identity();
    if (grandparent >= 0) {
      const auto g = static_cast<std::size_t>(grandparent);
      turn = least_rotation(nominal(bones, p) - nominal(bones, g), *bones.place[p] - *bones.place[g]);
    }
    return *bones.place[p] + scale * (turn * (own - nominal(bones, p)));
  }
  if (next >= 0) return *bones.place[static_cast<std::size_t>(next)] + scale * (own - nominal(bones, static_cast<std::size_t>(next)));
  return scale * own;
}

}  // namespace

Similarity similarity(const Vec3& nominal_from, const Vec3& nominal_to, const Vec3& from, const Vec3& to) {
  Similarity result;
  result.from = nominal_from;
  result.to = from;
  const double length = (nominal_to - nominal_from).norm();
  result.scale = length > 0 ? (to - from).norm() / length : 1;
  result.turn = least_rotation(nominal_to - nominal_from, to - from);
  return result;
}

double figure_scale(const BoneTree& bones) {
  std::vector<double> ratios;
  for (std::size_t b = 0; b < bones.place.size(); ++b) {
    const int p = bones.parent[b];
    if (p < 0 || bones.parent[static_cast<std::size_t>(p)] < 0 || !bones.place[b] || !bones.place[static_cast<std::size_t>(p)]) continue;
    const double length = (nominal(bones, b) - nominal(bones, static_cast<std::size_t>(p))).norm();
    if (length > 0.05) ratios.push_back((*bones.place[b] - *bones.place[static_cast<std::size_t>(p)]).norm() / length);
  }
  if (ratios.empty()) return 1;
  std::sort(ratios.begin(), ratios.end());
  const double median = ratios[ratios.size() / 2];
  return median > 0 ? median : 1;
}

std::vector<bool> synthesise(BoneTree& bones, const std::vector<int>& toward) {
  std::vector<bool> made(bones.place.size(), false);
  const double scale = figure_scale(bones);
  // The middle first: side bones lean on it.
  for (const bool middle : {true, false}) {
    for (std::size_t b = 0; b < bones.place.size(); ++b) {
      if (bones.place[b] || bones.parent[b] < 0 || (bones.profile->joints[b].side == Side::middle) != middle) continue;
      bones.place[b] = place_for(bones, toward, b, scale);
      made[b] = true;
    }
  }
  return made;
}

}  // namespace vesalius::convert_detail
