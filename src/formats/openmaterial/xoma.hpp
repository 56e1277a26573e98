#pragma once
// The .xoma file of an asset: metadata of the model to the standard's JSON and back.
#include <string>
#include <vector>

#include "vesalius/openmaterial_io.hpp"

namespace vesalius::openmaterial {

/// What only the written geometry knows.
struct AssetFacts {
  Eigen::AlignedBox3d box;  ///< of the written rest mesh, canonical frame
  std::size_t triangles = 0;
  std::size_t meshes = 0;
  bool animated = false;
  std::vector<std::string> texture_resolutions;
  std::string content;  ///< bytes of the geometry, for a uuid made from them
};

/// The text of the .xoma (version 1.1.0). Guessed values are warnings, with options.strict errors.
[[nodiscard]] std::string xoma_text(const Humanoid& humanoid, const std::string& base_name, const AssetFacts& facts,
                                    const GltfWriteOptions& options, Diagnostics& sink);

/// Version 5 UUID of content: SHA-1 of a fixed namespace and the bytes.
[[nodiscard]] std::string uuid_of(std::string_view content);
/// "1K", "2K" ... of a PNG or JPEG file by its larger side; empty when it is neither.
[[nodiscard]] std::string resolution_of(std::span<const std::byte> image);

}  // namespace vesalius::openmaterial
