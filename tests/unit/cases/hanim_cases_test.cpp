// What real H-Anim files bring, one small input per case.
#include <gtest/gtest.h>

#include <set>

#include "formats/hanim/codes.hpp"
#include "support/builders.hpp"
#include "support/matchers.hpp"
#include "vesalius/convert.hpp"
#include "vesalius/hanim_io.hpp"

namespace vesalius {
namespace {

const MappingTables& tables() {
  return MappingTables::built_in();
}

Result<Humanoid> read(const std::string& text, HanimReadOptions options = {}) {
  auto result = read_hanim(std::as_bytes(std::span(text)), tables(), options);
  if (result) test::expect_sound(*result);
  return result;
}
std::string xml(const std::string& content, const std::string& attributes = "name='Ann'") {
  return "<?xml version='1.0'?>\n<X3D version='4.0'><Scene><HAnimHumanoid " + attributes + ">" + content + "</HAnimHumanoid></Scene></X3D>";
}
const std::string box = "<Shape><Appearance><Material/></Appearance><Box size='.1 .1 .1'/></Shape>";
/// A root with a leg; what stands in a knee can be given.
std::string leg(const std::string& in_knee = "", const std::string& root_name = "humanoid_root") {
  return "<HAnimJoint DEF='r' name='" + root_name +
         "' center='0 .9 0'><HAnimJoint DEF='h' name='l_hip' center='.1 .85 0'><HAnimJoint DEF='k' name='l_knee' center='.1 .45 0'>" +
         in_knee + "</HAnimJoint></HAnimJoint></HAnimJoint>";
}

TEST(HanimCases, B01EmptyJointsListIsFilledFromTheSkeleton) {
  const auto made = read(xml(leg()));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->skeleton.size(), 3u);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_joints_list));
  const auto written = hanim_to_x3d(*made, tables());
  for (const char* def : {"<HAnimJoint USE=\"hanim_humanoid_root\" containerField=\"joints\"/>",
                          "<HAnimJoint USE=\"hanim_l_knee\" containerField=\"joints\"/>"}) {
    EXPECT_NE(written->find(def), std::string::npos) << def;
  }
}

const std::string skin_points = "0 0 0 1 0 0 1 1 0 0 1 0";
std::string skinned(const std::string& coordinate_of_shape,
                    const std::string& weights = "skinCoordIndex='0 1 2 3' skinCoordWeight='1 1 1 1'") {
  return xml("<HAnimJoint name='humanoid_root' center='0 .9 0' " + weights + "/><Coordinate DEF='c' point='" + skin_points +
             "' containerField='skinCoord'/><Shape><IndexedFaceSet coordIndex='0 1 2 3'>" + coordinate_of_shape +
             "</IndexedFaceSet></Shape>");
}

TEST(HanimCases, B02EqualButSeparateCoordinateIsLinkedWithAWarning) {
  const auto shared = read(skinned("<Coordinate USE='c'/>"));
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared.diagnostics.count(Severity::warning), 0u) << testing::PrintToString(shared.diagnostics);
  const auto equal = read(skinned("<Coordinate point='" + skin_points + "'/>"));
  ASSERT_TRUE(equal);
  EXPECT_THAT(equal.diagnostics, test::Reports(codes::hanim_equal_coord));
  EXPECT_EQ(equal->parts.at(0).influences.of(0).size(), 1u);
  const auto other = read(skinned("<Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0 2 2 2'/>"));
  ASSERT_TRUE(other);
  EXPECT_THAT(other.diagnostics, test::Reports(codes::hanim_foreign_coord));
  EXPECT_TRUE(other->parts.at(0).influences.of(0).empty());
}

// C10: the last face stays without its -1; the quad becomes two triangles.
TEST(HanimCases, C10LastFaceWithoutEndMark) {
  const auto made = read(skinned("<Coordinate USE='c'/>"));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->parts.at(0).surfaces.size(), 1u);
  EXPECT_EQ(made->parts[0].surfaces[0].triangles.size(), 2u);
}

