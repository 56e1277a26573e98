// What old VRML files bring.
#include <gtest/gtest.h>
#include <zlib.h>

#include "foundation/codes.hpp"
#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

using testing::ElementsAre;

const std::string head = "#VRML V2.0 utf8\n";

std::string gzipped(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Vrml, C01GzipIsReadWhateverItsName) {
  ReadText read(gzipped(head + "Group { }"));
  EXPECT_EQ(read.scene->encoding, "VRML97");
  EXPECT_NE(read.at({"Group"}), nullptr);
}

TEST(Vrml, C01DamagedGzipIsAnError) {
  std::string bytes = gzipped(head + std::string(1000, ' ') + "Group { }");
  bytes.resize(bytes.size() / 2);
  ReadText read(bytes);
  EXPECT_NE(find(read.findings, codes::io_bad_gzip), nullptr);
}

TEST(Vrml, C03VersionOneIsRefusedInOneMessage) {
  ReadText read("#VRML V1.0 ascii\nSeparator { Cube { } }");
  ASSERT_EQ(read.findings.items().size(), 1u);
  EXPECT_EQ(read.findings.items()[0].code, codes::x3d_vrml1);
  EXPECT_EQ(read.findings.items()[0].where.line, 1u);
}

TEST(Vrml, C04CommentAfterHeader) {
  ReadText read(head + "# EXTERNPROTO Joint [ ] \"\"\nGroup { }");
  EXPECT_TRUE(read.findings.items().empty());
  EXPECT_NE(read.at({"Group"}), nullptr);
}

TEST(Vrml, C05HyphensInNamesAndNegativeNumbers) {
  ReadText read(head + "DEF Joint-l-knee Group { } Group { children [ USE Joint-l-knee Coordinate { point [1 -2 3] } ] }");
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_NE(read.scene->find_def("Joint-l-knee"), nullptr);
}

TEST(Vrml, C07OddNamesAreTakenWithAWarning) {
  const std::string text =
      head +
      "DEF +12 Group { } DEF 3arm Group { } DEF a.b Group { } Group { children [ USE +12 USE 3arm USE a.b ] }\nROUTE a.b.x TO 3arm.y";
  ReadText read(text);
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_NE(find(read.findings, codes::x3d_odd_name), nullptr);
  for (const char* name : {"+12", "3arm", "a.b"}) EXPECT_NE(read.scene->find_def(name), nullptr) << name;
  ASSERT_EQ(read.scene->routes.size(), 1u);
  EXPECT_EQ(read.scene->routes[0].from->def, "a.b");
  EXPECT_EQ(read.scene->routes[0].from_field, "x");
  ReadText strict(text, true);
  const Diagnostic* found = find(strict.findings, codes::x3d_odd_name);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->severity, Severity::error);
  EXPECT_EQ(found->where.column, 5u);
}

TEST(Vrml, C08LinesDoNotMatter) {
  ReadText read(head + "Shape\n{ geometry\n\nSphere\n{ radius\n2 } } Group{children[Group{}]}");
  EXPECT_FALSE(read.findings.has_errors());
  const Node* sphere = read.at({"Shape", "geometry"});
  ASSERT_NE(sphere, nullptr);
  EXPECT_EQ(sphere->type, "Sphere");
}

TEST(Vrml, C12UnknownNodesArePassedOverWithOneWarningPerName) {
  ReadText fine(head + "Panel { aspectRatio 0 names [ \"}\" ] deep Thing { } } Group { metadata MetadataSet { name \"x\" } }");
  EXPECT_FALSE(fine.findings.has_errors());
  EXPECT_NE(fine.at({"Group", "metadata"}), nullptr);
  EXPECT_EQ(fine.findings.count(Severity::warning), 2u);  // Panel and Thing
  ReadText twice(head + "Panel { } Panel { } Group { }");
  EXPECT_EQ(twice.findings.count(Severity::warning), 1u);
  ReadText strict(head + "Group { }\n Panel { aspectRatio 0 }", true);
  const Diagnostic* refused = find(strict.findings, codes::x3d_unknown_node);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->severity, Severity::error);
  EXPECT_EQ(refused->where.line, 3u);
  EXPECT_EQ(refused->where.column, 2u);
}

TEST(Vrml, C16PrototypesKeepTheirInterfaceAndInstances) {
  ReadText read(head +
                "EXTERNPROTO Joint [ exposedField SFVec3f center exposedField MFNode children exposedField SFString name ] [ "
                "\"http://nowhere.invalid/x.wrl\" ]\n"
                "PROTO Humanoid [ exposedField MFNode humanoidBody [ ] field SFString name \"none\" ] { WorldInfo { info \"}\" } }\n"
                "Humanoid { name \"Ann\" humanoidBody [ Joint { name \"HumanoidRoot\" center 0 0.8 0 } ] }");
  EXPECT_TRUE(read.findings.items().empty());
  ASSERT_EQ(read.scene->protos().size(), 2u);
  EXPECT_TRUE(read.scene->protos()[0].is_external);
  EXPECT_EQ(read.scene->protos()[1].interface.size(), 2u);
  const Node* joint = read.at({"Humanoid", "humanoidBody"});
  ASSERT_NE(joint, nullptr);
  EXPECT_TRUE(joint->is_proto_instance);
  EXPECT_THAT(read.numbers(*joint, "center"), ElementsAre(0, 0.8, 0));
}

