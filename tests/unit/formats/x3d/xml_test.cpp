// X3D XML, friendly and hostile.
#include <gtest/gtest.h>

#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

TEST(X3dXml, B06ChildrenWithoutContainerFieldGoWhereTheyBelong) {
  ReadText read(xml_head +
                "<HAnimHumanoid><HAnimJoint DEF='a'><HAnimSegment "
                "DEF='s'><Coordinate/></HAnimSegment><HAnimDisplacer/></HAnimJoint><HAnimJoint USE='a'/><HAnimSegment USE='s'/>"
                "<HAnimMotion/><Shape/><Coordinate/><Normal/><MetadataSet/></HAnimHumanoid>" +
                xml_tail);
  const Node* humanoid = read.at({"HAnimHumanoid"});
  ASSERT_NE(humanoid, nullptr);
  for (const char* field : {"skeleton", "joints", "segments", "motions", "skin", "skinCoord", "skinNormal", "metadata"})
    EXPECT_NE(humanoid->find(field), nullptr) << field;
  EXPECT_TRUE(humanoid->find("joints")->nodes[0].is_use);
  EXPECT_NE(read.at({"HAnimHumanoid", "skeleton", "displacers"}), nullptr);
  EXPECT_NE(read.at({"HAnimHumanoid", "skeleton", "children", "coord"}), nullptr);
}

TEST(X3dXml, ExplicitContainerFieldWins) {
  ReadText read(xml_head + "<HAnimHumanoid><HAnimJoint containerField='joints'/></HAnimHumanoid>" + xml_tail);
  EXPECT_EQ(read.at({"HAnimHumanoid"})->find("skeleton"), nullptr);
}

TEST(X3dXml, G06ExternalDoctypesAndEntitiesAreNotLoaded) {
  ReadText read(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D 3.3//EN\" \"http://nowhere.invalid/x3d-3.3.dtd\">\n<X3D "
      "version='3.3'><Scene><Group/></Scene></X3D>");
  EXPECT_TRUE(read.findings.items().empty());
  EXPECT_NE(read.at({"Group"}), nullptr);
  ReadText hostile("<!DOCTYPE X3D [ <!ENTITY x SYSTEM \"file:///etc/passwd\"> ]>\n<X3D><Scene><WorldInfo title='&x;'/></Scene></X3D>");
  EXPECT_NE(find(hostile.findings, codes::x3d_entity_declaration), nullptr);
}

TEST(X3dXml, G07InternalEntitiesAreRefusedAtTheirPlaceAndBuiltInOnesWork) {
  ReadText bomb(
      "<?xml version='1.0'?>\n<!DOCTYPE X3D [\n  <!ENTITY a \"aaaaaaaaaa\">\n  <!ENTITY b \"&a;&a;&a;\">\n]>\n<X3D><Scene/></X3D>");
  const Diagnostic* found = find(bomb.findings, codes::x3d_entity_declaration);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 3u);
  EXPECT_EQ(found->where.column, 3u);
  ReadText fine(xml_head + "<WorldInfo title='&lt;&gt;&amp;&quot;&apos;&#65;&#x42;'/>" + xml_tail);
  EXPECT_EQ(parse_string(*fine.at({"WorldInfo"})->find("title")), "<>&\"'AB");
}

TEST(X3dXml, G08DeepNestingIsAnError) {
  std::string text = xml_head;
  for (int i = 0; i < 100'000; ++i) text += "<Group>";
  EXPECT_NE(find(ReadText(text).findings, codes::x3d_too_deep), nullptr);
}

TEST(X3dXml, B10FiveHundredJointsDeepIsFine) {
  std::string text = xml_head, end;
  for (int i = 0; i < 500; ++i) {
    text += "<HAnimJoint name='j'>";
    end += "</HAnimJoint>";
  }
  ReadText read(text + end + xml_tail);
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_EQ(read.scene->node_count(), 500u);
}

TEST(X3dXml, G11ByteOrderMarksAndUtf16) {
  const std::string text = xml_head + "<WorldInfo title='\xC3\xA9'/>" + xml_tail;
  ReadText marked("\xEF\xBB\xBF" + text);
  EXPECT_TRUE(marked.findings.items().empty());
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("<?xml version='1.0' encoding='UTF-16'?><X3D><Scene><WorldInfo title='")) (wide += c) += '\0';
  wide += std::string("\xE9\x00", 2);
  for (const char c : std::string("'/></Scene></X3D>")) (wide += c) += '\0';
  ReadText read(wide);
  ASSERT_NE(read.at({"WorldInfo"}), nullptr);
  EXPECT_EQ(parse_string(*read.at({"WorldInfo"})->find("title")), "\xC3\xA9");
}

TEST(X3dXml, BrokenTextIsReportedWithItsPlace) {
  ReadText read(xml_head + "<Group>\n<Shape></Group>" + xml_tail);
  const Diagnostic* found = find(read.findings, codes::x3d_not_well_formed);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 4u);
  EXPECT_EQ(found->where.path, "/X3D/Scene/Group[1]/Shape[1]");
}

