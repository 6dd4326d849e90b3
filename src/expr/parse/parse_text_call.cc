// Parser: calls of texts that have a name, which are written out.
#include <memory>

#include "expr/parse/named.h"
#include "expr/parse/parsing.h"

namespace tileops::expr {
namespace {

// What may be given to a text: its operands, then its scalars.
std::vector<std::string_view> parameters(const Graph& text) {
  std::vector<std::string_view> names;
  for (const Operand& o : text.operands) names.push_back(o.name);
  for (const Scalar& s : text.scalars) names.push_back(s.name);
  return names;
}

}  // namespace

const Graph* Parser::named(const Token& name) const {
  if (name.kind != Token::Kind::name || find_function(name.text)) return nullptr;
  return find_named(name.text, num_named_).get();  // which the table keeps
}

const Graph* Parser::called_text() const { return peek(1).is("(") ? named(peek()) : nullptr; }

const Graph* Parser::several_at_once() const {
  const Graph* text = called_text();
  return text && text->results.size() > 1 ? text : nullptr;
}

std::vector<NodeHandle> Parser::text_call(const Graph& text) {
  const std::unique_ptr<TextCall> c(new TextCall{text, peek().text, {}});  // not on the stack: this calls itself
  const Offset at = skip();
  const Nested nested(this, skip());
  for (bool first = true; !peek().is(")"); first = false) {
    if (!first) begin_argument(c->name);
    const size_t place = place_of(c.get());
    c->uses[place] = expr();
  }
  return finish(c.get(), at);
}

size_t Parser::place_of(TextCall* c) {
  const std::vector<std::string_view> names = parameters(c->text);
  c->uses.resize(names.size());
  const Token first = peek();
  const std::string name(c->name);
  if (first.kind == Token::Kind::name && peek(1).is("=")) {
    std::string known;
    for (size_t i = 0; i < names.size(); ++i) {
      known += (i ? ", " : "") + std::string(names[i]);
      if (names[i] != first.text) continue;
      if (c->uses[i].node > 0) refuse(first.offset, name + ": '" + std::string(names[i]) + "' is given twice");
      take();
      take();
      c->named = true;
      return i;
    }
    refuse(first.offset,
           name + " has no argument '" + std::string(first.text.substr(0, 64)) + "' (it has " + known + ")");
  }
  if (c->named) refuse(first.offset, "an argument without name after one with a name");
  if (c->positional == names.size())
    refuse(first.offset,
           strf("%s takes at most %zu argument%s", name.c_str(), names.size(), names.size() == 1 ? "" : "s"));
  return c->positional++;
}

std::vector<NodeHandle> Parser::finish(TextCall* c, Offset at) {
  take();
  return checked(builder_.text(c->text, std::string(c->name), c->uses, at));
}

Offset Parser::one_result_of(const Graph& text) const {
  if (text.results.size() > 1) refuse_several(text, peek().text, peek().offset);
  return peek().offset;
}

void Parser::refuse_several(const Graph& text, std::string_view name, Offset offset) const {
  std::string all;
  for (const Result& r : text.results) all += (all.empty() ? "" : ", ") + r.name;
  refuse(offset, strf("%.64s has %zu results: write %s = %.64s(...); in a block, and _ for what is not needed",
                      std::string(name).c_str(), text.results.size(), all.c_str(), std::string(name).c_str()));
}

}  // namespace tileops::expr
