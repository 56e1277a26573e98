#include "property/measure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace vesalius::test {
namespace {

constexpr double cell_m = 1e-3, reach_m = 5e-4;

/// A vertex with what hangs on it, by names.
struct Corner {
  Vec3 place;
  std::map<std::string, double> weights;
  std::map<std::string, Vec3> moves;
};

std::vector<Corner> corners_of(const Humanoid& humanoid) {
  std::vector<Corner> result;
  for (const Part& part : humanoid.parts) {
    std::vector<bool> used(part.positions.size(), false);
    for (const Surface& surface : part.surfaces) {
      for (const auto& t : surface.triangles) used[t[0]] = used[t[1]] = used[t[2]] = true;
    }
    std::vector<std::size_t> number(part.positions.size());
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      number[v] = result.size();
      if (!used[v]) continue;
      Corner corner;
      corner.place = part.positions[v];
      for (const Influence& influence : part.influences.of(v)) {
        if (influence.weight != 0) corner.weights[humanoid.skeleton[influence.joint].name] += influence.weight;
      }
      result.push_back(std::move(corner));
    }
    for (const Morph& morph : part.morphs) {
      for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        if (used[morph.vertices[i]]) result[number[morph.vertices[i]]].moves[morph.name] = morph.displacements[i];
      }
    }
  }
  return result;
}

struct Cell {
  int x, y, z;
  bool operator==(const Cell&) const = default;
};
struct CellHash {
  std::size_t operator()(const Cell& c) const noexcept {
    return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u ^
           static_cast<std::size_t>(c.z) * 83492791u;
  }
};
Cell cell_of(const Vec3& p) {
  return {static_cast<int>(std::floor(p.x() / cell_m)), static_cast<int>(std::floor(p.y() / cell_m)),
          static_cast<int>(std::floor(p.z() / cell_m))};
}

double apart(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double worst = 0;
  for (const auto& [name, weight] : a) {
    const auto other = b.find(name);
    worst = std::max(worst, std::abs(weight - (other == b.end() ? 0 : other->second)));
  }
  for (const auto& [name, weight] : b) {
    if (!a.contains(name)) worst = std::max(worst, weight);
  }
  return worst;
}
double apart(const std::map<std::string, Vec3>& a, const std::map<std::string, Vec3>& b) {
  double worst = 0;
  for (const auto& [name, move] : a) {
    const auto other = b.find(name);
    worst = std::max(worst, other == b.end() ? move.norm() : (move - other->second).norm());
  }
  return worst;
}

}  // namespace

Difference measure(const Humanoid& a, const Humanoid& b) {
  Difference result;
  const auto lacks = [&](const std::string& what) {
    if (result.missing++ == 0) result.worst = what;
  };
  for (const Joint& joint : a.skeleton.joints()) {
    const JointIndex other = b.skeleton.find(joint.name);
    if (other == JointIndex::none) {
      lacks("joint " + joint.name);
      continue;
    }
    result.place_m = std::max(result.place_m, (b.skeleton[other].rest.place - joint.rest.place).norm());
    result.turn_rad = std::max(result.turn_rad, angle_between_rad(b.skeleton[other].rest.turn, joint.rest.turn));
    if (joint.limits.has_value() != b.skeleton[other].limits.has_value()) {
      lacks("limits of " + joint.name);
    } else if (joint.limits) {
      result.limit_rad = std::max({result.limit_rad, (joint.limits->lower_rad - b.skeleton[other].limits->lower_rad).norm(),
                                   (joint.limits->upper_rad - b.skeleton[other].limits->upper_rad).norm()});
    }
  }
  for (const Site& site : a.sites) {
    const auto other =
        std::ranges::find_if(b.sites, [&](const Site& s) { return s.name == site.name && (s.rest.place - site.rest.place).norm() < 0.05; });
    if (other == b.sites.end()) {
      lacks("site " + site.name);
    } else {
      result.site_m = std::max(result.site_m, (other->rest.place - site.rest.place).norm());
      const auto name = [](const Humanoid& h, JointIndex joint) {
        return joint == JointIndex::none ? std::string() : h.skeleton[joint].name;
      };
      if (name(a, site.joint) != name(b, other->joint)) lacks("joint of site " + site.name);
    }
  }
  const auto ours = corners_of(a), theirs = corners_of(b);
  std::unordered_map<Cell, std::vector<std::size_t>, CellHash> grid;
  for (std::size_t i = 0; i < theirs.size(); ++i) grid[cell_of(theirs[i].place)].push_back(i);
  for (const Corner& corner : ours) {
    const Cell c = cell_of(corner.place);
    double best_mesh = 1, best_weight = 1, best_move = 1;
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dz = -1; dz <= 1; ++dz) {
          const auto found = grid.find({c.x + dx, c.y + dy, c.z + dz});
          if (found == grid.end()) continue;
          for (const std::size_t i : found->second) {
            const double d = (theirs[i].place - corner.place).norm();
            if (d > reach_m) continue;
            const double w = apart(corner.weights, theirs[i].weights), m = apart(corner.moves, theirs[i].moves);
            if (d + w + m < best_mesh + best_weight + best_move) {
              best_mesh = d;
              best_weight = w;
              best_move = m;
            }
          }
        }
      }
    }
    result.mesh_m = std::max(result.mesh_m, best_mesh);
    result.weight = std::max(result.weight, best_weight);
    result.displacer_m = std::max(result.displacer_m, best_move);
  }
  return result;
}

MotionDifference measure_motion(const Humanoid& a, const Humanoid& b, const std::vector<double>& times_s) {
  MotionDifference result;
  if (a.clips.empty() || b.clips.empty()) {
    result.turn_rad = result.place_m = a.clips.size() == b.clips.size() ? 0 : 1;
    return result;
  }
  for (const double t : times_s) {
    const auto here = model_from_joints(a.skeleton, sample(a.skeleton, a.clips.front(), t));
    const auto there = model_from_joints(b.skeleton, sample(b.skeleton, b.clips.front(), t));
    for (std::size_t j = 0; j < a.skeleton.size(); ++j) {
      const JointIndex other = b.skeleton.find(a.skeleton.joints()[j].name);
      if (other == JointIndex::none) continue;
      result.turn_rad = std::max(result.turn_rad, angle_between_rad(rotation_of(here[j]), rotation_of(there[index(other)])));
      result.place_m = std::max(result.place_m, (here[j].translation() - there[index(other)].translation()).norm());
    }
  }
  return result;
}

}  // namespace vesalius::test
