#pragma once
// Small pieces of text for people.
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

/// "1 joint", "2 joints"; `several` where an s does not make the plural.
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view one, std::string_view several = {}) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(one);
  return several.empty() ? text.append(one).append("s") : text.append(several);
}

}  // namespace vesalius
