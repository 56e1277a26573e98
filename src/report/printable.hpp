#pragma once
#include <string>
#include <string_view>

namespace vesalius {

/// Text from a file as a terminal may show it: control characters become '?'.
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) out += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return out;
}

}  // namespace vesalius
