// Which encoding a file has, and its text as UTF-8.
#include <algorithm>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/readers.hpp"
#include "formats/x3d/text_encoding.hpp"
#include "foundation/files.hpp"

namespace vesalius::x3d {
namespace {

/// Plain UTF-8 text without byte order mark, or nothing with an error.
std::optional<std::string> plain_text(std::string bytes, const std::string& file, bool& was_1252, std::size_t& bad_byte,
                                      Diagnostics& sink) {
  // Some files were compressed twice.
  for (int layers = 0; is_gzip(bytes) && layers < 3; ++layers) {
    // Text shrinks to a tenth, motion to a thirtieth; what grows far beyond that is made to fill the memory.
    auto text = gunzip(bytes, file, sink, std::min(most_inflated_bytes, (std::size_t{64} << 20) + 32 * bytes.size()));
    if (!text) return std::nullopt;
    bytes = std::move(*text);
  }
  if (is_utf16(bytes)) bytes = from_utf16(bytes);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  if (bytes.size() > 0xFFFFFFF0u) {
    sink.error(codes::x3d_unknown_encoding, "the text is larger than 4 GiB", {file, 0, 0, {}});
    return std::nullopt;
  }
  // Fast Infoset by its magic number or its declaration, and EXI by its cookie.
  const std::string_view text = bytes;
  if (text.starts_with(std::string_view("\xE0\x00\x00\x01", 4)) || text.starts_with("<?xml encoding='finf'") || text.starts_with("$EXI")) {
    sink.error(codes::x3d_binary, "this is the compressed binary encoding of X3D (.x3db), which is not read; convert it to XML first",
               {file, 0, 0, {}});
    return std::nullopt;
  }
  bad_byte = first_bad_byte(text);
  was_1252 = bad_byte != std::string_view::npos;
  return was_1252 ? from_windows_1252(text) : std::move(bytes);
}

/// A text without header that yet reads like VRML: a statement or a node comes first.
bool looks_like_vrml(std::string_view text) {
  const std::string_view head = text.substr(0, std::min<std::size_t>(text.size(), 4096));
  const auto open = head.find('{');
  if (open == std::string_view::npos || open == 0) return false;
  const char first = head.front();
  const bool letter = (first >= 'A' && first <= 'Z') || first == '#';
  return letter && head.substr(0, open).find('<') == std::string_view::npos;
}

}  // namespace

bool read_file_into(Scene& scene, std::string bytes, const std::string& file, bool is_main, bool strict, Scope& scope, Node& top,
                    Diagnostics& sink) {
  bool was_1252 = false;
  std::size_t bad_byte = 0;
  auto plain = plain_text(std::move(bytes), file, was_1252, bad_byte, sink);
  if (!plain) return false;
  const auto source = scene.add_source(file, std::move(*plain));
  if (!source) {
    sink.error(codes::x3d_inline, "there are more than " + std::to_string(most_sources) + " files in one scene", {file, 0, 0, {}});
    return false;
  }
  if (was_1252) sink.warning(codes::x3d_not_utf8, "the text is not UTF-8; it was read as Windows-1252", scene.at_byte(*source, bad_byte));
  Document document{scene, *source, scope, top, is_main, strict, sink};
  const std::string_view text = scene.text(*source);
  const auto describe = [&](const char* encoding, std::string version) {
    if (!is_main) return;
    scene.encoding = encoding;
    scene.version = std::move(version);
  };
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) {
    sink.error(codes::x3d_unknown_encoding, "the file is empty; expected X3D or VRML", {file, 1, 1, {}});
    return false;
  }
  const std::string_view rest = text.substr(start);
  if (rest.starts_with("#VRML V1")) {
    sink.error(codes::x3d_vrml1, "VRML 1.0 is not supported; expected VRML97 (#VRML V2.0 utf8) or X3D", scene.at_byte(*source, start));
  } else if (rest.starts_with("#VRML")) {
    describe("VRML97", "97");
    read_vrml(document);
  } else if (rest.starts_with("#X3D")) {
    std::string version;
    if (const auto at = rest.find(" V"); at != std::string_view::npos && at < 8)
      version = std::string(rest.substr(at + 2, rest.find_first_of(" \t\r\n", at + 2) - at - 2));
    describe("ClassicVRML", version);
    read_vrml(document);
  } else if (rest.front() == '<') {
    describe("X3D XML", "");
    read_xml(document);
  } else if (rest.front() == '{') {
    describe("X3D JSON", "");
    read_json(document);
  } else if (looks_like_vrml(rest)) {
    const std::string message = "the header line is missing; expected '#VRML V2.0 utf8' or '#X3D V4.0 utf8'";
    if (strict) {
      sink.error(codes::x3d_no_header, message, scene.at_byte(*source, start));
      return false;
    }
    sink.warning(codes::x3d_no_header, message + "; the text was read as VRML97", scene.at_byte(*source, start));
    describe("VRML97", "97");
    read_vrml(document);
  } else {
    sink.error(codes::x3d_unknown_encoding,
               "found '" + std::string(rest.substr(0, 20)) + "'; expected an XML document, '#VRML V2.0 utf8', '#X3D' or JSON",
               scene.at_byte(*source, start));
  }
  return !sink.has_errors();
}

std::unique_ptr<Scene> read_scene(std::string bytes, const SceneOptions& options, Diagnostics& sink) {
  auto scene = std::make_unique<Scene>();
  Diagnostics own;
  Scope& scope = Building::store(*scene).file_scopes.emplace_back();
  Node& top = scene->add_holder();
  read_file_into(*scene, std::move(bytes), options.file, true, options.strict, scope, top, own);
  if (!own.has_errors()) link(*scene, top, options, own);
  own.set_file(options.file);
  sink.append(own);
  return scene;
}

}  // namespace vesalius::x3d
