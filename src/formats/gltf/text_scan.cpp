#include "formats/gltf/text_scan.hpp"

#include <algorithm>

namespace vesalius::gltf {

bool nests_deeper(std::string_view json, std::size_t most) noexcept {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::string_view without_bom(std::string_view text) noexcept {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::pair<std::uint32_t, std::uint32_t> line_and_column(std::string_view text, std::size_t offset) noexcept {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(before.size() - start + 1)};
}

}  // namespace vesalius::gltf
