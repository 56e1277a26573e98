#include "vesalius/frames.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/builders.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::Near;
using test::Random;
using test::SameTurn;

constexpr double exact = 1e-14;

TEST(Rigid, ComposesAndInvertsLikeItsMatrix) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Rigid a{random.place(2), random.turn()}, b{random.place(2), random.turn()};
    const Vec3 point = random.place(2);
    EXPECT_THAT((a * b) * point, Near(a.matrix() * (b.matrix() * point), 1e-13));
    EXPECT_THAT(a.inverse() * (a * point), Near(point, 1e-13));
  }
}

TEST(Transform, ScalesThenTurnsThenMoves) {
  const Transform local{Vec3(1, 0, 0), Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ())), Vec3(2, 1, 1)};
  EXPECT_THAT(local.matrix() * Vec3::UnitX(), Near(Vec3(1, 2, 0), exact));
}

TEST(StorageFromCanonical, FacesThePositiveXAxis) {
  const Quat turn = storage_from_canonical(GltfFront::plus_x);
  EXPECT_THAT(turn * Vec3::UnitZ(), Near(Vec3::UnitX(), exact)) << "forward";
  EXPECT_THAT(turn * Vec3::UnitX(), Near(Vec3(0, 0, -1), exact)) << "left";
  EXPECT_THAT(turn * Vec3::UnitY(), Near(Vec3::UnitY(), exact)) << "up";
  EXPECT_THAT(turn * Vec3(1, 2, 3), Near(Vec3(3, 2, -1), exact)) << "(x,y,z) -> (z,y,-x)";
}

TEST(StorageFromCanonical, FacesThePositiveZAxisUnchanged) {
  EXPECT_THAT(storage_from_canonical(GltfFront::plus_z), SameTurn(Quat::Identity(), 0));
}

TEST(OpenmaterialFromCanonical, IsForwardXLeftYUpZ) {
  const Quat turn = openmaterial_from_canonical();
  EXPECT_THAT(turn * Vec3::UnitZ(), Near(Vec3::UnitX(), exact)) << "forward";
  EXPECT_THAT(turn * Vec3::UnitX(), Near(Vec3::UnitY(), exact)) << "left";
  EXPECT_THAT(turn * Vec3::UnitY(), Near(Vec3::UnitZ(), exact)) << "up";
}

TEST(RotationOf, IgnoresScaleAndKeepsRotationsExactly) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Quat turn = random.turn();
    EXPECT_THAT(rotation_of(Affine(turn)), SameTurn(turn, 1e-14));
    EXPECT_THAT(rotation_of(Affine(turn * Eigen::Scaling(0.01))), SameTurn(turn, 1e-12));
    EXPECT_THAT(rotation_of(Affine(turn * Eigen::Scaling(Vec3(1, 2, 0.5)))), SameTurn(turn, 1e-12))
        << "scale before the turn has no rotation";
  }
}

TEST(RotationOf, OfAMirrorIsStillARotation) {
  EXPECT_NEAR(rotation_of(Affine(Eigen::Scaling(Vec3(-1, 1, 1)))).norm(), 1, exact);
}

TEST(AngleBetween, IsAccurateNearZeroAndIgnoresSigns) {
  for (const double angle : {0.0, 1e-12, 1e-7, 0.5, 3.0, M_PI}) {
    const Quat turn(Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()));
    EXPECT_NEAR(angle_between_rad(Quat::Identity(), turn), angle, 1e-15 + 1e-12 * angle);
    EXPECT_NEAR(angle_between_rad(Quat::Identity(), Quat(-turn.coeffs())), angle, 1e-15 + 1e-12 * angle);
  }
}

TEST(Power, DividesATurn) {
  const Vec3 axis = Vec3(1, -2, 0.5).normalized();
  const Quat turn(Eigen::AngleAxisd(1.2, axis));
  EXPECT_THAT(power(turn, 0.25), SameTurn(Quat(Eigen::AngleAxisd(0.3, axis)), exact));
  EXPECT_THAT(power(turn, -1), SameTurn(turn.conjugate(), exact));
  EXPECT_THAT(power(turn, 1), SameTurn(turn, exact));
  EXPECT_THAT(power(turn, 0), SameTurn(Quat::Identity(), exact));
  EXPECT_THAT(power(Quat(-turn.coeffs()), 0.25), SameTurn(power(turn, 0.25), exact)) << "the short way for both signs";
}

TEST(Power, SharesMultiplyBackToTheWhole) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Quat turn = random.turn();
    EXPECT_THAT(power(turn, 0.3) * power(turn, 0.7), SameTurn(turn, 1e-14));
  }
  EXPECT_THAT(power(Quat::Identity(), 0.3), SameTurn(Quat::Identity(), 0));
}

TEST(LeastRotation, TakesOneDirectionOntoTheOther) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = random.place(3), to = random.place(3);
    const Quat turn = least_rotation(from, to);
    EXPECT_THAT(turn * from.normalized(), Near(to.normalized(), 1e-13));
    const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
    EXPECT_NEAR(angle_between_rad(Quat::Identity(), turn), angle, 1e-13) << "no twist";
  }
}

TEST(LeastRotation, HalfATurnBetweenOpposites) {
  const Quat turn = least_rotation(Vec3::UnitY(), -Vec3::UnitY());
  EXPECT_THAT(turn * Vec3::UnitY(), Near(-Vec3::UnitY(), exact));
  EXPECT_NEAR(turn.norm(), 1, exact);
}

TEST(Mirrored, MovesMirroredPointsLikeTheMirrorOfThePoints) {
  Random random(6);
  const auto flip = [](const Vec3& v) { return Vec3(-v.x(), v.y(), v.z()); };
  for (int i = 0; i < 50; ++i) {
    const Quat turn = random.turn();
    const Vec3 point = random.place(1);
    EXPECT_THAT(mirrored(turn) * flip(point), Near(flip(turn * point), 1e-14));
  }
}

}  // namespace
}  // namespace vesalius
