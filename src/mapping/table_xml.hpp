#pragma once
// The XML of a table as a tree with places, checked against its schema.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vesalius/diagnostics.hpp"

namespace vesalius::mapping_detail {

struct Element {
  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;  ///< defaults of the schema filled in
  std::vector<Element> children;
  Location where;  ///< of the end of its start tag, as Xerces-C gives it

  [[nodiscard]] std::string text(std::string_view attribute) const;  ///< empty when absent
  [[nodiscard]] bool has(std::string_view attribute) const { return attributes.find(attribute) != attributes.end(); }
  [[nodiscard]] std::vector<std::string> words(std::string_view attribute) const;
};

/// Reads and checks one table. Errors: mapping.not_xml, mapping.unknown_kind, mapping.schema, each with line and column.
[[nodiscard]] std::optional<Element> read_table(std::string_view xml, const std::string& file, Diagnostics& sink);

}  // namespace vesalius::mapping_detail
