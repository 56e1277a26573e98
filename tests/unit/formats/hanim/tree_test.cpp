// Skeleton, places, names, sites, segments.
#include <cmath>
#include <numbers>

#include "reading.hpp"

namespace vesalius {
namespace {

using test::document;
using test::read_text;
using test::two_joints;

TEST(HanimTree, ScaleOfTheHumanoidAndAroundItIsFoldedIn) {
  const std::string site =
      "<HAnimSegment name='l_thigh' mass='3' centerOfMass='10 65 0' momentsOfInertia='1 0 0 0 2 0 0 0 3'>"
      "<HAnimSite name='l_thigh_pt' translation='10 70 5'/>"
      "<Transform translation='10 85 0'><Shape><Box size='10 10 10'/></Shape></Transform></HAnimSegment>";
  const std::string figure =
      "<HAnimHumanoid name='Ann' scale='.02 .02 .02'><HAnimJoint name='humanoid_root' center='0 90 0' containerField='skeleton'>"
      "<HAnimJoint name='l_hip' center='10 85 0'>" +
      site + "</HAnimJoint></HAnimJoint></HAnimHumanoid>";
  const auto made = read_text("<X3D version='4.0'><Scene><Transform scale='.5 .5 .5'>" + figure + "</Transform></Scene></X3D>");
  ASSERT_TRUE(made);
  EXPECT_THAT(made->skeleton[made->skeleton.find("l_hip")].rest.place, test::Near(Vec3(.1, .85, 0), 1e-12));
  EXPECT_THAT(made->sites.at(0).rest.place, test::Near(Vec3(.1, .7, .05), 1e-12));
  EXPECT_THAT(made->segments.at(0).centre_of_mass.value(), test::Near(Vec3(.1, .65, 0), 1e-12));
  EXPECT_NEAR(made->segments[0].moments_of_inertia.value()(1, 1), 2e-4, 1e-12);  // 2 kg unit2, a unit is a centimetre
  EXPECT_DOUBLE_EQ(made->segments[0].mass_kg, 3);
  EXPECT_NEAR(made->source.scale, 0.01, 1e-12);
  const Eigen::AlignedBox3d box = bounding_box(made->parts);
  EXPECT_THAT(box.min(), test::Near(Vec3(.05, .8, -.05), 1e-12));
  EXPECT_THAT(box.max(), test::Near(Vec3(.15, .9, .05), 1e-12));
}

TEST(HanimTree, C16PrototypesOfTheOldBindingsAreRecognised) {
  for (const std::string prefix : {"", "HAnim"}) {
    for (const bool external : {false, true}) {
      const auto proto = [&](const std::string& name, const std::string& interface) {
        return (external ? "EXTERNPROTO " : "PROTO ") + prefix + name + " [ " + interface + " ] " +
               (external ? "\"http://example.org/hanim.wrl#" + name + "\"\n" : "{ WorldInfo {} }\n");
      };
      const std::string value = external ? " " : " [] ", vector = external ? " " : " 0 0 0 ", text = external ? " " : " \"\" ";
      const std::string wrl =
          "#VRML V2.0 utf8\n" + proto("Humanoid", "field SFString name" + text + "exposedField MFNode humanoidBody" + value) +
          proto("Joint", "field SFString name" + text + "exposedField SFVec3f center" + vector + "exposedField MFNode children" + value) +
          proto("Segment", "field SFString name" + text + "exposedField MFNode children" + value) + "DEF Ann " + prefix +
          "Humanoid { name \"Ann\" humanoidBody [ " + prefix + "Joint { name \"HumanoidRoot\" center 0 .9 0 children [ " + prefix +
          "Segment { name \"pelvis\" children [ Shape { geometry Box { size .2 .2 .2 } } ] } " + prefix +
          "Joint { name \"l_wrist\" center .2 .8 0 } ] } ] }\n";
      const auto made = read_text(wrl);
      ASSERT_TRUE(made) << prefix << external << testing::PrintToString(made.diagnostics);
      ASSERT_EQ(made->skeleton.size(), 2u);
      EXPECT_EQ(made->skeleton.joints()[0].name, "humanoid_root");
      EXPECT_EQ(made->skeleton.joints()[0].source_name, "HumanoidRoot");
      EXPECT_EQ(made->skeleton.joints()[1].name, "l_radiocarpal");
      EXPECT_EQ(made->source.hanim_version, "1");
      ASSERT_EQ(made->parts.size(), 1u);
      EXPECT_EQ(test::triangle_count(made->parts[0]), 12u);
    }
  }
}

TEST(HanimTree, SeveralHumanoidsMustBeChosen) {
  const std::string one = "<HAnimHumanoid name='Ann'>" + two_joints() + "</HAnimHumanoid>";
  const std::string other =
      "<HAnimHumanoid name='Bob'><HAnimJoint name='humanoid_root' center='0 1 0' containerField='skeleton'/></HAnimHumanoid>";
  const std::string text =
      "<X3D version='4.0'><Scene><Group>" + one + "</Group><Switch whichChoice='0'>" + other + "</Switch></Scene></X3D>";
  const auto undecided = read_text(text);
  EXPECT_FALSE(undecided);
  EXPECT_THAT(undecided.diagnostics, test::Reports(codes::hanim_several_humanoids));
  for (const char* choice : {"Bob", "1"}) {
    HanimReadOptions options;
    options.humanoid = choice;
    const auto made = read_text(text, options);
    ASSERT_TRUE(made) << choice;
    EXPECT_EQ(made->name, "Bob");
    EXPECT_EQ(made->source.humanoids_in_file, 2u);
  }
  HanimReadOptions options;
  options.humanoid = "Carl";
  EXPECT_FALSE(read_text(text, options));
}

TEST(HanimTree, C20HumanoidInsideAnchorIsFound) {
  const auto made = read_text("<X3D version='4.0'><Scene><Anchor url='\"http://example.org/\"'><HAnimHumanoid name='Ann'>" + two_joints() +
                              "</HAnimHumanoid></Anchor></Scene></X3D>");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->skeleton.size(), 2u);
}

TEST(HanimTree, SavedPoseBecomesAPose) {
  const auto made = read_text(document(two_joints("translation='0 .1 0'", "", "rotation='1 0 0 .5'")));
  ASSERT_TRUE(made);
  EXPECT_THAT(made->skeleton.joints()[1].rest.place, test::Near(Vec3(.1, .85, 0), 1e-12));
  ASSERT_EQ(made->poses.size(), 1u);
  const auto& locals = made->poses[0].pose.parent_from_joint;
  EXPECT_THAT(locals[0].translation, test::Near(Vec3(0, 1, 0), 1e-12));
  EXPECT_THAT(locals[1].translation, test::Near(Vec3(.1, -.05, 0), 1e-12));
  EXPECT_NEAR(angle_between_rad(locals[1].rotation, Quat(Eigen::AngleAxisd(.5, Vec3::UnitX()))), 0, 1e-12);
}

TEST(HanimTree, AllZeroLimitsMeanNone) {
  const auto made = read_text(document(two_joints("llimit='0 0 0' ulimit='0 0 0'", "", "llimit='-1 0 0' ulimit='2 .1 0'")));
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->skeleton.joints()[0].limits);
  ASSERT_TRUE(made->skeleton.joints()[1].limits);
  EXPECT_EQ(made->skeleton.joints()[1].limits->lower_rad, Vec3(-1, 0, 0));
  EXPECT_EQ(made->skeleton.joints()[1].limits->upper_rad, Vec3(2, .1, 0));
}

