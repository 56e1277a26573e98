#pragma once
// One walk over the tree of a humanoid: what hangs where, nothing interpreted.
#include <map>
#include <vector>

#include "formats/hanim/values.hpp"
#include "vesalius/skeleton.hpp"

namespace vesalius::hanim {

inline constexpr std::size_t none = static_cast<std::size_t>(-1);

struct JointNode {
  const x3d::Node* node = nullptr;
  std::size_t parent = none;
  TransformFields fields;
  bool has_center = false;
  /// humanoid_from_joint when every rotation is the identity: what the geometry below it is written in.
  Affine humanoid_from_inside = Affine::Identity();
};

struct SegmentNode {
  const x3d::Node* node = nullptr;
  std::size_t joint = none;
};

struct SiteNode {
  const x3d::Node* node = nullptr;
  std::size_t joint = none;
  std::size_t segment = none;
  Affine humanoid_from_site = Affine::Identity();
  Vec3 scale = Vec3::Ones();
};

/// One occurrence of a Shape (or of bare geometry).
struct ShapeNode {
  const x3d::Node* shape = nullptr;
  std::size_t joint = none;
  std::size_t segment = none;
  Affine humanoid_from_shape = Affine::Identity();
};

struct Traversal {
  std::vector<JointNode> joints;  ///< parents first, in file order
  std::vector<SegmentNode> segments;
  std::vector<SiteNode> sites;
  std::vector<ShapeNode> rigid;  ///< below joints and segments
  std::vector<ShapeNode> skin;   ///< below the skin field
  std::map<const x3d::Node*, std::size_t> joint_of_node;
  bool by_translation = false;  ///< joints have no centers: their translations place them
};

/// Walks skeleton (or humanoidBody) and skin. Iterative; nodes that reuse multiplies beyond a limit are hanim.too_large.
[[nodiscard]] Traversal walk(Reading& in, const x3d::Node& humanoid);

}  // namespace vesalius::hanim
