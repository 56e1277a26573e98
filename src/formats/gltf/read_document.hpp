#pragma once
// From bytes to a glTF document.
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "formats/gltf/document.hpp"
#include "vesalius/diagnostics.hpp"

namespace vesalius::gltf {

struct ReadOptions {
  std::filesystem::path folder;  ///< where URIs are resolved
  bool may_read_files = false;   ///< false: input from memory, other files are not read
  bool allow_outside = false;    ///< follow URIs that leave the folder
};

/// Reads .gltf text or a .glb with its buffers and images. Nesting, lengths, ranges and indices are checked; files are read only when their
/// decoded URI resolves inside the folder. Missing textures are warnings. Errors: gltf.*, io.*.
[[nodiscard]] std::optional<Document> read_document(std::string_view bytes, const ReadOptions& options, Diagnostics& sink);

/// Parents, order and scene transforms. Error: gltf.node_cycle.
[[nodiscard]] std::optional<NodeTree> node_tree(const Document& document, Diagnostics& sink);

}  // namespace vesalius::gltf
