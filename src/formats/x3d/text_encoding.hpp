#pragma once
// Texts that are not UTF-8.
#include <cstddef>
#include <string>
#include <string_view>

namespace vesalius::x3d {

/// UTF-16 with a byte order mark, or recognised by '<' as its first character.
[[nodiscard]] bool is_utf16(std::string_view bytes);
[[nodiscard]] std::string from_utf16(std::string_view bytes);
/// First byte that is not UTF-8, or npos.
[[nodiscard]] std::size_t first_bad_byte(std::string_view text);
/// Windows-1252: what old exporters wrote. The five bytes without a meaning become U+FFFD.
[[nodiscard]] std::string from_windows_1252(std::string_view text);

}  // namespace vesalius::x3d
