#include "formats/hanim/mesh.hpp"

#include <algorithm>
#include <cmath>

namespace vesalius::hanim {
namespace {

/// Area vector of a face (Newell), twice the area long.
Vec3 area_of(const PolygonMesh& mesh, std::size_t face) {
  Vec3 area = Vec3::Zero();
  const std::uint32_t begin = mesh.face_begin[face], end = mesh.face_begin[face + 1];
  if (begin == end) return area;
  const Vec3& origin = mesh.points[mesh.corner_points[begin]];
  for (std::uint32_t c = begin + 1; c + 1 < end; ++c) {
    area += (mesh.points[mesh.corner_points[c]] - origin).cross(mesh.points[mesh.corner_points[c + 1]] - origin);
  }
  return mesh.counter_clockwise ? area : Vec3(-area);
}

}  // namespace

void make_normals(PolygonMesh& mesh) {
  const std::size_t faces = mesh.faces();
  std::vector<Vec3> normals(faces);
  for (std::size_t f = 0; f < faces; ++f) {
    const Vec3 area = area_of(mesh, f);
    normals[f] = area.norm() > 0 ? Vec3(area.normalized()) : Vec3::Zero();
  }
  // Faces around each point, in one array.
  std::vector<std::uint32_t> begin(mesh.points.size() + 1, 0), around(mesh.corner_points.size());
  for (const std::uint32_t point : mesh.corner_points) ++begin[point + 1];
  for (std::size_t p = 0; p < mesh.points.size(); ++p) begin[p + 1] += begin[p];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t f = 0; f < faces; ++f) {
    for (std::uint32_t c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c)
      around[next[mesh.corner_points[c]]++] = static_cast<std::uint32_t>(f);
  }
  // One part in a million of slack, so that "exactly the crease angle" is not decided by rounding.
  const double least = std::cos(std::min(mesh.crease_angle_rad, 3.14159265358979)) - 1e-6;
  constexpr std::uint32_t most_around = 64;  // a point of a huge fan is smoothed over its neighbours in the list
  std::vector<Vec3> made(mesh.corner_points.size(), Vec3::UnitY());
  for (std::size_t f = 0; f < faces; ++f) {
    for (std::uint32_t c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c) {
      const std::uint32_t point = mesh.corner_points[c];
      Vec3 sum = normals[f];
      if (mesh.crease_angle_rad > 0) {
        sum.setZero();
        const std::uint32_t end = std::min(begin[point + 1], begin[point] + most_around);
        for (std::uint32_t i = begin[point]; i < end; ++i) {
          if (normals[around[i]].dot(normals[f]) >= least) sum += normals[around[i]];
        }
        if (sum.norm() < 1e-9) sum = normals[f];
      }
      if (sum.norm() > 1e-9) made[c] = sum.normalized();
    }
  }
  mesh.corner_normals = {std::move(made), {}};
}

