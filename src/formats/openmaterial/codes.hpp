#pragma once
// Codes of findings about OpenMATERIAL human assets.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code openmaterial_no_skin{"openmaterial.no_skin"};
inline constexpr Code openmaterial_several_figures{"openmaterial.several_figures"};
inline constexpr Code openmaterial_unknown_name{"openmaterial.unknown_name"};
inline constexpr Code openmaterial_renamed{"openmaterial.renamed"};
inline constexpr Code openmaterial_skinned_transform{"openmaterial.skinned_transform"};  ///< transforms above a skinned mesh mean nothing
inline constexpr Code openmaterial_bind_differs{
    "openmaterial.bind_differs"};  ///< node transforms are not the bind pose, or two skins bind differently
inline constexpr Code openmaterial_weights{"openmaterial.weights"};
inline constexpr Code openmaterial_unweighted{"openmaterial.unweighted"};
inline constexpr Code openmaterial_bad_joint{"openmaterial.bad_joint"};
inline constexpr Code openmaterial_dropped_primitive{"openmaterial.dropped_primitive"};
inline constexpr Code openmaterial_dropped_mesh{"openmaterial.dropped_mesh"};
inline constexpr Code openmaterial_dropped_channel{"openmaterial.dropped_channel"};
inline constexpr Code openmaterial_constant_track{"openmaterial.constant_track"};
inline constexpr Code openmaterial_spline{"openmaterial.spline"};
inline constexpr Code openmaterial_turned{"openmaterial.turned"};
inline constexpr Code openmaterial_scaled{"openmaterial.scaled"};
inline constexpr Code openmaterial_not_measured{"openmaterial.not_measured"};
inline constexpr Code openmaterial_extras{"openmaterial.extras"};
inline constexpr Code openmaterial_bad_xoma{"openmaterial.bad_xoma"};
inline constexpr Code openmaterial_metadata{"openmaterial.metadata"};  ///< required metadata that had to be guessed
inline constexpr Code openmaterial_no_mass{"openmaterial.no_mass"};    ///< rule human_class_data_defined needs a mass
inline constexpr Code openmaterial_wrong_profile{"openmaterial.wrong_profile"};
inline constexpr Code openmaterial_no_material{"openmaterial.no_material"};
inline constexpr Code openmaterial_degenerate{"openmaterial.degenerate"};
inline constexpr Code openmaterial_texture{"openmaterial.texture"};
inline constexpr Code openmaterial_strict{"openmaterial.strict"};
inline constexpr Code openmaterial_tree{"openmaterial.tree"};  ///< a bone hangs on another than the standard's tree says
inline constexpr Code openmaterial_missing_parent{"openmaterial.missing_parent"};  ///< a bone between two is not in the file
inline constexpr Code openmaterial_outside_scene{"openmaterial.outside_scene"};    ///< a joint is in no tree of the scene
inline constexpr Code openmaterial_helper_bone{"openmaterial.helper_bone"};        ///< a joint that exporters add for what has no weight
inline constexpr Code openmaterial_dropped_attribute{"openmaterial.dropped_attribute"};
inline constexpr Code openmaterial_dropped_influences{"openmaterial.dropped_influences"};
inline constexpr Code openmaterial_lost_scale{"openmaterial.lost_scale"};  ///< scales that a pose of turns and places cannot say
inline constexpr Code openmaterial_no_triangles{"openmaterial.no_triangles"};

}  // namespace vesalius::codes
