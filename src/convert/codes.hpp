#pragma once
// Codes of the conversion's findings.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code convert_no_mapping{"convert.no_mapping"};          ///< no table leads from one profile to the other
inline constexpr Code convert_not_a_humanoid{"convert.not_a_humanoid"};  ///< no joint of the skeleton is known to the table
inline constexpr Code convert_low_coverage{"convert.low_coverage"};      ///< fewer than half of the joints are known
inline constexpr Code convert_folded_joint{"convert.folded_joint"};      ///< a side branch went into a bone, its own motion is lost
inline constexpr Code convert_unknown_joint{"convert.unknown_joint"};  ///< a joint without a place in the table went into its parent's bone
inline constexpr Code convert_synthesised_bone{"convert.synthesised_bone"};
inline constexpr Code convert_left_out_bone{"convert.left_out_bone"};  ///< absent in the source and not made up
inline constexpr Code convert_guessed_origin{"convert.guessed_origin"};
inline constexpr Code convert_dropped_influences{"convert.dropped_influences"};
inline constexpr Code convert_weight_sum{"convert.weight_sum"};        ///< weights above 1 were normalised
inline constexpr Code convert_resting_share{"convert.resting_share"};  ///< weights below 1: the static root carries the rest
inline constexpr Code convert_measured_limb{"convert.measured_limb"};  ///< an arm far from the profile's rest pose
inline constexpr Code convert_stick_body{"convert.stick_body"};
inline constexpr Code convert_no_mesh{"convert.no_mesh"};
inline constexpr Code convert_vertices_entered{"convert.vertices_entered"};
inline constexpr Code convert_lost_motion{"convert.lost_motion"};  ///< scale or translation tracks that the target cannot say
inline constexpr Code convert_chain_drift{"convert.chain_drift"};
inline constexpr Code convert_merged_bone{"convert.merged_bone"};        ///< a bone without a joint at the level
inline constexpr Code convert_stale_kept{"convert.stale_kept"};          ///< kept data that no longer fits was dropped
inline constexpr Code convert_bone_direction{"convert.bone_direction"};  ///< how a leaf bone found its direction
inline constexpr Code convert_key_limit{"convert.key_limit"};            ///< intervals were not halved further
inline constexpr Code convert_singular_blend{"convert.singular_blend"};  ///< a vertex whose blended matrix cannot be inverted
inline constexpr Code convert_level{"convert.level"};                    ///< a level of articulation that cannot be reached
inline constexpr Code convert_removed_joint{"convert.removed_joint"};    ///< a joint above the level went into its ancestor
inline constexpr Code convert_no_motion{"convert.no_motion"};            ///< a figure without a clip to put onto another
inline constexpr Code convert_stance_drift{"convert.stance_drift"};      ///< standing feet slide on another body
inline constexpr Code convert_moved_origin{"convert.moved_origin"};

}  // namespace vesalius::codes
