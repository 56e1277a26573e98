// Geometry nodes as triangles.
#include <cmath>
#include <numbers>

#include "reading.hpp"

namespace vesalius {
namespace {

using test::area;
using test::read_shape;
using test::triangle_count;
using test::volume;

const std::string square = "<Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/>";

TEST(HanimGeometry, C10MissingLastSeparatorKeepsTheLastFace) {
  const auto made = read_shape("<IndexedFaceSet coordIndex='0 1 2 -1 0 2 3'>" + square + "</IndexedFaceSet>");
  ASSERT_TRUE(made);
  EXPECT_EQ(triangle_count(made->parts.at(0)), 2u);
  EXPECT_NEAR(area(made->parts[0]), 1, 1e-12);
}

TEST(HanimGeometry, ConcavePolygonKeepsItsArea) {
  // An arrow head whose third corner points inward: a fan from the first corner would cover 1 m2 outside.
  const auto made =
      read_shape("<IndexedFaceSet convex='false' coordIndex='0 1 2 3 -1'><Coordinate point='0 0 0 2 -1 0 1 0 0 2 1 0'/></IndexedFaceSet>");
  ASSERT_TRUE(made);
  EXPECT_EQ(triangle_count(made->parts.at(0)), 2u);
  EXPECT_NEAR(area(made->parts[0]), 1, 1e-12);
}

TEST(HanimGeometry, ConcavePolygonStartingAtAnyCornerKeepsItsArea) {
  const char* points[] = {"0 0 0", "3 0 0", "3 3 0", "2 3 0", "2 1 0", "1 1 0", "1 3 0", "0 3 0"};  // the letter U, 7 m2
  for (int start = 0; start < 8; ++start) {
    std::string index;
    for (int i = 0; i < 8; ++i) index += std::to_string((start + i) % 8) + " ";
    std::string coordinate;
    for (const char* p : points) coordinate += std::string(p) + " ";
    const auto made =
        read_shape("<IndexedFaceSet convex='false' coordIndex='" + index + "-1'><Coordinate point='" + coordinate + "'/></IndexedFaceSet>");
    ASSERT_TRUE(made);
    EXPECT_EQ(triangle_count(made->parts.at(0)), 6u) << start;
    EXPECT_NEAR(area(made->parts[0]), 7, 1e-12) << start;
    for (const auto& [a, b, c] : made->parts[0].surfaces[0].triangles) {
      const auto& p = made->parts[0].positions;
      EXPECT_GT((p[b] - p[a]).cross(p[c] - p[a]).z(), 0) << "a triangle is turned over, start " << start;
    }
  }
}

TEST(HanimGeometry, ClockwiseFacesAreTurned) {
  for (const auto& [ccw, z] : {std::pair{"true", 1.0}, std::pair{"false", -1.0}}) {
    const auto made = read_shape("<IndexedFaceSet ccw='" + std::string(ccw) + "' coordIndex='0 1 2 3 -1'>" + square + "</IndexedFaceSet>");
    ASSERT_TRUE(made);
    const Part& part = made->parts.at(0);
    for (const Vec3& normal : part.normals) EXPECT_THAT(normal, test::Near(Vec3(0, 0, z), 1e-12));
    const auto& [a, b, c] = part.surfaces[0].triangles[0];
    EXPECT_GT(z * (part.positions[b] - part.positions[a]).cross(part.positions[c] - part.positions[a]).z(), 0);
  }
}

TEST(HanimGeometry, IndicesOutsideTheListDropTheirFaceOnly) {
  const auto made = read_shape("<IndexedFaceSet coordIndex='0 1 2 -1 0 2 9 -1 0 -7 3 -1 0 2 3 -1'>" + square + "</IndexedFaceSet>");
  ASSERT_TRUE(made);
  EXPECT_EQ(triangle_count(made->parts.at(0)), 2u);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_bad_index));
}

TEST(HanimGeometry, TrianglesWithoutAreaAreCounted) {
  const auto made = read_shape("<IndexedFaceSet coordIndex='0 1 1 -1 0 1 2 -1'>" + square + "</IndexedFaceSet>");
  ASSERT_TRUE(made);
  EXPECT_EQ(triangle_count(made->parts.at(0)), 1u);
  EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_degenerate));
}