TEST(X3dXml, B28BinaryAndForeignFilesAreNamed) {
  EXPECT_NE(find(ReadText(std::string("\xE0\x00\x00\x01\x00", 5)).findings, codes::x3d_binary), nullptr);
  EXPECT_NE(find(ReadText("<?xml encoding='finf'?>").findings, codes::x3d_binary), nullptr);
  EXPECT_EQ(find(ReadText("\xE0 la carte").findings, codes::x3d_binary), nullptr);
  EXPECT_NE(find(ReadText("solid cube\nfacet").findings, codes::x3d_unknown_encoding), nullptr);
  EXPECT_NE(find(ReadText("").findings, codes::x3d_unknown_encoding), nullptr);
}

TEST(X3dXml, UseOfNothingAndUseBeforeDefinition) {
  ReadText read(xml_head + "<Group USE='later'/>\n<Group USE='never'/>\n<Group DEF='later'/>" + xml_tail);
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_NE(find(read.findings, codes::x3d_use_before_def), nullptr);
  const Diagnostic* unknown = find(read.findings, codes::x3d_unknown_use);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->where.line, 4u);
}

TEST(X3dXml, PrototypesBecomeInstancesWithFields) {
  ReadText read(xml_head +
                "<ProtoDeclare name='Joint'><ProtoInterface><field name='center' type='SFVec3f' accessType='inputOutput' value='0 0 "
                "0'/></ProtoInterface><ProtoBody><Group/></ProtoBody></ProtoDeclare>"
                "<ProtoInstance name='Joint' DEF='j'><fieldValue name='center' value='1 2 3'/><fieldValue "
                "name='children'><Shape/></fieldValue></ProtoInstance>" +
                xml_tail);
  const Node* joint = read.at({"Joint"});
  ASSERT_NE(joint, nullptr);
  EXPECT_THAT(read.numbers(*joint, "center"), testing::ElementsAre(1, 2, 3));
  EXPECT_NE(read.at({"Joint", "children"}), nullptr);
  EXPECT_EQ(read.scene->roots.size(), 1u);
}

// The declaration stands behind brackets and angles that end nothing.
TEST(X3dXml, G07EntityDeclarationsAreFoundBehindCommentsAndQuotes) {
  for (const char* before : {"<!-- ]> -->", "<?note ]> ?>", "<!ATTLIST Group a CDATA ']>'>"}) {
    ReadText read("<!-- <!DOCTYPE --><!DOCTYPE X3D SYSTEM \"a[>b\" [" + std::string(before) +
                  "\n<!ENTITY a 'b'>]>\n<X3D><Scene><WorldInfo title='&a;'/></Scene></X3D>");
    const Diagnostic* found = find(read.findings, codes::x3d_entity_declaration);
    ASSERT_NE(found, nullptr) << before;
    EXPECT_EQ(found->where.line, 2u) << before;
    EXPECT_EQ(found->where.column, 1u) << before;
  }
  ReadText mentioned(xml_head + "<!-- <!DOCTYPE X3D [ <!ENTITY a 'b'> ]> --><Group/>" + xml_tail);
  EXPECT_TRUE(mentioned.findings.items().empty());
}

TEST(X3dXml, UnknownEntityIsAnError) {
  ReadText read("<!DOCTYPE X3D SYSTEM 'http://nowhere.invalid/a.dtd'>\n<X3D><Scene><WorldInfo title='a&b;c'/></Scene></X3D>");
  EXPECT_NE(find(read.findings, codes::x3d_not_well_formed), nullptr);
}

// Places are found by lines; a file with nothing but findings must not be searched once for each.
TEST(X3dXml, ManyFindingsAreFolded) {
  std::string text = xml_head;
  for (int i = 0; i < 60'000; ++i) {
    const std::string name = std::to_string(i);
    text.append("<Group DEF='a").append(name).append("'/><Group DEF='a").append(name).append("'/><Group USE='b").append(name).append("'/>");
  }
  ReadText read(text + xml_tail);
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_EQ(read.findings.items().size(), 202u);  // a hundred of each kind, and the rest of each
  EXPECT_EQ(read.findings.count(Severity::warning), 120'000u);
}

TEST(X3dXml, FieldsOfOneNodeAreLimited) {
  std::string text = xml_head + "<Group>";
  for (int i = 0; i < 100'000; ++i) text += "<Shape containerField='f" + std::to_string(i) + "'/>";
  EXPECT_NE(find(ReadText(text + "</Group>" + xml_tail).findings, codes::x3d_too_many_fields), nullptr);
}

TEST(X3dXml, UnitsOtherThanTheStandardOnesAreReported) {
  const std::string scene = "</head><Scene><Group/></Scene></X3D>";
  ReadText inches("<X3D><head>\n<unit category='length' name='inch' conversionFactor='0.0254'/>" + scene);
  const Diagnostic* found = find(inches.findings, codes::x3d_unit_ignored);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 2u);
  EXPECT_TRUE(ReadText("<X3D><head><unit category='length' name='metre' conversionFactor='1.0'/>" + scene).findings.items().empty());
}

TEST(X3dXml, ANodeInsideItselfIsRefused) {
  ReadText read(xml_head + "<Group/>\n<Group DEF='a'><Group USE='a'/></Group>" + xml_tail);
  const Diagnostic* found = find(read.findings, codes::x3d_use_cycle);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 4u);
  EXPECT_EQ(found->where.path, "/X3D/Scene/Group[2]");
}

}  // namespace
}  // namespace vesalius::x3d
