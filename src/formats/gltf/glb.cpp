#include "formats/gltf/glb.hpp"

#include <cstdint>
#include <string>

#include "formats/gltf/codes.hpp"

namespace vesalius::gltf {
namespace {

constexpr std::size_t header_bytes = 12, chunk_header_bytes = 8;
constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace

bool is_glb(std::string_view bytes) noexcept {
  return bytes.starts_with("glTF");
}

std::optional<GlbChunks> split_glb(std::string_view bytes, Diagnostics& sink) {
  const auto fail = [&](std::string message) {
    sink.error(codes::gltf_bad_glb, std::move(message));
    return std::nullopt;
  };
  if (bytes.size() < header_bytes) return fail("the file has " + std::to_string(bytes.size()) + " bytes; a GLB header has 12");
  const std::uint32_t version = little_endian(bytes, 4), length = little_endian(bytes, 8);
  if (version != 2) {
    sink.error(codes::gltf_bad_version, "GLB of version " + std::to_string(version) + "; expected 2");
    return std::nullopt;
  }
  if (length > bytes.size())
    return fail("the header declares " + std::to_string(length) + " bytes, but there are " + std::to_string(bytes.size()));
  bytes = bytes.substr(0, length);
  GlbChunks chunks;
  bool first = true;
  // Offsets stay in 64 bits and every chunk length is compared with what is left, so that no sum can wrap.
  for (std::size_t at = header_bytes; at < bytes.size();) {
    if (bytes.size() - at < chunk_header_bytes) return fail("byte " + std::to_string(at) + ": chunk header cut off");
    const std::uint32_t size = little_endian(bytes, at), type = little_endian(bytes, at + 4);
    at += chunk_header_bytes;
    if (size > bytes.size() - at)
      return fail("byte " + std::to_string(at - chunk_header_bytes) + ": a chunk declares " + std::to_string(size) + " bytes, but " +
                  std::to_string(bytes.size() - at) + " are left");
    if (first && type != json_chunk) return fail("the first chunk is not JSON");
    if (first) {
      chunks.json = bytes.substr(at, size);
    } else if (type == binary_chunk && chunks.binary.empty()) {
      chunks.binary = std::as_bytes(std::span(bytes.substr(at, size)));
    }
    first = false;
    at += size;
  }
  if (first) return fail("there is no JSON chunk");
  return chunks;
}

}  // namespace vesalius::gltf
