#include "formats/x3d/xml_writer.hpp"

namespace vesalius::x3d {
namespace {

void append_escaped(std::string& out, std::string_view text) {
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
      case '\n':
        out += "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
}

}  // namespace

void XmlWriter::finish_tag() {
  if (tag_open_) out_ += ">\n";
  tag_open_ = false;
}

XmlWriter& XmlWriter::open(std::string_view name) {
  finish_tag();
  out_.append(2 * stack_.size(), ' ');
  out_ += '<';
  out_ += name;
  stack_.emplace_back(name);
  tag_open_ = true;
  return *this;
}

void XmlWriter::close() {
  const std::string name = std::move(stack_.back());
  stack_.pop_back();
  if (tag_open_) {
    out_ += "/>\n";
    tag_open_ = false;
    return;
  }
  out_.append(2 * stack_.size(), ' ');
  out_ += "</";
  out_ += name;
  out_ += ">\n";
}

void XmlWriter::begin_attribute(std::string_view name) {
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
}

XmlWriter& XmlWriter::attribute(std::string_view name, std::string_view value) {
  begin_attribute(name);
  append_escaped(out_, value);
  out_ += '"';
  return *this;
}

XmlWriter& XmlWriter::strings(std::string_view name, std::span<const std::string> values) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += ' ';
    text += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return attribute(name, text);
}

XmlWriter& XmlWriter::number(std::string_view name, double value) {
  return list(name, [&](auto append) { append(value); });
}

XmlWriter& XmlWriter::integer(std::string_view name, long long value) {
  return list(name, [&](auto append) { append(value); });
}

XmlWriter& XmlWriter::vector(std::string_view name, const Vec3& value) {
  return list(name, [&](auto append) {
    append(value.x());
    append(value.y());
    append(value.z());
  });
}

std::string XmlWriter::take() {
  finish_tag();
  return std::move(out_);
}

}  // namespace vesalius::x3d
