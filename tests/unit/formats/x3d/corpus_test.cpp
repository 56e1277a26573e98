// Real files where VESALIUS_CORPUS names their folder: every file is read, and its joints are as many as the folder's own index says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "formats/x3d/defaults.hpp"
#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

/// Joints written in the file, each once however often it is used.
std::size_t joints_in(const Scene& scene) {
  std::set<const Node*> seen;
  std::vector<const Node*> open;
  for (const Child& root : scene.roots) open.push_back(root.node);
  std::size_t joints = 0;
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    if (humanoid_type(node->type) == "HAnimJoint") ++joints;
    for (const Field& field : node->fields) {
      for (const Child& child : field.nodes) open.push_back(child.node);
    }
  }
  return joints;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

TEST(X3dCorpus, EveryFileIsReadWithAllItsJoints) {
  const char* corpus = std::getenv("VESALIUS_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "skipped: VESALIUS_CORPUS is not set";
  const std::filesystem::path folder = std::filesystem::path(corpus) / "hanim";
  std::ifstream index(folder / "INDEX.tsv");
  std::string line;
  std::getline(index, line);
  std::size_t used = 0;
  while (std::getline(index, line)) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string cell; std::getline(cut, cell, '\t');) cells.push_back(cell);
    ASSERT_GT(cells.size(), 4u) << line;
    const std::filesystem::path path = folder / cells[0];
    const std::string extension = path.extension().string();
    Diagnostics findings;
    const auto scene = read_scene(bytes_of(path), {cells[0], {}, false, false}, findings);
    ++used;
    EXPECT_FALSE(findings.has_errors()) << cells[0] << testing::PrintToString(findings);
    EXPECT_EQ(joints_in(*scene), static_cast<std::size_t>(std::stoul(cells[4]))) << cells[0];
  }
  std::cout << "used " << used << " files\n";
  EXPECT_GE(used, 46u);
}

}  // namespace
}  // namespace vesalius::x3d
