// Avatar Studio and blaxxun avatars: the rig stands in fields of a Script, the mesh's points in the frames of their joints.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/making.hpp"
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {
namespace {

/// Where a rig stands: its Script and the nodes around it.
struct Place {
  const Node* instance = nullptr;  ///< of the prototype, or null
  std::vector<Node*> nodes;        ///< everything in the same body or file
  Node* script = nullptr;
};

std::vector<Node*> nodes_below(std::vector<Node*> stack) {
  std::vector<Node*> result;
  std::unordered_set<const Node*> seen;
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    if (node == nullptr || !seen.insert(node).second) continue;
    result.push_back(node);
    for (const Field& field : node->fields) {
      for (const Child& child : field.nodes) stack.push_back(child.node);
    }
  }
  return result;
}

bool holds_rig(const Node& node) {
  return node.type == "Script" && node.find("P") != nullptr && node.find("R0") != nullptr && node.find("vgroups") != nullptr;
}

std::vector<Place> find_rigs(Scene& scene) {
  std::vector<Place> places;
  std::unordered_set<const Node*> known;
  const auto look = [&](std::vector<Node*> start, const Node* instance) {
    const auto nodes = nodes_below(std::move(start));
    for (Node* node : nodes) {
      if (holds_rig(*node) && known.insert(node).second) places.push_back({instance, nodes, node});
    }
  };
  for (const auto& [instance, holder] : scene.bodies()) look({holder}, instance);
  std::vector<Node*> roots;
  for (const Child& root : scene.roots) roots.push_back(root.node);
  look(std::move(roots), nullptr);
  return places;
}

/// Names from the script's text: "rot_NAME" sets R[k], "pos_Center" sets P[k].
std::map<std::size_t, std::string> names_in_script(std::string_view text) {
  std::map<std::size_t, std::string> result;
  constexpr std::string_view keyword = "function";
  for (std::size_t at = text.find(keyword); at != std::string_view::npos; at = text.find(keyword, at + 1)) {
    std::size_t begin = at + keyword.size();
    while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t' || text[begin] == '\n' || text[begin] == '\r')) ++begin;
    const std::string_view rest = text.substr(begin);
    const bool turns = rest.starts_with("rot_"), moves = rest.starts_with("pos_");
    if (!turns && !moves) continue;
    const std::size_t end = rest.find_first_of("( \t\r\n");
    if (end == std::string_view::npos) continue;
    const std::string name(rest.substr(4, end - 4));
    const std::size_t next = std::min(rest.find(keyword), rest.size());
    const std::string_view body = rest.substr(0, next);
    const std::size_t index_at = body.find(turns ? "R[" : "P[");
    if (index_at == std::string_view::npos) continue;
    std::size_t index = 0;
    const char* from = body.data() + index_at + 2;
    if (std::from_chars(from, body.data() + body.size(), index).ec == std::errc() && !name.empty()) result.emplace(index, name);
  }
  return result;
}

class Avatar {
 public:
  Avatar(Scene& scene, Place place, const MappingTables& tables, Diagnostics& sink)
      : scene_(scene), place_(std::move(place)), rig_(tables.rig("avatar-studio")), sink_(sink), make_(scene, *place_.script) {}

  bool run() {
    if (!read_rig()) return false;
    name_joints();
    Node* coord = coordinate();
    Node& humanoid = make_.node("HAnimHumanoid", nullptr);
    make_.text(humanoid, "name", title());
    make_.text(humanoid, "skeletalConfiguration", std::string(avatar_configuration));
    metadata(humanoid);
    make_joints(humanoid);
    if (coord != nullptr) skin(humanoid, *coord);
    gestures();
    scene_.roots.push_back({&humanoid, place_.script->offset, place_.script->source, false});
    sink_.note(codes::hanim_dialect,
               "this is an Avatar Studio avatar: its rig of " + std::to_string(joints_.size()) + " joints was read from a Script's fields",
               scene_.locate(*place_.script));
    return true;
  }

 private:
  struct AvatarJoint {
    std::string name;
    int parent = -1;
    int joint = -1;  ///< the joint that takes its skin: itself, or the one it helps, or its parent
    std::uint32_t depth = 0, first = 0, end = 0;
    Affine world = Affine::Identity();
    Node* node = nullptr;
  };

  std::vector<double> numbers(const Node& node, std::string_view name) {
    std::vector<double> values;
    const Field* field = node.find(name);
    if (field != nullptr && !field->is_node && !x3d::parse_doubles(scene_, node, *field, values, sink_)) values.clear();
    return values;
  }
  const Field* exposed(std::string_view name) const {
    if (place_.instance == nullptr) return nullptr;
    if (const Field* own = place_.instance->find(name)) return own;
    return place_.instance->proto == nullptr ? nullptr : place_.instance->proto->defaults->find(name);
  }
  std::vector<std::string> exposed_strings(std::string_view name) const {
    const Field* field = exposed(name);
    return field == nullptr || field->is_node ? std::vector<std::string>() : x3d::parse_strings(*field);
  }

  bool read_rig() {
    const Node& script = *place_.script;
    const auto places = numbers(script, "P"), turns = numbers(script, "R0"), groups = numbers(script, "vgroups");
    const std::size_t count = groups.size() / 3;
    if (count == 0 || places.size() / 3 < count || groups.size() % 3 != 0) {
      sink_.error(codes::hanim_bad_value,
                  "an Avatar Studio rig has " + std::to_string(places.size() / 3) + " places for " + std::to_string(count) +
                      " groups of vertices; expected as many",
                  scene_.locate(script));
      return false;
    }
    std::vector<int> last_at_depth;
    for (std::size_t j = 0; j < count; ++j) {
      AvatarJoint joint;
      const double depth = groups[3 * j];
      if (!(depth >= 0) || depth > static_cast<double>(last_at_depth.size())) {
        sink_.error(codes::hanim_bad_value,
                    "joint " + std::to_string(j) + " of an Avatar Studio rig stands at depth " + number_text(depth) +
                        "; expected at most " + std::to_string(last_at_depth.size()),
                    scene_.locate(script, *script.find("vgroups")));
        return false;
      }
      joint.depth = static_cast<std::uint32_t>(depth);
      joint.first = static_cast<std::uint32_t>(std::clamp(groups[3 * j + 1], 0.0, 1e9));
      joint.end = static_cast<std::uint32_t>(std::clamp(groups[3 * j + 2], 0.0, 1e9));
      joint.parent = joint.depth == 0 ? -1 : last_at_depth[joint.depth - 1];
      last_at_depth.resize(joint.depth);
      last_at_depth.push_back(static_cast<int>(j));
      // The ground is where the first joint stands: places count from there.
      const Vec3 place = j == 0 ? Vec3(Vec3::Zero()) : Vec3(places[3 * j], places[3 * j + 1], places[3 * j + 2]);
      Quat turn = Quat::Identity();
      if (turns.size() >= 4 * (j + 1)) {
        const Vec3 axis(turns[4 * j], turns[4 * j + 1], turns[4 * j + 2]);
        if (axis.norm() > 1e-12) turn = Quat(Eigen::AngleAxisd(turns[4 * j + 3], axis.normalized()));
      }
      const Affine above = joint.parent < 0 ? Affine::Identity() : joints_[static_cast<std::size_t>(joint.parent)].world;
      joint.world = above * Eigen::Translation3d(place) * turn;
      joints_.push_back(joint);
    }
    return true;
  }

  void name_joints() {
    const auto listed = exposed_strings("jointNames");
    std::string text;
    for (const std::string_view field : {"url", "sourceCode"}) {
      if (const Field* source = place_.script->find(field)) {
        for (const std::string& piece : x3d::parse_strings(*source)) text += piece + "\n";
      }
    }
    const auto in_script = names_in_script(text);
    std::map<std::string, int> by_name;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      AvatarJoint& joint = joints_[j];
      if (j < listed.size() && !listed[j].empty()) {
        joint.name = listed[j];
      } else if (const auto found = in_script.find(j); found != in_script.end()) {
        joint.name = found->second;
      }
      if (!joint.name.empty()) by_name.emplace(joint.name, static_cast<int>(j));
    }
    // What only helps another joint gives it its skin; a nameless joint moves with its parent.
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      AvatarJoint& joint = joints_[j];
      const RigBone* bone = rig_ == nullptr || joint.name.empty() ? nullptr : rig_->match(joint.name);
      joint.joint = static_cast<int>(j);
      if (bone != nullptr && !bone->helps.empty()) {
        const auto helped = by_name.find(bone->helps);
        joint.joint = helped != by_name.end() ? helped->second : joint.parent;
      } else if (joint.name.empty() && joint.parent > 0) {
        joint.joint = joint.parent;
      }
      if (joint.joint < 0) joint.joint = static_cast<int>(j);
      if (bone != nullptr && !bone->joint.empty()) joint.name = bone->joint;
    }
  }

  std::string title() const {
    const auto nickname = exposed_strings("nickname");
    return nickname.empty() || nickname.front().empty() ? "avatar" : nickname.front();
  }
  void metadata(Node& humanoid) {
    const auto sex = exposed_strings("sex");
    if (!sex.empty() && !sex.front().empty()) make_.text(humanoid, "info", "\"gender=" + sex.front() + "\"");
  }

  /// Joints that stay: those that take skin or carry others that do. The first one is the ground when no skin hangs on it.
  [[nodiscard]] std::vector<bool> kept() const {
    std::vector<bool> keep(joints_.size(), false);
    for (std::size_t j = joints_.size(); j-- > 0;) {
      const bool own = joints_[j].joint == static_cast<int>(j);
      keep[j] = keep[j] || own;
      if (keep[j] && joints_[j].parent >= 0) keep[static_cast<std::size_t>(joints_[j].parent)] = true;
    }
    const bool bare = joints_.front().end <= joints_.front().first;
    const auto children = std::ranges::count(joints_, 0, &AvatarJoint::parent);
    if (bare && children == 1 && joints_.size() > 1) keep.front() = false;
    return keep;
  }

  void make_joints(Node& humanoid) {
    const auto keep = kept();
    std::vector<double> positions, rotations;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      AvatarJoint& joint = joints_[j];
      if (!keep[j]) continue;
      int parent = joint.parent;
      while (parent >= 0 && !keep[static_cast<std::size_t>(parent)]) parent = joints_[static_cast<std::size_t>(parent)].parent;
      Node* above = parent < 0 ? &humanoid : joints_[static_cast<std::size_t>(parent)].node;
      joint.node = &make_.node("HAnimJoint", above);
      make_.text(*joint.node, "name", joint.name.empty() ? "joint_" + std::to_string(j) : joint.name);
      const Affine parent_world = parent < 0 ? Affine::Identity() : joints_[static_cast<std::size_t>(parent)].world;
      const Affine local = parent_world.inverse() * joint.world;
      const Vec3 at = local.translation();
      make_.numbers(*joint.node, "translation", std::array{at.x(), at.y(), at.z()});
      const Eigen::AngleAxisd turn(rotation_of(local));
      make_.numbers(*joint.node, "rotation", std::array{turn.axis().x(), turn.axis().y(), turn.axis().z(), turn.angle()});
      make_.child(*above, parent < 0 ? "skeleton" : "children", *joint.node, false);
      make_.child(humanoid, "joints", *joint.node, true);
      const Affine inverse = joint.world.inverse();
      const Eigen::AngleAxisd back(rotation_of(inverse));
      for (int k = 0; k < 3; ++k) positions.push_back(inverse.translation()[k]);
      for (int k = 0; k < 3; ++k) rotations.push_back(back.axis()[k]);
      rotations.push_back(back.angle());
    }
    make_.numbers(humanoid, "jointBindingPositions", positions);
    make_.numbers(humanoid, "jointBindingRotations", rotations);
  }

  /// The Coordinate whose points the rig moves: the script's own reference, or the node of the usual name.
  Node* coordinate() {
    for (const Field& field : place_.script->fields) {
      if (field.is_node && !field.nodes.empty() && field.nodes.front().node->type == "Coordinate") return field.nodes.front().node;
    }
    for (Node* node : place_.nodes) {
      if (node->type == "Coordinate" && node->def == "PointList") return node;
    }
    sink_.warning(codes::hanim_dropped_geometry, "an Avatar Studio rig names no list of points; the figure has no mesh",
                  scene_.locate(*place_.script));
    return nullptr;
  }

  void skin(Node& humanoid, Node& coord) {
    auto points = numbers(coord, "point");
    const std::size_t count = points.size() / 3;
    std::vector<std::string> indices(joints_.size());
    std::size_t outside = 0, moved = 0;
    for (const AvatarJoint& joint : joints_) {
      if (joint.end > count) outside += joint.end - std::max<std::size_t>(joint.first, count);
      int owner = joint.joint;
      while (owner > 0 && joints_[static_cast<std::size_t>(owner)].node == nullptr) owner = joints_[static_cast<std::size_t>(owner)].parent;
      for (std::size_t v = joint.first; v < std::min<std::size_t>(joint.end, count); ++v, ++moved) {
        if (moved > count) break;  // overlapping groups
        const Vec3 world = joint.world * Vec3(points[3 * v], points[3 * v + 1], points[3 * v + 2]);
        for (int k = 0; k < 3; ++k) points[3 * v + static_cast<std::size_t>(k)] = world[k];
        if (owner >= 0) indices[static_cast<std::size_t>(owner)] += std::to_string(v) + " ";
      }
    }
    if (outside > 0)
      sink_.warning(codes::hanim_bad_index,
                    std::to_string(outside) + " vertices of the rig lie outside the " + std::to_string(count) + " points",
                    scene_.locate(*place_.script));
    make_.numbers(coord, "point", points);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (joints_[j].node != nullptr && !indices[j].empty()) make_.text(*joints_[j].node, "skinCoordIndex", indices[j]);
    }
    make_.child(humanoid, "skinCoord", coord, true);
    for (Node* node : place_.nodes) {
      if (node->type != "Shape") continue;
      const Field* geometry = node->find("geometry");
      if (geometry == nullptr || geometry->nodes.empty()) continue;
      const Field* own = geometry->nodes.front().node->find("coord");
      if (own != nullptr && !own->nodes.empty() && own->nodes.front().node == &coord) make_.child(humanoid, "skin", *node, true);
    }
  }

  /// Gesture n: TSn drives PIn_k (places) and OIn_k (turns) of joint k.
  void gestures() {
    const auto names = exposed_strings("gestureNames");
    std::map<std::string, Node*, std::less<>> by_def;
    for (Node* node : place_.nodes) {
      if (!node->def.empty()) by_def.emplace(std::string(node->def), node);
    }
    std::size_t dropped = 0;
    for (std::size_t n = 1; n <= 100; ++n) {
      const std::string number = std::to_string(n);
      const auto sensor = by_def.find("TS" + number);
      if (sensor == by_def.end() || sensor->second->type != "TimeSensor") continue;
      if (n <= names.size() && !names[n - 1].empty()) sensor->second->def = scene_.keep(names[n - 1]);
      for (const auto& [prefix, field] : {std::pair("PI", "set_translation"), std::pair("OI", "set_rotation")}) {
        const std::string start = prefix + number + "_";
        for (auto it = by_def.lower_bound(start); it != by_def.end() && it->first.starts_with(start); ++it) {
          std::size_t joint = 0;
          const char* from = it->first.data() + start.size();
          const char* to = it->first.data() + it->first.size();
          if (std::from_chars(from, to, joint).ptr != to) continue;
          if (joint >= joints_.size() || joints_[joint].node == nullptr) {
            ++dropped;
            continue;
          }
          scene_.routes.push_back({sensor->second, it->second, "fraction_changed", "set_fraction", it->second->offset, it->second->source});
          scene_.routes.push_back({it->second, joints_[joint].node, "value_changed", field, it->second->offset, it->second->source});
        }
      }
    }
    if (dropped > 0) {
      sink_.note(codes::hanim_motion,
                 std::to_string(dropped) + " tracks of the gestures move helper joints or the ground; they were left out",
                 scene_.locate(*place_.script));
    }
  }

  Scene& scene_;
  Place place_;
  const Rig* rig_;
  Diagnostics& sink_;
  Maker make_;
  std::vector<AvatarJoint> joints_;
};

}  // namespace

bool adapt_avatar_studio(Scene& scene, const MappingTables& tables, Diagnostics& sink) {
  bool any = false;
  for (Place& place : find_rigs(scene)) any = Avatar(scene, std::move(place), tables, sink).run() || any;
  return any;
}

}  // namespace vesalius::hanim
