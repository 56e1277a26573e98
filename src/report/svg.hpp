#pragma once
// Pieces of SVG text. Coordinates in px.
#include <string>
#include <string_view>
#include <utility>

#include "foundation/numbers.hpp"

namespace vesalius::report_detail {

/// Text as XML takes it; control characters and bytes beyond ASCII, which may not be UTF-8, become '?'.
[[nodiscard]] inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return out;
}

[[nodiscard]] inline std::string px(double value) {
  return fixed_text(value, 1);
}

class Svg {
 public:
  void raw(const std::string& text) { text_ += text; }
  void line(double x1, double y1, double x2, double y2, const std::string& style) {
    text_ += "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) + "\" " + style + "/>\n";
  }
  void circle(double x, double y, double radius, const std::string& style) {
    text_ += "<circle cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"" + fixed_text(radius, 2) + "\" " + style + "/>\n";
  }
  void text(double x, double y, const std::string& style, std::string_view content) {
    text_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + style + ">" + escaped(content) + "</text>\n";
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace vesalius::report_detail
