// Skin and segment geometry to parts.
#include <algorithm>
#include <cmath>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/mesh.hpp"

namespace vesalius::hanim {
namespace {

/// A shape where it is drawn. Skins may hold a face set without a Shape around it.
struct Drawn {
  const Node* shape = nullptr;
  Affine humanoid_from_shape = Affine::Identity();

  [[nodiscard]] const Node* geometry(const Reading& reading) const {
    return shape->type == "Shape" ? reading.child(*shape, "geometry") : shape;
  }
  [[nodiscard]] const Node* appearance(const Reading& reading) const {
    return shape->type == "Shape" ? reading.child(*shape, "appearance") : nullptr;
  }
};

bool is_face_set(std::string_view type) {
  return type == "IndexedFaceSet" || type == "IndexedTriangleSet" || type == "IndexedQuadSet" || type == "TriangleSet" || type == "QuadSet";
}

/// Shapes below some children, without recursion. Joints and humanoids are not entered; lights, sensors and the like are passed over.
std::vector<Drawn> shapes_below(const Reading& reading, const std::vector<Child>& children, const Affine& above) {
  std::vector<Drawn> result;
  struct Step {
    const Node* node;
    Affine above;
  };
  std::vector<Step> stack;
  const auto push = [&](const std::vector<Child>& list, const Affine& place) {
    for (auto it = list.rbegin(); it != list.rend(); ++it) stack.push_back({it->node, place});
  };
  push(children, above);
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    if (!reading.within_budget(visit_cost, *step.node)) return result;
    const std::string_view type = type_of(*step.node);
    if (type == "Shape" || is_face_set(type)) {
      result.push_back({step.node, step.above});
    } else if (is_grouping(*step.node)) {
      const auto shown = shown_children(reading, *step.node);
      const Field* choices = step.node->type == "Switch" ? reading.field(*step.node, {"children", "choice"}) : nullptr;
      if (shown.empty() && choices != nullptr && !choices->nodes.empty()) {
        reading.sink.note(codes::hanim_dropped_geometry, "a Switch shows none of its choices; what they hold was left out",
                          reading.scene.locate(*step.node));
      }
      push(shown, step.above * transform_of(reading, *step.node));
    } else if (type == "HAnimSite") {
      if (const Field* below = step.node->find("children")) push(below->nodes, step.above * transform_of(reading, *step.node));
    } else if (type == "Inline" || step.node->is_proto_instance) {
      if (type == "HAnimJoint" || type == "HAnimSegment" || type == "HAnimHumanoid") continue;
      reading.sink.warning(codes::hanim_dropped_node, std::string(step.node->type) + " may hold geometry; it was not read",
                           reading.scene.locate(*step.node));
    }
  }
  return result;
}

class Parts {
 public:
  Parts(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, Humanoid& humanoid, MorphPlaces& displacers)
      : reading_(reading),
        node_(node),
        tree_(tree),
        fold_(fold),
        humanoid_(humanoid),
        displacers_(displacers),
        materials_(reading, humanoid) {
    canonical_from_humanoid_.linear() = fold.linear;
  }

  void run() {
    skin();
    loose();
    for (std::size_t j = 0; j < tree_.joints.size(); ++j) rigid(j);
    if (degenerate_ > 0) {
      reading_.sink.warning(codes::hanim_degenerate, std::to_string(degenerate_) + " triangles without an area were left out",
                            reading_.scene.locate(node_));
    }
    for (Part& part : humanoid_.parts) finish(part);
  }

 private:
  void add_shape(Part& part, const Drawn& drawn, const PolygonMesh& mesh, std::uint32_t first_point) {
    // Points are gone through for every use of a Coordinate, and the corners of a large face for each other.
    std::size_t work = mesh.corner_points.size() + mesh.points.size() / 8;
    for (std::size_t f = 0; f < mesh.faces(); ++f) {
      const std::size_t corners = mesh.face_begin[f + 1] - mesh.face_begin[f];
      if (corners > 16 && !mesh.convex) work += corners * corners / 4;
    }
    if (!reading_.within_budget(work, *drawn.shape)) return;
    const Node* geometry = drawn.geometry(reading_);
    const Node* appearance = drawn.appearance(reading_);
    const bool two_sided = !reading_.boolean(*geometry, "solid", true);
    const auto material = materials_.index_of(appearance, two_sided, !mesh.corner_colours.empty());
    PolygonMesh turned;
    const PolygonMesh* used = &mesh;
    const Eigen::Affine2d uv = materials_.uv_transform(appearance);
    if (!mesh.corner_uvs.empty() && !uv.matrix().isIdentity(0)) {
      turned = mesh;
      for (auto& c : turned.corner_uvs.values) {
        const Eigen::Vector2d moved = uv * Eigen::Vector2d(c[0], c[1]);
        c = {moved.x(), moved.y()};
      }
      used = &turned;
    }
    degenerate_ += append_mesh(part, *used, canonical_from_humanoid_ * drawn.humanoid_from_shape, material, first_point).degenerate;
  }

