#pragma once
// Codes of findings about H-Anim humanoids.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code hanim_no_humanoid{"hanim.no_humanoid"};
inline constexpr Code hanim_several_humanoids{"hanim.several_humanoids"};  ///< none was chosen
inline constexpr Code hanim_no_profile{"hanim.no_profile"};                ///< the tables lack the profile of the standard names
inline constexpr Code hanim_no_joints{"hanim.no_joints"};
inline constexpr Code hanim_too_large{"hanim.too_large"};  ///< reused nodes multiply beyond every sensible size
inline constexpr Code hanim_robot_model{"hanim.robot_model"};

// Skeleton
inline constexpr Code hanim_missing_list{"hanim.missing_list"};            ///< joints, segments or sites list is absent or short
inline constexpr Code hanim_unreachable_joint{"hanim.unreachable_joint"};  ///< listed or used, but not below the skeleton field
inline constexpr Code hanim_placeholder_joint{"hanim.placeholder_joint"};  ///< listed without data, not in the skeleton
inline constexpr Code hanim_reused_joint{"hanim.reused_joint"};            ///< the same node hangs in two places
inline constexpr Code hanim_duplicate_joint{"hanim.duplicate_joint"};
inline constexpr Code hanim_unknown_joint{"hanim.unknown_joint"};
inline constexpr Code hanim_guessed_name{"hanim.guessed_name"};  ///< taken from DEF
inline constexpr Code hanim_name_case{"hanim.name_case"};
inline constexpr Code hanim_low_coverage{"hanim.low_coverage"};  ///< most joints are not of the standard
inline constexpr Code hanim_placed_by_translation{"hanim.placed_by_translation"};
inline constexpr Code hanim_saved_pose{"hanim.saved_pose"};
inline constexpr Code hanim_binding_ignored{"hanim.binding_ignored"};
inline constexpr Code hanim_scaled_unevenly{"hanim.scaled_unevenly"};
inline constexpr Code hanim_unusual_size{"hanim.unusual_size"};
inline constexpr Code hanim_turned{"hanim.turned"};  ///< the figure was turned to face forward
inline constexpr Code hanim_bad_value{"hanim.bad_value"};
inline constexpr Code hanim_wrong_count{"hanim.wrong_count"};  ///< a field has not as many numbers as its type needs
inline constexpr Code hanim_viewpoints{"hanim.viewpoints"};

// Geometry and looks
inline constexpr Code hanim_dropped_geometry{"hanim.dropped_geometry"};
inline constexpr Code hanim_bad_index{"hanim.bad_index"};
inline constexpr Code hanim_degenerate_faces{"hanim.degenerate_faces"};
inline constexpr Code hanim_unused_points{"hanim.unused_points"};
inline constexpr Code hanim_inline{"hanim.inline"};
inline constexpr Code hanim_unexpanded_proto{"hanim.unexpanded_proto"};
inline constexpr Code hanim_missing_image{"hanim.missing_image"};
inline constexpr Code hanim_dropped_texture{"hanim.dropped_texture"};

// Skin
inline constexpr Code hanim_linked_coord{"hanim.linked_coord"};    ///< an equal Coordinate took the place of the shared one
inline constexpr Code hanim_unbound_shape{"hanim.unbound_shape"};  ///< a shape in skin that does not use skinCoord
inline constexpr Code hanim_no_skin{"hanim.no_skin"};
inline constexpr Code hanim_weight_count{"hanim.weight_count"};
inline constexpr Code hanim_bad_weight{"hanim.bad_weight"};
inline constexpr Code hanim_skin_index{"hanim.skin_index"};
inline constexpr Code hanim_weight_sum{"hanim.weight_sum"};
inline constexpr Code hanim_unweighted{"hanim.unweighted"};
inline constexpr Code hanim_displacer{"hanim.displacer"};
inline constexpr Code hanim_stale_parts{"hanim.stale_parts"};

// Motion
inline constexpr Code hanim_dropped_motion{"hanim.dropped_motion"};
inline constexpr Code hanim_bad_keys{"hanim.bad_keys"};
inline constexpr Code hanim_motion_offset{"hanim.motion_offset"};

// Writing
inline constexpr Code hanim_not_hanim{"hanim.not_hanim"};        ///< the humanoid follows another vocabulary
inline constexpr Code hanim_rest_frame{"hanim.rest_frame"};      ///< a joint whose rest orientation is not the identity
inline constexpr Code hanim_unsaid{"hanim.unsaid"};              ///< something that this encoding cannot say
inline constexpr Code hanim_bad_version{"hanim.bad_version"};    ///< of names, asked for
inline constexpr Code hanim_written_motion{"hanim.written_motion"};

}  // namespace vesalius::codes
