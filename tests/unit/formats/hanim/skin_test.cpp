// The seamless skin: weights, displacers, shared points.
#include "reading.hpp"

namespace vesalius {
namespace {

using test::document;
using test::read_text;
using test::two_joints;

const std::string points = "0 0 0 1 0 0 1 1 0 0 1 0";
const std::string skin =
    "<Coordinate DEF='c' point='" + points +
    "' containerField='skinCoord'/><Shape DEF='Body' containerField='skin'><IndexedFaceSet coordIndex='0 1 2 3 -1'><Coordinate "
    "USE='c'/></IndexedFaceSet></Shape>";

/// Weight of a joint on the vertex at a point.
double weight(const Humanoid& humanoid, std::uint32_t point, const char* joint) {
  const Part& part = humanoid.parts.at(0);
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    if (part.points[v] != point) continue;
    for (const Influence& influence : part.influences.of(v)) {
      if (influence.joint == humanoid.skeleton.find(joint)) return influence.weight;
    }
  }
  return 0;
}

TEST(HanimSkin, WeightsBelongToTheirPoints) {
  const auto made = read_text(
      document(two_joints("skinCoordIndex='3 0 1' skinCoordWeight='.25 1 .4'", "", "skinCoordIndex='1 2' skinCoordWeight='.6 .5'") + skin));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->parts.size(), 1u);
  EXPECT_EQ(made->parts[0].name, "Body");
  EXPECT_DOUBLE_EQ(weight(*made, 0, "humanoid_root"), 1);
  EXPECT_DOUBLE_EQ(weight(*made, 1, "humanoid_root"), .4);
  EXPECT_DOUBLE_EQ(weight(*made, 1, "l_hip"), .6);
  EXPECT_DOUBLE_EQ(weight(*made, 2, "l_hip"), .5);
  EXPECT_DOUBLE_EQ(weight(*made, 3, "humanoid_root"), .25);
  // What is missing to 1 stays at its place: a joint that moves 1 m takes point 2 half a metre along.
  GlobalChange change{{Affine::Identity(), Affine(Eigen::Translation3d(0, 0, 1))}};
  const auto moved = skinned_positions(made->parts[0], change);
  for (std::size_t v = 0; v < moved.size(); ++v) {
    if (made->parts[0].points[v] == 2) {
      EXPECT_THAT(moved[v], test::Near(Vec3(1, 1, .5), 1e-12));
    }
  }
}

TEST(HanimSkin, TheSamePointTwiceInOneJointAddsUp) {
  const auto made = read_text(document(two_joints("skinCoordIndex='0 1 0' skinCoordWeight='.25 1 .5'") + skin));
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(weight(*made, 0, "humanoid_root"), .75);
}

TEST(HanimSkin, MissingWeightsAreOneAndUnequalListsAreCut) {
  const auto none = read_text(document(two_joints("skinCoordIndex='0 1 2 3'") + skin));
  ASSERT_TRUE(none);
  EXPECT_DOUBLE_EQ(weight(*none, 2, "humanoid_root"), 1);
  const auto fewer = read_text(document(two_joints("skinCoordIndex='0 1 2 3' skinCoordWeight='1 1'") + skin));
  ASSERT_TRUE(fewer);
  EXPECT_DOUBLE_EQ(weight(*fewer, 1, "humanoid_root"), 1);
  EXPECT_DOUBLE_EQ(weight(*fewer, 2, "humanoid_root"), 0);
  EXPECT_THAT(fewer.diagnostics, test::Reports(codes::hanim_weight_lengths));
}

TEST(HanimSkin, IndicesOutsideSkinCoordAreIgnored) {
  const auto made = read_text(document(two_joints("skinCoordIndex='0 1 2 3 99 -1' skinCoordWeight='1 1 1 1 1 1'") + skin));
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_bad_index));
  EXPECT_DOUBLE_EQ(weight(*made, 3, "humanoid_root"), 1);
}

TEST(HanimSkin, B02ForeignPointsAreNeverLinked) {
  const auto made =
      read_text(document(two_joints("skinCoordIndex='0 1 2' skinCoordWeight='1 1 1'") + "<Coordinate DEF='c' point='" + points +
                         "' containerField='skinCoord'/><Shape containerField='skin'><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate "
                         "point='5 5 5 6 5 5 6 6 5'/></IndexedFaceSet></Shape>"));
  ASSERT_TRUE(made);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_foreign_coord));
  for (const Part& part : made->parts) EXPECT_TRUE(part.influences.items.empty());
}

TEST(HanimSkin, B07SkinMayComeBeforeSkinCoord) {
  const std::string early = "<Shape containerField='skin'><IndexedFaceSet coordIndex='0 1 2 3 -1'><Coordinate DEF='c' point='" + points +
                            "'/></IndexedFaceSet></Shape><Coordinate USE='c' containerField='skinCoord'/>";
  const auto made = read_text(document(two_joints("skinCoordIndex='0 1 2 3' skinCoordWeight='1 1 1 1'") + early));
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(weight(*made, 2, "humanoid_root"), 1);
}