TEST(HanimCases, B03TranslationsPlaceJointsThatHaveNoCentre) {
  const auto made =
      read(xml("<HAnimJoint name='humanoid_root' translation='0 1 0'><HAnimJoint name='vl5' translation='0 .2 0'/></HAnimJoint>"));
  ASSERT_TRUE(made);
  EXPECT_THAT(made->skeleton[made->skeleton.find("vl5")].rest.place, test::Near(Vec3(0, 1.2, 0), 1e-12));
  const auto written = hanim_to_x3d(*made, tables());
  EXPECT_NE(written->find("name=\"vl5\" center=\"0 1.2 0\""), std::string::npos);
  EXPECT_EQ(written->find("translation="), std::string::npos);
}

TEST(HanimCases, B08BothKindsOfDisplacersBecomeMorphs) {
  const auto on_joint =
      read(xml("<HAnimJoint name='humanoid_root' center='0 .9 0' skinCoordIndex='0 1 2 3'><HAnimDisplacer name='lift_action' coordIndex='0 "
               "1' displacements='0 .1 0 0 .1 0'/></HAnimJoint>"
               "<Coordinate DEF='c' point='" +
               skin_points +
               "' containerField='skinCoord'/><Shape><IndexedFaceSet coordIndex='0 1 2 3'><Coordinate USE='c'/></IndexedFaceSet></Shape>"));
  ASSERT_TRUE(on_joint);
  ASSERT_EQ(on_joint->parts.at(0).morphs.size(), 1u);
  EXPECT_EQ(on_joint->parts[0].morphs[0].kind, MorphKind::joint_displacer);
  EXPECT_EQ(on_joint->parts[0].morphs[0].vertices.size(), 2u);
  const auto on_segment = read(
      xml(leg("<HAnimSegment name='l_calf'><Coordinate DEF='s' point='0 0 0 1 0 0 0 1 0' containerField='coord'/><Shape><IndexedFaceSet "
              "coordIndex='0 1 2 -1'><Coordinate "
              "USE='s'/></IndexedFaceSet></Shape><HAnimDisplacer name='bulge' coordIndex='2' displacements='0 0 .2'/></HAnimSegment>")));
  ASSERT_TRUE(on_segment);
  ASSERT_EQ(on_segment->parts.at(0).morphs.size(), 1u);
  EXPECT_EQ(on_segment->parts[0].morphs[0].kind, MorphKind::segment_displacer);
  EXPECT_EQ(on_segment->parts[0].morphs[0].displacements[0], Vec3(0, 0, .2));
}

TEST(HanimCases, B16JointOutsideTheSkeletonIsNamed) {
  const auto made = read(xml(leg() + "<HAnimJoint DEF='v' name='vl5' center='0 1 0' containerField='joints' skinCoordIndex='0'/>"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->skeleton.find("vl5"), JointIndex::none);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_unreachable_joint));
}

TEST(HanimCases, B17SavedPoseIsNotTheRestPose) {
  const auto made = read(
      xml("<HAnimJoint name='humanoid_root' center='0 .9 0'><HAnimJoint name='l_hip' center='.1 .85 0' rotation='1 0 0 1'/></HAnimJoint>"));
  ASSERT_TRUE(made);
  EXPECT_THAT(made->skeleton.joints()[1].rest.turn, test::SameTurn(Quat::Identity(), 1e-12));
  ASSERT_EQ(made->poses.size(), 1u);
  EXPECT_THAT(made->poses[0].pose.parent_from_joint[1].rotation, test::SameTurn(Quat(Eigen::AngleAxisd(1, Vec3::UnitX())), 1e-12));
}

