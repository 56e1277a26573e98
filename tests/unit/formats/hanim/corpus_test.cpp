// Real files where VESALIUS_CORPUS names their folder: counts agree with the folder's own index.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "reading.hpp"

namespace vesalius {
namespace {

struct Row {
  std::string file;
  std::size_t joints = 0, segments = 0, sites = 0, displacers = 0;
};

std::filesystem::path folder() {
  const char* corpus = std::getenv("VESALIUS_CORPUS");
  return corpus == nullptr ? std::filesystem::path() : std::filesystem::path(corpus) / "hanim";
}

std::vector<Row> index_rows() {
  std::vector<Row> rows;
  std::ifstream in(folder() / "INDEX.tsv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string cell; std::getline(cut, cell, '\t');) cells.push_back(cell);
    if (cells.size() < 8) continue;
    const auto number = [&](std::size_t i) { return static_cast<std::size_t>(std::atoi(cells[i].c_str())); };
    rows.push_back({cells[0], number(4), number(5), number(6), number(7)});
  }
  return rows;
}

/// Files with several humanoids or without one, and files whose counts the index takes over all nodes, not over one skeleton.
const std::set<std::string> odd{"InterchangableActorsViaDynamicRoutingPrototypes.x3d", "HAnimPrototypes.x3d", "HAnimPose.x3d"};
/// Its sites stand in the humanoid's flat list, not below a joint that could move them.
const std::string sites_in_the_list = "JoeHAnimKick1a_sitesFound.x3dv";

TEST(HanimCorpus, CountsAgreeWithTheIndex) {
  if (folder().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  std::size_t used = 0;
  for (const Row& row : index_rows()) {
    const std::string extension = std::filesystem::path(row.file).extension().string();
    if (extension != ".x3d" && extension != ".x3dv" && extension != ".wrl") continue;
    if (!std::filesystem::exists(folder() / row.file)) continue;
    const auto made = read_hanim(folder() / row.file, test::tables());
    if (odd.contains(row.file)) continue;
    ASSERT_TRUE(made) << row.file << testing::PrintToString(made.diagnostics);
    test::expect_sound(*made);
    ++used;
    EXPECT_EQ(made->skeleton.size(), row.joints) << row.file;
    EXPECT_EQ(made->segments.size(), row.segments) << row.file;
    if (row.file != sites_in_the_list) {
      EXPECT_EQ(made->sites.size(), row.sites) << row.file;
    }
  }
  std::cout << "used " << used << " files\n";
  EXPECT_GT(used, 25u);
}

TEST(HanimCorpus, WritingAndReadingKeepsEveryFigure) {
  if (folder().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  std::size_t used = 0;
  for (const Row& row : index_rows()) {
    const std::string extension = std::filesystem::path(row.file).extension().string();
    if (extension != ".x3d" && extension != ".x3dv" && extension != ".wrl") continue;
    const auto before = read_hanim(folder() / row.file, test::tables());
    if (!before) continue;
    const auto text = hanim_to_x3d(*before, test::tables());
    ASSERT_TRUE(text) << row.file << testing::PrintToString(text.diagnostics);
    const auto after = test::read_text(*text);
    ASSERT_TRUE(after) << row.file << testing::PrintToString(after.diagnostics);
    ++used;
    ASSERT_EQ(after->skeleton.size(), before->skeleton.size()) << row.file;
    for (const Joint& joint : before->skeleton.joints()) {
      const JointIndex at = after->skeleton.find(joint.name);
      ASSERT_NE(at, JointIndex::none) << row.file << " " << joint.name;
      EXPECT_THAT(after->skeleton[at].rest.place, test::Near(joint.rest.place, 1e-6 * (1 + joint.rest.place.norm()))) << row.file;
    }
    EXPECT_EQ(after->sites.size(), before->sites.size()) << row.file;
    // Shapes that hang on a joint without a segment get one to stand in.
    std::set<std::string> segments;
    for (const Segment& segment : before->segments) segments.insert(segment.name);
    std::set<std::string> fresh;
    for (const Part& part : before->parts) {
      if (!part.segment.empty() && !segments.contains(part.segment)) fresh.insert(part.segment);
    }
    EXPECT_EQ(after->segments.size(), before->segments.size() + fresh.size()) << row.file;
    EXPECT_EQ(after->clips.size(), before->clips.size()) << row.file;
    std::size_t triangles_before = 0, triangles_after = 0;
    double area_before = 0, area_after = 0, weights_before = 0, weights_after = 0;
    for (const auto& [humanoid, triangles, area, weights] : {std::tuple(&*before, &triangles_before, &area_before, &weights_before),
                                                             std::tuple(&*after, &triangles_after, &area_after, &weights_after)}) {
      for (const Part& part : humanoid->parts) {
        *triangles += test::triangle_count(part);
        *area += test::area(part);
        for (const Surface& surface : part.surfaces) {
          for (const auto& t : surface.triangles) {
            for (const std::uint32_t v : t) *weights += weight_sum(part.influences.of(v));
          }
        }
      }
    }
    // Slivers may lose their area when places become single-precision numbers.
    EXPECT_NEAR(static_cast<double>(triangles_after), static_cast<double>(triangles_before), 1e-3 * static_cast<double>(triangles_before))
        << row.file;
    EXPECT_NEAR(area_after, area_before, 1e-4 * area_before) << row.file;
    EXPECT_NEAR(weights_after, weights_before, 1e-3 * weights_before) << row.file;
  }
  std::cout << "used " << used << " files\n";
  EXPECT_GT(used, 25u);
}

}  // namespace
}  // namespace vesalius
