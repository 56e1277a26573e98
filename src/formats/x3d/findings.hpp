#pragma once
// Findings that a file can hold in any number.
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "vesalius/diagnostics.hpp"

namespace vesalius::x3d {

/// Warnings of one kind: the first ones with name and place, the others folded into one, since finding a place takes time in proportion
/// to the text.
class RepeatedWarning {
 public:
  /// `rest` is the message of what is folded, such as "more names are defined twice".
  RepeatedWarning(Code code, std::string rest) : code_(code), rest_(std::move(rest)) {}

  /// `where` gives the Location; it is called only for findings that have a place.
  template <class Where>
  void add(Diagnostics& sink, const std::string& message, Where&& where) {
    if (++found_ <= most_placed) {
      sink.warning(code_, message, where());
    } else {
      sink.warning(code_, rest_);
    }
  }

 private:
  static constexpr std::size_t most_placed = 100;
  Code code_;
  std::string rest_;
  std::size_t found_ = 0;
};

/// Whether the factor of a unit statement leaves numbers as they are.
inline bool is_one(std::string_view factor) {
  double value = 0;
  const auto read = std::from_chars(factor.data(), factor.data() + factor.size(), value);
  return read.ec == std::errc() && value == 1;
}

inline std::string unit_message(std::string_view category, std::string_view factor) {
  return "the file's unit of " + std::string(category) + " is " + std::string(factor) +
         " of the standard one; expected 1, and numbers were taken as they stand";
}

}  // namespace vesalius::x3d
