#pragma once
// Bytes as text inside data: URIs.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vesalius::hanim {

[[nodiscard]] std::string to_base64(std::span<const std::byte> bytes);
/// Nothing when a character does not belong; blanks are skipped.
[[nodiscard]] std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace vesalius::hanim
