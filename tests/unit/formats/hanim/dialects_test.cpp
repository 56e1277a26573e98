// Humanoids that are written in another way than the standard's.
#include "reading.hpp"

namespace vesalius {
namespace {

using test::Near;
using test::read_text;

const Diagnostic* find(const Diagnostics& findings, Code code) {
  for (const Diagnostic& finding : findings.items()) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

Vec3 place_of(const Humanoid& humanoid, std::string_view joint) {
  const JointIndex at = humanoid.skeleton.find(joint);
  EXPECT_NE(at, JointIndex::none) << joint;
  return at == JointIndex::none ? Vec3(Vec3::Zero()) : humanoid.skeleton[at].rest.place;
}

// ---- Avatar Studio ----

/// The smallest avatar of each generation: names listed in the instance, or told by the functions of the script.
std::string avatar(bool with_names) {
  return std::string("#VRML V2.0 utf8\n") +
         "PROTO Avatar [ exposedField SFString nickname \"\" exposedField SFString sex \"\" exposedField MFString jointNames [ ]\n"
         "  exposedField MFString gestureNames [ ] eventIn SFRotation rot_vl5 ] {\n"
         "  Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } }\n"
         "    geometry IndexedFaceSet { coordIndex [ 0 1 2 -1 4 5 6 -1 8 9 10 -1 3 7 11 -1 ]\n"
         "    coord DEF PointList Coordinate { point [ 0 0 0, 0.1 0 0, 0 0.1 0, 0 0 0.1, 0 0 0, 0.1 0 0, 0 0.1 0, 0 0 0.1,\n"
         "      0 0 0, 0.1 0 0, 0 0.1 0, 0 0 0.1 ] } } }\n"
         "  DEF Welder Script { directOutput TRUE field SFNode Vtx USE PointList\n"
         "    field MFVec3f P [ 0 -1 0, 0 1 0, 0 0.2 0, 0 0.4 0 ] field MFRotation R0 [ 0 1 0 0, 0 1 0 0, 0 0 1 0.5, 0 1 0 0 ]\n"
         "    field MFRotation R [ ] field MFInt32 vgroups [ 0 0 0  1 0 4  2 4 8  3 8 12 ]\n"
         "    eventIn SFRotation rot_vl5 IS rot_vl5\n"
         "    url \"javascript: function pos_Center(v) { P[1] = v; } function rot_vl5(v) { R[2] = v; weld(2); } function rot_skull (v) { "
         "R[3] = v; }\" }\n"
         "  DEF TS1 TimeSensor { cycleInterval 2 }\n"
         "  DEF PI1_1 PositionInterpolator { key [ 0 1 ] keyValue [ 0 1 0, 0 1.5 0 ] }\n"
         "  DEF OI1_2 OrientationInterpolator { key [ 0 1 ] keyValue [ 0 0 1 0.5, 0 0 1 1.5 ] }\n"
         "}\n"
         "Avatar { nickname \"Max\" sex \"male\" gestureNames [ \"bow\" ] " +
         (with_names ? "jointNames [ \"dummy_sol\" \"Center\" \"vl5\" \"skull\" ] " : "") + "}\n";
}

TEST(Dialects, AvatarStudioRigsOfBothGenerationsAreRead) {
  for (const bool with_names : {true, false}) {
    const auto made = read_text(avatar(with_names));
    ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
    EXPECT_NE(find(made.diagnostics, codes::hanim_dialect), nullptr);
    EXPECT_EQ(made->name, "Max");
    EXPECT_EQ(made->metadata.at("gender"), (std::vector<std::string>{"male"}));
    ASSERT_EQ(made->skeleton.size(), 3u);
    // Places count from the ground, each joint's from its parent; vl5 is turned by half a radian about z.
    EXPECT_THAT(place_of(*made, "humanoid_root"), Near(Vec3(0, 1, 0), 1e-12));
    EXPECT_THAT(place_of(*made, "vl5"), Near(Vec3(0, 1.2, 0), 1e-12));
    EXPECT_THAT(place_of(*made, "skullbase"), Near(Vec3(-0.4 * std::sin(0.5), 1.2 + 0.4 * std::cos(0.5), 0), 1e-12));
    ASSERT_EQ(made->parts.size(), 1u);
    EXPECT_EQ(test::triangle_count(made->parts[0]), 4u);
    // A point of vl5 stands in its joint's turned frame.
    bool found = false;
    for (std::size_t v = 0; v < made->parts[0].positions.size(); ++v) {
      const Vec3 wanted = Vec3(0, 1.2, 0) + Eigen::AngleAxisd(0.5, Vec3::UnitZ()) * Vec3(0.1, 0, 0);
      if ((made->parts[0].positions[v] - wanted).norm() < 1e-12) {
        found = true;
        ASSERT_EQ(made->parts[0].influences.of(v).size(), 1u);
        EXPECT_EQ(made->parts[0].influences.of(v)[0].joint, made->skeleton.find("vl5"));
        EXPECT_EQ(made->parts[0].influences.of(v)[0].weight, 1.0);
      }
    }
    EXPECT_TRUE(found);
    // The gesture: values replace the rotation relative to the parent, so that the first key is the rest and the last one a radian away.
    ASSERT_EQ(made->clips.size(), 1u);
    EXPECT_EQ(made->clips[0].name, "bow");
    EXPECT_EQ(made->clips[0].duration_s, 2);
    const LocalPose end = sample(made->skeleton, made->clips[0], 2);
    const GlobalChange change = global_change(made->skeleton, end);
    EXPECT_NEAR(angle_between_rad(rotation_of(change.change[index(made->skeleton.find("vl5"))]), Quat(Eigen::AngleAxisd(1, Vec3::UnitZ()))),
                0, 1e-9);
    EXPECT_THAT(end.parent_from_joint[0].translation, Near(Vec3(0, 1.5, 0), 1e-12));
    const GlobalChange start = global_change(made->skeleton, sample(made->skeleton, made->clips[0], 0));
    for (const Affine& still : start.change) EXPECT_TRUE(still.isApprox(Affine::Identity(), 1e-9));
  }
}

TEST(Dialects, AvatarStudioHelpersGiveTheirSkinToTheJointTheyHelp) {
  const auto made = read_text(
      "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ] coord DEF PointList Coordinate { point [ 0 0 0, 1 0 0, 0 1 "
      "0 ] } } }\n"
      "DEF Welder Script { field MFVec3f P [ 0 0 0, 0 1 0, 0.2 0.4 0, 0 0 0 ] field MFRotation R0 [ ] field MFInt32 vgroups [ 0 0 0 1 0 1 "
      "2 1 2 3 2 3 ]\n"
      "  field SFNode Vtx USE PointList\n"
      "  url \"javascript: function pos_Center(v) { P[1]=v; } function rot_l_shoulder(v) { R[2]=v; } function "
      "rot_l_shoulder2(v){R[3]=v;}\" }");
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(made->skeleton.size(), 2u);
  const JointIndex shoulder = made->skeleton.find("l_shoulder");
  ASSERT_NE(shoulder, JointIndex::none);
  std::size_t owned = 0;
  for (const Influence& influence : made->parts.at(0).influences.items) owned += influence.joint == shoulder ? 1 : 0;
  EXPECT_EQ(owned, 2u);
}

TEST(Dialects, DamagedAvatarStudioRigsAreRefusedAtTheirPlace) {
  const auto made = read_text(
      "#VRML V2.0 utf8\nShape { }\nDEF Welder Script { field MFVec3f P [ 0 0 0 ] field MFRotation R0 [ ]\n  field MFInt32 vgroups [ 3 0 0 "
      "] }");
  EXPECT_FALSE(made);
  const Diagnostic* finding = find(made.diagnostics, codes::hanim_bad_value);
  ASSERT_NE(finding, nullptr) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(finding->where.line, 4u);
}

// ---- Transforms with the standard's names ----

TEST(Dialects, TransformsNamedLikeJointsAreAHumanoid) {
  for (const std::string prefix : {"hanim_", "Bob_", ""}) {
    const auto t = [&](const std::string& name, const std::string& at, const std::string& inside) {
      return "DEF " + prefix + name + " Transform { translation " + at + " children [ " + inside + " ] }\n";
    };
    const std::string shape = "Shape { geometry Box { size 0.1 0.1 0.1 } }";
    const auto made = read_text("#VRML V2.0 utf8\nDEF Bob Group { children [ " +
                                t("HumanoidRoot", "0 0.9 0",
                                  t("l_hip", "0.1 -0.05 0", shape + t("l_knee", "0 -0.4 0", shape)) +
                                      t("r_hip", "-0.1 -0.05 0", t("r_knee", "0 -0.4 0", "")) + t("vl5", "0 0.1 0", shape)) +
                                " ] }");
    ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
    EXPECT_NE(find(made.diagnostics, codes::hanim_dialect), nullptr);
    EXPECT_EQ(made->name, "Bob");
    EXPECT_EQ(made->skeleton.size(), 6u);
    EXPECT_THAT(place_of(*made, "l_knee"), Near(Vec3(0.1, 0.45, 0), 1e-12));
    EXPECT_EQ(made->parts.size(), 3u);
  }
}

TEST(Dialects, JointsOutsideTheirHumanoidAreItsSkeleton) {
  const auto made = read_text(
      "#VRML V2.0 utf8\nPROTO Joint [ exposedField SFVec3f center 0 0 0 exposedField MFNode children [ ] exposedField SFString name \"\" ] "
      "{ Transform { } }\n"
      "PROTO Humanoid [ exposedField MFNode humanoidBody [ ] exposedField MFNode joints [ ] exposedField SFString name \"\" ] { Group { } "
      "}\n"
      "DEF r Joint { name \"HumanoidRoot\" center 0 0.9 0 children DEF h Joint { name \"l_hip\" center 0.1 0.85 0 } }\n"
      "Humanoid { name \"Old\" joints [ USE r USE h ] }");
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(made->name, "Old");
  EXPECT_EQ(made->skeleton.size(), 2u);
  EXPECT_NE(find(made.diagnostics, codes::hanim_dialect), nullptr);
}

// ---- inverse binds ----

TEST(Dialects, InverseBindMatricesPlaceTheJoints) {
  // The thigh's own axes are turned by a quarter about z; its rotation field is that quarter and 0.3 more.
  const std::string text = test::document(
      "<HAnimJoint DEF='a' name='humanoid_root' containerField='skeleton' translation='0 1 0'>"
      "<HAnimJoint DEF='b' name='l_hip' translation='0.1 0 0' rotation='0 0 1 1.870796326794897' skinCoordIndex='0 1 2' skinCoordWeight='1 "
      "1 1'/></HAnimJoint>"
      "<HAnimJoint USE='a' containerField='joints'/><HAnimJoint USE='b' containerField='joints'/>"
      "<Coordinate DEF='c' containerField='skinCoord' point='0.1 1 0 0.2 1 0 0.1 1.1 0'/>"
      "<Shape containerField='skin'><IndexedFaceSet coordIndex='0 1 2'><Coordinate USE='c'/></IndexedFaceSet></Shape>",
      // b = (T(0.1,1,0) Rz(90))^-1: place Rz(-90)(-0.1,-1,0) = (-1, 0.1, 0).
      "name='Ann' skeletalConfiguration='GLTF' jointBindingPositions='0 -1 0 -1 0.1 0' jointBindingRotations='0 0 1 0 0 0 1 "
      "-1.570796326794897'");
  const auto made = read_text(text);
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_THAT(place_of(*made, "humanoid_root"), Near(Vec3(0, 1, 0), 1e-12));
  EXPECT_THAT(place_of(*made, "l_hip"), Near(Vec3(0.1, 1, 0), 1e-12));
  ASSERT_EQ(made->poses.size(), 1u);
  const GlobalChange change = global_change(made->skeleton, made->poses[0].pose);
  const Affine& hip = change.change[1];
  EXPECT_NEAR(angle_between_rad(rotation_of(hip), Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ()))), 0, 1e-9);
  EXPECT_THAT(Vec3(hip * Vec3(0.1, 1, 0)), Near(Vec3(0.1, 1, 0), 1e-12));
  // Independently: joint model matrix times binding matrix, as X_ITE skins.
  const Affine joint =
      Eigen::Translation3d(0, 1, 0) * Eigen::Translation3d(0.1, 0, 0) * Eigen::AngleAxisd(1.870796326794897, Vec3::UnitZ());
  const Affine binding = Eigen::Translation3d(-1, 0.1, 0) * Eigen::AngleAxisd(-1.570796326794897, Vec3::UnitZ());
  EXPECT_TRUE(hip.isApprox(joint * binding, 1e-12));
}

TEST(Dialects, OtherConfigurationsAreReportedAndBasicOnesIgnored) {
  const auto basic =
      read_text(test::document(test::two_joints(), "name='Ann' skeletalConfiguration='BASIC' jointBindingPositions='1 2 3'"));
  ASSERT_TRUE(basic);
  EXPECT_EQ(find(basic.diagnostics, codes::hanim_binding_ignored), nullptr);
  const auto other = read_text(test::document(test::two_joints(), "name='Ann' skeletalConfiguration='MINE' jointBindingPositions='1 2 3'"));
  ASSERT_TRUE(other);
  EXPECT_NE(find(other.diagnostics, codes::hanim_binding_ignored), nullptr);
}

// ---- poses, robots, other rigs ----

TEST(Dialects, PosesOfTheHumanoidAreKept) {
  const auto made = read_text(test::document(
      test::two_joints() + "<HAnimPose name='kick' containerField='poses'><HAnimJoint name='l_hip' rotation='1 0 0 -0.7'/></HAnimPose>"));
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(made->skeleton.size(), 2u);
  ASSERT_EQ(made->poses.size(), 1u);
  EXPECT_EQ(made->poses[0].name, "kick");
  EXPECT_NEAR(angle_between_rad(made->poses[0].pose.parent_from_joint[1].rotation, Quat(Eigen::AngleAxisd(-0.7, Vec3::UnitX()))), 0, 1e-12);
}

std::string rig(const std::vector<std::pair<std::string, std::string>>& joints) {
  std::string text;
  for (const auto& [name, centre] : joints) text += "<HAnimJoint name='" + name + "' center='" + centre + "' containerField='skeleton'/>";
  return test::document(text);
}

TEST(Dialects, OtherRigsInHumanoidNodesAreToldByTables) {
  struct Row {
    const char* title;
    std::vector<std::string> names;
  };
  const std::vector<std::string> joints{"humanoid_root", "l_hip",      "l_knee",  "l_talocrural", "r_hip",
                                        "r_knee",        "l_shoulder", "l_elbow", "r_shoulder"};
  const std::vector<Row> rows{
      {"Mixamo",
       {"mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:RightUpLeg", "mixamorig:RightLeg",
        "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:RightArm"}},
      {"Unreal", {"pelvis1", "thigh_l1", "calf_l1", "foot_l1", "thigh_r1", "calf_r1", "upperarm_l1", "lowerarm_l1", "upperarm_r1"}},
      {"Rigify", {"hips", "thigh.L", "shin.L", "foot.L", "thigh.R", "shin.R", "upper_arm.L", "forearm.L", "upper_arm.R"}},
      {"Poser", {"hip", "lThigh", "lShin_019", "lFoot", "rThigh", "rShin", "lShldr", "lForeArm", "rShldr"}},
  };
  for (const Row& row : rows) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t i = 0; i < joints.size(); ++i) entries.emplace_back(row.names[i], std::to_string(i) + " 1 0");
    const auto made = read_text(rig(entries));
    ASSERT_TRUE(made) << row.title << testing::PrintToString(made.diagnostics);
    const Diagnostic* finding = find(made.diagnostics, codes::hanim_foreign_rig);
    ASSERT_NE(finding, nullptr) << row.title;
    EXPECT_NE(finding->message.find(row.title), std::string::npos) << finding->message;
    EXPECT_NE(made->source.rig.find(row.title), std::string::npos);
    for (std::size_t i = 0; i < joints.size(); ++i)
      EXPECT_NE(made->skeleton.find(joints[i]), JointIndex::none) << row.title << " " << joints[i];
    EXPECT_EQ(made->skeleton.joints()[0].source_name, row.names[0]);
  }
}

