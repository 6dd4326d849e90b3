#include "expr/gradient/derivative.h"

#include <cmath>
#include <optional>
#include <string_view>

#include "expr/gradient/gradient.h"
#include "expr/graph/axes.h"
#include "expr/nodes/replay.h"
#include "expr/parse/parser.h"

namespace tileops::expr {
namespace {

struct Rule {
  const Function* function;
  std::string_view slot;
  std::optional<Graph> when, what;  // none: always; nothing
};

const std::vector<Rule>& rules() {
  static const auto* all = [] {  // leaked: usable until the very end of the process
    auto* v = new std::vector<Rule>;
    const auto read = [](const char* text) {
      return *text ? std::optional<Graph>(at_offset(*parse(text), -1)) : std::nullopt;
    };
#define TILEOPS_DERIVATIVE(function, slot, when, what) \
  v->push_back({find_function(#function), #slot, read(when), read(what)});
#include "expr/gradient/derivatives.def"
#undef TILEOPS_DERIVATIVE
    return v;
  }();
  return *all;
}

// An attribute of a call that is a constant; 0 if the function has none of that key.
int64_t constant_of(const Differentiated& call, tileops_attr_key key, const Builder& builder) {
  const int i = call.function->rule.attr_index(key);
  return i < 0 ? 0 : builder.node(call.attributes[i]).value.i64;
}

// The call's axes and groups, for functions that are to go along the same.
std::vector<Given> along_of(const Differentiated& call, const Builder& builder) {
  std::vector<Given> along;
  for (const tileops_attr_key key : {TILEOPS_ATTR_AXES, TILEOPS_ATTR_GROUP})
    if (const int64_t v = constant_of(call, key, builder)) along.push_back({key, Number::of(v)});
  return along;
}

// From how many elements each one of a reduction's result is made: a number or, as the last group may be short, a value
// for each group.
NodeHandle count_of(const Differentiated& call, Builder* builder) {
  const int64_t axes = constant_of(call, TILEOPS_ATTR_AXES, *builder);
  const std::vector<int64_t> groups = list_groups(constant_of(call, TILEOPS_ATTR_GROUP, *builder));
  const NodeHandle x = call.operands[0];
  const auto op = [&](tileops_op f, const std::vector<Use>& uses, const std::vector<Given>& given = {}) {
    return Use{builder->op(f, uses, given)};
  };
  if (groups.empty()) return op(TILEOPS_OP_EXTENT, {{x}}, {{TILEOPS_ATTR_AXES, Number::of(axes)}}).node;
  Use count;
  const std::vector<int> list = list_axes(axes);
  for (size_t i = 0; i < list.size(); ++i) {
    const std::vector<Given> axis{{TILEOPS_ATTR_AXIS, Number::of(int64_t{list[i]})}};
    const Use group{builder->constant(Number::of(groups[i]))};
    const Use before = op(TILEOPS_OP_MUL, {op(TILEOPS_OP_INDEX, {{call.y}}, axis), group});
    const Use left = op(TILEOPS_OP_SUB, {op(TILEOPS_OP_EXTENT, {{x}}, axis), before});
    const Use own = op(TILEOPS_OP_MINIMUM, {left, group});
    count = count.node ? op(TILEOPS_OP_MUL, {count, own}) : own;
  }
  return count.node;
}

// Where each element of a scan is along its axis; and how many there are.
NodeHandle place_of(const Differentiated& call, Builder* builder) {
  const int axis = list_axes(constant_of(call, TILEOPS_ATTR_AXES, *builder))[0];
  return builder->op(TILEOPS_OP_INDEX, {{call.operands[0]}}, {{TILEOPS_ATTR_AXIS, Number::of(int64_t{axis})}});
}
NodeHandle extent_of(const Differentiated& call, Builder* builder) {
  const int64_t axes = constant_of(call, TILEOPS_ATTR_AXES, *builder);
  return builder->op(TILEOPS_OP_EXTENT, {{call.operands[0]}}, {{TILEOPS_ATTR_AXES, Number::of(axes)}});
}

// What a name of a rule's text stands for in a call.
NodeHandle named(const Differentiated& call, std::string_view name, Builder* builder) {
  if (name == "g") return call.g;
  if (name == "n" && call.function->kind == Kind::reduce) return count_of(call, builder);
  if (name == "n" && call.function->kind == Kind::scan) return extent_of(call, builder);
  if (name == "i" && call.function->kind == Kind::scan) return place_of(call, builder);
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const OperandSpec& slot = call.function->slots()[i];
    if (name != slot.name) continue;
    if (call.operands[i]) return call.operands[i];
    return call.attributes[call.function->rule.attr_index(slot.fallback)];
  }
  for (size_t i = 0; i < call.attributes.size(); ++i)
    if (name == call.function->attrs()[i].info.name) return call.attributes[i];
  return name == "y" ? call.y : 0;
}

// The value of a rule's text in a call. Throws the builder's error, so that there is always one.
NodeHandle insert(const Graph& rule, const Differentiated& call, Builder* builder) {
  std::vector<NodeHandle> inputs, handles;
  for (const Operand& o : rule.operands) inputs.push_back(named(call, o.name, builder));
  for (const Scalar& s : rule.scalars) inputs.push_back(named(call, s.name, builder));
  splice(rule, inputs, builder, &handles, along_of(call, *builder));
  if (builder->error()) throw *builder->error();
  return handles[rule.results[0].node];
}

// An element of the table gets the gradient where its place is the index: the one there is along the axis. Several
// would have to be added up, so that the spread refuses (infer/rows.cc) what does not have one of each. An index
// outside has given NaN, and where a gradient comes back for that the table gets it, too.
NodeHandle of_gather(const Differentiated& call, Builder* builder) {
  const std::vector<Given> along = along_of(call, *builder);
  const std::vector<int> axes = list_axes(along[0].value.i64);
  const auto op = [&](tileops_op f, const std::vector<Use>& uses, const std::vector<Given>& given = {}) {
    return Use{builder->op(f, uses, given)};
  };
  const Use t{call.operands[0]}, g{call.g};
  const Use zero{builder->constant(Number::of(int64_t{0}))}, nan{builder->constant(Number::of(std::nan("")))};
  // In int64, which has what the table's extent is; an index of few bits has not.
  const auto wide = [&](NodeHandle i) {
    const Given i64{TILEOPS_ATTR_DTYPE, Number::of(static_cast<int64_t>(Dtype::i64))};
    return Use{builder->node(i).on_host ? i : builder->op(*find_function("cast"), {{i}}, {i64})};
  };
  Use elsewhere, outside;
  const auto add = [&](Use* all, const Use& one) { *all = all->node ? op(TILEOPS_OP_BITWISE_OR, {*all, one}) : one; };
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::vector<Given> axis{{TILEOPS_ATTR_AXIS, Number::of(int64_t{axes[i]})}};
    const NodeHandle index = call.operands[i + 1];
    add(&elsewhere, op(TILEOPS_OP_NE, {op(TILEOPS_OP_INDEX, {t}, axis), {index}}));
    add(&outside, op(TILEOPS_OP_LT, {wide(index), zero}));
    add(&outside, op(TILEOPS_OP_GE, {wide(index), op(TILEOPS_OP_EXTENT, {t}, axis)}));
  }
  const Use one = op(TILEOPS_OP_SPREAD, {g, op(TILEOPS_OP_SUM, {g}, along)});
  const Use lost = op(TILEOPS_OP_BITWISE_AND, {outside, op(TILEOPS_OP_NE, {g, zero})});
  const Use result = op(TILEOPS_OP_ADD,
                        {op(TILEOPS_OP_MASKED_FILL, {one, elsewhere, zero}), op(TILEOPS_OP_WHERE, {lost, nan, zero})});
  if (builder->error()) throw *builder->error();
  return result.node;
}

bool holds(const Rule& rule, const Differentiated& call, Builder* builder) {
  if (!rule.when) return true;
  const Node& node = builder->node(insert(*rule.when, call, builder));
  return node.kind == Node::Kind::constant && node.value.i64 != 0;
}

}  // namespace

bool passes_gradients(const Function& f) {
  switch (f.kind) {
    case Kind::map:
    case Kind::cast:
    case Kind::reduce:
    case Kind::scan:
    case Kind::spread:
    case Kind::sum_to:
    case Kind::detach:
    case Kind::gather: return !f.rule.bool_result && (f.rule.dtypes & kFloat);
    default: return false;
  }
}

NodeHandle derivative(const Differentiated& call, size_t slot, Builder* builder) {
  if (call.function->kind == Kind::gather) return of_gather(call, builder);
  for (const Rule& rule : rules()) {
    if (rule.function != call.function || rule.slot != call.function->slots()[slot].name) continue;
    if (holds(rule, call, builder)) return rule.what ? insert(*rule.what, call, builder) : 0;
  }
  unsupported("%s: has no derivative", call.function->name);
}

bool has_derivatives(const Function& f) {
  if (!passes_gradients(f)) return true;
  for (const OperandSpec& slot : f.slots()) {
    bool found = !slot.fixed.empty() || slot.fallback == TILEOPS_ATTR_DTYPE || f.kind == Kind::gather ||
                 (f.kind == Kind::sum_to && slot.name == "y") || (f.kind == Kind::spread && slot.name == "x");
    for (const Rule& rule : rules())  // the last one holds always
      found = found || (rule.function == &f && rule.slot == slot.name && !rule.when);
    if (!found) return false;
  }
  return true;
}

}  // namespace tileops::expr
