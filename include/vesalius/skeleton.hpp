#pragma once
// The joints of a humanoid at rest.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vesalius/diagnostics.hpp"
#include "vesalius/frames.hpp"

namespace vesalius {

enum class JointIndex : std::int32_t { none = -1 };

[[nodiscard]] constexpr std::size_t index(JointIndex joint) noexcept {
  return static_cast<std::size_t>(joint);
}
[[nodiscard]] constexpr JointIndex joint_index(std::size_t i) noexcept {
  return static_cast<JointIndex>(static_cast<std::int32_t>(i));
}

/// Allowed rotations about the axes of `frame` (canonical axes at rest), rad.
struct JointLimits {
  Vec3 lower_rad = Vec3::Zero();
  Vec3 upper_rad = Vec3::Zero();
  Quat frame = Quat::Identity();
};

struct Joint {
  std::string name;         ///< name in the profile's vocabulary; unique in a skeleton
  std::string source_name;  ///< what the file called it
  JointIndex parent = JointIndex::none;
  Rigid rest;  ///< model_from_joint at rest, canonical frame, metre
  std::optional<JointLimits> limits;
  std::optional<Vec3> stiffness;  ///< per axis, 0 to 1
};

/// Immutable once made: unique non-empty names, parents before children, finite places, unit rotations.
class Skeleton {
 public:
  Skeleton() = default;
  /// Joints in any order that puts parents first. Errors: model.duplicate_joint, model.parent_order, model.not_finite, model.unnamed_joint.
  [[nodiscard]] static Result<Skeleton> create(std::vector<Joint> joints);

  [[nodiscard]] std::span<const Joint> joints() const noexcept { return joints_; }
  [[nodiscard]] std::size_t size() const noexcept { return joints_.size(); }
  [[nodiscard]] bool empty() const noexcept { return joints_.empty(); }
  [[nodiscard]] const Joint& operator[](JointIndex joint) const noexcept { return joints_[index(joint)]; }
  [[nodiscard]] JointIndex find(std::string_view name) const;  ///< none when absent
  [[nodiscard]] std::vector<JointIndex> children(JointIndex joint) const;
  [[nodiscard]] bool is_ancestor(JointIndex ancestor, JointIndex joint) const;  ///< true also for the joint itself
  [[nodiscard]] JointIndex common_ancestor(JointIndex a, JointIndex b) const;

 private:
  std::vector<Joint> joints_;
  std::map<std::string, JointIndex, std::less<>> by_name_;
};

/// parent_from_joint at rest: shape joints().size(), in joint order. For a joint without parent, model_from_joint.
[[nodiscard]] std::vector<Transform> rest_locals(const Skeleton& skeleton);

}  // namespace vesalius