TEST(Dialects, C17RobotsAreMappedByAUsersTableOnly) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"WAIST", "humanoid_root"},        {"CHEST", "vl5"},         {"RLEG_HIP_P", "r_hip"},           {"RLEG_KNEE", "r_knee"},
      {"LLEG_HIP_P", "l_hip"},           {"LLEG_KNEE", "l_knee"},  {"RARM_SHOULDER_P", "r_shoulder"}, {"RARM_ELBOW", "r_elbow"},
      {"LARM_SHOULDER_P", "l_shoulder"}, {"LARM_ELBOW", "l_elbow"}};
  std::string text =
      "#VRML V2.0 utf8\nPROTO Joint [ exposedField SFVec3f center 0 0 0 exposedField MFNode children [ ] exposedField SFString jointType "
      "\"\" ] { Transform { } }\n"
      "PROTO Humanoid [ exposedField MFNode humanoidBody [ ] exposedField SFString name \"\" ] { Group { } }\nDEF R Humanoid { name \"R\" "
      "humanoidBody [ ";
  std::string table = "<rigs><rig name='hrp' title='our robot' source='its manual'>";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += "DEF " + names[i].first + " Joint { jointType \"rotate\" center 0 " + std::to_string(i) + " 0 }\n";
    table += "<bone name='" + names[i].first + "' joint='" + names[i].second + "'/>";
  }
  text += "] }";
  const auto plain = read_text(text);
  ASSERT_TRUE(plain) << testing::PrintToString(plain.diagnostics);
  EXPECT_NE(find(plain.diagnostics, codes::hanim_robot), nullptr);
  EXPECT_EQ(plain->source.unknown_names.size(), names.size());
  const auto tables = test::tables().with_text(table + "</rig></rigs>", "robot.xml");
  ASSERT_TRUE(tables) << testing::PrintToString(tables.diagnostics);
  const auto mapped = read_hanim(std::as_bytes(std::span(text)), *tables);
  ASSERT_TRUE(mapped);
  for (const auto& [robot, joint] : names) EXPECT_NE(mapped->skeleton.find(joint), JointIndex::none) << robot;
}