TEST(HanimSkin, WeightsWithoutSkinDoNotCrash) {
  for (const std::string& text : {std::string(), std::string("<Coordinate point='0 0 0' containerField='skinCoord'/>"),
                                  std::string("<Shape containerField='skin'><IndexedFaceSet coordIndex='0 1 2'/></Shape>")}) {
    const auto made = read_text(document(two_joints("skinCoordIndex='0 1' skinCoordWeight='1 1'") + text));
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->parts.empty());
  }
}

TEST(HanimSkin, B08JointDisplacerMovesEverySplitVertex) {
  const std::string seam = "<Coordinate DEF='c' point='" + points +
                           "' containerField='skinCoord'/><Shape containerField='skin'><IndexedFaceSet coordIndex='0 1 2 -1 0 2 3 -1' "
                           "texCoordIndex='0 0 0 -1 1 1 1 -1'><Coordinate "
                           "USE='c'/><TextureCoordinate point='0 0 1 1'/></IndexedFaceSet></Shape>";
  const auto made =
      read_text(document(two_joints("skinCoordIndex='0 1 2 3' skinCoordWeight='1 1 1 1'",
                                    "<HAnimDisplacer name='smile_action' coordIndex='2 3' displacements='0 .1 0 .2 0 0' weight='.5'/>") +
                         seam));
  ASSERT_TRUE(made);
  const Part& part = made->parts.at(0);
  ASSERT_EQ(part.positions.size(), 6u);
  ASSERT_EQ(part.morphs.size(), 1u);
  const Morph& morph = part.morphs[0];
  EXPECT_EQ(morph.name, "smile_action");
  EXPECT_EQ(morph.kind, MorphKind::joint_displacer);
  EXPECT_EQ(morph.joint, made->skeleton.find("humanoid_root"));
  EXPECT_DOUBLE_EQ(morph.weight, .5);
  ASSERT_EQ(morph.vertices.size(), 3u);  // point 2 twice, point 3 once
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(morph.displacements[i], part.points[morph.vertices[i]] == 2 ? Vec3(0, .1, 0) : Vec3(.2, 0, 0));
  }
}

TEST(HanimSkin, SegmentDisplacerCountsInItsOwnCoord) {
  const auto made = read_text(document(two_joints(
      "", "", "",
      "<HAnimSegment name='l_thigh'><Coordinate DEF='own' point='0 0 0 1 0 0 0 1 0' containerField='coord'/><Shape><Box/></Shape>"
      "<Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate USE='own'/></IndexedFaceSet></Shape>"
      "<HAnimDisplacer name='bulge' coordIndex='1' displacements='0 0 .1' containerField='displacers'/></HAnimSegment>")));
  ASSERT_TRUE(made);
  const Part& part = made->parts.at(0);
  ASSERT_EQ(part.morphs.size(), 1u);
  EXPECT_EQ(part.morphs[0].kind, MorphKind::segment_displacer);
  ASSERT_EQ(part.morphs[0].vertices.size(), 1u);
  EXPECT_THAT(part.positions[part.morphs[0].vertices[0]], test::Near(Vec3(1, 0, 0), 1e-12));
}

TEST(HanimSkin, B22SegmentShapesBelowTransformsStandWhereTheyAreDrawn) {
  const auto made = read_text(document(two_joints("", "", "",
                                                  "<HAnimSegment name='l_thigh'><Transform translation='.1 .6 0'><Transform rotation='0 0 "
                                                  "1 1.5707963267948966' scale='2 1 1'><Shape><Box size='.1 .1 "
                                                  ".1'/></Shape></Transform></Transform></HAnimSegment>")));
  ASSERT_TRUE(made);
  const Part& part = made->parts.at(0);
  EXPECT_EQ(part.segment, "l_thigh");
  const Eigen::AlignedBox3d box = bounding_box(made->parts);
  EXPECT_THAT(box.min(), test::Near(Vec3(.05, .5, -.05), 1e-9));
  EXPECT_THAT(box.max(), test::Near(Vec3(.15, .7, .05), 1e-9));
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    ASSERT_EQ(part.influences.of(v).size(), 1u);
    EXPECT_EQ(part.influences.of(v)[0], (Influence{made->skeleton.find("l_hip"), 1}));
  }
}

TEST(HanimSkin, RigidShapesDirectlyBelowAJointAreKept) {
  const auto made = read_text(document(two_joints("", "<Shape><Box size='.1 .1 .1'/></Shape>")));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->parts.size(), 1u);
  EXPECT_EQ(test::triangle_count(made->parts[0]), 12u);
  EXPECT_FALSE(made->parts[0].segment.empty());
}

}  // namespace
}  // namespace vesalius
