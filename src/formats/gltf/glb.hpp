#pragma once
// The container of binary glTF.
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "vesalius/diagnostics.hpp"

namespace vesalius::gltf {

struct GlbChunks {
  std::string_view json;
  std::span<const std::byte> binary;  ///< empty when there is none
};

[[nodiscard]] bool is_glb(std::string_view bytes) noexcept;
/// Splits a GLB; every length is checked against the bytes at hand. Errors: gltf.bad_glb, gltf.bad_version.
[[nodiscard]] std::optional<GlbChunks> split_glb(std::string_view bytes, Diagnostics& sink);

}  // namespace vesalius::gltf
