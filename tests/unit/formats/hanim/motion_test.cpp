// Interpolators and motion nodes as clips.
#include <numbers>

#include "reading.hpp"

namespace vesalius {
namespace {

using test::document;
using test::read_text;
using test::two_joints;

std::string clocked(const std::string& interpolators, const std::string& routes,
                    const std::string& sensor = "cycleInterval='4' loop='true'") {
  return "<TimeSensor DEF='walk' " + sensor + "/>" + interpolators + routes;
}
std::string route(const std::string& from, const std::string& field, const std::string& to, const std::string& to_field) {
  return "<ROUTE fromNode='" + from + "' fromField='" + field + "' toNode='" + to + "' toField='" + to_field + "'/>";
}

TEST(HanimMotion, SensorInterpolatorAndRouteMakeAClip) {
  const auto made = read_text(
      document(two_joints(), "name='Ann'",
               clocked("<OrientationInterpolator DEF='o' key='0 .5 1' keyValue='1 0 0 0 1 0 0 1 1 0 0 0'/>"
                       "<PositionInterpolator DEF='p' key='0 1' keyValue='0 0 0 0 .1 .2'/>",
                       route("walk", "fraction_changed", "o", "set_fraction") + route("walk", "fraction_changed", "p", "set_fraction") +
                           route("o", "value_changed", "hip", "set_rotation") + route("p", "value_changed", "root", "translation"))));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->clips.size(), 1u);
  const Clip& clip = made->clips[0];
  EXPECT_EQ(clip.name, "walk");
  EXPECT_DOUBLE_EQ(clip.duration_s, 4);
  EXPECT_TRUE(clip.loops);
  ASSERT_EQ(clip.joints.size(), 2u);
  EXPECT_EQ(clip.joints[0].translation.times_s, (std::vector<double>{0, 4}));
  EXPECT_THAT(clip.joints[0].translation.values[1], test::Near(Vec3(0, 1, .2), 1e-12));  // center 0 .9 0 and 0 .1 .2
  EXPECT_EQ(clip.joints[1].rotation.times_s, (std::vector<double>{0, 2, 4}));
  EXPECT_NEAR(angle_between_rad(clip.joints[1].rotation.values[1], Quat(Eigen::AngleAxisd(1, Vec3::UnitX()))), 0, 1e-12);
}

TEST(HanimMotion, A04TravelOfTheHumanoidAddsToItsRootJoint) {
  const auto made = read_text(document(
      two_joints(), "name='Ann'",
      clocked("<PositionInterpolator DEF='bob' key='0 .5 1' keyValue='0 0 0 0 .02 0 0 0 0'/>"
              "<PositionInterpolator DEF='go' key='0 1' keyValue='0 0 0 0 0 1'/>",
              route("walk", "fraction_changed", "bob", "set_fraction") + route("walk", "fraction_changed", "go", "set_fraction") +
                  route("bob", "value_changed", "root", "set_translation") + route("go", "value_changed", "ann", "set_translation"))));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->clips.size(), 1u);
  const LocalPose middle = sample(made->skeleton, made->clips[0], 2);
  EXPECT_THAT(middle.parent_from_joint[0].translation, test::Near(Vec3(0, .92, .5), 1e-12));  // center, bob at its height, half the way
}

TEST(HanimMotion, JumpsAndDisorderedKeysGiveAscendingTimes) {
  const auto made = read_text(
      document(two_joints(), "name='Ann'",
               clocked("<OrientationInterpolator DEF='o' key='0 .5 .5 .25 1' keyValue='1 0 0 0 1 0 0 1 1 0 0 2 1 0 0 9 1 0 0 0'/>",
                       route("walk", "fraction_changed", "o", "set_fraction") + route("o", "value_changed", "hip", "rotation"))));
  ASSERT_TRUE(made);  // the walk over the invariants checks the times
  EXPECT_EQ(made->clips.size(), 1u);
}

