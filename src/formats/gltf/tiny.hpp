#pragma once
// The glTF library behind a wall: text to document and back. Only for this folder.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "formats/gltf/document.hpp"
#include "vesalius/diagnostics.hpp"

namespace vesalius::gltf {

/// Files that the library may open, by the decoded name the document uses.
struct AllowedFiles {
  struct File {
    std::filesystem::path path;
    std::optional<std::size_t> bytes;  ///< a longer file is cut to this
  };
  std::map<std::string, File, std::less<>> by_name;
};

/// The text must have passed the checks of read_document. Errors: gltf.bad_document, gltf.bad_index, gltf.bad_accessor.
[[nodiscard]] std::optional<Document> parse_document(std::string_view bytes, bool binary, const AllowedFiles& files, Diagnostics& sink);

/// JSON text of a document (indented), buffers left out of it; with `binary`, a whole GLB whose only buffer is the first.
[[nodiscard]] std::string serialise_document(const Document& document, const std::string& buffer_uri, bool binary);

}  // namespace vesalius::gltf