  /// A list with one entry per vertex for arrays that only some surfaces filled.
  static void finish(Part& part) {
    const std::size_t n = part.positions.size();
    if (!part.uvs.empty()) part.uvs.resize(n, {0, 0});
    if (!part.colours.empty()) part.colours.resize(n, {1, 1, 1, 1});
  }

  /// Shapes and segments that stand in the skeleton, below no joint.
  void loose() {
    std::size_t count = 0;
    const Node* first = nullptr;
    for (const std::string_view name : {"skeleton", "humanoidBody"}) {
      const Field* field = node_.find(name);
      if (field == nullptr) continue;
      for (const Child& child : field->nodes) {
        const std::string_view type = type_of(*child.node);
        if (type != "Shape" && type != "HAnimSegment") continue;
        ++count;
        if (first == nullptr) first = child.node;
      }
    }
    if (count > 0) {
      reading_.sink.warning(codes::hanim_dropped_geometry,
                            std::to_string(count) + " shapes or segments stand in the skeleton below no joint; they were left out",
                            reading_.scene.locate(*first));
    }
  }

  // ---- seamless skin ----

  void skin() {
    const Field* shapes = node_.find("skin");
    const Node* coord = reading_.child(node_, "skinCoord");
    std::vector<Vec3> listed;
    if (coord == nullptr) {
      // An older draft prints the field as a list of points.
      const auto raw = reading_.numbers(node_, "skinCoord");
      for (std::size_t i = 0; i + 2 < raw.size(); i += 3) listed.emplace_back(raw[i], raw[i + 1], raw[i + 2]);
    }
    const std::vector<Vec3>& values = coord != nullptr ? reading_.points(*coord) : listed;
    const std::size_t points = values.size();
    const Influences influences = read_weights(points);
    if (shapes == nullptr || shapes->nodes.empty()) {
      if (points > 0)
        reading_.sink.warning(codes::hanim_dropped_geometry, "skinCoord has points but no shape draws them", reading_.scene.locate(node_));
      return;
    }
    std::size_t unnamed = static_cast<std::size_t>(-1);  // part for what has no name of its own
    for (const Child& top : shapes->nodes) {
      const auto drawn = shapes_below(reading_, {top}, Affine::Identity());
      for (const Drawn& shape : drawn) {
        const Node* geometry = shape.geometry(reading_);
        if (geometry == nullptr) continue;
        auto mesh = read_geometry(reading_, *geometry);
        if (!mesh || mesh->faces() == 0) continue;
        const bool follows = is_skin(*mesh, coord, values, *geometry);
        const std::string name(top.node->def);
        std::size_t index;
        if (name.empty()) {
          if (unnamed == static_cast<std::size_t>(-1)) {
            unnamed = humanoid_.parts.size();
            humanoid_.parts.emplace_back().name = "skin";
          }
          index = unnamed;
        } else {
          const auto found = std::ranges::find(humanoid_.parts, name, &Part::name);
          index = static_cast<std::size_t>(found - humanoid_.parts.begin());
          if (found == humanoid_.parts.end()) humanoid_.parts.emplace_back().name = name;
        }
        Part& part = humanoid_.parts[index];
        const std::size_t before = part.positions.size();
        const auto first = static_cast<std::uint32_t>(follows ? 0 : points + foreign_points_);
        if (!follows) foreign_points_ += mesh->points.size();
        add_shape(part, shape, *mesh, first);
        for (std::size_t v = before; v < part.positions.size(); ++v) {
          if (follows) {
            const auto items = influences.of(part.points[v]);
            part.influences.items.insert(part.influences.items.end(), items.begin(), items.end());
          }
          part.influences.end_vertex();
        }
      }
    }
    joint_displacers(points);
    std::vector<bool> drawn(points, false);
    for (const Part& part : humanoid_.parts) {
      for (const std::uint32_t point : part.points) {
        if (point < points) drawn[point] = true;
      }
    }
    std::size_t undrawn = 0, bare = 0;
    for (std::size_t p = 0; p < points; ++p) {
      if (!drawn[p]) {
        ++undrawn;
      } else if (influences.of(p).empty()) {
        ++bare;
      }
    }
    if (undrawn > 0)
      reading_.sink.note(codes::hanim_dropped_geometry, std::to_string(undrawn) + " points of the skin are in no face; they were left out",
                         reading_.scene.locate(node_));
    if (bare > 0)
      reading_.sink.warning(codes::hanim_unweighted, std::to_string(bare) + " points of the skin have no weight; they stay at rest",
                            reading_.scene.locate(node_));
  }

