#include "expr/nodes/host.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"

namespace tileops::expr {
namespace {

using Type = Number::Type;

uint32_t category(Type type) { return type == Type::f64 ? kFloat : type == Type::i64 ? kInt : kBool; }

// Does an attribute take the computation to floats? A constant that no integer is equal to, and what comes as a float
// with each execute. Bounds and replacements are brought to the operands' type instead.
bool needs_float(const AttrSpec& spec, const Number& value, bool varies) {
  switch (spec.info.key) {
    case TILEOPS_ATTR_MIN:
    case TILEOPS_ATTR_MAX:
    case TILEOPS_ATTR_NAN:
    case TILEOPS_ATTR_POSINF:
    case TILEOPS_ATTR_NEGINF: return false;
    default: break;
  }
  if (spec.info.kind != TILEOPS_ATTR_F64 || value.type != Type::f64) return false;
  return varies || value.f64 != std::floor(value.f64) || !(std::fabs(value.f64) < 0x1p63);
}

}  // namespace

HostTypes host_types(const HostCall& call) {
  const Function& f = *call.function;
  Type type = Type::boolean;
  for (size_t i = 0; i < call.num_arguments; ++i) {
    if (!call.present[i]) continue;
    const OperandSpec& slot = f.slots()[i];
    if (slot.fixed.empty()) {
      type = std::max(type, call.arguments[i].type);
    } else if (call.arguments[i].type != Type::boolean) {
      invalid("%s: %s takes %s (got %s)", f.name, slot.name.c_str(), slot.fixed_text.c_str(),
              type_name(call.arguments[i].type));
    }
  }
  if (!(category(type) & f.rule.dtypes)) invalid("%s does not take %s", f.name, type_name(type));
  for (size_t i = 0; i < f.attrs().size(); ++i)
    if (needs_float(f.attrs()[i], call.attributes[i], call.varies[i]) && f.rule.compute != Compute::truth)
      type = Type::f64;
  const int rounding = f.rule.attr_index(TILEOPS_ATTR_ROUNDING);
  switch (f.rule.compute) {
    case Compute::truth: type = Type::boolean; break;
    case Compute::to_float: type = Type::f64; break;
    case Compute::quotient:
      if (call.attributes[rounding].is(0)) type = Type::f64;
      else if (type == Type::boolean) invalid("%s with rounding does not take bool", f.name);
      break;
    default: break;
  }
  return {type, f.rule.bool_result ? Type::boolean : type};
}

ResolvedCall resolve(const HostCall& call) {
  const Function& f = *call.function;
  const Type type = host_types(call).compute;
  ResolvedCall resolved;
  bool given[TILEOPS_MAX_ATTRS] = {};
  for (size_t i = 0; i < f.attrs().size(); ++i) {
    const tileops_attr_info& info = f.attrs()[i].info;
    if (info.kind == TILEOPS_ATTR_F64) resolved.attrs[i].f64 = call.attributes[i].as_f64();
    else resolved.attrs[i].i64 = call.attributes[i].as_i64();
    given[i] = info.has_default;
  }
  for (size_t i = 0; i < call.num_arguments; ++i)
    resolved.loads[i] = call.present[i] ? call.arguments[i] : call.attributes[f.rule.attr_index(f.slots()[i].fallback)];
  const device::BodyChoice choice{resolved.attrs, given, call.present, type == Type::f64, false, 53};
  resolved.body = body_on_host(f, type, choice, call.num_arguments);
  return resolved;
}

Number evaluate(const HostCall& call) {
  const ResolvedCall resolved = resolve(call);
  return resolved.body(resolved.attrs, resolved.loads);
}

HostCall host_call(const Node& node, const Number* values) {
  const Function& f = *node.function;
  HostCall call;
  call.function = &f;
  call.num_arguments = node.arguments.size();
  size_t attr = 0;
  for (const AttrSpec& spec : f.attrs()) {
    const tileops_attr_info& info = spec.info;
    Number value = info.kind == TILEOPS_ATTR_F64 ? Number::of(info.default_value.f64)
                                                 : Number::of(info.default_value.i64);
    if (info.key == TILEOPS_ATTR_MIN) value = Number::of(-HUGE_VAL);  // clamp's bounds that are none
    if (info.key == TILEOPS_ATTR_MAX) value = Number::of(HUGE_VAL);
    if (info.key == TILEOPS_ATTR_POSINF) value = Number::of(dtype_max_finite(Dtype::f64));
    if (info.key == TILEOPS_ATTR_NEGINF) value = Number::of(-dtype_max_finite(Dtype::f64));
    call.attributes[attr++] = value;
  }
  for (const Attribute& a : node.attributes) {
    call.attributes[a.index] = a.value;
    call.varies[a.index] = a.node >= 0;
  }
  take_values(node, values, &call);
  return call;
}

void take_values(const Node& node, const Number* values, HostCall* call) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    call->present[i] = node.arguments[i].node >= 0;
    if (call->present[i]) call->arguments[i] = values[node.arguments[i].node];
  }
  for (const Attribute& a : node.attributes)
    if (a.node >= 0) call->attributes[a.index] = values[a.node];
}

std::vector<Number> host_values(const Graph& graph, const std::vector<Number>& scalars, const int64_t* extents) {
  std::vector<Number> values(graph.nodes.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind == Node::Kind::constant) values[i] = node.value;
    else if (node.kind == Node::Kind::scalar) values[i] = scalars[node.index];
    else if (node.is(Kind::extent)) values[i] = Number::of(extents[i]);
    else if (node.kind == Node::Kind::function && node.on_host) values[i] = evaluate(host_call(node, values.data()));
  }
  return values;
}

}  // namespace tileops::expr
