// Prototypes: scopes, IS, defaults, nesting, and what stays unexpanded.
#include <gtest/gtest.h>

#include "unit/formats/x3d/reading.hpp"

namespace vesalius::x3d {
namespace {

const std::string head = "#VRML V2.0 utf8\n";

TEST(Proto, InstancesBecomeTheFirstNodeOfTheBodyWithTheirValues) {
  ReadText read(head +
                "PROTO Ball [ field SFFloat size 2 exposedField SFVec3f at 0 0 0 ] {\n"
                " Transform { translation IS at children Shape { geometry Sphere { radius IS size } } }\n WorldInfo { } }\n"
                "DEF a Ball { size 3 } DEF b Ball { at 1 2 3 }");
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  ASSERT_EQ(read.scene->roots.size(), 2u);
  const Node& a = *read.scene->roots[0].node;
  const Node& b = *read.scene->roots[1].node;
  EXPECT_EQ(a.type, "Transform");
  EXPECT_EQ(a.def, "a");
  const auto radius = [&](const Node& node) {
    const Node* shape = node.find("children")->nodes[0].node;
    return read.numbers(*shape->find("geometry")->nodes[0].node, "radius");
  };
  EXPECT_EQ(radius(a), (std::vector<double>{3}));
  EXPECT_EQ(radius(b), (std::vector<double>{2}));
  EXPECT_EQ(read.numbers(a, "translation"), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(read.numbers(b, "translation"), (std::vector<double>{1, 2, 3}));
  // The place of a value is where it was written: in the instance, or in the declaration.
  EXPECT_EQ(read.scene->locate(b, *b.find("translation")).line, 5u);
  EXPECT_EQ(read.scene->locate(a, *a.find("translation")).line, 2u);
}

TEST(Proto, C13GivenNodesReplaceTheDefault) {
  ReadText read(head +
                "PROTO P [ exposedField MFNode inside [ Shape { geometry Cone { } } ] ] { Group { children IS inside } }\n"
                "P { inside [ Shape { geometry Sphere { } } ] } P { }");
  ASSERT_FALSE(read.findings.has_errors());
  const auto geometry = [&](std::size_t root) {
    const Field* children = read.scene->roots[root].node->find("children");
    EXPECT_EQ(children->nodes.size(), 1u);
    return children->nodes[0].node->find("geometry")->nodes[0].node->type;
  };
  EXPECT_EQ(geometry(0), "Sphere");
  EXPECT_EQ(geometry(1), "Cone");
}

TEST(Proto, C15NestedPrototypesResolveInTheirOwnScopes) {
  ReadText read(
      head +
      "PROTO Outer [ field SFFloat r 5 field SFVec3f p 0 0 0 eventIn SFVec3f set_p ] {\n"
      "  PROTO Inner [ field SFFloat r 1 ] { Shape { geometry Sphere { radius IS r } } }\n"
      "  Transform { set_translation IS set_p translation IS p children [ Inner { r IS r } DEF s Script { field SFFloat q IS r eventOut "
      "SFFloat out } ] } }\n"
      "Outer { p 1 0 0 } Outer { r 7 }\nDEF i Inner { }");
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  const auto radius = [&](std::size_t root) {
    const Node* shape = read.scene->roots[root].node->find("children")->nodes[0].node;
    EXPECT_EQ(shape->type, "Shape");
    return read.numbers(*shape->find("geometry")->nodes[0].node, "radius");
  };
  EXPECT_EQ(radius(0), (std::vector<double>{5}));
  EXPECT_EQ(radius(1), (std::vector<double>{7}));
  // Outside, the inner prototype has no meaning.
  EXPECT_EQ(read.scene->roots[2].node->type, "Inner");
  EXPECT_NE(find(read.findings, codes::x3d_unknown_node), nullptr);
}

TEST(Proto, RoutesToAnInstanceReachTheNodesBehindItsInterface) {
  ReadText read(head +
                "PROTO Mover [ eventIn SFRotation turn exposedField SFRotation rotation 0 0 1 0 ] {\n"
                "  Transform { set_rotation IS turn rotation IS rotation } }\n"
                "PROTO Clip [ eventOut SFRotation out ] { DEF T TimeSensor { } DEF O OrientationInterpolator { value_changed IS out }\n"
                "  ROUTE T.fraction_changed TO O.set_fraction }\n"
                "DEF m Mover { } DEF c Clip { }\nROUTE c.out TO m.turn\nROUTE c.out TO m.set_rotation");
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  ASSERT_EQ(read.scene->routes.size(), 3u);
  EXPECT_EQ(read.scene->routes[0].from->type, "OrientationInterpolator");
  EXPECT_EQ(read.scene->routes[0].to->type, "Transform");
  EXPECT_EQ(read.scene->routes[0].to_field, "set_rotation");
  EXPECT_EQ(read.scene->routes[1].to_field, "rotation");
  EXPECT_EQ(read.scene->routes[2].from->type, "TimeSensor");
  EXPECT_EQ(read.scene->routes[2].to, read.scene->routes[0].from);
}

TEST(Proto, C16TheStandardsOwnPrototypesSpeakForThemselves) {
  ReadText read(head +
                "EXTERNPROTO Joint [ exposedField SFVec3f center exposedField MFNode children ] \"http://example.org/gone.wrl\"\n"
                "PROTO Displacer [ exposedField MFInt32 coordIndex [ ] exposedField SFString name \"\" ] { WorldInfo { } }\n"
                "PROTO Humanoid [ exposedField MFNode humanoidBody [ ] exposedField SFString version \"1.1\" ] { Group { children IS "
                "humanoidBody } }\n"
                "Humanoid { humanoidBody [ DEF j Joint { center 0 1 0 } ] }");
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  const Node* humanoid = read.at({"Humanoid"});
  ASSERT_NE(humanoid, nullptr);
  EXPECT_EQ(parse_string(*humanoid->find("version")), "1.1");  // the interface's default
  EXPECT_EQ(read.at({"Humanoid", "humanoidBody"})->type, "Joint");
  EXPECT_EQ(find(read.findings, codes::x3d_inline), nullptr);  // nothing was wanted from that address
}

TEST(Proto, WrappersOfTheStandardsNodesAreExpanded) {
  ReadText read(
      xml_head +
      "<ProtoDeclare name='Knee'><ProtoInterface><field accessType='inputOutput' type='SFVec3f' name='where' value='0 1 0'/>"
      "</ProtoInterface><ProtoBody><HAnimJoint name='l_knee'><IS><connect nodeField='center' protoField='where'/></IS></HAnimJoint>"
      "</ProtoBody></ProtoDeclare>"
      "<HAnimHumanoid><ProtoInstance name='Knee' DEF='k' containerField='skeleton'><fieldValue name='where' value='0 2 0'/>"
      "</ProtoInstance></HAnimHumanoid>" +
      xml_tail);
  ASSERT_FALSE(read.findings.has_errors()) << testing::PrintToString(read.findings);
  const Node* joint = read.at({"HAnimHumanoid", "skeleton"});
  ASSERT_NE(joint, nullptr);
  EXPECT_EQ(joint->type, "HAnimJoint");
  EXPECT_EQ(joint->def, "k");
  EXPECT_EQ(read.numbers(*joint, "center"), (std::vector<double>{0, 2, 0}));
}

TEST(Proto, InstancesInsideInstancesOfTheSamePrototypeAreNoRecursion) {
  ReadText read(head +
                "PROTO G [ exposedField MFNode children [ ] exposedField SFVec3f at 0 0 0 ] { Transform { translation IS at children IS "
                "children } }\n"
                "G { at 1 0 0 children G { at 2 0 0 children G { at 3 0 0 children G { children Shape { } } } } }");
  ASSERT_TRUE(read.findings.items().empty()) << testing::PrintToString(read.findings);
  const Node* shape = read.at({"Transform", "children", "children", "children", "children"});
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->type, "Shape");
  EXPECT_EQ(shape->parent, read.at({"Transform", "children", "children", "children"}));
}

TEST(Proto, DefaultNodesAreEachInstancesOwn) {
  ReadText read(head + "PROTO P [ exposedField MFNode inside [ Shape { } ] ] { Group { children IS inside } }\nP { } P { }");
  ASSERT_EQ(read.scene->roots.size(), 2u);
  EXPECT_NE(read.scene->roots[0].node->find("children")->nodes[0].node, read.scene->roots[1].node->find("children")->nodes[0].node);
}

TEST(Proto, WhatADeadExternprotoWasGivenStaysInTheScene) {
  ReadText read(head +
                "PROTO Ball [ ] { Shape { } }\nEXTERNPROTO Wrap [ exposedField MFNode children ] \"http://example.org/w.wrl\"\nWrap { "
                "children Ball { } }");
  const Node* inside = read.at({"Wrap", "children"});
  ASSERT_NE(inside, nullptr);
  EXPECT_EQ(inside->type, "Shape");
}

TEST(Proto, BombsAndSelfReferencesEndInFindings) {
  ReadText self(head + "PROTO A [ ] { Group { children [ A { } Shape { } ] } }\nA { }");
  EXPECT_NE(self.at({"Group"}), nullptr);
  EXPECT_NE(find(self.findings, codes::x3d_proto), nullptr);
  std::string bomb = head + "PROTO P0 [ ] { Group { } }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string inner = "P" + std::to_string(i - 1) + " { } ";
    bomb += "PROTO P" + std::to_string(i) + " [ ] { Group { children [ " + inner + inner + "] } }\n";
  }
  ReadText big(bomb + "P39 { }");
  EXPECT_NE(find(big.findings, codes::x3d_too_many_nodes), nullptr) << testing::PrintToString(big.findings);
}

}  // namespace
}  // namespace vesalius::x3d
