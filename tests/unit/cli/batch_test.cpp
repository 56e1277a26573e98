#include "session.hpp"

namespace vesalius::cli {
namespace {

using nlohmann::json;
using test::bytes_in;
using test::TempDir;
using ::testing::HasSubstr;

TEST(Batch, EveryInputIsConvertedOnItsOwn) {
  const TempDir dir;
  std::vector<std::string> args{"convert"};
  for (const char* name : {"c", "a", "b"}) args.push_back(dir.put(std::string(name) + ".x3d", small_figure(name)).string());
  args.push_back(dir.put("broken.x3d", "<X3D><Scene>").string());
  const auto out = dir / "new/folder";
  for (const std::string& word : {std::string("--out-dir"), out.string(), std::string("--format"), std::string("glb"),
                                  std::string("--report"), (dir / "report.json").string()}) {
    args.push_back(word);
  }
  const Outcome outcome = vesalius(args);
  EXPECT_EQ(outcome.status, 1) << "one input is rejected";
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_TRUE(std::filesystem::exists(out / (std::string(name) + ".glb")));
    EXPECT_TRUE(std::filesystem::exists(out / (std::string(name) + ".xoma")));
  }
  EXPECT_FALSE(std::filesystem::exists(out / "broken.glb"));
  EXPECT_THAT(outcome.out, HasSubstr("4 inputs: 3 converted, 1 not; "));
  const std::size_t c = outcome.out.find("c.x3d: converted");
  const std::size_t a = outcome.out.find("a.x3d: converted");
  const std::size_t broken = outcome.out.find("broken.x3d: not converted");
  ASSERT_NE(broken, std::string::npos);
  EXPECT_LT(c, a) << "in the order of the arguments";
  EXPECT_LT(a, broken);
  const json report = json::parse(bytes_in(dir / "report.json"));
  EXPECT_EQ(report["inputs"], 4);
  EXPECT_EQ(report["converted"], 3);
  EXPECT_EQ(report["files"][0]["status"], 0);
  EXPECT_EQ(report["files"][3]["status"], 1);
}

TEST(Batch, GivesTheSameBytesAndTextsEveryTime) {
  const TempDir dir;
  std::vector<std::string> args{"convert"};
  for (int i = 0; i < 6; ++i) args.push_back(dir.put("f" + std::to_string(i) + ".x3d", small_figure("n" + std::to_string(i))).string());
  const auto once = [&] {
    std::vector<std::string> all = args;
    for (const std::string& word : {std::string("--out-dir"), (dir / "out").string(), std::string("--format"), std::string("gltf")}) {
      all.push_back(word);
    }
    const Outcome outcome = vesalius(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::string bytes = outcome.out + outcome.err;
    for (int i = 0; i < 6; ++i) {
      for (const char* extension : {".gltf", ".bin", ".xoma"}) bytes += bytes_in((dir / "out") / ("f" + std::to_string(i) + extension));
    }
    return bytes;
  };
  const std::string first = once();
  EXPECT_TRUE(first == once());
}

TEST(Batch, AFolderThatCannotBeMadeIsStatus3) {
  const TempDir dir;
  const std::string in = dir.put("a.x3d", small_figure()).string();
  const std::string file = dir.put("file", "").string();
  const Outcome outcome = vesalius({"convert", in, "--out-dir", file + "/sub", "--format", "x3d"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("io.cannot_write"));
}

}  // namespace
}  // namespace vesalius::cli
