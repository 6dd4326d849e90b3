#include "expr/gradient/derivative.h"

#include <string_view>

#include "expr/gradient/gradient.h"
#include "expr/nodes/replay.h"
#include "expr/parse/parser.h"

namespace tileops::expr {
namespace {

struct Rule {
  const Function* function;
  std::string_view slot;
  std::shared_ptr<const Graph> when, what;  // NULL: always; nothing
};

const std::vector<Rule>& rules() {
  static const auto* all = [] {  // leaked: usable until the very end of the process
    auto* v = new std::vector<Rule>;
    const auto read = [](const char* text) { return *text ? parse(text) : nullptr; };
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

NodeHandle insert(const Graph& rule, const Differentiated& call, Builder* builder) {
  std::vector<NodeHandle> handles(rule.nodes.size());
  for (size_t i = 0; i < handles.size(); ++i) {
    const Node& node = rule.nodes[i];
    const size_t index = static_cast<size_t>(node.index);
    if (node.of == Node::Of::operand) handles[i] = named(call, rule.operands[index].name);
    if (node.of == Node::Of::scalar) handles[i] = named(call, rule.scalars[index].name);
  }
  splice(rule, builder, &handles);
  return handles[static_cast<size_t>(rule.results[0].node)];
}

bool holds(const Rule& rule, const Differentiated& call, Builder* builder) {
  if (!rule.when) return true;
  const NodeHandle h = insert(*rule.when, call, builder);
  return h > 0 && builder->node(h).of == Node::Of::constant && builder->node(h).value.i64 != 0;
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