TEST(HanimCases, B22RigidSegmentsBecomeSkinnedParts) {
  const auto made =
      read(xml("<HAnimJoint name='humanoid_root' center='0 .9 0'><HAnimSegment name='sacrum'><Transform translation='0 .9 0'>" + box +
               "</Transform></HAnimSegment>" +
               "<HAnimJoint name='l_hip' center='.1 .85 0'><HAnimSegment name='l_thigh'><Transform translation='.1 .85 0'>" + box +
               "</Transform></HAnimSegment></HAnimJoint></HAnimJoint>"));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->parts.size(), 2u);
  EXPECT_EQ(made->parts[1].segment, "l_thigh");
  EXPECT_EQ(made->parts[1].positions.size(), 24u);  // a box: 8 corners, 3 normals each
  EXPECT_EQ(made->parts[1].surfaces[0].triangles.size(), 12u);
  for (const Influence& influence : made->parts[1].influences.items) {
    EXPECT_EQ(made->skeleton[influence.joint].name, "l_hip");
    EXPECT_EQ(influence.weight, 1);
  }
  EXPECT_NEAR(bounding_box({made->parts[1]}).center().x(), .1, 1e-12);
}

TEST(HanimCases, B23NamesOfVersionOneAreReadAndWritten) {
  const auto made =
      read(xml("<HAnimJoint name='HumanoidRoot' center='0 .9 0'><HAnimJoint name='l_hip' center='.1 .85 0'><HAnimJoint name='l_knee' "
               "center='.1 .4 0'><HAnimJoint name='l_ankle' center='.1 .1 0'/>"
               "</HAnimJoint></HAnimJoint></HAnimJoint>"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->source.hanim_version, "1");
  EXPECT_NE(made->skeleton.find("l_talocrural"), JointIndex::none);
  HanimWriteOptions options;
  options.names = "1";
  EXPECT_NE(hanim_to_x3d(*made, tables(), options)->find("name=\"l_ankle\""), std::string::npos);
  const auto folded = read(xml("<HAnimJoint name='humanoidRoot' center='0 .9 0'/>"));
  ASSERT_TRUE(folded);
  EXPECT_THAT(folded.diagnostics, test::Reports(codes::hanim_repaired_name));
}

TEST(HanimCases, B24NamesFromDefWithoutThePrefix) {
  const auto made =
      read(xml("<HAnimJoint DEF='Bob_humanoid_root' center='0 .9 0'><HAnimJoint DEF='Bob_l_hip' name='' center='.1 .85 0'/><HAnimJoint "
               "DEF='hanim_r_hip' center='-.1 .85 0'/></HAnimJoint>"));
  ASSERT_TRUE(made);
  for (const char* name : {"humanoid_root", "l_hip", "r_hip"}) EXPECT_NE(made->skeleton.find(name), JointIndex::none) << name;
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_name_from_def));
}

TEST(HanimCases, B26NamesOfNodesAreUniqueInTheWrittenFile) {
  Humanoid human = test::small_humanoid();
  human.profile = "hanim-2";
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end());
  for (Joint& joint : joints) joint.rest.turn = Quat::Identity();
  human.skeleton = *Skeleton::create(std::move(joints));
  human.clips.clear();
  human.materials[0].name = human.parts[0].name = "";
  const std::string text = *hanim_to_x3d(human, tables());
  std::set<std::string> defs;
  for (std::size_t at = text.find("DEF=\""); at != std::string::npos; at = text.find("DEF=\"", at + 5)) {
    EXPECT_TRUE(defs.insert(text.substr(at, text.find('"', at + 5) - at)).second);
  }
  EXPECT_GT(defs.size(), 4u);
}

TEST(HanimCases, B28SceneWithoutHumanoidIsAnError) {
  const std::string text = "<X3D version='4.0'><Scene><Group/></Scene></X3D>";
  const auto made = read(text);
  EXPECT_FALSE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_no_humanoid));
}

TEST(HanimCases, SeveralHumanoidsNeedAChoice) {
  const std::string text =
      "<X3D version='4.0'><Scene><HAnimHumanoid name='A'>" + leg() +
      "</HAnimHumanoid><HAnimHumanoid name='B'><HAnimJoint name='humanoid_root' center='0 .8 0'/></HAnimHumanoid></Scene></X3D>";
  EXPECT_THAT(read(text).diagnostics, test::Reports(codes::hanim_several_humanoids));
  HanimReadOptions options;
  options.humanoid = "B";
  EXPECT_EQ(read(text, options)->skeleton.size(), 1u);
  options.humanoid = "0";
  EXPECT_EQ(read(text, options)->skeleton.size(), 3u);
  options.humanoid = "C";
  EXPECT_THAT(read(text, options).diagnostics, test::Reports(codes::hanim_no_such_humanoid));
}

