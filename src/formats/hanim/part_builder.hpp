#pragma once
// Polygons of one or more shapes into the vertices and triangles of a part.
#include <map>
#include <vector>

#include "formats/hanim/mesh.hpp"
#include "formats/hanim/triangulate.hpp"
#include "vesalius/skin.hpp"

namespace vesalius::hanim {

/// A vertex is a point with a normal, texture coordinate and colour; corners that agree in all of them share it.
class PartBuilder {
 public:
  explicit PartBuilder(Part& part) : part_(part) {}

  /// Adds the faces of a mesh as triangles of a surface with this material. The mesh's points are the part's points from `point_base` on:
  /// shapes of a skin share base 0. `linear_colours`: the colours are linear already.
  void add(const PolygonMesh& mesh, const Affine& canonical_from_mesh, std::uint32_t point_base, std::optional<std::size_t> material,
           bool linear_colours);
  /// Completes attributes that only some shapes have. Points no vertex uses do not appear; `part.points` keeps the point numbers.
  void finish();

  [[nodiscard]] std::size_t degenerate() const noexcept { return degenerate_; }

 private:
  struct Key {
    std::uint32_t normal, uv, colour;
    friend bool operator==(const Key&, const Key&) = default;
  };
  std::uint32_t base_of(const void* source, std::size_t count, std::uint32_t& used, std::map<const void*, std::uint32_t>& known);

  Part& part_;
  Triangulator triangulator_;
  std::vector<std::uint32_t> first_of_point_, next_;  ///< chains of vertices by point
  std::vector<Key> keys_;
  std::map<const void*, std::uint32_t> normal_base_, uv_base_, colour_base_;
  std::uint32_t normals_used_ = 1, uvs_used_ = 1, colours_used_ = 1;  ///< 0 stands for "none"
  std::vector<Vec3> corners_;
  std::vector<std::uint32_t> vertices_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  bool any_normals_ = false, any_uvs_ = false, any_colours_ = false;
  std::size_t degenerate_ = 0;
};

/// Display-referred (sRGB) component to linear.
[[nodiscard]] double linear_from_srgb(double value) noexcept;

}  // namespace vesalius::hanim