  /// Whether a shape's points are those of skinCoord: the same node, or a copy of it.
  bool is_skin(const PolygonMesh& mesh, const Node* coord, const std::vector<Vec3>& values, const Node& geometry) {
    if (coord == nullptr || mesh.coord == coord) return coord != nullptr;
    const bool equal = mesh.points == values;
    if (equal) {
      reading_.sink.warning(codes::hanim_equal_coord, "the skin's shape holds a copy of skinCoord, not the node itself; they were linked",
                            reading_.scene.locate(geometry));
    } else {
      reading_.sink.warning(codes::hanim_foreign_coord,
                            "a shape of the skin has points of its own, not those of skinCoord; it stays at rest",
                            reading_.scene.locate(geometry));
    }
    return equal;
  }

  Influences read_weights(std::size_t points) {
    struct Entry {
      std::uint32_t point;
      Influence influence;
    };
    std::vector<Entry> entries;
    std::size_t outside = 0;
    for (std::size_t j = 0; j < tree_.joints.size(); ++j) {
      const Node& joint = *tree_.joints[j].node;
      const auto index = reading_.integers(joint, "skinCoordIndex");
      const auto weights = reading_.numbers(joint, "skinCoordWeight");
      if (index.empty()) continue;
      if (!weights.empty() && weights.size() != index.size()) {
        reading_.sink.warning(codes::hanim_weight_lengths,
                              "a joint has " + std::to_string(index.size()) + " skin indices and " + std::to_string(weights.size()) +
                                  " weights; what has no partner was left out",
                              reading_.scene.locate(joint, *joint.find("skinCoordIndex")));
      }
      const std::size_t count = weights.empty() ? index.size() : std::min(index.size(), weights.size());
      for (std::size_t i = 0; i < count; ++i) {
        if (index[i] < 0 || static_cast<std::size_t>(index[i]) >= points) {
          ++outside;
          continue;
        }
        const double weight = weights.empty() ? 1.0 : weights[i];
        if (weight != 0) entries.push_back({static_cast<std::uint32_t>(index[i]), {joint_index(j), weight}});
      }
    }
    if (outside > 0) {
      reading_.sink.warning(
          codes::hanim_bad_index,
          std::to_string(outside) + " skin indices lie outside the " + std::to_string(points) + " points; they were left out",
          reading_.scene.locate(node_));
    }
    // Counting sort by point keeps the joints' order within each.
    Influences result;
    std::vector<std::uint32_t> begin(points + 1, 0);
    for (const Entry& entry : entries) ++begin[entry.point + 1];
    for (std::size_t p = 0; p < points; ++p) begin[p + 1] += begin[p];
    std::vector<Influence> items(entries.size());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (const Entry& entry : entries) items[next[entry.point]++] = entry.influence;
    std::vector<Influence> merged;
    std::size_t above = 0, negative = 0;
    for (std::size_t p = 0; p < points; ++p) {
      merged.assign(items.begin() + begin[p], items.begin() + begin[p + 1]);
      merge_influences(merged);
      for (Influence& influence : merged) {
        if (influence.weight < 0) ++negative;
        influence.weight = std::max(0.0, influence.weight);
      }
      if (weight_sum(merged) > 1 + 1e-3) ++above;
      result.items.insert(result.items.end(), merged.begin(), merged.end());
      result.end_vertex();
    }
    if (negative > 0) {
      reading_.sink.warning(codes::hanim_bad_value, std::to_string(negative) + " weights of the skin are negative; they were read as 0",
                            reading_.scene.locate(node_));
    }
    if (above > 0) {
      reading_.sink.note(codes::hanim_weight_lengths, std::to_string(above) + " points of the skin have weights that sum to more than 1",
                         reading_.scene.locate(node_));
    }
    return result;
  }

