#include "text.hpp"

#include <array>
#include <charconv>

namespace samples {

std::string number(double value, int decimals) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
  std::string text(buffer.data(), end);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string numbers(const Vec3& v, int decimals) {
  return number(v.x(), decimals) + ' ' + number(v.y(), decimals) + ' ' + number(v.z(), decimals);
}

void WordList::add(std::string_view word) {
  constexpr std::size_t long_line = 140;
  if (line_ + word.size() > long_line) {
    text_ += '\n';
    line_ = 0;
  } else if (line_ > 0) {
    text_ += ' ';
    ++line_;
  }
  text_ += word;
  line_ += word.size();
}

}  // namespace samples
