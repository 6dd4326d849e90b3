#include "expr/gradient/derivative.h"

#include <optional>
#include <string_view>

#include "expr/gradient/gradient.h"
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
      return *text ? std::optional<Graph>(without_offsets(*parse(text))) : std::nullopt;
    };
#define TILEOPS_DERIVATIVE(function, slot, when, what) \
  v->push_back({find_function(#function), #slot, read(when), read(what)});
#include "expr/gradient/derivatives.def"
#undef TILEOPS_DERIVATIVE
    return v;
  }();
  return *all;
}

// What a name of a rule's text stands for in a call.
NodeHandle named(const Differentiated& call, std::string_view name) {
  if (name == "g") return call.g;
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const OperandSpec& slot = call.function->slots()[i];
    if (name != slot.name) continue;
    if (call.operands[i]) return call.operands[i];
    return call.attributes[static_cast<size_t>(call.function->rule.attr_index(slot.fallback))];
  }
  for (size_t i = 0; i < call.attributes.size(); ++i)
    if (name == call.function->attrs()[i].info.name) return call.attributes[i];
  return name == "y" ? call.y : 0;
}

// The value of a rule's text in a call. Throws the builder's error, so that there is always one.
NodeHandle insert(const Graph& rule, const Differentiated& call, Builder* builder) {
  std::vector<NodeHandle> inputs, handles;
  for (const Operand& o : rule.operands) inputs.push_back(named(call, o.name));
  for (const Scalar& s : rule.scalars) inputs.push_back(named(call, s.name));
  splice(rule, inputs, builder, &handles);
  if (builder->error()) throw *builder->error();
  return handles[static_cast<size_t>(rule.results[0].node)];
}

bool holds(const Rule& rule, const Differentiated& call, Builder* builder) {
  if (!rule.when) return true;
  const Node& node = builder->node(insert(*rule.when, call, builder));
  return node.of == Node::Of::constant && node.value.i64 != 0;
}

}  // namespace

bool passes_gradients(const Function& f) {
  return (f.kind == Kind::map || f.kind == Kind::cast || f.kind == Kind::sum_to) && !f.rule.bool_result &&
         (f.rule.dtypes & kFloat);
}

NodeHandle derivative(const Differentiated& call, size_t slot, Builder* builder) {
  for (const Rule& rule : rules()) {
    if (rule.function != call.function || rule.slot != call.function->slots()[slot].name) continue;
    if (holds(rule, call, builder)) return rule.what ? insert(*rule.what, call, builder) : 0;
  }
  unsupported("%s: has no derivative", call.function->name);
}

bool has_derivatives(const Function& f) {
  if (!passes_gradients(f)) return true;
  for (const OperandSpec& slot : f.slots()) {
    bool found = !slot.fixed.empty() || slot.fallback == TILEOPS_ATTR_DTYPE ||
                 (f.kind == Kind::sum_to && slot.name == "y");
    for (const Rule& rule : rules())  // the last one holds always
      found = found || (rule.function == &f && rule.slot == slot.name && !rule.when);
    if (!found) return false;
  }
  return true;
}

}  // namespace tileops::expr
