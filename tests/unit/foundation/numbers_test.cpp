#include "foundation/numbers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <locale>

#include "support/builders.hpp"

namespace vesalius {
namespace {

/// Commas for points and dots between thousands, as in many countries.
struct CommaPunct : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1e-5), "1e-05");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  std::string text;
  append_number(text, 0.1F);
  EXPECT_EQ(text, "0.1") << "a float needs no more digits than a float has";
}

TEST(NumberText, WritesNegativeZeroAsZero) {
  EXPECT_EQ(number_text(-0.0), "0");
}

TEST(NumberText, ReadsBackTheSameBits) {
  test::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double value = random.between(-1, 1) * std::pow(10.0, std::floor(random.between(-300, 300)));
    const auto read = parse_number(number_text(value));
    ASSERT_TRUE(read);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), std::bit_cast<std::uint64_t>(value)) << value;
  }
}

TEST(NumberText, B14IsTheSameUnderAnyLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPunct));
  EXPECT_EQ(number_text(1234.5), "1234.5");
  EXPECT_EQ(fixed_text(1234.5, 2), "1234.50");
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_FALSE(parse_number("0,5"));
  std::locale::global(before);
}

TEST(FixedText, RoundsToTheDigitsAsked) {
  EXPECT_EQ(fixed_text(1.23456, 3), "1.235");
  EXPECT_EQ(fixed_text(-2, 0), "-2");
  EXPECT_EQ(fixed_text(1e300, 1).size(), 303U) << "301 digits, a point and one more";
}

TEST(ParseNumber, TakesWhatXmlAndVrmlWrite) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_number("+.5"), 0.5);
  EXPECT_EQ(parse_number("1E-2"), 0.01);
}

TEST(ParseNumber, RefusesWhatIsNoFiniteNumber) {
  for (const char* text : {"", "+", "-", "1x", " 1", "1 ", "nan", "inf", "-inf", "1e999", "0x10", "1,5", "++1"}) {
    EXPECT_FALSE(parse_number(text)) << "'" << text << "'";
  }
}

TEST(ParseInteger, KeepsToItsRange) {
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("2147483647"), std::numeric_limits<int>::max());
  for (const char* text : {"", "2147483648", "1.0", "1e3", "seven", "7 "}) EXPECT_FALSE(parse_integer(text)) << "'" << text << "'";
}

}  // namespace
}  // namespace vesalius