AppendReport append_mesh(Part& part, const PolygonMesh& mesh, const Affine& place, std::optional<std::size_t> material,
                         std::uint32_t first_point) {
  AppendReport report;
  const bool uvs = !mesh.corner_uvs.empty(), colours = !mesh.corner_colours.empty();
  const std::size_t before = part.positions.size();
  // A part's arrays are all or nothing: fill up what earlier or later surfaces lack.
  if (uvs && part.uvs.size() < before) part.uvs.resize(before, {0, 0});
  if (colours && part.colours.size() < before) part.colours.resize(before, {1, 1, 1, 1});
  const bool with_uvs = uvs || !part.uvs.empty(), with_colours = colours || !part.colours.empty();
  const Eigen::Matrix3d linear = place.linear();
  Eigen::Matrix3d cofactor;  // turns normals also where scale is uneven or mirrors
  cofactor.col(0) = linear.col(1).cross(linear.col(2));
  cofactor.col(1) = linear.col(2).cross(linear.col(0));
  cofactor.col(2) = linear.col(0).cross(linear.col(1));
  const bool flip = (linear.determinant() < 0) == mesh.counter_clockwise;

  // Vertices of each point form a short list: a corner takes the one that is equal in everything, or adds one.
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> first(mesh.points.size(), none), next, corner_of;
  std::vector<std::uint32_t> vertex(mesh.corner_points.size());
  const auto same = [&](std::size_t a, std::size_t b) {
    return mesh.corner_normals[a] == mesh.corner_normals[b] && (!uvs || mesh.corner_uvs[a] == mesh.corner_uvs[b]) &&
           (!colours || mesh.corner_colours[a] == mesh.corner_colours[b]);
  };
  // Most points become one vertex, or a few at seams.
  part.positions.reserve(before + std::min(mesh.points.size(), mesh.corner_points.size()));
  part.normals.reserve(part.positions.capacity());
  part.points.reserve(part.positions.capacity());
  for (std::size_t c = 0; c < mesh.corner_points.size(); ++c) {
    const std::uint32_t point = mesh.corner_points[c];
    std::uint32_t found = first[point];
    // A point with very many different corners is not searched to the end: a double more costs less than the search.
    for (int steps = 0; found != none && !same(corner_of[found], c); ++steps) found = steps < 64 ? next[found] : none;
    if (found != none) {
      vertex[c] = static_cast<std::uint32_t>(before) + found;
      continue;
    }
    const auto fresh = static_cast<std::uint32_t>(corner_of.size());
    corner_of.push_back(static_cast<std::uint32_t>(c));
    next.push_back(first[point]);
    first[point] = fresh;
    vertex[c] = static_cast<std::uint32_t>(before) + fresh;
    part.positions.push_back(place * mesh.points[point]);
    const Vec3 turned = (linear.determinant() < 0 ? -1.0 : 1.0) * (cofactor * mesh.corner_normals[c]);
    part.normals.push_back(turned.norm() > 1e-30 ? Vec3(turned.normalized()) : Vec3::UnitY());
    part.points.push_back(first_point + point);
    if (with_uvs)
      part.uvs.push_back(uvs ? std::array<double, 2>{mesh.corner_uvs[c][0], 1 - mesh.corner_uvs[c][1]} : std::array<double, 2>{0, 0});
    if (with_colours) part.colours.push_back(colours ? mesh.corner_colours[c] : std::array<double, 4>{1, 1, 1, 1});
  }
  Surface surface;
  surface.material = material;
  std::vector<Vec3> polygon;
  for (std::size_t f = 0; f < mesh.faces(); ++f) {
    const std::uint32_t begin = mesh.face_begin[f], count = mesh.face_begin[f + 1] - begin;
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const Vec3 &p = part.positions[vertex[begin + a]], &q = part.positions[vertex[begin + b]], &r = part.positions[vertex[begin + c]];
      if ((q - p).cross(r - p).norm() <= 0) {
        ++report.degenerate;
        return;
      }
      if (flip) {
        surface.triangles.push_back({vertex[begin + a], vertex[begin + c], vertex[begin + b]});
      } else {
        surface.triangles.push_back({vertex[begin + a], vertex[begin + b], vertex[begin + c]});
      }
    };
    if (count == 3) {
      add(0, 1, 2);
      continue;
    }
    polygon.clear();
    for (std::uint32_t i = 0; i < count; ++i) polygon.push_back(mesh.points[mesh.corner_points[begin + i]]);
    for (const auto& triangle : triangulate(polygon, mesh.convex)) add(triangle[0], triangle[1], triangle[2]);
  }
  if (!surface.triangles.empty()) part.surfaces.push_back(std::move(surface));
  return report;
}

double linear_of(double coded) noexcept {
  return coded <= 0.04045 ? coded / 12.92 : std::pow((coded + 0.055) / 1.055, 2.4);
}
double coded_of(double linear) noexcept {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace vesalius::hanim
