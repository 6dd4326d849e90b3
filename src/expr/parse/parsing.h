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

  // ---- What calls itself, a level of nesting at a time. So that a text nested to its limit takes little of the
  // caller's stack (the test rows.StackOf), these functions have next to nothing on it: no token, no string. What needs
  // such is done by the functions below, which are not compiled into them.
  //
  // From loose to tight. Each gives a node and the offset at which it begins. `plain` becomes false where an operator
  // stands between values.
  Use expr();
  Use arith(bool* plain);
  Use unary();
  Use prefixed();
  Use power();
  Use primary();
  Use parenthesised();
  Use call();
  void argument(Call* c);
  void numbers(Call* c, const AttrSpec& attr);

  // ---- What does not
  [[gnu::noinline]] Offset skip() { return take().offset; }
  [[gnu::noinline]] Use single();
  [[gnu::noinline]] void close(Offset open, const Use& value);
  [[gnu::noinline]] Use binary(const Use& left, std::string_view sign, Offset at, const Use& right);
  [[gnu::noinline]] Use applied(std::string_view sign, Offset at, const Use& value);
  [[noreturn, gnu::noinline]] void refuse_beside(std::string_view sign) const;
  [[gnu::noinline]] void refuse_another(std::string_view sign) const;
  [[gnu::noinline]] void refuse_chained() const;
  NodeHandle bound(const Token& name) const;

  [[gnu::noinline]] const Function& function(const Token& name) const;
  [[gnu::noinline]] void begin_argument(const Call& c);
  [[gnu::noinline]] Use finish(Call* c, Offset at);
  // The parameter that the next argument is of, after its name.
  [[gnu::noinline]] size_t place_of(Call* c);
  // That parameter's attribute, or NULL, after looking whether it has been given.
  [[gnu::noinline]] const AttrSpec* attribute_of(Call* c, size_t place, Offset first) const;
  size_t named_place(const Function& f, const Token& name) const;
  // A word: one of an attribute's choices, or a dtype.
  [[gnu::noinline]] void word(Call* c, const AttrSpec& attr, size_t place);
  Given choice(const Function& f, const AttrSpec& attr);
  void dtype(Call* c, size_t place);
  [[gnu::noinline]] bool takes_all(Call* c, const AttrSpec& attr);
  struct Listed {
    Number value;
    Offset offset;
  };
  // Numbers of an attribute: several in parentheses, or one.
  [[gnu::noinline]] void list(Call* c, const AttrSpec& attr, Offset first);
  [[noreturn]] void refuse_variable(const Function& f, const AttrSpec& attr, Offset offset) const;
  [[gnu::noinline]] void give_one(Call* c, const AttrSpec& attr, const Use& value, Offset first) const;
  [[gnu::noinline]] void give(Call* c, const AttrSpec& attr, const std::vector<Listed>& numbers, Offset first) const;
  static void pair_groups(Call* c);
  int64_t axes(const Function& f, const std::vector<Listed>& list) const;
  int64_t groups(const Function& f, const std::vector<Listed>& sizes) const;

  const std::string_view text_;
  Lexer lexer_;
  Token ahead_[2];
  Builder builder_;
  std::map<std::string_view, NodeHandle> names_;
  int depth_ = 0;
};

}  // namespace tileops::expr
