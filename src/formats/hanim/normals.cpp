// Normals of meshes that come without.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "formats/hanim/mesh.hpp"

namespace vesalius::hanim {
namespace {

/// Beyond this many faces at one point only "all smooth" and "all flat" are told apart, so that a fan of a million faces stays cheap.
constexpr std::size_t most_compared = 512;

}  // namespace

Vec3 face_normal(const PolygonMesh& mesh, std::size_t face) {
  const std::size_t begin = mesh.face_begin[face], end = mesh.face_begin[face + 1];
  Vec3 normal = Vec3::Zero();
  const Vec3 origin = mesh.point(mesh.corner_point[begin]);
  Vec3 before = Vec3::Zero();
  for (std::size_t c = begin + 1; c < end; ++c) {
    const Vec3 at = mesh.point(mesh.corner_point[c]) - origin;
    normal += before.cross(at);
    before = at;
  }
  return normal;
}

void compute_normals(PolygonMesh& mesh) {
  const std::size_t faces = mesh.faces(), corners = mesh.corner_point.size(), points = mesh.point_count();
  std::vector<Vec3> normal_of_face(faces);
  std::vector<std::uint32_t> face_of_corner(corners), begin(points + 1, 0), corners_at(corners);
  for (std::size_t f = 0; f < faces; ++f) {
    Vec3 n = face_normal(mesh, f);
    const double length = n.norm();
    n = length > 0 ? Vec3(n / length) : Vec3(Vec3::Zero());
    normal_of_face[f] = mesh.ccw ? n : Vec3(-n);
    for (std::size_t c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c) {
      face_of_corner[c] = static_cast<std::uint32_t>(f);
      ++begin[mesh.corner_point[c] + 1];
    }
  }
  for (std::size_t p = 0; p < points; ++p) begin[p + 1] += begin[p];
  {
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t c = 0; c < corners; ++c) corners_at[next[mesh.corner_point[c]]++] = static_cast<std::uint32_t>(c);
  }

  const bool all_smooth = mesh.crease_rad >= std::numbers::pi - 1e-6;
  const double least_cosine = std::cos(std::clamp(mesh.crease_rad, 0.0, std::numbers::pi)) - 1e-9;
  mesh.corner_normal.assign(corners, 0);
  mesh.own_normals.clear();
  const auto push = [&](Vec3 sum, const Vec3& otherwise) {
    if (!(sum.norm() > 1e-12)) sum = otherwise;
    if (!(sum.norm() > 1e-12)) sum = Vec3::UnitY();
    sum.normalize();
    mesh.own_normals.insert(mesh.own_normals.end(), {sum.x(), sum.y(), sum.z()});
    return static_cast<std::uint32_t>(mesh.own_normals.size() / 3 - 1);
  };
  for (std::size_t p = 0; p < points; ++p) {
    const std::span<const std::uint32_t> here(corners_at.data() + begin[p], begin[p + 1] - begin[p]);
    if (here.empty()) continue;
    if (all_smooth) {
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t c : here) sum += normal_of_face[face_of_corner[c]];
      const std::uint32_t normal = push(sum, normal_of_face[face_of_corner[here.front()]]);
      for (const std::uint32_t c : here) mesh.corner_normal[c] = normal;
      continue;
    }
    const std::uint32_t first = static_cast<std::uint32_t>(mesh.own_normals.size() / 3);
    for (const std::uint32_t c : here) {
      const Vec3& own = normal_of_face[face_of_corner[c]];
      Vec3 sum = own;
      if (mesh.crease_rad > 0 && here.size() <= most_compared) {
        sum.setZero();
        for (const std::uint32_t other : here) {
          const Vec3& n = normal_of_face[face_of_corner[other]];
          if (other == c || own.dot(n) >= least_cosine) sum += n;
        }
      }
      sum = sum.norm() > 1e-12 ? Vec3(sum.normalized()) : own;
      // Corners that came to the same normal share it.
      std::uint32_t found = static_cast<std::uint32_t>(mesh.own_normals.size() / 3);
      const std::uint32_t last = found;
      for (std::uint32_t n = first; n < last && n < first + 64; ++n) {
        const double* at = &mesh.own_normals[3 * n];
        if (sum.dot(Vec3(at[0], at[1], at[2])) > 1 - 1e-12) {
          found = n;
          break;
        }
      }
      mesh.corner_normal[c] = found == last ? push(sum, own) : found;
    }
  }
  mesh.normals = mesh.own_normals;
  mesh.normal_source = nullptr;
}

void default_uvs(PolygonMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const std::uint32_t p : mesh.corner_point) box.extend(mesh.point(p));
  if (box.isEmpty()) return;
  const Vec3 size = box.sizes();
  // Ties go to x before y before z.
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size[a] > size[b]; });
  const double longest = size[order[0]] > 0 ? size[order[0]] : 1;
  mesh.own_uvs.resize(2 * mesh.point_count());
  for (std::size_t p = 0; p < mesh.point_count(); ++p) {
    const Vec3 at = mesh.point(static_cast<std::uint32_t>(p)) - box.min();
    mesh.own_uvs[2 * p] = at[order[0]] / longest;
    mesh.own_uvs[2 * p + 1] = at[order[1]] / longest;
  }
  mesh.uvs = mesh.own_uvs;
  mesh.corner_uv.clear();
  mesh.uv_source = nullptr;
}

}  // namespace vesalius::hanim
