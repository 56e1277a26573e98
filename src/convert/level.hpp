#pragma once
// The identity mapping, and levels of articulation as mappings of a vocabulary onto itself.
#include "vesalius/convert.hpp"

namespace vesalius::convert_detail {

/// From a vocabulary to itself.
/// Without a level, the identity: joints, frames and motion stay. A figure of bones (has_bone_axes) still obeys its standard: weights are
/// limited and normalised, arms farther from the profile's rest pose than a limb may be are turned into it (unless the rest pose is kept),
/// and a figure without triangles gets a body of sticks.
/// With options.loa, joints above the level go into their nearest ancestor below it: weights are summed, the global orientations and places
/// of the joints that stay are exact. Joints of the level that the figure lacks are made where the nominal figure has them between the
/// joints that are there; they rest on their parent, and the weights of the joint above are split onto them by place, so that the figure
/// looks and moves exactly as before. With extras, a lowered figure keeps its joints and gets them back when it is raised.
/// Joints that the profile does not know stay. Error: convert.level when the level is outside the profile's.
[[nodiscard]] Result<Conversion> change_level(const Humanoid& source, const Profile& profile, const ConvertOptions& options);

/// The mapping of a profile onto itself: one group of one joint per joint.
[[nodiscard]] Mapping identity_mapping(const Profile& profile);

}  // namespace vesalius::convert_detail