TEST(Dialects, B20NamesOfNoRigAreNeverMappedByPlace) {
  const auto made =
      read_text(rig({{"Bone_1", "0 1 0"}, {"Bone_2", "0 2 0"}, {"Bone_3", "0 3 0"}, {"Bone_4", "0 4 0"}, {"Bone_5", "0 5 0"}}));
  ASSERT_TRUE(made);
  bool told = false;
  for (const Diagnostic& finding : made.diagnostics.items())
    told = told || finding.message.find("not a standard humanoid: 0 of 5") != std::string::npos;
  EXPECT_TRUE(told) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(made->source.unknown_names.size(), 5u);
  HanimReadOptions strict;
  strict.strict = true;
  EXPECT_FALSE(read_text(rig({{"Bone_1", "0 1 0"}}), strict));
}

// ---- around the humanoid ----

TEST(Dialects, WhatStandsAroundTheHumanoidIsCounted) {
  const auto made = read_text("<X3D version='4.0'><Scene><Shape/><Transform><Shape/><PointLight/></Transform><HAnimHumanoid name='Ann'>" +
                              test::two_joints() + "</HAnimHumanoid></Scene></X3D>");
  ASSERT_TRUE(made);
  const Diagnostic* note = find(made.diagnostics, codes::hanim_dropped_node);
  ASSERT_NE(note, nullptr);
  EXPECT_NE(note->message.find("1 PointLight, 2 Shape"), std::string::npos) << note->message;
}

