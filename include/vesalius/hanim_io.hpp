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
  bool allow_outside = false;          ///< follow references that leave the file's folder
  double scale = 1;                    ///< metres per unit of the file, where it is not in metres
  std::string up;                      ///< axis of the file that points up ("+Z"); empty: measured
  Encoding encoding = Encoding::detect;
};

/// Reads one humanoid; its joints carry version 2 names (profile "hanim-2") and its rest pose is the H-Anim rest pose: all joint
/// rotations identity. Humanoid.scale and Transforms around the humanoid are folded in: metres, +Y up, facing +Z.
/// Errors: x3d.*, hanim.*, io.*; a file without a humanoid is hanim.no_humanoid.
[[nodiscard]] Result<Humanoid> read_hanim(const std::filesystem::path& file, const MappingTables& tables,
                                          const HanimReadOptions& options = {});
[[nodiscard]] Result<Humanoid> read_hanim(std::span<const std::byte> bytes, const MappingTables& tables,
                                          const HanimReadOptions& options = {});

enum class X3dVersion : std::uint8_t { v4_0, v3_3 };
/// Which prototypes a VRML97 file declares: H-Anim 200x with a skin, or 1.1, where the skin becomes rigid segments.
enum class HanimPrototypes : std::uint8_t { v200x, v1_1 };
/// Whom a file is written for. All forms are standard; some players know less of the standard than others.
enum class HanimTarget : std::uint8_t {
  strict,  ///< everything that the version of the standard has
  x_ite,   ///< the same: X_ITE wants every joint in the humanoid's list and one Coordinate for skin and shapes, as always written
  castle,  ///< X3D 3.3 without the fields that H-Anim 2 added, at which Castle Game Engine 6 stops
  x3dom,   ///< X3D 3.3 with Phong materials, and a skin without normals: X3DOM stops at fewer normals than points and makes its own
};

struct HanimWriteOptions {
  std::string names = "2";  ///< version of the joint names: "1" or "2"
  bool extras = true;       ///< write metadata that restores what H-Anim cannot say
  Encoding encoding = Encoding::x3d_xml;
  X3dVersion x3d_version = X3dVersion::v4_0;
  HanimPrototypes prototypes = HanimPrototypes::v200x;
  HanimTarget target = HanimTarget::strict;
};

/// X3D or VRML text, UTF-8, in the encoding of the options. The humanoid must follow a hanim profile. What the form cannot say is reported.
[[nodiscard]] Result<std::string> hanim_to_x3d(const Humanoid& humanoid, const MappingTables& tables,
                                               const HanimWriteOptions& options = {});

}  // namespace vesalius