TEST(HanimMotion, E07RotationsStayOnOneSide) {
  const auto made = read_text(
      document(two_joints(), "name='Ann'",
               clocked("<OrientationInterpolator DEF='o' key='0 .25 .5 .75 1' keyValue='0 1 0 0 0 1 0 3 0 -1 0 3.2 0 -1 0 1 0 1 0 0'/>",
                       route("walk", "fraction_changed", "o", "set_fraction") + route("o", "value_changed", "hip", "rotation"))));
  ASSERT_TRUE(made);
  const auto& values = made->clips.at(0).joints.at(0).rotation.values;
  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_GE(values[i - 1].dot(values[i]), 0);
}

TEST(HanimMotion, DisplacerWeightIsAMorphTrack) {
  const std::string skin =
      "<Coordinate DEF='c' point='0 0 0 1 0 0 1 1 0' containerField='skinCoord'/><Shape containerField='skin'><IndexedFaceSet "
      "coordIndex='0 1 2 -1'><Coordinate USE='c'/></IndexedFaceSet></Shape>";
  const auto made =
      read_text(document(two_joints("skinCoordIndex='0 1 2' skinCoordWeight='1 1 1'",
                                    "<HAnimDisplacer DEF='d' name='smile' coordIndex='0' displacements='0 1 0'/>") +
                             skin,
                         "name='Ann'",
                         clocked("<ScalarInterpolator DEF='s' key='0 1' keyValue='0 1'/>",
                                 route("walk", "fraction_changed", "s", "set_fraction") + route("s", "value_changed", "d", "set_weight"))));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->clips.size(), 1u);
  ASSERT_EQ(made->clips[0].morphs.size(), 1u);
  EXPECT_DOUBLE_EQ(sample(made->clips[0].morphs[0].weight, 1), .25);
}

TEST(HanimMotion, B15MotionNodeIsReadInDegreesAndChannelOrder) {
  const auto made = read_text(document(two_joints() + "<HAnimMotion name='kick' joints='HumanoidRoot, IGNORED l_hip' frameDuration='.5' "
                                                      "channels='6 Xposition Yposition Zposition Zrotation "
                                                      "Xrotation Yrotation 3 Zrotation Xrotation Yrotation 3 Zrotation Xrotation "
                                                      "Yrotation' values='0 0 0 0 0 0 9 9 9 0 0 0 0 .1 0 0 0 90 9 9 9 "
                                                      "90 90 0'/>"));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->clips.size(), 1u) << testing::PrintToString(made.diagnostics);
  const LocalPose pose = sample(made->skeleton, made->clips[0], .5);
  const double quarter = std::numbers::pi / 2;
  const Quat z(Eigen::AngleAxisd(quarter, Vec3::UnitZ())), x(Eigen::AngleAxisd(quarter, Vec3::UnitX())),
      y(Eigen::AngleAxisd(quarter, Vec3::UnitY()));
  EXPECT_NEAR(angle_between_rad(pose.parent_from_joint[0].rotation, y), 0, 1e-9);
  EXPECT_NEAR(angle_between_rad(pose.parent_from_joint[1].rotation, z * x), 0, 1e-9);
  EXPECT_THAT(pose.parent_from_joint[0].translation, test::Near(Vec3(0, 1, 0), 1e-12));
}

TEST(HanimMotion, DamagedMotionIsNoCrash) {
  for (const char* attributes :
       {"channels='3 Xrotation' values='1 2 3'", "joints='l_hip' channels='x' values='1'",
        "joints='l_hip' channels='99999999 Xrotation' values='1'", "joints='l_hip' channels='1 Xrotation' values='' frameDuration='-1'",
        "joints='l_hip' channels='0' values='1'"}) {
    const auto made = read_text(document(two_joints() + "<HAnimMotion " + attributes + "/>"));
    EXPECT_TRUE(made) << attributes;
  }
  const auto made =
      read_text(document(two_joints(), "name='Ann'",
                         clocked("<OrientationInterpolator DEF='o' key='0 .5 1' keyValue='1 0 0'/>",
                                 route("walk", "fraction_changed", "o", "set_fraction") + route("o", "value_changed", "hip", "rotation"),
                                 "cycleInterval='-3'")));
  EXPECT_TRUE(made);
}

}  // namespace
}  // namespace vesalius
