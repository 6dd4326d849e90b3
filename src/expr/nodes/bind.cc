// Builder: how the arguments of a call become a node's.
#include <algorithm>
#include <cmath>
#include <utility>

#include "expr/graph/axes.h"
#include "expr/nodes/builder.h"
#include "problem/request.h"

namespace tileops::expr {
namespace {

[[noreturn]] void refuse(Offset offset, std::string message, tileops_status status = TILEOPS_STATUS_INVALID_ARGUMENT) {
  throw Error{status, std::move(message), 0, offset};
}

// In the table's order; of two of the same attribute, in the order in which they come.
void insert(const Attribute& a, Node* node) {
  const auto after = std::upper_bound(node->attributes.begin(), node->attributes.end(), a,
                                      [](const Attribute& x, const Attribute& y) { return x.index < y.index; });
  node->attributes.insert(after, a);
}

const char* attr_text(const Function& f, int index) { return f.attrs()[index].info.name; }

// Does the attribute stand in for an operand that may be bool?
bool takes_bool(const Function& f, int attr) {
  return (f.rule.dtypes & kBool) && std::any_of(f.parameters.begin(), f.parameters.end(), [&](const Parameter& p) {
           return p.attr == attr && p.slot >= 0 && f.slots()[p.slot].fixed.empty();
         });
}

// How an expression says what some operators do that it cannot have.
struct Instead {
  std::string_view name;
  const char* text;
};
constexpr Instead kInstead[] = {
    {"silu_and_mul", "write silu(chunk(x, 0, 2)) * chunk(x, 1, 2)"},
    {"gelu_and_mul", "write gelu(chunk(x, 0, 2)) * chunk(x, 1, 2)"},
    {"gelu_tanh_and_mul", "write gelu(chunk(x, 0, 2), tanh) * chunk(x, 1, 2)"},
    {"prelu", "write where(x > 0, x, weight * x)"},
    {"dropout", "write where(dropout_mask(x, p, seed, offset), x / (1 - p), 0)"},
};

}  // namespace

void require_usable(const Function& f, Offset offset) {
  if (f.kind != Kind::refused) return;
  const char* instead = "it is executed as an operator alone";
  for (const Instead& row : kInstead)
    if (row.name == f.name) instead = row.text;
  refuse(offset, strf("%s: is no function of single elements: %s", f.name, instead), TILEOPS_STATUS_UNSUPPORTED);
}

bool Builder::is_number(int node) const { return nodes_[node].on_host; }

int Builder::index_of(const Use& use, const Function& f, size_t place, Offset offset) const {
  if (use.node < 0 || use.node > static_cast<NodeHandle>(nodes_.size()))
    refuse(offset, strf("%s: argument %zu is no node of this builder (got %d)", f.name, place + 1, use.node));
  if (use.node > 0 && is_result_only(node(use.node)))
    refuse(use.offset, strf("%s: argument %zu is a %s, which is for results alone", f.name, place + 1,
                            node(use.node).function->name));
  return use.node - 1;
}

// A number in the place of an attribute.
void Builder::place_attribute(const Parameter& p, const Use& use, Node* node) const {
  Attribute a;
  a.index = p.attr;
  a.offset = use.offset;
  const Node& from = nodes_[use.node - 1];
  if (!from.on_host) {
    refuse(use.offset,
           strf("%s: '%s' takes a number (got a tensor)", node->function->name, attr_text(*node->function, p.attr)));
  }
  if (from.kind == Node::Kind::constant) a.value = from.value;
  else a.node = use.node - 1;
  if (a.node < 0 && node->function->attrs()[p.attr].info.key == TILEOPS_ATTR_AXES)
    a.value = Number::of(one_axis(a.value, *node->function, a.offset));
  insert(a, node);
}

void Builder::place_arguments(const std::vector<Use>& uses, Node* node) const {
  const Function& f = *node->function;
  if (f.variadic) {
    if (uses.size() < static_cast<size_t>(f.rule.min_inputs) || uses.size() > f.slots().size())
      refuse(node->offset,
             strf("%s takes %d to %zu arguments (got %zu)", f.name, f.rule.min_inputs, f.slots().size(), uses.size()));
    for (size_t i = 0; i < uses.size(); ++i) {
      node->arguments.push_back({index_of(uses[i], f, i, node->offset), uses[i].offset});
      if (uses[i].node == 0) refuse(node->offset, strf("%s: argument %zu is missing", f.name, i + 1));
    }
    return;
  }
  if (uses.size() > f.parameters.size()) {
    refuse(uses[f.positional].offset, strf("%s takes at most %zu argument%s (got %zu)", f.name, f.positional,
                                           f.positional == 1 ? "" : "s", uses.size()));
  }
  node->arguments.resize(f.slots().size());
  for (size_t i = 0; i < uses.size(); ++i) {
    const Parameter& p = f.parameters[i];
    const int index = index_of(uses[i], f, i, node->offset);
    if (index < 0) continue;
    if (p.slot >= 0) node->arguments[p.slot] = {index, uses[i].offset};
    else place_attribute(p, uses[i], node);
  }
}

void Builder::place_given(const std::vector<Given>& given, Node* node) const {
  const Function& f = *node->function;
  for (const Given& g : given) {
    const bool one = g.key == TILEOPS_ATTR_AXIS && f.rule.attr_index(TILEOPS_ATTR_AXES) >= 0;
    const int index = f.rule.attr_index(one ? TILEOPS_ATTR_AXES : g.key);
    if (index < 0) {
      const char* name = attr_name(g.key);
      refuse(g.offset, strf("%s has no attribute '%s' (key %d)", f.name, name ? name : "?", g.key));
    }
    Attribute a;
    a.index = index;
    a.value = one ? Number::of(one_axis(g.value, f, g.offset)) : g.value;
    a.offset = g.offset;
    // Given by its key it has the operator's kind, in which a whole number is none of a higher category.
    if (f.promotes(index) && g.value.type == Number::Type::f64 && std::fabs(g.value.f64) < 0x1p53 &&
        g.value.f64 == std::floor(g.value.f64))
      a.value = Number::of(static_cast<int64_t>(g.value.f64));
    insert(a, node);
  }
  for (size_t i = 0; i < node->attributes.size(); ++i) {
    const Attribute& a = node->attributes[i];
    bool twice = i > 0 && node->attributes[i - 1].index == a.index;
    for (const Parameter& p : f.parameters)
      twice = twice || (p.attr == a.index && p.slot >= 0 && node->arguments[p.slot].node >= 0);
    if (twice) refuse(a.offset, strf("%s: '%s' is given twice", f.name, attr_text(f, a.index)));
  }
}

// Numbers in slots become the attributes that stand in for them; of a call of numbers alone it is the other way round.
void Builder::split_numbers(Node* node) {
  const Function& f = *node->function;
  bool host = f.on_host();
  for (const Argument& a : node->arguments) host = host && (a.node < 0 || is_number(a.node));
  for (const Parameter& p : f.parameters) {
    if (p.slot < 0 || p.attr < 0) continue;
    Argument& slot = node->arguments[p.slot];
    const auto found = std::find_if(node->attributes.begin(), node->attributes.end(),
                                    [&](const Attribute& a) { return a.index == p.attr; });
    if (host && found != node->attributes.end()) {
      slot = {add_constant(found->value) - 1, found->offset};
      node->attributes.erase(found);
    } else if (!host && slot.node >= 0 && is_number(slot.node)) {
      if (f.kind == Kind::cast)
        refuse(slot.offset, strf("%s: 'dtype' takes a dtype or an operand that is there (got a number)", f.name));
      place_attribute(p, {slot.node + 1, slot.offset}, node);
      slot = {};
    }
  }
  for (Attribute& a : node->attributes) check_attribute(&a, *node);
  node->on_host = host || f.kind == Kind::extent;
}

// Brings a constant into the attribute's kind; looks at the type of what is known only later.
void Builder::check_attribute(Attribute* a, const Node& node) const {
  const Function& f = *node.function;
  const AttrSpec& spec = f.attrs()[a->index];
  const bool floating = spec.info.kind == TILEOPS_ATTR_F64;
  const Number::Type type = a->node >= 0 ? nodes_[a->node].host_type : a->value.type;
  if (type == Number::Type::boolean) {
    if (!takes_bool(f, a->index) && spec.choices != "false|true")
      refuse(a->offset, strf("%s: '%s' takes a number (got bool)", f.name, spec.info.name));
    if (a->node < 0) a->value = Number::of(a->value.i64);
  }
  if (a->node >= 0) {
    if (!takes_scalar(spec)) refuse(a->offset, strf("%s: '%s' must be a constant", f.name, spec.info.name));
    if (!floating && type != Number::Type::i64)
      refuse(a->offset, strf("%s: '%s' takes an integer (got a float)", f.name, spec.info.name));
    return;
  }
  try {
    const tileops_attr attr = type == Number::Type::f64 ? tileops_attr_f64(spec.info.key, a->value.f64)
                                                        : tileops_attr_i64(spec.info.key, a->value.i64);
    const AttrValue v = read_attr(attr, spec.info, std::string(f.name) + ": ");
    if (f.promotes(a->index) && type == Number::Type::i64) return;  // stays an integer
    a->value = floating ? Number::of(v.f64) : Number::of(int64_t{v.i64});
  } catch (const Error& e) {
    refuse(a->offset, e.message);
  }
}

void Builder::check_complete(const Node& node) const {
  const Function& f = *node.function;
  const bool any_bound = f.rule.lowering == Lowering::clamp && f.op;  // one of clamp's two is enough
  bool bound = false;
  for (const Parameter& p : f.parameters) {
    if (f.variadic) break;
    const bool filled = p.slot >= 0 && node.arguments[p.slot].node >= 0;
    const AttrSpec* attr = p.attr >= 0 ? &f.attrs()[p.attr] : nullptr;
    const bool given = attr && (node.find_attribute(attr->info.key) || attr->info.has_default);
    const bool needed = p.slot >= 0 ? !attr || !any_bound : !f.op && attr;
    bound = bound || (p.slot >= 0 && attr && (filled || given));
    if (needed && !filled && !given) refuse(node.offset, strf("%s: '%s' is missing", f.name, p.name.c_str()));
  }
  if (any_bound && !bound) refuse(node.offset, strf("%s: 'min' and 'max' are both missing", f.name));
  if (f.kind == Kind::cast && node.arguments[1].node < 0 && !node.find_attribute(TILEOPS_ATTR_DTYPE))
    refuse(node.offset, strf("%s: 'dtype' is missing", f.name));
}

void Builder::check_views(const Node& node) const {
  const Function& f = *node.function;
  if (f.kind != Kind::chunk && f.kind != Kind::every) return;
  if (is_number(node.arguments[0].node))
    refuse(node.arguments[0].offset, strf("%s: '%s' takes a tensor (got a number)", f.name, f.slots()[0].name.c_str()));
  const int64_t part = node.find_attribute(TILEOPS_ATTR_PART)->value.i64;
  const int64_t parts = node.find_attribute(TILEOPS_ATTR_PARTS)->value.i64;
  if (part < 0 || part >= parts) {
    refuse(node.find_attribute(TILEOPS_ATTR_PART)->offset,
           strf("%s: 'i' is out of range (got %lld, need 0 to %lld)", f.name, static_cast<long long>(part),
                static_cast<long long>(parts - 1)));
  }
}

void Builder::drop_defaults(Node* node) const {
  const auto is_default = [&](const Attribute& a) {
    const tileops_attr_info& info = node->function->attrs()[a.index].info;
    if (!info.has_default || a.node >= 0) return false;
    return same(a.value, info.kind == TILEOPS_ATTR_F64 ? Number::of(info.default_value.f64)
                                                       : Number::of(info.default_value.i64));
  };
  node->attributes.erase(std::remove_if(node->attributes.begin(), node->attributes.end(), is_default),
                         node->attributes.end());
}

bool Builder::fold(const Node& node, Number* value) const {
  const auto known = [&](int at) { return at < 0 || nodes_[at].kind == Node::Kind::constant; };
  if (!node.is(Kind::map)) return false;
  for (const Argument& a : node.arguments)
    if (!known(a.node)) return false;
  for (const Attribute& a : node.attributes)
    if (!known(a.node)) return false;
  *value = evaluate(host_call(node, values_.data()));
  return true;
}

NodeHandle Builder::make(const Function& f, const std::vector<Use>& uses, const std::vector<Given>& given,
                         Offset offset) {
  require_usable(f, offset);
  Node node;
  node.function = &f;
  node.offset = offset;
  place_arguments(uses, &node);
  place_given(given, &node);
  split_numbers(&node);
  complete_axes(&node);
  drop_defaults(&node);
  check_complete(node);
  check_views(node);
  check_rows(node);
  if (const NodeHandle number = of_number(node)) return number;
  if (f.kind == Kind::extent) node.host_type = Number::Type::i64;
  if (!node.on_host || f.kind == Kind::extent) return add(std::move(node));
  try {
    node.host_type = host_types(host_call(node, values_.data())).result;
  } catch (const Error& e) {
    refuse(offset, e.message, e.status);
  }
  // Nobody who writes 2 ** -1 means 0, which is what it is in integers.
  const auto is_integer = [&](int i) { return values_[i].type != Number::Type::f64; };
  if (f.id == TILEOPS_OP_POW && is_integer(node.arguments[0].node) && is_integer(node.arguments[1].node) &&
      values_[node.arguments[1].node].i64 < 0)
    refuse(node.arguments[1].offset, "pow: an integer to a negative power is no integer: write the base as a float");
  Number value;
  return fold(node, &value) ? add_constant(value) : add(std::move(node));
}

}  // namespace tileops::expr