// The humanoid's scale, and a figure that lies on its back or faces another way, are folded in.
TEST(HanimCases, ScaleAndStandingAreFoldedIn) {
  const std::string joints =
      "<HAnimJoint name='humanoid_root' center='0 0 90'><HAnimJoint name='l_hip' center='10 0 85'/><HAnimJoint name='r_hip' center='-10 0 "
      "85'/><HAnimJoint name='l_shoulder' center='20 0 140'/><HAnimJoint "
      "name='r_shoulder' center='-20 0 140'/></HAnimJoint>";
  const auto made = read(xml(joints, "name='Ann' scale='.01 .01 .01'"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->source.up, "+Z");
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_turned));
  EXPECT_THAT(made->skeleton[made->skeleton.find("l_hip")].rest.place, test::Near(Vec3(.1, .85, 0), 1e-12));
}

// C16: prototypes of H-Anim 1.1 in VRML97, with or without the prefix; bodies are not needed and nothing is fetched.
TEST(HanimCases, C16PrototypeHumanoidsOfEveryVersion) {
  const std::string head = "#VRML V2.0 utf8\n";
  for (const std::string prefix : {"", "HAnim"}) {
    const std::string protos =
        "EXTERNPROTO " + prefix +
        "Joint [ exposedField SFVec3f center exposedField MFNode children exposedField SFString name ] \"http://nowhere.invalid/h.wrl\"\n"
        "PROTO " +
        prefix +
        "Segment [ exposedField MFNode children [ ] exposedField SFString name \"\" ] { Group { children IS children } }\n"
        "PROTO " +
        prefix +
        "Humanoid [ exposedField MFNode humanoidBody [ ] exposedField SFString name \"\" exposedField SFString version \"1.1\" ] { "
        "WorldInfo { } }\n";
    const auto made = read(head + protos + prefix + "Humanoid { name \"Ann\" humanoidBody [ " + prefix +
                           "Joint { name \"HumanoidRoot\" center 0 .9 0 children [ " + prefix +
                           "Segment { name \"pelvis\" children Shape { geometry Box { size .1 .1 .1 } } } " + prefix +
                           "Joint { name \"l_hip\" center .1 .85 0 } ] } ] }");
    ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
    EXPECT_EQ(made->skeleton.size(), 2u);
    EXPECT_EQ(made->parts.size(), 1u);
    EXPECT_EQ(made->source.hanim_version, "1");
  }
}

TEST(HanimCases, C13TheInstancesOwnGeometryReplacesTheDefault) {
  const auto made = read(
      "#VRML V2.0 utf8\nPROTO Humanoid [ field MFNode humanoidBody [ ] ] { Group { } }\nPROTO Joint [ field SFString name \"\" field "
      "SFVec3f center 0 0 0 field MFNode children [ Shape { geometry Cone { } } ] ] { Group "
      "{ } }\nHumanoid { humanoidBody Joint { name \"HumanoidRoot\" center 0 1 0 children [ Shape { geometry Sphere { radius .1 } } ] } }");
  ASSERT_TRUE(made);
  ASSERT_EQ(made->parts.size(), 1u);
  EXPECT_NEAR(bounding_box(made->parts).sizes().y(), .2, 1e-9);
}

TEST(HanimCases, C17RobotsAreCalledRobots) {
  const auto made = read(
      "#VRML V2.0 utf8\nEXTERNPROTO Humanoid [ field MFNode humanoidBody ] \"\"\nEXTERNPROTO Joint [ field SFString name field SFVec3f "
      "translation field MFNode children field SFString jointType ] \"\"\n"
      "Humanoid { humanoidBody DEF WAIST Joint { translation 0 0 1 jointType \"free\" children [ DEF RLEG_JOINT0 Joint { translation 0 -.1 "
      "0 jointType \"rotate\" } ] } }");
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_robot));
}

