#include "report/textures.hpp"

#include <filesystem>
#include <set>

#include "foundation/uri.hpp"

namespace vesalius::report_detail {

namespace {

/// Letters, digits, '-', '_' and '.' only, so that the name is a file name and a URI everywhere.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    name += plain ? c : '_';
  }
  for (const std::string_view known : {".png", ".jpg", ".jpeg"}) {
    if (name.ends_with(known)) name.resize(name.size() - known.size());
  }
  constexpr std::size_t longest = 80;
  if (name.size() > longest) name.resize(longest);
  while (name.starts_with('.')) name.erase(0, 1);
  return name;
}

}  // namespace

void put_textures_beside(Humanoid& humanoid, const std::string& base_name, bool keep_references, AssetFiles& files) {
  std::set<std::string> taken;
  std::size_t number = 0;
  for (Texture& texture : humanoid.textures) {
    ++number;
    if (texture.bytes.empty() || (keep_references && !texture.uri.empty())) continue;
    const std::string extension = texture.mime_type == "image/jpeg" ? ".jpg" : ".png";
    std::string name = plain_name(texture.name);
    if (name.empty()) name = plain_name(std::filesystem::path(percent_decoded(texture.uri).value_or("")).stem().string());
    if (name.empty()) name = "texture";
    std::string file = base_name + "_" + name + extension;
    if (!taken.insert(file).second) {
      file = base_name + "_" + name + "_" + std::to_string(number) + extension;
      taken.insert(file);
    }
    texture.uri = percent_encoded(file);
    files.files.emplace_back(std::move(file), std::move(texture.bytes));
    texture.bytes.clear();
  }
}

}  // namespace vesalius::report_detail
