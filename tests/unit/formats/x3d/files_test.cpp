// Inline, EXTERNPROTO, IMPORT and EXPORT: local files inside the folder, and nothing else.
#include "foundation/files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_dir.hpp"
#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

struct Folder : testing::Test {
  test::TempDir folder;
  Diagnostics findings;

  void put(const std::string& name, const std::string& text) {
    const auto path = folder.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::unique_ptr<Scene> read(const std::string& text, const std::filesystem::path& in = {}, bool allow_outside = false) {
    return read_scene(text, {"main.wrl", in.empty() ? folder.path() : in, allow_outside, false}, findings);
  }
};

TEST_F(Folder, InlinedNodesStandWhereTheInlineStood) {
  put("part.x3d", xml_head + "<Shape DEF='s'/><EXPORT localDEF='s' AS='skin'/>" + xml_tail);
  const auto scene = read(
      "#X3D V4.0 utf8\nPROFILE Immersive\nTransform { translation 1 0 0 children DEF I Inline { url [ \"http://example.org/x.x3d\" "
      "\"part.x3d\" ] } "
      "}\nIMPORT I.skin AS own\nGroup { children USE own }");
  ASSERT_TRUE(findings.items().empty()) << testing::PrintToString(findings);
  const Node* inlined = scene->roots[0].node->find("children")->nodes[0].node;
  EXPECT_EQ(inlined->type, "Group");
  const Node* shape = inlined->find("children")->nodes[0].node;
  EXPECT_EQ(shape->type, "Shape");
  EXPECT_EQ(scene->roots[1].node->find("children")->nodes[0].node, shape);
  EXPECT_EQ(std::filesystem::path(scene->locate(*shape).file).filename(), "part.x3d");
  EXPECT_EQ(scene->locate(*shape).line, 3u);
}

TEST_F(Folder, ExternprotosComeFromLocalLibrariesAlsoCompressed) {
  put("lib/protos.wrl", gzip("#VRML V2.0 utf8\nPROTO Other [ ] { Group { } }\nPROTO Ball [ field SFFloat r 1 ] { Shape { geometry Sphere { "
                             "radius IS r } } }"));
  const auto scene = read("#VRML V2.0 utf8\nEXTERNPROTO Ball [ field SFFloat r ] [ \"lib/protos.wrl#Ball\" ]\nBall { r 4 }");
  ASSERT_TRUE(findings.items().empty()) << testing::PrintToString(findings);
  const Node* shape = scene->roots[0].node;
  EXPECT_EQ(shape->type, "Shape");
  std::vector<double> radius;
  const Node* sphere = shape->find("geometry")->nodes[0].node;
  EXPECT_TRUE(parse_doubles(*scene, *sphere, *sphere->find("radius"), radius, findings));
  EXPECT_EQ(radius, (std::vector<double>{4}));
}

TEST_F(Folder, G10NothingIsFetched) {
  static_cast<void>(
      read("#VRML V2.0 utf8\nInline { url \"https://example.org/a.wrl\" }\nEXTERNPROTO E [ ] \"http://example.org/e.wrl\"\nE { }"));
  EXPECT_FALSE(findings.has_errors());
  EXPECT_EQ(findings.count(Severity::warning), 2u) << testing::PrintToString(findings);
}

TEST_F(Folder, G04FilesOutsideTheFolderAreLeftAlone) {
  put("secret.wrl", "#VRML V2.0 utf8\nShape { }");
  put("in/A..B.wrl", "#VRML V2.0 utf8\nGroup { }");
  const std::string outside = (folder.path() / "secret.wrl").string();
  for (const std::string& url : {std::string("../secret.wrl"), std::string("%2e%2e/secret.wrl"), outside, "file://" + outside}) {
    findings = {};
    const auto scene = read("#VRML V2.0 utf8\nInline { url \"" + url + "\" }", folder.path() / "in");
    EXPECT_NE(find(findings, codes::x3d_inline), nullptr) << url;
    EXPECT_EQ(scene->roots[0].node->find("children"), nullptr) << url;
  }
  findings = {};
  const auto legal = read("#VRML V2.0 utf8\nInline { url \"A..B.wrl\" }", folder.path() / "in");
  EXPECT_TRUE(findings.items().empty()) << testing::PrintToString(findings);
  const auto allowed = read("#VRML V2.0 utf8\nInline { url \"../secret.wrl\" }", folder.path() / "in", true);
  EXPECT_TRUE(findings.items().empty()) << testing::PrintToString(findings);
  EXPECT_NE(allowed->roots[0].node->find("children"), nullptr);
}

TEST_F(Folder, CirclesOfInlinesEndInAFinding) {
  put("a.wrl", "#VRML V2.0 utf8\nInline { url \"b.wrl\" }");
  put("b.wrl", "#VRML V2.0 utf8\nGroup { children Inline { url \"a.wrl\" } }");
  static_cast<void>(read("#VRML V2.0 utf8\nInline { url \"a.wrl\" }"));
  EXPECT_FALSE(findings.has_errors()) << testing::PrintToString(findings);
  EXPECT_NE(find(findings, codes::x3d_inline), nullptr);
}

TEST_F(Folder, FaultsInInlinedFilesCarryTheirPlace) {
  put("bad.wrl", "#VRML V2.0 utf8\nShape {\n  geometry ]\n}");
  static_cast<void>(read("#VRML V2.0 utf8\nGroup { }\n  Inline { url \"bad.wrl\" }"));
  const Diagnostic* finding = find(findings, codes::x3d_inline);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->where.line, 3u);
  EXPECT_NE(finding->message.find("bad.wrl:3:12"), std::string::npos) << finding->message;
}

}  // namespace
}  // namespace vesalius::x3d
