#pragma once
// Numbers and lists as text, the same under any locale.
#include <string>
#include <string_view>

#include "implicit.hpp"

namespace samples {

/// Fixed decimals without trailing zeros; never "-0".
[[nodiscard]] std::string number(double value, int decimals);
[[nodiscard]] std::string numbers(const Vec3& v, int decimals);

/// Collects words and breaks the line where it gets long.
class WordList {
 public:
  void add(std::string_view word);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t line_ = 0;
};

}  // namespace samples
