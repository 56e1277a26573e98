// Geometry below segments and joints: every vertex moves with one joint.
#include <algorithm>
#include <tuple>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/part_builder.hpp"
#include "formats/hanim/parts.hpp"

namespace vesalius::hanim {
namespace {

/// Points of one Coordinate node in a part: where they begin and how they were placed.
struct CoordUse {
  const x3d::Node* coord = nullptr;
  std::uint32_t base = 0;
  std::size_t count = 0;
  Affine canonical = Affine::Identity();
};

void add_displacers(MeshReading& reading, const x3d::Node& segment, JointIndex joint, const std::vector<CoordUse>& uses,
                    std::size_t part_number, Part& part) {
  const x3d::Field* field = segment.find("displacers");
  if (field == nullptr || field->nodes.empty()) return;
  const x3d::Node* coord = read_node(segment, "coord");
  const bool coord_is_used = std::ranges::any_of(uses, [&](const CoordUse& use) { return use.coord == coord; });
  if (coord == nullptr || !coord_is_used) {
    // Without coord (or with a copy of it) the indices can only mean the segment's one list of points.
    const x3d::Node* only = nullptr;
    bool several = false;
    for (const CoordUse& use : uses) {
      if (use.coord == nullptr) continue;
      several |= only != nullptr && use.coord != only;
      only = use.coord;
    }
    const bool copy =
        coord != nullptr && only != nullptr && std::ranges::equal(reading.geometry.points(coord), reading.geometry.points(only));
    coord = several || (coord != nullptr && !copy) ? nullptr : only;
  }
  const VerticesOfPoint vertices(part);
  for (const x3d::Child& child : field->nodes) {
    DisplacerData data = read_displacer(reading.in, *child.node);
    Morph morph = data.morph;
    morph.kind = MorphKind::segment_displacer;
    morph.joint = joint;
    for (const CoordUse& use : uses) {
      if (coord != nullptr && use.coord == coord) displace(data, vertices, use.base, use.count, use.canonical.linear(), morph);
    }
    if (morph.vertices.empty()) {
      reading.in.sink.warning(codes::hanim_displacer,
                              "displacer '" + data.morph.name + "' moves no point of its segment's shapes; it is left out",
                              reading.in.scene.locate(*child.node));
      continue;
    }
    tidy(morph);
    reading.morphs_of[child.node].emplace_back(part_number, part.morphs.size());
    part.morphs.push_back(std::move(morph));
  }
}

}  // namespace

void build_rigid(MeshReading& reading, const std::vector<Segment>& segments, const Skeleton& skeleton, std::vector<Part>& parts) {
  Reading& in = reading.in;
  // Shapes of one segment (or directly below one joint) make one part; parts come in the order of their first shape.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> group_of;
  std::vector<std::vector<const ShapeNode*>> groups;
  for (const ShapeNode& shape : reading.tree.rigid) {
    const auto [at, is_new] = group_of.try_emplace({shape.joint, shape.segment}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&shape);
  }
  PolygonMesh mesh;
  std::size_t degenerate = 0;
  for (const auto& group : groups) {
    const ShapeNode& first = *group.front();
    Part part;
    PartBuilder builder(part);
    std::vector<CoordUse> uses;
    std::uint32_t base = 0;
    for (const ShapeNode* shape : group) {
      Look look;
      const x3d::Node* coord = nullptr;
      if (!read_shape(reading, *shape->shape, mesh, look, coord)) continue;
      if (!within_limit(reading, mesh.corner_point.size(), *shape->shape)) return;
      const Affine canonical = reading.figure.canonical_from_humanoid * shape->humanoid_from_shape;
      const auto same = std::ranges::find_if(uses, [&](const CoordUse& use) {
        return coord != nullptr && use.coord == coord && use.canonical.matrix() == canonical.matrix();
      });
      std::uint32_t here = base;
      if (same != uses.end()) {
        here = same->base;
      } else {
        if (uses.size() < 1000) uses.push_back({coord, base, mesh.point_count(), canonical});
        base += static_cast<std::uint32_t>(mesh.point_count());
      }
      builder.add(mesh, canonical, here, look.material, look.linear_colours);
    }
    builder.finish();
    degenerate += builder.degenerate();
    if (part.surfaces.empty()) continue;
    part.segment = first.segment != none ? segments[first.segment].name
                   : first.joint != none ? skeleton.joints()[first.joint].name
                                         : "humanoid";
    part.name = part.segment;
    part.influences.begin.assign(1, 0);
    part.influences.begin.reserve(part.positions.size() + 1);
    part.influences.items.reserve(part.positions.size());
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      if (first.joint != none) part.influences.items.push_back({joint_index(first.joint), 1.0});
      part.influences.end_vertex();
    }
    if (first.segment != none) {
      const JointIndex joint = first.joint == none ? JointIndex::none : joint_index(first.joint);
      add_displacers(reading, *reading.tree.segments[first.segment].node, joint, uses, parts.size(), part);
    }
    make_dense(part.points);
    parts.push_back(std::move(part));
  }
  if (degenerate > 0) {
    in.sink.note(codes::hanim_degenerate_faces, std::to_string(degenerate) + " triangle(s) of segments have no area and are left out");
  }
}

}  // namespace vesalius::hanim
