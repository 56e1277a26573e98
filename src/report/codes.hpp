#pragma once
// Codes of findings about formats, textures and pictures.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code translate_unknown_format{"translate.unknown_format"};          ///< the content is none of the known formats
inline constexpr Code translate_unsupported_format{"translate.unsupported_format"};  ///< known, but cannot be read
inline constexpr Code translate_side_files{"translate.side_files"};                  ///< files that have no place beside standard output
inline constexpr Code report_nothing_to_draw{"report.nothing_to_draw"};
inline constexpr Code report_joint_outside{"report.joint_outside"};  ///< a centre so far from the mesh that the picture leaves it out
inline constexpr Code report_sampled_mesh{"report.sampled_mesh"};

}  // namespace vesalius::codes
