#include "vesalius/translate.hpp"

#include <algorithm>
#include <fstream>

#include "foundation/codes.hpp"
#include "foundation/files.hpp"
#include "report/codes.hpp"
#include "report/strict.hpp"
#include "report/textures.hpp"

namespace vesalius {

namespace fs = std::filesystem;

namespace {

/// Enough to see what a file is; JSON may need more.
constexpr std::size_t head_bytes = 4096;

std::string lower_extension(const fs::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

/// A headless file may still be what its name says: its reader then tells best what is wrong with it.
FileFormat format_by_name(const fs::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".wrl" || extension == ".x3dv" || extension == ".vrml") return FileFormat::vrml;
  if (extension == ".x3dj") return FileFormat::x3d_json;
  return FileFormat::unknown;
}

std::string printable_head(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, 16)) text += c >= ' ' && c <= '~' ? c : '.';
  return text;
}

/// Detects from the file's beginning, or from all of it when that tells nothing.
std::optional<FileFormat> detect_file(const fs::path& file, std::string& head, Diagnostics& sink) {
  std::error_code error;
  if (!fs::exists(file, error) || fs::is_directory(file, error)) {
    (void)read_file(file, sink);  // reports which of the two it is
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  head.resize(head_bytes);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (in.bad() || (!in.is_open())) {
    sink.error(codes::io_cannot_read, "cannot be opened or read", {file.string(), 0, 0, {}});
    return std::nullopt;
  }
  FileFormat format = detect_format(bytes_of(head));
  if (format == FileFormat::unknown && head.size() == head_bytes && head.find('{') != std::string::npos) {
    const auto all = read_file(file, sink);
    if (!all) return std::nullopt;
    format = detect_format(bytes_of(*all));
  }
  return format == FileFormat::unknown ? format_by_name(file) : format;
}

/// Reports formats that have no reader.
bool is_readable(FileFormat format, std::string_view head, const std::string& file, Diagnostics& sink) {
  const Location where{file, 0, 0, {}};
  if (format == FileFormat::unknown) {
    std::string found = head.empty() ? "the file is empty" : "the file begins with '" + printable_head(head) + "'";
    sink.error(codes::translate_unknown_format,
               found + "; expected X3D (XML, ClassicVRML or JSON), VRML97, glTF or GLB, which are told apart by their content", where);
    return false;
  }
  if (format == FileFormat::x3d_binary) {
    sink.error(codes::translate_unsupported_format,
               "this is X3D binary (Fast Infoset), which is not supported; expected X3D XML, ClassicVRML, VRML97, X3D JSON, glTF or GLB",
               where);
    return false;
  }
  return true;
}

bool is_gltf(FileFormat format) {
  return format == FileFormat::gltf || format == FileFormat::glb;
}

HanimReadOptions hanim_options(const ReadAnyOptions& options, FileFormat format) {
  HanimReadOptions hanim;
  hanim.file_name = options.file_name;
  hanim.humanoid = options.humanoid;
  hanim.strict = options.strict;
  hanim.allow_outside = options.allow_outside;
  hanim.scale = options.scale;
  hanim.up = options.up;
  if (format == FileFormat::x3d_xml) hanim.encoding = Encoding::x3d_xml;
  if (format == FileFormat::x3d_json) hanim.encoding = Encoding::x3d_json;
  return hanim;
}

Encoding encoding_of(OutputFormat format) {
  if (format == OutputFormat::x3dv) return Encoding::classic_vrml;
  if (format == OutputFormat::x3dj) return Encoding::x3d_json;
  return format == OutputFormat::wrl ? Encoding::vrml97 : Encoding::x3d_xml;
}

GltfReadOptions gltf_options(const ReadAnyOptions& options) {
  GltfReadOptions gltf;
  gltf.file_name = options.file_name;
  gltf.rest = options.gltf_rest;
  gltf.strict = options.strict;
  gltf.allow_outside = options.allow_outside;
  return gltf;
}

/// Converts and renders what was read. `folder`: where the input's references lead; null from memory.
Result<Translation> finish(Result<Humanoid> read, const std::string& input, const fs::path* folder, OutputFormat format,
                           const std::string& base_name, const MappingTables& tables, const TranslateOptions& options) {
  Result<Translation> result;
  Diagnostics& sink = result.diagnostics;
  const auto done = [&]() -> Result<Translation>&& {
    sink.set_file(input);
    if (options.strict) sink = promoted(sink);
    if (sink.has_errors()) result.value.reset();
    return std::move(result);
  };

  sink.append(read.diagnostics);
  if (!read) return done();
  Translation translation;
  translation.source = summarise(*read, tables);

  ConvertOptions convert_options = options.convert;
  if (convert_options.to.empty()) convert_options.to = default_profile(format);
  Result<Conversion> converted = convert(*read, tables, convert_options);
  read.value.reset();  // large: not needed any more
  sink.append(converted.diagnostics);
  if (!converted) return done();
  Humanoid& humanoid = converted->humanoid;
  translation.report = std::move(converted->report);

  AssetFiles side_files;
  if (is_hanim(format) && options.side_files) {
    std::error_code error;
    const auto or_here = [](const fs::path& path) { return path.empty() ? fs::path(".") : path; };
    const bool beside = folder != nullptr && fs::equivalent(or_here(*folder), or_here(options.output_folder), error) && !error;
    report_detail::put_textures_beside(humanoid, base_name, beside, side_files);
  }

  TranslateOptions write = options;
  write.convert.to = convert_options.to;
  write.gltf.binary = format == OutputFormat::glb;
  write.gltf.max_influences = options.convert.max_influences;
  write.gltf.extras = options.convert.extras;
  write.gltf.strict = options.strict;
  Result<AssetFiles> files;
  if (is_hanim(format)) {
    HanimWriteOptions hanim = options.hanim;
    hanim.encoding = encoding_of(format);
    const bool old = format == OutputFormat::wrl || hanim.x3d_version == X3dVersion::v3_3 || hanim.target == HanimTarget::castle ||
                     hanim.target == HanimTarget::x3dom;
    hanim.names = options.hanim_names.value_or(old || humanoid.source.hanim_version == "1" ? "1" : "2");
    hanim.extras = options.convert.extras;
    Result<std::string> text = hanim_to_x3d(humanoid, tables, hanim);
    files.diagnostics = std::move(text.diagnostics);
    if (text) {
      if (options.gzip) *text = gzip(*text);
      const auto raw = bytes_of(*text);
      files.value.emplace().files.emplace_back(base_name + "." + std::string(to_text(format)),
                                               std::vector<std::byte>(raw.begin(), raw.end()));
    }
  } else {
    files = openmaterial_to_files(humanoid, base_name, tables, write.gltf);
  }
  sink.append(files.diagnostics);
  if (!files) return done();
  translation.target = summarise(humanoid, tables);
  translation.files = std::move(*files);
  for (auto& file : side_files.files) translation.files.files.push_back(std::move(file));
  result.value = std::move(translation);
  return done();
}

}  // namespace

