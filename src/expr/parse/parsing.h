// The parser's state and its rules, one function each. parser.cc has the signature and statements, parse_expr.cc
// expressions, parse_call.cc calls.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expr/nodes/builder.h"
#include "expr/parse/lexer.h"

namespace tileops::expr {

bool is_reserved(std::string_view name);

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {}
  std::shared_ptr<const Graph> run();

 private:
  // A call as far as it is read.
  struct Call {
    const Function& f;
    std::vector<Use> uses;
    std::vector<Given> given;
    bool named = false;
    bool axes_descend = false;  // of two axes the last one is written first
  };

  // One level of parentheses, of a prefix or of a power's exponent.
  struct Nested {
    Nested(Parser* parser, Offset offset);
    ~Nested() { --parser->depth_; }
    Parser* const parser;
  };

  // Two tokens of look-ahead.
  const Token& peek(int i = 0) const { return ahead_[i]; }
  Token take();
  Token expect(std::string_view sign, const std::string& what);
  [[noreturn]] void expected(const std::string& what) const;
  [[noreturn]] void refuse(Offset offset, const std::string& message,
                           tileops_status status = TILEOPS_STATUS_INVALID_ARGUMENT) const;
  [[noreturn]] void tell(const Error& e) const;  // an error of the builder, with its place
  template <class T>
  T checked(T value) const {
    if (builder_.error()) tell(*builder_.error());
    return value;
  }

  void signature();
  void operand();
  void scalar();
  Token bindable(const char* what);  // a name that is not bound yet
  Number constant();
  Number integer(bool negative);
  void block();
  void results();

  // From loose to tight. Each gives a node and the offset at which it begins. `plain`: no operator stands between
  // values.
  Use expr();
  Use arith(bool* plain);
  Use term(bool* plain);
  Use unary();
  Use power();
  Use primary();
  Use parenthesised();
  NodeHandle bound(const Token& name) const;
  Use binary(const Use& left, const Token& sign, const Use& right);

  Use call();
  const Function& function(const Token& name) const;
  void argument(Call* c);
  size_t named_place(const Function& f, const Token& name) const;
  Given choice(const Function& f, const AttrSpec& attr);
  void dtype(Call* c, size_t place);
  struct Listed {
    Number value;
    Offset offset;
  };
  std::vector<Listed> list(const Function& f, const AttrSpec& attr);  // one number, or several in parentheses
  Given axes(const AttrSpec& attr, Call* c);
  static void pair_groups(Call* c);
  Given groups(const Function& f, const AttrSpec& attr);

  const std::string_view text_;
  Lexer lexer_;
  Token ahead_[2];
  Builder builder_;
  std::map<std::string_view, NodeHandle> names_;
  int depth_ = 0;
};

}  // namespace tileops::expr
