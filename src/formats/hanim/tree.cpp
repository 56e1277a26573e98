// Joints of a humanoid: the file's own tree, names, figure axes.
#include <algorithm>
#include <cmath>
#include <set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/reading.hpp"
#include "formats/x3d/findings.hpp"
#include "foundation/numbers.hpp"
#include "mapping/quarter_turn.hpp"

namespace vesalius::hanim {

namespace {

/// Many joints in one place were never placed: an exporter wrote a default.
void report_shared_places(const Reading& reading, const JointTree& tree) {
  constexpr std::size_t chance = 3;
  std::map<std::array<double, 3>, std::vector<const Node*>> places;
  for (const JointTree::Entry& entry : tree.joints) places[{entry.place.x(), entry.place.y(), entry.place.z()}].push_back(entry.node);
  for (const auto& [place, joints] : places) {
    if (joints.size() <= chance) continue;
    const Field* centre = joints.front()->find("center");
    reading.sink.warning(codes::hanim_shared_place,
                         std::to_string(joints.size()) + " of " + std::to_string(tree.joints.size()) + " joints stand in the same place (" +
                             number_text(place[0]) + " " + number_text(place[1]) + " " + number_text(place[2]) +
                             "); expected a centre for each",
                         centre != nullptr ? reading.scene.locate(*joints.front(), *centre) : reading.scene.locate(*joints.front()));
  }
}

}  // namespace

JointTree read_tree(const Reading& reading, const Node& humanoid) {
  JointTree tree;
  struct Step {
    const Node* node;
    int parent;
    Affine above;  // parent content from here at rest: plain Transforms on the way
  };
  std::vector<Step> stack;
  const auto push = [&](const Field* field, int parent, const Affine& above) {
    if (field == nullptr) return;
    for (auto it = field->nodes.rbegin(); it != field->nodes.rend(); ++it) stack.push_back({it->node, parent, above});
  };
  push(reading.field(humanoid, {"skeleton", "humanoidBody"}), -1, Affine::Identity());
  // First the tree, with plain Transforms folded; then the places, once it is known whether any joint has a centre.
  bool any_centre = false, any_translation = false;
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    if (!reading.within_budget(visit_cost, *step.node)) return tree;
    const std::string_view type = type_of(*step.node);
    if (type == "HAnimJoint") {
      if (tree.index_of.contains(step.node)) {
        reading.sink.warning(codes::hanim_joint_used_twice, "a joint hangs in the skeleton twice; the second place was left out",
                             reading.scene.locate(*step.node));
        continue;
      }
      JointTree::Entry entry;
      entry.node = step.node;
      entry.parent = step.parent;
      const int own = static_cast<int>(tree.joints.size());
      tree.index_of.emplace(step.node, own);
      const auto centre = reading.vec3(*step.node, "center");
      any_centre = any_centre || (centre && !centre->isZero(0));
      any_translation = any_translation || !reading.vec3(*step.node, "translation", Vec3::Zero()).isZero(0);
      entry.between = step.above;
      tree.joints.push_back(entry);
      push(reading.field(*step.node, {"children"}), own, Affine::Identity());
    } else if (is_grouping(*step.node)) {
      const Affine here = step.above * transform_of(reading, *step.node);
      // A joint that a Switch hides is a joint all the same.
      auto children = shown_children(reading, *step.node);
      if (children.empty() && step.node->type == "Switch") {
        if (const Field* all = reading.field(*step.node, {"children", "choice"})) children = all->nodes;
      }
      for (auto it = children.rbegin(); it != children.rend(); ++it) stack.push_back({it->node, step.parent, here});
    } else if (type == "HAnimSegment") {
      // Joints below a segment are against the standard, but what hangs there is drawn there.
      push(reading.field(*step.node, {"children"}), step.parent, step.above);
    }
  }
  tree.by_translation = !any_centre && any_translation;
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    JointTree::Entry& entry = tree.joints[j];
    const Affine parent = entry.parent < 0 ? Affine::Identity() : tree.joints[static_cast<std::size_t>(entry.parent)].humanoid_from_content;
    entry.humanoid_from_content = parent * entry.between;
    // Below a turned Transform, rotations and translations are about its axes.
    entry.turn = rotation_of(entry.humanoid_from_content);
    entry.parent_turn = entry.turn;
    entry.parent_linear = entry.humanoid_from_content.linear();
    if (tree.by_translation) entry.rest_translation = reading.vec3(*entry.node, "translation", Vec3::Zero());
    if (tree.by_translation) {
      entry.humanoid_from_content =
          entry.humanoid_from_content * Eigen::Translation3d(reading.vec3(*entry.node, "translation", Vec3::Zero()));
      entry.place = entry.humanoid_from_content.translation();
    } else {
      entry.place = entry.humanoid_from_content * reading.vec3(*entry.node, "center", Vec3::Zero());
    }
  }
  report_shared_places(reading, tree);
  return tree;
}

