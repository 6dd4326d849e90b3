#include "expr/parser.h"

#include <cmath>
#include <map>

#include "expr/builder.h"
#include "expr/lexer.h"
#include "expr/place.h"
#include "expr/signs.h"

namespace tileops::expr {
namespace {

bool is_reserved(std::string_view name) {
  return name == "true" || name == "false" || name == "inf" || name == "nan";
}

bool is_comparison(const Token& t) {
  const Sign* sign = t.kind == Token::Kind::sign ? find_sign(kBinarySigns, t.text) : nullptr;
  return sign && sign->level == Level::expr && t.text != "&" && t.text != "|";
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {}

  std::shared_ptr<const Graph> run() {
    if (text_.size() > kMaxTextBytes)
      refuse(kMaxTextBytes, strf("a text has at most %d bytes (got %zu)", kMaxTextBytes, text_.size()));
    ahead_[0] = lexer_.next();
    ahead_[1] = ahead_[0].kind == Token::Kind::end ? ahead_[0] : lexer_.next();
    signature();
    expect("->", "'->' after the operands");
    if (peek().is("{")) block();
    else results();
    if (peek().kind != Token::Kind::end) expected("an operator, ',' or the end of the text");
    try {
      return builder_.finish(std::string(text_));
    } catch (const Error& e) {
      tell(e);
    }
  }

 private:
  struct Nested {  // in parentheses, of a prefix or of a power's exponent
    Nested(Parser* parser, Offset offset) : parser(parser) {
      if (++parser->depth_ > kMaxNesting) parser->refuse(offset, strf("nested deeper than %d", kMaxNesting));
    }
    ~Nested() { --parser->depth_; }
    Parser* const parser;
  };

  // Tokens.

  const Token& peek(int i = 0) const { return ahead_[i]; }

  Token take() {
    const Token t = ahead_[0];
    ahead_[0] = ahead_[1];
    if (ahead_[1].kind != Token::Kind::end) ahead_[1] = lexer_.next();
    return t;
  }

  Token expect(std::string_view sign, const char* what) {
    if (!peek().is(sign)) expected(what);
    return take();
  }

  [[noreturn]] void refuse(Offset offset, const std::string& message,
                           tileops_status status = TILEOPS_STATUS_INVALID_ARGUMENT) const {
    fail_at(status, text_, offset, message);
  }

  [[noreturn]] void expected(const std::string& what) const {
    const std::string got(peek().text.substr(0, 40));
    refuse(peek().offset, "expected " + what + " (got " +
                              (peek().kind == Token::Kind::end ? "the end of the text" : "'" + got + "'") + ")");
  }

  // An error of the builder, with its place.
  [[noreturn]] void tell(const Error& e) const {
    if (e.offset < 0) throw e;
    refuse(static_cast<Offset>(e.offset), e.message, e.status);
  }

  template <class T>
  T checked(T value) const {
    if (builder_.error()) tell(*builder_.error());
    return value;
  }

  // The signature.

  void signature() {
    expect("(", "'(' before the operands");
    for (bool first = true; !peek().is(")") && !peek().is(";"); first = false) {
      if (!first) expect(",", "',', ';' or ')' after an operand");
      operand();
    }
    if (peek().is(";")) {
      do {
        take();
        scalar();
      } while (peek().is(","));
    }
    expect(")", "',' or ')' after a scalar");
  }

  void operand() {
    const Token name = bindable("the name of an operand");
    NodeHandle node;
    if (peek().is("=")) {
      take();
      const Constant value = constant();
      node = builder_.operand(name.text, value, name.offset);
    } else {
      node = builder_.operand(name.text, name.offset);
    }
    names_[name.text] = checked(node);
  }

  void scalar() {
    const Token name = bindable("the name of a scalar");
    if (!peek().is("=")) expected("'=' and the value of the scalar");
    take();
    const Constant value = constant();
    names_[name.text] = checked(builder_.scalar(name.text, value, name.offset));
  }

  // A name that is not bound yet.
  Token bindable(const char* what) {
    if (peek().kind != Token::Kind::name) expected(what);
    const Token name = take();
    const std::string text(name.text.substr(0, 64));
    if (is_reserved(name.text)) refuse(name.offset, "'" + text + "' is reserved and is no name");
    if (names_.count(name.text)) refuse(name.offset, "'" + text + "' is bound twice");
    return name;
  }

  Constant constant() {
    const bool negative = peek().is("-");
    if (negative) take();
    if (peek().kind == Token::Kind::integer) return integer(negative);
    const Token t = peek();
    double v = t.real;
    if (t.kind == Token::Kind::name && t.text == "inf") v = HUGE_VAL;
    else if (t.kind == Token::Kind::name && t.text == "nan") v = __builtin_nan("");
    else if (t.kind == Token::Kind::name && is_reserved(t.text) && !negative) return take(), Constant::of(t.text == "true");
    else if (t.kind != Token::Kind::real) expected("a number");
    take();
    return Constant::of(negative ? -v : v);
  }

  Constant integer(bool negative) {
    const Token t = take();
    const uint64_t limit = uint64_t{1} << 63;
    if (t.integer > limit - !negative) refuse(t.offset, "the integer is beyond int64");
    return Constant::of(static_cast<int64_t>(negative ? 0 - t.integer : t.integer));
  }

  // Statements.

  void block() {
    take();
    while (peek().kind == Token::Kind::name && peek(1).is("=")) {
      const Token name = bindable("a name");
      take();
      const Use value = expr();
      expect(";", "an operator or ';' after the value of a name");
      names_[name.text] = value.node;
    }
    results();
    if (peek().is(";")) take();
    if (!peek().is("}")) expected("an operator, ',', ';' or '}' after a result");
    take();
  }

  void results() {
    for (;;) {
      const Token first = peek(), &after = peek(1);
      const bool ends = after.is(",") || after.is(";") || after.is("}") || after.kind == Token::Kind::end;
      const bool bare = first.kind == Token::Kind::name && ends && !is_reserved(first.text);
      const Use value = expr();
      checked(builder_.result(value.node, bare ? first.text : std::string_view(), first.offset));
      if (!peek().is(",")) return;
      take();
    }
  }

  // Expressions, from loose to tight. Each gives a node and the offset at which it begins.

  Use expr() {
    bool plain;
    Use left = arith(&plain);
    const Token sign = peek();
    if (sign.is("&") || sign.is("|")) {
      if (!plain) refuse(sign.offset, beside(sign.text));
      while (peek().is(sign.text)) left = binary(left, take(), [&] { return unary(); });
      const Token next = peek();
      if (next.kind == Token::Kind::sign && find_sign(kBinarySigns, next.text))
        refuse(next.offset, beside(next.text) + ", as it is beside '" + std::string(sign.text) + "'");
    } else if (is_comparison(sign)) {
      left = binary(left, take(), [&] { bool any; return arith(&any); });
      if (is_comparison(peek())) refuse(peek().offset, "comparisons do not chain: put one in parentheses");
      if (peek().is("&") || peek().is("|")) refuse(peek().offset, beside(peek().text));
    }
    return left;
  }

  static std::string beside(std::string_view sign) {
    return "what stands beside '" + std::string(sign) + "' needs parentheses";
  }

  Use arith(bool* plain) {
    Use left = term(plain);
    while (peek().is("+") || peek().is("-")) {
      left = binary(left, take(), [&] { bool any; return term(&any); });
      *plain = false;
    }
    return left;
  }

  Use term(bool* plain) {
    Use left = unary();
    *plain = true;
    while (peek().is("*") || peek().is("/") || peek().is("//") || peek().is("%")) {
      left = binary(left, take(), [&] { return unary(); });
      *plain = false;
    }
    return left;
  }

  template <class F>
  Use binary(const Use& left, const Token& sign, F&& parse_right) {
    const Use right = parse_right();
    const Function& f = *find_function(find_sign(kBinarySigns, sign.text)->function);
    return {checked(builder_.op(f, {left, right}, {}, sign.offset)), left.offset};
  }

  Use unary() {
    if (!peek().is("-") && !peek().is("~")) return power();
    const Token sign = take();
    const Nested nested(this, sign.offset);
    if (sign.is("-") && peek().kind == Token::Kind::integer && !peek(1).is("**"))
      return {checked(builder_.constant(integer(true))), sign.offset};
    const Use value = unary();
    const Function& f = *find_function(find_sign(kUnarySigns, sign.text)->function);
    return {checked(builder_.op(f, {value}, {}, sign.offset)), sign.offset};
  }

  Use power() {
    const Use base = primary();
    if (!peek().is("**")) return base;
    const Token sign = take();
    const Nested nested(this, sign.offset);
    return binary(base, sign, [&] { return unary(); });
  }

  Use primary() {
    const Token t = peek();
    if (t.is("(")) return parenthesised();
    if (t.kind == Token::Kind::name && peek(1).is("(")) return call();
    if (t.kind == Token::Kind::name && !is_reserved(t.text)) return {bound(take()), t.offset};
    if (t.kind == Token::Kind::sign || t.kind == Token::Kind::end) expected("a value");
    return {checked(builder_.constant(constant())), t.offset};
  }

  Use parenthesised() {
    const Token open = take();
    const Nested nested(this, open.offset);
    const Use value = expr();
    if (peek().is(",") && builder_.node(value.node).of == Node::Of::constant)
      refuse(open.offset, "a list of numbers: not yet", TILEOPS_STATUS_UNSUPPORTED);
    expect(")", "an operator or ')'");
    return {value.node, open.offset};
  }

  NodeHandle bound(const Token& name) const {
    if (const auto it = names_.find(name.text); it != names_.end()) return it->second;
    const std::string text(name.text.substr(0, 64));
    if (find_function(name.text)) refuse(name.offset, "'" + text + "' is a function: expected '(' after it");
    refuse(name.offset, "'" + text + "' is not bound");
  }

  // Calls.

  struct Call {
    const Function& f;
    std::vector<Use> uses;
    std::vector<Given> given;
    bool named = false;
  };

  Use call() {
    const Token name = take();
    Call c{function(name), {}, {}};
    const Nested nested(this, take().offset);
    for (bool first = true; !peek().is(")"); first = false) {
      if (!first) expect(",", (std::string("an operator, ',' or ')' in the call of ") + c.f.name).c_str());
      argument(&c);
    }
    take();
    return {checked(builder_.op(c.f, c.uses, c.given, name.offset)), name.offset};
  }

  const Function& function(const Token& name) const {
    const Function* f = find_function(name.text);
    const std::string text(name.text.substr(0, 64));
    if (!f && names_.count(name.text)) refuse(name.offset, "'" + text + "' is a value and cannot be called");
    if (!f) {
      const std::string near = nearest_function(name.text);
      refuse(name.offset, "there is no function '" + text + "'" + (near.empty() ? "" : "; is '" + near + "' meant?"));
    }
    try {
      require_usable(*f, name.offset);
    } catch (const Error& e) {
      tell(e);
    }
    return *f;
  }

  void argument(Call* c) {
    if (c->f.variadic) return c->uses.push_back(expr());
    const Token first = peek();
    size_t place = c->uses.size();
    if (first.kind == Token::Kind::name && peek(1).is("=")) {
      place = named_place(c->f, take());
      take();
      c->named = true;
    } else if (c->named) {
      refuse(first.offset, "an argument without name after one with a name");
    } else if (place >= c->f.positional) {
      refuse(first.offset, strf("%s takes at most %zu argument%s", c->f.name, c->f.positional,
                                c->f.positional == 1 ? "" : "s"));
    }
    const Parameter& p = c->f.parameters[place];
    const AttrSpec* attr = p.attr >= 0 ? &c->f.attrs()[static_cast<size_t>(p.attr)] : nullptr;
    if (c->uses.size() <= place) c->uses.resize(place + 1);
    bool twice = c->uses[place].node > 0;
    for (const Given& g : c->given) twice = twice || (attr && g.key == attr->info.key);
    if (twice) refuse(first.offset, strf("%s: '%s' is given twice", c->f.name, p.name.c_str()));
    if (attr && !attr->choices.empty()) c->given.push_back(choice(c->f, *attr));
    else if (attr && attr->info.key == kAttrDtype) dtype(c, place);
    else c->uses[place] = expr();
  }

  size_t named_place(const Function& f, const Token& name) const {
    const int i = f.find_parameter(name.text);
    if (i >= 0) return static_cast<size_t>(i);
    std::string known;
    for (const Parameter& p : f.parameters) known += (known.empty() ? "" : ", ") + p.name;
    refuse(name.offset, std::string(f.name) + " has no argument '" + std::string(name.text.substr(0, 64)) +
                            "' (it has " + known + ")");
  }

  Given choice(const Function& f, const AttrSpec& attr) {
    const Token t = peek();
    int64_t n = 0;
    std::string rest = attr.choices + "|", all;
    for (size_t end; (end = rest.find('|')) != std::string::npos; rest.erase(0, end + 1), ++n) {
      const std::string one = rest.substr(0, end);
      if (t.kind == Token::Kind::name && t.text == one && !peek(1).is("(")) {
        take();
        return {attr.info.key, Constant::of(n), t.offset};
      }
      all += (all.empty() ? "" : rest.find('|') + 1 == rest.size() ? " or " : ", ") + one;
    }
    expected(all + " for '" + attr.info.name + "' of " + f.name);
  }

  void dtype(Call* c, size_t place) {
    const Token t = peek();
    if (t.kind != Token::Kind::name || is_reserved(t.text)) expected("a dtype or an operand");
    take();
    Dtype dtype;
    const auto it = names_.find(t.text);
    if (it != names_.end() && builder_.node(it->second).of == Node::Of::operand)
      c->uses[place] = {it->second, t.offset};  // operands hide dtypes: one that comes later breaks no text
    else if (dtype_from_any_name(t.text, &dtype))
      c->given.push_back({kAttrDtype, Constant::of(static_cast<int64_t>(dtype)), t.offset});
    else
      refuse(t.offset, "'" + std::string(t.text.substr(0, 64)) + "' is neither a dtype nor an operand");
  }

  const std::string_view text_;
  Lexer lexer_;
  Token ahead_[2];
  Builder builder_;
  std::map<std::string_view, NodeHandle> names_;
  int depth_ = 0;
};

}  // namespace

std::shared_ptr<const Graph> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace tileops::expr
