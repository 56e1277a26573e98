#include "formats/x3d/lexer.hpp"

namespace vesalius::x3d {
namespace {

constexpr bool is_space(char c) noexcept {
  return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r' || c == '\0';
}
constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr bool ends_word(char c) noexcept {
  return is_space(c) || c == '{' || c == '}' || c == '[' || c == ']' || c == '"' || c == '#' || c == '.' || c == ':';
}

}  // namespace

void Lexer::skip_space() noexcept {
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) {
      ++at_;
    } else if (text_[at_] == '#') {
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    } else {
      break;
    }
  }
}

void Lexer::advance() {
  skip_space();
  begin_ = at_;
  if (at_ >= text_.size()) {
    kind_ = Token::end;
    return;
  }
  const char c = text_[at_];
  const auto single = [&](Token kind) {
    kind_ = kind;
    ++at_;
  };
  switch (c) {
    case '{':
      return single(Token::open_brace);
    case '}':
      return single(Token::close_brace);
    case '[':
      return single(Token::open_bracket);
    case ']':
      return single(Token::close_bracket);
    case ':':
      return single(Token::colon);
    case '"':
      kind_ = Token::string;
      for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\\') {
          ++at_;
        } else if (text_[at_] == '"') {
          ++at_;
          return;
        }
      }
      at_ = text_.size();
      unterminated_ = true;
      return;
    default:
      break;
  }
  const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  if (is_digit(c) || ((c == '-' || c == '+' || c == '.') && (is_digit(next) || next == '.'))) {
    kind_ = Token::number;
    while (at_ < text_.size() && (!ends_word(text_[at_]) || text_[at_] == '.')) ++at_;
    return;
  }
  if (c == '.') return single(Token::dot);
  kind_ = Token::word;
  while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
  if (at_ == begin_) single(Token::bad);
}

std::size_t Lexer::skip_balanced(char open, char close) {
  std::size_t depth = 1;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
      continue;
    }
    if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
      continue;
    }
    ++at_;
    if (c == open) ++depth;
    if (c == close && --depth == 0) {
      const std::size_t content_end = at_ - 1;
      advance();
      return content_end;
    }
  }
  at_ = text_.size();
  kind_ = Token::end;
  begin_ = at_;
  return std::string_view::npos;
}

std::size_t Lexer::skip_bracket() {
  return skip_balanced('[', ']');
}

}  // namespace vesalius::x3d
