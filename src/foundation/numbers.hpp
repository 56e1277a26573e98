#pragma once
// Numbers as text, without locale: shortest decimals that give back the same value, and parsing.
#include <optional>
#include <string>
#include <string_view>

namespace vesalius {

/// Appends the shortest decimal that reads back as the same value; -0 is written as 0. The value must be finite.
void append_number(std::string& out, double value);
void append_number(std::string& out, float value);
[[nodiscard]] std::string number_text(double value);
/// With `digits` after the point, for reports to people.
[[nodiscard]] std::string fixed_text(double value, int digits);

/// The whole text as a number (a leading '+' is allowed); nothing when it is not one or not finite.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<int> parse_integer(std::string_view text);

}  // namespace vesalius
