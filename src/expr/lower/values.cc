#include "expr/lower/values.h"

#include <algorithm>
#include <cmath>

#include "expr/infer/map.h"
#include "expr/split/members.h"
#include "lower/common.h"
#include "lower/lower.h"

namespace tileops::expr {

Values::Values(const Inference& inference, const Split& split, int pass, Loads* loads, Problem* problem,
               NumberTable* numbers)
    : inference_(inference),
      split_(split),
      pass_(pass),
      loads_(loads),
      problem_(problem),
      numbers_(numbers),
      computed_(inference.graph->nodes.size()) {
  steps_.reserve(inference.graph->nodes.size());
}

Value Values::of(int i) {
  if (type(i).number) return loads_->number(i, compute_type(dtype_of_number(type(i).number_type)));
  Computed& known = computed_[i];
  if (known.there) return known.value;
  const Value v = compute(i);
  computed_[i] = {true, v};
  return v;
}

Value Values::compute(int i) {
  const Node& n = node(i);
  const Ctype own = compute_type(type(i).spec.dtype);
  if (is_view(*inference_.graph, i)) return loads_->operand(i, own);
  if (is_slice(n)) return part_of_left(i);
  if (is_left_to(split_, i, pass_))
    return loads_->add(loads_->frame().place(split_.left[i], shape_of(inference_, i)), own);
  if (takes_one_element(inference_, i)) return of_one_element(i);
  if (is_reduction(inference_, i)) return reduce(i);
  if (is_scan(inference_, i)) return scan(i);
  switch (n.function->kind) {
    case Kind::index: return loads_->index(n);
    case Kind::gather: return is_only_element(inference_, split_, i, pass_) ? only_element(i) : gather(i);
    case Kind::tiled: return tiled(i);
    case Kind::spread:
    case Kind::detach:
    case Kind::sum_to: return taken(n.arguments[0].node, own);
    case Kind::cast: return cast(i);
    case Kind::map: return apply(i, inference_.calls[i]);
    default: return apply(i, inner_call(i, call_of(n, inference_.nodes)));
  }
}

// A part of a value that another pass has left.
Value Values::part_of_left(int i) {
  std::vector<Extent> shape;
  View v = readable(i, &shape);
  return loads_->add(loads_->frame().place(std::move(v), shape), compute_type(type(i).spec.dtype));
}

// The value of an argument in the type that a body takes it in. Scales are read as f32 alone.
Value Values::taken(int i, Ctype wanted) {
  if (type(i).number) return loads_->number(i, wanted);
  if (is_view(*inference_.graph, i) && !is_scale(type(i).spec.dtype)) return loads_->operand(i, wanted);
  const Value v = of(i);
  const Ctype given = v.kind == Value::Kind::load ? loads_->type_of(v)
                                                  : result_type(steps_[v.index], static_cast<size_t>(v.result));
  return given == wanted ? v : convert(v, ctype_dtype(wanted), Fp8Mode::nonsaturating);
}

Value Values::convert(const Value& v, Dtype to, Fp8Mode fp8) {
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    if (step.converts() && step.to == to && step.fp8 == fp8 && step.arguments[0] == v)
      return {Value::Kind::step, static_cast<int>(s), 0};
  }
  Step step;
  step.ctype = compute_type(to);
  step.to = to;
  step.fp8 = fp8;
  step.arguments = {v};
  return add(std::move(step));
}

Value Values::add(Step step) {
  steps_.push_back(std::move(step));
  return {Value::Kind::step, static_cast<int>(steps_.size()) - 1, 0};
}

