#include "cli/arguments.hpp"

#include <gtest/gtest.h>

#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/convert_options.hpp"

namespace vesalius::cli {
namespace {

ConvertPlan plan(const std::vector<std::string>& args) {
  return convert_plan(Arguments(convert_syntax(), args));
}

std::string complaint(const std::vector<std::string>& args) {
  try {
    (void)plan(args);
  } catch (const UsageError& error) {
    return error.message;
  }
  return "";
}

TEST(ConvertPlan, ReadsEveryOption) {
  const ConvertPlan p = plan({"in.x3d",
                              "out/A.GLB",
                              "--to",
                              "openmaterial",
                              "--loa",
                              "3",
                              "--rest",
                              "keep",
                              "--max-influences",
                              "8",
                              "--gltf-front",
                              "z",
                              "--gltf-rest",
                              "nodes",
                              "--no-extras",
                              "--no-synthesis",
                              "--no-stick",
                              "--no-scale-motion",
                              "--arm-clearance",
                              "4.5",
                              "--mass",
                              "71",
                              "--meta",
                              "author=A=B",
                              "--meta",
                              "licence=",
                              "--humanoid",
                              "Bob",
                              "--strict",
                              "--allow-outside",
                              "--report",
                              "r.json",
                              "--hanim",
                              "1",
                              "-q"});
  ASSERT_EQ(p.jobs.size(), 1U);
  EXPECT_EQ(p.jobs[0].input, "in.x3d");
  EXPECT_EQ(p.jobs[0].output, "out/A.GLB");
  EXPECT_EQ(p.jobs[0].base_name, "A");
  EXPECT_EQ(p.format, OutputFormat::glb);
  const ConvertOptions& convert = p.options.convert;
  EXPECT_EQ(convert.to, "openmaterial");
  EXPECT_EQ(convert.loa, 3);
  EXPECT_EQ(convert.rest, RestPolicy::keep);
  EXPECT_EQ(convert.max_influences, 8U);
  EXPECT_FALSE(convert.extras || convert.synthesis || convert.stick || convert.scale_motion);
  EXPECT_NEAR(convert.arm_clearance_rad, 4.5 * 0.017453292519943295, 1e-15);
  EXPECT_EQ(p.options.gltf.front, GltfFront::plus_z);
  EXPECT_EQ(p.options.gltf.mass_kg, 71);
  ASSERT_EQ(p.options.gltf.metadata.size(), 2U);
  EXPECT_EQ(p.options.gltf.metadata[0], std::pair(std::string("author"), std::string("A=B")));
  EXPECT_EQ(p.options.gltf.metadata[1].second, "");
  EXPECT_EQ(p.options.read.gltf_rest, GltfRest::nodes);
  EXPECT_EQ(p.options.read.humanoid, "Bob");
  EXPECT_TRUE(p.options.strict && p.options.read.allow_outside && p.quiet);
  EXPECT_EQ(p.options.hanim_names, "1");
  EXPECT_EQ(p.report, "r.json");
}

TEST(ConvertPlan, DefaultsAreTheLibrarysOwn) {
  const ConvertPlan p = plan({"in.gltf", "-o", "out.x3d"});
  EXPECT_EQ(p.format, OutputFormat::x3d);
  EXPECT_EQ(p.options.convert.to, "");
  EXPECT_EQ(p.options.convert.loa, std::nullopt);
  EXPECT_EQ(p.options.convert.rest, RestPolicy::canonical);
  EXPECT_TRUE(p.options.convert.extras && p.options.convert.synthesis && p.options.convert.stick && p.options.convert.scale_motion);
  EXPECT_EQ(p.options.hanim_names, std::nullopt);
}

TEST(ConvertPlan, SaysWhatIsWrongAndWhatIsExpected) {
  EXPECT_NE(complaint({}).find("input is missing"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d"}).find("output is missing"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.x3d", "c.glb"}).find("--out-dir"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.obj"}).find(".glb, .gltf, .x3d, .x3dv, .x3dj or .wrl"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "-"}).find("--format"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "-", "--format", "gltf"}).find(".bin"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--format", "x3d"}).find("--format is x3d"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--loa", "5"}).find("0 to 4"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--mass", "-3"}).find("mass"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--mass", "7,5"}).find("'7,5'"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--rest", "kept"}).find("canonical or keep"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--meta", "=x"}).find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--max-influence", "4"}).find("did you mean '--max-influences'"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "--out-dir", "d"}).find("--format"), std::string::npos);
  EXPECT_NE(complaint({"-", "--out-dir", "d", "--format", "glb"}).find("standard input"), std::string::npos);
}

TEST(ConvertPlan, InputsOfOneNameCannotGoToOneFolder) {
  EXPECT_NE(complaint({"a/Man.x3d", "b/man.wrl", "--out-dir", "d", "--format", "glb"}).find("would both be written"), std::string::npos);
}

TEST(ConvertPlan, AnInputIsNeverAnOutput) {
  EXPECT_NE(complaint({"a.x3d", "./a.x3d"}).find("part of the input"), std::string::npos);
  EXPECT_NE(complaint({"d/h.gltf", "d/h.glb"}).find("h.xoma"), std::string::npos) << "the .xoma beside the input would be replaced";
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--report", "a.x3d"}).find("report"), std::string::npos);
  EXPECT_NE(complaint({"a.x3d", "b.glb", "--report", "b.xoma"}).find("report"), std::string::npos);
  EXPECT_EQ(complaint({"d/h.gltf", "e/h.glb"}), "");
  EXPECT_EQ(complaint({"a.x3d", "a.glb"}), "");
}

TEST(NearestWord, FindsSmallSlipsOnly) {
  const std::vector<std::string> words{"convert", "inspect", "view"};
  EXPECT_EQ(nearest_word("convrt", words), "convert");
  EXPECT_EQ(nearest_word("veiw", words), "view");
  EXPECT_EQ(nearest_word("render", words), std::nullopt);
  EXPECT_EQ(nearest_word(std::string(5000, 'x'), words), std::nullopt);
}

TEST(Help, NamesEveryOptionOfConvert) {
  const std::string help = help_text(convert_syntax());
  for (const char* option : {"--to",        "--map",       "--loa",          "--rest",     "--max-influences",  "--gltf-front",
                             "--gltf-rest", "--no-extras", "--no-synthesis", "--no-stick", "--no-scale-motion", "--arm-clearance",
                             "--mass",      "--meta",      "--humanoid",     "--strict",   "--allow-outside",   "--report",
                             "--out-dir",   "--format",    "--quiet",        "--help"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
}

TEST(ForEachInOrder, ReportsInOrderWhateverTheThreads) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::size_t> squares(100);
    std::vector<std::size_t> seen;
    for_each_in_order(
        squares.size(), threads, [&](std::size_t i) { squares[i] = i * i; },
        [&](std::size_t i) {
          EXPECT_EQ(squares[i], i * i);
          seen.push_back(i);
        });
    ASSERT_EQ(seen.size(), squares.size());
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  }
  for_each_in_order(
      0, 0, [](std::size_t) {}, [](std::size_t) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace vesalius::cli
