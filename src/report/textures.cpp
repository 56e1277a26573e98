#include "report/textures.hpp"

#include <cctype>
#include <set>

#include "foundation/files.hpp"
#include "foundation/uri.hpp"
#include "report/codes.hpp"

namespace vesalius::report_detail {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_image_bytes = std::size_t{256} << 20;

std::string_view image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  return {};
}

/// Letters, digits, '-', '_' and '.' only, so that the name is a file name and a URI everywhere.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    name += plain ? c : '_';
  }
  while (name.starts_with('.')) name.erase(0, 1);
  return name;
}

}  // namespace

void load_textures(Humanoid& humanoid, const fs::path& folder, bool allow_outside, Diagnostics& sink) {
  for (Texture& texture : humanoid.textures) {
    if (texture.uri.empty() || !texture.bytes.empty() || is_data_uri(texture.uri)) continue;
    Diagnostics findings;
    const auto file = resolve_uri(texture.uri, folder, allow_outside, findings, {});
    std::optional<std::string> bytes;
    if (file) bytes = read_file(*file, findings, most_image_bytes);
    std::string_view type;
    std::string why;
    if (bytes) {
      type = image_type(*bytes);
      if (type.empty()) why = "it is neither PNG nor JPEG";
    } else {
      why = findings.items().empty() ? "it cannot be read" : findings.items().front().message;
    }
    if (!why.empty()) {
      sink.warning(codes::translate_texture, "image '" + texture.uri + "' stays a reference and is not carried along: " + why);
      continue;
    }
    texture.mime_type = type;
    const auto raw = bytes_of(*bytes);
    texture.bytes.assign(raw.begin(), raw.end());
    if (texture.name.empty()) texture.name = file->stem().string();
    texture.uri.clear();
  }
}

void put_textures_beside(Humanoid& humanoid, const std::string& base_name, AssetFiles& files) {
  std::set<std::string> taken;
  std::size_t number = 0;
  for (Texture& texture : humanoid.textures) {
    ++number;
    if (texture.bytes.empty()) continue;
    const std::string extension = texture.mime_type == "image/jpeg" ? ".jpg" : ".png";
    std::string name = plain_name(texture.name);
    for (const std::string_view known : {".png", ".jpg", ".jpeg"}) {
      if (name.ends_with(known)) name.resize(name.size() - known.size());
    }
    if (name.empty()) name = "texture";
    std::string file = base_name + "_" + name + extension;
    if (!taken.insert(file).second) {
      file = base_name + "_" + name + "_" + std::to_string(number) + extension;
      taken.insert(file);
    }
    texture.uri = percent_encoded(file);
    files.files.emplace_back(file, std::move(texture.bytes));
    texture.bytes.clear();
  }
}

}  // namespace vesalius::report_detail
