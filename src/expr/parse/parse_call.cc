// Parser: calls of functions.
#include <algorithm>

#include "base/split.h"
#include "expr/graph/axes.h"
#include "expr/parse/hint.h"
#include "expr/parse/parsing.h"

namespace tileops::expr {

Use Parser::call() {
  if (const Graph* text = called_text()) {
    const Offset at = one_result_of(*text);
    return {text_call(*text)[0], at};
  }
  const Function& f = function(peek());
  const Offset at = skip();
  const Nested nested(this, skip());
  Call c{f, {}, {}};
  for (bool first = true; !peek().is(")"); first = false) {
    if (!first) begin_argument(f.name);
    argument(&c);
  }
  return finish(&c, at);
}

void Parser::begin_argument(std::string_view function) {
  expect(",", "an operator, ',' or ')' in the call of " + std::string(function));
}

Use Parser::finish(Call* c, Offset at) {
  take();
  pair_groups(c);
  return {checked(builder_.op(c->f, c->uses, c->given, at)), at};
}

const Function& Parser::function(const Token& name) const {
  const Function* f = find_function(name.text);
  const std::string text(name.text.substr(0, 64));
  if (!f && names_.count(name.text)) refuse(name.offset, "'" + text + "' is a value and cannot be called");
  if (!f) {
    const std::string hint = hint_for(name.text);
    refuse(name.offset, "there is no function '" + text + "'" + (hint.empty() ? "" : "; " + hint));
  }
  try {
    require_usable(*f, name.offset);
  } catch (const Error& e) {
    tell(e);
  }
  return *f;
}

void Parser::argument(Call* c) {
  const Offset first = peek().offset;
  const size_t place = place_of(c);
  const AttrSpec* attr = attribute_of(c, place, first);
  if (attr && (attr->info.key == TILEOPS_ATTR_AXES || attr->info.key == TILEOPS_ATTR_GROUP)) return numbers(c, *attr);
  if (attr && (!attr->choices.empty() || attr->info.key == TILEOPS_ATTR_DTYPE)) return word(c, *attr, place);
  c->uses[place] = expr();
}

size_t Parser::place_of(Call* c) {
  const Token first = peek();
  if (first.kind == Token::Kind::name && peek(1).is("=")) {
    const size_t place = named_place(c->f, take());
    take();
    c->named = true;
    return place;
  }
  if (c->named) refuse(first.offset, "an argument without name after one with a name");
  const size_t place = c->uses.size();
  if (!c->f.variadic && place >= c->f.positional)
    refuse(first.offset,
           strf("%s takes at most %zu argument%s", c->f.name, c->f.positional, c->f.positional == 1 ? "" : "s"));
  return place;
}

const AttrSpec* Parser::attribute_of(Call* c, size_t place, Offset first) const {
  if (c->uses.size() <= place && !(c->f.variadic && c->named)) c->uses.resize(place + 1);
  if (c->f.variadic && !c->named) return nullptr;
  const Parameter& p = c->f.parameters[place];
  const AttrSpec* attr = p.attr >= 0 ? &c->f.attrs()[p.attr] : nullptr;
  bool twice = !c->f.variadic && c->uses[place].node > 0;
  for (const Given& g : c->given) twice = twice || (attr && g.key == attr->info.key);
  if (twice) refuse(first, strf("%s: '%s' is given twice", c->f.name, p.name.c_str()));
  return attr;
}

size_t Parser::named_place(const Function& f, const Token& name) const {
  const int i = f.find_parameter(name.text);
  if (i >= 0) return static_cast<size_t>(i);
  std::string known;
  for (const Parameter& p : f.parameters) known += (known.empty() ? "" : ", ") + p.name;
  if (known.empty()) known = "values alone";
  refuse(name.offset, std::string(f.name) + " has no argument '" + std::string(name.text.substr(0, 64)) + "' (it has " +
                          known + ")");
}

Given Parser::choice(const Function& f, const AttrSpec& attr) {
  const Token t = peek();
  const std::vector<std::string_view> choices = split(attr.choices, '|');
  std::string all;
  // What is rounded up or down has `floor` as the operator's word for the latter.
  const bool down = t.text == "down" && std::find(choices.begin(), choices.end(), "up") != choices.end();
  for (size_t i = 0; i < choices.size(); ++i) {
    if (t.kind == Token::Kind::name && (down ? "floor" : t.text) == choices[i] && !peek(1).is("(")) {
      take();
      return {attr.info.key, Number::of(static_cast<int64_t>(i)), t.offset};
    }
    all += std::string(i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + std::string(choices[i]);
  }
  expected(all + " for '" + attr.info.name + "' of " + f.name);
}

void Parser::word(Call* c, const AttrSpec& attr, size_t place) {
  if (!attr.choices.empty()) c->given.push_back(choice(c->f, attr));
  else dtype(c, place);
}

// One number, or several in parentheses.
void Parser::numbers(Call* c, const AttrSpec& attr) {
  const Offset first = peek().offset;
  if (takes_all(c, attr)) return;
  if (peek().is("(")) return list(c, attr, first);
  give_one(c, attr, expr(), first);
}

void Parser::give_one(Call* c, const AttrSpec& attr, const Use& value, Offset first) const {
  const Node& node = builder_.node(value.node);
  if (node.kind != Node::Kind::constant) refuse_variable(c->f, attr, value.offset);
  give(c, attr, {{node.value, value.offset}}, first);
}

void Parser::give(Call* c, const AttrSpec& attr, const std::vector<Listed>& numbers, Offset first) const {
  const bool is_axes = attr.info.key == TILEOPS_ATTR_AXES;
  const int64_t value = is_axes ? axes(c->f, numbers) : groups(c->f, numbers);
  c->given.push_back({attr.info.key, Number::of(value), first});
  if (is_axes) c->axes_descend = numbers.size() == 2 && numbers[1].value.i64 < numbers[0].value.i64;
}

void Parser::refuse_variable(const Function& f, const AttrSpec& attr, Offset offset) const {
  refuse(offset, std::string(f.name) + ": '" + attr.info.name + "' must be a constant");
}

void Parser::list(Call* c, const AttrSpec& attr, Offset first) {
  std::vector<Listed> values;
  do {
    take();
    if (peek().kind == Token::Kind::name && names_.count(peek().text)) refuse_variable(c->f, attr, peek().offset);
    const Offset offset = peek().offset;
    values.push_back({constant(), offset});
  } while (peek().is(","));
  expect(")", "',' or ')' after a number");
  give(c, attr, values, first);
}

// A group's number belongs to the axis that is written in its place, and is kept by the axes' order.
void Parser::pair_groups(Call* c) {
  if (!c->axes_descend) return;
  for (Given& g : c->given)
    if (g.key == TILEOPS_ATTR_GROUP && num_groups(g.value.i64) == 2) {
      const std::vector<int64_t> sizes = list_groups(g.value.i64);
      g.value = Number::of(group_of_two(sizes[1], sizes[0]));
    }
}

bool Parser::takes_all(Call* c, const AttrSpec& attr) {
  const Token first = peek();
  if (attr.info.key != TILEOPS_ATTR_AXES || first.kind != Token::Kind::name || first.text != "all" || peek(1).is("("))
    return false;
  take();
  c->given.push_back({attr.info.key, Number::of(kAllAxes), first.offset});
  return true;
}

int64_t Parser::axes(const Function& f, const std::vector<Listed>& list) const {
  int64_t all = 0, last = 0;
  for (const Listed& axis : list) {
    try {
      last = one_axis(axis.value, f, axis.offset);
    } catch (const Error& e) {
      tell(e);
    }
    if (all & last) refuse(axis.offset, std::string(f.name) + ": the axis " + axis.value.text() + " is given twice");
    if ((f.kind == Kind::gather || f.kind == Kind::scatter) && all && last > (all & -all))
      refuse(axis.offset, std::string(f.name) + ": axes ascend, in the order of their indices");
    all |= last;
  }
  return all;
}

int64_t Parser::groups(const Function& f, const std::vector<Listed>& sizes) const {
  for (const Listed& n : sizes)
    if (n.value.type != Number::Type::i64 || n.value.i64 < 1 || n.value.i64 > kMostInGroup)
      refuse(n.offset, strf("%s: a group has 1 to %lld elements (got %s)", f.name, static_cast<long long>(kMostInGroup),
                            n.value.text().c_str()));
  if (sizes.size() > kMostGroups)
    refuse(sizes[kMostGroups].offset, strf("%s: at most %d axes have groups", f.name, kMostGroups));
  return sizes.size() == 2 ? group_of_two(sizes[0].value.i64, sizes[1].value.i64) : sizes[0].value.i64;
}

void Parser::dtype(Call* c, size_t place) {
  const Token t = peek();
  if (t.kind != Token::Kind::name || is_reserved(t.text)) expected("a dtype or an operand");
  take();
  Dtype dtype;
  const auto it = names_.find(t.text);
  const Node* value = it == names_.end() ? nullptr : &builder_.node(it->second);
  if (value && value->kind == Node::Kind::operand)
    c->uses[place] = {it->second, t.offset};  // operands hide dtypes: one that comes later breaks no text
  else if (dtype_from_any_name(t.text, &dtype))
    c->given.push_back({TILEOPS_ATTR_DTYPE, Number::of(static_cast<int64_t>(dtype)), t.offset});
  else if (value && !value->on_host) c->uses[place] = {it->second, t.offset};  // the label of a value
  else refuse(t.offset, "'" + std::string(t.text.substr(0, 64)) + "' is neither a dtype nor an operand");
}

}  // namespace tileops::expr
