#include "convert/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "convert/codes.hpp"

namespace vesalius::convert_detail {

Influences summed(const Influences& influences, std::span<const int> target_of_joint, PerVertex<KeptInfluence>* kept) {
  Influences result;
  result.begin.reserve(influences.begin.size());
  result.items.reserve(influences.items.size());
  std::vector<Influence> merged;
  for (std::size_t v = 0; v < influences.vertices(); ++v) {
    merged.clear();
    for (const Influence& influence : influences.of(v)) {
      const int target = target_of_joint[index(influence.joint)];
      if (target >= 0) merged.push_back({static_cast<JointIndex>(target), influence.weight});
    }
    merge_influences(merged);
    result.items.insert(result.items.end(), merged.begin(), merged.end());
    result.end_vertex();
    if (kept == nullptr) continue;
    for (const Influence& influence : influences.of(v)) {
      const int target = target_of_joint[index(influence.joint)];
      if (target < 0 || influence.weight == 0) continue;
      const auto bone =
          std::find_if(merged.begin(), merged.end(), [&](const Influence& m) { return m.joint == static_cast<JointIndex>(target); });
      if (bone->weight != 0) kept->items.push_back({static_cast<std::uint32_t>(index(influence.joint)), influence.weight / bone->weight});
    }
    kept->end_vertex();
  }
  return result;
}

LimitReport limit(Influences& influences, unsigned most) {
  LimitReport report;
  Influences result;
  result.begin.reserve(influences.begin.size());
  result.items.reserve(influences.items.size());
  std::vector<Influence> sorted;
  for (std::size_t v = 0; v < influences.vertices(); ++v) {
    const auto items = influences.of(v);
    if (items.size() <= most) {
      result.items.insert(result.items.end(), items.begin(), items.end());
      result.end_vertex();
      continue;
    }
    sorted.assign(items.begin(), items.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const Influence& a, const Influence& b) {
      return a.weight != b.weight ? a.weight > b.weight : index(a.joint) < index(b.joint);
    });
    const double before = weight_sum(sorted);
    ++report.vertices;
    report.dropped += sorted.size() - most;
    report.worst = std::max(report.worst, sorted[most].weight);
    sorted.resize(most);
    const double after = weight_sum(sorted);
    for (Influence& influence : sorted) influence.weight *= after > 0 ? before / after : 0;
    merge_influences(sorted);
    result.items.insert(result.items.end(), sorted.begin(), sorted.end());
    result.end_vertex();
  }
  influences = std::move(result);
  return report;
}

NormaliseReport normalise(Influences& influences, double rounding) {
  NormaliseReport report;
  for (std::size_t v = 0; v < influences.vertices(); ++v) {
    const auto items = influences.of(v);
    for (Influence& influence : items) influence.weight = std::max(0.0, influence.weight);
    const double sum = weight_sum(items);
    if (sum > 1 + rounding) ++report.above;
    if (sum > 1 || (sum < 1 && sum > 1 - rounding)) {
      for (Influence& influence : items) influence.weight /= sum;
    } else if (sum < 1) {
      ++report.resting;
    }
  }
  return report;
}

void report_weights(const NormaliseReport& normalised, const LimitReport& limited, unsigned most, Diagnostics& sink) {
  if (normalised.above > 0)
    sink.warning(codes::convert_weight_sum,
                 std::to_string(normalised.above) + " vertices have weights that sum to more than 1; they were scaled to 1");
  if (limited.vertices > 0)
    sink.warning(codes::convert_dropped_influences, std::to_string(limited.dropped) + " influences of " + std::to_string(limited.vertices) +
                                                        " vertices are beyond the limit of " + std::to_string(most) +
                                                        " and were dropped; the largest had weight " + std::to_string(limited.worst));
}

void fill_with(Influences& influences, JointIndex joint) {
  Influences result;
  result.begin.reserve(influences.begin.size());
  result.items.reserve(influences.items.size());
  std::vector<Influence> merged;
  for (std::size_t v = 0; v < influences.vertices(); ++v) {
    const auto items = influences.of(v);
    const double missing = 1 - weight_sum(items);
    merged.assign(items.begin(), items.end());
    if (missing > 1e-12) merged.push_back({joint, missing});
    merge_influences(merged);
    result.items.insert(result.items.end(), merged.begin(), merged.end());
    result.end_vertex();
  }
  influences = std::move(result);
}