std::optional<OutputFormat> output_format_of(const fs::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".glb") return OutputFormat::glb;
  if (extension == ".gltf") return OutputFormat::gltf;
  if (extension == ".x3d" || extension == ".x3dz") return OutputFormat::x3d;
  if (extension == ".x3dv" || extension == ".x3dvz") return OutputFormat::x3dv;
  if (extension == ".x3dj" || extension == ".json") return OutputFormat::x3dj;
  if (extension == ".wrl" || extension == ".vrml" || extension == ".wrz") return OutputFormat::wrl;
  if (extension == ".gz") {
    const auto inner = output_format_of(file.stem());
    if (inner && is_hanim(*inner)) return inner;
  }
  return std::nullopt;
}

bool is_gzip_name(const fs::path& file) {
  const std::string extension = lower_extension(file);
  return extension == ".gz" || extension == ".x3dz" || extension == ".x3dvz" || extension == ".wrz";
}

bool is_hanim(OutputFormat format) noexcept {
  return format != OutputFormat::glb && format != OutputFormat::gltf;
}

std::string_view to_text(OutputFormat format) noexcept {
  switch (format) {
    case OutputFormat::glb:
      return "glb";
    case OutputFormat::gltf:
      return "gltf";
    case OutputFormat::x3d:
      return "x3d";
    case OutputFormat::x3dv:
      return "x3dv";
    case OutputFormat::x3dj:
      return "x3dj";
    case OutputFormat::wrl:
      return "wrl";
  }
  return "glb";
}

std::string_view default_profile(OutputFormat format) noexcept {
  return is_hanim(format) ? "hanim-2" : "openmaterial";
}

Result<Humanoid> read_any(const fs::path& file, const MappingTables& tables, const ReadAnyOptions& options) {
  Result<Humanoid> result;
  std::string head;
  const auto format = detect_file(file, head, result.diagnostics);
  if (!format || !is_readable(*format, head, file.string(), result.diagnostics)) return result;
  ReadAnyOptions named = options;
  named.file_name = file.string();
  return is_gltf(*format) ? read_openmaterial(file, tables, gltf_options(named)) : read_hanim(file, tables, hanim_options(named, *format));
}

Result<Humanoid> read_any(std::span<const std::byte> bytes, const MappingTables& tables, const ReadAnyOptions& options) {
  Result<Humanoid> result;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const FileFormat format = detect_format(bytes);
  if (!is_readable(format, text, options.file_name, result.diagnostics)) return result;
  return is_gltf(format) ? read_openmaterial(bytes, tables, gltf_options(options))
                         : read_hanim(bytes, tables, hanim_options(options, format));
}

Result<Translation> translate(const fs::path& file, OutputFormat format, const std::string& base_name, const MappingTables& tables,
                              const TranslateOptions& options) {
  ReadAnyOptions read = options.read;
  read.strict = options.strict;
  const fs::path folder = file.parent_path();
  return finish(read_any(file, tables, read), file.string(), &folder, format, base_name, tables, options);
}

Result<Translation> translate(std::span<const std::byte> bytes, OutputFormat format, const std::string& base_name,
                              const MappingTables& tables, const TranslateOptions& options) {
  ReadAnyOptions read = options.read;
  read.strict = options.strict;
  return finish(read_any(bytes, tables, read), read.file_name, nullptr, format, base_name, tables, options);
}

}  // namespace vesalius
