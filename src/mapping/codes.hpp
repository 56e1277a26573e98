#pragma once
// Codes of findings about profiles and mapping tables.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code mapping_not_xml{"mapping.not_xml"};            ///< not well-formed, or with a DOCTYPE
inline constexpr Code mapping_schema{"mapping.schema"};              ///< breaks the schema
inline constexpr Code mapping_unknown_kind{"mapping.unknown_kind"};  ///< neither a profile nor a mapping
inline constexpr Code mapping_unknown_profile{"mapping.unknown_profile"};
inline constexpr Code mapping_unknown_joint{"mapping.unknown_joint"};
inline constexpr Code mapping_unknown_bone{"mapping.unknown_bone"};
inline constexpr Code mapping_duplicate{"mapping.duplicate"};      ///< a name, bone or source joint that occurs twice
inline constexpr Code mapping_chain_order{"mapping.chain_order"};  ///< joints of a chain are not proximal to distal
inline constexpr Code mapping_share_sum{"mapping.share_sum"};      ///< rotation times collapse does not sum to 1 along a chain
inline constexpr Code mapping_parent{"mapping.parent"};            ///< parent unknown or listed later
inline constexpr Code mapping_mirror{"mapping.mirror"};            ///< mirror partner missing or not mutual
inline constexpr Code mapping_bad_frame{"mapping.bad_frame"};      ///< a quaternion or direction is not of length 1
inline constexpr Code mapping_look_alike{"mapping.look_alike"};    ///< names agree, sides do not

}  // namespace vesalius::codes
