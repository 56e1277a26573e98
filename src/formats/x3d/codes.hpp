#pragma once
// Codes of findings about X3D and VRML text.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code x3d_unknown_encoding{"x3d.unknown_encoding"};
inline constexpr Code x3d_vrml1{"x3d.vrml1"};
inline constexpr Code x3d_binary{"x3d.binary"};                    ///< compressed binary encoding, not read
inline constexpr Code x3d_not_well_formed{"x3d.not_well_formed"};  ///< XML
inline constexpr Code x3d_entity_declaration{"x3d.entity_declaration"};
inline constexpr Code x3d_syntax{"x3d.syntax"};  ///< VRML
inline constexpr Code x3d_unterminated{"x3d.unterminated"};
inline constexpr Code x3d_too_deep{"x3d.too_deep"};
inline constexpr Code x3d_too_many_nodes{"x3d.too_many_nodes"};
inline constexpr Code x3d_too_many_fields{"x3d.too_many_fields"};  ///< of one node
inline constexpr Code x3d_bad_number{"x3d.bad_number"};
inline constexpr Code x3d_unknown_use{"x3d.unknown_use"};  ///< USE of a name that nothing defines
inline constexpr Code x3d_use_before_def{"x3d.use_before_def"};
inline constexpr Code x3d_use_cycle{"x3d.use_cycle"};  ///< a node that contains itself
inline constexpr Code x3d_duplicate_def{"x3d.duplicate_def"};
inline constexpr Code x3d_odd_name{"x3d.odd_name"};  ///< a name that the grammar does not allow
inline constexpr Code x3d_not_utf8{"x3d.not_utf8"};
inline constexpr Code x3d_skipped_value{"x3d.skipped_value"};
inline constexpr Code x3d_no_header{"x3d.no_header"};  ///< VRML text without its first line
inline constexpr Code x3d_inline{"x3d.inline"};        ///< a file that was named to be drawn in, and was not
inline constexpr Code x3d_proto{"x3d.proto"};          ///< a prototype that cannot be expanded
inline constexpr Code x3d_route{"x3d.route"};          ///< a ROUTE whose end does not exist
inline constexpr Code x3d_unknown_node{"x3d.unknown_node"};
inline constexpr Code x3d_unit_ignored{"x3d.unit_ignored"};  ///< a unit statement with a factor other than 1

}  // namespace vesalius::codes