  void joint_displacers(std::size_t points) {
    for (std::size_t j = 0; j < tree_.joints.size(); ++j) {
      const Field* list = tree_.joints[j].node->find("displacers");
      if (list == nullptr) continue;
      for (const Child& child : list->nodes) {
        bool used = false;
        for (std::size_t p = 0; p < humanoid_.parts.size(); ++p) {
          if (humanoid_.parts[p].segment.empty())
            used = displacer(*child.node, p, points, 0, j, MorphKind::joint_displacer, Affine::Identity()) || used;
        }
        if (!used) {
          reading_.sink.note(codes::hanim_displacer, "a displacer moves no point that is drawn; it was left out",
                             reading_.scene.locate(*child.node));
        }
      }
    }
  }

  /// Adds a displacer to a part as a morph; false when it moves none of the part's vertices.
  bool displacer(const Node& node, std::size_t part_index, std::size_t points, std::uint32_t first_point, std::size_t joint, MorphKind kind,
                 const Affine& place) {
    Part& part = humanoid_.parts[part_index];
    if (!reading_.within_budget(part.points.size() / 16 + 8, node)) return false;
    const auto index = reading_.integers(node, "coordIndex");
    const auto vectors = reading_.numbers(node, "displacements");
    if (vectors.size() / 3 < index.size() && !vectors.empty()) {
      reading_.sink.warning(codes::hanim_displacer,
                            "a displacer has " + std::to_string(index.size()) + " indices and " + std::to_string(vectors.size() / 3) +
                                " displacements; the others were left out",
                            reading_.scene.locate(node));
    }
    std::map<std::uint32_t, Vec3> moves;
    // Without displacements it only marks its points (a `_feature`): it stays, and moves nothing.
    const bool marks = vectors.empty();
    for (std::size_t i = 0; i < index.size() && (marks || 3 * i + 2 < vectors.size()); ++i) {
      if (index[i] < 0 || static_cast<std::size_t>(index[i]) >= points) continue;
      const Vec3 given = marks ? Vec3(Vec3::Zero()) : Vec3(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
      const Vec3 by = canonical_from_humanoid_.linear() * place.linear() * given;
      const auto [entry, fresh] = moves.emplace(first_point + static_cast<std::uint32_t>(index[i]), by);
      if (!fresh) entry->second += by;
    }
    Morph morph;
    morph.name = reading_.text(node, "name");
    if (morph.name.empty()) morph.name = without_prefix(node.def, "");
    if (morph.name.empty()) morph.name = "displacer_" + std::to_string(part.morphs.size() + 1);
    morph.kind = kind;
    morph.joint = joint_index(joint);
    morph.weight = reading_.number(node, "weight", 0);
    for (std::uint32_t v = 0; v < part.points.size(); ++v) {
      const auto move = moves.find(part.points[v]);
      if (move == moves.end()) continue;
      morph.vertices.push_back(v);
      morph.displacements.push_back(move->second);
    }
    if (morph.vertices.empty()) return false;
    displacers_.emplace(&node, std::pair(part_index, part.morphs.size()));
    part.morphs.push_back(std::move(morph));
    return true;
  }

  // ---- geometry that hangs on a joint ----

  void rigid(std::size_t j) {
    const JointTree::Entry& entry = tree_.joints[j];
    const Field* children = entry.node->find("children");
    if (children == nullptr) return;
    std::vector<Child> loose;
    struct Step {
      const Node* node;
      Affine above;
    };
    std::vector<Step> stack;
    for (auto it = children->nodes.rbegin(); it != children->nodes.rend(); ++it) stack.push_back({it->node, entry.humanoid_from_content});
    std::vector<Drawn> bare;
    while (!stack.empty()) {
      const Step step = stack.back();
      stack.pop_back();
      if (!reading_.within_budget(visit_cost, *step.node)) return;
      const std::string_view type = type_of(*step.node);
      if (type == "HAnimSegment") {
        segment(*step.node, step.above, j);
      } else if (type == "Shape" || is_face_set(type)) {
        bare.push_back({step.node, step.above});
      } else if (type == "HAnimSite") {
        const Affine here = step.above * transform_of(reading_, *step.node);
        if (const Field* below = step.node->find("children")) {
          for (auto it = below->nodes.rbegin(); it != below->nodes.rend(); ++it) stack.push_back({it->node, here});
        }
      } else if (is_grouping(*step.node)) {
        const auto below = shown_children(reading_, *step.node);
        const Affine here = step.above * transform_of(reading_, *step.node);
        for (auto it = below.rbegin(); it != below.rend(); ++it) stack.push_back({it->node, here});
      }
    }
    if (!bare.empty()) solid(bare, humanoid_.skeleton.joints()[j].name, j, nullptr, entry.humanoid_from_content);
  }

  void segment(const Node& node, const Affine& above, std::size_t j) {
    const Field* children = node.find("children");
    if (children == nullptr) return;
    const auto drawn = shapes_below(reading_, children->nodes, above);
    if (drawn.empty()) {
      if (const Field* displacers = node.find("displacers"); displacers != nullptr && !displacers->nodes.empty()) {
        reading_.sink.note(codes::hanim_displacer, "displacers of a segment without shapes move nothing; they were left out",
                           reading_.scene.locate(node));
      }
      return;
    }
    const auto known = reading_.segment_names.find(&node);
    const std::string name = known != reading_.segment_names.end() ? known->second : humanoid_.skeleton.joints()[j].name;
    solid(drawn, name, j, &node, above);
  }

  /// One part with weight 1 on its joint.
  void solid(const std::vector<Drawn>& drawn, const std::string& name, std::size_t j, const Node* segment_node, const Affine& above) {
    Part part;
    part.name = name;
    part.segment = name;
    std::uint32_t first = 0;
    std::uint32_t coord_first = 0, coord_points = 0;
    const Node* coord = segment_node != nullptr ? reading_.child(*segment_node, "coord") : nullptr;
    Affine coord_place = above;
    for (const Drawn& shape : drawn) {
      const Node* geometry = shape.geometry(reading_);
      if (geometry == nullptr) continue;
      const auto mesh = read_geometry(reading_, *geometry);
      if (!mesh || mesh->faces() == 0) continue;
      // Shapes that share a Coordinate share its points.
      std::uint32_t own = first;
      if (coord != nullptr && mesh->coord == coord && coord_points > 0) {
        own = coord_first;
      } else {
        first += static_cast<std::uint32_t>(mesh->points.size());
      }
      add_shape(part, shape, *mesh, own);
      if (coord != nullptr && mesh->coord == coord) {
        coord_first = own;
        coord_points = static_cast<std::uint32_t>(mesh->points.size());
        coord_place = shape.humanoid_from_shape;
      }
    }
    if (part.positions.empty()) return;
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
      part.influences.items.push_back({joint_index(j), 1.0});
      part.influences.end_vertex();
    }
    humanoid_.parts.push_back(std::move(part));
    const Field* list = segment_node != nullptr ? segment_node->find("displacers") : nullptr;
    if (list == nullptr) return;
    for (const Child& child : list->nodes) {
      if (!displacer(*child.node, humanoid_.parts.size() - 1, coord_points, coord_first, j, MorphKind::segment_displacer, coord_place)) {
        reading_.sink.note(codes::hanim_displacer, "a displacer moves no point that is drawn; it was left out",
                           reading_.scene.locate(*child.node));
      }
    }
  }

  const Reading& reading_;
  const Node& node_;
  const JointTree& tree_;
  const Folding& fold_;
  Humanoid& humanoid_;
  MorphPlaces& displacers_;
  Materials materials_;
  Affine canonical_from_humanoid_ = Affine::Identity();
  std::size_t degenerate_ = 0;
  std::size_t foreign_points_ = 0;
};

}  // namespace

void read_parts(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, Humanoid& humanoid,
                MorphPlaces& displacers) {
  Parts(reading, node, tree, fold, humanoid, displacers).run();
}

}  // namespace vesalius::hanim
