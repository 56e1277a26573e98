#include <gtest/gtest.h>

#include "figures.hpp"
#include "vesalius/report.hpp"

namespace vesalius {
namespace {

const MappingTables& tables() {
  return MappingTables::built_in();
}

TEST(Summary, CountsWhatAHumanoidHas) {
  const Summary summary = summarise(test::small_humanoid(), tables());
  EXPECT_EQ(summary.counts.joints, 3U);
  EXPECT_EQ(summary.counts.vertices, 3U);
  EXPECT_EQ(summary.counts.points, 3U);
  EXPECT_EQ(summary.counts.triangles, 1U);
  EXPECT_EQ(summary.counts.influences, 3U);
  EXPECT_EQ(summary.counts.most_influences, 1U);
  EXPECT_EQ(summary.counts.morphs, 1U);
  EXPECT_EQ(summary.counts.sites, 1U);
  EXPECT_EQ(summary.counts.clips, 1U);
  EXPECT_DOUBLE_EQ(summary.height_m, 2) << "the triangle reaches from y = 1 to y = 3";
  EXPECT_FALSE(summary.height_from_joints);
}

TEST(Summary, SeamsDoubleVerticesButNotPoints) {
  Humanoid human = test::small_humanoid();
  human.parts[0].points = {0, 5, 5};
  EXPECT_EQ(summarise(human, tables()).counts.points, 2U);
}

TEST(Summary, ArticulationIsCountedOnTheJoints) {
  for (int level = 0; level <= 4; ++level) {
    const Summary summary = summarise(test::box_figure(level), tables());
    ASSERT_TRUE(summary.articulation.complete) << "level " << level;
    EXPECT_EQ(*summary.articulation.complete, level);
    EXPECT_EQ(summary.articulation.partial, summary.articulation.complete);
    EXPECT_DOUBLE_EQ(summary.coverage, 1);
  }
}

TEST(Summary, AMissingJointMakesALevelPartial) {
  Humanoid human = test::box_figure(1);
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end() - 1);
  auto made = Skeleton::create(joints);
  ASSERT_TRUE(made);
  human.skeleton = *made;
  const Summary summary = summarise(human, tables());
  EXPECT_EQ(summary.articulation.complete, 0);
  EXPECT_EQ(summary.articulation.partial, 1);
  ASSERT_GE(summary.articulation.levels.size(), 2U);
  EXPECT_EQ(summary.articulation.levels[1].present + 1, summary.articulation.levels[1].expected);
}

TEST(Summary, HeightIsOfTheJointsWithoutAMesh) {
  Humanoid human = test::small_humanoid();
  human.parts.clear();
  const Summary summary = summarise(human, tables());
  EXPECT_TRUE(summary.height_from_joints);
  EXPECT_DOUBLE_EQ(summary.height_m, 2);
}

TEST(Summary, AVocabularyWithoutLevelsHasNoArticulation) {
  Humanoid human = test::small_humanoid();
  human.profile = "openmaterial";
  EXPECT_TRUE(summarise(human, tables()).articulation.levels.empty());
}

}  // namespace
}  // namespace vesalius