namespace {

/// Distance of a point from the polyline of a chain.
double distance(const SplitChain& chain, const Vec3& point) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < chain.places.size(); ++i) {
    const Vec3& from = chain.places[i];
    const Vec3 along = (i + 1 < chain.places.size() ? chain.places[i + 1] : chain.end) - from;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((point - from).dot(along) / length2, 0.0, 1.0) : 0.0;
    best = std::min(best, (from + t * along - point).norm());
  }
  return best;
}

}  // namespace

std::vector<Influence> split(const SplitBone& bone, const Vec3& vertex) {
  if (bone.chains.empty()) return {{bone.single, 1.0}};
  const SplitChain* chain = &bone.chains.front();
  if (bone.chains.size() > 1) {
    double best = std::numeric_limits<double>::infinity();
    for (const SplitChain& candidate : bone.chains) {
      const double d = distance(candidate, vertex);
      if (d < best) {
        best = d;
        chain = &candidate;
      }
    }
  }
  const std::size_t count = chain->joints.size();
  if (count == 1) return {{chain->joints.front(), 1.0}};
  const Vec3 axis = chain->end - chain->places.front();
  const double length2 = axis.squaredNorm();
  if (length2 <= 0) return {{chain->joints.front(), 1.0}};
  const auto along = [&](const Vec3& point) { return (point - chain->places.front()).dot(axis) / length2; };
  const auto middle = [&](std::size_t i) { return (along(chain->places[i]) + (i + 1 < count ? along(chain->places[i + 1]) : 1.0)) / 2; };
  const double t = along(vertex);
  std::size_t i = 0;
  while (i + 1 < count && middle(i + 1) <= t) ++i;
  const double here = middle(i);
  if (i + 1 == count || t <= here) return {{chain->joints[i], 1.0}};
  const double next = middle(i + 1);
  const double share = next > here ? (t - here) / (next - here) : 1.0;
  return {{chain->joints[i], 1 - share}, {chain->joints[i + 1], share}};
}

std::vector<Influence> split_within(const SplitBone& bone, const Vec3& vertex, std::size_t& free) {
  auto pieces = split(bone, vertex);
  if (pieces.size() > 1 && free < pieces.size() - 1) {
    const auto largest = std::ranges::max_element(pieces, {}, &Influence::weight);
    pieces = {{largest->joint, 1.0}};
  }
  free -= pieces.size() - 1;
  return pieces;
}

double restore_shares(std::span<const KeptInfluence> kept, std::span<const int> bone_of_kept, std::span<const JointIndex> joint_of_kept,
                      std::vector<Influence>& bones, std::vector<Influence>& merged) {
  const auto known = [&](const KeptInfluence& entry) {
    return entry.joint < joint_of_kept.size() && joint_of_kept[entry.joint] != JointIndex::none;
  };
  double dropped = 0;
  for (const KeptInfluence& entry : kept) {
    if (entry.ratio < 0 && known(entry)) dropped -= entry.ratio;
  }
  dropped = std::min(dropped, 1.0);
  for (Influence& bone : bones) {
    const auto belongs = [&](const KeptInfluence& entry) {
      return entry.ratio > 0 && known(entry) && bone_of_kept[entry.joint] == static_cast<int>(index(bone.joint));
    };
    double sum = 0;
    for (const KeptInfluence& entry : kept) {
      if (belongs(entry)) sum += entry.ratio;
    }
    if (sum <= 0) continue;
    for (const KeptInfluence& entry : kept) {
      if (belongs(entry)) merged.push_back({joint_of_kept[entry.joint], bone.weight * (1 - dropped) * entry.ratio / sum});
    }
    bone.weight = 0;
  }
  for (const KeptInfluence& entry : kept) {
    if (entry.ratio < 0 && known(entry)) merged.push_back({joint_of_kept[entry.joint], -entry.ratio});
  }
  return dropped;
}

}  // namespace vesalius::convert_detail