TEST(HanimGeometry, CreaseAngleDecidesWhichEdgesAreSmooth) {
  // Two squares that meet at 90 degrees along one edge of two points.
  const std::string roof = "<Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0 0 0 -1 1 0 -1'/></IndexedFaceSet>";
  const std::string faces = "coordIndex='0 1 2 3 -1 4 5 1 0 -1'>";
  const auto sharp = read_shape("<IndexedFaceSet creaseAngle='1.5' " + faces + roof);
  ASSERT_TRUE(sharp);
  EXPECT_EQ(sharp->parts.at(0).positions.size(), 8u);  // the edge's points are doubled
  const auto smooth = read_shape("<IndexedFaceSet creaseAngle='1.6' " + faces + roof);
  ASSERT_TRUE(smooth);
  EXPECT_EQ(smooth->parts.at(0).positions.size(), 6u);
  for (std::size_t v = 0; v < 6; ++v) {
    if (smooth->parts[0].positions[v].isApprox(Vec3(0, 0, 0)) || smooth->parts[0].positions[v].isZero()) {
      EXPECT_THAT(smooth->parts[0].normals[v], test::Near(Vec3(0, -1, 1).normalized(), 1e-9));
    }
  }
  EXPECT_EQ(sharp->parts[0].points.size(), 8u);
}

TEST(HanimGeometry, AttributesKeepTheirOwnIndices) {
  const auto made = read_shape("<IndexedFaceSet coordIndex='0 1 2 -1 0 2 3 -1' texCoordIndex='0 1 2 -1 3 2 0 -1'>" + square +
                               "<TextureCoordinate point='0 0 1 0 1 1 .25 .75'/></IndexedFaceSet>");
  ASSERT_TRUE(made);
  const Part& part = made->parts.at(0);
  // Points 0 and 3 have other coordinates in the second face; point 2 has the same. v counts from the top.
  ASSERT_EQ(part.positions.size(), 5u);
  std::size_t at_origin = 0;
  for (std::size_t v = 0; v < 5; ++v) {
    if (!part.positions[v].isZero(0)) continue;
    ++at_origin;
    const auto [s, t] = part.uvs[v];
    EXPECT_TRUE((s == 0 && t == 1) || (s == 0.25 && t == 0.25)) << s << " " << t;
  }
  EXPECT_EQ(at_origin, 2u);
}

TEST(HanimGeometry, ColoursPerFace) {
  const auto made = read_shape("<IndexedFaceSet colorPerVertex='false' coordIndex='0 1 2 -1 0 2 3 -1'>" + square +
                               "<Color color='1 0 0 0 0 1'/></IndexedFaceSet>");
  ASSERT_TRUE(made);
  const Part& part = made->parts.at(0);
  ASSERT_EQ(part.positions.size(), 6u);
  const auto& triangles = part.surfaces[0].triangles;
  for (const std::uint32_t v : triangles[0]) EXPECT_EQ(part.colours[v], (std::array<double, 4>{1, 0, 0, 1}));
  for (const std::uint32_t v : triangles[1]) EXPECT_EQ(part.colours[v], (std::array<double, 4>{0, 0, 1, 1}));
}

TEST(HanimGeometry, B09FewerNormalsThanPointsWithIndices) {
  const auto made = read_shape("<IndexedFaceSet coordIndex='0 1 2 3 -1' normalIndex='0 0 0 0 -1'>" + square +
                               "<Normal vector='0 0 1'/></IndexedFaceSet>");
  ASSERT_TRUE(made);
  for (const Vec3& normal : made->parts.at(0).normals) EXPECT_THAT(normal, test::Near(Vec3(0, 0, 1), 1e-12));
}

