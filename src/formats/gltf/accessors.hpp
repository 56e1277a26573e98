#pragma once
// The numbers behind accessors. Every range is checked before memory is asked for.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/gltf/document.hpp"
#include "vesalius/diagnostics.hpp"

namespace vesalius::gltf {

/// Values of an accessor: count x components, element by element; normalised integers become -1..1 or 0..1, sparse elements are applied.
/// `count`: how many elements there must be, where the caller knows. Errors: gltf.bad_accessor, gltf.not_finite (with the element).
[[nodiscard]] std::optional<std::vector<double>> read_values(const Document& document, std::size_t accessor, unsigned components,
                                                             Diagnostics& sink, std::optional<std::uint64_t> count = std::nullopt);
/// Unsigned integers (indices, joints), as stored. Floats are refused. Errors: gltf.bad_accessor.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> read_unsigned(const Document& document, std::size_t accessor, unsigned components,
                                                                      Diagnostics& sink, std::optional<std::uint64_t> count = std::nullopt);

}  // namespace vesalius::gltf
