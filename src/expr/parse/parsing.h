// The parser's state and its rules, one function each. parser.cc has the signature and statements, parse_shape.cc
// shapes, parse_expr.cc expressions, parse_call.cc calls of functions, parse_text_call.cc those of texts by their
// names.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/nodes/builder.h"
#include "expr/parse/lexer.h"
#include "expr/parse/named.h"

namespace tileops::expr {

bool is_reserved(std::string_view name);

class Parser {
 public:
  // A text may call the first `num_named` of the named ones.
  explicit Parser(std::string_view text, size_t num_named = kNumNamed)
      : text_(text), lexer_(text), num_named_(num_named) {}
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

  // The same of a text that has a name.
  struct TextCall {
    const Graph& text;
    const std::string_view name;
    std::vector<Use> uses;  // of its operands, then of its scalars
    size_t positional = 0;  // arguments without a name
    bool named = false;
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
  // Shapes that a name says in brackets; none: it has no brackets.
  using Brackets = std::optional<SaidShape>;
  Brackets brackets(const Token& name);
  SaidExtent dimension();
  void say(NodeHandle value, const Brackets& shape);
  Number constant();
  Number integer(bool negative);
  void block();
  bool binds() const;  // is this a statement, or do results begin?
  void statement();
  void results();
  void results_of_call(const Graph& text);
  // What a call of several results gives, behind as many names.
  std::vector<NodeHandle> several(const std::vector<Token>& names);
  const Graph* several_at_once() const;  // the text of which a call begins here that has several results, or NULL
  [[noreturn]] void refuse_several(const Graph& text, std::string_view name, Offset offset) const;

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
  // A text's results, of which an expression takes the only one.
  [[gnu::noinline]] std::vector<NodeHandle> text_call(const Graph& text);
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
  [[noreturn, gnu::noinline]] void refuse_index() const;
  NodeHandle bound(const Token& name);

  // The text of that name where no function has it, or NULL.
  [[gnu::noinline]] const Graph* named(const Token& name) const;
  [[gnu::noinline]] const Graph* called_text() const;
  [[gnu::noinline]] Offset one_result_of(const Graph& text) const;  // where its call begins
  [[gnu::noinline]] size_t place_of(TextCall* c);
  [[gnu::noinline]] std::vector<NodeHandle> finish(TextCall* c, Offset at);

  [[gnu::noinline]] const Function& function(const Token& name) const;
  [[gnu::noinline]] void begin_argument(std::string_view function);
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
  const size_t num_named_;
  int depth_ = 0;
};

}  // namespace tileops::expr
