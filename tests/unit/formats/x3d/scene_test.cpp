// The graph is the same whatever the encoding.
#include <gtest/gtest.h>

#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

/// Types, names and raw texts of a graph as one text.
std::string shape_of(const Scene& scene) {
  std::string out;
  struct Step {
    const Node* node;
    int depth;
  };
  std::vector<Step> stack;
  for (auto it = scene.roots.rbegin(); it != scene.roots.rend(); ++it) stack.push_back({it->node, 0});
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    out += std::string(static_cast<std::size_t>(step.depth), ' ') + std::string(step.node->type) + " " + std::string(step.node->def);
    for (const Field& field : step.node->fields) {
      if (!field.is_node)
        out += " " + std::string(field.name) + "=" + (field.name == "name" ? parse_string(field) : std::string(field.text));
    }
    out += "\n";
    for (auto field = step.node->fields.rbegin(); field != step.node->fields.rend(); ++field) {
      for (auto it = field->nodes.rbegin(); it != field->nodes.rend(); ++it) {
        if (!it->is_use) stack.push_back({it->node, step.depth + 1});
      }
    }
  }
  return out;
}

TEST(Scene, TwinsInXmlAndVrmlAreTheSameGraph) {
  ReadText xml(xml_head +
               "<Transform DEF='t' translation='1 2 3'><Shape><Appearance><Material diffuseColor='1 0 0'/></Appearance><Box size='1 1 "
               "1'/></Shape></Transform>" +
               xml_tail);
  ReadText vrml(
      "#VRML V2.0 utf8\nDEF t Transform { translation 1 2 3 children [ Shape { appearance Appearance { material Material { diffuseColor 1 "
      "0 0 } } geometry Box { size 1 1 1 } } ] }");
  EXPECT_FALSE(xml.findings.has_errors());
  EXPECT_FALSE(vrml.findings.has_errors());
  EXPECT_EQ(shape_of(*xml.scene), shape_of(*vrml.scene));
  EXPECT_NE(shape_of(*xml.scene), "");
  ReadText json(
      R"({"X3D":{"Scene":{"-children":[{"Transform":{"@DEF":"t","@translation":"1 2 3","-children":[{"Shape":{
      "-appearance":{"Appearance":{"-material":{"Material":{"@diffuseColor":"1 0 0"}}}},"-geometry":{"Box":{"@size":"1 1 1"}}}}]}}]}}})");
  EXPECT_FALSE(json.findings.has_errors());
  std::string unquoted = shape_of(*json.scene);
  std::erase(unquoted, '"');
  EXPECT_EQ(unquoted, shape_of(*xml.scene));
}

TEST(Scene, PlacesAreThoseOfTheTagInXmlAndOfTheNodeInVrml) {
  ReadText xml(xml_head + "  <Group>\n    <Shape/>\n    <Shape\n   DEF='x'/></Group>" + xml_tail);
  const Node* second = xml.scene->find_def("x");
  ASSERT_NE(second, nullptr);
  const Location where = xml.scene->locate(*second);
  EXPECT_EQ(where.line, 5u);
  EXPECT_EQ(where.column, 5u);
  EXPECT_EQ(where.path, "/X3D/Scene/Group[1]/Shape[2]");
  ReadText vrml("#VRML V2.0 utf8\nGroup {\n children [ Shape { }\n   DEF x Shape { } ] }");
  const Location there = vrml.scene->locate(*vrml.scene->find_def("x"));
  EXPECT_EQ(there.line, 4u);
  EXPECT_EQ(there.column, 4u);
  EXPECT_EQ(there.path, "/Group[1]/Shape[2]");
}

}  // namespace
}  // namespace vesalius::x3d
