// Box, Sphere, Cylinder, Cone, ElevationGrid and Extrusion as polygons.
#include <cmath>
#include <numbers>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/mesh.hpp"

namespace vesalius::hanim {
namespace {

constexpr int around = 24;  // sides of round shapes
constexpr double pi = std::numbers::pi;

/// Adds a face with normals of its own.
void face(PolygonMesh& mesh, std::initializer_list<std::uint32_t> points, std::initializer_list<Vec3> normals) {
  mesh.corner_points.insert(mesh.corner_points.end(), points);
  mesh.corner_normals.values.insert(mesh.corner_normals.values.end(), normals);
  mesh.end_face();
}

PolygonMesh box(const Vec3& size) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.emplace_back((i & 1 ? 0.5 : -0.5) * size.x(), (i & 2 ? 0.5 : -0.5) * size.y(), (i & 4 ? 0.5 : -0.5) * size.z());
  const auto side = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, const Vec3& n) {
    face(mesh, {a, b, c, d}, {n, n, n, n});
  };
  side(4, 5, 7, 6, Vec3::UnitZ());
  side(1, 0, 2, 3, -Vec3::UnitZ());
  side(5, 1, 3, 7, Vec3::UnitX());
  side(0, 4, 6, 2, -Vec3::UnitX());
  side(6, 7, 3, 2, Vec3::UnitY());
  side(0, 1, 5, 4, -Vec3::UnitY());
  return mesh;
}

PolygonMesh sphere(double radius) {
  PolygonMesh mesh;
  constexpr int rows = around / 2;
  const auto direction = [](int row, int column) {
    const double t = pi * row / rows, p = 2 * pi * column / around;
    return Vec3(std::sin(t) * std::sin(p), std::cos(t), std::sin(t) * std::cos(p));
  };
  mesh.points.push_back(Vec3(0, radius, 0));
  for (int row = 1; row < rows; ++row) {
    for (int column = 0; column < around; ++column) mesh.points.push_back(radius * direction(row, column));
  }
  mesh.points.push_back(Vec3(0, -radius, 0));
  const auto point = [&](int row, int column) -> std::uint32_t {
    if (row == 0) return 0;
    if (row == rows) return static_cast<std::uint32_t>(mesh.points.size() - 1);
    return static_cast<std::uint32_t>(1 + (row - 1) * around + column % around);
  };
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < around; ++column) {
      const Vec3 a = direction(row, column), b = direction(row + 1, column), c = direction(row + 1, column + 1),
                 d = direction(row, column + 1);
      if (row == 0) {
        face(mesh, {0, point(1, column), point(1, column + 1)}, {Vec3::UnitY(), b, c});
      } else if (row == rows - 1) {
        face(mesh, {point(row, column), point(rows, 0), point(row, column + 1)}, {a, -Vec3::UnitY(), d});
      } else {
        face(mesh, {point(row, column), point(row + 1, column), point(row + 1, column + 1), point(row, column + 1)}, {a, b, c, d});
      }
    }
  }
  return mesh;
}

/// A cone (top radius 0) or cylinder along y.
PolygonMesh barrel(double bottom_radius, double top_radius, double height, bool side, bool bottom, bool top) {
  PolygonMesh mesh;
  const double half = height / 2;
  const auto direction = [](int column) { return Vec3(std::sin(2 * pi * column / around), 0, std::cos(2 * pi * column / around)); };
  const auto slope = [&](double column) {
    const Vec3 d(std::sin(2 * pi * column / around), 0, std::cos(2 * pi * column / around));
    return Vec3(d * height + Vec3::UnitY() * (bottom_radius - top_radius)).normalized();
  };
  for (int column = 0; column < around; ++column) mesh.points.push_back(bottom_radius * direction(column) - half * Vec3::UnitY());
  for (int column = 0; column < around; ++column) mesh.points.push_back(top_radius * direction(column) + half * Vec3::UnitY());
  for (int column = 0; column < around && side; ++column) {
    const auto a = static_cast<std::uint32_t>(column), b = static_cast<std::uint32_t>((column + 1) % around);
    if (top_radius == 0) {
      face(mesh, {a, b, around + a}, {slope(column), slope(column + 1), slope(column + 0.5)});
    } else {
      face(mesh, {a, b, around + b, around + a}, {slope(column), slope(column + 1), slope(column + 1), slope(column)});
    }
  }
  const auto lid = [&](bool upper) {
    for (int column = 0; column < around; ++column) {
      mesh.corner_points.push_back(static_cast<std::uint32_t>(upper ? around + column : around - 1 - column));
      mesh.corner_normals.values.push_back(upper ? Vec3(Vec3::UnitY()) : Vec3(-Vec3::UnitY()));
    }
    mesh.end_face();
  };
  if (bottom) lid(false);
  if (top && top_radius > 0) lid(true);
  return mesh;
}