// Twelve sides a radian: area and outward normals of the round shapes, triangles of a concave face.
TEST(HanimCases, GeometryIsClosedAndFacesOutward) {
  for (const std::string shape :
       {"<Box size='1 1 1'/>", "<Sphere radius='.5'/>", "<Cylinder radius='.5' height='1'/>", "<Cone bottomRadius='.5' height='1'/>"}) {
    const auto made = read(xml("<HAnimJoint name='humanoid_root' center='0 .9 0'><HAnimSegment name='sacrum'><Shape>" + shape +
                               "</Shape></HAnimSegment></HAnimJoint>"));
    ASSERT_TRUE(made) << shape;
    const Part& part = made->parts.at(0);
    double volume = 0;
    for (const auto& t : part.surfaces.at(0).triangles) {
      const Vec3 &a = part.positions[t[0]], &b = part.positions[t[1]], &c = part.positions[t[2]];
      volume += a.dot(b.cross(c)) / 6;
      EXPECT_GT((b - a).cross(c - a).dot(part.normals[t[0]] + part.normals[t[1]] + part.normals[t[2]]), 0) << shape;
    }
    const double exact = shape.find("Box") != std::string::npos      ? 1
                         : shape.find("Sphere") != std::string::npos ? M_PI / 6
                         : shape.find("Cyl") != std::string::npos    ? M_PI / 4
                                                                     : M_PI / 12;
    EXPECT_NEAR(volume, exact, 0.04 * exact) << shape;  // 24 sides lie inside the round shape
  }
  // An arrow head: concave at its fourth corner.
  const auto made =
      read(xml("<HAnimJoint name='humanoid_root' center='0 .9 0'><HAnimSegment name='sacrum'><Shape><IndexedFaceSet convex='false' "
               "coordIndex='0 1 2 3 -1'><Coordinate point='0 0 0 2 2 0 0 1 0 -2 2 0'/>"
               "</IndexedFaceSet></Shape></HAnimSegment></HAnimJoint>"));
  ASSERT_TRUE(made);
  double area = 0;
  for (const auto& t : made->parts.at(0).surfaces.at(0).triangles) {
    const auto& p = made->parts[0].positions;
    const double z = (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z() / 2;
    EXPECT_GT(z, 0);
    area += z;
  }
  EXPECT_NEAR(area, 2, 1e-12);
}

TEST(HanimCases, MotionOfInterpolatorsIsRelativeToTheCentre) {
  const std::string text = "<X3D version='4.0'><Scene><HAnimHumanoid DEF='H' name='A'>" + leg() +
                           "</HAnimHumanoid><TimeSensor DEF='T' cycleInterval='2' loop='true'/><OrientationInterpolator DEF='O' key='0 .5 "
                           "1' keyValue='0 0 1 0 1 0 0 1 0 0 1 0'/>"
                           "<PositionInterpolator DEF='P' key='0 1' keyValue='0 0 0 0 .1 0'/><ROUTE fromNode='T' "
                           "fromField='fraction_changed' toNode='O' toField='set_fraction'/><ROUTE fromNode='T' "
                           "fromField='fraction_changed' toNode='P' toField='set_fraction'/><ROUTE fromNode='O' fromField='value_changed' "
                           "toNode='k' toField='set_rotation'/><ROUTE fromNode='P' fromField='value_changed' "
                           "toNode='H' toField='set_translation'/></Scene></X3D>";
  const auto made = read(text);
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  ASSERT_EQ(made->clips.size(), 1u);
  EXPECT_EQ(made->clips[0].duration_s, 2);
  const auto pose = sample(made->skeleton, made->clips[0], 1);
  EXPECT_THAT(pose.parent_from_joint[2].rotation, test::SameTurn(Quat(Eigen::AngleAxisd(1, Vec3::UnitX())), 1e-12));
  // E10: the humanoid's own travel goes to its root, on top of the root's height.
  EXPECT_THAT(pose.parent_from_joint[0].translation, test::Near(Vec3(0, .95, 0), 1e-12));
}

}  // namespace
}  // namespace vesalius
