// The identity mapping and levels of articulation: from a vocabulary to itself.
#include <gtest/gtest.h>

#include "convert/codes.hpp"
#include "unit/cases/figures.hpp"

namespace vesalius {
namespace {

using test::about;
using test::converted;
using test::figure_of;
using test::place_of;

Humanoid moving_figure(int loa) {
  Humanoid figure = figure_of(test::level_joints(loa));
  test::turn(figure, "l_hip", {Quat::Identity(), about(Vec3::UnitX(), -40)});
  test::turn(figure, "skullbase", {Quat::Identity(), about(Vec3::UnitY(), 30), Quat::Identity()});
  return figure;
}
/// The nominal asset with its arms turned by an angle about the shoulders, away from the A-pose.
Humanoid asset_with_arms(double degrees) {
  std::vector<test::JointSpec> specs;
  for (const ProfileJoint& bone : MappingTables::built_in().profile("openmaterial")->joints)
    specs.push_back({bone.name, bone.parent, *bone.centre});
  for (const auto& [side, sign] : {std::pair{std::string("Left"), 1.0}, {"Right", -1.0}}) {
    Vec3 pivot = Vec3::Zero();
    for (test::JointSpec& spec : specs) {
      if (spec.name == "Upper_Arm_" + side) pivot = spec.place;
      for (const char* bone : {"Lower_Arm_", "Hand_", "Full_Thumb_", "Full_Fingers_"}) {
        if (spec.name == bone + side) spec.place = pivot + about(Vec3::UnitZ(), sign * degrees) * (spec.place - pivot);
      }
    }
  }
  return figure_of(specs, "openmaterial");
}

void expect_same(const Humanoid& a, const Humanoid& b) {
  ASSERT_EQ(a.skeleton.size(), b.skeleton.size());
  for (std::size_t j = 0; j < a.skeleton.size(); ++j) {
    EXPECT_EQ(a.skeleton.joints()[j].name, b.skeleton.joints()[j].name);
    EXPECT_EQ(a.skeleton.joints()[j].parent, b.skeleton.joints()[j].parent);
    EXPECT_EQ(a.skeleton.joints()[j].rest.place, b.skeleton.joints()[j].rest.place);
    EXPECT_EQ(a.skeleton.joints()[j].rest.turn.coeffs(), b.skeleton.joints()[j].rest.turn.coeffs());
  }
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    EXPECT_EQ(a.parts[p].positions, b.parts[p].positions);
    EXPECT_EQ(a.parts[p].influences.begin, b.parts[p].influences.begin);
    EXPECT_EQ(a.parts[p].influences.items, b.parts[p].influences.items);
  }
  ASSERT_EQ(a.clips.size(), b.clips.size());
  for (std::size_t c = 0; c < a.clips.size(); ++c) {
    ASSERT_EQ(a.clips[c].joints.size(), b.clips[c].joints.size());
    for (std::size_t t = 0; t < a.clips[c].joints.size(); ++t)
      EXPECT_EQ(a.clips[c].joints[t].rotation.times_s, b.clips[c].joints[t].rotation.times_s);
  }
}

TEST(Identity, LeavesAFigureAsItIs) {
  const Humanoid figure = moving_figure(2);
  expect_same(figure, converted(figure, "hanim-2").humanoid);
  const Humanoid asset = asset_with_arms(0);
  expect_same(asset, converted(asset, "openmaterial").humanoid);
}

TEST(Identity, AssetsInAnotherPoseComeToTheStandards) {
  const Humanoid asset = asset_with_arms(50);  // near the T-pose
  const Conversion made = converted(asset, "openmaterial");
  const Vec3 arm = (place_of(made.humanoid, "Lower_Arm_Left") - place_of(made.humanoid, "Upper_Arm_Left")).normalized();
  const Vec3 wanted = *MappingTables::built_in().profile("openmaterial")->find("Upper_Arm_Left")->rest_direction;
  EXPECT_THAT(arm, test::Near(wanted, 1e-9));
  EXPECT_EQ(made.report.limbs.size(), 6u);
  // The mesh follows, and the hand keeps its place in the forearm.
  const Vec3 before = place_of(asset, "Hand_Left") - place_of(asset, "Lower_Arm_Left");
  EXPECT_NEAR((place_of(made.humanoid, "Hand_Left") - place_of(made.humanoid, "Lower_Arm_Left")).norm(), before.norm(), 1e-12);
  ConvertOptions keep;
  keep.rest = RestPolicy::keep;
  expect_same(asset, converted(asset, "openmaterial", keep).humanoid);
}

TEST(Identity, AssetsWithoutTrianglesGetABody) {
  Humanoid asset = asset_with_arms(0);
  asset.parts.clear();
  ConvertOptions options;
  options.to = "openmaterial";
  const auto made = convert(asset, MappingTables::built_in(), options);
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::convert_stick_body));
  EXPECT_EQ(made->humanoid.parts.size(), 1u);
  Humanoid figure = moving_figure(1);
  figure.parts.clear();
  EXPECT_TRUE(converted(figure, "hanim-2").humanoid.parts.empty()) << "an H-Anim file may have none";
}

