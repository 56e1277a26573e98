#include "mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace samples {
namespace {

/// Values of a field on a regular grid and the surface net through the cells that the surface passes.
class SurfaceNet {
 public:
  SurfaceNet(const Field& field, const Box& box, double cell) : low_(box.low), cell_(cell) {
    for (int axis = 0; axis < 3; ++axis) count_[axis] = static_cast<int>(std::ceil((box.high[axis] - box.low[axis]) / cell)) + 1;
    values_.resize(static_cast<std::size_t>(count_[0]) * count_[1] * count_[2]);
    for (int z = 0; z < count_[2]; ++z)
      for (int y = 0; y < count_[1]; ++y)
        for (int x = 0; x < count_[0]; ++x) values_[index(x, y, z)] = field(place(x, y, z));
  }

  [[nodiscard]] Mesh mesh() {
    Mesh mesh;
    cell_vertex_.assign(values_.size(), -1);
    for (int z = 0; z + 1 < count_[2]; ++z)
      for (int y = 0; y + 1 < count_[1]; ++y)
        for (int x = 0; x + 1 < count_[0]; ++x) add_vertex(x, y, z, mesh);
    for (int z = 1; z + 1 < count_[2]; ++z)
      for (int y = 1; y + 1 < count_[1]; ++y)
        for (int x = 1; x + 1 < count_[0]; ++x)
          for (int axis = 0; axis < 3; ++axis) add_quad({x, y, z}, axis, mesh);
    return mesh;
  }

 private:
  [[nodiscard]] std::size_t index(int x, int y, int z) const { return (static_cast<std::size_t>(z) * count_[1] + y) * count_[0] + x; }
  [[nodiscard]] Vec3 place(int x, int y, int z) const { return low_ + cell_ * Vec3(x, y, z); }

  void add_vertex(int x, int y, int z, Mesh& mesh) {
    Vec3 sum = Vec3::Zero();
    int crossings = 0;
    for (int corner = 0; corner < 8; ++corner) {
      for (int axis = 0; axis < 3; ++axis) {
        if (corner & (1 << axis)) continue;
        const int other = corner | (1 << axis);
        const auto value = [&](int c) { return values_[index(x + (c & 1), y + ((c >> 1) & 1), z + ((c >> 2) & 1))]; };
        const double a = value(corner);
        const double b = value(other);
        if ((a < 0) == (b < 0)) continue;
        const Vec3 from = place(x + (corner & 1), y + ((corner >> 1) & 1), z + ((corner >> 2) & 1));
        sum += from + cell_ * (a / (a - b)) * Vec3::Unit(axis);
        ++crossings;
      }
    }
    if (crossings == 0) return;
    cell_vertex_[index(x, y, z)] = static_cast<int>(mesh.points.size());
    mesh.points.push_back(sum / crossings);
  }

  /// The quadrilateral across the grid edge that starts at `at`, if the surface crosses that edge.
  void add_quad(std::array<int, 3> at, int axis, Mesh& mesh) {
    std::array<int, 3> end = at;
    ++end[axis];
    const bool inside = values_[index(at[0], at[1], at[2])] < 0;
    if (inside == (values_[index(end[0], end[1], end[2])] < 0)) return;
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    std::array<int, 4> corner{};
    constexpr std::array<std::array<int, 2>, 4> around{{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}};
    for (int i = 0; i < 4; ++i) {
      std::array<int, 3> cell = at;
      cell[u] += around[i][0];
      cell[v] += around[i][1];
      corner[i] = cell_vertex_[index(cell[0], cell[1], cell[2])];
    }
    if (!inside) std::swap(corner[1], corner[3]);
    const auto length = [&](int a, int b) { return (mesh.points[corner[a]] - mesh.points[corner[b]]).squaredNorm(); };
    if (length(0, 2) <= length(1, 3)) {
      mesh.triangles.push_back({corner[0], corner[1], corner[2]});
      mesh.triangles.push_back({corner[0], corner[2], corner[3]});
    } else {
      mesh.triangles.push_back({corner[0], corner[1], corner[3]});
      mesh.triangles.push_back({corner[1], corner[2], corner[3]});
    }
  }

  Vec3 low_;
  double cell_;
  std::array<int, 3> count_{};
  std::vector<double> values_;
  std::vector<int> cell_vertex_;
};

/// Edge collapse by quadric error.
class Decimator {
 public:
  explicit Decimator(Mesh& mesh)
      : mesh_(mesh), quadric_(mesh.points.size(), Eigen::Matrix4d::Zero()), faces_of_(mesh.points.size()), version_(mesh.points.size(), 0) {
    alive_.assign(mesh.triangles.size(), true);
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
      const auto& t = mesh.triangles[f];
      Vec3 normal = (mesh.points[t[1]] - mesh.points[t[0]]).cross(mesh.points[t[2]] - mesh.points[t[0]]);
      const double area = normal.norm();
      for (const int v : t) faces_of_[v].push_back(static_cast<int>(f));
      if (area < 1e-14) continue;
      normal /= area;
      Eigen::Vector4d plane;
      plane << normal, -normal.dot(mesh.points[t[0]]);
      for (const int v : t) quadric_[v] += area * plane * plane.transpose();
    }
    left_ = mesh.triangles.size();
  }

