#pragma once
// Small humanoids and random turns for tests, and the walk over the invariants that every load should pass.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "vesalius/humanoid.hpp"

namespace vesalius::test {

/// Expects that no invariant of a humanoid is broken.
inline void expect_sound(const Humanoid& humanoid) {
  const Diagnostics broken = broken_invariants(humanoid);
  for (const Diagnostic& finding : broken.items()) ADD_FAILURE() << to_text(finding);
}

/// A joint without turn at a place; parents by index, -1 for none.
inline Joint joint_at(std::string name, int parent, const Vec3& place, const Quat& turn = Quat::Identity()) {
  Joint joint;
  joint.source_name = name;
  joint.name = std::move(name);
  joint.parent = static_cast<JointIndex>(parent);
  joint.rest = {place, turn};
  return joint;
}

/// Three joints a metre apart along +Y, each turned 30 degrees about another axis.
inline Skeleton chain() {
  const auto turn = [](const Vec3& axis) { return Quat(Eigen::AngleAxisd(M_PI / 6, axis)); };
  auto made = Skeleton::create({joint_at("a", -1, Vec3(0, 1, 0), turn(Vec3::UnitX())), joint_at("b", 0, Vec3(0, 2, 0), turn(Vec3::UnitY())),
                                joint_at("c", 1, Vec3(0, 3, 0), turn(Vec3::UnitZ()))});
  return std::move(*made);
}

/// A sound humanoid with the chain, one triangle, one morph, one site and one clip.
inline Humanoid small_humanoid() {
  Humanoid human;
  human.name = "small";
  human.skeleton = chain();
  human.materials.emplace_back().name = "skin";
  Part part;
  part.name = "body";
  part.positions = {Vec3(0, 1, 0), Vec3(0, 2, 0), Vec3(0.5, 3, 0)};
  part.normals.assign(3, Vec3::UnitZ());
  for (int v = 0; v < 3; ++v) {
    part.influences.items.push_back({static_cast<JointIndex>(v), 1.0});
    part.influences.end_vertex();
  }
  part.surfaces.push_back({0, {{0, 1, 2}}});
  Morph morph;
  morph.name = "smile";
  morph.vertices = {0, 2};
  morph.displacements = {Vec3(0, 0, 0.1), Vec3(0, 0, 0.2)};
  part.morphs.push_back(morph);
  human.parts.push_back(part);
  human.sites.push_back({"tip", static_cast<JointIndex>(2), "", {Vec3(0, 4, 0), Quat::Identity()}, Vec3::Ones()});
  Clip clip;
  clip.name = "turn";
  clip.duration_s = 1;
  JointTracks tracks;
  tracks.joint = static_cast<JointIndex>(1);
  tracks.rotation.times_s = {0, 1};
  tracks.rotation.values = {Quat::Identity(), Quat(Eigen::AngleAxisd(1.0, Vec3::UnitX()))};
  clip.joints.push_back(tracks);
  clip.morphs.push_back({0, 0, {{0, 1}, {0, 1}, Interpolation::linear}});
  human.clips.push_back(clip);
  return human;
}

/// Numbers that are the same on every machine (the standard's distributions are not).
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * (static_cast<double>(engine_()) / 4294967295.0); }
  Vec3 place(double reach) {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = between(-reach, reach);
    return v;
  }
  /// Uniform over all orientations by rejection.
  Quat turn() {
    for (;;) {
      const Eigen::Vector4d q(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1));
      const double norm = q.norm();
      if (norm > 0.1 && norm <= 1) return Quat(q / norm);
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace vesalius::test
