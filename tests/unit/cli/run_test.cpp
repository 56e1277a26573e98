#include "session.hpp"

namespace vesalius::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Run, HelpAndVersionGoToStandardOutput) {
  const Outcome help = vesalius({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("convert"));
  EXPECT_THAT(help.out, HasSubstr("Exit status"));
  EXPECT_EQ(help.err, "");
  const Outcome version = vesalius({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, ::testing::MatchesRegex("vesalius [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  for (const char* command : {"convert", "inspect", "view"}) {
    const Outcome about = vesalius({command, "--help"});
    EXPECT_EQ(about.status, 0);
    EXPECT_THAT(about.out, StartsWith(std::string("usage: vesalius ") + command));
    EXPECT_EQ(vesalius({"help", command}).out, about.out);
    EXPECT_EQ(vesalius({command, "nonsense", "--unknown", "-h"}).status, 0) << "help comes before mistakes";
  }
}

TEST(Run, WrongUsageIsStatus2WithAHint) {
  const std::vector<std::vector<std::string>> wrong{{},
                                                    {"conver"},
                                                    {"--verison"},
                                                    {"convert"},
                                                    {"convert", "a.x3d", "b.glb", "--loaa", "1"},
                                                    {"convert", "a.x3d", "b.glb", "--loa"},
                                                    {"inspect"},
                                                    {"inspect", "a", "b"},
                                                    {"view", "a.x3d"},
                                                    {"view", "a.x3d", "-o", "b.png"},
                                                    {"view", "a.x3d", "-o", "b.svg", "--height", "9"}};
  for (const auto& args : wrong) {
    const Outcome outcome = vesalius(args);
    EXPECT_EQ(outcome.status, 2) << ::testing::PrintToString(args);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("--help"));
  }
  EXPECT_THAT(vesalius({"conver"}).err, HasSubstr("did you mean 'convert'?"));
  EXPECT_THAT(vesalius({"inspect", "a", "--jsn"}).err, HasSubstr("did you mean '--json'?"));
}

TEST(Run, ShortenedOptionsAreNotGuessed) {
  EXPECT_EQ(vesalius({"inspect", "a.x3d", "--jso"}).status, 2);
}

TEST(Run, AMissingFileIsStatus3) {
  EXPECT_EQ(vesalius({"inspect", "/nowhere/a.x3d"}).status, 3);
  EXPECT_EQ(vesalius({"convert", "/nowhere/a.x3d", "/nowhere/b.glb"}).status, 3);
  const test::TempDir dir;
  const Outcome folder = vesalius({"inspect", dir.path().string()});
  EXPECT_EQ(folder.status, 3);
  EXPECT_THAT(folder.err, HasSubstr("io.cannot_read"));
}

TEST(Run, AWrongTableIsRejectedWithItsPlace) {
  const test::TempDir dir;
  const auto figure = dir.put("a.x3d", small_figure());
  const auto table = dir.put("table.xml", "<profile name='x'>\n<joint/></profile>");
  const Outcome outcome = vesalius({"inspect", figure.string(), "--map", table.string()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("table.xml:"));
  EXPECT_EQ(vesalius({"inspect", figure.string(), "--map", "/nowhere/t.xml"}).status, 3);
}

}  // namespace
}  // namespace vesalius::cli
