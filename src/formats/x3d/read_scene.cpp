// Which encoding a file has, and its text as UTF-8.
#include <algorithm>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/readers.hpp"
#include "foundation/files.hpp"

namespace vesalius::x3d {
namespace {

void append_code_point(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 63));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 63));
    out += static_cast<char>(0x80 | (c & 63));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 63));
    out += static_cast<char>(0x80 | ((c >> 6) & 63));
    out += static_cast<char>(0x80 | (c & 63));
  }
}

/// UTF-16 with a byte order mark, or recognised by '<' as its first character.
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

/// First byte that is not UTF-8, or npos.
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

/// Windows-1252: what old exporters wrote. The five bytes without a meaning become U+FFFD.
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

}  // namespace

std::unique_ptr<Scene> read_scene(std::string bytes, const std::string& file, bool strict, Diagnostics& sink) {
  auto scene = std::make_unique<Scene>();
  scene->file = file;
  Diagnostics own;
  const auto done = [&] {
    own.set_file(file);
    sink.append(own);
    return std::move(scene);
  };
  if (is_gzip(bytes)) {
    auto text = gunzip(bytes, file, own);
    if (!text) return done();
    bytes = std::move(*text);
  }
  if (is_utf16(bytes)) bytes = from_utf16(bytes);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  scene->source = std::move(bytes);
  const std::string_view text = scene->source;
  if (text.size() > 0xFFFFFFF0u) {
    own.error(codes::x3d_unknown_encoding, "the text is larger than 4 GiB", {file, 0, 0, {}});
    return done();
  }
  // Fast Infoset by its magic number or its declaration, and EXI by its cookie.
  if (text.starts_with(std::string_view("\xE0\x00\x00\x01", 4)) || text.starts_with("<?xml encoding='finf'") || text.starts_with("$EXI")) {
    own.error(codes::x3d_binary, "this is the compressed binary encoding of X3D (.x3db), which is not read; convert it to XML first",
              {file, 0, 0, {}});
    return done();
  }
  if (const std::size_t bad = first_bad_byte(text); bad != std::string_view::npos) {
    own.warning(codes::x3d_not_utf8, "the text is not UTF-8; it was read as Windows-1252", scene->at_byte(bad));
    auto fresh = std::make_unique<Scene>();
    fresh->file = file;
    fresh->source = from_windows_1252(text);
    scene = std::move(fresh);
  }
  const std::string_view clean = scene->source;
  const auto start = clean.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) {
    own.error(codes::x3d_unknown_encoding, "the file is empty; expected X3D or VRML", {file, 1, 1, {}});
  } else if (clean.substr(start).starts_with("#VRML V1")) {
    own.error(codes::x3d_vrml1, "VRML 1.0 is not supported; expected VRML97 (#VRML V2.0 utf8) or X3D", scene->at_byte(start));
  } else if (clean.substr(start).starts_with("#VRML")) {
    scene->encoding = "VRML97";
    scene->version = "97";
    read_vrml(*scene, strict, own);
  } else if (clean.substr(start).starts_with("#X3D")) {
    scene->encoding = "ClassicVRML";
    const auto version = clean.find(" V", start);
    if (version != std::string_view::npos && version < start + 8) {
      const auto from = version + 2;
      scene->version = std::string(clean.substr(from, clean.find_first_of(" \t\r\n", from) - from));
    }
    read_vrml(*scene, strict, own);
  } else if (clean[start] == '<') {
    read_xml(*scene, strict, own);
  } else {
    own.error(codes::x3d_unknown_encoding,
              "found '" + std::string(clean.substr(start, 20)) + "'; expected an XML document, '#VRML V2.0 utf8' or '#X3D'",
              scene->at_byte(start));
  }
  const Node* looping = nullptr;
  if (!own.has_errors() && scene->has_use_cycle(&looping)) {
    own.error(codes::x3d_use_cycle, "node '" + std::string(looping->def) + "' contains itself", scene->locate(*looping));
  }
  return done();
}

}  // namespace vesalius::x3d
