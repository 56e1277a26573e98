#pragma once
// Codes of findings about glTF files.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code gltf_too_deep{"gltf.too_deep"};                            ///< JSON nested deeper than any real file
inline constexpr Code gltf_bad_json{"gltf.bad_json"};                            ///< not JSON; line and column tell where
inline constexpr Code gltf_bad_glb{"gltf.bad_glb"};                              ///< header or chunk lengths of a GLB do not fit
inline constexpr Code gltf_bad_version{"gltf.bad_version"};                      ///< not glTF 2.x
inline constexpr Code gltf_bad_document{"gltf.bad_document"};                    ///< a property is missing or of the wrong type
inline constexpr Code gltf_bad_index{"gltf.bad_index"};                          ///< names an element that is not there
inline constexpr Code gltf_bad_buffer{"gltf.bad_buffer"};                        ///< a buffer or a view does not hold what it declares
inline constexpr Code gltf_bad_accessor{"gltf.bad_accessor"};                    ///< type, count or range of an accessor
inline constexpr Code gltf_not_finite{"gltf.not_finite"};                        ///< NaN or infinity in data
inline constexpr Code gltf_node_cycle{"gltf.node_cycle"};                        ///< a node is its own ancestor or has two parents
inline constexpr Code gltf_unsupported_extension{"gltf.unsupported_extension"};  ///< required, and we cannot read it
inline constexpr Code gltf_ignored_extension{"gltf.ignored_extension"};          ///< used, not required, not read
inline constexpr Code gltf_texture_not_read{"gltf.texture_not_read"};
inline constexpr Code gltf_too_large{"gltf.too_large"};  ///< more than a GLB can hold
inline constexpr Code gltf_remark{"gltf.remark"};        ///< what the glTF library had to say

}  // namespace vesalius::codes