TEST(Dialects, OnlyTheFinestLevelOfDetailCounts) {
  const std::string one = "<HAnimHumanoid name='fine'>" + test::two_joints() + "</HAnimHumanoid>";
  const std::string other = "<HAnimHumanoid name='coarse'><HAnimJoint name='humanoid_root' containerField='skeleton'/></HAnimHumanoid>";
  const auto made = read_text("<X3D version='4.0'><Scene><LOD range='10'>" + one + other + "</LOD></Scene></X3D>");
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(made->name, "fine");
}

TEST(Dialects, SeveralHumanoidsNeedAChoice) {
  const std::string text = "<X3D version='4.0'><Scene><HAnimHumanoid name='A'>" + test::two_joints() +
                           "</HAnimHumanoid><HAnimHumanoid name='B'>" +
                           "<HAnimJoint name='humanoid_root' containerField='skeleton'/></HAnimHumanoid></Scene></X3D>";
  EXPECT_NE(find(read_text(text).diagnostics, codes::hanim_several_humanoids), nullptr);
  HanimReadOptions options;
  options.humanoid = "B";
  EXPECT_EQ(read_text(text, options)->skeleton.size(), 1u);
  options.humanoid = "0";
  EXPECT_EQ(read_text(text, options)->skeleton.size(), 2u);
}

