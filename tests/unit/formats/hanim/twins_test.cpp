// One humanoid in every encoding and version reads to the same model.
#include <functional>

#include "foundation/files.hpp"
#include "reading.hpp"

namespace vesalius {
namespace {

using test::Near;

struct Twin {
  std::string name;
  HanimWriteOptions options;
};

std::vector<Twin> twins() {
  std::vector<Twin> result;
  const auto add = [&](const std::string& name, Encoding encoding, const std::function<void(HanimWriteOptions&)>& set = {}) {
    HanimWriteOptions options;
    options.encoding = encoding;
    if (set) set(options);
    result.push_back({name, options});
  };
  add("X3D 4.0", Encoding::x3d_xml);
  add("X3D 3.3", Encoding::x3d_xml, [](auto& o) {
    o.x3d_version = X3dVersion::v3_3;
    o.names = "1";
  });
  add("ClassicVRML 4.0", Encoding::classic_vrml);
  add("ClassicVRML 3.3", Encoding::classic_vrml, [](auto& o) { o.x3d_version = X3dVersion::v3_3; });
  add("JSON 4.0", Encoding::x3d_json);
  add("JSON 3.3", Encoding::x3d_json, [](auto& o) { o.x3d_version = X3dVersion::v3_3; });
  add("VRML97 200x", Encoding::vrml97, [](auto& o) { o.names = "1"; });
  add("castle", Encoding::x3d_xml, [](auto& o) { o.target = HanimTarget::castle; });
  add("X3DOM", Encoding::x3d_xml, [](auto& o) { o.target = HanimTarget::x3dom; });
  add("X_ITE", Encoding::classic_vrml, [](auto& o) { o.target = HanimTarget::x_ite; });
  return result;
}

/// A figure with everything that every form can say.
Humanoid figure() {
  const std::string joints =
      "<HAnimJoint DEF='root' name='humanoid_root' center='0 .9 0' containerField='skeleton' skinCoordIndex='0 1 2 3' skinCoordWeight='1 "
      ".25 .5 1'>"
      "<HAnimSegment name='sacrum' mass='12.5' centerOfMass='0 .95 .01' momentsOfInertia='1 0 0 0 2 0 0 0 3'>"
      "<HAnimSite name='crotch_pt' translation='0 .85 .02' rotation='0 1 0 .5'/></HAnimSegment>"
      "<HAnimJoint DEF='hip' name='l_hip' center='.1 .85 0' skinCoordIndex='1 2' skinCoordWeight='.75 .5' llimit='-1 -.5 -.25' ulimit='1 "
      ".5 .25' "
      "limitOrientation='0 0 1 .25' stiffness='.5 0 1'>"
      "<HAnimJoint DEF='wrist' name='l_radiocarpal' center='.3 .8 0'>"
      "<HAnimSegment name='l_carpal'><Shape><Appearance DEF='red'><Material diffuseColor='1 .25 0' shininess='.3' "
      "transparency='.25'/></Appearance>"
      "<IndexedFaceSet DEF='f' coordIndex='0 1 2 -1 0 2 3' creaseAngle='.5' solid='false'><Coordinate DEF='hc' point='.3 .8 0 .4 .8 0 .4 "
      ".9 0 .3 .9 .125'/>"
      "</IndexedFaceSet></Shape><Coordinate USE='hc' containerField='coord'/>"
      "<HAnimDisplacer DEF='fist' name='fist_action' coordIndex='1 2' displacements='0 0 .125 0 0 .25' "
      "weight='.5'/></HAnimSegment></HAnimJoint>"
      "<HAnimDisplacer DEF='bulge' name='thigh_config' coordIndex='1 3' displacements='.5 0 0 0 .5 0'/></HAnimJoint></HAnimJoint>"
      "<HAnimSite DEF='v' name='front_view' translation='0 1 3' containerField='viewpoints'/>"
      "<Coordinate DEF='sc' containerField='skinCoord' point='0 1 0 .5 1 0 .5 0 0 0 0 .25'/>"
      "<Group DEF='suit' containerField='skin'><Shape><Appearance DEF='white'/><IndexedFaceSet coordIndex='0 1 2 -1 0 2 3 -1' "
      "creaseAngle='3'>"
      "<Coordinate USE='sc'/><TextureCoordinate point='0 0 1 0 1 1 0 1'/></IndexedFaceSet></Shape></Group>";
  const std::string motion =
      "<TimeSensor DEF='walk' cycleInterval='2.5' loop='true'/><OrientationInterpolator DEF='o' key='0 .5 1' keyValue='0 0 1 0 0 0 1 .5 0 "
      "1 0 .25'/>"
      "<PositionInterpolator DEF='p' key='0 1' keyValue='0 0 0 0 .25 1'/><ScalarInterpolator DEF='s' key='0 1' keyValue='0 1'/>"
      "<ROUTE fromNode='walk' fromField='fraction_changed' toNode='o' toField='set_fraction'/>"
      "<ROUTE fromNode='walk' fromField='fraction_changed' toNode='p' toField='set_fraction'/>"
      "<ROUTE fromNode='walk' fromField='fraction_changed' toNode='s' toField='set_fraction'/>"
      "<ROUTE fromNode='o' fromField='value_changed' toNode='hip' toField='set_rotation'/>"
      "<ROUTE fromNode='p' fromField='value_changed' toNode='root' toField='set_translation'/>"
      "<ROUTE fromNode='s' fromField='value_changed' toNode='bulge' toField='set_weight'/>";
  auto made = test::read_text(test::document(joints, "name='Ann' info='\"authorName=A \\&quot;B\\&quot;\" \"height=1.7\"'", motion));
  EXPECT_TRUE(made) << testing::PrintToString(made.diagnostics);
  return std::move(*made);
}

/// Triangles as places, so that the order of vertices does not count.
std::vector<std::array<Vec3, 3>> triangles(const Part& part) {
  std::vector<std::array<Vec3, 3>> result;
  for (const Surface& surface : part.surfaces) {
    for (const auto& t : surface.triangles) result.push_back({part.positions[t[0]], part.positions[t[1]], part.positions[t[2]]});
  }
  return result;
}

void expect_same_skeleton(const Humanoid& a, const Humanoid& b) {
  ASSERT_EQ(a.skeleton.size(), b.skeleton.size());
  for (std::size_t j = 0; j < a.skeleton.size(); ++j) {
    const Joint& left = a.skeleton.joints()[j];
    const Joint& right = b.skeleton.joints()[j];
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.parent, right.parent);
    EXPECT_THAT(left.rest.place, Near(right.rest.place, 1e-7));  // single precision in the text
    ASSERT_EQ(left.limits.has_value(), right.limits.has_value());
    if (left.limits) {
      EXPECT_THAT(left.limits->lower_rad, Near(right.limits->lower_rad, 1e-7));
      EXPECT_THAT(left.limits->upper_rad, Near(right.limits->upper_rad, 1e-7));
      EXPECT_NEAR(angle_between_rad(left.limits->frame, right.limits->frame), 0, 1e-6);
    }
    ASSERT_EQ(left.stiffness.has_value(), right.stiffness.has_value());
    if (left.stiffness) {
      EXPECT_THAT(*left.stiffness, Near(*right.stiffness, 1e-7));
    }
  }
  ASSERT_EQ(a.sites.size(), b.sites.size());
  for (std::size_t s = 0; s < a.sites.size(); ++s) {
    EXPECT_EQ(a.sites[s].name, b.sites[s].name);
    EXPECT_EQ(a.sites[s].joint, b.sites[s].joint);
    EXPECT_EQ(a.sites[s].segment, b.sites[s].segment);
    EXPECT_THAT(a.sites[s].rest.place, Near(b.sites[s].rest.place, 1e-7));
    EXPECT_NEAR(angle_between_rad(a.sites[s].rest.turn, b.sites[s].rest.turn), 0, 1e-6);
  }
  ASSERT_EQ(a.segments.size(), b.segments.size());
  for (std::size_t s = 0; s < a.segments.size(); ++s) {
    EXPECT_EQ(a.segments[s].name, b.segments[s].name);
    EXPECT_EQ(a.segments[s].mass_kg, b.segments[s].mass_kg);
    EXPECT_EQ(a.segments[s].moments_of_inertia.has_value(), b.segments[s].moments_of_inertia.has_value());
  }
}

void expect_same_parts(const Humanoid& a, const Humanoid& b) {
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    const Part& left = a.parts[p];
    const Part& right = b.parts[p];
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.segment, right.segment);
    const auto theirs = triangles(right), ours = triangles(left);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t t = 0; t < ours.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) EXPECT_THAT(ours[t][k], Near(theirs[t][k], 1e-7));
    }
    ASSERT_EQ(left.positions.size(), right.positions.size());
    for (std::size_t v = 0; v < left.positions.size(); ++v) {
      const auto one = left.influences.of(v), two = right.influences.of(v);
      ASSERT_EQ(one.size(), two.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].joint, two[i].joint);
        EXPECT_NEAR(one[i].weight, two[i].weight, 1e-7);
      }
    }
    ASSERT_EQ(left.morphs.size(), right.morphs.size());
    for (std::size_t m = 0; m < left.morphs.size(); ++m) {
      EXPECT_EQ(left.morphs[m].name, right.morphs[m].name);
      EXPECT_EQ(left.morphs[m].kind, right.morphs[m].kind);
      EXPECT_EQ(left.morphs[m].joint, right.morphs[m].joint);
      EXPECT_EQ(left.morphs[m].weight, right.morphs[m].weight);
      EXPECT_EQ(left.morphs[m].vertices, right.morphs[m].vertices);
    }
    for (std::size_t s = 0; s < left.surfaces.size(); ++s) {
      ASSERT_EQ(left.surfaces[s].material.has_value(), right.surfaces[s].material.has_value());
      if (!left.surfaces[s].material) continue;
      const Material& m = a.materials[*left.surfaces[s].material];
      const Material& n = b.materials[*right.surfaces[s].material];
      for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(m.base_colour[k], n.base_colour[k], 1e-6);
      EXPECT_NEAR(m.roughness, n.roughness, 1e-6);
      EXPECT_EQ(m.unlit, n.unlit);
      EXPECT_EQ(m.double_sided, n.double_sided);
      EXPECT_EQ(m.alpha_mode, n.alpha_mode);
    }
  }
}

