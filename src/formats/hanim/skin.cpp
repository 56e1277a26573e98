// The seamless skin: shapes that share skinCoord, bound by the joints' index and weight lists, with the joints' displacers.
#include <algorithm>
#include <cmath>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/part_builder.hpp"
#include "formats/hanim/parts.hpp"

namespace vesalius::hanim {
namespace {

/// A remainder below this is rounding of the printed weights.
constexpr double rounding = 1e-3;

/// Influences of every point of skinCoord, each joint once and in joint order.
Influences point_influences(MeshReading& reading, std::size_t points) {
  Reading& in = reading.in;
  std::vector<std::uint32_t> point_of;
  std::vector<Influence> all;
  std::vector<std::int32_t> indices;
  std::vector<double> weights;
  std::size_t outside = 0, bad = 0;
  Location outside_at, bad_at;
  for (std::size_t j = 0; j < reading.tree.joints.size(); ++j) {
    const x3d::Node& node = *reading.tree.joints[j].node;
    read_ints(in, node, "skinCoordIndex", indices);
    if (indices.empty()) continue;
    read_doubles(in, node, "skinCoordWeight", weights);
    if (weights.empty()) {
      weights.assign(indices.size(), 1.0);
      in.sink.warning(codes::hanim_weight_count, "joint(s) have skinCoordIndex but no skinCoordWeight; weight 1 is taken",
                      in.scene.locate(node));
    } else if (weights.size() != indices.size()) {
      in.sink.warning(codes::hanim_weight_count,
                      "joint '" + std::string(node.def) + "' has " + std::to_string(indices.size()) + " skinCoordIndex and " +
                          std::to_string(weights.size()) + " skinCoordWeight values; what has no partner is left out",
                      in.scene.locate(node));
    }
    const std::size_t count = std::min(indices.size(), weights.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (indices[i] < 0 || static_cast<std::size_t>(indices[i]) >= points) {
        if (outside++ == 0) outside_at = in.scene.locate(node);
        continue;
      }
      if (!(weights[i] >= 0)) {
        if (bad++ == 0) bad_at = in.scene.locate(node);
        continue;
      }
      if (weights[i] == 0) continue;
      point_of.push_back(static_cast<std::uint32_t>(indices[i]));
      all.push_back({joint_index(j), weights[i]});
    }
  }
  if (outside > 0) {
    in.sink.warning(codes::hanim_skin_index,
                    std::to_string(outside) + " weight(s) are for points that skinCoord does not have (it has " + std::to_string(points) +
                        "); they are left out",
                    outside_at);
  }
  if (bad > 0) in.sink.warning(codes::hanim_bad_weight, std::to_string(bad) + " negative weight(s) are left out", bad_at);

  Influences sorted;
  sorted.begin.assign(points + 1, 0);
  for (const std::uint32_t p : point_of) ++sorted.begin[p + 1];
  for (std::size_t p = 0; p < points; ++p) sorted.begin[p + 1] += sorted.begin[p];
  sorted.items.resize(all.size());
  {
    std::vector<std::uint32_t> next(sorted.begin.begin(), sorted.begin.end() - 1);
    for (std::size_t i = 0; i < all.size(); ++i) sorted.items[next[point_of[i]]++] = all[i];
  }
  // Joints came in order, so a joint that lists a point twice has its entries side by side.
  std::uint32_t kept = 0;
  std::size_t above = 0, below = 0, without = 0;
  double worst = 0;
  for (std::size_t p = 0; p < points; ++p) {
    const std::uint32_t from = sorted.begin[p], to = sorted.begin[p + 1];
    sorted.begin[p] = kept;
    const std::uint32_t first = kept;
    double sum = 0;
    for (std::uint32_t i = from; i < to; ++i) {
      sum += sorted.items[i].weight;
      if (kept > first && sorted.items[kept - 1].joint == sorted.items[i].joint) {
        sorted.items[kept - 1].weight += sorted.items[i].weight;
      } else {
        sorted.items[kept++] = sorted.items[i];
      }
    }
    if (kept == first) {
      ++without;
    } else if (std::abs(sum - 1) < rounding) {
      if (std::abs(sum - 1) > 1e-12) {
        for (std::uint32_t i = first; i < kept; ++i) sorted.items[i].weight /= sum;
      }
    } else {
      ++(sum > 1 ? above : below);
      worst = std::max(worst, sum);
    }
  }
  sorted.begin[points] = kept;
  sorted.items.resize(kept);
  if (above > 0) {
    in.sink.warning(codes::hanim_weight_sum, std::to_string(above) + " point(s) have weights that sum up to more than 1 (up to " +
                                                 std::to_string(worst) + "); they are kept");
  }
  if (below > 0) {
    in.sink.note(codes::hanim_weight_sum,
                 std::to_string(below) + " point(s) have weights that sum up to less than 1; the rest stays at its place");
  }
  if (without > 0 && without < points) {
    in.sink.note(codes::hanim_unweighted,
                 std::to_string(without) + " of " + std::to_string(points) + " points have no weight and stay at their place");
  }
  return sorted;
}

/// Parts by ranges of point numbers. Nothing when a triangle crosses ranges.
std::optional<std::vector<Part>> split(const Part& whole, const std::vector<PartRecord>& records) {
  std::vector<Part> parts(records.size());
  std::vector<std::uint32_t> part_of_vertex(whole.positions.size()), new_number(whole.positions.size());
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (const PartRecord& record : records) ends.push_back(end += record.points);
  for (std::size_t v = 0; v < whole.positions.size(); ++v) {
    const std::size_t k = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), whole.points[v]) - ends.begin());
    if (k >= parts.size()) return std::nullopt;
    Part& part = parts[k];
    part_of_vertex[v] = static_cast<std::uint32_t>(k);
    new_number[v] = static_cast<std::uint32_t>(part.positions.size());
    part.positions.push_back(whole.positions[v]);
    part.points.push_back(whole.points[v]);
    if (!whole.normals.empty()) part.normals.push_back(whole.normals[v]);
    if (!whole.uvs.empty()) part.uvs.push_back(whole.uvs[v]);
    if (!whole.colours.empty()) part.colours.push_back(whole.colours[v]);
  }
  for (const Surface& surface : whole.surfaces) {
    std::vector<Surface> pieces(parts.size());
    for (const auto& [a, b, c] : surface.triangles) {
      const std::uint32_t k = part_of_vertex[a];
      if (part_of_vertex[b] != k || part_of_vertex[c] != k) return std::nullopt;
      pieces[k].triangles.push_back({new_number[a], new_number[b], new_number[c]});
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (pieces[k].triangles.empty()) continue;
      pieces[k].material = surface.material;
      parts[k].surfaces.push_back(std::move(pieces[k]));
    }
  }
  // Attributes that only the filled-up side of a mixed skin had do not belong to the others.
  for (std::size_t k = 0; k < parts.size(); ++k) {
    parts[k].name = records[k].name;
    const bool no_uvs = std::ranges::all_of(parts[k].uvs, [](const auto& uv) { return uv == std::array{0.0, 0.0}; });
    const bool no_colours = std::ranges::all_of(parts[k].colours, [](const auto& c) { return c == std::array{1.0, 1.0, 1.0, 1.0}; });
    if (no_uvs) parts[k].uvs.clear();
    if (no_colours) parts[k].colours.clear();
  }
  return parts;
}