TEST(Dialects, ScaleAndUpCanBeGiven) {
  HanimReadOptions options;
  options.scale = 0.01;
  options.up = "+Z";
  const auto made = read_text(test::document("<HAnimJoint name='humanoid_root' center='0 0 90' containerField='skeleton'>"
                                             "<HAnimJoint name='l_hip' center='10 0 85'/></HAnimJoint>"),
                              options);
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_NEAR(place_of(*made, "humanoid_root").y(), 0.9, 1e-12);
  EXPECT_NEAR(place_of(*made, "l_hip").y(), 0.85, 1e-12);
}

TEST(Dialects, JointsThatWereNeverPlacedAreReported) {
  const auto made =
      read_text(rig({{"humanoid_root", "0 1 0"}, {"l_hip", "0 2 0"}, {"l_knee", "0 2 0"}, {"r_hip", "0 2 0"}, {"r_knee", "0 2 0"}}));
  ASSERT_TRUE(made);
  const Diagnostic* finding = find(made.diagnostics, codes::hanim_shared_place);
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->message.find("4 of 5 joints"), std::string::npos) << finding->message;
}

TEST(Dialects, SitesInTheFlatListAreKept) {
  const auto made =
      read_text(test::document(test::two_joints() + "<HAnimSite name='l_hand_tip' translation='1 2 3' containerField='sites'/>"));
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  ASSERT_EQ(made->sites.size(), 1u);
  EXPECT_EQ(made->sites[0].joint, JointIndex::none);
  EXPECT_NE(find(made.diagnostics, codes::hanim_listed_only), nullptr);
}