std::optional<PolygonMesh> elevation_grid(const Reading& reading, const Node& node) {
  const auto columns = static_cast<std::int64_t>(reading.number(node, "xDimension", 0)),
             rows = static_cast<std::int64_t>(reading.number(node, "zDimension", 0));
  const auto heights = reading.numbers(node, "height");
  if (columns < 2 || rows < 2 || columns > 100'000 || rows > 100'000 || columns * rows > std::ssize(heights)) return std::nullopt;
  const double dx = reading.number(node, "xSpacing", 1), dz = reading.number(node, "zSpacing", 1);
  PolygonMesh mesh;
  mesh.crease_angle_rad = reading.number(node, "creaseAngle", 0);
  mesh.counter_clockwise = reading.boolean(node, "ccw", true);
  for (std::int64_t z = 0; z < rows; ++z) {
    for (std::int64_t x = 0; x < columns; ++x)
      mesh.points.emplace_back(dx * static_cast<double>(x), heights[static_cast<std::size_t>(z * columns + x)],
                               dz * static_cast<double>(z));
  }
  for (std::int64_t z = 0; z + 1 < rows; ++z) {
    for (std::int64_t x = 0; x + 1 < columns; ++x) {
      const auto a = static_cast<std::uint32_t>(z * columns + x), b = static_cast<std::uint32_t>((z + 1) * columns + x);
      for (const std::uint32_t p : {a, b, b + 1, a + 1}) mesh.corner_points.push_back(p);
      mesh.end_face();
    }
  }
  make_normals(mesh);
  return mesh;
}

