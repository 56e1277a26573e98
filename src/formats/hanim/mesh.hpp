#pragma once
// Polygons as a geometry node gives them, and how they become vertices and triangles of a part.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {

/// A value for every corner: its own, or one of a list that corners share.
template <class T>
struct PerCorner {
  std::vector<T> values;
  std::vector<std::uint32_t> index;  ///< empty: corner c has value c
  [[nodiscard]] bool empty() const noexcept { return values.empty(); }
  [[nodiscard]] const T& operator[](std::size_t corner) const { return values[index.empty() ? corner : index[corner]]; }
};

/// Faces over shared points. Corner lists run over all faces; a corner's normal, colour and texture coordinate may be its own.
struct PolygonMesh {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> face_begin{0};  ///< faces().size() + 1
  std::vector<std::uint32_t> corner_points;
  PerCorner<Vec3> corner_normals;                   ///< as many as corners, or empty: made from the crease angle
  PerCorner<std::array<double, 2>> corner_uvs;      ///< as many, or empty; X3D convention (v up)
  PerCorner<std::array<double, 4>> corner_colours;  ///< as many, or empty; linear
  bool counter_clockwise = true;
  bool convex = true;
  double crease_angle_rad = 0;
  const Node* coord = nullptr;  ///< the Coordinate node, to tell skins and deformable segments

  [[nodiscard]] std::size_t faces() const noexcept { return face_begin.size() - 1; }
  void end_face() { face_begin.push_back(static_cast<std::uint32_t>(corner_points.size())); }
};

/// Reads any geometry node that has faces; nothing (with a finding) for others.
[[nodiscard]] std::optional<PolygonMesh> read_geometry(const Reading& reading, const Node& geometry);
/// Box, Sphere, Cylinder, Cone, ElevationGrid, Extrusion; nothing when the node is none of them.
[[nodiscard]] std::optional<PolygonMesh> read_primitive(const Reading& reading, const Node& geometry);

/// Normals of all corners: the mean of the faces around the point that lie within the crease angle of the corner's face.
void make_normals(PolygonMesh& mesh);

/// Triangles of one polygon as positions in the face (0-based corners): ear clipping in the plane of the polygon's area vector.
/// Convex polygons and those without an area become fans.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> triangulate(std::span<const Vec3> polygon, bool convex);

struct AppendReport {
  std::size_t degenerate = 0;  ///< triangles without an area, dropped
};
/// Adds the mesh to a part as one surface: equal corners of a point become one vertex; Part::points continues from `first_point`.
AppendReport append_mesh(Part& part, const PolygonMesh& mesh, const Affine& place, std::optional<std::size_t> material,
                         std::uint32_t first_point);

/// sRGB-coded channel to linear and back (IEC 61966-2-1).
[[nodiscard]] double linear_of(double coded) noexcept;
[[nodiscard]] double coded_of(double linear) noexcept;

/// Index into humanoid.materials of an Appearance; the same node gives the same material. Also how its texture coordinates turn.
class Materials {
 public:
  Materials(const Reading& reading, Humanoid& humanoid) : reading_(reading), humanoid_(humanoid) {}
  [[nodiscard]] std::optional<std::size_t> index_of(const Node* appearance, bool double_sided, bool has_colours);
  /// texture_from_mesh of TextureTransform, as a 2D affine map.
  [[nodiscard]] Eigen::Affine2d uv_transform(const Node* appearance) const;

 private:
  [[nodiscard]] std::optional<std::size_t> texture_of(const Node& node);
  const Reading& reading_;
  Humanoid& humanoid_;
  std::map<std::tuple<const Node*, bool, bool>, std::size_t> made_;
  std::map<const Node*, std::optional<std::size_t>> textures_;
};

}  // namespace vesalius::hanim
