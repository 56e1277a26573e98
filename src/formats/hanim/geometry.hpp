#pragma once
// Geometry nodes into polygons.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/hanim/mesh.hpp"
#include "formats/hanim/values.hpp"

namespace vesalius::hanim {

/// Reads geometry and keeps the numbers of nodes that several shapes share, so that each list is parsed once.
class GeometryReader {
 public:
  explicit GeometryReader(Reading& in) : in_(in) {}

  /// Nothing (and a warning that counts) for lines, points, text and unknown geometry. `coord` is the Coordinate used, or null.
  [[nodiscard]] bool read(const x3d::Node& geometry, PolygonMesh& mesh, const x3d::Node** coord = nullptr);
  /// Numbers of a Coordinate, Normal, TextureCoordinate or Color node; empty without one.
  [[nodiscard]] std::span<const double> numbers(const x3d::Node* node, std::string_view field, std::size_t each);
  /// The points of a coordinate node.
  [[nodiscard]] std::span<const double> points(const x3d::Node* coord) { return numbers(coord, "point", 3); }

 private:
  void attributes(const x3d::Node& geometry, PolygonMesh& mesh);
  bool indexed_faces(const x3d::Node& geometry, PolygonMesh& mesh);
  bool triangles(const x3d::Node& geometry, PolygonMesh& mesh);
  void per_face(const x3d::Node& geometry, PolygonMesh& mesh, const std::vector<std::uint32_t>& source_face);
  void check_counts(const x3d::Node& geometry, PolygonMesh& mesh);

  Reading& in_;
  std::map<const x3d::Node*, std::vector<double>> cache_;
  std::vector<std::int32_t> index_, normal_index_, uv_index_, colour_index_;
};

/// Box, Sphere, Cylinder, Cone, ElevationGrid, Extrusion; false for other nodes.
[[nodiscard]] bool read_solid(Reading& in, const x3d::Node& geometry, PolygonMesh& mesh);

}  // namespace vesalius::hanim
