// Words and signs of a PTX text, one after the other.
#ifndef TILEOPS_TESTS_EMULATOR_LEXER_H_
#define TILEOPS_TESTS_EMULATOR_LEXER_H_

#include <cctype>
#include <cstdlib>
#include <string>

#include "program/program.h"

namespace emulator {

// An integer's value, or the bits of a number like 0f3F800000.
inline uint64_t number_of(const std::string& t) {
  if (t.size() > 2 && t[0] == '0' && (t[1] == 'f' || t[1] == 'F' || t[1] == 'd' || t[1] == 'D'))
    return std::strtoull(t.c_str() + 2, nullptr, 16);
  return std::strtoull(t.c_str(), nullptr, 0);
}

class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) { skip(); }

  bool ended() const { return at_ >= text_.size(); }
  const std::string& peek() {
    if (!has_next_) {
      next_ = read();
      has_next_ = true;
    }
    return next_;
  }
  std::string next() {
    peek();
    has_next_ = false;
    last_begin_ = next_begin_;
    return next_;
  }
  void expect(const char* what) {
    const std::string got = next();
    if (got != what) throw Fault("PTX: '" + got + "' where '" + what + "' is wanted");
  }
  void skip_line() {
    has_next_ = false;
    while (!ended() && text_[at_] != '\n') ++at_;
    skip();
  }
  void skip_statement() {
    while (next() != ";") {
    }
  }
  // Where the next word begins, and on from there.
  size_t position() {
    peek();
    return next_begin_;
  }
  void go_to(size_t position) {
    at_ = position;
    has_next_ = false;
  }
  size_t begin_of_last() const { return last_begin_; }
  // The text from there up to the last word that was taken.
  std::string text_from(size_t begin) const { return text_.substr(begin, last_begin_ + 1 - begin); }

 private:
  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '%';
  }
  void skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      else if (text_.compare(at_, 2, "//") == 0)
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (text_.compare(at_, 2, "/*") == 0) at_ = text_.find("*/", at_) + 2;
      else return;
    }
  }
  std::string read() {
    if (ended()) throw Fault("PTX: the text ends too soon");
    const size_t begin = next_begin_ = at_;
    if (text_[at_] == '"') {
      at_ = text_.find('"', at_ + 1) + 1;
    } else if (in_word(text_[at_])) {
      while (at_ < text_.size() && (in_word(text_[at_]) || text_.compare(at_, 2, "::") == 0))
        at_ += text_[at_] == ':' ? 2 : 1;
    } else {
      ++at_;
    }
    const std::string word = text_.substr(begin, at_ - begin);
    skip();
    return word;
  }

  std::string text_, next_;
  size_t at_ = 0, next_begin_ = 0, last_begin_ = 0;
  bool has_next_ = false;
};

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_LEXER_H_
