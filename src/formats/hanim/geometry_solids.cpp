// Box, Sphere, Cylinder, Cone, ElevationGrid and Extrusion as polygons.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/geometry.hpp"

namespace vesalius::hanim {
namespace {

constexpr std::uint32_t around = 24, along = 12;  ///< facets of round solids
constexpr std::size_t most_cells = 4'000'000;     ///< of grids and extrusions

/// Collects points with normals and texture coordinates, each point with its own.
class Maker {
 public:
  explicit Maker(PolygonMesh& mesh) : mesh_(mesh) {}
  std::uint32_t point(const Vec3& at, const Vec3& normal, double s, double t) {
    mesh_.own_points.insert(mesh_.own_points.end(), {at.x(), at.y(), at.z()});
    mesh_.own_normals.insert(mesh_.own_normals.end(), {normal.x(), normal.y(), normal.z()});
    mesh_.own_uvs.insert(mesh_.own_uvs.end(), {s, t});
    return static_cast<std::uint32_t>(mesh_.own_points.size() / 3 - 1);
  }
  void face(std::initializer_list<std::uint32_t> corners) {
    mesh_.corner_point.insert(mesh_.corner_point.end(), corners);
    mesh_.end_face();
  }

 private:
  PolygonMesh& mesh_;
};

void box(const Vec3& size, PolygonMesh& mesh) {
  Maker make(mesh);
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      Vec3 n = Vec3::Zero();
      n[axis] = sign;
      // Right and up of each side as seen from outside; top and bottom have z for up.
      const Vec3 up = axis == 1 ? Vec3(0, 0, -sign) : Vec3(0, 1, 0);
      const Vec3 right = up.cross(n);
      std::array<std::uint32_t, 4> c{};
      constexpr std::array<std::array<double, 2>, 4> corners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
      for (std::size_t i = 0; i < 4; ++i) {
        const auto [s, t] = corners[i];
        c[i] = make.point((n + (2 * s - 1) * right + (2 * t - 1) * up).cwiseProduct(size) / 2, n, s, t);
      }
      make.face({c[0], c[1], c[2], c[3]});
    }
  }
}

void sphere(double radius, PolygonMesh& mesh) {
  Maker make(mesh);
  for (std::uint32_t i = 0; i <= along; ++i) {
    const double latitude = std::numbers::pi * (static_cast<double>(i) / along - 0.5);
    for (std::uint32_t j = 0; j <= around; ++j) {
      const double turn = 2 * std::numbers::pi * j / around;  // from the back, counter-clockwise seen from above
      const Vec3 n(-std::cos(latitude) * std::sin(turn), std::sin(latitude), -std::cos(latitude) * std::cos(turn));
      make.point(radius * n, n, static_cast<double>(j) / around, static_cast<double>(i) / along);
    }
  }
  for (std::uint32_t i = 0; i < along; ++i) {
    for (std::uint32_t j = 0; j < around; ++j) {
      const std::uint32_t a = i * (around + 1) + j, b = a + around + 1;
      if (i == 0) {
        make.face({a, b + 1, b});
      } else if (i + 1 == along) {
        make.face({a, a + 1, b});
      } else {
        make.face({a, a + 1, b + 1, b});
      }
    }
  }
}

/// A round side from the bottom radius to the top radius, with caps.
void cylinder(double bottom, double top, double height, bool has_side, bool has_bottom, bool has_top, PolygonMesh& mesh) {
  Maker make(mesh);
  const double half = height / 2;
  const auto direction = [](std::uint32_t j) {
    const double turn = 2 * std::numbers::pi * j / around;
    return Vec3(-std::sin(turn), 0, -std::cos(turn));
  };
  if (has_side) {
    std::vector<std::uint32_t> low, high;
    for (std::uint32_t j = 0; j <= around; ++j) {
      const Vec3 d = direction(j);
      const Vec3 n = (height * d + Vec3(0, bottom - top, 0)).normalized();
      low.push_back(make.point(bottom * d - half * Vec3::UnitY(), n, static_cast<double>(j) / around, 0));
      high.push_back(make.point(top * d + half * Vec3::UnitY(), n, static_cast<double>(j) / around, 1));
    }
    for (std::uint32_t j = 0; j < around; ++j) {
      if (top == 0) {
        make.face({low[j], low[j + 1], high[j]});
      } else {
        make.face({low[j], low[j + 1], high[j + 1], high[j]});
      }
    }
  }
  const auto cap = [&](double radius, double y, double sign) {
    const Vec3 n(0, sign, 0);
    const std::uint32_t middle = make.point(Vec3(0, y, 0), n, 0.5, 0.5);
    std::uint32_t first = 0, before = 0;
    for (std::uint32_t j = 0; j < around; ++j) {
      const Vec3 d = direction(j);
      const std::uint32_t at = make.point(radius * d + Vec3(0, y, 0), n, 0.5 + 0.5 * d.x(), 0.5 - sign * 0.5 * d.z());
      if (j == 0) first = at;
      if (j > 0) {
        if (sign > 0) {
          make.face({middle, before, at});
        } else {
          make.face({middle, at, before});
        }
      }
      before = at;
    }
    if (sign > 0) {
      make.face({middle, before, first});
    } else {
      make.face({middle, first, before});
    }
  };
  if (has_top && top > 0) cap(top, half, 1);
  if (has_bottom && bottom > 0) cap(bottom, -half, -1);
}

