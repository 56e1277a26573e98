#pragma once
// Reading and writing ASAM OpenMATERIAL 3D human assets: glTF 2.0 with a .xoma file beside it.
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vesalius/diagnostics.hpp"
#include "vesalius/humanoid.hpp"
#include "vesalius/joint_map.hpp"

namespace vesalius {

/// Which pose of a glTF file is taken for the rest pose: the inverse bind matrices or the node transforms.
enum class GltfRest : std::uint8_t { bind, nodes };

struct GltfReadOptions {
  std::string file_name = "<memory>";
  GltfRest rest = GltfRest::bind;
  bool strict = false;
  bool allow_outside = false;            ///< follow URIs that leave the file's folder
  std::string profile = "openmaterial";  ///< vocabulary that node names are matched with
  std::string humanoid;  ///< name of a skin or 0-based number when the file holds several figures; empty: the one with the most joints
};

/// Reads the humanoid of a .gltf or .glb and, if it is there, the .xoma of the same base name. Facing, up and scale are measured and
/// turned into the canonical frame. Errors: gltf.*, openmaterial.*, io.*.
[[nodiscard]] Result<Humanoid> read_openmaterial(const std::filesystem::path& file, const MappingTables& tables,
                                                 const GltfReadOptions& options = {});
/// From memory: a .glb, or a .gltf whose buffers are data URIs. No .xoma.
[[nodiscard]] Result<Humanoid> read_openmaterial(std::span<const std::byte> bytes, const MappingTables& tables,
                                                 const GltfReadOptions& options = {});

struct GltfWriteOptions {
  bool binary = true;  ///< .glb, else .gltf + .bin
  GltfFront front = GltfFront::plus_x;
  unsigned max_influences = 4;  ///< 4 or 8
  bool extras = true;
  std::optional<double> mass_kg;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< KEY=VALUE, wins over the source
  bool strict = false;                                        ///< refuse where required metadata would be guessed
};

/// Files by name (base name + extension), ready to be written side by side; the first is the glTF or GLB.
struct AssetFiles {
  std::vector<std::pair<std::string, std::vector<std::byte>>> files;
};

/// The humanoid must follow the openmaterial profile. `base_name` is the common file name without extension.
[[nodiscard]] Result<AssetFiles> openmaterial_to_files(const Humanoid& humanoid, const std::string& base_name, const MappingTables& tables,
                                                       const GltfWriteOptions& options = {});

}  // namespace vesalius