std::optional<PolygonMesh> extrusion(const Reading& reading, const Node& node) {
  auto section = reading.numbers(node, "crossSection"), spine_values = reading.numbers(node, "spine");
  auto scales = reading.numbers(node, "scale"), turns = reading.numbers(node, "orientation");
  if (section.empty()) section = {1, 1, 1, -1, -1, -1, -1, 1, 1, 1};
  if (spine_values.empty()) spine_values = {0, 0, 0, 0, 1, 0};
  const std::size_t corners = section.size() / 2, steps = spine_values.size() / 3;
  if (corners < 2 || steps < 2 || corners > 100'000 || steps > 10'000'000 / corners) return std::nullopt;
  if (!reading.within_budget(4 * corners * steps, node)) return std::nullopt;
  std::vector<Vec3> spine;
  for (std::size_t s = 0; s < steps; ++s) spine.emplace_back(spine_values[3 * s], spine_values[3 * s + 1], spine_values[3 * s + 2]);
  const bool closed = (spine.front() - spine.back()).norm() < 1e-9;
  // Spine-aligned planes: y along the spine, z by how it bends; where it is straight the last plane goes on.
  std::vector<Eigen::Matrix3d> planes(steps, Eigen::Matrix3d::Identity());
  Vec3 last_z = Vec3::Zero();
  std::vector<bool> bends(steps, false);
  const auto at = [&](std::ptrdiff_t s) {
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(steps);
    if (closed) return spine[static_cast<std::size_t>((s + (n - 1)) % (n - 1))];
    return spine[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(s, 0, n - 1))];
  };
  for (std::size_t s = 0; s < steps; ++s) {
    const auto i = static_cast<std::ptrdiff_t>(s);
    Vec3 y = at(i + 1) - at(i - 1);
    if (y.norm() < 1e-12) y = Vec3::UnitY();
    y.normalize();
    Vec3 z = (at(i + 1) - at(i)).cross(at(i - 1) - at(i));
    bends[s] = z.norm() > 1e-12;
    if (bends[s]) {
      z.normalize();
      if (last_z.dot(z) < 0) z = -z;
      last_z = z;
    }
    planes[s].col(1) = y;
    planes[s].col(2) = bends[s] ? z : Vec3::Zero();
  }
  Vec3 z = Vec3::Zero();
  for (std::size_t s = 0; s < steps && z.isZero(0); ++s) {
    if (bends[s]) z = planes[s].col(2);
  }
  for (std::size_t s = 0; s < steps; ++s) {
    const Vec3 y = planes[s].col(1);
    if (bends[s]) z = planes[s].col(2);
    Vec3 own = z;
    if (own.isZero(0)) own = least_rotation(Vec3::UnitY(), y) * Vec3::UnitZ();
    own = (own - y * own.dot(y)).normalized();
    planes[s].col(2) = own;
    planes[s].col(0) = y.cross(own);
  }
  PolygonMesh mesh;
  mesh.crease_angle_rad = reading.number(node, "creaseAngle", 0);
  mesh.counter_clockwise = reading.boolean(node, "ccw", true);
  mesh.convex = reading.boolean(node, "convex", true);
  for (std::size_t s = 0; s < steps; ++s) {
    Eigen::Matrix3d plane = planes[s];
    if (turns.size() >= 4) {
      const std::size_t k = turns.size() / 4 > s ? s : 0;
      const Vec3 axis(turns[4 * k], turns[4 * k + 1], turns[4 * k + 2]);
      if (axis.norm() > 1e-12) plane = plane * Eigen::AngleAxisd(turns[4 * k + 3], axis.normalized()).toRotationMatrix();
    }
    double sx = 1, sz = 1;
    if (scales.size() >= 2) {
      const std::size_t k = scales.size() / 2 > s ? s : 0;
      sx = scales[2 * k];
      sz = scales[2 * k + 1];
    }
    for (std::size_t c = 0; c < corners; ++c)
      mesh.points.push_back(spine[s] + plane * Vec3(sx * section[2 * c], 0, sz * section[2 * c + 1]));
  }
  const auto point = [&](std::size_t s, std::size_t c) { return static_cast<std::uint32_t>(s * corners + c); };
  for (std::size_t s = 0; s + 1 < steps; ++s) {
    for (std::size_t c = 0; c + 1 < corners; ++c) {
      for (const std::uint32_t p : {point(s, c), point(s, c + 1), point(s + 1, c + 1), point(s + 1, c)}) mesh.corner_points.push_back(p);
      mesh.end_face();
    }
  }
  const bool ring = std::abs(section[0] - section[2 * corners - 2]) + std::abs(section[1] - section[2 * corners - 1]) < 1e-12;
  const std::size_t lid = ring ? corners - 1 : corners;
  if (reading.boolean(node, "beginCap", true) && lid >= 3) {
    for (std::size_t c = lid; c-- > 0;) mesh.corner_points.push_back(point(0, c));
    mesh.end_face();
  }
  if (reading.boolean(node, "endCap", true) && lid >= 3) {
    for (std::size_t c = 0; c < lid; ++c) mesh.corner_points.push_back(point(steps - 1, c));
    mesh.end_face();
  }
  make_normals(mesh);
  return mesh;
}

}  // namespace

std::optional<PolygonMesh> read_primitive(const Reading& reading, const Node& geometry) {
  const std::string_view type = geometry.type;
  if (type == "Box") return box(reading.vec3(geometry, "size", Vec3(2, 2, 2)));
  if (type == "Sphere") return sphere(reading.number(geometry, "radius", 1));
  if (type == "Cylinder") {
    const double radius = reading.number(geometry, "radius", 1);
    return barrel(radius, radius, reading.number(geometry, "height", 2), reading.boolean(geometry, "side", true),
                  reading.boolean(geometry, "bottom", true), reading.boolean(geometry, "top", true));
  }
  if (type == "Cone") {
    return barrel(reading.number(geometry, "bottomRadius", 1), 0, reading.number(geometry, "height", 2),
                  reading.boolean(geometry, "side", true), reading.boolean(geometry, "bottom", true), false);
  }
  if (type == "ElevationGrid") return elevation_grid(reading, geometry);
  if (type == "Extrusion") return extrusion(reading, geometry);
  return std::nullopt;
}

}  // namespace vesalius::hanim
