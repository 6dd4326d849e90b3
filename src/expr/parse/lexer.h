// The words of a text.
#pragma once

#include <string_view>

#include "expr/graph/graph.h"

namespace tileops::expr {

struct Token {
  enum class Kind : uint8_t { end, sign, name, integer, real };
  Kind kind = Kind::end;
  std::string_view text;
  Offset offset = 0;
  uint64_t integer = 0;
  double real = 0;

  bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();  // throws Error with its place

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  void skip_space();
  Token number();
  size_t digits(size_t from) const;  // the end of them
  Token make(Token::Kind kind, size_t end);
  [[noreturn]] void refuse(size_t offset, const std::string& message) const;

  const std::string_view text_;
  size_t begin_ = 0;
};

}  // namespace tileops::expr
