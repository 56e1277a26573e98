// From raw text to numbers and strings, in one pass.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "formats/x3d/codes.hpp"
#include "formats/x3d/scene.hpp"
#include "foundation/utf8.hpp"

namespace vesalius::x3d {
namespace {

constexpr bool is_separator(char c) noexcept {
  return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r';
}
/// In JSON a list of numbers stands in brackets, or in a string as in XML.
constexpr bool is_json_mark(char c) noexcept {
  return c == '[' || c == ']' || c == '"';
}

void report(const Scene& scene, const Node& node, const Field& field, const char* at, const char* end, std::string_view expected,
            Diagnostics& sink) {
  const char* stop = at;
  while (stop != end && !is_separator(*stop) && !is_json_mark(*stop) && stop - at < 40) ++stop;
  const std::size_t into = static_cast<std::size_t>(at - field.text.data());
  sink.error(codes::x3d_bad_number,
             "found '" + std::string(at, stop) + "' in field '" + std::string(field.name) + "'; expected " + std::string(expected),
             scene.at_byte(field.source, scene.byte_in_value(field, into), &node));
}

/// Steps over separators and, in VRML text, comments.
const char* skip(const char* at, const char* end, TextStyle style) noexcept {
  while (at != end) {
    if (is_separator(*at) || (style == TextStyle::json && is_json_mark(*at))) {
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
    if (stop == nullptr ||
        (stop != end && !is_separator(*stop) && *stop != '#' && !(field.style == TextStyle::json && is_json_mark(*stop)))) {
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
    const double magnitude = static_cast<double>(digits) / powers_of_ten[static_cast<std::size_t>(after_point)];  // at most 1e15
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
  // Numbers of the format are single precision: what it cannot hold is none.
  if (result.ec != std::errc() || !(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) return nullptr;
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

/// The four digits of a JSON escape; 0xFFFD when they are none.
char32_t code_unit(std::string_view text, std::size_t at) {
  std::uint16_t unit = 0;
  if (at + 4 > text.size()) return 0xFFFD;
  const auto read = std::from_chars(text.data() + at, text.data() + at + 4, unit, 16);
  return read.ptr == text.data() + at + 4 ? unit : char32_t{0xFFFD};
}

/// The same for a JSON string with all its escapes.
std::size_t unquote_json(std::string_view text, std::size_t at, std::string& out) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] != '\\' || at + 1 >= text.size()) {
      out += text[at];
      continue;
    }
    switch (const char c = text[++at]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'u': {
        char32_t point = code_unit(text, at + 1);
        at = std::min(at + 4, text.size() - 1);
        if (point >= 0xD800 && point < 0xDC00 && text.substr(at + 1, 2) == "\\u") {
          const char32_t low = code_unit(text, at + 3);
          if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            at += 6;
          }
        }
        append_code_point(out, point >= 0xD800 && point < 0xE000 ? 0xFFFD : point);
        break;
      }
      default:
        out += c;
    }
  }
  return at;
}

/// Strings of a JSON value: a list of strings, or one string, which old converters filled with a list of quoted strings.
std::vector<std::string> parse_json_strings(std::string_view text) {
  std::vector<std::string> result;
  const bool is_list = text.find_first_not_of(" \t\r\n") != std::string_view::npos && text[text.find_first_not_of(" \t\r\n")] == '[';
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      std::string value;
      at = unquote_json(text, at, value);
      result.push_back(std::move(value));
    } else if (is_separator(text[at]) || text[at] == '[' || text[at] == ']') {
      ++at;
    } else {
      std::string value;
      while (at < text.size() && !is_separator(text[at]) && text[at] != ']') value += text[at++];
      result.push_back(std::move(value));
    }
  }
  if (is_list || result.size() != 1 || !result.front().starts_with('"')) return result;
  Field inner;
  inner.text = result.front();
  return parse_strings(inner);
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
  std::string out;
  if (field.style == TextStyle::json) {
    const auto begin = field.text.find('"');
    if (begin == std::string_view::npos) return std::string(field.text);
    unquote_json(field.text, begin, out);
    return out;
  }
  const auto quote = field.text.find('"');
  if (quote == std::string_view::npos) return std::string(field.text);
  unquote(field.text, quote, out);
  return out;
}

std::vector<std::string> parse_strings(const Field& field) {
  if (field.style == TextStyle::json) return parse_json_strings(field.text);
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

std::optional<bool> parse_bool(const Field& field) {
  std::string_view text = field.text;
  constexpr std::string_view marks = " \t\r\n\"[],";
  while (!text.empty() && marks.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && marks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  if (text == "true" || text == "TRUE" || text == "True") return true;
  if (text == "false" || text == "FALSE" || text == "False") return false;
  return std::nullopt;
}

}  // namespace vesalius::x3d