TEST(Dialects, NestedUsesAreBounded) {
  std::string text =
      "#X3D V4.0 utf8\nPROFILE Immersive\nHAnimHumanoid { name \"x\" skeleton HAnimJoint { name \"humanoid_root\" children HAnimSegment { "
      "name \"sacrum\" children [ ";
  text += "DEF g0 Shape { geometry Box { } } ";
  for (int i = 1; i < 26; ++i) {
    const std::string inner = "USE g" + std::to_string(i - 1);
    text += "DEF g" + std::to_string(i) + " Group { children [ " + inner + " " + inner + " ] } ";
  }
  const auto made = read_text(text + "] } } }");
  EXPECT_FALSE(made);
  EXPECT_NE(find(made.diagnostics, codes::hanim_too_large), nullptr);
}

TEST(Dialects, TransformTreesThatAPrototypeWasGivenAreFound) {
  std::string tree;
  for (const char* name : {"HumanoidRoot", "l_hip", "r_hip", "l_knee", "r_knee", "vl5"})
    tree += std::string("DEF My_Bob_") + name + " Transform { } ";
  const auto made = read_text(
      "#VRML V2.0 utf8\nPROTO Room [ exposedField MFNode kids [ ] ] { Group { children IS kids } }\nRoom { kids [ " + tree + " ] }");
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  EXPECT_EQ(made->skeleton.size(), 6u);
}

