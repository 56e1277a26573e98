#pragma once
// Exit status of the command.
#include <algorithm>
#include <array>

#include "foundation/codes.hpp"
#include "vesalius/diagnostics.hpp"

namespace vesalius::cli {

inline constexpr int status_done = 0;
inline constexpr int status_rejected = 1;
inline constexpr int status_usage = 2;
inline constexpr int status_file_access = 3;
inline constexpr int status_internal = 4;

/// The status that findings lead to: that of the gravest error, 0 without errors.
[[nodiscard]] inline int status_of(const Diagnostics& diagnostics) {
  int status = status_done;
  for (const Diagnostic& diagnostic : diagnostics.items()) {
    if (diagnostic.severity != Severity::error) continue;
    const bool access =
        diagnostic.code == codes::io_not_found || diagnostic.code == codes::io_cannot_read || diagnostic.code == codes::io_cannot_write;
    const int own = diagnostic.code == codes::internal_error ? status_internal : access ? status_file_access : status_rejected;
    status = std::max(status, own);
  }
  return status;
}

}  // namespace vesalius::cli
