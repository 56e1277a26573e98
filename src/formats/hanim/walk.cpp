#include "formats/hanim/walk.hpp"

#include "formats/hanim/codes.hpp"
#include "formats/hanim/kinds.hpp"

namespace vesalius::hanim {
namespace {

constexpr std::size_t most_visits = 5'000'000;

struct Visit {
  const x3d::Node* node = nullptr;
  std::size_t joint = none;
  std::size_t segment = none;
  Affine humanoid_from_here = Affine::Identity();
};

/// Fields of humanoid nodes that hold no part of the tree.
bool is_aside(std::string_view field) noexcept {
  return field == "metadata" || field == "displacers" || field == "viewpoints" || field == "joints" || field == "segments" ||
         field == "sites" || field == "coord" || field == "skinCoord" || field == "skinNormal" || field == "motions" || field == "poses";
}

class Walker {
 public:
  Walker(Reading& in, Traversal& out) : in_(in), out_(out) {}

  void run(const x3d::Field& field, bool skin) {
    skin_ = skin;
    push(field, {});
    while (!stack_.empty()) {
      const Visit visit = stack_.back();
      stack_.pop_back();
      if (visit.node == nullptr) continue;
      if (++visits_ > most_visits) {
        in_.sink.error(codes::hanim_too_large,
                       "reused nodes stand for more than " + std::to_string(most_visits) + " nodes; expected a humanoid",
                       in_.scene.locate(*visit.node));
        return;
      }
      step(visit);
    }
  }
  void report_left_out() {
    if (viewpoints_ > 0) {
      in_.sink.note(codes::hanim_viewpoints,
                    std::to_string(viewpoints_) + " viewpoint(s) inside the humanoid are left out: the model has no cameras");
    }
  }

 private:
  void push(const x3d::Field& field, const Visit& place) {
    for (auto child = field.nodes.rbegin(); child != field.nodes.rend(); ++child) {
      stack_.push_back({child->node, place.joint, place.segment, place.humanoid_from_here});
    }
  }
  void push_children(const Visit& place) {
    const auto& fields = place.node->fields;
    for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
      if (!is_aside(field->name)) push(*field, place);
    }
  }
  void push_one(const x3d::Field* field, std::size_t which, const Visit& place) {
    if (field == nullptr || which >= field->nodes.size()) return;
    stack_.push_back({field->nodes[which].node, place.joint, place.segment, place.humanoid_from_here});
  }

  void step(Visit visit) {
    const x3d::Node& node = *visit.node;
    switch (kind_of(node)) {
      case Kind::joint:
        return joint(visit);
      case Kind::segment:
        out_.segments.push_back({&node, visit.joint});
        visit.segment = out_.segments.size() - 1;
        return push_children(visit);
      case Kind::site: {
        const TransformFields fields = read_transform(in_, node);
        visit.humanoid_from_here = visit.humanoid_from_here * fields.matrix();
        out_.sites.push_back({&node, visit.joint, visit.segment, visit.humanoid_from_here, fields.scale});
        return push_children(visit);
      }
      case Kind::transform:
        visit.humanoid_from_here = visit.humanoid_from_here * read_transform(in_, node).matrix();
        return push_children(visit);
      case Kind::grouping:
        return push_children(visit);
      case Kind::lod:
        return push_one(first_field(node, {"children", "level"}), 0, visit);
      case Kind::choice: {
        const int which = static_cast<int>(read_double(in_, node, "whichChoice").value_or(-1));
        if (which >= 0) push_one(first_field(node, {"children", "choice"}), static_cast<std::size_t>(which), visit);
        return;
      }
      case Kind::shape:
        (skin_ ? out_.skin : out_.rigid).push_back({&node, visit.joint, visit.segment, visit.humanoid_from_here});
        return;
      case Kind::viewpoint:
        ++viewpoints_;
        return;
      case Kind::inlined:
        in_.sink.warning(codes::hanim_inline, "a file named by Inline inside the humanoid is not read", in_.scene.locate(node));
        return;
      case Kind::proto:
        in_.sink.warning(codes::hanim_unexpanded_proto,
                         "an instance of prototype '" + std::string(node.type) +
                             "' inside the humanoid is left out: bodies of prototypes are not expanded",
                         in_.scene.locate(node));
        return;
      case Kind::humanoid:
      case Kind::displacer:
        return;
      case Kind::other:
        // skin may hold geometry without a Shape around it.
        if (skin_ && (node.find("coord") != nullptr || node.type.starts_with("Indexed"))) {
          out_.skin.push_back({&node, visit.joint, visit.segment, visit.humanoid_from_here});
        }
        return;
    }
  }

