#include "expr/parse/parser.h"

#include <cmath>

#include "expr/graph/place.h"
#include "expr/parse/hint.h"
#include "expr/parse/parsing.h"

namespace tileops::expr {

bool is_reserved(std::string_view name) { return name == "true" || name == "false" || name == "inf" || name == "nan"; }

std::shared_ptr<const Graph> parse(std::string_view text) { return Parser(text).run(); }

std::shared_ptr<const Graph> Parser::run() {
  // Nothing of it is read or shown: a length that is wrong would lead beyond the caller's memory.
  if (text_.size() > TILEOPS_MAX_EXPR_BYTES)
    throw Error{TILEOPS_STATUS_INVALID_ARGUMENT,
                strf("text: byte %d: a text has at most %d bytes (got %zu)", TILEOPS_MAX_EXPR_BYTES,
                     TILEOPS_MAX_EXPR_BYTES, text_.size()),
                0, TILEOPS_MAX_EXPR_BYTES};
  ahead_[0] = lexer_.next();
  if (ahead_[0].kind != Token::Kind::end) ahead_[1] = lexer_.next();
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

Parser::Nested::Nested(Parser* parser, Offset offset) : parser(parser) {
  if (++parser->depth_ > kMaxNesting) parser->refuse(offset, strf("nested deeper than %d", kMaxNesting));
}

Token Parser::take() {
  const Token t = ahead_[0];
  ahead_[0] = ahead_[1];
  if (ahead_[1].kind != Token::Kind::end) ahead_[1] = lexer_.next();
  return t;
}

Token Parser::expect(std::string_view sign, const std::string& what) {
  if (!peek().is(sign)) expected(what);
  return take();
}

void Parser::refuse(Offset offset, const std::string& message, tileops_status status) const {
  fail_at(status, text_, offset, message);
}

void Parser::expected(const std::string& what) const {
  const std::string got(peek().text.substr(0, 40)), hint = hint_for_word(peek().text);
  refuse(peek().offset, "expected " + what + " (got " +
                            (peek().kind == Token::Kind::end ? "the end of the text" : "'" + got + "'") + ")" +
                            (hint.empty() ? "" : "; " + hint));
}

void Parser::tell(const Error& e) const {
  const size_t place = e.offset < 0 ? text_.size()
                                    : static_cast<size_t>(e.offset);  // what is wrong as a whole: its end
  refuse(static_cast<Offset>(place), e.message, e.status);
}

void Parser::signature() {
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

void Parser::operand() {
  const Token name = bindable("the name of an operand");
  const Brackets shape = brackets(name);
  NodeHandle node;
  if (peek().is("=")) {
    take();
    const Number value = constant();
    node = builder_.operand(name.text, value, name.offset);
  } else {
    node = builder_.operand(name.text, name.offset);
  }
  names_[name.text] = checked(node);
  say(node, shape);
}

void Parser::scalar() {
  const Token name = bindable("the name of a scalar");
  if (!peek().is("=")) expected("'=' and the value of the scalar");
  take();
  const Number value = constant();
  names_[name.text] = checked(builder_.scalar(name.text, value, name.offset));
}

Token Parser::bindable(const char* what) {
  if (peek().kind != Token::Kind::name) expected(what);
  const Token name = take();
  const std::string text(name.text.substr(0, 64));
  if (is_reserved(name.text)) refuse(name.offset, "'" + text + "' is reserved and is no name");
  if (names_.count(name.text)) refuse(name.offset, "'" + text + "' is bound twice");
  return name;
}

Number Parser::constant() {
  const bool negative = peek().is("-");
  if (negative) take();
  if (peek().kind == Token::Kind::integer) return integer(negative);
  const Token t = peek();
  double v = t.real;
  if (t.kind == Token::Kind::name && t.text == "inf") v = HUGE_VAL;
  else if (t.kind == Token::Kind::name && t.text == "nan") v = std::nan("");
  else if (t.kind == Token::Kind::name && is_reserved(t.text) && !negative) return take(), Number::of(t.text == "true");
  else if (t.kind != Token::Kind::real) expected("a number");
  take();
  return Number::of(negative ? -v : v);
}

Number Parser::integer(bool negative) {
  const Token t = take();
  const uint64_t limit = uint64_t{1} << 63;
  if (t.integer > limit - !negative) refuse(t.offset, "the integer is beyond int64");
  return Number::of(static_cast<int64_t>(negative ? 0 - t.integer : t.integer));
}

void Parser::block() {
  take();
  while (binds()) statement();
  results();
  if (peek().is(";")) take();
  if (!peek().is("}")) expected("an operator, ',', ';' or '}' after a result");
  take();
}

// Names before `=`: of several, results may be a list of names too, so that all of them are looked at.
bool Parser::binds() const {
  if (peek().kind != Token::Kind::name) return false;
  if (!peek(1).is(",")) return peek(1).is("=") || (peek(1).is("[") && !names_.count(peek().text));
  Lexer ahead = lexer_;
  for (Token t = ahead.next(); t.kind == Token::Kind::name; t = ahead.next()) {
    t = ahead.next();
    if (!t.is(",")) return t.is("=") || t.is("[");
  }
  return false;
}

void Parser::statement() {
  std::vector<Token> names;
  std::vector<Brackets> shapes;
  do {
    if (!names.empty()) take();
    const bool is_left_out = peek().text == "_" && (!names.empty() || peek(1).is(","));
    names.push_back(is_left_out ? take() : bindable("a name"));
    for (size_t i = 0; i + 1 < names.size() && !is_left_out; ++i)
      if (names[i].text == names.back().text)
        refuse(names.back().offset, "'" + std::string(names[i].text.substr(0, 64)) + "' is bound twice");
    shapes.push_back(brackets(names.back()));
  } while (peek().is(","));
  expect("=", "'=' and the value of a name");
  const std::vector<NodeHandle> values = names.size() == 1 ? std::vector<NodeHandle>{expr().node} : several(names);
  expect(";", "an operator or ';' after the value of a name");
  for (size_t i = 0; i < names.size(); ++i) {
    say(values[i], shapes[i]);
    if (names.size() == 1 || names[i].text != "_") names_[names[i].text] = values[i];
  }
}

std::vector<NodeHandle> Parser::several(const std::vector<Token>& names) {
  const Token call = peek();
  const Graph* text = called_text();
  const size_t results = text ? text->results.size() : 1;
  if (results == 1)
    refuse(call.offset, strf("here are %zu names: expected a call of a named text with as many results", names.size()));
  if (results != names.size()) refuse_several(*text, call.text, names[0].offset);
  return text_call(*text);
}

void Parser::results() {
  if (const Graph* text = several_at_once()) return results_of_call(*text);
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

// All that a call gives, by the names that it has there, unless they are another value's here.
void Parser::results_of_call(const Graph& text) {
  const Token call = peek();
  const std::vector<NodeHandle> values = text_call(text);
  if (!peek().is(";") && !peek().is("}") && peek().kind != Token::Kind::end)
    refuse_several(text, call.text, call.offset);
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string& name = text.results[i].name;
    const auto it = names_.find(name);
    const bool taken = name == usual_name(i) || (it != names_.end() && it->second != values[i]);
    checked(builder_.result(values[i], taken ? std::string_view() : name, call.offset));
  }
}

}  // namespace tileops::expr
