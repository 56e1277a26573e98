#pragma once
// Codes of findings about files and text.
#include "vesalius/diagnostics.hpp"

namespace vesalius::codes {

inline constexpr Code internal_error{"internal.error"};
inline constexpr Code io_not_found{"io.not_found"};
inline constexpr Code io_cannot_read{"io.cannot_read"};
inline constexpr Code io_cannot_write{"io.cannot_write"};
inline constexpr Code io_too_large{"io.too_large"};
inline constexpr Code io_bad_gzip{"io.bad_gzip"};
inline constexpr Code io_outside_folder{"io.outside_folder"};  ///< a URI leaves the input's folder
inline constexpr Code io_remote_uri{"io.remote_uri"};          ///< a URI names another scheme than files; never fetched

}  // namespace vesalius::codes