  void joint(Visit& visit) {
    const x3d::Node& node = *visit.node;
    if (skin_) return;
    if (const auto before = out_.joint_of_node.find(&node); before != out_.joint_of_node.end()) {
      in_.sink.warning(codes::hanim_reused_joint,
                       "joint '" + std::string(node.def) + "' hangs in two places of the skeleton; only the first counts",
                       in_.scene.locate(node));
      return;
    }
    JointNode joint;
    joint.node = &node;
    joint.parent = visit.joint;
    joint.fields = read_transform(in_, node);
    joint.has_center = !joint.fields.center.isZero(0);
    // Places come from translations only where the file has no center at all, which `by_translation` tells after a first look.
    if (out_.by_translation) {
      visit.humanoid_from_here = visit.humanoid_from_here * Eigen::Translation3d(joint.fields.translation);
    }
    joint.humanoid_from_inside = visit.humanoid_from_here;
    out_.joint_of_node.emplace(&node, out_.joints.size());
    visit.joint = out_.joints.size();
    visit.segment = none;
    out_.joints.push_back(std::move(joint));
    push_children(visit);
  }

  Reading& in_;
  Traversal& out_;
  std::vector<Visit> stack_;
  std::size_t visits_ = 0;
  std::size_t viewpoints_ = 0;
  bool skin_ = false;
};

/// Whether no joint below the field has a center but some have translations: how converters of motion capture and glTF write.
bool placed_by_translation(const x3d::Field& skeleton) {
  std::vector<const x3d::Node*> stack;
  for (const x3d::Child& child : skeleton.nodes) stack.push_back(child.node);
  std::size_t visits = 0, moved = 0;
  const auto is_zero = [](const x3d::Field& field) { return field.text.find_first_of("123456789") == std::string_view::npos; };
  while (!stack.empty() && ++visits < most_visits) {
    const x3d::Node* node = stack.back();
    stack.pop_back();
    if (node == nullptr) continue;
    const Kind kind = kind_of(*node);
    if (kind == Kind::joint) {
      const x3d::Field* center = node->find("center");
      if (center != nullptr && !is_zero(*center)) return false;
      const x3d::Field* translation = node->find("translation");
      if (translation != nullptr && !is_zero(*translation)) ++moved;
    } else if (kind != Kind::transform && kind != Kind::grouping) {
      continue;
    }
    for (const x3d::Field& field : node->fields) {
      if (is_aside(field.name)) continue;
      for (const x3d::Child& child : field.nodes) stack.push_back(child.node);
    }
  }
  return moved > 0;
}

}  // namespace

Traversal walk(Reading& in, const x3d::Node& humanoid) {
  Traversal out;
  Walker walker(in, out);
  if (const x3d::Field* skeleton = skeleton_field(humanoid)) {
    out.by_translation = placed_by_translation(*skeleton);
    walker.run(*skeleton, false);
  }
  if (const x3d::Field* skin = humanoid.find("skin"); skin != nullptr && !in.sink.has_errors()) walker.run(*skin, true);
  walker.report_left_out();
  return out;
}

}  // namespace vesalius::hanim