TEST(HanimTree, DuplicateNamesAreRenamedOrRefused) {
  const std::string twice = document(
      "<HAnimJoint name='humanoid_root' containerField='skeleton' center='0 1 0'><HAnimJoint name='l_hip' center='.1 1 0'/>\n"
      "<HAnimJoint name='l_hip' center='-.1 1 0'/></HAnimJoint>");
  const auto made = read_text(twice);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->skeleton.size(), 3u);
  EXPECT_THAT(made.diagnostics, test::ReportsAtLine(codes::hanim_duplicate_joint, 3));
  HanimReadOptions strict;
  strict.strict = true;
  EXPECT_FALSE(read_text(twice, strict));
}

TEST(HanimTree, B24DuplicateNameFallsBackToDef) {
  const auto made = read_text(
      document("<HAnimJoint name='humanoid_root' containerField='skeleton' center='0 1 0'><HAnimJoint DEF='hanim_l_knee' name='l_knee' "
               "center='.1 .5 0'/><HAnimJoint DEF='hanim_r_knee' name='l_knee' center='-.1 .5 0'/></HAnimJoint>"));
  ASSERT_TRUE(made);
  EXPECT_NE(made->skeleton.find("r_knee"), JointIndex::none);
}

TEST(HanimTree, InnerBlanksInNamesAreRemoved) {
  const auto made =
      read_text(document("<HAnimJoint name='humanoid_root' containerField='skeleton' center='0 1 0'><HAnimJoint name='r _knee ' "
                         "center='-.1 .5 0'/></HAnimJoint>"));
  ASSERT_TRUE(made);
  EXPECT_NE(made->skeleton.find("r_knee"), JointIndex::none);
}

TEST(HanimTree, B10DeepSkeletonsAreWalkedWithoutRecursion) {
  std::string inside;
  const int deep = 900;
  for (int i = 0; i < deep; ++i) inside += "<HAnimJoint name='bone_" + std::to_string(i) + "' center='0 " + std::to_string(i) + " 0'>";
  for (int i = 0; i < deep; ++i) inside += "</HAnimJoint>";
  const auto made =
      read_text(document("<HAnimJoint name='humanoid_root' containerField='skeleton' center='0 .9 0'>" + inside + "</HAnimJoint>"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->skeleton.size(), 901u);
  const auto written = hanim_to_x3d(*made, test::tables());
  EXPECT_TRUE(written);
}

TEST(HanimTree, EmptyHumanoidIsAnError) {
  const auto made = read_text(document(""));
  EXPECT_FALSE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_no_joints));
}

}  // namespace
}  // namespace vesalius
