// From raw text to numbers and strings, in one pass.
#include <array>
#include <charconv>
#include <cmath>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/scene.hpp"

namespace vesalius::x3d {
namespace {

constexpr bool is_separator(char c) noexcept {
  return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r';
}

void report(const Scene& scene, const Node& node, const Field& field, const char* at, const char* end, std::string_view expected,
            Diagnostics& sink) {
  const char* stop = at;
  while (stop != end && !is_separator(*stop) && stop - at < 40) ++stop;
  const std::size_t into = static_cast<std::size_t>(at - field.text.data());
  sink.error(codes::x3d_bad_number,
             "found '" + std::string(at, stop) + "' in field '" + std::string(field.name) + "'; expected " + std::string(expected),
             scene.at_byte(scene.byte_in_value(field, into), &node));
}

/// Steps over separators and, in VRML text, comments.
const char* skip(const char* at, const char* end, TextStyle style) noexcept {
  while (at != end) {
    if (is_separator(*at)) {
      ++at;
    } else if (*at == '#' && style == TextStyle::vrml) {
      while (at != end && *at != '\n' && *at != '\r') ++at;
    } else {
      break;
    }
  }
  return at;
}

template <class T, class Parse>
bool parse_all(const Scene& scene, const Node& node, const Field& field, std::vector<T>& out, std::string_view expected, Diagnostics& sink,
               Parse parse) {
  out.clear();
  if (field.text.empty()) return true;
  out.reserve(field.text.size() / 6 + 1);
  const char* at = field.text.data();
  const char* end = at + field.text.size();
  while ((at = skip(at, end, field.style)) != end) {
    T value{};
    // from_chars takes no '+'; a second sign is left for it to refuse.
    const char* from = *at == '+' && at + 1 != end && at[1] != '-' ? at + 1 : at;
    const char* stop = parse(from, end, value);
    if (stop == nullptr || (stop != end && !is_separator(*stop) && *stop != '#')) {
      report(scene, node, field, at, end, expected, sink);
      return false;
    }
    out.push_back(value);
    at = stop;
  }
  return true;
}

constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Decimals of at most 15 digits without exponent are exact as integer over a power of ten (both exact in double, one division);
/// everything else goes to from_chars.
const char* parse_double(const char* at, const char* end, double& value) noexcept {
  const char* p = at;
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  std::uint64_t digits = 0;
  int count = 0, after_point = 0;
  const char* first = p;
  for (; p != end && static_cast<unsigned char>(*p - '0') < 10; ++p, ++count) digits = digits * 10 + static_cast<unsigned char>(*p - '0');
  bool any = p != first;
  if (p != end && *p == '.') {
    ++p;
    first = p;
    for (; p != end && static_cast<unsigned char>(*p - '0') < 10; ++p, ++count, ++after_point)
      digits = digits * 10 + static_cast<unsigned char>(*p - '0');
    any = any || p != first;
  }
  if (any && count <= 15 && (p == end || (*p != 'e' && *p != 'E'))) {
    const double magnitude = static_cast<double>(digits) / powers_of_ten[static_cast<std::size_t>(after_point)];
    value = negative ? -magnitude : magnitude;
    return p;
  }
  const auto result = std::from_chars(at, end, value);
  if (result.ec == std::errc::result_out_of_range) {
    // Too small to tell from zero is zero; too large is not a number.
    for (const char* q = at; q != result.ptr; ++q) {
      if ((*q == 'e' || *q == 'E') && q + 1 != result.ptr && q[1] == '-') {
        value = 0;
        return result.ptr;
      }
    }
    return nullptr;
  }
  if (result.ec != std::errc() || !std::isfinite(value)) return nullptr;
  return result.ptr;
}

const char* parse_int(const char* at, const char* end, std::int32_t& value) noexcept {
  int base = 10;
  if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    at += 2;
    base = 16;
    std::uint32_t bits = 0;
    const auto hex = std::from_chars(at, end, bits, base);
    if (hex.ec != std::errc()) return nullptr;
    value = static_cast<std::int32_t>(bits);
    return hex.ptr;
  }
  const auto result = std::from_chars(at, end, value, base);
  return result.ec == std::errc() ? result.ptr : nullptr;
}

/// One quoted string starting at the quote; escapes \" and \\ are undone. Returns the place after the closing quote (or the end).
std::size_t unquote(std::string_view text, std::size_t at, std::string& out) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\')) {
      out += text[++at];
    } else if (text[at] == '"') {
      return at + 1;
    } else {
      out += text[at];
    }
  }
  return at;
}

}  // namespace

bool parse_doubles(const Scene& scene, const Node& node, const Field& field, std::vector<double>& out, Diagnostics& sink) {
  return parse_all(scene, node, field, out, "a number", sink, parse_double);
}

bool parse_ints(const Scene& scene, const Node& node, const Field& field, std::vector<std::int32_t>& out, Diagnostics& sink) {
  return parse_all(scene, node, field, out, "an integer", sink, parse_int);
}

std::string parse_string(const Field& field) {
  if (field.style == TextStyle::xml) return std::string(field.text);
  const auto quote = field.text.find('"');
  if (quote == std::string_view::npos) return std::string(field.text);
  std::string out;
  unquote(field.text, quote, out);
  return out;
}

std::vector<std::string> parse_strings(const Field& field) {
  std::vector<std::string> result;
  std::size_t at = 0;
  const std::string_view text = field.text;
  while (at < text.size()) {
    if (is_separator(text[at])) {
      ++at;
    } else if (text[at] == '#' && field.style == TextStyle::vrml) {
      while (at < text.size() && text[at] != '\n') ++at;
    } else if (text[at] == '"') {
      std::string value;
      at = unquote(text, at, value);
      result.push_back(std::move(value));
    } else if (field.style == TextStyle::xml && result.empty()) {
      // An attribute without quotes is one string as it stands.
      result.emplace_back(text.substr(at));
      return result;
    } else {
      std::string value;
      while (at < text.size() && !is_separator(text[at])) value += text[at++];
      result.push_back(std::move(value));
    }
  }
  return result;
}

}  // namespace vesalius::x3d
