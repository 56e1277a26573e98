#pragma once
#include <utility>

#include "vesalius/diagnostics.hpp"

namespace vesalius {

/// The same findings, warnings as errors.
[[nodiscard]] inline Diagnostics promoted(const Diagnostics& diagnostics) {
  Diagnostics out;
  for (Diagnostic diagnostic : diagnostics.items()) {
    if (diagnostic.severity == Severity::warning) diagnostic.severity = Severity::error;
    out.add(std::move(diagnostic));
  }
  return out;
}

}  // namespace vesalius
