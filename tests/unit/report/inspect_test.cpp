#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "vesalius/report.hpp"

namespace vesalius {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const MappingTables& tables() {
  return MappingTables::built_in();
}

Humanoid figure() {
  Humanoid human = test::box_figure(1);
  human.source.format = "H-Anim";
  human.source.encoding = "X3D XML";
  human.source.format_version = "4.0";
  human.source.hanim_version = "2";
  human.source.declared_version = "2.0";
  human.source.declared_loa = 3;
  human.source.facing = "+Z";
  human.source.up = "+Y";
  human.source.unknown_names = {"third_arm"};
  human.metadata["author"] = {"A", "B"};
  human.clips = test::small_humanoid().clips;
  human.clips[0].morphs.clear();
  return human;
}

TEST(InspectText, SaysWhatTheFileHolds) {
  const std::string text = inspect_text(figure(), tables(), "figure.x3d");
  EXPECT_THAT(text, HasSubstr("figure.x3d\n"));
  EXPECT_THAT(text, HasSubstr("H-Anim, X3D XML 4.0"));
  EXPECT_THAT(text, HasSubstr("version 2, from the joint names; declared 2.0"));
  EXPECT_THAT(text, HasSubstr("1 complete (18 of 18 joints); declared 3"));
  EXPECT_THAT(text, HasSubstr("faces +Z, up +Y"));
  EXPECT_THAT(text, HasSubstr("1.600 m, of the mesh"));
  EXPECT_THAT(text, HasSubstr("third_arm"));
  EXPECT_THAT(text, HasSubstr("turn: 1.000 s"));
  EXPECT_THAT(text, HasSubstr("author: B"));
}

TEST(InspectText, IndentsTheJointTreeWithCentres) {
  const std::string text = inspect_text(figure(), tables(), "f");
  EXPECT_THAT(text, ::testing::ContainsRegex("\n  humanoid_root +0\\.0000 +0\\.8240 +0\\.0277\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\n    sacroiliac +0\\.0000 +0\\.9149 +0\\.0016\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\n        l_knee +0\\.0954 +0\\.4890 +0\\.0313\n"));
}

TEST(InspectText, ControlCharactersDoNotReachTheTerminal) {
  Humanoid human = figure();
  human.name = "\x1b[31mred\n";
  human.source.unknown_names = {"a\rb"};
  const std::string text = inspect_text(human, tables(), "f\x07");
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n') << static_cast<int>(c);
}

TEST(InspectText, ADeepChainNeedsNoRecursion) {
  std::vector<Joint> joints;
  for (int i = 0; i < 20000; ++i) joints.push_back(test::joint_at("j" + std::to_string(i), i - 1, Vec3(0, i * 1e-4, 0)));
  auto made = Skeleton::create(std::move(joints));
  ASSERT_TRUE(made);
  Humanoid human;
  human.skeleton = *made;
  EXPECT_LT(inspect_text(human, tables(), "deep").size(), 4000000U) << "the indent has a limit";
}

TEST(InspectJson, HoldsFactsJointsAndFindings) {
  Diagnostics findings;
  findings.warning(Code{"hanim.example"}, "something", {"figure.x3d", 4, 2, "/X3D"});
  const json parsed = json::parse(inspect_json(figure(), tables(), "figure.x3d", findings));
  EXPECT_EQ(parsed["inspect_version"], 1);
  EXPECT_EQ(parsed["file"], "figure.x3d");
  EXPECT_EQ(parsed["profile"], "hanim-2");
  EXPECT_EQ(parsed["articulation"]["complete"], 1);
  EXPECT_EQ(parsed["articulation"]["declared"], 3);
  EXPECT_NEAR(parsed["height_m"].get<double>(), 1.6, 1e-12);
  EXPECT_EQ(parsed["counts"]["joints"], 18);
  EXPECT_EQ(parsed["unknown_names"][0], "third_arm");
  ASSERT_EQ(parsed["joints"].size(), 18U);
  EXPECT_EQ(parsed["joints"][0]["name"], "humanoid_root");
  EXPECT_TRUE(parsed["joints"][0]["parent"].is_null());
  EXPECT_EQ(parsed["joints"][0]["centre_m"], json::array({0.0, 0.824, 0.0277}));
  EXPECT_EQ(parsed["joints"][1]["parent"], "humanoid_root");
  EXPECT_EQ(parsed["diagnostics"][0]["code"], "hanim.example");
  EXPECT_EQ(parsed["diagnostics"][0]["line"], 4);
  EXPECT_EQ(parsed["finding_counts"]["warnings"], 1);
}

TEST(InspectJson, NamesThatAreNotUtf8DoNotBreakTheText) {
  Humanoid human = figure();
  human.name = "M\xfcller";
  const json parsed = json::parse(inspect_json(human, tables(), "f", {}));
  EXPECT_EQ(parsed["name"], "M\xEF\xBF\xBDller");
}

}  // namespace
}  // namespace vesalius
