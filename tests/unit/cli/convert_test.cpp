#include <locale>

#include "session.hpp"

namespace vesalius::cli {
namespace {

using nlohmann::json;
using test::bytes_in;
using test::TempDir;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Convert, WritesAGlbWithItsXoma) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const Outcome outcome = vesalius({"convert", in, (dir / "out.glb").string(), "--mass", "70"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(bytes_in(dir / "out.glb"), StartsWith("glTF"));
  EXPECT_EQ(json::parse(bytes_in(dir / "out.xoma")).is_object(), true);
  EXPECT_THAT(outcome.out, HasSubstr("wrote " + (dir / "out.glb").string()));
  EXPECT_THAT(outcome.out, HasSubstr("hanim-2 -> openmaterial"));
  EXPECT_EQ(dir.files(), 3U);
}

TEST(Convert, GoesToGltfAndBackToX3d) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const std::string gltf = (dir / "out.gltf").string();
  ASSERT_EQ(vesalius({"convert", in, gltf}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(dir / "out.bin"));
  const Outcome back = vesalius({"convert", gltf, (dir / "back.x3d").string()});
  ASSERT_EQ(back.status, 0) << back.err;
  const json facts = json::parse(vesalius({"inspect", (dir / "back.x3d").string(), "--json"}).out);
  EXPECT_EQ(facts["profile"], "hanim-2");
  EXPECT_EQ(facts["counts"]["joints"], 16) << "the extras restore the joints of the source";
}

TEST(Convert, UsesStandardInputAndOutput) {
  const Outcome outcome = vesalius({"convert", "-", "-", "--format", "glb"}, small_figure());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("glTF"));
  EXPECT_THAT(outcome.err, HasSubstr("[translate.side_files]")) << "the .xoma has no place";
  EXPECT_THAT(outcome.err, HasSubstr(".xoma"));
  const Outcome x3d = vesalius({"convert", "-", "-", "--format", "x3d", "--quiet"}, outcome.out);
  ASSERT_EQ(x3d.status, 0) << x3d.err;
  EXPECT_THAT(x3d.out, HasSubstr("<HAnimHumanoid"));
}

TEST(Convert, AFailedRunTouchesNothing) {
  const TempDir dir;
  const std::string in = dir.put("broken.x3d", "<X3D><Scene>").string();
  dir.put("out.glb", "old glb");
  dir.put("out.xoma", "old xoma");
  const Outcome outcome = vesalius({"convert", in, (dir / "out.glb").string()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("broken.x3d:"));
  EXPECT_EQ(bytes_in(dir / "out.glb"), "old glb");
  EXPECT_EQ(bytes_in(dir / "out.xoma"), "old xoma");
  EXPECT_EQ(dir.files(), 3U);
}

TEST(Convert, StrictMakesWarningsErrorsAndWritesNothing) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  // Without --mass and metadata, values of the .xoma are unknown: warnings.
  const Outcome outcome = vesalius({"convert", in, (dir / "out.glb").string(), "--strict"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, Not(HasSubstr(": warning [")));
  EXPECT_THAT(outcome.err, HasSubstr(": error ["));
  EXPECT_EQ(dir.files(), 1U);
}

TEST(Convert, NeverWritesOntoItsInput) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  std::filesystem::create_hard_link(in, dir / "other.x3d");
  EXPECT_EQ(vesalius({"convert", in, in}).status, 2);
  EXPECT_EQ(vesalius({"convert", in, (dir / "other.x3d").string()}).status, 2) << "the same file by another name";
  EXPECT_EQ(bytes_in(in), small_figure());
}

TEST(Convert, AnUnwritableFolderIsStatus3) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const Outcome outcome = vesalius({"convert", in, (dir / "absent/out.glb").string()});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("[io.cannot_write]"));
  EXPECT_EQ(dir.files(), 1U);
}

TEST(Convert, UnknownProfilesAreWrongUsage) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const Outcome outcome = vesalius({"convert", in, (dir / "out.glb").string(), "--to", "openmaterials"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("hanim-2"));
}