TEST(Dialects, TwoTreesWithTheSameJointsAreTwoFigures) {
  std::string text = "#VRML V2.0 utf8\n";
  for (const std::string figure : {"A_", "B_"}) {
    text += "DEF " + figure + "HumanoidRoot Transform { children [ ";
    for (const char* name : {"l_hip", "r_hip", "l_knee", "r_knee", "vl5"}) text += "DEF " + figure + name + " Transform { } ";
    text += "] }\n";
  }
  EXPECT_NE(find(read_text(text).diagnostics, codes::hanim_several_humanoids), nullptr);
}

TEST(Dialects, RotationsBelowATurnedTransformAreBroughtIntoTheHumanoidsAxes) {
  const std::string motion =
      "<TimeSensor DEF='t' cycleInterval='1'/><OrientationInterpolator DEF='o' key='0 1' keyValue='0 0 1 0 0 0 1 1'/>"
      "<ROUTE fromNode='t' fromField='fraction_changed' toNode='o' toField='set_fraction'/>"
      "<ROUTE fromNode='o' fromField='value_changed' toNode='hip' toField='set_rotation'/>";
  // The same figure, once with its joints below a Transform that turns y to z.
  const auto turned =
      read_text(test::document("<Transform rotation='1 0 0 1.5707963267948966' containerField='skeleton'>"
                               "<HAnimJoint name='humanoid_root' center='0 0 -1'><HAnimJoint DEF='hip' name='l_hip' center='.1 0 -.9'/>"
                               "</HAnimJoint></Transform>",
                               "name='Ann'", motion));
  ASSERT_TRUE(turned) << testing::PrintToString(turned.diagnostics);
  EXPECT_THAT(place_of(*turned, "l_hip"), Near(Vec3(0.1, 0.9, 0), 1e-9));
  ASSERT_EQ(turned->clips.size(), 1u);
  const LocalPose pose = sample(turned->skeleton, turned->clips[0], 1);
  // Turning by a quarter about x takes z to -y.
  EXPECT_NEAR(angle_between_rad(pose.parent_from_joint[1].rotation, Quat(Eigen::AngleAxisd(1, -Vec3::UnitY()))), 0, 1e-9);
}