void expect_same_motion(const Humanoid& a, const Humanoid& b) {
  ASSERT_EQ(a.clips.size(), b.clips.size());
  for (std::size_t c = 0; c < a.clips.size(); ++c) {
    EXPECT_EQ(a.clips[c].name, b.clips[c].name);
    EXPECT_EQ(a.clips[c].duration_s, b.clips[c].duration_s);
    EXPECT_EQ(a.clips[c].loops, b.clips[c].loops);
    for (const double t : {0.0, 0.4, 1.25, 2.0, 2.5}) {
      const LocalPose one = sample(a.skeleton, a.clips[c], t), two = sample(b.skeleton, b.clips[c], t);
      for (std::size_t j = 0; j < a.skeleton.size(); ++j) {
        EXPECT_NEAR(angle_between_rad(one.parent_from_joint[j].rotation, two.parent_from_joint[j].rotation), 0, 1e-6);
        EXPECT_THAT(one.parent_from_joint[j].translation, Near(two.parent_from_joint[j].translation, 1e-6));
      }
    }
    ASSERT_EQ(a.clips[c].morphs.size(), b.clips[c].morphs.size());
    for (std::size_t m = 0; m < a.clips[c].morphs.size(); ++m)
      EXPECT_EQ(sample(a.clips[c].morphs[m].weight, 1.25), sample(b.clips[c].morphs[m].weight, 1.25));
  }
}

