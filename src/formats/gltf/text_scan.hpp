#pragma once
// What can be said about JSON text before a parser sees it.
#include <cstdint>
#include <string_view>
#include <utility>

namespace vesalius::gltf {

inline constexpr std::size_t most_json_depth = 64;

/// Whether brackets nest deeper than `most`. Text in strings does not count.
[[nodiscard]] bool nests_deeper(std::string_view json, std::size_t most = most_json_depth) noexcept;
/// Without the UTF-8 byte order mark.
[[nodiscard]] std::string_view without_bom(std::string_view text) noexcept;
/// Line and column, from 1, of the byte at this offset (the end of the text for larger ones).
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> line_and_column(std::string_view text, std::size_t offset) noexcept;

}  // namespace vesalius::gltf
