#include "vesalius/pose.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/builders.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::chain;
using test::Near;
using test::SameTurn;

Quat about_x(double angle_rad) {
  return Quat(Eigen::AngleAxisd(angle_rad, Vec3::UnitX()));
}

TEST(GlobalChange, IsIdentityAtRest) {
  const Skeleton skeleton = chain();
  for (const Affine& change : global_change(skeleton, rest_pose(skeleton)).change) EXPECT_TRUE(change.isApprox(Affine::Identity(), 1e-14));
}

TEST(GlobalChange, TurnsEverythingBelowAboutTheJointsPlace) {
  const Skeleton skeleton = chain();
  LocalPose pose = rest_pose(skeleton);
  // Turn b about the model's X axis: in the axes of its parent that is parent^-1 x parent.
  const Quat parent = skeleton.joints()[0].rest.turn;
  pose.parent_from_joint[1].rotation = parent.conjugate() * about_x(M_PI / 2) * parent * pose.parent_from_joint[1].rotation;
  const GlobalChange moved = global_change(skeleton, pose);
  EXPECT_TRUE(moved.change[0].isApprox(Affine::Identity(), 1e-14));
  EXPECT_THAT(moved.change[1] * Vec3(0, 2, 0), Near(Vec3(0, 2, 0), 1e-14)) << "b stays where it is";
  EXPECT_THAT(moved.change[2] * Vec3(0, 3, 0), Near(Vec3(0, 2, 1), 1e-14)) << "c swings a quarter about b";
  EXPECT_THAT(rotation_of(moved.change[2]), SameTurn(about_x(M_PI / 2), 1e-14));
}

TEST(SampleTrack, HoldsTheEndsAndInterpolatesBetween) {
  const Track<double> track{{1, 2, 4}, {10, 20, 0}, Interpolation::linear};
  EXPECT_EQ(sample(track, 0), 10);
  EXPECT_EQ(sample(track, 1), 10);
  EXPECT_EQ(sample(track, 1.5), 15);
  EXPECT_EQ(sample(track, 2), 20);
  EXPECT_EQ(sample(track, 3), 10);
  EXPECT_EQ(sample(track, 4), 0);
  EXPECT_EQ(sample(track, 9), 0);
}

TEST(SampleTrack, D25StepsHoldUntilTheNextKey) {
  const Track<Vec3> track{{0, 1}, {Vec3::Zero(), Vec3::Ones()}, Interpolation::step};
  EXPECT_THAT(sample(track, 0.999), Near(Vec3::Zero(), 0));
  EXPECT_THAT(sample(track, 1), Near(Vec3::Ones(), 0));
}

TEST(SampleTrack, TurnsAtConstantSpeed) {
  const Track<Quat> track{{0, 2}, {Quat::Identity(), about_x(1.0)}, Interpolation::linear};
  EXPECT_THAT(sample(track, 0.5), SameTurn(about_x(0.25), 1e-14));
}

TEST(SampleTrack, OneKeyIsAConstant) {
  const Track<double> track{{3}, {7}, Interpolation::linear};
  EXPECT_EQ(sample(track, 0), 7);
  EXPECT_EQ(sample(track, 5), 7);
}

TEST(SampleClip, JointsWithoutTracksRest) {
  const Humanoid human = test::small_humanoid();
  const LocalPose rest = rest_pose(human.skeleton), now = sample(human.skeleton, human.clips[0], 1);
  EXPECT_THAT(now.parent_from_joint[0].rotation, SameTurn(rest.parent_from_joint[0].rotation, 0));
  EXPECT_THAT(now.parent_from_joint[1].rotation, SameTurn(about_x(1.0), 1e-15)) << "the track's value replaces the rest value";
  EXPECT_THAT(now.parent_from_joint[1].translation, Near(rest.parent_from_joint[1].translation, 0)) << "no translation track";
}

TEST(KeyTimes, D27AreThoseOfAllTracksSortedWithoutDoubles) {
  Clip clip;
  JointTracks one, two;
  one.rotation.times_s = {1, 2};
  one.rotation.values.assign(2, Quat::Identity());
  two.translation.times_s = {0, 2, 4};
  two.translation.values.assign(3, Vec3::Zero());
  two.scale.times_s = {0.5};
  two.scale.values.assign(1, Vec3::Ones());
  clip.joints = {one, two};
  clip.morphs.push_back({0, 0, {{3}, {1}, Interpolation::linear}});
  EXPECT_EQ(key_times_s(clip), (std::vector<double>{0, 0.5, 1, 2, 3, 4}));
  EXPECT_TRUE(key_times_s(Clip{}).empty());
}

TEST(MakeContinuous, E07NeighboursEndUpOnOneSide) {
  std::vector<Quat> turns;
  for (int i = 0; i < 20; ++i) {
    const Quat turn = about_x(0.4 * i);  // passes a whole turn
    turns.push_back(i % 2 == 0 ? turn : Quat(-turn.coeffs()));
  }
  std::vector<Quat> smooth = turns;
  make_continuous(smooth);
  for (std::size_t i = 0; i < smooth.size(); ++i) {
    EXPECT_THAT(smooth[i], SameTurn(turns[i], 1e-14)) << "only signs change";
    if (i == 0) continue;
    EXPECT_GE(smooth[i - 1].dot(smooth[i]), 0);
  }
}

}  // namespace
}  // namespace vesalius
