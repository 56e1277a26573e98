#pragma once
// Reading and writing H-Anim humanoids (ISO/IEC 19774).
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "vesalius/diagnostics.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius {

enum class Encoding : std::uint8_t { detect, x3d_xml, classic_vrml, vrml97, x3d_json };

struct HanimReadOptions {
  std::string file_name = "<memory>";  ///< for diagnostics when reading from memory
  std::string humanoid;                ///< name or 0-based index when the file holds several; empty: there must be one
  bool strict = false;                 ///< refuse what would be repaired
  Encoding encoding = Encoding::detect;
};

/// Reads one humanoid; its joints carry version 2 names (profile "hanim-2") and its rest pose is the H-Anim rest pose: all joint
/// rotations identity. Humanoid.scale and Transforms around the humanoid are folded in: metres, +Y up, facing +Z.
/// Errors: x3d.*, hanim.*, io.*; a file without a humanoid is hanim.no_humanoid.
[[nodiscard]] Result<Humanoid> read_hanim(const std::filesystem::path& file, const MappingTables& tables,
                                          const HanimReadOptions& options = {});
[[nodiscard]] Result<Humanoid> read_hanim(std::span<const std::byte> bytes, const MappingTables& tables,
                                          const HanimReadOptions& options = {});

struct HanimWriteOptions {
  std::string names = "2";  ///< version of the joint names: "1" or "2"
  bool extras = true;       ///< write metadata that restores what H-Anim cannot say
};

/// X3D 4.0 XML text, UTF-8. The humanoid must follow a hanim profile.
[[nodiscard]] Result<std::string> hanim_to_x3d(const Humanoid& humanoid, const MappingTables& tables,
                                               const HanimWriteOptions& options = {});

}  // namespace vesalius