TEST(Levels, OutsideTheProfileIsAnError) {
  for (const int loa : {-1, 5}) {
    ConvertOptions options;
    options.to = "hanim-2";
    options.loa = loa;
    EXPECT_THAT(convert(moving_figure(1), MappingTables::built_in(), options).diagnostics, test::Reports(codes::convert_level)) << loa;
  }
}

TEST(Levels, RaisedJointsLieBetweenTheOthersAndRest) {
  ConvertOptions options;
  options.loa = 3;
  options.to = "hanim-2";
  const Humanoid figure = moving_figure(1);
  const auto made = convert(figure, MappingTables::built_in(), options);
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::convert_synthesised_bone));
  const Humanoid& high = made->humanoid;
  EXPECT_EQ(high.skeleton.size(), test::level_joints(3).size());
  // The spine's joints are in order on the straight line from vl5 to the skull.
  const Vec3 from = place_of(high, "vl5"), along = place_of(high, "skullbase") - from;
  double last = -1;
  for (const char* name : {"vl5", "vl1", "vt12", "vt1", "vc7", "vc1", "skullbase"}) {
    const Vec3 off = place_of(high, name) - from;
    EXPECT_LT(off.cross(along).norm(), 1e-9) << name;
    EXPECT_GT(off.dot(along), last) << name;
    last = off.dot(along);
  }
  EXPECT_EQ(high.skeleton[test::joint_of(high, "skullbase").parent].name, "vc1");
  EXPECT_EQ(high.skeleton[test::joint_of(high, "l_shoulder").parent].name, "l_acromioclavicular");
  // What was there is where it was, turns as it did, and new joints follow what they hang on.
  for (const Joint& joint : figure.skeleton.joints()) {
    EXPECT_EQ(place_of(high, joint.name), joint.rest.place) << joint.name;
    EXPECT_THAT(test::turn_at(high, joint.name, 1), test::SameTurn(test::turn_at(figure, joint.name, 1), 1e-12)) << joint.name;
  }
  EXPECT_THAT(test::turn_at(high, "vc1", 1), test::SameTurn(Quat::Identity(), 1e-12));
}

TEST(Levels, AFigureWithoutAnAncestorIsTold) {
  ConvertOptions options;
  options.loa = 1;
  options.to = "hanim-2";
  const Humanoid leg = figure_of({{"l_hip", "", Vec3(.1, .9, 0)}, {"l_knee", "l_hip", Vec3(.1, .5, 0)}});
  const auto made = convert(leg, MappingTables::built_in(), options);
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::convert_level));
  EXPECT_EQ(made->humanoid.skeleton.find("r_hip"), JointIndex::none);
  EXPECT_NE(made->humanoid.skeleton.find("l_talocrural"), JointIndex::none);
}

}  // namespace
}  // namespace vesalius
