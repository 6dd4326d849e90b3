#include "expr/parse/lexer.h"

#include <algorithm>
#include <charconv>

#include "expr/graph/place.h"

namespace tileops::expr {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A number that is not 0 and no float64: is it nearer to 0 than all of them, and not beyond them?
bool is_tiny(std::string_view number) {
  const size_t e = std::min(number.find_first_of("eE"), number.size()), point = std::min(number.find('.'), e);
  const size_t first = number.find_first_of("123456789");
  int64_t exponent = 0;
  if (e < number.size()) {
    const bool negative = number[e + 1] == '-', has_sign = negative || number[e + 1] == '+';
    const char *digits = number.data() + e + 1 + has_sign, *end = number.data() + number.size();
    constexpr int64_t beyond = int64_t{1} << 62;  // all texts, and can still be added to
    if (std::from_chars(digits, end, exponent).ec != std::errc() || exponent > beyond) exponent = beyond;
    if (negative) exponent = -exponent;
  }
  // The power of ten of its first digit: 0 in 5, 1 in 50, -1 in 0.5.
  const int64_t power = static_cast<int64_t>(point) - static_cast<int64_t>(first) - (first < point);
  return power + exponent < 0;
}

// The longer ones first.
constexpr std::string_view kSigns[] = {"->", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "..",
                                       "(",  ")",  "{",  "}",  "[",  "]",  ",",  ";",  "=",  "+",
                                       "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "~"};

// What other languages write.
struct Hint {
  std::string_view sign;
  const char* message;
};
constexpr Hint kHints[] = {
    {"^", "'^' is xor in some languages and a power in others: write bitwise_xor(a, b) or a ** b"},
    {"?", "there is no '?': write where(condition, a, b)"},
    {"!", "there is no '!': write logical_not(x), or '!=' to compare"},
    {".", "'.' stands in numbers alone, after a digit: 0.5"},
    {"&&", "there is no '&&': write '&' between values of bool, or logical_and(a, b)"},
    {"||", "there is no '||': write '|' between values of bool, or logical_or(a, b)"},
};

}  // namespace

void Lexer::refuse(size_t offset, const std::string& message) const {
  fail_at(TILEOPS_STATUS_INVALID_ARGUMENT, text_, static_cast<Offset>(offset), message);
}

Token Lexer::make(Token::Kind kind, size_t end) {
  Token t;
  t.kind = kind;
  t.text = text_.substr(begin_, end - begin_);
  t.offset = static_cast<Offset>(begin_);
  begin_ = end;
  return t;
}

void Lexer::skip_space() {
  for (; begin_ < text_.size(); ++begin_) {
    const char c = text_[begin_];
    if (c == '#') {
      while (begin_ + 1 < text_.size() && text_[begin_ + 1] != '\n') ++begin_;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      return;
    }
  }
}

size_t Lexer::digits(size_t from) const {
  while (is_digit(at(from))) ++from;
  return from;
}

// INT, INT.INT and both with an exponent; never by the host's locale.
Token Lexer::number() {
  size_t end = digits(begin_);
  if (end - begin_ > 1 && at(begin_) == '0') refuse(begin_, "a number does not begin with 0, but for 0.5");
  bool real = false;
  if (at(end) == '.') {
    if (!is_digit(at(end + 1))) refuse(end + 1, "expected a digit after the point");
    end = digits(end + 1);
    real = true;
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const size_t exponent = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
    if (!is_digit(at(exponent))) refuse(exponent, "expected a digit of the exponent");
    end = digits(exponent);
    real = true;
  }
  if (is_letter(at(end)) || at(end) == '.')
    refuse(end, std::string("expected an operator after the number (got '") + at(end) + "')");
  Token t = make(real ? Token::Kind::real : Token::Kind::integer, end);
  const char *first = t.text.data(), *last = first + t.text.size();
  std::errc error = real ? std::from_chars(first, last, t.real).ec : std::from_chars(first, last, t.integer).ec;
  if (real && error == std::errc::result_out_of_range && is_tiny(t.text)) t.real = 0, error = {};
  if (error != std::errc())
    refuse(static_cast<size_t>(t.offset), real ? "the number is beyond float64" : "the integer is beyond int64");
  return t;
}

Token Lexer::next() {
  skip_space();
  const char c = at(begin_);
  if (begin_ == text_.size()) return make(Token::Kind::end, begin_);
  if (is_digit(c)) return number();
  if (is_letter(c)) {
    size_t end = begin_;
    while (is_letter(at(end)) || is_digit(at(end))) ++end;
    return make(Token::Kind::name, end);
  }
  const std::string_view rest = text_.substr(begin_);
  const auto begins = [&](std::string_view sign) { return rest.substr(0, sign.size()) == sign; };
  for (const Hint& hint : kHints)
    if (begins(hint.sign) && !begins("!=") && !begins("..")) refuse(begin_, hint.message);
  for (std::string_view sign : kSigns)
    if (begins(sign)) return make(Token::Kind::sign, begin_ + sign.size());
  const unsigned byte = static_cast<unsigned char>(c);
  if (byte <= ' ' || byte > '~') refuse(begin_, strf("byte 0x%02x has no place in a text: it is ASCII", byte));
  refuse(begin_, std::string("'") + c + "' has no meaning");
}

}  // namespace tileops::expr
