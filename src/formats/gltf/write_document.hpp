#pragma once
// From a document to bytes, and the buffer that its accessors need.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/gltf/document.hpp"
#include "vesalius/diagnostics.hpp"

namespace vesalius::gltf {

enum class Target : int { none = 0, vertices = 34962, indices = 34963 };

/// Appends data to the only buffer of a document; every view starts at a multiple of 4 bytes.
class BufferBuilder {
 public:
  explicit BufferBuilder(Document& document);

  /// Accessor of floats, count x components. `bounds`: with min and max, from the stored floats.
  std::size_t add_floats(std::span<const float> values, unsigned components, Target target, bool bounds = false);
  /// The smaller of a dense and a sparse accessor (zeros elsewhere); for morph targets, with bounds.
  std::size_t add_mostly_zero(std::span<const float> values, unsigned components);
  /// Triangle corners; 16 bits where they suffice.
  std::size_t add_indices(std::span<const std::uint32_t> values, std::uint32_t vertex_count);
  /// Joint numbers, four per vertex; 8 bits where they suffice.
  std::size_t add_joints(std::span<const std::uint16_t> values);
  /// A view of other bytes (an image).
  std::size_t add_view(std::span<const std::byte> bytes, Target target = Target::none);

 private:
  std::size_t add_accessor(Accessor accessor);
  Document& document_;
};

/// The GLB. Error: gltf.too_large.
[[nodiscard]] std::optional<std::vector<std::byte>> to_glb(const Document& document, Diagnostics& sink);
/// The JSON text of a .gltf whose buffer is the file `buffer_uri`.
[[nodiscard]] std::vector<std::byte> to_gltf(const Document& document, const std::string& buffer_uri);

}  // namespace vesalius::gltf