TEST(Twins, EveryEncodingAndVersionReadsToTheSameModel) {
  const Humanoid source = figure();
  for (const Twin& twin : twins()) {
    SCOPED_TRACE(twin.name);
    const auto text = hanim_to_x3d(source, test::tables(), twin.options);
    ASSERT_TRUE(text) << testing::PrintToString(text.diagnostics);
    EXPECT_EQ(text.diagnostics.count(Severity::warning), 0u) << testing::PrintToString(text.diagnostics);
    const auto again = test::read_text(*text);
    ASSERT_TRUE(again) << testing::PrintToString(again.diagnostics) << *text;
    EXPECT_EQ(again.diagnostics.count(Severity::warning), 0u) << testing::PrintToString(again.diagnostics) << *text;
    EXPECT_EQ(again->name, source.name);
    EXPECT_EQ(again->metadata, source.metadata);
    expect_same_skeleton(source, *again);
    expect_same_parts(source, *again);
    expect_same_motion(source, *again);
    // Compressed, the same text is the same model.
    const auto packed = test::read_text(gzip(*text));
    ASSERT_TRUE(packed);
    expect_same_parts(*again, *packed);
  }
}

TEST(Twins, VersionOneOneHasRigidSegments) {
  const Humanoid source = figure();
  HanimWriteOptions options;
  options.encoding = Encoding::vrml97;
  options.prototypes = HanimPrototypes::v1_1;
  options.names = "1";
  const auto text = hanim_to_x3d(source, test::tables(), options);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("HumanoidRoot"), std::string::npos);
  EXPECT_NE(text->find("l_wrist"), std::string::npos);
  bool told = false;
  for (const Diagnostic& finding : text.diagnostics.items()) told = told || finding.code == codes::hanim_rigid_segments;
  EXPECT_TRUE(told);
  const auto again = test::read_text(*text);
  ASSERT_TRUE(again) << testing::PrintToString(again.diagnostics) << *text;
  EXPECT_EQ(again->skeleton.size(), source.skeleton.size());
  std::size_t before = 0, after = 0;
  for (const Part& part : source.parts) before += test::triangle_count(part);
  for (const Part& part : again->parts) {
    after += test::triangle_count(part);
    EXPECT_FALSE(part.segment.empty());
    for (const Influence& influence : part.influences.items) EXPECT_EQ(influence.weight, 1.0);
  }
  EXPECT_EQ(after, before);
  // Largest weight: the first triangle's weights are 1 + .25 + .5 of the root against .75 + .5 of the thigh.
  const auto sacrum = std::ranges::find(again->parts, "sacrum", &Part::segment);
  ASSERT_NE(sacrum, again->parts.end());
  EXPECT_EQ(test::triangle_count(*sacrum), 2u);
}

