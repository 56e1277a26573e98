#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "vesalius/report.hpp"

namespace vesalius {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

ConvertedFile converted() {
  ConvertedFile file;
  file.input = "a.x3d";
  file.format = "glb";
  file.source = summarise(test::box_figure(1), MappingTables::built_in());
  file.target = file.source;
  file.target->profile = "openmaterial";
  ConversionReport report;
  report.limbs.push_back({"Upper_Arm_Left", 0.64, true});
  report.bones.push_back({"Hip", {"humanoid_root", "sacroiliac"}, false, "", 12});
  report.bones.push_back({"Neck", {}, true, "child", 20});
  report.influences_dropped = 3;
  report.worst_dropped_weight = 0.0625;
  file.conversion = report;
  file.written = {{"a.glb", 1234}, {"a.xoma", 99}};
  file.diagnostics.warning(Code{"convert.synthesised_bone"}, "bone 'Neck' was made up", {"a.x3d", 0, 0, {}});
  return file;
}

TEST(ReportJson, TellsEverythingAboutEachInput) {
  ConvertedFile rejected;
  rejected.input = "b.x3d";
  rejected.format = "glb";
  rejected.status = 1;
  rejected.diagnostics.error(Code{"hanim.no_humanoid"}, "no humanoid", {"b.x3d", 3, 5, "/X3D"});
  const std::vector<ConvertedFile> files{converted(), rejected};
  const json report = json::parse(report_json(files, {}, 1));
  EXPECT_EQ(report["report_version"], 1);
  EXPECT_EQ(report["program"], "vesalius");
  EXPECT_EQ(report["program_version"], library_version());
  EXPECT_EQ(report["command"], "convert");
  EXPECT_EQ(report["status"], 1);
  EXPECT_EQ(report["inputs"], 2);
  EXPECT_EQ(report["converted"], 1);
  EXPECT_EQ(report["counts"], json({{"errors", 1}, {"warnings", 1}, {"notes", 0}}));
  const json& first = report["files"][0];
  EXPECT_EQ(first["input"], "a.x3d");
  EXPECT_EQ(first["source"]["profile"], "hanim-2");
  EXPECT_EQ(first["target"]["profile"], "openmaterial");
  EXPECT_EQ(first["written"][0], json({{"file", "a.glb"}, {"bytes", 1234}}));
  EXPECT_EQ(first["conversion"]["worst_dropped_weight"], 0.0625);
  EXPECT_EQ(first["conversion"]["bones"][0]["joints"], json::array({"humanoid_root", "sacroiliac"}));
  EXPECT_EQ(first["conversion"]["bones"][1]["synthesised"], true);
  EXPECT_EQ(first["conversion"]["limbs"][0]["angle_rad"], 0.64);
  EXPECT_EQ(first["diagnostics"][0]["severity"], "warning");
  const json& second = report["files"][1];
  EXPECT_EQ(second["status"], 1);
  EXPECT_TRUE(second["source"].is_null());
  EXPECT_TRUE(second["conversion"].is_null());
  EXPECT_EQ(second["written"], json::array());
  EXPECT_EQ(second["diagnostics"][0], json({{"severity", "error"},
                                            {"code", "hanim.no_humanoid"},
                                            {"message", "no humanoid"},
                                            {"count", 1},
                                            {"file", "b.x3d"},
                                            {"line", 3},
                                            {"column", 5},
                                            {"path", "/X3D"}}));
}

TEST(ReportJson, IsTheSameTextForTheSameData) {
  const std::vector<ConvertedFile> files{converted()};
  EXPECT_EQ(report_json(files, {}, 0), report_json(files, {}, 0));
}

TEST(ConversionText, NamesFilesLossesAndMadeUpBones) {
  const std::string text = conversion_text(converted());
  EXPECT_THAT(text, HasSubstr("wrote a.glb (1234 bytes)"));
  EXPECT_THAT(text, HasSubstr("hanim-2 -> openmaterial: 18 joints"));
  EXPECT_THAT(text, HasSubstr("made up: Neck"));
  EXPECT_THAT(text, HasSubstr("turned by up to 36.7 degrees"));
  EXPECT_THAT(text, HasSubstr("3 influences dropped, the largest 0.0625"));
}

}  // namespace
}  // namespace vesalius
