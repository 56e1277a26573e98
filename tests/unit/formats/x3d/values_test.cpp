// Numbers and strings of fields.
#include <gtest/gtest.h>

#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

using testing::ElementsAre;

TEST(X3dValues, NumbersOfAllForms) {
  ReadText read("#VRML V2.0 utf8\nCoordinate { point [ 1 -2.5 +3, .5 5. 1e-3 -1E2 0.1 123456789.123456789 ] }");
  const Node* node = read.at({"Coordinate"});
  ASSERT_NE(node, nullptr);
  EXPECT_THAT(read.numbers(*node, "point"), ElementsAre(1, -2.5, 3, .5, 5, 1e-3, -1e2, 0.1, 123456789.123456789));
}

// Fifteen digits over a power of ten are exact in double; the fast way must give what the standard library gives.
TEST(X3dValues, FastDecimalsEqualThoseOfTheStandardLibrary) {
  std::string text = "#VRML V2.0 utf8\nCoordinate { point [";
  std::vector<std::string> words;
  std::uint32_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    state = state * 1664525u + 1013904223u;
    std::string word = std::to_string(state % 100000) + "." + std::to_string(state / 7);
    words.push_back((i % 2 == 0 ? "-" : "") + word);
    text += " " + words.back();
  }
  ReadText read(text + "] }");
  const auto values = read.numbers(*read.at({"Coordinate"}), "point");
  ASSERT_EQ(values.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(values[i], std::strtod(words[i].c_str(), nullptr)) << words[i];
}

TEST(X3dValues, BadNumberIsReportedAtItsPlaceInVrml) {
  ReadText read("#VRML V2.0 utf8\nCoordinate { point [ 1 2 3,\n 4 x5 6 ] }");
  EXPECT_TRUE(read.numbers(*read.at({"Coordinate"}), "point").size() <= 4);
  const Diagnostic* found = find(read.findings, codes::x3d_bad_number);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 3u);
  EXPECT_EQ(found->where.column, 4u);
}

TEST(X3dValues, BadNumberIsReportedAtItsPlaceInXml) {
  ReadText read(xml_head + "<Coordinate DEF='c'\n  point='1 2 3 nan 5 6'/>" + xml_tail);
  EXPECT_TRUE(read.numbers(*read.at({"Coordinate"}), "point").size() <= 3);
  const Diagnostic* found = find(read.findings, codes::x3d_bad_number);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 4u);
  EXPECT_EQ(found->where.column, 16u);
  EXPECT_EQ(found->where.path, "/X3D/Scene/Coordinate[1]");
}

TEST(X3dValues, InfiniteNumbersAreRefused) {
  for (const char* word : {"inf", "nan", "1e999", "-infinity"}) {
    ReadText read("#VRML V2.0 utf8\nCoordinate { point [ " + std::string("0 ") + word + " ] }");
    static_cast<void>(read.numbers(*read.at({"Coordinate"}), "point"));
    EXPECT_TRUE(read.findings.has_errors()) << word;
  }
}

TEST(X3dValues, IntegersInHexAndOverflow) {
  ReadText read("#VRML V2.0 utf8\nPixelTexture { image [ 1 0xFF -1 ] }\nBox { size [ 99999999999 ] }");
  EXPECT_THAT(read.integers(*read.at({"PixelTexture"}), "image"), ElementsAre(1, 255, -1));
  static_cast<void>(read.integers(*read.at({"Box"}), "size"));
  EXPECT_NE(find(read.findings, codes::x3d_bad_number), nullptr);
}

// The same two strings in every encoding, however the quotes are written.
TEST(X3dValues, B29QuotesAndBackslashesInStringLists) {
  const std::vector<std::string> expected{"a \"b\" c", "back\\slash"};
  ReadText raw(xml_head + "<WorldInfo info='\"a \\\"b\\\" c\" \"back\\\\slash\"'/>" + xml_tail);
  ReadText entities(xml_head + "<WorldInfo info=\"&quot;a \\&quot;b\\&quot; c&quot; &quot;back\\\\slash&quot;\"/>" + xml_tail);
  ReadText vrml("#VRML V2.0 utf8\nWorldInfo { info [ \"a \\\"b\\\" c\", \"back\\\\slash\" ] }");
  for (const ReadText* read : {&raw, &entities, &vrml}) {
    const Node* node = read->at({"WorldInfo"});
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(parse_strings(*node->find("info")), expected);
  }
}

// An attribute as the parser gives it is shorter than its source: references and Windows line ends.
TEST(X3dValues, PlacesHoldBehindReferencesAndWindowsLineEnds) {
  ReadText read("<X3D><Scene>\r\n<Coordinate point='1&#32;2&#x20;3,\r\n4 5 6,\r\n 7 \xC3\xA9 9'/></Scene></X3D>");
  static_cast<void>(read.numbers(*read.at({"Coordinate"}), "point"));
  const Diagnostic* found = find(read.findings, codes::x3d_bad_number);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 4u);
  EXPECT_EQ(found->where.column, 4u);
}

TEST(X3dValues, PlaceInAFieldOfAPrototypeInstance) {
  ReadText read(xml_head + "<ProtoInstance name='Joint'>\n<fieldValue name='center' value='1 oops 3'/></ProtoInstance>" + xml_tail);
  static_cast<void>(read.numbers(*read.at({"Joint"}), "center"));
  const Diagnostic* found = find(read.findings, codes::x3d_bad_number);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 4u);
  EXPECT_EQ(found->where.column, 36u);
}

TEST(X3dValues, TwoSignsAreNoNumber) {
  ReadText read("#VRML V2.0 utf8\nCoordinate { point [ 1 +-2 3 ] }");
  static_cast<void>(read.numbers(*read.at({"Coordinate"}), "point"));
  EXPECT_NE(find(read.findings, codes::x3d_bad_number), nullptr);
}

}  // namespace
}  // namespace vesalius::x3d
