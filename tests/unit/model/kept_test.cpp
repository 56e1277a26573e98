#include "vesalius/kept.hpp"

#include <gtest/gtest.h>

#include <string>

#include "model/codes.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::Near;
using test::Reports;
using test::ReportsAtPath;
using test::SameTurn;

Kept full() {
  Kept kept;
  kept.profile = "many";
  kept.hanim_version = "1";
  kept.loa = 2;
  kept.shift = Vec3(0.1, -0.02, 1.0 / 3);
  KeptJoint root, child;
  root.name = root.source_name = "root";
  root.bone = "Bone";
  child.name = "child";
  child.source_name = "Bob \"the\" child\n";
  child.parent = "root";
  child.bone = "Bone";
  child.place_in_bone = Vec3(1e-17, 0.25, -3);
  child.turn_in_bone = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX()));
  child.limits = JointLimits{Vec3(-1, 0, 0), Vec3(1, 2, 3), Quat(Eigen::AngleAxisd(0.1, Vec3::UnitY()))};
  child.stiffness = Vec3(0, 0.5, 1);
  kept.joints = {root, child};
  kept.rest_turns = {{"Bone", Quat(Eigen::AngleAxisd(-0.7, Vec3::UnitZ()))}};
  kept.owners = {{"site", "tip", "child"}};
  return kept;
}

TEST(Kept, ComesBackFromItsText) {
  const Kept kept = full();
  const auto read = kept_from_json(to_json(kept));
  ASSERT_TRUE(read) << ::testing::PrintToString(read.diagnostics);
  EXPECT_EQ(read->profile, "many");
  EXPECT_EQ(read->hanim_version, "1");
  EXPECT_EQ(read->loa, 2);
  EXPECT_EQ(read->shift, kept.shift);
  ASSERT_EQ(read->joints.size(), 2U);
  const KeptJoint &a = kept.joints[1], &b = read->joints[1];
  EXPECT_EQ(b.name, a.name);
  EXPECT_EQ(b.source_name, a.source_name);
  EXPECT_EQ(b.parent, a.parent);
  EXPECT_EQ(b.bone, a.bone);
  EXPECT_EQ(b.place_in_bone, a.place_in_bone);
  EXPECT_THAT(b.turn_in_bone, SameTurn(a.turn_in_bone, 1e-15));
  ASSERT_TRUE(b.limits && b.stiffness);
  EXPECT_EQ(b.limits->lower_rad, a.limits->lower_rad);
  EXPECT_EQ(b.limits->upper_rad, a.limits->upper_rad);
  EXPECT_THAT(b.limits->frame, SameTurn(a.limits->frame, 1e-15));
  EXPECT_EQ(*b.stiffness, *a.stiffness);
  ASSERT_EQ(read->rest_turns.size(), 1U);
  EXPECT_THAT(read->rest_turns[0].turn, SameTurn(kept.rest_turns[0].turn, 1e-15));
  ASSERT_EQ(read->owners.size(), 1U);
  EXPECT_EQ(read->owners[0].joint, "child");
}

TEST(Kept, IsOneLineAndAlwaysTheSame) {
  const std::string text = to_json(full());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text, to_json(full()));
}

TEST(Kept, InvalidUtf8IsReplacedNotFatal) {
  Kept kept;
  kept.profile = "a\xff";
  EXPECT_TRUE(kept_from_json(to_json(kept)));
}

TEST(Kept, DamageIsReportedWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"[]", ""},
      {"{", ""},
      {R"({"profile": 3})", "/profile"},
      {R"({"loa": "x"})", "/loa"},
      {R"({"shift": [1, 2]})", "/shift"},
      {R"({"shift": [1, 2, "3"]})", "/shift/2"},
      {R"({"joints": {}})", "/joints"},
      {R"({"joints": [1]})", "/joints/0"},
      {R"({"joints": [{"name": "a"}, {"name": []}]})", "/joints/1/name"},
      {R"({"joints": [{"name": "a", "turn": [0, 0, 0, 0]}]})", "/joints/0/turn"},
  };
  for (const auto& [text, path] : cases) {
    const auto read = kept_from_json(text);
    EXPECT_FALSE(read) << text;
    EXPECT_THAT(read.diagnostics, ReportsAtPath(codes::model_bad_kept, path)) << text;
  }
}

TEST(Kept, G08DeepNestingIsRefused) {
  for (const std::string& text :
       {std::string(100'000, '['), "{\"joints\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"}) {
    const auto read = kept_from_json(text);
    EXPECT_FALSE(read);
    EXPECT_THAT(read.diagnostics, Reports(codes::model_bad_kept));
  }
}

}  // namespace
}  // namespace vesalius
