#pragma once
// Streams XML text into a string.
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/numbers.hpp"
#include "vesalius/frames.hpp"

namespace vesalius::x3d {

class XmlWriter {
 public:
  XmlWriter() { out_ += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"; }

  void raw_line(std::string_view line) { (out_ += line) += '\n'; }
  XmlWriter& open(std::string_view name);
  void close();
  /// Escaped text; control characters that XML cannot hold are left out.
  XmlWriter& attribute(std::string_view name, std::string_view value);
  /// MFString: quoted strings in one attribute.
  XmlWriter& strings(std::string_view name, std::span<const std::string> values);
  XmlWriter& number(std::string_view name, double value);  ///< shortest decimal of the single-precision value
  XmlWriter& integer(std::string_view name, long long value);
  XmlWriter& vector(std::string_view name, const Vec3& value);
  XmlWriter& boolean(std::string_view name, bool value) { return attribute(name, value ? "true" : "false"); }
  /// Number lists straight into the text: `each(append)` calls append(float or integer) for every number.
  template <class Each>
  XmlWriter& list(std::string_view name, Each&& each) {
    begin_attribute(name);
    bool first = true;
    each([&](auto value) {
      if (!first) out_ += ' ';
      first = false;
      if constexpr (std::integral<decltype(value)>) {
        out_ += std::to_string(value);
      } else {
        append_number(out_, static_cast<float>(value));
      }
    });
    out_ += '"';
    return *this;
  }
  [[nodiscard]] std::string take();

 private:
  void begin_attribute(std::string_view name);
  void finish_tag();
  std::string out_;
  std::vector<std::string> stack_;
  bool tag_open_ = false;
};

}  // namespace vesalius::x3d