TEST(Dialects, MotionAndPosesFindJointsOfOtherRigs) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const char* bone : {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "LeftArm", "LeftForeArm", "RightArm"})
    names.emplace_back(std::string("mixamorig:") + bone, std::to_string(names.size()) + " 1 0");
  std::string joints;
  for (const auto& [name, centre] : names) joints += "<HAnimJoint name='" + name + "' center='" + centre + "' containerField='skeleton'/>";
  const auto made =
      read_text(test::document(joints + "<HAnimMotion channels='1 Zrotation' joints='mixamorig:LeftLeg' values='0 90' frameDuration='1'/>"
                                        "<HAnimPose name='p'><HAnimJoint name='mixamorig:LeftArm' rotation='1 0 0 1'/></HAnimPose>"));
  ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
  ASSERT_EQ(made->clips.size(), 1u);
  EXPECT_EQ(made->clips[0].joints.at(0).joint, made->skeleton.find("l_knee"));
  ASSERT_EQ(made->poses.size(), 1u);
  const std::size_t arm = index(made->skeleton.find("l_shoulder"));
  EXPECT_NEAR(angle_between_rad(made->poses[0].pose.parent_from_joint[arm].rotation, Quat(Eigen::AngleAxisd(1, Vec3::UnitX()))), 0, 1e-9);
}

TEST(Dialects, SegmentsOfOneNameStayApart) {
  const std::string segment =
      "<HAnimSegment name='thigh'><Shape><IndexedFaceSet coordIndex='0 1 2'><Coordinate point='0 0 0 1 0 0 0 1 "
      "0'/></IndexedFaceSet></Shape></HAnimSegment>";
  const auto made = read_text(test::document(test::two_joints("", "", "", segment + segment)));
  ASSERT_TRUE(made);
  EXPECT_NE(find(made.diagnostics, codes::hanim_duplicate_segment), nullptr);
  ASSERT_EQ(made->segments.size(), 2u);
  const auto again = read_text(*hanim_to_x3d(*made, test::tables()));
  ASSERT_TRUE(again);
  std::size_t triangles = 0;
  for (const Part& part : again->parts) triangles += test::triangle_count(part);
  EXPECT_EQ(triangles, 2u);
  EXPECT_EQ(again->segments.size(), 2u);
}

TEST(Dialects, MotionOfWhatIsNotCarriedIsReported) {
  const auto made =
      read_text("<X3D version='4.0'><Scene><Transform DEF='way'><HAnimHumanoid name='Ann'>" + test::two_joints() +
                "</HAnimHumanoid></Transform><TimeSensor DEF='t'/><PositionInterpolator DEF='p' key='0 1' keyValue='0 0 0 0 0 1'/>"
                "<ROUTE fromNode='t' fromField='fraction_changed' toNode='p' toField='set_fraction'/>"
                "<ROUTE fromNode='p' fromField='value_changed' toNode='way' toField='set_translation'/></Scene></X3D>");
  ASSERT_TRUE(made);
  EXPECT_NE(find(made.diagnostics, codes::hanim_motion), nullptr);
}

TEST(Dialects, NumbersBeyondSinglePrecisionAreRefusedAtTheirPlace) {
  const auto made = read_text(test::document("<HAnimJoint name='humanoid_root' center='0 1e39 0' containerField='skeleton'/>"));
  EXPECT_FALSE(made);
  bool placed = false;
  for (const Diagnostic& finding : made.diagnostics.items())
    placed = placed || (finding.code.id == "x3d.bad_number" && finding.where.line == 2);
  EXPECT_TRUE(placed) << testing::PrintToString(made.diagnostics);
}

TEST(Dialects, WordsOfTheGrammarAreNoNames) {
  auto made = read_text(test::document(test::two_joints(), "name='ROUTE'"));
  ASSERT_TRUE(made);
  HanimWriteOptions options;
  options.encoding = Encoding::vrml97;
  const auto text = hanim_to_x3d(*made, test::tables(), options);
  EXPECT_NE(text->find("DEF _ROUTE HAnimHumanoid"), std::string::npos);
  EXPECT_EQ(text->find("centerOfRotation"), std::string::npos);  // VRML97 has no such field
  EXPECT_EQ(read_text(*text)->name, "ROUTE");
}

}  // namespace
}  // namespace vesalius
