// X3D JSON: its common variants, and places of mistakes.
#include <gtest/gtest.h>

#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

std::string scene(const std::string& children) {
  return "{\"X3D\":{\"@version\":\"4.0\",\"@profile\":\"Immersive\",\n\"Scene\":{\"-children\":[\n" + children + "]}}}";
}

TEST(Json, NumbersStandInListsOrInStrings) {
  for (const std::string value : {"[1,-2.5,3e0]", "\"1 -2.5 3\"", "[1,\n -2.5 , 3]", "\"1, -2.5, 3.0\""}) {
    ReadText read(scene("{\"Transform\":{\"@translation\":" + value + "}}"));
    ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
    EXPECT_EQ(read.numbers(*read.at({"Transform"}), "translation"), (std::vector<double>{1, -2.5, 3})) << value;
  }
}

TEST(Json, StringsAreListsOrOneStringOfQuotedStrings) {
  for (const std::string value : {R"(["a b","c\"d"])", R"("\"a b\" \"c\\\"d\"")"}) {
    ReadText read(scene("{\"WorldInfo\":{\"@info\":" + value + "}}"));
    ASSERT_FALSE(read.findings.has_errors());
    EXPECT_EQ(parse_strings(*read.at({"WorldInfo"})->find("info")), (std::vector<std::string>{"a b", "c\"d"})) << value;
  }
  ReadText escapes(scene(R"({"WorldInfo":{"@title":"\u00e9\ud83d\ude00\n\/"}})"));
  EXPECT_EQ(parse_string(*escapes.at({"WorldInfo"})->find("title")), "\xC3\xA9\xF0\x9F\x98\x80\n/");
}

TEST(Json, B30UsesCommentsAndTextNumbersAreRead) {
  ReadText read(scene(R"({"#comment":"nothing"},
 {"HAnimHumanoid":{"@DEF":"h","@loa":"1",
  "-skeleton":[{"#comment":"x"},{"HAnimJoint":{"@DEF":"j","@center":"0 1 0"}}],
  "-joints":[{"HAnimJoint":{"@USE":"j"}}]}})"));
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  const Node* humanoid = read.at({"HAnimHumanoid"});
  ASSERT_NE(humanoid, nullptr);
  const Field* joints = humanoid->find("joints");
  ASSERT_NE(joints, nullptr);
  ASSERT_EQ(joints->nodes.size(), 1u);
  EXPECT_TRUE(joints->nodes[0].is_use);
  EXPECT_EQ(joints->nodes[0].node, humanoid->find("skeleton")->nodes[0].node);
  EXPECT_EQ(read.integers(*humanoid, "loa"), (std::vector<std::int32_t>{1}));
}

TEST(Json, NodesWithoutTheNameOfTheirFieldGoWhereTheirTypeBelongs) {
  ReadText read(scene(R"({"Shape":{"Appearance":{"Material":{"transparency":0.5}},"Box":{}}})"));
  ASSERT_FALSE(read.findings.has_errors());
  const Node* material = read.at({"Shape", "appearance", "material"});
  ASSERT_NE(material, nullptr);
  EXPECT_EQ(read.numbers(*material, "transparency"), (std::vector<double>{0.5}));
  EXPECT_NE(read.at({"Shape", "geometry"}), nullptr);
}

TEST(Json, B06ContainerFieldAndFieldNamesWithoutMarksCount) {
  for (const std::string joints :
       {R"("-children":[{"HAnimJoint":{"@DEF":"j","@containerField":"skeleton"}}])", R"("skeleton":[{"HAnimJoint":{"@DEF":"j"}}])",
        R"("HAnimJoint":[{"@DEF":"j"},{"@DEF":"k"}])", R"("skeleton":{"HAnimJoint":{"@DEF":"j"}})"}) {
    ReadText read(scene("{\"HAnimHumanoid\":{\"@name\":\"x\"," + joints + "}}"));
    ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
    const Node* joint = read.at({"HAnimHumanoid", "skeleton"});
    ASSERT_NE(joint, nullptr) << joints;
    EXPECT_EQ(joint->def, "j");
  }
}

TEST(Json, RoutesAndPrototypesAreThoseOfTheOtherEncodings) {
  ReadText read(scene(
      R"({"ProtoDeclare":{"@name":"Ball","ProtoInterface":{"field":[{"@name":"r","@accessType":"initializeOnly","@type":"SFFloat","@value":2}]},
  "ProtoBody":{"-children":[{"Sphere":{"IS":{"connect":[{"@nodeField":"radius","@protoField":"r"}]}}}]}}},
 {"Shape":{"-geometry":{"ProtoInstance":{"@name":"Ball","fieldValue":[{"@name":"r","@value":3}]}}}},
 {"TimeSensor":{"@DEF":"t"}},{"PositionInterpolator":{"@DEF":"p"}},
 {"ROUTE":{"@fromNode":"t","@fromField":"fraction_changed","@toNode":"p","@toField":"set_fraction"}})"));
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  const Node* sphere = read.at({"Shape", "geometry"});
  ASSERT_NE(sphere, nullptr);
  EXPECT_EQ(sphere->type, "Sphere");
  EXPECT_EQ(read.numbers(*sphere, "radius"), (std::vector<double>{3}));
  ASSERT_EQ(read.scene->routes.size(), 1u);
  EXPECT_EQ(read.scene->routes[0].to->type, "PositionInterpolator");
}

TEST(Json, PlacesAreThoseOfTheText) {
  ReadText read(scene(" {\"Transform\":{\"@translation\":[1,2,3],\n  x}}"));
  // Not JSON at all: the mistake's own place.
  const Diagnostic* syntax = find(read.findings, codes::x3d_syntax);
  ASSERT_NE(syntax, nullptr) << testing::PrintToString(read.findings);
  EXPECT_EQ(syntax->where.line, 4u);
  EXPECT_EQ(syntax->where.column, 3u);
  ReadText number(scene(" {\"Transform\":{\"@translation\":\"1 2\\tx3\"}}"));
  static_cast<void>(number.numbers(*number.at({"Transform"}), "translation"));
  const Diagnostic* bad = find(number.findings, codes::x3d_bad_number);
  ASSERT_NE(bad, nullptr);
  EXPECT_EQ(bad->where.line, 3u);
  EXPECT_EQ(bad->where.path, "/X3D/Scene/Transform[1]");
  ReadText cut("{\"X3D\":{\"Scene\":{\n\"-children\":[");
  const Diagnostic* end = find(cut.findings, codes::x3d_unterminated);
  ASSERT_NE(end, nullptr) << testing::PrintToString(cut.findings);
  EXPECT_EQ(end->where.line, 2u);
  ReadText other("{\"asset\":{}}");
  EXPECT_NE(find(other.findings, codes::x3d_syntax), nullptr);
}

TEST(Json, G08DeepListsAndObjectsAreErrorsNotCrashes) {
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string text = "{\"X3D\":{\"Scene\":";
    for (int i = 0; i < 100'000; ++i) text += open;
    ReadText read(text);
    EXPECT_TRUE(read.findings.has_errors());
  }
  std::string nested = "{\"Group\":{}}";
  for (int i = 0; i < 3000; ++i) nested = "{\"Group\":{\"-children\":[" + nested + "]}}";
  ReadText read(scene(nested));
  EXPECT_NE(find(read.findings, codes::x3d_too_deep), nullptr) << testing::PrintToString(read.findings);
}

}  // namespace
}  // namespace vesalius::x3d