/// The node whose points the joints' lists number: skinCoord, else that of the first shape of the skin.
const x3d::Node* shared_coord(MeshReading& reading) {
  if (const x3d::Node* coord = read_node(reading.humanoid, "skinCoord")) return coord;
  for (const ShapeNode& shape : reading.tree.skin) {
    const x3d::Node* geometry = read_node(*shape.shape, "geometry");
    const x3d::Node* coord = read_node(geometry != nullptr ? *geometry : *shape.shape, "coord");
    if (coord == nullptr) continue;
    reading.in.sink.warning(codes::hanim_linked_coord,
                            "the humanoid has a skin but no skinCoord; the points of its first shape take that place",
                            reading.in.scene.locate(*coord));
    return coord;
  }
  return nullptr;
}

void add_displacers(MeshReading& reading, std::vector<Part>& parts, std::size_t first_part, std::size_t points, std::size_t copies) {
  std::vector<VerticesOfPoint> vertices;
  const Eigen::Matrix3d canonical = reading.figure.canonical_from_humanoid.linear();
  for (std::size_t j = 0; j < reading.tree.joints.size(); ++j) {
    const x3d::Field* field = reading.tree.joints[j].node->find("displacers");
    if (field == nullptr) continue;
    for (const x3d::Child& child : field->nodes) {
      const x3d::Node& node = *child.node;
      DisplacerData data = read_displacer(reading.in, node);
      data.morph.kind = MorphKind::joint_displacer;
      data.morph.joint = joint_index(j);
      if (vertices.empty()) {
        for (std::size_t k = first_part; k < parts.size(); ++k) vertices.emplace_back(parts[k]);
      }
      std::size_t found = 0;
      for (std::size_t k = first_part; k < parts.size(); ++k) {
        Morph morph = data.morph;
        for (std::size_t copy = 0; copy < copies; ++copy) {
          displace(data, vertices[k - first_part], copy * points, points, canonical, morph);
        }
        if (morph.vertices.empty()) continue;
        tidy(morph);
        found += morph.vertices.size();
        reading.morphs_of[&node].emplace_back(k, parts[k].morphs.size());
        parts[k].morphs.push_back(std::move(morph));
      }
      if (found == 0) {
        reading.in.sink.warning(codes::hanim_displacer,
                                "displacer '" + data.morph.name + "' moves no point of the skin's shapes; it is left out",
                                reading.in.scene.locate(node));
      }
    }
  }
}

}  // namespace

