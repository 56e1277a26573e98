#pragma once
// Shapes of a humanoid into parts: the seamless skin, and rigid geometry of segments and joints.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/hanim/figure.hpp"
#include "formats/hanim/geometry.hpp"
#include "formats/hanim/material.hpp"
#include "formats/hanim/walk.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::hanim {

/// Name of a part that was written into the skin, and how many of its points are its own, in order.
struct PartRecord {
  std::string name;
  std::size_t points = 0;
};

/// What both kinds of parts are made from, and what they leave for the motion.
struct MeshReading {
  Reading& in;
  const x3d::Node& humanoid;
  const Traversal& tree;
  const Figure& figure;
  GeometryReader& geometry;
  Looks& looks;
  std::map<const x3d::Node*, std::vector<std::pair<std::size_t, std::size_t>>> morphs_of;  ///< displacer -> part, morph
  std::size_t vertices = 0;
};

/// Polygons of one shape with normals, texture coordinates and look; false when it has none.
[[nodiscard]] bool read_shape(MeshReading& reading, const x3d::Node& shape, PolygonMesh& mesh, Look& look, const x3d::Node*& coord);
/// Counts vertices against the limit; false (and an error) beyond it.
[[nodiscard]] bool within_limit(MeshReading& reading, std::size_t more, const x3d::Node& where);

/// The skin, split by the records where they fit.
void build_skin(MeshReading& reading, const std::vector<PartRecord>& records, std::vector<Part>& parts);
/// One part per segment (or joint) with geometry, every vertex bound to its joint.
void build_rigid(MeshReading& reading, const std::vector<Segment>& segments, const Skeleton& skeleton, std::vector<Part>& parts);

/// Vertices of a part by their point numbers (before those are made dense).
class VerticesOfPoint {
 public:
  explicit VerticesOfPoint(const Part& part);
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t point) const noexcept;

 private:
  std::vector<std::uint32_t> begin_, vertices_;
};

/// One displacer's points and displacements (the file's units, in its axes) as a morph of the vertices at `points`; nothing when none is
/// there.
struct DisplacerData {
  Morph morph;  ///< name, weight, kind
  std::vector<std::int32_t> points;
  std::vector<double> displacements;
};
[[nodiscard]] DisplacerData read_displacer(Reading& in, const x3d::Node& node);
/// Adds the displaced vertices of points [base, base + count) to `morph`.
void displace(const DisplacerData& data, const VerticesOfPoint& vertices, std::size_t base, std::size_t count,
              const Eigen::Matrix3d& canonical, Morph& morph);
/// Sorts by vertex and adds up doubles.
void tidy(Morph& morph);

/// Point numbers without gaps, in the same order.
void make_dense(std::vector<std::uint32_t>& points);

}  // namespace vesalius::hanim