TEST(Vrml, C19CommentsInNumberLists) {
  ReadText read(head + "Coordinate { point [ 1 2 3, # first\n 4 5 6 # second ]\n ] }");
  EXPECT_THAT(read.numbers(*read.at({"Coordinate"}), "point"), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Vrml, C20ScriptsWithBracesInStrings) {
  ReadText read(head +
                "Anchor { children [ Group { children TouchSensor { } } ] }\n"
                "Script { eventIn SFBool go field SFNode n NULL field MFString s [ \"a\" ] url \"javascript: function f(){ return '}' }\" "
                "}\nShape { }");
  EXPECT_TRUE(read.findings.items().empty());
  EXPECT_NE(read.at({"Shape"}), nullptr);
}

TEST(Vrml, C21StringsOverLines) {
  ReadText read(head + "WorldInfo { info [\"line1\nline2 \\\"q\\\" \\\\\"] }");
  EXPECT_THAT(parse_strings(*read.at({"WorldInfo"})->find("info")), ElementsAre("line1\nline2 \"q\" \\"));
}

TEST(Vrml, G08DeepNestingIsAnError) {
  std::string text = head;
  for (int i = 0; i < 100'000; ++i) text += "Group{children[";
  ReadText read(text);
  EXPECT_NE(find(read.findings, codes::x3d_too_deep), nullptr);
}

TEST(Vrml, UnterminatedTextIsReportedWhereItStarts) {
  ReadText list(head + "Coordinate { point [ 1 2 3 ");
  const Diagnostic* found = find(list.findings, codes::x3d_unterminated);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 2u);
  EXPECT_EQ(found->where.column, 20u);
  EXPECT_NE(find(ReadText(head + "WorldInfo { title \"abc }").findings, codes::x3d_unterminated), nullptr);
  EXPECT_NE(find(ReadText(head + "Group { ").findings, codes::x3d_unterminated), nullptr);
  EXPECT_NE(find(ReadText(head + "PROTO X [ field SFBool b").findings, codes::x3d_unterminated), nullptr);
}

TEST(Vrml, WindowsBytesAreReadWithOneWarning) {
  ReadText read(head + "WorldInfo { title \"caf\xE9 \x80\" }");
  EXPECT_NE(find(read.findings, codes::x3d_not_utf8), nullptr);
  EXPECT_EQ(parse_string(*read.at({"WorldInfo"})->find("title")), "caf\xC3\xA9 \xE2\x82\xAC");
}

TEST(Vrml, ANodeInsideItselfIsRefused) {
  ReadText read(head + "DEF a Group { children [ Group { children [ USE a ] } ] }");
  EXPECT_NE(find(read.findings, codes::x3d_use_cycle), nullptr);
}

TEST(Vrml, ClassicEncodingStatements) {
  ReadText read(
      "#X3D V3.3 utf8\nPROFILE Immersive\nCOMPONENT H-Anim:1\nMETA \"title\" \"x\"\nUNIT length foot 0.3\nGroup { }\nIMPORT a.b AS "
      "c\nEXPORT d AS e\nGroup { }");
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_EQ(read.scene->version, "3.3");
  EXPECT_EQ(read.scene->profile, "Immersive");
  EXPECT_EQ(read.scene->meta.size(), 1u);
  EXPECT_EQ(read.scene->roots.size(), 2u);
}

TEST(Vrml, ManyFindingsAreFolded) {
  std::string text = "#VRML V2.0 utf8\nGroup { children [";
  for (int i = 0; i < 60'000; ++i) text += " USE b" + std::to_string(i);
  ReadText read(text + " ] }");
  EXPECT_FALSE(read.findings.has_errors());
  EXPECT_EQ(read.findings.items().size(), 101u);
  EXPECT_EQ(read.findings.count(Severity::warning), 60'000u);
}

TEST(Vrml, ManyPrototypesAndInstances) {
  std::string text = "#VRML V2.0 utf8\n";
  for (int i = 0; i < 30'000; ++i) text += "PROTO P" + std::to_string(i) + " [ ] { Group { } }\n";
  for (int i = 0; i < 30'000; ++i) text += "P" + std::to_string(i) + " { }\n";
  ReadText read(text);
  EXPECT_TRUE(read.findings.items().empty());
  ASSERT_EQ(read.scene->roots.size(), 30'000u);
  EXPECT_EQ(read.scene->roots.back().node->type, "Group");  // what the last prototype makes
}

TEST(Vrml, FieldsOfOneNodeAreLimited) {
  std::string text = "#VRML V2.0 utf8\nGroup {";
  for (int i = 0; i < 100'000; ++i) text += " f" + std::to_string(i) + " 1";
  EXPECT_NE(find(ReadText(text + " }").findings, codes::x3d_too_many_fields), nullptr);
}

TEST(Vrml, UnitsOtherThanTheStandardOnesAreReported) {
  ReadText read("#X3D V3.3 utf8\nPROFILE Immersive\nUNIT length inch 0.0254\nUNIT angle radian 1\nGroup { }");
  const Diagnostic* found = find(read.findings, codes::x3d_unit_ignored);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->where.line, 3u);
  EXPECT_EQ(read.findings.items().size(), 1u);
}

}  // namespace
}  // namespace vesalius::x3d