TEST(HanimGeometry, TriangleSetsOfEveryKind) {
  const char* kinds[] = {
      "<IndexedTriangleSet index='0 1 2 0 2 3'>",
      "<IndexedTriangleStripSet index='0 1 3 2 -1'>",
      "<IndexedTriangleFanSet index='0 1 2 3 -1'>",
      "<IndexedQuadSet index='0 1 2 3'>",
      "<QuadSet>",
      "<TriangleFanSet fanCount='4'>",
  };
  for (const std::string open : kinds) {
    const auto made = read_shape(open + square + "</" + open.substr(1, open.find_first_of(" >") - 1) + ">");
    ASSERT_TRUE(made) << open;
    const Part& part = made->parts.at(0);
    EXPECT_EQ(triangle_count(part), 2u) << open;
    EXPECT_NEAR(area(part), 1, 1e-12) << open;
    for (const auto& [a, b, c] : part.surfaces[0].triangles) {
      EXPECT_GT((part.positions[b] - part.positions[a]).cross(part.positions[c] - part.positions[a]).z(), 0) << open;
    }
  }
}

TEST(HanimGeometry, SolidsAreClosedAndFaceOutward) {
  const double pi = std::numbers::pi;
  const std::tuple<const char*, double, double> solids[] = {
      {"<Box size='1 2 3'/>", 6, 1e-12},
      {"<Sphere radius='.5'/>", pi / 6, 0.06},
      {"<Cylinder radius='.5' height='2'/>", pi / 2, 0.06},
      {"<Cone bottomRadius='.5' height='3'/>", pi / 4, 0.06},
      {"<Extrusion crossSection='1 1 1 -1 -1 -1 -1 1 1 1' spine='0 0 0 0 1 0'/>", 4, 1e-9},
      {"<Extrusion crossSection='1 0 0 -1 -1 0 0 1 1 0' spine='0 0 0 0 1 0 0 3 0'/>", 6, 1e-9},
  };
  for (const auto& [geometry, expected, share] : solids) {
    const auto made = read_shape(geometry);
    ASSERT_TRUE(made) << geometry;
    ASSERT_EQ(made->parts.size(), 1u) << geometry;
    EXPECT_NEAR(volume(made->parts[0]), expected, share * expected + 1e-12) << geometry;
    for (std::size_t v = 0; v < made->parts[0].positions.size(); ++v) {
      if (std::string_view(geometry).starts_with("<Sphere") || std::string_view(geometry).starts_with("<Box")) {
        EXPECT_GT(made->parts[0].normals[v].dot(made->parts[0].positions[v]), 0) << geometry;
      }
    }
  }
}

TEST(HanimGeometry, ElevationGridFacesUp) {
  const auto made = read_shape("<ElevationGrid xDimension='3' zDimension='2' xSpacing='1' zSpacing='2' height='0 0 0 0 0 0'/>");
  ASSERT_TRUE(made);
  EXPECT_NEAR(area(made->parts.at(0)), 4, 1e-12);
  for (const Vec3& normal : made->parts[0].normals) EXPECT_THAT(normal, test::Near(Vec3(0, 1, 0), 1e-12));
}

TEST(HanimGeometry, LinesPointsAndTextAreReported) {
  for (const char* geometry : {"<IndexedLineSet coordIndex='0 1 -1'><Coordinate point='0 0 0 1 0 0'/></IndexedLineSet>",
                               "<PointSet><Coordinate point='0 0 0'/></PointSet>",
                               "<LineSet vertexCount='2'><Coordinate point='0 0 0 1 0 0'/></LineSet>", "<Text string='\"hello\"'/>"}) {
    const auto made = read_shape(geometry);
    ASSERT_TRUE(made) << geometry;
    EXPECT_TRUE(made->parts.empty()) << geometry;
    EXPECT_THAT(made.diagnostics, test::Reports(codes::hanim_dropped_geometry)) << geometry;
  }
}

TEST(HanimGeometry, BadGridIsNoCrash) {
  for (const char* geometry :
       {"<ElevationGrid xDimension='100000' zDimension='100000' height='0'/>", "<ElevationGrid xDimension='-1' zDimension='2'/>",
        "<Extrusion spine='0 0 0'/>", "<Extrusion crossSection='0 0' spine='0 0 0 0 0 0'/>", "<IndexedFaceSet coordIndex='0 1 2 -1'/>",
        "<IndexedFaceSet/>", "<IndexedTriangleSet index='0 1'/>", "<TriangleStripSet stripCount='-3 2000000000'/>",
        "<Sphere radius='-1'/>"}) {
    const auto made = read_shape(geometry);
    if (made) test::expect_sound(*made);
  }
}

}  // namespace
}  // namespace vesalius