TEST(Twins, ExtrasTravelInEveryEncoding) {
  Humanoid source = figure();
  source.asset_blocks["materials"] = "{\"a\":[1,2,\"x\\\"y\"]}";
  for (const Encoding encoding : {Encoding::x3d_xml, Encoding::classic_vrml, Encoding::x3d_json, Encoding::vrml97}) {
    HanimWriteOptions options;
    options.encoding = encoding;
    const auto text = hanim_to_x3d(source, test::tables(), options);
    ASSERT_TRUE(text);
    const auto again = test::read_text(*text);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->asset_blocks, source.asset_blocks);
    options.extras = false;
    EXPECT_EQ(hanim_to_x3d(source, test::tables(), options)->find("x\\"), std::string::npos);
  }
}

TEST(Twins, B11ComponentsAreSpelledAsTheVersionSpellsThem) {
  const Humanoid source = figure();
  HanimWriteOptions options;
  EXPECT_NE(hanim_to_x3d(source, test::tables(), options)->find("<component name=\"HAnim\" level=\"2\"/>"), std::string::npos);
  options.x3d_version = X3dVersion::v3_3;
  EXPECT_NE(hanim_to_x3d(source, test::tables(), options)->find("<component name=\"H-Anim\" level=\"1\"/>"), std::string::npos);
  options.encoding = Encoding::classic_vrml;
  EXPECT_NE(hanim_to_x3d(source, test::tables(), options)->find("COMPONENT H-Anim:1"), std::string::npos);
  // Either spelling, and none, is read.
  for (const std::string head : {"<X3D version='3.3' profile='Immersive'><head><component name='HAnim' level='1'/></head>",
                                 "<X3D version='4.0' profile='Immersive'><head><component name='H-Anim' level='1'/></head>",
                                 "<X3D version='3.3' profile='Interchange'>"}) {
    const auto read = test::read_text(head + "<Scene><HAnimHumanoid name='a'>" + test::two_joints() + "</HAnimHumanoid></Scene></X3D>");
    ASSERT_TRUE(read) << head;
    EXPECT_EQ(read.diagnostics.count(Severity::warning), 0u);
  }
}

TEST(Twins, B12VersionsOfHeaderSchemaAndNodesAgree) {
  const Humanoid source = figure();
  HanimWriteOptions options;
  for (const auto& [version, name] : {std::pair{X3dVersion::v4_0, std::string("4.0")}, std::pair{X3dVersion::v3_3, std::string("3.3")}}) {
    options.x3d_version = version;
    const std::string text = *hanim_to_x3d(source, test::tables(), options);
    EXPECT_NE(text.find("//DTD X3D " + name + "//EN\" \"https://www.web3d.org/specifications/x3d-" + name + ".dtd\""), std::string::npos);
    EXPECT_NE(text.find("version=\"" + name + "\" "), std::string::npos);
    EXPECT_NE(text.find("x3d-" + name + ".xsd"), std::string::npos);
    const bool four = version == X3dVersion::v4_0;
    EXPECT_EQ(text.find("PhysicalMaterial") != std::string::npos, four);
    EXPECT_EQ(text.find(" loa=") != std::string::npos, four);
  }
}

}  // namespace
}  // namespace vesalius