TEST(Convert, QuietCountsNotes) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const Outcome outcome = vesalius({"convert", in, (dir / "out.glb").string(), "--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, Not(HasSubstr(": note [")));
}

TEST(Convert, WritesTheReport) {
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const std::string out = (dir / "out.glb").string();
  ASSERT_EQ(vesalius({"convert", in, out, "--report", (dir / "report.json").string()}).status, 0);
  const json report = json::parse(bytes_in(dir / "report.json"));
  EXPECT_EQ(report["report_version"], 1);
  EXPECT_EQ(report["converted"], 1);
  const json& file = report["files"][0];
  EXPECT_EQ(file["input"], in);
  EXPECT_EQ(file["source"]["profile"], "hanim-2");
  EXPECT_EQ(file["target"]["profile"], "openmaterial");
  EXPECT_EQ(file["written"][0]["file"], out);
  EXPECT_EQ(file["written"][0]["bytes"], std::filesystem::file_size(out));
  EXPECT_GT(file["conversion"]["bones"].size(), 0U);
  EXPECT_EQ(file["counts"]["errors"], 0);
}

TEST(Convert, ARejectedInputHasAReportToo) {
  const TempDir dir;
  const std::string in = dir.put("broken.x3d", "<X3D><Scene>").string();
  EXPECT_EQ(vesalius({"convert", in, (dir / "out.glb").string(), "--report", (dir / "report.json").string()}).status, 1);
  const json report = json::parse(bytes_in(dir / "report.json"));
  EXPECT_EQ(report["status"], 1);
  EXPECT_EQ(report["converted"], 0);
  EXPECT_GT(report["files"][0]["diagnostics"].size(), 0U);
}

TEST(Convert, B20AFigureWithoutStandardNamesIsRejectedInStrictMode) {
  const TempDir dir;
  std::string text = "<X3D profile='Immersive' version='4.0'><Scene><HAnimHumanoid name='robot' version='2.0'>";
  for (int i = 1; i <= 5; ++i) {
    text += "<HAnimJoint name='Bone_" + std::to_string(i) + "' center='0 " + std::to_string(i) + " 0' containerField='" +
            (i == 1 ? "skeleton" : "children") + "'>";
  }
  for (int i = 1; i <= 5; ++i) text += "</HAnimJoint>";
  const std::string in = dir.put("robot.x3d", text + "</HAnimHumanoid></Scene></X3D>").string();
  const Outcome strict = vesalius({"convert", in, (dir / "out.glb").string(), "--strict"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_EQ(dir.files(), 1U);
  const Outcome facts = vesalius({"inspect", in, "--json"});
  if (facts.status == 0) {
    const json parsed = json::parse(facts.out);
    EXPECT_EQ(parsed["unknown_names"].size(), 5U) << "never mapped by place in the file";
    EXPECT_EQ(parsed["coverage"], 0.0);
  }
}

TEST(Convert, B14TheSameBytesUnderALocaleWithCommas) {
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const TempDir dir;
  const std::string in = dir.put("figure.x3d", small_figure()).string();
  const auto all = [&](const std::string& name) {
    const std::string glb = (dir / (name + "/out.glb")).string();
    const std::string x3d = (dir / (name + "/out.x3d")).string();
    std::filesystem::create_directory(dir / name);
    EXPECT_EQ(vesalius({"convert", in, glb, "--mass", "70.5"}).status, 0);
    EXPECT_EQ(vesalius({"convert", in, x3d}).status, 0);
    return bytes_in(glb) + bytes_in(dir / (name + "/out.xoma")) + bytes_in(x3d) + vesalius({"inspect", in}).out;
  };
  const std::string plain = all("plain");
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const std::string c_locale = std::setlocale(LC_ALL, nullptr);
  // Where the machine has it, the C library's locale changes as well.
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  const std::string commas = all("commas");
  std::setlocale(LC_ALL, c_locale.c_str());
  std::locale::global(before);
  EXPECT_TRUE(plain == commas) << "bytes differ under another locale";
}

TEST(Convert, WritesEveryEncodingPlainAndCompressed) {
  const test::TempDir dir;
  const std::string file = dir.put("figure.x3d", small_figure()).string();
  struct Row {
    const char* name;
    const char* starts;
    std::vector<std::string> options;
  };
  for (const Row& row :
       {Row{"a.x3d", "<?xml", {}}, Row{"b.x3dv", "#X3D V4.0 utf8", {}}, Row{"c.x3dv", "#X3D V3.3 utf8", {"--x3d", "3.3"}},
        Row{"d.x3dj", "{\"X3D\"", {}}, Row{"e.json", "{\"X3D\"", {}}, Row{"f.wrl", "#VRML V2.0 utf8", {}},
        Row{"g.wrl", "#VRML V2.0 utf8", {"--proto", "1.1"}}, Row{"h.x3dz", "\x1F\x8B", {}}, Row{"i.wrl.gz", "\x1F\x8B", {}},
        Row{"j.x3d", "\x1F\x8B", {"--gzip"}}, Row{"k.x3d", "<?xml", {"--target", "castle"}}}) {
    std::vector<std::string> args{"convert", file, (dir / row.name).string()};
    args.insert(args.end(), row.options.begin(), row.options.end());
    const Outcome outcome = vesalius(args);
    EXPECT_EQ(outcome.status, 0) << row.name << outcome.err;
    EXPECT_THAT(test::bytes_in(dir / row.name), StartsWith(row.starts)) << row.name;
    const Outcome back = vesalius({"inspect", (dir / row.name).string(), "--json"});
    EXPECT_EQ(back.status, 0) << row.name << back.err;
    EXPECT_EQ(json::parse(back.out)["counts"]["joints"], 16) << row.name;
  }
  EXPECT_EQ(vesalius({"convert", file, (dir / "x.glb").string(), "--gzip"}).status, 2);
  EXPECT_EQ(vesalius({"convert", file, (dir / "x.x3d").string(), "--target", "everyone"}).status, 2);
  EXPECT_EQ(vesalius({"convert", file, (dir / "x.x3d").string(), "--up", "Z"}).status, 2);
}

TEST(Convert, ScaleMakesMetres) {
  const test::TempDir dir;
  const std::string file = dir.put("figure.x3d", small_figure()).string();
  ASSERT_EQ(vesalius({"convert", file, (dir / "small.x3d").string(), "--scale", "0.5"}).status, 0);
  EXPECT_THAT(test::bytes_in(dir / "small.x3d"), HasSubstr("center=\"0 0.412 0.01385\""));
}

}  // namespace
}  // namespace vesalius::cli