void build_skin(MeshReading& reading, const std::vector<PartRecord>& records, std::vector<Part>& parts) {
  Reading& in = reading.in;
  const bool weighted = std::ranges::any_of(reading.tree.joints, [](const JointNode& joint) {
    const x3d::Field* field = joint.node->find("skinCoordIndex");
    return field != nullptr && !field->text.empty();
  });
  if (reading.tree.skin.empty()) {
    if (weighted) {
      in.sink.warning(codes::hanim_no_skin, "joints have weights but the humanoid has no shapes in its skin; the weights are left out",
                      in.scene.locate(reading.humanoid));
    }
    return;
  }
  const x3d::Node* skin_coord = shared_coord(reading);
  const std::span<const double> points = reading.geometry.points(skin_coord);
  const std::size_t count = points.size() / 3;
  const std::size_t first_part = parts.size();

  Part whole;
  PartBuilder builder(whole);
  std::vector<Part> unbound;
  std::size_t copies = 1, degenerate = 0;
  PolygonMesh mesh;
  std::string name;
  for (const ShapeNode& shape : reading.tree.skin) {
    Look look;
    const x3d::Node* coord = nullptr;
    if (!read_shape(reading, *shape.shape, mesh, look, coord)) continue;
    if (!within_limit(reading, mesh.corner_point.size(), *shape.shape)) return;
    bool bound = coord != nullptr && coord == skin_coord;
    if (!bound && coord != nullptr && skin_coord != nullptr && std::ranges::equal(mesh.points, points)) {
      bound = true;
      in.sink.warning(codes::hanim_linked_coord,
                      "a shape of the skin has a Coordinate of its own that equals skinCoord; it is taken for the shared one",
                      in.scene.locate(*coord));
    }
    const Affine canonical = reading.figure.canonical_from_humanoid * shape.humanoid_from_shape;
    if (!bound) {
      in.sink.warning(codes::hanim_unbound_shape, "a shape of the skin does not use skinCoord; no joint moves it",
                      in.scene.locate(*shape.shape));
      Part& part = unbound.emplace_back();
      part.name = shape.shape->def.empty() ? "skin_shape" : std::string(shape.shape->def);
      PartBuilder alone(part);
      alone.add(mesh, canonical, 0, look.material, look.linear_colours);
      alone.finish();
      degenerate += alone.degenerate();
      continue;
    }
    if (name.empty()) name = std::string(shape.shape->def);
    // A shape below a Transform of its own has the same points at other places.
    const bool moved = !shape.humanoid_from_shape.isApprox(Affine::Identity(), 1e-12);
    const std::size_t base = moved ? count * copies++ : 0;
    if (base + count > 0xfffffff0u) continue;
    builder.add(mesh, canonical, static_cast<std::uint32_t>(base), look.material, look.linear_colours);
  }
  builder.finish();
  degenerate += builder.degenerate();
  if (degenerate > 0) {
    in.sink.note(codes::hanim_degenerate_faces, std::to_string(degenerate) + " triangle(s) of the skin have no area and are left out");
  }

  if (!whole.positions.empty()) {
    std::size_t recorded = 0;
    for (const PartRecord& record : records) recorded += record.points;
    std::optional<std::vector<Part>> pieces;
    if (!records.empty()) {
      if (recorded == count && copies == 1) pieces = split(whole, records);
      if (!pieces) {
        in.sink.warning(codes::hanim_stale_parts, "the names of parts that the file keeps no longer fit its skin; the skin stays one part");
      }
    }
    whole.name = name.empty() ? "skin" : name;
    if (pieces) {
      for (Part& part : *pieces) {
        if (!part.surfaces.empty()) parts.push_back(std::move(part));
      }
    } else {
      parts.push_back(std::move(whole));
    }
    const Influences of_point = point_influences(reading, count);
    std::size_t used = 0;
    std::vector<char> is_used(count, 0);
    for (std::size_t k = first_part; k < parts.size(); ++k) {
      Part& part = parts[k];
      part.influences.begin.reserve(part.positions.size() + 1);
      part.influences.items.reserve(part.positions.size() * 2);
      for (const std::uint32_t p : part.points) {
        const std::uint32_t point = p % static_cast<std::uint32_t>(count);
        const auto items = of_point.of(point);
        part.influences.items.insert(part.influences.items.end(), items.begin(), items.end());
        part.influences.end_vertex();
        used += is_used[point] == 0 ? 1 : 0;
        is_used[point] = 1;
      }
    }
    if (of_point.items.empty()) {
      in.sink.warning(codes::hanim_no_skin, "the skin has no weights: no joint moves it", in.scene.locate(reading.humanoid));
    }
    if (used < count) {
      in.sink.note(codes::hanim_unused_points, std::to_string(count - used) + " of " + std::to_string(count) +
                                                   " points of skinCoord are in no face; they and their weights are left out");
    }
    add_displacers(reading, parts, first_part, count, copies);
    for (std::size_t k = first_part; k < parts.size(); ++k) make_dense(parts[k].points);
  }
  for (Part& part : unbound) {
    if (part.surfaces.empty()) continue;
    part.influences.begin.assign(part.positions.size() + 1, 0);
    make_dense(part.points);
    parts.push_back(std::move(part));
  }
}

}  // namespace vesalius::hanim
