// What hangs on joints goes into the new frames with them: sites, segments, weights that leave a rest.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "convert/codes.hpp"
#include "convert/steps.hpp"
#include "unit/cases/figures.hpp"

namespace vesalius {
namespace {

using test::about;
using test::change_at;
using test::converted;
using test::figure_of;
using test::place_of;

Humanoid figure() {
  return figure_of(test::level_joints(1));
}
ConvertOptions keep_rest() {
  ConvertOptions options;
  options.rest = RestPolicy::keep;
  return options;
}

TEST(Carried, MassPropertiesTurnWithTheArm) {
  Humanoid source = figure();
  Segment forearm;
  forearm.name = "l_forearm";
  forearm.joint = source.skeleton.find("l_elbow");
  forearm.mass_kg = 1.5;
  forearm.centre_of_mass = place_of(source, "l_elbow") + Vec3(0.01, -0.1, 0.02);
  const Vec3 principal(0.02, 0.003, 0.018);
  const Quat axes = about(Vec3(1, 2, 3), 20);
  forearm.moments_of_inertia = axes.toRotationMatrix() * principal.asDiagonal() * axes.toRotationMatrix().transpose();
  source.segments = {forearm};
  source.sites.push_back({"l_watch", forearm.joint, "l_forearm", {place_of(source, "l_elbow") + Vec3(0.03, -0.2, 0), axes}, Vec3(1, 1, 2)});
  const Conversion made = converted(source, "openmaterial");
  const Humanoid& asset = made.humanoid;
  // The arm's turn from the I-pose to the A-pose, as the bones show it.
  const Vec3 from = place_of(source, "l_radiocarpal") - place_of(source, "l_elbow");
  const Vec3 to = place_of(asset, "Hand_Left") - place_of(asset, "Lower_Arm_Left");
  ASSERT_GT(std::acos(from.normalized().dot(to.normalized())), 0.3) << "the arms do turn";
  double turned = 0;
  for (const LimbTurn& limb : made.report.limbs) {
    if (limb.bone == "Lower_Arm_Left") turned = limb.angle_rad;
  }
  const Segment& carried = asset.segments.at(0);
  EXPECT_EQ(carried.mass_kg, 1.5);
  EXPECT_EQ(asset.skeleton[carried.joint].name, "Lower_Arm_Left");
  // The centre keeps its place in the forearm: its distances from elbow and wrist, and its height along the bone.
  const Vec3 off = *carried.centre_of_mass - place_of(asset, "Lower_Arm_Left");
  EXPECT_NEAR(off.norm(), Vec3(0.01, -0.1, 0.02).norm(), 1e-12);
  EXPECT_NEAR((*carried.centre_of_mass - place_of(asset, "Hand_Left")).norm(),
              (*forearm.centre_of_mass - place_of(source, "l_radiocarpal")).norm(), 1e-12);
  // The tensor has the same principal moments about axes that made the same turn.
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(*carried.moments_of_inertia);
  EXPECT_NEAR(solver.eigenvalues()[0], 0.003, 1e-12);
  EXPECT_NEAR(solver.eigenvalues()[2], 0.02, 1e-12);
  const Vec3 smallest = solver.eigenvectors().col(0);
  EXPECT_GT((*carried.moments_of_inertia - *forearm.moments_of_inertia).cwiseAbs().maxCoeff(), 1e-3) << "not copied";
  const Site& site = asset.sites.at(0);
  const Quat turn = site.rest.turn * axes.conjugate();
  EXPECT_NEAR(angle_between_rad(turn, Quat::Identity()), turned, 1e-9);
  EXPECT_NEAR(std::abs(smallest.dot(turn * (axes * Vec3::UnitY()))), 1, 1e-9);
  EXPECT_EQ(site.scale, Vec3(1, 1, 2));
  // And back.
  const Humanoid back = converted(asset, "hanim-2").humanoid;
  EXPECT_THAT(*back.segments.at(0).centre_of_mass, test::Near(*forearm.centre_of_mass, 1e-12));
  EXPECT_LT((*back.segments[0].moments_of_inertia - *forearm.moments_of_inertia).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_THAT(back.sites.at(0).rest.turn, test::SameTurn(axes, 1e-12));
}

// Weights below 1: what is missing stays where it rests. The static root carries exactly that part, in every pose.
TEST(Carried, WeightsBelowOneAreExactOnTheStaticRoot) {
  Humanoid source = figure();
  for (std::size_t v = 0; v < source.parts[0].positions.size(); ++v) {
    source.parts[0].influences.of(v)[0].weight = v % 3 == 0 ? 0.6 : v % 3 == 1 ? 0.002 : 0;
  }
  test::turn(source, "humanoid_root", {Quat::Identity(), about(Vec3(1, 1, 1), 50)});
  test::turn(source, "l_knee", {Quat::Identity(), about(Vec3::UnitX(), 70)});
  const Conversion made = converted(source, "openmaterial", keep_rest());
  const Humanoid& asset = made.humanoid;
  const JointIndex knee = source.skeleton.find("l_knee"), root = source.skeleton.find("humanoid_root");
  for (const double t : {0.0, 0.5, 1.0}) {
    const auto there = skinned_positions(source.parts[0], change_at(source, t));
    const auto here = skinned_positions(asset.parts[0], change_at(asset, t));
    for (const JointIndex joint : {knee, root}) {
      for (std::size_t v = 3 * index(joint); v < 3 * index(joint) + 3; ++v)
        EXPECT_THAT(here[v], test::Near(there[v] + asset.kept->shift, 1e-9)) << v << " at " << t;
    }
  }
  // Back, the shares are missing again instead of carried by a joint.
  const Humanoid back = converted(asset, "hanim-2", keep_rest()).humanoid;
  for (std::size_t v = 0; v < back.parts[0].positions.size(); ++v)
    EXPECT_NEAR(weight_sum(back.parts[0].influences.of(v)), v % 3 == 0 ? 0.6 : v % 3 == 1 ? 0.002 : 0, 1e-12);
}

TEST(Carried, RestingSharesOnTurnedLimbsAreReported) {
  Humanoid source = figure();
  for (Influence& influence : source.parts[0].influences.items) influence.weight = 0.5;
  ConvertOptions options;
  options.to = "openmaterial";
  const auto severity = [&](const Diagnostics& findings) {
    Severity worst = Severity::note;
    for (const Diagnostic& finding : findings.items()) {
      if (finding.code == codes::convert_resting_share) worst = std::max(worst, finding.severity);
    }
    return worst;
  };
  EXPECT_EQ(severity(convert(source, MappingTables::built_in(), options).diagnostics), Severity::warning);
  options.rest = RestPolicy::keep;
  EXPECT_EQ(severity(convert(source, MappingTables::built_in(), options).diagnostics), Severity::note);
}

TEST(Carried, WeightsAboveOneAreScaledAndReported) {
  Humanoid source = figure();
  for (Influence& influence : source.parts[0].influences.items) influence.weight = 1.5;
  ConvertOptions options;
  options.to = "openmaterial";
  const auto made = convert(source, MappingTables::built_in(), options);
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::convert_weight_sum));
  for (std::size_t v = 0; v < made->humanoid.parts[0].positions.size(); ++v)
    EXPECT_NEAR(weight_sum(made->humanoid.parts[0].influences.of(v)), 1, 1e-12);
}

// A cube as the body and single vertices as a limb: counted are those that are inside now and were not before.
TEST(Carried, VerticesThatEnterTheBodyAreCounted) {
  Part part;
  for (int corner = 0; corner < 8; ++corner) {
    part.positions.push_back(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
    part.influences.items.push_back({joint_index(0), 1});
    part.influences.end_vertex();
  }
  const std::vector<Vec3> limb{Vec3(.1, .2, .3), Vec3(.3, -.4, .2), Vec3(3, .2, .3), Vec3(-.9, .91, .8), Vec3(0, 0, 5)};
  for (const Vec3& place : limb) {
    part.positions.push_back(place);
    part.influences.items.push_back({joint_index(1), 1});
    part.influences.end_vertex();
  }
  Surface cube;
  cube.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  part.surfaces = {cube};
  auto before = convert_detail::places_of({part});
  for (std::size_t v = 8; v < before[0].size(); ++v) before[0][v] += Vec3(0, 0, 4);  // all outside
  before[0][9] = Vec3(0, 0.1, 0);                                                    // but this one was inside already
  EXPECT_EQ(convert_detail::entered_body(before, {part}, {false, true}), 2u);
  EXPECT_EQ(convert_detail::entered_body(before, {part}, {false, false}), 0u);
}

// Three-digit weights that miss 1 by rounding are no share at rest.
TEST(Carried, RoundedWeightsLeaveNoRest) {
  Humanoid source = figure();
  source.parts[0].influences.of(5)[0].weight = 0.9992;
  ConvertOptions options;
  options.to = "openmaterial";
  const auto made = convert(source, MappingTables::built_in(), options);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->humanoid.parts[0].influences.of(5).size(), 1u);
  EXPECT_NEAR(made->humanoid.parts[0].influences.of(5)[0].weight, 1, 1e-12);
}

}  // namespace
}  // namespace vesalius
