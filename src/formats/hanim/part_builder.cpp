#include "formats/hanim/part_builder.hpp"

#include <algorithm>
#include <cmath>

namespace vesalius::hanim {
namespace {

constexpr std::uint32_t no_vertex = 0xffffffffu;

}  // namespace

double linear_from_srgb(double value) noexcept {
  value = std::clamp(value, 0.0, 1.0);
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

std::uint32_t PartBuilder::base_of(const void* source, std::size_t count, std::uint32_t& used,
                                   std::map<const void*, std::uint32_t>& known) {
  const std::uint32_t base = used;
  if (source != nullptr) {
    const auto [at, is_new] = known.try_emplace(source, base);
    if (!is_new) return at->second;
  }
  used += static_cast<std::uint32_t>(count);
  return base;
}

void PartBuilder::add(const PolygonMesh& mesh, const Affine& canonical_from_mesh, std::uint32_t point_base,
                      std::optional<std::size_t> material, bool linear_colours) {
  const bool has_normals = !mesh.normals.empty(), has_uvs = !mesh.uvs.empty(), has_colours = !mesh.colours.empty();
  const std::uint32_t normal_base = base_of(mesh.normal_source, mesh.normals.size() / 3, normals_used_, normal_base_);
  const std::uint32_t uv_base = base_of(mesh.uv_source, mesh.uvs.size() / 2, uvs_used_, uv_base_);
  const std::uint32_t colour_base = base_of(mesh.colour_source, mesh.colours.size() / mesh.colour_size, colours_used_, colour_base_);
  const Eigen::Matrix3d normal_matrix = canonical_from_mesh.linear().inverse().transpose();
  const bool normals_fit = normal_matrix.allFinite();
  const bool flip = mesh.ccw == (canonical_from_mesh.linear().determinant() < 0);

  if (first_of_point_.size() < point_base + mesh.point_count()) first_of_point_.resize(point_base + mesh.point_count(), no_vertex);
  const auto fill = [&](bool now, bool& any, auto& list, const auto& value) {
    if (now && !any) {
      list.assign(part_.positions.size(), value);
      any = true;
    }
  };
  fill(has_normals, any_normals_, part_.normals, Vec3(Vec3::UnitY()));
  fill(has_uvs, any_uvs_, part_.uvs, std::array<double, 2>{0, 0});
  fill(has_colours, any_colours_, part_.colours, std::array<double, 4>{1, 1, 1, 1});

  // One vertex per corner at worst; most meshes have about one per point.
  part_.positions.reserve(part_.positions.size() + mesh.point_count());
  const auto vertex_of = [&](std::size_t corner) {
    const std::uint32_t p = mesh.corner_point[corner];
    const std::uint32_t n = mesh.corner_normal.empty() ? p : mesh.corner_normal[corner];
    const std::uint32_t t = mesh.corner_uv.empty() ? p : mesh.corner_uv[corner];
    const std::uint32_t c = mesh.corner_colour.empty() ? p : mesh.corner_colour[corner];
    const Key key{has_normals ? normal_base + n : 0, has_uvs ? uv_base + t : 0, has_colours ? colour_base + c : 0};
    std::uint32_t& first = first_of_point_[point_base + p];
    for (std::uint32_t v = first; v != no_vertex; v = next_[v]) {
      if (keys_[v] == key) return v;
    }
    const auto made = static_cast<std::uint32_t>(part_.positions.size());
    part_.positions.push_back(canonical_from_mesh * mesh.point(p));
    part_.points.push_back(point_base + p);
    if (any_normals_) {
      Vec3 normal = Vec3::UnitY();
      if (has_normals && normals_fit) {
        normal = normal_matrix * Vec3(mesh.normals[3 * n], mesh.normals[3 * n + 1], mesh.normals[3 * n + 2]);
        const double length = normal.norm();
        if (length > 1e-300 && std::isfinite(length)) {
          normal /= length;
        } else {
          normal = Vec3::UnitY();
        }
      }
      part_.normals.push_back(normal);
    }
    if (any_uvs_) {
      // glTF counts v down from the top.
      part_.uvs.push_back(has_uvs ? std::array{mesh.uvs[2 * t], 1 - mesh.uvs[2 * t + 1]} : std::array{0.0, 0.0});
    }
    if (any_colours_) {
      std::array<double, 4> colour{1, 1, 1, 1};
      if (has_colours) {
        for (std::size_t k = 0; k < mesh.colour_size; ++k) {
          const double value = mesh.colours[mesh.colour_size * c + k];
          colour[k] = linear_colours || k == 3 ? std::clamp(value, 0.0, 1.0) : linear_from_srgb(value);
        }
      }
      part_.colours.push_back(colour);
    }
    keys_.push_back(key);
    next_.push_back(first);
    first = made;
    return made;
  };

  Surface* surface = nullptr;
  for (Surface& known : part_.surfaces) {
    if (known.material == material) surface = &known;
  }
  if (surface == nullptr) {
    part_.surfaces.push_back({material, {}});
    surface = &part_.surfaces.back();
  }
  surface->triangles.reserve(surface->triangles.size() + (mesh.corner_point.size() - std::min(mesh.corner_point.size(), 2 * mesh.faces())));
  const auto emit = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (flip) std::swap(b, c);
    const Vec3 &pa = part_.positions[a], &pb = part_.positions[b], &pc = part_.positions[c];
    const Vec3 across = (pb - pa).cross(pc - pa);
    if (part_.points[a] == part_.points[b] || part_.points[b] == part_.points[c] || part_.points[c] == part_.points[a] ||
        across == Vec3::Zero()) {
      ++degenerate_;
      return;
    }
    surface->triangles.push_back({a, b, c});
  };
  for (std::size_t f = 0; f < mesh.faces(); ++f) {
    const std::size_t begin = mesh.face_begin[f], count = mesh.face_begin[f + 1] - begin;
    if (count == 3) {
      const std::uint32_t a = vertex_of(begin), b = vertex_of(begin + 1), c = vertex_of(begin + 2);
      emit(a, b, c);
      continue;
    }
    corners_.clear();
    vertices_.clear();
    triangles_.clear();
    for (std::size_t c = begin; c < begin + count; ++c) {
      corners_.push_back(mesh.point(mesh.corner_point[c]));
      vertices_.push_back(vertex_of(c));
    }
    triangulator_.triangulate(corners_, triangles_);
    for (const auto& [a, b, c] : triangles_) emit(vertices_[a], vertices_[b], vertices_[c]);
  }
}

void PartBuilder::finish() {
  std::erase_if(part_.surfaces, [](const Surface& surface) { return surface.triangles.empty(); });
}

}  // namespace vesalius::hanim
