// One tree, three encodings.
#include <gtest/gtest.h>

#include "formats/x3d/out_tree.hpp"
#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

OutScene small_scene() {
  OutScene scene;
  SceneWriter out(scene);
  out.open("Group").def("g");
  out.open("Shape");
  out.open("Appearance").open("Material").vector("diffuseColor", Vec3(0.1, -0.0, 1e-7)).close();
  out.close();
  out.open("IndexedFaceSet").boolean("solid", false).list("coordIndex", [](auto append) {
    for (const long long i : {0, 1, 2, -1}) append(i);
  });
  out.open("Coordinate").def("c").list("point", [](auto append) {
    for (int i = 0; i < 9; ++i) append(0.5 * i);
  });
  out.close();
  out.close();
  out.close();
  out.close();
  const std::vector<std::string> info{"a \"b\" <&>", "c\\d", "tab\there"};
  out.open("WorldInfo").strings("info", info).string("title", "it's").close();
  return scene;
}

TEST(Out, XmlEscapesNestsAndWritesShortestNumbers) {
  const std::string text = to_x3d_xml(small_scene());
  EXPECT_NE(text.find("<Material diffuseColor=\"0.1 0 1e-07\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("info=\"&quot;a \\&quot;b\\&quot; &lt;&amp;&gt;&quot; &quot;c\\\\d&quot; &quot;tab&#9;here&quot;\""),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("containerField"), std::string::npos);  // every field here is the child's usual one
}

TEST(Out, B29EveryEncodingGivesBackTheSameStringsAndNumbers) {
  for (const std::string& text :
       {to_x3d_xml(small_scene()), to_vrml(small_scene(), false), to_vrml(small_scene(), true), to_x3d_json(small_scene())}) {
    ReadText read(text);
    EXPECT_TRUE(read.findings.items().empty()) << testing::PrintToString(read.findings) << text;
    const Node* world = nullptr;
    for (const Child& root : read.scene->roots) {
      if (root.node->type == "WorldInfo") world = root.node;
    }
    ASSERT_NE(world, nullptr) << text;
    EXPECT_EQ(parse_strings(*world->find("info")), (std::vector<std::string>{"a \"b\" <&>", "c\\d", "tab\there"})) << text;
    EXPECT_EQ(parse_string(*world->find("title")), "it's");
    const Node* faces = read.at({"Group", "children", "geometry"});
    ASSERT_NE(faces, nullptr) << text;
    EXPECT_EQ(read.integers(*faces, "coordIndex"), (std::vector<std::int32_t>{0, 1, 2, -1}));
    EXPECT_EQ(parse_bool(*faces->find("solid")), false);
    const Node* points = read.at({"Group", "children", "geometry", "coord"});
    ASSERT_NE(points, nullptr);
    EXPECT_EQ(read.numbers(*points, "point"), (std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}));
  }
}

TEST(Out, TreesAsDeepAsReadersAllowComeBack) {
  for (const bool json : {false, true}) {
    OutScene scene;
    SceneWriter out(scene);
    constexpr std::size_t depth = 900;
    for (std::size_t i = 0; i < depth; ++i) out.open("Group", "children");
    for (std::size_t i = 0; i < depth; ++i) out.close();
    ReadText read(json ? to_x3d_json(std::move(scene)) : to_x3d_xml(std::move(scene)));
    EXPECT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
    const Node* node = read.at({"Group"});
    std::size_t found = 0;
    for (; node != nullptr; ++found) {
      const Field* children = node->find("children");
      node = children == nullptr ? nullptr : children->nodes.front().node;
    }
    EXPECT_EQ(found, depth);
  }
}

}  // namespace
}  // namespace vesalius::x3d