bool grid(Reading& in, const x3d::Node& node, PolygonMesh& mesh) {
  const double columns_given = read_double(in, node, "xDimension").value_or(0),
               rows_given = read_double(in, node, "zDimension").value_or(0);
  std::vector<double> heights;
  read_doubles(in, node, "height", heights);
  if (!(columns_given >= 2) || !(rows_given >= 2) || columns_given * rows_given > static_cast<double>(most_cells)) return false;
  const auto columns = static_cast<std::uint32_t>(columns_given), rows = static_cast<std::uint32_t>(rows_given);
  if (heights.size() < std::size_t{columns} * rows) return false;
  const double dx = read_double(in, node, "xSpacing").value_or(1), dz = read_double(in, node, "zSpacing").value_or(1);
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      mesh.own_points.insert(mesh.own_points.end(), {dx * c, heights[std::size_t{r} * columns + c], dz * r});
      mesh.own_uvs.insert(mesh.own_uvs.end(), {static_cast<double>(c) / (columns - 1), static_cast<double>(r) / (rows - 1)});
    }
  }
  for (std::uint32_t r = 0; r + 1 < rows; ++r) {
    for (std::uint32_t c = 0; c + 1 < columns; ++c) {
      const std::uint32_t a = r * columns + c;
      for (const std::uint32_t p : {a, a + columns, a + columns + 1, a + 1}) mesh.corner_point.push_back(p);
      mesh.end_face();
    }
  }
  mesh.ccw = read_bool(node, "ccw", true);
  mesh.crease_rad = read_double(in, node, "creaseAngle").value_or(0);
  return true;
}

