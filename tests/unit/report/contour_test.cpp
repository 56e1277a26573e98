#include "report/contour.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace vesalius::report_detail {
namespace {

struct Shape {
  std::vector<double> areas;  ///< signed, px^2, per loop
  double total = 0;
};

/// Reads "Mx ylx y..z" back.
Shape parse(const std::string& path) {
  Shape shape;
  const char* at = path.c_str();
  while (*at == 'M') {
    ++at;
    char* end = nullptr;
    long x = std::strtol(at, &end, 10);
    long y = std::strtol(end, &end, 10);
    EXPECT_EQ(*end, 'l');
    at = end + 1;
    long last_x = x;
    long last_y = y;
    const long first_x = x;
    const long first_y = y;
    double twice = 0;
    while (*at != 'z' && *at != '\0') {
      x += std::strtol(at, &end, 10);
      y += std::strtol(end, &end, 10);
      at = end;
      twice += static_cast<double>(last_x * y - x * last_y);
      last_x = x;
      last_y = y;
    }
    twice += static_cast<double>(last_x * first_y - first_x * last_y);
    shape.areas.push_back(twice / 2 / path_units_per_px / path_units_per_px);
    shape.total += shape.areas.back();
    EXPECT_EQ(*at, 'z');
    ++at;
  }
  EXPECT_EQ(*at, '\0');
  return shape;
}

/// How far inside a disc a place is, as a smooth field: 1 inside, 0 outside, linear over two pixels at the rim.
Field disc(double radius, double hole = 0) {
  Field field(80, 60);
  for (std::size_t y = 0; y < field.height; ++y) {
    for (std::size_t x = 0; x < field.width; ++x) {
      const double r = std::hypot(static_cast<double>(x) + 0.5 - 40, static_cast<double>(y) + 0.5 - 30);
      const double inside = std::min(radius - r, r - hole) / 2 + 0.5;
      field.at(x, y) = static_cast<float>(std::clamp(inside, 0.0, 1.0));
    }
  }
  return field;
}

TEST(Contour, TracesADiscWithItsArea) {
  const Shape shape = parse(contour_path(disc(20), 0.5F));
  ASSERT_EQ(shape.areas.size(), 1U);
  EXPECT_NEAR(std::abs(shape.total), M_PI * 20 * 20, 8) << "a tolerance of 0.15 px along a rim of 126 px";
}

TEST(Contour, AHoleTurnsTheOtherWay) {
  const Shape shape = parse(contour_path(disc(25, 10), 0.5F));
  ASSERT_EQ(shape.areas.size(), 2U);
  EXPECT_LT(shape.areas[0] * shape.areas[1], 0);
  EXPECT_NEAR(std::abs(shape.total), M_PI * (25 * 25 - 10 * 10), 12);
}

TEST(Contour, ClosesAtTheBorderOfTheField) {
  Field full(10, 6);
  for (float& value : full.values) value = 1;
  const Shape shape = parse(contour_path(full, 0.5F));
  ASSERT_EQ(shape.areas.size(), 1U);
  EXPECT_NEAR(std::abs(shape.total), 60, 1) << "the whole field up to its outer border";
}

TEST(Contour, OppositeCornersGiveClosedLoopsEitherWay) {
  Field field(12, 12);
  for (std::size_t y = 0; y < 12; ++y) {
    for (std::size_t x = 0; x < 12; ++x) field.at(x, y) = (x < 6) == (y < 6) ? 1.0F : 0.0F;
  }
  const Shape joined = parse(contour_path(field, 0.4F));
  const Shape apart = parse(contour_path(field, 0.6F));
  EXPECT_EQ(joined.areas.size(), 1U);
  EXPECT_EQ(apart.areas.size(), 2U);
  EXPECT_NEAR(std::abs(joined.total), 72, 4);
  EXPECT_NEAR(std::abs(apart.total), 72, 4);
}

TEST(Contour, NothingAboveTheThresholdGivesNoPath) {
  EXPECT_EQ(contour_path(Field(8, 8), 0.5F), "");
  EXPECT_EQ(contour_path(Field(0, 0), 0.5F), "");
  Field speck(8, 8);
  speck.at(3, 3) = 1;
  EXPECT_EQ(contour_path(speck, 0.5F), "") << "below the least area";
}

}  // namespace
}  // namespace vesalius::report_detail
