#include "formats/hanim/base64.hpp"

#include <cstdint>

namespace vesalius::hanim {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const auto at = [&](std::size_t k) { return k < left ? static_cast<std::uint32_t>(bytes[i + k]) : 0u; };
    const std::uint32_t three = at(0) << 16 | at(1) << 8 | at(2);
    out += letters[three >> 18];
    out += letters[three >> 12 & 63];
    out += left > 1 ? letters[three >> 6 & 63] : '=';
    out += left > 2 ? letters[three & 63] : '=';
  }
  return out;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  std::vector<std::byte> out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=' || c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    have += 6;
    if (have >= 8) {
      have -= 8;
      out.push_back(static_cast<std::byte>(bits >> have & 0xff));
    }
  }
  return out;
}

}  // namespace vesalius::hanim
