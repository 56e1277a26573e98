#pragma once
// URIs that files use to name other files.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "vesalius/diagnostics.hpp"

namespace vesalius {

/// %41 -> A. Nothing when an escape is malformed or names a zero byte.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view uri);
/// Escapes what a relative URI may not hold.
[[nodiscard]] std::string percent_encoded(std::string_view path);
[[nodiscard]] bool is_data_uri(std::string_view uri) noexcept;

/// The file that a relative URI names, resolved against `folder`. It must stay inside the folder (also through symbolic links) unless
/// `allow_outside`. Errors: io.outside_folder, io.remote_uri (any scheme, "//host/...").
[[nodiscard]] std::optional<std::filesystem::path> resolve_uri(std::string_view uri, const std::filesystem::path& folder,
                                                               bool allow_outside, Diagnostics& sink, const Location& where);

}  // namespace vesalius
