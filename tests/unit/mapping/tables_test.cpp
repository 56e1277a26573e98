// The shipped tables against the standards' figures.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "support/matchers.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius {
namespace {

const Profile& hanim() {
  return *MappingTables::built_in().profile("hanim-2");
}
const Profile& bones() {
  return *MappingTables::built_in().profile("openmaterial");
}
const Mapping& mapping() {
  return *MappingTables::built_in().mapping("hanim-2", "openmaterial");
}

TEST(Tables, BuiltInOnesAreAllThere) {
  EXPECT_EQ(MappingTables::built_in().profiles().size(), 2u);
  EXPECT_EQ(MappingTables::built_in().mappings().size(), 1u);
}

// ISO/IEC 19774: 1, 18, 71, 94 and 146 joints at levels 0 to 4; version 1 has levels 0 to 3 with the same counts.
TEST(Tables, LevelsHaveTheStandardsCounts) {
  const std::map<int, int> expected{{0, 1}, {1, 18}, {2, 71}, {3, 94}, {4, 146}};
  for (const auto& [level, count] : expected) {
    int version_2 = 0, version_1 = 0;
    for (const ProfileJoint& joint : hanim().joints) {
      version_2 += joint.lowest_loa <= level ? 1 : 0;
      version_1 += joint.lowest_loa_v1 >= 0 && joint.lowest_loa_v1 <= level ? 1 : 0;
    }
    EXPECT_EQ(version_2, count) << level;
    if (level <= 3) {
      EXPECT_EQ(version_1, count) << level;
    }
  }
  EXPECT_EQ(bones().joints.size(), 28u);  // the official example's bones
}

TEST(Tables, BothSidesMirrorExactly) {
  for (const Profile* profile : {&hanim(), &bones()}) {
    for (const ProfileJoint& joint : profile->joints) {
      const ProfileJoint* partner = profile->find(joint.mirror);
      ASSERT_NE(partner, nullptr) << joint.name;
      ASSERT_TRUE(joint.centre && partner->centre) << joint.name;
      EXPECT_EQ(Vec3(-joint.centre->x(), joint.centre->y(), joint.centre->z()), *partner->centre) << joint.name;
      if (joint.side == Side::middle || !profile->has_bone_axes) continue;
      // F_R = S F_L diag(1, 1, -1)
      const Eigen::Matrix3d left = joint.rest_frame.toRotationMatrix(), right = partner->rest_frame.toRotationMatrix();
      const Eigen::Matrix3d mirrored = Eigen::Vector3d(-1, 1, 1).asDiagonal() * left * Eigen::Vector3d(1, 1, -1).asDiagonal();
      EXPECT_LT((mirrored - right).cwiseAbs().maxCoeff(), 1e-12) << joint.name;
    }
  }
}

// OpenMATERIAL: x forward, and up for feet, toes and eyes; y along the bone; z to the body's left for legs and feet.
TEST(Tables, BoneAxesFollowTheStandard) {
  for (const ProfileJoint& joint : bones().joints) {
    const Vec3 x = joint.rest_frame * Vec3::UnitX();
    const bool up = joint.name.starts_with("Foot") || joint.name.starts_with("Full_Toes") || joint.name.starts_with("Eye");
    EXPECT_GT(x.dot(up ? Vec3::UnitY() : Vec3::UnitZ()), 0.85) << joint.name;
    if (joint.name.find("Leg") != std::string::npos || joint.name.starts_with("Foot")) {
      EXPECT_GT((joint.rest_frame * Vec3::UnitZ()).x(), 0.9) << joint.name;
    }
  }
}

// The upper arms of the official example hang 36.3 degrees off the vertical.
TEST(Tables, ArmsRestInTheAPoseOfTheExample) {
  const Vec3 direction = *bones().find("Upper_Arm_Left")->rest_direction;
  EXPECT_NEAR(std::acos(-direction.y()) * 180 / M_PI, 36.3, 0.2);
  EXPECT_EQ(*hanim().find("l_shoulder")->rest_direction, Vec3(0, -1, 0));
}

TEST(Tables, EverySourceJointHasOneGroupAndSharesSumToOne) {
  std::map<std::string, int> uses;
  for (const BoneGroup& group : mapping().groups) {
    for (const auto& chain : group.chains) {
      double sum = 0;
      for (const std::string& joint : chain) {
        ++uses[joint];
        sum += group.shares.at(joint).rotation * group.shares.at(joint).collapse;
      }
      EXPECT_NEAR(sum, 1, 1e-9) << group.bone;
    }
    for (const std::string& joint : group.fold) ++uses[joint];
  }
  for (const ProfileJoint& joint : hanim().joints) EXPECT_EQ(uses[joint.name], 1) << joint.name;
  EXPECT_EQ(mapping().groups.size(), 28u);
}

// Names that look alike mean different places.
TEST(Tables, E02LookAlikesGoWhereAnatomySays) {
  const std::map<std::string, std::string> expected{{"l_shoulder", "Upper_Arm_Left"},
                                                    {"l_acromioclavicular", "Shoulder_Left"},
                                                    {"l_hip", "Upper_Leg_Left"},
                                                    {"sacroiliac", "Hip"},
                                                    {"humanoid_root", "Hip"},
                                                    {"skullbase", "Head"},
                                                    {"vl5", "Lower_Spine"},
                                                    {"vt12", "Upper_Spine"},
                                                    {"vc7", "Neck"},
                                                    {"r_metatarsophalangeal_2", "Full_Toes_Right"}};
  for (const auto& [joint, bone] : expected) {
    ASSERT_NE(mapping().group_of(joint), nullptr) << joint;
    EXPECT_EQ(mapping().group_of(joint)->bone, bone) << joint;
  }
}

TEST(Tables, B23NamesOfBothVersionsMatch) {
  const auto old = hanim().match("l_wrist");
  ASSERT_NE(old.joint, nullptr);
  EXPECT_EQ(old.joint->name, "l_radiocarpal");
  EXPECT_EQ(old.version, "1");
  EXPECT_EQ(hanim().match("l_radiocarpal").version, "2");
  EXPECT_EQ(hanim().match("l_knee").version, "");
  EXPECT_EQ(hanim().match("HumanoidRoot").version, "1");
  const auto folded = hanim().match("humanoidRoot");
  ASSERT_NE(folded.joint, nullptr);
  EXPECT_TRUE(folded.case_folded);
  EXPECT_EQ(hanim().match("Bone_1").joint, nullptr);
  // A joint in version 1, a segment's other name in version 2: the kind of node decides.
  EXPECT_EQ(hanim().match("l_metatarsal").joint->name, "l_tarsal_distal_interphalangeal_2");
  EXPECT_EQ(hanim().match_segment("l_hand")->name, "l_carpal");
  EXPECT_EQ(hanim().name_in_version(*hanim().find("l_talocrural"), "1"), "l_ankle");
}

TEST(Tables, TheAlternativeAndTheReadmesExampleLoad) {
  const auto file = MappingTables::built_in().with_file(VESALIUS_SOURCE_DIR "/mappings/alternatives/hanim-2_openmaterial_first.xml");
  ASSERT_TRUE(file) << testing::PrintToString(file.diagnostics);
  EXPECT_EQ(file->mapping("hanim-2", "openmaterial")->find_bone("Lower_Spine")->shares.at("vl5").rotation, 1);
  std::ifstream in(VESALIUS_SOURCE_DIR "/mappings/README.md");
  std::stringstream text;
  text << in.rdbuf();
  const std::string readme = text.str();
  int examples = 0;
  MappingTables tables = MappingTables::built_in();
  for (std::size_t at = readme.find("```xml\n"); at != std::string::npos; at = readme.find("```xml\n", at + 7)) {
    const std::size_t end = readme.find("```", at + 7);
    const auto made = tables.with_text(readme.substr(at + 7, end - at - 7), "README.md");
    ASSERT_TRUE(made) << testing::PrintToString(made.diagnostics);
    tables = *made;
    ++examples;
  }
  EXPECT_EQ(examples, 2);
}

}  // namespace
}  // namespace vesalius
