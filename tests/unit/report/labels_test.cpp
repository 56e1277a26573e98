#include "report/labels.hpp"

#include <gtest/gtest.h>

#include <random>

namespace vesalius::report_detail {
namespace {

double side(double ax, double ay, double bx, double by, double px, double py) {
  return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
}

bool lines_cross(const Label& a, const Label& b, double column) {
  return side(column, a.y, a.anchor_x, a.anchor_y, column, b.y) * side(column, a.y, a.anchor_x, a.anchor_y, b.anchor_x, b.anchor_y) < 0 &&
         side(column, b.y, b.anchor_x, b.anchor_y, column, a.y) * side(column, b.y, b.anchor_x, b.anchor_y, a.anchor_x, a.anchor_y) < 0;
}

TEST(StackLabels, KeepsDistanceAndCrossesNoLines) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Label> labels(1 + random() % 25);
    for (Label& label : labels) {
      label.anchor_x = 20 + static_cast<double>(random() % 300);
      label.anchor_y = static_cast<double>(random() % 600);
    }
    stack_labels(labels, 0, 10, 590, 14);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      EXPECT_GE(labels[i].y, 10 - 1e-9);
      EXPECT_LE(labels[i].y, 590 + 1e-9);
      if (i > 0) {
        EXPECT_GE(labels[i].y - labels[i - 1].y, 14 - 1e-9);
      }
      for (std::size_t j = i + 1; j < labels.size(); ++j) EXPECT_FALSE(lines_cross(labels[i], labels[j], 0)) << "round " << round;
    }
  }
}

TEST(StackLabels, StaysAtThePlaceWhereThereIsRoom) {
  std::vector<Label> labels{{"low", 50, 300, 0}, {"high", 50, 100, 0}};
  stack_labels(labels, 0, 0, 400, 14);
  EXPECT_EQ(labels[0].text, "high");
  EXPECT_DOUBLE_EQ(labels[0].y, 100);
  EXPECT_DOUBLE_EQ(labels[1].y, 300);
}

TEST(StackLabels, NoLabelsAreFine) {
  std::vector<Label> none;
  stack_labels(none, 0, 0, 10, 14);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace vesalius::report_detail
