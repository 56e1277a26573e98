// What a file holds beside the skeleton and skin of its humanoid: listed poses, and everything around the figure.
#include <algorithm>
#include <set>
#include <unordered_set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {

void read_poses(const Reading& reading, const Node& node, const JointTree& tree, const Folding& fold, Humanoid& humanoid) {
  const Field* list = node.find("poses");
  if (list == nullptr) return;
  for (const Child& child : list->nodes) {
    const Node& source = *child.node;
    if (type_of(source) != "HAnimPose") continue;
    if (!reading.within_budget(humanoid.skeleton.size(), source)) return;
    NamedPose pose;
    pose.name = reading.text(source, "name");
    if (pose.name.empty()) pose.name = source.def.empty() ? "pose" + std::to_string(humanoid.poses.size() + 1) : std::string(source.def);
    pose.pose = rest_pose(humanoid.skeleton);
    std::size_t unknown = 0;
    for (const Field& field : source.fields) {
      for (const Child& entry : field.nodes) {
        if (type_of(*entry.node) != "HAnimJoint") continue;
        const std::string name = reading.text(*entry.node, "name");
        JointIndex joint = joint_named(reading, humanoid, name);
        if (const auto used = tree.index_of.find(entry.node); used != tree.index_of.end()) joint = static_cast<JointIndex>(used->second);
        if (joint == JointIndex::none) {
          ++unknown;
          continue;
        }
        const JointTree::Entry& at = tree.joints[index(joint)];
        Transform& local = pose.pose.parent_from_joint[index(joint)];
        local.rotation = fold.rotation(at.rotation(reading.rotation(*entry.node, "rotation"))).normalized();
        if (const auto translation = reading.vec3(*entry.node, "translation")) local.translation += fold(at.offset(*translation));
        if (const auto scale = reading.vec3(*entry.node, "scale")) local.scale = scale->cwiseQuotient(at.rest_scale);
      }
    }
    if (unknown > 0) {
      reading.sink.warning(codes::hanim_unknown_name,
                           "pose '" + pose.name + "' turns " + std::to_string(unknown) + " joints that the humanoid does not have",
                           reading.scene.locate(source));
    }
    humanoid.poses.push_back(std::move(pose));
  }
}

void report_surroundings(const Reading& reading, const Node& humanoid) {
  // Kinds of nodes that people would miss; what only arranges others is not counted.
  const auto counts = [](std::string_view type) {
    return type == "Shape" || type == "HAnimHumanoid" || type == "Inline" || type == "Sound" || type == "Script" || type == "Viewpoint" ||
           type == "OrthoViewpoint" || type == "Background" || type == "TextureBackground" || type == "Fog" || type.ends_with("Light") ||
           type.ends_with("Sensor") || type == "ParticleSystem" || type == "AudioClip";
  };
  std::map<std::string, std::size_t> found;
  std::unordered_set<const Node*> seen{&humanoid};
  std::vector<const Node*> stack;
  // Sensors that drive the figure's motion are carried over in it.
  std::unordered_set<const Node*> drives;
  for (const x3d::Route& route : reading.scene.routes) {
    if (route.from->type == "TimeSensor" && route.to->type.ends_with("Interpolator")) drives.insert(route.from);
  }
  // What the humanoid draws may have been written elsewhere.
  std::vector<const Node*> own{&humanoid};
  while (!own.empty()) {
    const Node* node = own.back();
    own.pop_back();
    for (const Field& field : node->fields) {
      for (const Child& child : field.nodes) {
        if (!seen.insert(child.node).second) continue;
        own.push_back(child.node);
        // Shapes are read or reported where they stand.
        const std::string_view type = type_of(*child.node);
        if (counts(type) && type != "Shape" && type != "Inline" && !drives.contains(child.node)) ++found[std::string(type)];
      }
    }
  }
  for (const Child& root : reading.scene.roots) stack.push_back(root.node);
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    if (!seen.insert(node).second) continue;
    const std::string_view type = type_of(*node);
    if (counts(type) && !drives.contains(node)) ++found[std::string(type)];
    if (type == "HAnimHumanoid") continue;  // counted as one
    for (const Field& field : node->fields) {
      for (const Child& child : field.nodes) stack.push_back(child.node);
    }
  }
  if (found.empty()) return;
  std::string list;
  for (const auto& [type, number] : found) list += (list.empty() ? "" : ", ") + std::to_string(number) + " " + type;
  reading.sink.note(codes::hanim_dropped_node, "around and on the humanoid stand " + list + "; they were left out",
                    {reading.scene.file(), 0, 0, {}});
}

}  // namespace vesalius::hanim
