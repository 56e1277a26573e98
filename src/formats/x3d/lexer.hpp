#pragma once
// Tokens of VRML97 and ClassicVRML: slices of the source.
#include <string_view>

namespace vesalius::x3d {

enum class Token : unsigned char { end, word, number, string, open_brace, close_brace, open_bracket, close_bracket, dot, colon, bad };

class Lexer {
 public:
  explicit Lexer(std::string_view text, std::size_t at = 0) : text_(text), at_(at) { advance(); }

  [[nodiscard]] Token kind() const noexcept { return kind_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_.substr(begin_, at_ - begin_); }
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::size_t end() const noexcept { return at_; }  ///< of the current token
  [[nodiscard]] bool is(std::string_view word) const noexcept { return kind_ == Token::word && text() == word; }
  /// A string without its closing quote.
  [[nodiscard]] bool unterminated() const noexcept { return unterminated_; }
  void advance();
  /// From just behind an opening bracket to just behind its closing one, over strings, comments and brackets inside; then advances.
  /// Returns the end of the content, or npos when the text ends first.
  std::size_t skip_bracket();
  /// The same for braces, the current token being the opening one.
  std::size_t skip_balanced(char open, char close);

 private:
  void skip_space() noexcept;
  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  Token kind_ = Token::end;
  bool unterminated_ = false;
};

}  // namespace vesalius::x3d
