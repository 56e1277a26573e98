#pragma once
// Tables and schemas that are built into the library; the source file is made from mappings/ and schemas/ at build time.
#include <span>
#include <string_view>
#include <utility>

namespace vesalius::mapping_detail {

[[nodiscard]] std::string_view profile_schema();
[[nodiscard]] std::string_view mapping_schema();
[[nodiscard]] std::string_view rigs_schema();
/// File name and text of every built-in table, profiles first.
[[nodiscard]] std::span<const std::pair<std::string_view, std::string_view>> embedded_tables();

}  // namespace vesalius::mapping_detail
