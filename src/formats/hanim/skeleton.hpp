#pragma once
// From the walked tree to the model's skeleton, sites, segments and saved pose.
#include <optional>

#include "formats/hanim/figure.hpp"
#include "formats/hanim/names.hpp"
#include "formats/hanim/walk.hpp"
#include "vesalius/humanoid.hpp"

namespace vesalius::hanim {

/// Joints of the traversal, in its order, at rest: all rotations identity, centers (or summed translations) as places.
[[nodiscard]] std::optional<Skeleton> build_skeleton(Reading& in, const Traversal& tree, const JointNames& names, const Figure& figure);

/// parent_from_joint in canonical axes for a joint's own values of translation, rotation and scale (the file's axes and units).
[[nodiscard]] Transform local_transform(const Traversal& tree, const Figure& figure, std::size_t joint, const Vec3& translation,
                                        const Quat& rotation, const Vec3& scale);

/// The pose that the file was saved in; nothing when it is the rest pose.
[[nodiscard]] std::optional<NamedPose> saved_pose(Reading& in, const Traversal& tree, const Figure& figure);

[[nodiscard]] std::vector<Segment> build_segments(Reading& in, const Traversal& tree, const Figure& figure, const Profile& profile);
[[nodiscard]] std::vector<Site> build_sites(const Traversal& tree, const Figure& figure, const std::vector<Segment>& segments);

/// Compares the humanoid's lists with the tree and reports joints that only the lists have.
void check_lists(Reading& in, const x3d::Node& humanoid, const Traversal& tree);

}  // namespace vesalius::hanim
