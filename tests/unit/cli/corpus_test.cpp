// Real files through the command, many at a time.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "session.hpp"

namespace vesalius::cli {
namespace {

using nlohmann::json;
using test::TempDir;

std::vector<std::string> corpus_files(const std::string& folder, const std::vector<std::string>& extensions) {
  const char* corpus = std::getenv("VESALIUS_CORPUS");
  std::vector<std::string> files;
  std::error_code error;
  if (corpus == nullptr) return files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(corpus) / folder, error)) {
    const std::string extension = entry.path().extension().string();
    if (std::ranges::find(extensions, extension) != extensions.end()) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  // One output folder holds one file of a name.
  const auto stem = [](const std::string& file) { return std::filesystem::path(file).stem().string(); };
  files.erase(std::unique(files.begin(), files.end(), [&](const auto& a, const auto& b) { return stem(a) == stem(b); }), files.end());
  return files;
}

/// Converts all, and expects a clear end for every file: converted or rejected with an error that has a code.
json convert_all(const std::vector<std::string>& files, const TempDir& dir, const std::string& format) {
  std::vector<std::string> args{"convert"};
  args.insert(args.end(), files.begin(), files.end());
  for (const std::string& word : {std::string("--out-dir"), (dir / "out").string(), std::string("--format"), format,
                                  std::string("--report"), (dir / "report.json").string(), std::string("--quiet")}) {
    args.push_back(word);
  }
  const Outcome outcome = vesalius(args);
  EXPECT_LE(outcome.status, 1) << outcome.err;
  json report = json::parse(test::bytes_in(dir / "report.json"));
  for (const json& file : report["files"]) {
    const bool written =
        std::filesystem::exists((dir / "out") / (std::filesystem::path(file["input"].get<std::string>()).stem().string() + "." + format));
    EXPECT_EQ(written, file["status"] == 0) << file["input"];
    if (file["status"] != 0) {
      EXPECT_GT(file["counts"]["errors"], 0) << file["input"];
    }
  }
  return report;
}

TEST(CorpusCommand, EveryHanimFileIsConvertedOrRejectedClearly) {
  const auto files = corpus_files("hanim", {".x3d", ".wrl", ".x3dv"});
  if (files.empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS does not name the corpus";
  const TempDir dir;
  const json report = convert_all(files, dir, "glb");
  std::cout << "used " << files.size() << " files of the corpus, " << report["converted"] << " converted\n";
  const std::vector<std::string> must{
      "BoxManC.x3d", "HAnim1SpecificationLOA3Illustrated.x3d", "JinLOA3.x3d", "Humanoid4_1.x3d", "KoreanCharacter01Jin.x3d", "JoeKick.x3d"};
  for (const std::string& name : must) {
    const auto it =
        std::ranges::find_if(report["files"], [&](const json& file) { return file["input"].get<std::string>().ends_with("/" + name); });
    ASSERT_NE(it, report["files"].end()) << name;
    EXPECT_EQ((*it)["status"], 0) << name;
    EXPECT_EQ((*it)["target"]["profile"], "openmaterial") << name;
    EXPECT_GT((*it)["target"]["counts"]["triangles"], 0) << name;
  }
}

TEST(CorpusCommand, EveryHanimFileIsDrawnOrRejectedClearly) {
  const auto files = corpus_files("hanim", {".x3d", ".wrl", ".x3dv"});
  if (files.empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS does not name the corpus";
  const TempDir dir;
  std::size_t drawn = 0;
  for (const std::string& file : files) {
    const std::string picture = (dir / "picture.svg").string();
    std::filesystem::remove(picture);
    const Outcome outcome = vesalius({"view", file, "-o", picture, "-q", "--height", "200"});
    EXPECT_LE(outcome.status, 1) << file << outcome.err;
    if (outcome.status != 0) continue;
    ++drawn;
    EXPECT_LT(std::filesystem::file_size(picture), 2000000U) << file;
  }
  std::cout << "used " << files.size() << " files of the corpus, " << drawn << " drawn\n";
  EXPECT_GT(drawn, files.size() / 2);
}

}  // namespace
}  // namespace vesalius::cli
