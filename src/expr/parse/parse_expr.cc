// Parser: expressions.
#include "expr/graph/hint.h"
#include "expr/graph/signs.h"
#include "expr/parse/parsing.h"

namespace tileops::expr {
namespace {

bool is_comparison(const Token& t) {
  const Sign* sign = t.kind == Token::Kind::sign ? find_sign(kBinarySigns, t.text) : nullptr;
  return sign && sign->level == Level::expr && t.text != "&" && t.text != "|";
}

std::string beside(std::string_view sign) { return "what stands beside '" + std::string(sign) + "' needs parentheses"; }

}  // namespace

Use Parser::expr() {
  bool plain;
  Use left = arith(&plain);
  const Token sign = peek();
  if (sign.is("&") || sign.is("|")) {
    if (!plain) refuse(sign.offset, beside(sign.text));
    while (peek().is(sign.text)) {
      const Token again = take();
      left = binary(left, again, unary());
    }
    const Token next = peek();
    if (next.kind == Token::Kind::sign && find_sign(kBinarySigns, next.text))
      refuse(next.offset, beside(next.text) + ", as it is beside '" + std::string(sign.text) + "'");
  } else if (is_comparison(sign)) {
    take();
    left = binary(left, sign, arith(&plain));
    if (is_comparison(peek())) refuse(peek().offset, "comparisons do not chain: put one in parentheses");
    if (peek().is("&") || peek().is("|")) refuse(peek().offset, beside(peek().text));
  }
  return left;
}

Use Parser::arith(bool* plain) {
  Use left = term(plain);
  while (peek().is("+") || peek().is("-")) {
    const Token sign = take();
    bool any;
    left = binary(left, sign, term(&any));
    *plain = false;
  }
  return left;
}

Use Parser::term(bool* plain) {
  Use left = unary();
  *plain = true;
  while (peek().is("*") || peek().is("/") || peek().is("//") || peek().is("%")) {
    const Token sign = take();
    left = binary(left, sign, unary());
    *plain = false;
  }
  return left;
}

Use Parser::binary(const Use& left, const Token& sign, const Use& right) {
  const Function& f = *find_function(find_sign(kBinarySigns, sign.text)->function);
  return {checked(builder_.op(f, {left, right}, {}, sign.offset)), left.offset};
}

Use Parser::unary() {
  if (!peek().is("-") && !peek().is("~")) return power();
  const Token sign = take();
  const Nested nested(this, sign.offset);
  if (sign.is("-") && peek().kind == Token::Kind::integer && !peek(1).is("**"))
    return {checked(builder_.constant(integer(true))), sign.offset};
  const Use value = unary();
  const Function& f = *find_function(find_sign(kUnarySigns, sign.text)->function);
  return {checked(builder_.op(f, {value}, {}, sign.offset)), sign.offset};
}

Use Parser::power() {
  const Use base = primary();
  if (!peek().is("**")) return base;
  const Token sign = take();
  const Nested nested(this, sign.offset);
  return binary(base, sign, unary());
}

Use Parser::primary() {
  const Token t = peek();
  if (t.is("(")) return parenthesised();
  if (t.kind == Token::Kind::name && peek(1).is("(")) return call();
  if (t.kind == Token::Kind::name && !is_reserved(t.text)) return {bound(take()), t.offset};
  if (t.kind == Token::Kind::sign || t.kind == Token::Kind::end) expected("a value");
  return {checked(builder_.constant(constant())), t.offset};
}

Use Parser::parenthesised() {
  const Token open = take();
  const Nested nested(this, open.offset);
  const Use value = expr();
  if (peek().is(",") && builder_.node(value.node).of == Node::Of::constant)
    refuse(open.offset, "a list of numbers has no place here: it is an axis or a group");
  expect(")", "an operator or ')'");
  return {value.node, open.offset};
}

NodeHandle Parser::bound(const Token& name) const {
  if (const auto it = names_.find(name.text); it != names_.end()) return it->second;
  const std::string text(name.text.substr(0, 64));
  if (find_function(name.text)) refuse(name.offset, "'" + text + "' is a function: expected '(' after it");
  const std::string hint = hint_for_word(name.text);
  refuse(name.offset, "'" + text + "' is not bound" + (hint.empty() ? "" : "; " + hint));
}

}  // namespace tileops::expr
