// Parser: expressions.
#include "expr/graph/signs.h"
#include "expr/parse/hint.h"
#include "expr/parse/parsing.h"

namespace tileops::expr {
namespace {

bool is_comparison(const Token& t) {
  const Sign* sign = t.kind == Token::Kind::sign ? find_sign(kBinarySigns, t.text) : nullptr;
  return sign && sign->level == Level::expr && !stands_alone(t.text);
}
bool is_alone(const Token& t) { return t.kind == Token::Kind::sign && stands_alone(t.text); }

std::string beside(std::string_view sign) { return "what stands beside '" + std::string(sign) + "' needs parentheses"; }

}  // namespace

Use Parser::expr() {
  bool plain = true;
  Use left = arith(&plain);
  const std::string_view sign = peek().text;
  if (is_alone(peek())) {
    if (!plain) refuse_beside(sign);
    while (peek().is(sign)) {
      const Offset at = skip();
      left = binary(left, sign, at, unary());
    }
    refuse_another(sign);
  } else if (is_comparison(peek())) {
    const Offset at = skip();
    left = binary(left, sign, at, arith(&plain));
    refuse_chained();
  }
  return left;
}

// Sums of products.
Use Parser::arith(bool* plain) {
  Use sum{};
  std::string_view sign;  // between the sum and the next product
  for (Offset at = 0;;) {
    Use product = unary();
    while (peek().is("*") || peek().is("/") || peek().is("//") || peek().is("%")) {
      const std::string_view times = peek().text;
      const Offset there = skip();
      product = binary(product, times, there, unary());
      *plain = false;
    }
    sum = sign.empty() ? product : binary(sum, sign, at, product);
    if (!peek().is("+") && !peek().is("-")) return sum;
    sign = peek().text;
    at = skip();
    *plain = false;
  }
}

Use Parser::binary(const Use& left, std::string_view sign, Offset at, const Use& right) {
  const Function& f = *find_function(find_sign(kBinarySigns, sign)->function);
  return {checked(builder_.op(f, {left, right}, {}, at)), left.offset};
}

Use Parser::unary() { return peek().is("-") || peek().is("~") ? prefixed() : power(); }

Use Parser::prefixed() {
  const std::string_view sign = peek().text;
  const Offset at = skip();
  const Nested nested(this, at);
  if (sign == "-" && peek().kind == Token::Kind::integer && !peek(1).is("**"))
    return {checked(builder_.constant(integer(true))), at};
  return applied(sign, at, unary());
}

Use Parser::applied(std::string_view sign, Offset at, const Use& value) {
  const Function& f = *find_function(find_sign(kUnarySigns, sign)->function);
  return {checked(builder_.op(f, {value}, {}, at)), at};
}

Use Parser::power() {
  const Use base = primary();
  if (peek().is("[")) refuse_index();
  if (!peek().is("**")) return base;
  const Offset at = skip();
  const Nested nested(this, at);
  return binary(base, "**", at, unary());
}

Use Parser::primary() {
  if (peek().is("(")) return parenthesised();
  if (peek().kind == Token::Kind::name && peek(1).is("(")) return call();
  return single();
}

Use Parser::single() {
  const Token t = peek();
  if (t.kind == Token::Kind::name && !is_reserved(t.text)) return {bound(take()), t.offset};
  if (t.kind == Token::Kind::sign || t.kind == Token::Kind::end) expected("a value");
  return {checked(builder_.constant(constant())), t.offset};
}

Use Parser::parenthesised() {
  const Offset open = skip();
  const Nested nested(this, open);
  const Use value = expr();
  close(open, value);
  return {value.node, open};
}

void Parser::close(Offset open, const Use& value) {
  if (peek().is(",") && builder_.node(value.node).kind == Node::Kind::constant)
    refuse(open, "a list of numbers has no place here: it is an axis or a group");
  expect(")", "an operator or ')'");
}

void Parser::refuse_index() const {
  refuse(peek().offset, "there is no indexing: chunk(x, i, n) and every(x, i, n) are parts of an operand");
}

void Parser::refuse_beside(std::string_view sign) const { refuse(peek().offset, beside(sign)); }

void Parser::refuse_another(std::string_view sign) const {
  const Token& next = peek();
  if (next.kind == Token::Kind::sign && find_sign(kBinarySigns, next.text))
    refuse(next.offset, beside(next.text) + ", as it is beside '" + std::string(sign) + "'");
}

void Parser::refuse_chained() const {
  if (is_comparison(peek())) refuse(peek().offset, "comparisons do not chain: put one in parentheses");
  if (is_alone(peek())) refuse_beside(peek().text);
}

// A value's name or, where no value has it, that of an extent.
NodeHandle Parser::bound(const Token& name) {
  if (const auto it = names_.find(name.text); it != names_.end()) return it->second;
  if (const NodeHandle extent = checked(builder_.extent_value(name.text, name.offset))) return extent;
  const std::string text(name.text.substr(0, 64));
  if (find_function(name.text) || named(name))
    refuse(name.offset, "'" + text + "' is a function: expected '(' after it");
  const std::string hint = hint_for_word(name.text);
  refuse(name.offset, "'" + text + "' is not bound" + (hint.empty() ? "" : "; " + hint));
}

}  // namespace tileops::expr
