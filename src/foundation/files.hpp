#pragma once
// Files: whole reads, gzip, and writes that either happen completely or not at all.
#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vesalius/diagnostics.hpp"

namespace vesalius {

inline constexpr std::size_t most_file_bytes = std::size_t{2} << 30;
inline constexpr std::size_t most_inflated_bytes = std::size_t{1} << 30;

/// Errors: io.not_found, io.cannot_read, io.too_large.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& file, Diagnostics& sink,
                                                   std::size_t most = most_file_bytes);
[[nodiscard]] std::optional<std::string> read_stream(std::istream& in, const std::string& name, Diagnostics& sink,
                                                     std::size_t most = most_file_bytes);

/// Whether the bytes begin like a gzip file.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;
/// Expands gzip (all members). Errors: io.bad_gzip, io.too_large.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view bytes, const std::string& name, Diagnostics& sink,
                                                std::size_t most = most_inflated_bytes);

/// Compresses to one gzip member; the same text gives the same bytes (no name, no time).
[[nodiscard]] std::string gzip(std::string_view bytes);

using FileContents = std::pair<std::filesystem::path, std::span<const std::byte>>;
/// Writes all files beside their targets under temporary names and renames them; when anything fails, no target is created or changed.
/// Error: io.cannot_write. Returns whether it worked.
bool write_files(std::span<const FileContents> files, Diagnostics& sink);

[[nodiscard]] inline std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

}  // namespace vesalius