  void run(std::size_t triangle_count) {
    for (const auto& t : mesh_.triangles)
      for (int i = 0; i < 3; ++i)
        if (t[i] < t[(i + 1) % 3]) push(t[i], t[(i + 1) % 3]);
    while (left_ > triangle_count && !queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (version_[best.a] != best.version_a || version_[best.b] != best.version_b) continue;
      if (allowed(best)) collapse(best);
    }
    compact();
  }

 private:
  struct Candidate {
    double cost;
    int a, b;
    int version_a, version_b;
    Vec3 place;
    bool operator<(const Candidate& other) const {
      // Ties go by number, so that the result does not depend on the queue.
      if (cost != other.cost) return cost > other.cost;
      if (a != other.a) return a > other.a;
      return b > other.b;
    }
  };

  void push(int a, int b) {
    const Eigen::Matrix4d q = quadric_[a] + quadric_[b];
    const auto cost_at = [&](const Vec3& p) {
      Eigen::Vector4d h;
      h << p, 1;
      return h.dot(q * h);
    };
    const Vec3 middle = (mesh_.points[a] + mesh_.points[b]) / 2;
    const double length2 = (mesh_.points[a] - mesh_.points[b]).squaredNorm();
    Vec3 place = middle;
    double cost = cost_at(middle);
    // A little of the middle is mixed in, which keeps the solution near the edge where the surface is flat.
    const double hold = 1e-3 * q.topLeftCorner<3, 3>().trace();
    if (hold > 0) {
      const Eigen::Matrix3d m = q.topLeftCorner<3, 3>() + hold * Eigen::Matrix3d::Identity();
      const Vec3 solved = m.ldlt().solve(hold * middle - q.topRightCorner<3, 1>());
      if ((solved - middle).squaredNorm() < 4 * length2 && cost_at(solved) < cost) {
        place = solved;
        cost = cost_at(solved);
      }
    }
    // Short edges first among equals: it keeps the triangles well shaped.
    queue_.push({std::max(cost, 0.0) + 1e-7 * length2 * length2, a, b, version_[a], version_[b], place});
  }

  [[nodiscard]] std::set<int> ring(int vertex) const {
    std::set<int> found;
    for (const int f : faces_of_[vertex])
      for (const int v : mesh_.triangles[f])
        if (v != vertex) found.insert(v);
    return found;
  }

  [[nodiscard]] bool allowed(const Candidate& c) const {
    const std::set<int> ring_a = ring(c.a);
    const std::set<int> ring_b = ring(c.b);
    int shared = 0;
    for (const int v : ring_a) shared += static_cast<int>(ring_b.count(v));
    if (shared != 2 || ring_a.size() + ring_b.size() < 8 || ring_a.size() + ring_b.size() > 20) return false;
    for (const auto& [moving, other] : {std::pair{c.a, c.b}, std::pair{c.b, c.a}}) {
      for (const int f : faces_of_[moving]) {
        const auto& t = mesh_.triangles[f];
        if (t[0] == other || t[1] == other || t[2] == other) continue;
        std::array<Vec3, 3> now{mesh_.points[t[0]], mesh_.points[t[1]], mesh_.points[t[2]]};
        const Vec3 before = (now[1] - now[0]).cross(now[2] - now[0]);
        for (int i = 0; i < 3; ++i)
          if (t[i] == moving) now[i] = c.place;
        const Vec3 after = (now[1] - now[0]).cross(now[2] - now[0]);
        if (after.dot(before) < 0.5 * after.norm() * before.norm()) return false;
        const double longest =
            std::max({(now[1] - now[0]).squaredNorm(), (now[2] - now[1]).squaredNorm(), (now[0] - now[2]).squaredNorm()});
        if (after.norm() < 0.08 * longest) return false;
      }
    }
    return true;
  }