bool Values::is_of(int i, Dtype dtype) const {
  const Node& n = node(i);
  const auto fits = [&](const Number& v) { return std::fabs(v.as_f64()) <= dtype_max_finite(dtype); };
  if (n.kind == Node::Kind::constant) return fits(n.value);
  if (is_view(*inference_.graph, i) || n.is(Kind::cast)) return type(i).spec.dtype == dtype;
  if (is_slice(n)) return is_of(n.arguments[0].node, dtype);
  if (is_reduction(inference_, i)) return false;
  if (n.is(Kind::sum_to) || n.is(Kind::spread) || n.is(Kind::detach)) return is_of(n.arguments[0].node, dtype);
  if (!n.is(Kind::map) || type(i).number || n.function->rule.compute != Compute::bits) return false;
  for (size_t k = 0; k < n.arguments.size(); ++k)
    if (n.arguments[k].node >= 0 && n.function->slots()[k].fixed.empty() && !is_of(n.arguments[k].node, dtype))
      return false;
  const Attribute* value = n.find_attribute(TILEOPS_ATTR_VALUE);
  return !value || (value->node < 0 && fits(value->value));
}

Fp8Mode Values::fp8_of(const Node& cast, Dtype dtype) {
  const Attribute* mode = cast.find_attribute(TILEOPS_ATTR_FP8_OVERFLOW);
  if (mode) return mode->value.i64 == 0 ? Fp8Mode::saturate : Fp8Mode::nonsaturating;
  return default_fp8_mode(dtype);
}

Value Values::cast(int i) {
  const Node& n = node(i);
  const Dtype to = type(i).spec.dtype;
  const int from = n.arguments[0].node;
  if (is_scale(to)) return apply(i, inner_call(i, cast_call(n, inference_.nodes)));
  return convert(of(from), to, is_of(from, to) ? Fp8Mode::nonsaturating : fp8_of(n, to));
}

// A node's call that inference has not made.
Call Values::inner_call(int i, Call call) const {
  call.inner = true;
  call.outputs[0] = type(i).spec;
  check_call(call);
  return call;
}

// The step of a node that is this call of its operator.
Value Values::apply(int i, const Call& call) {
  const Node& n = node(i);
  const auto is_number = [](const Attribute& a) { return a.node >= 0; };
  Pass own = std::any_of(n.attributes.begin(), n.attributes.end(), is_number)
                 ? lower_call(with_numbers(n, call), problem_)
                 : lower_call(call, problem_);
  Step step = std::move(own.steps[0]);
  const Ctype ctype = step.ctype;
  if (is_compared(n.function->rule)) step.ctype = wide_enough(n, ctype);
  for (size_t k = 0; k < step.arguments.size(); ++k) step.arguments[k] = argument(n, own, step, k);
  const Value v = add(std::move(step));
  if (n.function->id == TILEOPS_OP_SUB) return less_rests(n, v);
  return is_compared(n.function->rule) && ctype == Ctype::u64 ? beside_negative(n, v) : v;
}

// The call with the numbers of the host that its attributes are.
Call Values::with_numbers(const Node& n, Call call) {
  for (const Attribute& a : n.attributes) {
    if (a.node < 0) continue;
    const AttrSpec& spec = call.op->attrs[a.index];
    const bool integer = spec.info.kind == TILEOPS_ATTR_I64;
    const Ctype ctype = integer ? Ctype::i64 : choose_ctype(call, promote_inputs(call));
    call.attr_numbers.resize(call.op->attrs.size(), -1);
    call.attr_numbers[a.index] = numbers_->find_or_add(
        {a.node, ctype, integer ? Number::Type::i64 : Number::Type::f64, &spec});
  }
  return call;
}

// Operand k of a node's step, which its own pass loads.
Value Values::argument(const Node& n, const Pass& own, const Step& step, size_t k) {
  const View& v = own.loads[k];
  const Ctype wanted = operand_type(step, k);
  if (v.kind == ViewKind::input) {
    if (is_compared(n.function->rule)) return compared(n, static_cast<size_t>(v.slot), wanted);
    return taken(n.arguments[v.slot].node, wanted);
  }
  if (v.kind == ViewKind::number) {  // an attribute
    const NumberForm form = numbers_->form(v.slot);
    return loads_->number(form.node, wanted, form.attr);
  }
  return loads_->add(loads_->frame().place(v, own.extents), wanted);
}

}  // namespace tileops::expr
