#pragma once
// Meshes and how joints move them. Coordinates: canonical frame, metre, at the humanoid's rest pose.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vesalius/pose.hpp"
#include "vesalius/skeleton.hpp"

namespace vesalius {

struct Influence {
  JointIndex joint = JointIndex::none;
  double weight = 0;
  friend bool operator==(const Influence&, const Influence&) = default;
};

/// Influences of every vertex in one array: those of vertex v are items [begin[v], begin[v+1]).
/// What is missing to a sum of 1 stays at its rest place (H-Anim's rule).
template <class Item>
struct PerVertex {
  std::vector<std::uint32_t> begin{0};
  std::vector<Item> items;
  [[nodiscard]] std::size_t vertices() const noexcept { return begin.size() - 1; }
  [[nodiscard]] std::span<const Item> of(std::size_t vertex) const noexcept {
    return std::span(items).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
  }
  [[nodiscard]] std::span<Item> of(std::size_t vertex) noexcept {
    return std::span(items).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
  }
  /// Ends the current vertex: what was pushed to `items` since the last call is its share.
  void end_vertex() { begin.push_back(static_cast<std::uint32_t>(items.size())); }
};
using Influences = PerVertex<Influence>;

/// Which H-Anim list a morph came from.
enum class MorphKind : std::uint8_t { target, joint_displacer, segment_displacer };

/// A displacement of some vertices, canonical axes at rest, metre; added times its weight before skinning.
struct Morph {
  std::string name;
  MorphKind kind = MorphKind::target;
  JointIndex joint = JointIndex::none;     ///< the joint that owns the displacer, or none
  double weight = 0;                       ///< default weight
  std::vector<std::uint32_t> vertices;     ///< ascending, without doubles
  std::vector<Vec3> displacements;         ///< as many
  std::vector<Vec3> normal_displacements;  ///< as many, or empty
};

/// Triangles with one material.
struct Surface {
  std::optional<std::size_t> material;                  ///< index into Humanoid::materials
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// Joint of the source humanoid (index into Kept::joints) and its share of the weight of the bone it went into (sums to 1 per bone).
/// A negative ratio is the weight itself, negated, of an influence that the limit dropped.
struct KeptInfluence {
  std::uint32_t joint = 0;
  double ratio = 0;
};

/// One mesh: a vertex is a place with everything that hangs on it, so seams double places. `point` tells which vertices are one
/// point of the source (equal place, influences and morphs).
struct Part {
  std::string name;
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;                   ///< unit; as many as positions, or empty
  std::vector<std::array<double, 2>> uvs;      ///< glTF convention (v down from the top); as many, or empty
  std::vector<std::array<double, 4>> colours;  ///< linear RGBA; as many, or empty
  std::vector<std::uint32_t> points;           ///< point number of each vertex, or empty (every vertex its own)
  Influences influences;                       ///< positions.size() vertices
  std::vector<Surface> surfaces;
  std::vector<Morph> morphs;
  std::string segment;                       ///< the H-Anim segment it was, when rigid; else empty
  PerVertex<KeptInfluence> kept_influences;  ///< no vertices when nothing is kept
};

/// Places of the vertices under a pose: (1 - sum w) v + sum w M v. Morphs not applied.
[[nodiscard]] std::vector<Vec3> skinned_positions(const Part& part, const GlobalChange& pose);
/// Smallest box around the rest positions of all parts; empty (isEmpty()) when there is no vertex.
[[nodiscard]] Eigen::AlignedBox3d bounding_box(const std::vector<Part>& parts);
/// Sum of weights of one vertex.
[[nodiscard]] double weight_sum(std::span<const Influence> influences) noexcept;
/// Adds up influences of the same joint and sorts by joint.
void merge_influences(std::vector<Influence>& influences);

}  // namespace vesalius
