// Joints placed by inverse bind matrices, as X_ITE writes them for glTF and VRM.
#include <algorithm>

#include "formats/hanim/codes.hpp"
#include "formats/hanim/reading.hpp"

namespace vesalius::hanim {
namespace {

/// Entry `i` of a list with `width` numbers per joint; a single entry stands for all, a missing one for the default.
template <std::size_t Width>
std::array<double, Width> entry_of(const std::vector<double>& values, std::size_t i, const std::array<double, Width>& otherwise) {
  const std::size_t entries = values.size() / Width;
  if (entries == 0) return otherwise;
  const std::size_t at = entries == 1 ? 0 : i;
  if (at >= entries) return otherwise;
  std::array<double, Width> result{};
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(at * Width), Width, result.begin());
  return result;
}

}  // namespace

void read_bindings(const Reading& reading, const Node& humanoid, JointTree& tree) {
  const std::string configuration = reading.text(humanoid, "skeletalConfiguration");
  if (configuration.empty() || configuration == "BASIC") return;  // the standard: the fields are not used
  const auto positions = reading.numbers(humanoid, "jointBindingPositions");
  const auto rotations = reading.numbers(humanoid, "jointBindingRotations");
  const auto scales = reading.numbers(humanoid, "jointBindingScales");
  const bool own = configuration == avatar_configuration;
  const bool inverse = own || configuration == "GLTF" || configuration == "VRM";
  const Field* list = humanoid.find("joints");
  if (!inverse || list == nullptr || (positions.empty() && rotations.empty() && scales.empty())) {
    if (!inverse || !positions.empty() || !rotations.empty())
      reading.sink.warning(codes::hanim_binding_ignored,
                           "the binding pose of skeletal configuration '" + configuration + "' was not read; only GLTF and VRM are known",
                           reading.scene.locate(humanoid));
    return;
  }
  std::map<const Node*, Affine> bound;
  std::size_t singular = 0;
  for (std::size_t i = 0; i < list->nodes.size(); ++i) {
    const auto p = entry_of<3>(positions, i, {0, 0, 0});
    const auto r = entry_of<4>(rotations, i, {0, 0, 1, 0});
    const auto s = entry_of<3>(scales, i, {1, 1, 1});
    const Vec3 axis(r[0], r[1], r[2]);
    const Quat turn = axis.norm() < 1e-12 ? Quat::Identity() : Quat(Eigen::AngleAxisd(r[3], axis.normalized()));
    const Affine joint_from_humanoid = Eigen::Translation3d(p[0], p[1], p[2]) * turn * Eigen::Scaling(s[0], s[1], s[2]);
    if (!(std::abs(joint_from_humanoid.linear().determinant()) > 1e-12)) {
      ++singular;
      continue;
    }
    bound.emplace(list->nodes[i].node, joint_from_humanoid.inverse());
  }
  if (singular > 0) {
    reading.sink.warning(codes::hanim_bad_value, std::to_string(singular) + " binding matrices have no inverse; they were left out",
                         reading.scene.locate(humanoid, *list));
  }
  // Parents first: a joint without a binding stands where its own transform puts it.
  for (JointTree::Entry& entry : tree.joints) {
    const JointTree::Entry* parent = entry.parent < 0 ? nullptr : &tree.joints[static_cast<std::size_t>(entry.parent)];
    const Affine above = parent == nullptr ? Affine::Identity() : parent->humanoid_from_content;
    const auto found = bound.find(entry.node);
    const Affine here = found != bound.end() ? found->second : Affine(above * entry.between * transform_of(reading, *entry.node));
    entry.humanoid_from_content = here;
    entry.place = here.translation();
    entry.turn = rotation_of(here);
    entry.parent_turn = parent == nullptr ? Quat::Identity() : parent->turn;
    entry.parent_linear = above.linear();
    const Affine local = entry.between.inverse() * above.inverse() * here;
    entry.rest_translation = local.translation();
    for (int k = 0; k < 3; ++k) entry.rest_scale[k] = std::max(1e-12, local.linear().col(k).norm());
    entry.parent_turn = entry.parent_turn * rotation_of(entry.between);
    entry.parent_linear = entry.parent_linear * entry.between.linear();
  }
  tree.bound = true;
  tree.by_translation = false;
  if (own) return;
  reading.sink.note(
      codes::hanim_dialect,
      "joints are bound by inverse matrices (skeletal configuration '" + configuration + "'); their places at rest come from these",
      reading.scene.locate(humanoid));
}

}  // namespace vesalius::hanim