void read_lists(const Reading& reading, const Node& node, const JointTree& tree) {
  const Field* list = reading.field(node, {"joints"});
  std::set<const Node*> listed;
  std::size_t placeholders = 0;
  if (list != nullptr) {
    for (const Child& child : list->nodes) {
      if (type_of(*child.node) != "HAnimJoint") continue;
      listed.insert(child.node);
      if (tree.index_of.contains(child.node)) continue;
      const bool empty =
          reading.vec3(*child.node, "center", Vec3::Zero()).isZero(0) && reading.numbers(*child.node, "skinCoordIndex").empty();
      if (empty) {
        ++placeholders;
        continue;
      }
      std::string name = reading.text(*child.node, "name");
      if (name.empty()) name = std::string(child.node->def);
      reading.sink.warning(codes::hanim_unreachable_joint,
                           "joint '" + name + "' is in the humanoid's list but not in its skeleton; it was left out",
                           reading.scene.locate(*child.node));
    }
  }
  if (placeholders > 0) {
    reading.sink.note(codes::hanim_joints_list,
                      std::to_string(placeholders) + " empty joints are listed that are not in the skeleton; they were left out",
                      reading.scene.locate(node));
  }
  const auto missing = std::ranges::count_if(tree.joints, [&](const JointTree::Entry& entry) { return !listed.contains(entry.node); });
  if (missing > 0) {
    reading.sink.note(codes::hanim_joints_list,
                      "the humanoid's list of joints lacks " + std::to_string(missing) + " of " + std::to_string(tree.joints.size()) +
                          "; the skeleton was taken",
                      reading.scene.locate(node));
  }
}

namespace {

/// Takes the file's word for what is up; the facing keeps what is level of it.
void point_up(MeasuredAxes& axes, const std::string& up) {
  const int axis = up.back() - 'X';
  axes.up = (up.front() == '-' ? -1.0 : 1.0) * Vec3::Unit(axis);
  Vec3 forward = axes.forward - axes.up * axes.up.dot(axes.forward);
  if (forward.norm() < 0.1) forward = axis == 1 ? Vec3(Vec3::UnitZ()) : Vec3(-Vec3::UnitY());
  axes.forward = forward.normalized();
  axes.left = axes.up.cross(axes.forward);
  axes.measured = true;
}

}  // namespace

Folding measure_folding(const Reading& reading, const Found& found, const JointTree& tree, const JointNames& names, SourceFacts& facts) {
  Folding fold;
  const Eigen::Matrix3d around = found.scene_from_humanoid.linear();
  const Quat placed = rotation_of(found.scene_from_humanoid);
  // The stretch that the scene gives the figure, in the figure's own axes; its turn and place are where the figure happens to stand.
  Eigen::Matrix3d stretch = placed.toRotationMatrix().transpose() * around;
  const double scale = std::cbrt(std::abs(stretch.determinant()));
  if ((stretch - scale * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6 * scale) stretch = scale * Eigen::Matrix3d::Identity();
  if (!(scale > 1e-9) || !std::isfinite(scale)) {
    reading.sink.warning(codes::hanim_bad_value, "the humanoid is scaled to nothing; its scale was left out",
                         reading.scene.locate(*found.node));
    stretch = Eigen::Matrix3d::Identity();
  }
  stretch *= reading.options.scale;
  facts.scale = scale * reading.options.scale;

  std::vector<Joint> joints;
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    Joint joint;
    joint.name = names.names[j];
    joint.parent = static_cast<JointIndex>(tree.joints[j].parent);
    joint.rest.place = stretch * tree.joints[j].place;
    joints.push_back(std::move(joint));
  }
  const auto skeleton = Skeleton::create(std::move(joints));
  facts.up = "+Y";
  facts.facing = "+Z";
  if (skeleton) {
    MeasuredAxes axes = measure_axes(*skeleton, reading.profile);
    if (!reading.options.up.empty()) point_up(axes, reading.options.up);
    if (axes.measured) {
      facts.up = axis_name(axes.up);
      facts.facing = axis_name(axes.forward);
      if (axes.forward.dot(Vec3::UnitZ()) < 0.85 || axes.up.dot(Vec3::UnitY()) < 0.85) {
        const Eigen::Matrix3d best = nearest_quarter_turn(axes);
        fold.turn = Quat(best);
        if (!best.isIdentity(1e-9)) {
          reading.sink.warning(
              codes::hanim_turned,
              "the figure stands along " + facts.up + " and faces " + facts.facing + "; it was turned to stand along +Y and face +Z",
              reading.scene.locate(*found.node));
        }
      }
      if (!axes.feet_agree) {
        reading.sink.warning(codes::hanim_turned, "the toes point away from where left and right say the figure faces",
                             reading.scene.locate(*found.node));
      }
    }
    double low = 0, high = 0;
    for (const Joint& joint : skeleton->joints()) {
      const double height = axes.up.dot(joint.rest.place);
      low = std::min(low, height);
      high = std::max(high, height);
    }
    if (skeleton->size() > 5 && (high - low < 0.3 || high - low > 3)) {
      reading.sink.warning(codes::hanim_unusual_size,
                           "the joints span " + std::to_string(high - low) + " m in height; not a human in metres?",
                           reading.scene.locate(*found.node));
    }
  }
  if (!found.scene_from_humanoid.translation().isZero(1e-9) || angle_between_rad(placed, Quat::Identity()) > 1e-9) {
    reading.sink.note(codes::hanim_placement, "the scene's placement of the figure (its turn and translation) was left out",
                      reading.scene.locate(*found.node));
  }
  fold.linear = fold.turn.toRotationMatrix() * stretch;
  return fold;
}

