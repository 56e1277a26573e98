#include "report/raster.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "figures.hpp"

namespace vesalius::report_detail {
namespace {

/// 100 px per metre, the rectangle from (-1, 1) to (1, -1).
View front() {
  return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), -1, 1, 100};
}

double covered_px(const Field& field) {
  return std::accumulate(field.values.begin(), field.values.end(), 0.0);
}

TEST(DrawMesh, CoversTheAreaOfABox) {
  Humanoid human;
  human.materials.resize(1);
  test::add_box(human, {Vec3(-0.25, -0.5, -0.1), Vec3(0.25, 0.5, 0.1)}, JointIndex::none, 0);
  const Drawing drawing = draw_mesh(human, front(), 200, 200, {0, 0}, 1);
  EXPECT_NEAR(covered_px(drawing.cover), 50 * 100, 60) << "0.5 m by 1 m; the border is half a sample coarse";
  EXPECT_EQ(drawing.drawn_every, 1U);
  EXPECT_EQ(drawing.cover.at(100, 100), 1.0F);
  EXPECT_EQ(drawing.cover.at(10, 10), 0.0F);
}

TEST(DrawMesh, TheNearestSurfaceIsSeen) {
  Humanoid human;
  human.materials.resize(2);
  test::add_box(human, {Vec3(-0.2, -0.2, 0.3), Vec3(0.2, 0.2, 0.4)}, JointIndex::none, 1);
  test::add_box(human, {Vec3(-0.5, -0.5, -0.1), Vec3(0.5, 0.5, 0.1)}, JointIndex::none, 0);
  const Drawing drawing = draw_mesh(human, front(), 200, 200, {0, 1, 0}, 2);
  EXPECT_EQ(drawing.colours[1].at(100, 100), 1.0F);
  EXPECT_EQ(drawing.colours[0].at(60, 100), 1.0F);
  EXPECT_GT(covered_px(drawing.edge), 50) << "the smaller box ends before the larger one";
}

TEST(DrawMesh, LightComesFromAbove) {
  Humanoid human;
  human.materials.resize(1);
  test::add_box(human, {Vec3(-0.5, -0.5, -0.5), Vec3(0.5, 0.5, 0.5)}, JointIndex::none, 0);
  View from_above = front();
  from_above.up = -Vec3::UnitZ();
  from_above.toward_viewer = Vec3::UnitY();
  const Drawing drawing = draw_mesh(human, from_above, 200, 200, {0, 0}, 1);
  EXPECT_GT(drawing.shade.at(100, 100), 0.5F);
}

TEST(DrawMesh, BrokenTrianglesAreLeftOut) {
  Humanoid human;
  Part part;
  part.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(std::nan(""), 0, 0)};
  part.surfaces.push_back({std::nullopt, {{0, 1, 2}, {0, 1, 7}, {0, 0, 0}}});
  human.parts.push_back(part);
  const Drawing drawing = draw_mesh(human, front(), 20, 20, {0}, 1);
  EXPECT_EQ(covered_px(drawing.cover), 0);
}

TEST(DrawMesh, AMeshOfManyLargeTrianglesIsSampled) {
  Humanoid human;
  Part part;
  part.positions = {Vec3(-1, -1, 0), Vec3(3, -1, 0), Vec3(-1, 3, 0)};
  part.surfaces.push_back({std::nullopt, std::vector<std::array<std::uint32_t, 3>>(60, {0, 1, 2})});
  human.parts.push_back(part);
  const Drawing drawing = draw_mesh(human, front(), 200, 200, {0}, 1, 4e6);
  EXPECT_GT(drawing.drawn_every, 1U);
  EXPECT_NEAR(covered_px(drawing.cover), 200 * 200, 1);
}

}  // namespace
}  // namespace vesalius::report_detail
