#include "session.hpp"

namespace vesalius::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Inspect, PrintsTextOrJson) {
  const test::TempDir dir;
  const std::string file = dir.put("figure.x3d", small_figure()).string();
  const Outcome text = vesalius({"inspect", file});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("16 joints"));
  EXPECT_THAT(text.out, HasSubstr("l_talocrural"));
  const Outcome out = vesalius({"inspect", file, "--json"});
  EXPECT_EQ(out.status, 0);
  const json parsed = json::parse(out.out);
  EXPECT_EQ(parsed["file"], file);
  EXPECT_EQ(parsed["counts"]["joints"], 16);
  EXPECT_EQ(parsed["counts"]["segments"], 16);
  EXPECT_EQ(parsed["facing"], "+Z");
}

TEST(Inspect, ReadsStandardInputAndWritesAFile) {
  const test::TempDir dir;
  const std::string target = (dir / "facts.json").string();
  const Outcome outcome = vesalius({"inspect", "-", "--json", "-o", target}, small_figure());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(json::parse(test::bytes_in(target))["file"], "<stdin>");
}

TEST(Inspect, ListsSeveralHumanoids) {
  const test::TempDir dir;
  const auto scene_of = [](const std::string& figure) {
    const auto begin = figure.find("<HAnimHumanoid"), end = figure.find("</Scene>");
    return figure.substr(begin, end - begin);
  };
  const std::string file = dir.put("crowd.x3d", "<X3D version='4.0'><Scene>" + scene_of(small_figure("Ann")) +
                                                    "<HAnimHumanoid name='Bob'><HAnimJoint name='humanoid_root' "
                                                    "containerField='skeleton'/></HAnimHumanoid></Scene></X3D>")
                               .string();
  const Outcome text = vesalius({"inspect", file});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("2 humanoids"));
  EXPECT_THAT(text.out, HasSubstr("Ann,"));
  EXPECT_THAT(text.out, HasSubstr("Bob,"));
  const json all = json::parse(vesalius({"inspect", file, "--json"}).out);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["counts"]["joints"], 16);
  EXPECT_EQ(all[1]["counts"]["joints"], 1);
  EXPECT_EQ(vesalius({"convert", file, (dir / "out.glb").string()}).status, 1);
  EXPECT_EQ(vesalius({"convert", file, (dir / "out.glb").string(), "--humanoid", "Ann"}).status, 0);
  EXPECT_EQ(json::parse(vesalius({"inspect", file, "--json", "--humanoid", "1"}).out)["counts"]["joints"], 1);
}

TEST(Inspect, DoesNotWriteOntoItsInput) {
  const test::TempDir dir;
  const std::string file = dir.put("figure.x3d", small_figure()).string();
  EXPECT_EQ(vesalius({"inspect", file, "-o", file}).status, 2);
  EXPECT_EQ(test::bytes_in(file), small_figure());
}

TEST(Inspect, B28UnreadableInputsAreRejected) {
  const test::TempDir dir;
  const std::string binary = dir.put("figure.x3db", std::string_view("\xE0\x00\x00\x01\x00", 5)).string();
  const Outcome outcome = vesalius({"inspect", binary});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("[translate.unsupported_format]"));
  const std::string empty = dir.put("empty.x3d", "<X3D version='4.0'><Scene><Shape/></Scene></X3D>").string();
  EXPECT_EQ(vesalius({"inspect", empty}).status, 1);
  EXPECT_EQ(vesalius({"convert", empty, (dir / "out.glb").string()}).status, 1);
  EXPECT_EQ(dir.files(), 2U) << "nothing was written";
}

TEST(View, DrawsAFigure) {
  const test::TempDir dir;
  const std::string file = dir.put("figure.x3d", small_figure()).string();
  const std::string picture = (dir / "figure.svg").string();
  const Outcome outcome = vesalius({"view", file, "-o", picture, "--title", "A & B"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::string svg = test::bytes_in(picture);
  EXPECT_THAT(svg, StartsWith("<svg "));
  EXPECT_THAT(svg, HasSubstr("A &amp; B"));
  EXPECT_THAT(svg, HasSubstr(">l_knee</text>"));
  EXPECT_EQ(vesalius({"view", file, "-o", "-", "--title", "A & B"}).out, svg);
}

TEST(View, AnUnwritablePictureIsStatus3) {
  const test::TempDir dir;
  const std::string file = dir.put("figure.x3d", small_figure()).string();
  EXPECT_EQ(vesalius({"view", file, "-o", (dir / "absent/figure.svg").string()}).status, 3);
  EXPECT_EQ(dir.files(), 1U);
}

}  // namespace
}  // namespace vesalius::cli
