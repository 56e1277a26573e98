#include "formats/hanim/skeleton.hpp"

#include <cmath>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/kinds.hpp"

namespace vesalius::hanim {
namespace {

/// Place of a joint at rest, humanoid coordinates.
Vec3 rest_place(const Traversal& tree, std::size_t joint) {
  const JointNode& node = tree.joints[joint];
  return tree.by_translation ? Vec3(node.humanoid_from_inside.translation()) : node.humanoid_from_inside * node.fields.center;
}

std::optional<JointLimits> read_limits(Reading& in, const x3d::Node& node, const Figure& figure) {
  std::vector<double> lower, upper;
  read_doubles(in, node, "llimit", lower);
  read_doubles(in, node, "ulimit", upper);
  const auto all_zero = [](const std::vector<double>& v) { return std::all_of(v.begin(), v.end(), [](double x) { return x == 0; }); };
  if (all_zero(lower) && all_zero(upper)) return std::nullopt;  // in practice "no information", not a frozen joint
  for (const auto* list : {&lower, &upper}) {
    if (list->size() == 3 || list->empty()) continue;
    in.sink.warning(codes::hanim_wrong_count,
                    "joint limits have " + std::to_string(list->size()) + " numbers; expected 3; they are left out", in.scene.locate(node));
    return std::nullopt;
  }
  JointLimits limits;
  if (!lower.empty()) limits.lower_rad = Vec3(lower[0], lower[1], lower[2]);
  if (!upper.empty()) limits.upper_rad = Vec3(upper[0], upper[1], upper[2]);
  limits.frame = figure.turn * read_rotation(in, node, "limitOrientation").value_or(Quat::Identity());
  return limits;
}

std::optional<Vec3> read_stiffness(Reading& in, const x3d::Node& node) {
  std::vector<double> values;
  read_doubles(in, node, "stiffness", values);
  if (values.size() != 3) return std::nullopt;
  const Vec3 stiffness(values[0], values[1], values[2]);
  if (stiffness.isZero(0)) return std::nullopt;  // the default
  return stiffness;
}

std::string label(const x3d::Node& node) {
  std::string name = read_string(node, "name");
  return name.empty() ? std::string(node.def) : name;
}

}  // namespace

std::optional<Skeleton> build_skeleton(Reading& in, const Traversal& tree, const JointNames& names, const Figure& figure) {
  std::vector<Joint> joints(tree.joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const x3d::Node& node = *tree.joints[j].node;
    Joint& joint = joints[j];
    joint.name = names.names[j];
    joint.source_name = names.source_names[j];
    joint.parent = tree.joints[j].parent == none ? JointIndex::none : joint_index(tree.joints[j].parent);
    joint.rest.place = figure.place(rest_place(tree, j));
    joint.limits = read_limits(in, node, figure);
    joint.stiffness = read_stiffness(in, node);
  }
  Result<Skeleton> made = Skeleton::create(std::move(joints));
  if (!made) in.sink.append(made.diagnostics);
  return std::move(made.value);
}

Transform local_transform(const Traversal& tree, const Figure& figure, std::size_t joint, const Vec3& translation, const Quat& rotation,
                          const Vec3& scale) {
  const JointNode& node = tree.joints[joint];
  const Vec3 place = rest_place(tree, joint);
  // In files placed by translation the rest place already holds the joint's own translation.
  const Vec3 moved = tree.by_translation ? Vec3(translation - node.fields.translation) : translation;
  Transform result;
  result.translation = node.parent == none ? figure.place(place + moved) : figure.offset(place - rest_place(tree, node.parent) + moved);
  result.rotation = figure.rotation(rotation);
  result.scale = scale;
  return result;
}

std::optional<NamedPose> saved_pose(Reading& in, const Traversal& tree, const Figure& figure) {
  std::size_t turned = 0, moved = 0, scaled = 0, uneven = 0;
  NamedPose result{"source_pose", {}};
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    const TransformFields& f = tree.joints[j].fields;
    if (angle_between_rad(f.rotation, Quat::Identity()) > 1e-9) ++turned;
    if (!tree.by_translation && !f.translation.isZero(0)) ++moved;
    if (f.scale != Vec3::Ones()) ++scaled;
    if (f.scale != Vec3::Ones() && angle_between_rad(f.scale_orientation, Quat::Identity()) > 1e-9) ++uneven;
    result.pose.parent_from_joint.push_back(local_transform(tree, figure, j, f.translation, f.rotation, f.scale));
  }
  if (uneven > 0) {
    in.sink.warning(
        codes::hanim_scaled_unevenly,
        std::to_string(uneven) + " joint(s) are scaled along turned axes; the axes of the scaling are left out of the saved pose");
  }
  if (turned + moved + scaled == 0) return std::nullopt;
  in.sink.note(codes::hanim_saved_pose, "the file was saved in a pose (" + std::to_string(turned) + " joints turned, " +
                                            std::to_string(moved) + " moved, " + std::to_string(scaled) +
                                            " scaled); the rest pose has none of that and the pose is kept as '" + result.name + "'");
  return result;
}