  void collapse(const Candidate& c) {
    mesh_.points[c.a] = c.place;
    quadric_[c.a] += quadric_[c.b];
    ++version_[c.a];
    ++version_[c.b];
    std::vector<int> kept;
    for (const int f : faces_of_[c.a]) {
      const auto& t = mesh_.triangles[f];
      if (t[0] == c.b || t[1] == c.b || t[2] == c.b) continue;
      kept.push_back(f);
    }
    for (const int f : faces_of_[c.b]) {
      auto& t = mesh_.triangles[f];
      if (t[0] == c.a || t[1] == c.a || t[2] == c.a) {
        alive_[f] = false;
        --left_;
        for (const int v : t)
          if (v != c.a && v != c.b) std::erase(faces_of_[v], f);
        continue;
      }
      for (int& v : t)
        if (v == c.b) v = c.a;
      kept.push_back(f);
    }
    faces_of_[c.a] = std::move(kept);
    faces_of_[c.b].clear();
    for (const int v : ring(c.a)) push(std::min(c.a, v), std::max(c.a, v));
  }

  void compact() {
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t f = 0; f < mesh_.triangles.size(); ++f)
      if (alive_[f]) triangles.push_back(mesh_.triangles[f]);
    mesh_.triangles = std::move(triangles);
  }

  Mesh& mesh_;
  std::vector<Eigen::Matrix4d> quadric_;
  std::vector<std::vector<int>> faces_of_;
  std::vector<int> version_;
  std::vector<bool> alive_;
  std::size_t left_ = 0;
  std::priority_queue<Candidate> queue_;
};

void drop_unused_points(Mesh& mesh) {
  std::vector<int> renumbered(mesh.points.size(), -1);
  std::vector<Vec3> points;
  std::vector<Vec3> normals;
  for (auto& t : mesh.triangles) {
    for (int& v : t) {
      if (renumbered[v] < 0) {
        renumbered[v] = static_cast<int>(points.size());
        points.push_back(mesh.points[v]);
        if (!mesh.normals.empty()) normals.push_back(mesh.normals[v]);
      }
      v = renumbered[v];
    }
  }
  mesh.points = std::move(points);
  mesh.normals = std::move(normals);
}

}  // namespace

void decimate(Mesh& mesh, std::size_t triangle_count) {
  Decimator(mesh).run(triangle_count);
  drop_unused_points(mesh);
}

void settle(Mesh& mesh, const Field& field) {
  mesh.normals.clear();
  for (Vec3& p : mesh.points) {
    const Vec3 settled = project(field, p);
    if ((settled - p).norm() < 0.01) p = settled;
    mesh.normals.push_back(gradient_direction(field, p));
  }
}

Mesh polygonise(const Field& field, const Box& box, double cell, std::size_t triangle_count) {
  Mesh mesh = SurfaceNet(field, box, cell).mesh();
  settle(mesh, field);
  decimate(mesh, triangle_count);
  settle(mesh, field);
  return mesh;
}

void remove_hidden(Mesh& mesh, const Field& cover, double depth) {
  std::erase_if(mesh.triangles, [&](const std::array<int, 3>& t) {
    return cover(mesh.points[t[0]]) < -depth && cover(mesh.points[t[1]]) < -depth && cover(mesh.points[t[2]]) < -depth;
  });
  drop_unused_points(mesh);
}

Mesh mirrored(const Mesh& mesh) {
  Mesh other = mesh;
  for (Vec3& p : other.points) p.x() = -p.x();
  for (Vec3& n : other.normals) n.x() = -n.x();
  for (auto& t : other.triangles) std::swap(t[1], t[2]);
  return other;
}

void append(Mesh& mesh, const Mesh& other) {
  const int offset = static_cast<int>(mesh.points.size());
  mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
  mesh.normals.insert(mesh.normals.end(), other.normals.begin(), other.normals.end());
  for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
}

Mesh ball_zone(const Vec3& centre, double radius, double from, double to, int rings, int sides) {
  Mesh mesh;
  constexpr double two_pi = 6.283185307179586;
  const bool has_pole = from <= 0;
  if (has_pole) {
    mesh.points.push_back(centre + Vec3(0, 0, radius));
    mesh.normals.push_back(Vec3::UnitZ());
  }
  for (int ring = has_pole ? 1 : 0; ring <= rings; ++ring) {
    const double polar = from + (to - from) * ring / rings;
    for (int side = 0; side < sides; ++side) {
      const double turn = two_pi * side / sides;
      const Vec3 out(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar));
      mesh.points.push_back(centre + radius * out);
      mesh.normals.push_back(out);
    }
  }
  const int first = has_pole ? 1 : 0;
  const auto at = [&](int ring, int side) { return first + ring * sides + side % sides; };
  if (has_pole)
    for (int side = 0; side < sides; ++side) mesh.triangles.push_back({0, at(0, side), at(0, side + 1)});
  for (int ring = 0; ring + 1 < rings + 1 - first; ++ring) {
    for (int side = 0; side < sides; ++side) {
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side), at(ring + 1, side + 1)});
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side + 1), at(ring, side + 1)});
    }
  }
  return mesh;
}

}  // namespace samples