void read_skeleton(const Reading& reading, const Node& figure, const JointTree& tree, const JointNames& names, const Folding& fold,
                   Humanoid& humanoid) {
  std::vector<Joint> joints;
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    const JointTree::Entry& entry = tree.joints[j];
    Joint joint;
    joint.name = names.names[j];
    joint.source_name = names.source_names[j];
    joint.parent = static_cast<JointIndex>(entry.parent);
    joint.rest.place = fold(entry.place);
    const auto lower = reading.numbers(*entry.node, "llimit"), upper = reading.numbers(*entry.node, "ulimit");
    const auto set = [](const std::vector<double>& v) { return v.size() == 3 && (v[0] != 0 || v[1] != 0 || v[2] != 0); };
    if (set(lower) || set(upper)) {
      JointLimits limits;
      if (lower.size() == 3) limits.lower_rad = Vec3(lower[0], lower[1], lower[2]);
      if (upper.size() == 3) limits.upper_rad = Vec3(upper[0], upper[1], upper[2]);
      limits.frame = fold.turn * entry.parent_turn * reading.rotation(*entry.node, "limitOrientation");
      joint.limits = limits;
    }
    const auto stiffness = reading.numbers(*entry.node, "stiffness");
    if (set(stiffness)) joint.stiffness = Vec3(stiffness[0], stiffness[1], stiffness[2]);
    joints.push_back(std::move(joint));
  }
  auto made = Skeleton::create(std::move(joints));
  reading.sink.append(made.diagnostics);
  if (made) humanoid.skeleton = std::move(*made.value);

  // A file saved in a pose keeps it as a pose.
  x3d::RepeatedWarning doubled{codes::hanim_duplicate_segment, "more segment names occur twice; the later ones were numbered"};
  NamedPose pose{"saved", rest_pose(humanoid.skeleton)};
  std::size_t moved = 0;
  double size = 0;
  for (const JointTree::Entry& entry : tree.joints) size = std::max(size, entry.place.norm());
  for (std::size_t j = 0; j < humanoid.skeleton.size(); ++j) {
    const Node& node = *tree.joints[j].node;
    Transform& local = pose.pose.parent_from_joint[j];
    const Quat rotation = tree.joints[j].rotation(reading.rotation(node, "rotation"));
    const Vec3 translation = tree.joints[j].offset(reading.vec3(node, "translation", Vec3::Zero()));
    const Vec3 scale = reading.vec3(node, "scale", Vec3::Ones()).cwiseQuotient(tree.joints[j].rest_scale);
    // What was written with six digits is at rest when it is so within them.
    const double tolerance = tree.bound ? 1e-4 : 1e-9;
    if (angle_between_rad(rotation, Quat::Identity()) > tolerance || translation.norm() > (tree.bound ? tolerance * size : 1e-12) ||
        !scale.isOnes(tolerance))
      ++moved;
    local.rotation = fold.rotation(rotation).normalized();
    local.translation += fold(translation);
    local.scale = scale;
  }
  if (moved > 0) {
    humanoid.poses.push_back(std::move(pose));
    reading.sink.note(
        codes::hanim_saved_pose,
        "the file was saved with " + std::to_string(moved) + " joints moved; that is kept as pose 'saved', the rest pose is without it",
        reading.scene.locate(*tree.joints.front().node));
  }

  // Segments are told apart by their names: geometry and sites find theirs by it.
  std::set<std::string> taken;
  std::map<std::string, int> numbers;
  const auto own_name = [&](const Node& node, std::string name, JointIndex joint) {
    const bool nameless = name.empty();
    if (nameless) name = joint == JointIndex::none ? "segment" : humanoid.skeleton[joint].name + "_segment";
    const std::string wanted = name;
    if (!taken.insert(name).second) {
      for (int& number = numbers.try_emplace(wanted, 2).first->second; !taken.insert(name = wanted + "_" + std::to_string(number)).second;
           ++number) {
      }
      if (!nameless) {
        doubled.add(reading.sink, "segment name '" + wanted + "' occurs twice; the second was named '" + name + "'",
                    [&] { return reading.scene.locate(node); });
      }
    }
    reading.segment_names.emplace(&node, name);
    return name;
  };

  // Segments and sites, wherever they hang.
  const auto gather = [&](const std::vector<Child>& start, const Affine& place, JointIndex joint) {
    struct Step {
      const Node* node;
      Affine above;
      std::string segment;
    };
    std::vector<Step> stack;
    const auto push = [&](const std::vector<Child>& children, const Affine& above, const std::string& segment) {
      for (auto it = children.rbegin(); it != children.rend(); ++it) stack.push_back({it->node, above, segment});
    };
    push(start, place, "");
    while (!stack.empty()) {
      const Step step = stack.back();
      stack.pop_back();
      if (!reading.within_budget(visit_cost, *step.node)) return;
      const std::string_view type = type_of(*step.node);
      if (type == "HAnimSegment") {
        Segment segment;
        segment.name = reading.text(*step.node, "name");
        if (segment.name.empty()) segment.name = without_prefix(step.node->def, "");
        segment.joint = joint;
        segment.name = own_name(*step.node, std::move(segment.name), joint);
        segment.mass_kg = std::max(0.0, reading.number(*step.node, "mass", 0));
        const auto com = reading.vec3(*step.node, "centerOfMass");
        if (com && !com->isZero(0)) segment.centre_of_mass = fold(step.above * *com);
        const auto inertia = reading.numbers(*step.node, "momentsOfInertia");
        if (inertia.size() == 9 && std::ranges::any_of(inertia, [](double v) { return v != 0; })) {
          Eigen::Matrix3d m;
          m << inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5], inertia[6], inertia[7], inertia[8];
          const Eigen::Matrix3d r = fold.turn.toRotationMatrix();
          const double scale = std::cbrt(std::abs(fold.linear.determinant()));
          segment.moments_of_inertia = scale * scale * (r * m * r.transpose());
        }
        const std::string name = segment.name;
        humanoid.segments.push_back(std::move(segment));
        if (const Field* children = step.node->find("children")) push(children->nodes, step.above, name);
      } else if (type == "HAnimSite") {
        const Affine frame = step.above * transform_of(reading, *step.node);
        Site site;
        site.name = reading.text(*step.node, "name");
        if (site.name.empty()) site.name = without_prefix(step.node->def, "");
        site.joint = joint;
        site.segment = step.segment;
        site.rest.place = fold(frame.translation());
        site.rest.turn = fold.rotation(rotation_of(frame)).normalized();
        humanoid.sites.push_back(std::move(site));
        if (const Field* children = step.node->find("children")) push(children->nodes, frame, step.segment);
      } else if (is_grouping(*step.node)) {
        push(shown_children(reading, *step.node), step.above * transform_of(reading, *step.node), step.segment);
      }
    }
  };
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    if (const Field* children = tree.joints[j].node->find("children"))
      gather(children->nodes, tree.joints[j].humanoid_from_content, joint_index(j));
  }
  // Sites that move with the figure as a whole: cameras, and what hangs beside the root joint. What stands only in the flat lists hangs on
  // nothing.
  for (const std::string_view name : {"viewpoints", "skeleton", "humanoidBody", "sites", "segments"}) {
    const Field* field = figure.find(name);
    if (field == nullptr) continue;
    const bool listed = name == "sites" || name == "segments";
    std::vector<Child> own;
    std::ranges::copy_if(field->nodes, std::back_inserter(own), [&](const Child& child) {
      const std::string_view type = type_of(*child.node);
      return !child.is_use && (type == "HAnimSite" || (name == "segments" && type == "HAnimSegment"));
    });
    if (own.empty()) continue;
    if (listed) {
      reading.sink.warning(codes::hanim_listed_only,
                           std::to_string(own.size()) + " " + std::string(name) +
                               " stand only in the humanoid's flat list, below no joint; " +
                               (name == "sites" ? "they move with the whole figure" : "they were left out"),
                           reading.scene.locate(own.front()));
    }
    if (name != "segments") gather(own, Affine::Identity(), JointIndex::none);
  }
}

}  // namespace vesalius::hanim
