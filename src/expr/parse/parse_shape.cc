// Parser: shapes in brackets behind a name.
#include "expr/graph/axes.h"
#include "expr/parse/parsing.h"

namespace tileops::expr {

Parser::Brackets Parser::brackets(const Token& name) {
  if (!peek().is("[")) return std::nullopt;
  SaidShape shape;
  shape.of = std::string(name.text.substr(0, 64));
  shape.offset = name.offset;
  take();
  bool first = true;
  if (peek().is("..")) {
    take();
    first = false;
    shape.front = SaidShape::Front::any;
    if (peek().kind == Token::Kind::integer && peek().integer == 1) {
      take();
      shape.front = SaidShape::Front::ones;
    } else if (peek().kind == Token::Kind::name && peek().text != "_") {
      if (is_reserved(peek().text)) expected("a name of extents");
      const Token leading = take();
      shape.front = SaidShape::Front::named;
      shape.leading = checked(builder_.extent(leading.text, true, leading.offset));
    }
  }
  for (; !peek().is("]"); first = false) {
    if (!first) expect(",", "',' or ']' after an extent");
    if (shape.dims.size() == kMostAxes) refuse(peek().offset, strf("a shape has at most %d dimensions", kMostAxes));
    shape.dims.push_back(dimension());
  }
  take();
  return shape;
}

// 128, n, 2 * n, n / 128, or _ for any extent.
SaidExtent Parser::dimension() {
  SaidExtent d;
  if (peek().kind == Token::Kind::integer) {
    const Offset at = peek().offset;
    d.number = integer(false).i64;
    if (!peek().is("*")) return d;
    take();
    if (d.number < 1 || d.number > kMostInGroup)
      refuse(at, strf("an extent is 1 to %lld times a name", static_cast<long long>(kMostInGroup)));
  } else if (peek().kind == Token::Kind::name && peek().text == "_") {
    take();
    return d;
  } else {
    d.number = 1;
  }
  if (peek().kind != Token::Kind::name || is_reserved(peek().text)) expected("an extent: a number or a name");
  const Token name = take();
  d.name = checked(builder_.extent(name.text, false, name.offset));
  if (d.number > 1 || !peek().is("/")) return d;
  take();
  const Offset at = peek().offset;
  if (peek().kind != Token::Kind::integer) expected("the number of elements of a group");
  d.group = integer(false).i64;
  if (d.group < 1 || d.group > kMostInGroup)
    refuse(at, strf("a group has 1 to %lld elements", static_cast<long long>(kMostInGroup)));
  return d;
}

void Parser::say(NodeHandle value, const Brackets& shape) {
  if (!shape) return;
  builder_.shape(value, *shape);
  if (builder_.error()) tell(*builder_.error());
}

}  // namespace tileops::expr
