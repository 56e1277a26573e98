#include "foundation/numbers.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace vesalius {
namespace {

template <class T>
void append_shortest(std::string& out, T value) {
  if (value == 0) {
    out += '0';
    return;
  }
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), end.ptr);
}

}  // namespace

void append_number(std::string& out, double value) {
  append_shortest(out, value);
}
void append_number(std::string& out, float value) {
  append_shortest(out, value);
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string fixed_text(double value, int digits) {
  std::array<char, 400> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
  return {buffer.data(), end.ptr};
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int> parse_integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace vesalius
