#include "foundation/uri.hpp"

#include <algorithm>
#include <cctype>

#include "foundation/codes.hpp"

namespace vesalius {

namespace fs = std::filesystem;

namespace {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// "http:", "file:" ...: letters, digits, '+', '-', '.' before a colon; one letter would be a drive.
bool has_scheme(std::string_view uri) noexcept {
  const auto colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return std::ranges::all_of(uri.substr(0, colon), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text += uri[i];
      continue;
    }
    if (i + 2 >= uri.size()) return std::nullopt;
    const int high = hex_digit(uri[i + 1]), low = hex_digit(uri[i + 2]);
    if (high < 0 || low < 0 || high * 16 + low == 0) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF", plain = "-_.~/!$&'()*+,;=@";
  std::string text;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos) {
      text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += '%';
      text += digits[byte >> 4];
      text += digits[byte & 15];
    }
  }
  return text;
}

bool is_data_uri(std::string_view uri) noexcept {
  return uri.starts_with("data:");
}

std::optional<fs::path> resolve_uri(std::string_view uri, const fs::path& folder, bool allow_outside, Diagnostics& sink,
                                    const Location& where) {
  if (has_scheme(uri) || uri.starts_with("//") || uri.starts_with("\\\\")) {
    sink.error(codes::io_remote_uri,
               "URI '" + std::string(uri.substr(0, 200)) + "' names something that is not a file beside the input; nothing is fetched",
               where);
    return std::nullopt;
  }
  const auto decoded = percent_decoded(uri);
  if (!decoded || decoded->find('\0') != std::string::npos) {
    sink.error(codes::io_outside_folder, "URI '" + std::string(uri.substr(0, 200)) + "' is malformed", where);
    return std::nullopt;
  }
  std::error_code error;
  const fs::path base = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  const fs::path target = fs::weakly_canonical(base / fs::path(*decoded), error);
  if (!allow_outside && (error || !is_inside(target, base) || fs::path(*decoded).is_absolute())) {
    sink.error(codes::io_outside_folder,
               "URI '" + std::string(uri.substr(0, 200)) + "' leaves the input's folder; such files are only read on request", where);
    return std::nullopt;
  }
  return target;
}

}  // namespace vesalius
