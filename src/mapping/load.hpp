#pragma once
// From a checked XML tree to a profile or a mapping, with everything a schema cannot check.
#include "mapping/table_xml.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius::mapping_detail {

/// Errors: mapping.duplicate, mapping.parent, mapping.mirror, mapping.bad_frame, mapping.unknown_joint.
[[nodiscard]] std::optional<Profile> load_profile(const Element& root, Diagnostics& sink);
/// Errors: mapping.unknown_profile, unknown_joint, unknown_bone, duplicate, chain_order, share_sum, look_alike.
[[nodiscard]] std::optional<Mapping> load_mapping(const Element& root, const MappingTables& tables, Diagnostics& sink);

/// Errors: mapping.duplicate, unknown_joint, unknown_bone.
[[nodiscard]] std::optional<std::vector<Rig>> load_rigs(const Element& root, const MappingTables& tables, Diagnostics& sink);

}  // namespace vesalius::mapping_detail
