#pragma once
// Codes of findings about H-Anim files.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code hanim_no_humanoid{"hanim.no_humanoid"};
inline constexpr Code hanim_several_humanoids{"hanim.several_humanoids"};
inline constexpr Code hanim_no_such_humanoid{"hanim.no_such_humanoid"};
inline constexpr Code hanim_no_joints{"hanim.no_joints"};
inline constexpr Code hanim_joint_used_twice{"hanim.joint_used_twice"};
inline constexpr Code hanim_duplicate_joint{"hanim.duplicate_joint"};
inline constexpr Code hanim_duplicate_segment{"hanim.duplicate_segment"};
inline constexpr Code hanim_unknown_name{"hanim.unknown_name"};
inline constexpr Code hanim_repaired_name{"hanim.repaired_name"};  ///< blanks, prefix or case differ from the standard name
inline constexpr Code hanim_name_from_def{"hanim.name_from_def"};
inline constexpr Code hanim_joints_list{"hanim.joints_list"};  ///< the flat lists and the tree disagree
inline constexpr Code hanim_unreachable_joint{"hanim.unreachable_joint"};
inline constexpr Code hanim_saved_pose{"hanim.saved_pose"};
inline constexpr Code hanim_translated_joints{"hanim.translated_joints"};
inline constexpr Code hanim_turned{"hanim.turned"};        ///< the figure stood or faced another way
inline constexpr Code hanim_placement{"hanim.placement"};  ///< the scene's placement of the figure was left out
inline constexpr Code hanim_unusual_size{"hanim.unusual_size"};
inline constexpr Code hanim_binding_ignored{"hanim.binding_ignored"};
inline constexpr Code hanim_bad_value{"hanim.bad_value"};  ///< a value that cannot be, such as a zero axis
inline constexpr Code hanim_bad_index{"hanim.bad_index"};  ///< indices outside their list
inline constexpr Code hanim_weight_lengths{"hanim.weight_lengths"};
inline constexpr Code hanim_equal_coord{"hanim.equal_coord"};      ///< the skin's shape holds a copy of skinCoord instead of the node
inline constexpr Code hanim_foreign_coord{"hanim.foreign_coord"};  ///< the skin's shape holds points of its own
inline constexpr Code hanim_unweighted{"hanim.unweighted"};
inline constexpr Code hanim_dropped_geometry{"hanim.dropped_geometry"};
inline constexpr Code hanim_degenerate{"hanim.degenerate"};
inline constexpr Code hanim_dropped_node{"hanim.dropped_node"};
inline constexpr Code hanim_missing_image{"hanim.missing_image"};
inline constexpr Code hanim_displacer{"hanim.displacer"};
inline constexpr Code hanim_motion{"hanim.motion"};
inline constexpr Code hanim_robot{"hanim.robot"};  ///< OpenHRP robot, not a humanoid of the standard
inline constexpr Code hanim_kept_dropped{"hanim.kept_dropped"};
inline constexpr Code hanim_wrong_profile{"hanim.wrong_profile"};
inline constexpr Code hanim_embedded_texture{"hanim.embedded_texture"};
inline constexpr Code hanim_too_large{"hanim.too_large"};            ///< more than any figure needs, mostly by nested USE
inline constexpr Code hanim_dialect{"hanim.dialect"};                ///< a humanoid that is written in another way than the standard's
inline constexpr Code hanim_foreign_rig{"hanim.foreign_rig"};        ///< joints that carry the names of another rig
inline constexpr Code hanim_listed_only{"hanim.listed_only"};        ///< sites or segments that stand in the flat lists, below no joint
inline constexpr Code hanim_material{"hanim.material"};              ///< a look that the written form cannot say
inline constexpr Code hanim_rigid_segments{"hanim.rigid_segments"};  ///< a skin written to a version without one
inline constexpr Code hanim_shared_place{"hanim.shared_place"};      ///< many joints in one place
inline constexpr Code hanim_strict{"hanim.strict"};

}  // namespace vesalius::codes
