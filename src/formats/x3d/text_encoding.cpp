#include "formats/x3d/text_encoding.hpp"

#include "foundation/utf8.hpp"

namespace vesalius::x3d {

bool is_utf16(std::string_view b) {
  return b.size() >= 4 && ((b[0] == '\xFF' && b[1] == '\xFE') || (b[0] == '\xFE' && b[1] == '\xFF') || (b[0] == '<' && b[1] == 0) ||
                           (b[0] == 0 && b[1] == '<'));
}

std::string from_utf16(std::string_view b) {
  const bool big = b[0] == '\xFE' || b[0] == 0;
  std::string out;
  out.reserve(b.size() / 2);
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(b[i]), second = static_cast<unsigned char>(b[i + 1]);
    return static_cast<char32_t>(big ? first << 8 | second : second << 8 | first);
  };
  for (std::size_t i = b[0] == '<' || b[0] == 0 ? 0 : 2; i + 1 < b.size(); i += 2) {
    char32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < b.size()) {
      const char32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
    append_code_point(out, c);
  }
  return out;
}

std::size_t first_bad_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = c >= 0xF0 && c < 0xF5 ? 4 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xC2 && c < 0xE0 ? 2 : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

std::string from_windows_1252(std::string_view text) {
  constexpr char32_t high[32] = {0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
  std::string out;
  out.reserve(text.size() + 64);
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    append_code_point(out, c >= 0x80 && c < 0xA0 ? high[c - 0x80] : c);
  }
  return out;
}

}  // namespace vesalius::x3d
