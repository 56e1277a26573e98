#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>

#include "figures.hpp"
#include "report/codes.hpp"
#include "support/matchers.hpp"
#include "vesalius/report.hpp"

namespace vesalius {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const MappingTables& tables() {
  return MappingTables::built_in();
}

std::string draw(const Humanoid& human, const PictureOptions& options = {}) {
  const auto svg = picture_svg(human, tables(), options);
  EXPECT_TRUE(svg);
  return svg ? *svg : std::string();
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// Every element is closed in order and no attribute holds a raw '<' or '&'.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < svg.size();) {
    if (svg[at] != '<') {
      if (svg[at] == '&') {
        EXPECT_LT(svg.find(';', at), at + 8);
      }
      ++at;
      continue;
    }
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag.substr(0, 60);
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  EXPECT_TRUE(open.empty());
}

TEST(Picture, ShowsTwoViewsWithNames) {
  const std::string svg = draw(test::box_figure(1));
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("id=\"front-outline\""));
  EXPECT_THAT(svg, HasSubstr("id=\"side-outline\""));
  EXPECT_EQ(occurrences(svg, ">l_knee</text>"), 1U) << "sides are named in the front view";
  EXPECT_EQ(occurrences(svg, ">skullbase</text>"), 1U) << "the middle is named in the side view";
  EXPECT_GE(occurrences(svg, "<circle"), 2 * 18U) << "every joint is a dot in both views";
  EXPECT_THAT(svg, HasSubstr(">1.62</text>")) << "the skull base is higher than the boxes";
  EXPECT_THAT(svg, HasSubstr("18 joints"));
}

TEST(Picture, ManyJointsGetDotsButOnlyTheMainOnesNames) {
  const std::string svg = draw(test::box_figure(4));
  expect_well_formed(svg);
  EXPECT_EQ(occurrences(svg, ">l_cuneonavicular_1</text>"), 0U);
  EXPECT_EQ(occurrences(svg, ">l_elbow</text>"), 1U);
  EXPECT_LT(svg.size(), 2000000U);
}

TEST(Picture, WorksWithoutMesh) {
  Humanoid human = test::box_figure(1);
  human.parts.clear();
  const std::string svg = draw(human);
  expect_well_formed(svg);
  EXPECT_THAT(svg, Not(HasSubstr("clipPath")));
}

TEST(Picture, MeshCanBeLeftOut) {
  PictureOptions options;
  options.mesh = false;
  EXPECT_THAT(draw(test::box_figure(1), options), Not(HasSubstr("clipPath")));
}

TEST(Picture, TextFromTheFileCannotBreakTheSvg) {
  PictureOptions options;
  options.title = "</text><script>alert('x')</script>&\"\x01\xff";
  const std::string svg = draw(test::box_figure(0), options);
  expect_well_formed(svg);
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(Picture, NothingToDrawIsAnError) {
  const auto svg = picture_svg(Humanoid{}, tables());
  EXPECT_FALSE(svg);
  EXPECT_THAT(svg.diagnostics, test::Reports(codes::report_nothing_to_draw));
}

TEST(Picture, AWrongCentreFarAwayDoesNotShrinkTheFigure) {
  Humanoid human = test::box_figure(1);
  const std::string good = draw(human);
  std::vector<Joint> joints(human.skeleton.joints().begin(), human.skeleton.joints().end());
  joints.back().rest.place = Vec3(50, 0, 0);
  human.skeleton = *Skeleton::create(joints);
  const auto svg = picture_svg(human, tables());
  ASSERT_TRUE(svg);
  EXPECT_THAT(svg.diagnostics, test::Reports(codes::report_joint_outside));
  EXPECT_EQ(svg->substr(0, 120), good.substr(0, 120)) << "the sheet has the same size";
}

TEST(Picture, OneJointIsEnough) {
  Humanoid human;
  auto made = Skeleton::create({test::joint_at("only", -1, Vec3(0, 0, 0))});
  ASSERT_TRUE(made);
  human.skeleton = *made;
  expect_well_formed(draw(human));
}

TEST(Picture, SizeHardlyDependsOnTheMesh) {
  Humanoid human = test::box_figure(1);
  const std::size_t small = draw(human).size();
  Surface& surface = human.parts[0].surfaces[0];
  const auto box = surface.triangles;
  for (int i = 0; i < 100; ++i) surface.triangles.insert(surface.triangles.end(), box.begin(), box.end());
  EXPECT_LT(draw(human).size(), small + 2000);
}

TEST(Picture, B14TheSameBytesUnderALocaleWithCommas) {
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const Humanoid human = test::box_figure(1);
  const std::string plain = draw(human);
  const std::string text = inspect_text(human, tables(), "f");
  const std::string json = inspect_json(human, tables(), "f", {});
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  EXPECT_EQ(draw(human), plain);
  EXPECT_EQ(inspect_text(human, tables(), "f"), text);
  EXPECT_EQ(inspect_json(human, tables(), "f", {}), json);
  std::locale::global(before);
}

}  // namespace
}  // namespace vesalius
