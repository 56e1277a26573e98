#pragma once
// Files to files: which format a file has, reading any of them, converting, and writing the one that is asked for.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vesalius/convert.hpp"
#include "vesalius/diagnostics.hpp"
#include "vesalius/hanim_io.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"
#include "vesalius/openmaterial_io.hpp"
#include "vesalius/report.hpp"

namespace vesalius {

enum class FileFormat : std::uint8_t {
  unknown,
  x3d_xml,
  vrml,  ///< VRML97, ClassicVRML or VRML 1.0; the reader tells them apart
  x3d_json,
  x3d_binary,  ///< recognised, not supported
  gzip,        ///< read as compressed X3D or VRML
  gltf,
  glb,
};

/// The format by content, never by name. The beginning of a file is enough, except that a JSON text whose first keys tell nothing
/// needs as much as holds a key that does.
[[nodiscard]] FileFormat detect_format(std::span<const std::byte> bytes) noexcept;

struct ReadAnyOptions {
  std::string file_name = "<memory>";  ///< for diagnostics when reading from memory
  std::string humanoid;                ///< name or 0-based index when an H-Anim file holds several
  bool strict = false;
  GltfRest gltf_rest = GltfRest::bind;
  bool allow_outside = false;  ///< follow URIs that leave the file's folder
  double scale = 1;            ///< metres per unit of an H-Anim file that is not in metres
  std::string up;              ///< axis of an H-Anim file that points up, such as "+Z"; empty: measured
};

/// Reads one humanoid of any supported format. Errors: translate.unknown_format, translate.unsupported_format, and those of
/// read_hanim and read_openmaterial.
[[nodiscard]] Result<Humanoid> read_any(const std::filesystem::path& file, const MappingTables& tables, const ReadAnyOptions& options = {});
[[nodiscard]] Result<Humanoid> read_any(std::span<const std::byte> bytes, const MappingTables& tables, const ReadAnyOptions& options = {});

enum class OutputFormat : std::uint8_t {
  glb,
  gltf,
  x3d,   ///< X3D XML
  x3dv,  ///< ClassicVRML
  x3dj,  ///< X3D JSON
  wrl,   ///< VRML97
};
/// Whether a format is one of H-Anim's encodings.
[[nodiscard]] bool is_hanim(OutputFormat format) noexcept;

/// By extension, in any case: .glb, .gltf, .x3d, .x3dv, .x3dj, .json, .wrl, .vrml, and those of compressed files, .x3dz, .x3dvz, .wrz and
/// NAME.EXTENSION.gz. Nothing when it is none of these.
[[nodiscard]] std::optional<OutputFormat> output_format_of(const std::filesystem::path& file);
/// Whether the name asks for gzip (.x3dz, .x3dvz, .wrz, .gz).
[[nodiscard]] bool is_gzip_name(const std::filesystem::path& file);
/// "glb", "gltf", "x3d", "x3dv", "x3dj", "wrl": the extension.
[[nodiscard]] std::string_view to_text(OutputFormat format) noexcept;
/// Vocabulary that a format is written in unless told otherwise: "openmaterial" for glTF, "hanim-2" for the others.
[[nodiscard]] std::string_view default_profile(OutputFormat format) noexcept;

struct TranslateOptions {
  ReadAnyOptions read;
  ConvertOptions convert;   ///< an empty `to` means default_profile of the output
  GltfWriteOptions gltf;    ///< `binary`, `max_influences`, `extras` and `strict` are taken from the rest of the options
  HanimWriteOptions hanim;  ///< `names`, `extras` and `encoding` are taken from the rest of the options
  /// Version of the joint names, "1" or "2"; default: "1" in VRML97 and X3D 3.3, whose H-Anim has these, else the source's, else "2".
  std::optional<std::string> hanim_names;
  bool gzip = false;                    ///< compress an H-Anim file
  std::filesystem::path output_folder;  ///< where the files will be put: texture references are kept valid from there
  bool side_files = true;               ///< false: everything must fit into the first file (standard output)
  bool strict = false;                  ///< warnings are errors
};

/// A finished translation; nothing is written yet.
struct Translation {
  Summary source;
  Summary target;
  ConversionReport report;
  AssetFiles files;  ///< the first is the glTF, GLB, X3D or VRML
};

/// Reads, converts and renders. `base_name` is the common name of the written files without extension. Every finding has a file name.
[[nodiscard]] Result<Translation> translate(const std::filesystem::path& file, OutputFormat format, const std::string& base_name,
                                            const MappingTables& tables, const TranslateOptions& options = {});
/// From memory; `options.read.file_name` names the input. References to other files cannot be followed.
[[nodiscard]] Result<Translation> translate(std::span<const std::byte> bytes, OutputFormat format, const std::string& base_name,
                                            const MappingTables& tables, const TranslateOptions& options = {});

}  // namespace vesalius
