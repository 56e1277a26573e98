#include "vesalius/skin.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"
#include "support/matchers.hpp"

namespace vesalius {
namespace {

using test::Near;

constexpr JointIndex first{0}, second{1};

Part one_vertex(std::vector<Influence> influences) {
  Part part;
  part.positions = {Vec3(1, 1, 0)};
  part.influences.items = std::move(influences);
  part.influences.end_vertex();
  return part;
}

/// The first joint moves by +X, the second by +Y.
GlobalChange moves() {
  return {{Affine(Eigen::Translation3d(1, 0, 0)), Affine(Eigen::Translation3d(0, 1, 0))}};
}

TEST(SkinnedPositions, BlendByWeight) {
  const Part part = one_vertex({{first, 0.25}, {second, 0.75}});
  EXPECT_THAT(skinned_positions(part, moves())[0], Near(Vec3(1.25, 1.75, 0), 1e-15));
}

TEST(SkinnedPositions, D05WhatIsMissingToOneStaysAtRest) {
  EXPECT_THAT(skinned_positions(one_vertex({{first, 0.6}}), moves())[0], Near(Vec3(1.6, 1, 0), 1e-15));
  EXPECT_THAT(skinned_positions(one_vertex({}), moves())[0], Near(Vec3(1, 1, 0), 0));
}

TEST(PerVertex, ListsAreDividedByVertex) {
  Influences lists;
  EXPECT_EQ(lists.vertices(), 0U);
  lists.items.push_back({first, 1});
  lists.end_vertex();
  lists.end_vertex();
  lists.items.push_back({first, 0.5});
  lists.items.push_back({second, 0.5});
  lists.end_vertex();
  ASSERT_EQ(lists.vertices(), 3U);
  EXPECT_EQ(lists.of(0).size(), 1U);
  EXPECT_TRUE(lists.of(1).empty());
  EXPECT_EQ(lists.of(2)[1].joint, second);
  EXPECT_EQ(weight_sum(lists.of(2)), 1);
}

TEST(MergeInfluences, E06AddsUpAndSorts) {
  std::vector<Influence> list{{second, 0.25}, {first, 0.125}, {second, 0.5}, {first, 0.125}};
  merge_influences(list);
  EXPECT_EQ(list, (std::vector<Influence>{{first, 0.25}, {second, 0.75}}));
  std::vector<Influence> none;
  merge_influences(none);
  EXPECT_TRUE(none.empty());
}

TEST(BoundingBox, IsAroundAllParts) {
  Part low, high;
  low.positions = {Vec3(-1, 0, 2)};
  high.positions = {Vec3(1, 2, -2), Vec3(0, 5, 0)};
  const auto box = bounding_box({low, high});
  EXPECT_THAT(box.min(), Near(Vec3(-1, 0, -2), 0));
  EXPECT_THAT(box.max(), Near(Vec3(1, 5, 2), 0));
  EXPECT_TRUE(bounding_box({}).isEmpty());
  EXPECT_TRUE(bounding_box({Part{}}).isEmpty());
}

}  // namespace
}  // namespace vesalius
