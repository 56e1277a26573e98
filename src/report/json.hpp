#pragma once
// JSON pieces that the inspect output and the report file share. Keys keep the order they are added in.
#include <nlohmann/json.hpp>
#include <string>

#include "vesalius/report.hpp"

namespace vesalius::report_detail {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Vec3& vector);
[[nodiscard]] Json to_json(const Summary& summary);
/// {"errors": n, "warnings": n, "notes": n}
[[nodiscard]] Json severity_counts(const Diagnostics& diagnostics);
/// One object per finding: severity, code, message, count, and file, line, column, path where known.
[[nodiscard]] Json to_json(const Diagnostics& diagnostics);
/// Two spaces deep, with a line break at the end; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string rendered(const Json& json);

}  // namespace vesalius::report_detail
