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

/// Files of which the index counts something else than the one humanoid that is read, or what no mesh can carry.
struct Other {
  const char* file;
  Row right;
  const char* why;
};
const std::vector<Other>& others() {
  static const std::vector<Other> list{
      {"HAnimPose.x3d", {"", 18, 18, 0, 0}, "the index counts the joints of the poses, which are no joints of the skeleton"},
      {"Displacers.x3d", {"", 4, 0, 0, 0}, "its displacers move points that only lines draw; they are left out with a note"},
      {"WinterAndSpringTest.x3d",
       {"", 94, 1, 1, 0},
       "its displacer and weights count points of a skin that is empty; left out with a note"},
      {"InterchangableActorsViaDynamicRoutingPrototypes.x3d",
       {"", 17, 17, 5, 0},
       "three prototypes hold a figure each, and only one has an instance in the scene; its displacer is in none of them"},
  };
  return list;
}

/// Files that hold no humanoid, or several, with the finding they must give and its line (0: the file as a whole).
struct Refused {
  const char* file;
  std::string_view code;
  std::uint32_t line;
};
const std::vector<Refused>& refused() {
  static const std::vector<Refused> list{
      {"HAnimPrototypes.x3d", "hanim.no_humanoid", 0},
      {"HAnimPoseExample.x3dj", "hanim.no_joints", 1102},
      {"bad_DesignPatternsApparelMedicalSkinLayers.json", "hanim.several_humanoids", 111},
  };
  return list;
}

std::size_t displacers_of(const Humanoid& humanoid) {
  // A displacer that moves points of several parts is a morph of each.
  std::set<std::pair<std::string, JointIndex>> names;
  std::size_t count = 0;
  for (const Part& part : humanoid.parts) {
    for (const Morph& morph : part.morphs) {
      if (morph.kind == MorphKind::segment_displacer) {
        ++count;
      } else if (names.emplace(morph.name, morph.joint).second) {
        ++count;
      }
    }
  }
  return count;
}

TEST(HanimCorpus, CountsAgreeWithTheIndex) {
  if (folder().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  std::size_t used = 0;
  for (Row row : index_rows()) {
    if (std::ranges::any_of(refused(), [&](const Refused& r) { return row.file == r.file; })) continue;
    const auto made = read_hanim(folder() / row.file, test::tables());
    ASSERT_TRUE(made) << row.file << testing::PrintToString(made.diagnostics);
    test::expect_sound(*made);
    ++used;
    for (const Other& other : others()) {
      if (row.file == other.file) row = Row{row.file, other.right.joints, other.right.segments, other.right.sites, other.right.displacers};
    }
    EXPECT_EQ(made->skeleton.size(), row.joints) << row.file;
    EXPECT_EQ(made->segments.size(), row.segments) << row.file;
    EXPECT_EQ(made->sites.size(), row.sites) << row.file;
    EXPECT_EQ(displacers_of(*made), row.displacers) << row.file;
  }
  std::cout << "used " << used << " files\n";
  EXPECT_EQ(used + refused().size(), 47u);
}

TEST(HanimCorpus, FilesWithoutOneHumanoidAreRefusedAtTheirPlace) {
  if (folder().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  for (const Refused& file : refused()) {
    const auto made = read_hanim(folder() / file.file, test::tables());
    EXPECT_FALSE(made) << file.file;
    bool found = false;
    for (const Diagnostic& finding : made.diagnostics.items()) {
      if (finding.severity != Severity::error) continue;
      found = true;
      EXPECT_EQ(finding.code.id, file.code) << file.file << to_text(finding);
      EXPECT_EQ(finding.where.line, file.line) << file.file;
    }
    EXPECT_TRUE(found) << file.file;
  }
}

TEST(HanimCorpus, JointsThatAnExporterNeverPlacedAreNamedAtTheFirst) {
  if (folder().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  const auto made = read_hanim(folder() / "bad_JohnJoint3.json", test::tables());
  ASSERT_TRUE(made);
  bool found = false;
  for (const Diagnostic& finding : made.diagnostics.items()) {
    if (finding.code != codes::hanim_shared_place) continue;
    found = true;
    EXPECT_NE(finding.message.find("65 of 146 joints"), std::string::npos) << finding.message;
    EXPECT_EQ(finding.where.line, 999u);
  }
  EXPECT_TRUE(found);
}

TEST(HanimCorpus, WritingAndReadingKeepsEveryFigure) {
  if (folder().empty()) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  std::size_t used = 0;
  for (const Row& row : index_rows()) {
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
