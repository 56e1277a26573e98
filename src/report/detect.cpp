#include <array>
#include <cctype>
#include <string_view>

#include "foundation/files.hpp"
#include "vesalius/translate.hpp"

namespace vesalius {

namespace {

bool starts_with_any_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

constexpr std::array<std::string_view, 13> gltf_keys{
    "accessors", "animations", "asset", "bufferViews", "buffers", "extensionsUsed", "extensionsRequired",
    "materials", "meshes",     "nodes", "scene",       "scenes",  "skins"};

/// Looks for a telling key of the outermost object; stops at the first.
FileFormat detect_json(std::string_view text) {
  std::size_t depth = 0;
  bool expects_key = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') {
      ++depth;
      expects_key = c == '{' && depth == 1;
    } else if (c == '}' || c == ']') {
      if (depth <= 1) return FileFormat::unknown;
      --depth;
    } else if (c == ',' && depth == 1) {
      expects_key = true;
    } else if (c == '"') {
      const std::size_t begin = ++i;
      while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      if (i >= text.size()) return FileFormat::unknown;
      if (expects_key) {
        const std::string_view key = text.substr(begin, i - begin);
        if (key == "X3D") return FileFormat::x3d_json;
        for (const std::string_view known : gltf_keys) {
          if (key == known) return FileFormat::gltf;
        }
        expects_key = false;
      }
    }
  }
  return FileFormat::unknown;
}

}  // namespace

FileFormat detect_format(std::span<const std::byte> bytes) noexcept {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_gzip(text)) return FileFormat::gzip;
  if (text.starts_with("glTF")) return FileFormat::glb;
  if (text.starts_with(std::string_view("\xE0\x00\x00\x01", 4))) return FileFormat::x3d_binary;  // Fast Infoset
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return FileFormat::unknown;
  text.remove_prefix(begin);
  if (starts_with_any_case(text, "#vrml") || starts_with_any_case(text, "#x3d")) return FileFormat::vrml;
  if (text[0] == '<') return FileFormat::x3d_xml;
  // UTF-16 and UTF-32 texts begin with a byte order mark or a zero byte; only XML is written in them.
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return FileFormat::x3d_xml;
  if (text[0] == '{') return detect_json(text);
  return FileFormat::unknown;
}

}  // namespace vesalius