/// Cross-section frames along the spine (ISO/IEC 19775-1, 13.3.5).
bool extrusion(Reading& in, const x3d::Node& node, PolygonMesh& mesh) {
  std::vector<double> section{1, 1, 1, -1, -1, -1, -1, 1, 1, 1}, spine_values{0, 0, 0, 0, 1, 0}, scales{1, 1}, turns{0, 0, 1, 0}, given;
  const auto replace = [&](std::string_view field, std::vector<double>& values) {
    read_doubles(in, node, field, given);
    if (!given.empty()) values = given;
  };
  replace("crossSection", section);
  replace("spine", spine_values);
  replace("scale", scales);
  replace("orientation", turns);
  const std::size_t n = spine_values.size() / 3, m = section.size() / 2;
  if (n < 2 || m < 2 || scales.size() < 2 || turns.size() < 4 || n * m > most_cells) return false;
  std::vector<Vec3> spine(n);
  for (std::size_t i = 0; i < n; ++i) spine[i] = Vec3(spine_values[3 * i], spine_values[3 * i + 1], spine_values[3 * i + 2]);
  const bool closed = (spine.front() - spine.back()).norm() == 0 && n > 2;
  const bool section_closed = section[0] == section[2 * m - 2] && section[1] == section[2 * m - 1] && m > 2;
  Vec3 last_z = Vec3::Zero();
  std::vector<Vec3> ys(n), zs(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& before = i > 0 ? spine[i - 1] : closed ? spine[n - 2] : spine[0];
    const Vec3& after = i + 1 < n ? spine[i + 1] : closed ? spine[1] : spine[n - 1];
    Vec3 y = after - before;
    ys[i] = y.norm() > 1e-12 ? Vec3(y.normalized()) : i > 0 ? ys[i - 1] : Vec3(Vec3::UnitY());
    Vec3 z = (after - spine[i]).cross(before - spine[i]);
    if (z.norm() > 1e-9 * (1 + y.squaredNorm())) {
      z.normalize();
      if (last_z.dot(z) < 0) z = -z;
      last_z = z;
    } else {
      z = last_z;
    }
    zs[i] = z;
  }
  // Straight beginnings take the first z found; a wholly straight spine turns the section's plane by the least rotation.
  Vec3 first_z = Vec3::Zero();
  for (const Vec3& z : zs) {
    if (!z.isZero()) {
      first_z = z;
      break;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 z = zs[i].isZero() ? first_z : zs[i];
    if (z.isZero()) z = least_rotation(Vec3::UnitY(), ys[i]) * Vec3::UnitZ();
    z = (z - z.dot(ys[i]) * ys[i]);
    z = z.norm() > 1e-12 ? Vec3(z.normalized()) : ys[i].unitOrthogonal();
    Eigen::Matrix3d frame;
    frame << ys[i].cross(z), ys[i], z;
    const std::size_t k = scales.size() / 2 > 1 ? std::min(i, scales.size() / 2 - 1) : 0;
    const std::size_t o = turns.size() / 4 > 1 ? std::min(i, turns.size() / 4 - 1) : 0;
    const Quat turn = from_axis_angle(&turns[4 * o]);
    for (std::size_t j = 0; j < m; ++j) {
      const Vec3 at = spine[i] + frame * (turn * Vec3(section[2 * j] * scales[2 * k], 0, section[2 * j + 1] * scales[2 * k + 1]));
      mesh.own_points.insert(mesh.own_points.end(), {at.x(), at.y(), at.z()});
      mesh.own_uvs.insert(mesh.own_uvs.end(),
                          {static_cast<double>(j) / static_cast<double>(m - 1), static_cast<double>(i) / static_cast<double>(n - 1)});
    }
  }
  const auto id = [&](std::size_t i, std::size_t j) { return static_cast<std::uint32_t>(i * m + j); };
  // Closed outlines share their first point, so that the surface is smooth across the seam.
  const auto wrap_j = [&](std::size_t j) { return section_closed && j == m - 1 ? std::size_t{0} : j; };
  const auto wrap_i = [&](std::size_t i) { return closed && i == n - 1 ? std::size_t{0} : i; };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    for (std::size_t j = 0; j + 1 < m; ++j) {
      const std::size_t i2 = i + 1;
      for (const std::uint32_t p : {id(i, j), id(wrap_i(i2), j), id(wrap_i(i2), wrap_j(j + 1)), id(i, wrap_j(j + 1))}) {
        mesh.corner_point.push_back(p);
      }
      // The section of a solid runs counter-clockwise seen from the end of the spine.
      std::reverse(mesh.corner_point.end() - 4, mesh.corner_point.end());
      for (auto c = mesh.corner_point.end() - 4; c != mesh.corner_point.end(); ++c) {
        const bool seam_j = section_closed && j + 2 == m && *c % m == 0;
        const bool seam_i = closed && i2 == n - 1 && *c / m == 0 && i != 0;
        mesh.corner_uv.push_back(static_cast<std::uint32_t>((seam_i ? n - 1 : *c / m) * m + (seam_j ? m - 1 : *c % m)));
      }
      mesh.end_face();
    }
  }
  const std::size_t outline = section_closed ? m - 1 : m;
  if (!closed && outline >= 3) {
    const auto cap = [&](std::size_t i, bool reversed) {
      for (std::size_t j = 0; j < outline; ++j) {
        mesh.corner_point.push_back(id(i, reversed ? outline - 1 - j : j));
        mesh.corner_uv.push_back(mesh.corner_point.back());
      }
      mesh.end_face();
    };
    if (read_bool(node, "beginCap", true)) cap(0, true);
    if (read_bool(node, "endCap", true)) cap(n - 1, false);
  }
  mesh.ccw = read_bool(node, "ccw", true);
  mesh.crease_rad = read_double(in, node, "creaseAngle").value_or(0);
  return true;
}

}  // namespace

bool read_solid(Reading& in, const x3d::Node& node, PolygonMesh& mesh) {
  const std::string_view type = node.type;
  const auto positive = [&](std::string_view field, double otherwise) {
    const double value = read_double(in, node, field).value_or(otherwise);
    return value > 0 ? value : otherwise;
  };
  if (type == "Box") {
    box(read_vec3(in, node, "size").value_or(Vec3(2, 2, 2)), mesh);
  } else if (type == "Sphere") {
    sphere(positive("radius", 1), mesh);
  } else if (type == "Cylinder") {
    const double radius = positive("radius", 1);
    cylinder(radius, radius, positive("height", 2), read_bool(node, "side", true), read_bool(node, "bottom", true),
             read_bool(node, "top", true), mesh);
  } else if (type == "Cone") {
    cylinder(positive("bottomRadius", 1), 0, positive("height", 2), read_bool(node, "side", true), read_bool(node, "bottom", true), false,
             mesh);
  } else if (type == "ElevationGrid" || type == "Extrusion") {
    if (!(type == "Extrusion" ? extrusion(in, node, mesh) : grid(in, node, mesh))) {
      in.sink.warning(codes::hanim_dropped_geometry, std::string(type) + " is left out: its dimensions and values do not fit together",
                      in.scene.locate(node));
    }
    mesh.points = mesh.own_points;
    mesh.uvs = mesh.own_uvs;
    mesh.solid = read_bool(node, "solid", true);
    return true;
  } else {
    return false;
  }
  mesh.use_own();
  mesh.solid = read_bool(node, "solid", true);
  return true;
}

}  // namespace vesalius::hanim