std::vector<Segment> build_segments(Reading& in, const Traversal& tree, const Figure& figure, const Profile& profile) {
  std::vector<Segment> result;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> last;
  std::vector<double> inertia;
  for (const SegmentNode& segment : tree.segments) {
    const x3d::Node& node = *segment.node;
    Segment made;
    made.name = without_blanks(label(node));
    if (const ProfileSegment* known = profile.match_segment(made.name)) made.name = known->name;
    if (made.name.empty()) made.name = "segment";
    if (taken.contains(made.name)) {
      std::size_t& n = last.try_emplace(made.name, 1).first->second;
      std::string other;
      do other = made.name + "_" + std::to_string(++n);
      while (taken.contains(other));
      made.name = other;
    }
    taken.insert(made.name);
    made.joint = segment.joint == none ? JointIndex::none : joint_index(segment.joint);
    // -1 stands for "unknown" in some bindings.
    if (const auto mass = read_double(in, node, "mass"); mass && *mass > 0 && std::isfinite(*mass)) made.mass_kg = *mass;
    if (const auto centre = read_vec3(in, node, "centerOfMass"); centre && !centre->isZero(0)) {
      const Affine inside = segment.joint == none ? Affine::Identity() : tree.joints[segment.joint].humanoid_from_inside;
      made.centre_of_mass = figure.place(inside * *centre);
    }
    read_doubles(in, node, "momentsOfInertia", inertia);
    if (inertia.size() == 9 && !std::all_of(inertia.begin(), inertia.end(), [](double x) { return x == 0; })) {
      Eigen::Matrix3d m;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) m(r, c) = inertia[static_cast<std::size_t>(3 * r + c)];
      }
      // kg times the square of the figure's unit: lengths scale, axes turn.
      const Eigen::Matrix3d turn = figure.turn.toRotationMatrix();
      made.moments_of_inertia = figure.scale * figure.scale * (turn * m * turn.transpose());
    } else if (!inertia.empty() && inertia.size() != 9) {
      in.sink.warning(codes::hanim_wrong_count, "momentsOfInertia has " + std::to_string(inertia.size()) + " numbers; expected 9",
                      in.scene.locate(node));
    }
    result.push_back(std::move(made));
  }
  return result;
}

std::vector<Site> build_sites(const Traversal& tree, const Figure& figure, const std::vector<Segment>& segments) {
  std::vector<Site> result;
  for (const SiteNode& site : tree.sites) {
    Site made;
    made.name = without_blanks(label(*site.node));
    made.joint = site.joint == none ? JointIndex::none : joint_index(site.joint);
    if (site.segment != none) made.segment = segments[site.segment].name;
    const Affine canonical = figure.canonical_from_humanoid * site.humanoid_from_site;
    made.rest.place = canonical.translation();
    made.rest.turn = rotation_of(canonical);
    // At rest every frame below a joint is parallel to the canonical one: the humanoid's own turn is no part of it.
    made.rest.turn = made.rest.turn * figure.turn.conjugate();
    made.scale = site.scale;
    result.push_back(std::move(made));
  }
  return result;
}

void check_lists(Reading& in, const x3d::Node& humanoid, const Traversal& tree) {
  std::map<const x3d::Node*, bool> segments, sites;
  for (const SegmentNode& segment : tree.segments) segments.emplace(segment.node, true);
  for (const SiteNode& site : tree.sites) sites.emplace(site.node, true);
  const auto check = [&](std::string_view name, std::size_t in_tree, const auto& is_in_tree) {
    const x3d::Field* field = humanoid.find(name);
    std::set<const x3d::Node*> listed;
    std::size_t placeholders = 0;
    if (field != nullptr) {
      for (const x3d::Child& child : field->nodes) {
        if (child.node == nullptr || is_in_tree(child.node)) {
          if (child.node != nullptr) listed.insert(child.node);
          continue;
        }
        const x3d::Node& node = *child.node;
        const Kind kind = kind_of(node);
        if (kind != Kind::joint) continue;
        if (node.find("center") == nullptr && node.find("skinCoordIndex") == nullptr && node.find("children") == nullptr) {
          ++placeholders;
        } else {
          in.sink.warning(codes::hanim_unreachable_joint,
                          "joint '" + label(node) + "' is listed but does not hang below the skeleton; it is left out",
                          in.scene.locate(node));
        }
      }
    }
    if (placeholders > 0) {
      in.sink.note(codes::hanim_placeholder_joint,
                   std::to_string(placeholders) + " empty joint(s) are listed but not in the skeleton; they are ignored");
    }
    if (listed.size() < in_tree) {
      in.sink.note(codes::hanim_missing_list,
                   "the list '" + std::string(name) + "' names " + std::to_string(listed.size()) + " of " + std::to_string(in_tree) +
                       "; the tree of the skeleton counts",
                   in.scene.locate(humanoid));
    }
  };
  check("joints", tree.joints.size(), [&](const x3d::Node* node) { return tree.joint_of_node.contains(node); });
  check("segments", tree.segments.size(), [&](const x3d::Node* node) { return segments.contains(node); });
  check("sites", tree.sites.size(), [&](const x3d::Node* node) { return sites.contains(node); });
}

}  // namespace vesalius::hanim
