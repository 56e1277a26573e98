#include "vesalius/skeleton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/codes.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::chain;
using test::joint_at;
using test::Near;
using test::Reports;
using test::SameTurn;

TEST(Skeleton, NamesMustBeUnique) {
  const auto made = Skeleton::create({joint_at("a", -1, Vec3::Zero()), joint_at("a", 0, Vec3::Zero())});
  EXPECT_FALSE(made);
  EXPECT_THAT(made.diagnostics, Reports(codes::model_duplicate_joint));
}

TEST(Skeleton, NamesMustNotBeEmpty) {
  const auto made = Skeleton::create({joint_at("", -1, Vec3::Zero())});
  EXPECT_FALSE(made);
  EXPECT_THAT(made.diagnostics, Reports(codes::model_unnamed_joint));
}

TEST(Skeleton, ParentsComeFirst) {
  for (const int parent : {1, 2, 1000}) {
    const auto made = Skeleton::create({joint_at("a", -1, Vec3::Zero()), joint_at("b", parent, Vec3::Zero())});
    EXPECT_FALSE(made) << parent;
    EXPECT_THAT(made.diagnostics, Reports(codes::model_parent_order));
  }
}

TEST(Skeleton, PlacesAndTurnsAreFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Joint& bad : {joint_at("a", -1, Vec3(0, nan, 0)), joint_at("a", -1, Vec3::Zero(), Quat(nan, 0, 0, 0)),
                           joint_at("a", -1, Vec3::Zero(), Quat(0, 0, 0, 0))}) {
    const auto made = Skeleton::create({bad});
    EXPECT_FALSE(made);
    EXPECT_THAT(made.diagnostics, Reports(codes::model_not_finite));
  }
}

TEST(Skeleton, D32TurnsAreNormalised) {
  const auto made = Skeleton::create({joint_at("a", -1, Vec3::Zero(), Quat(1.0001, 0.001, 0, 0))});
  ASSERT_TRUE(made);
  EXPECT_NEAR(made->joints()[0].rest.turn.norm(), 1, 1e-15);
}

TEST(Skeleton, AllFaultsAreReportedAtOnce) {
  const auto made = Skeleton::create({joint_at("", -1, Vec3::Zero()), joint_at("b", 5, Vec3::Zero())});
  EXPECT_THAT(made.diagnostics, Reports(codes::model_unnamed_joint));
  EXPECT_THAT(made.diagnostics, Reports(codes::model_parent_order));
}

/// root - left - l2, root - right
Skeleton fork() {
  auto made =
      Skeleton::create({joint_at("root", -1, Vec3::Zero()), joint_at("left", 0, Vec3::UnitX()), joint_at("right", 0, -Vec3::UnitX()),
                        joint_at("l2", 1, 2 * Vec3::UnitX()), joint_at("other", -1, Vec3::Zero())});
  return std::move(*made);
}

TEST(Skeleton, FindsJointsAndTheirChildren) {
  const Skeleton skeleton = fork();
  const JointIndex root = skeleton.find("root"), left = skeleton.find("left"), right = skeleton.find("right");
  EXPECT_EQ(skeleton.find("no"), JointIndex::none);
  EXPECT_EQ(skeleton.children(root), (std::vector{left, right}));
  EXPECT_TRUE(skeleton.children(right).empty());
}

TEST(Skeleton, KnowsAncestors) {
  const Skeleton skeleton = fork();
  const auto at = [&](const char* name) { return skeleton.find(name); };
  EXPECT_TRUE(skeleton.is_ancestor(at("root"), at("l2")));
  EXPECT_TRUE(skeleton.is_ancestor(at("l2"), at("l2")));
  EXPECT_FALSE(skeleton.is_ancestor(at("l2"), at("root")));
  EXPECT_FALSE(skeleton.is_ancestor(at("right"), at("l2")));
  EXPECT_EQ(skeleton.common_ancestor(at("l2"), at("right")), at("root"));
  EXPECT_EQ(skeleton.common_ancestor(at("l2"), at("left")), at("left"));
  EXPECT_EQ(skeleton.common_ancestor(at("l2"), at("other")), JointIndex::none);
}

TEST(RestLocals, MultiplyBackToTheRestPose) {
  const Skeleton skeleton = chain();
  const std::vector<Transform> locals = rest_locals(skeleton);
  Affine model_from_joint = Affine::Identity();
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    model_from_joint = model_from_joint * locals[i].matrix();
    EXPECT_THAT(model_from_joint.translation(), Near(skeleton.joints()[i].rest.place, 1e-15));
    EXPECT_THAT(rotation_of(model_from_joint), SameTurn(skeleton.joints()[i].rest.turn, 1e-15));
  }
}

}  // namespace
}  // namespace vesalius
