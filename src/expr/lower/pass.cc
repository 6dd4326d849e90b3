#include "expr/lower/pass.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lower/common.h"

namespace tileops::expr {

View view_of(const TensorSpec& t, ViewKind kind, int slot) {
  View v;
  v.kind = kind;
  v.slot = slot;
  v.dtype = t.dtype;
  for (int d = 0; d < t.ndim; ++d) v.strides.push_back(t.strides[d] * static_cast<int64_t>(dtype_size(t.dtype)));
  v.fp8 = default_fp8_mode(t.dtype);
  return v;
}

namespace {

// A view over the shape `own`, broadcast to a space.
View over(View v, const std::vector<int64_t>& own, const std::vector<int64_t>& space) {
  std::vector<int64_t> strides(space.size());
  const size_t lead = space.size() - own.size();
  for (size_t d = 0; d < own.size(); ++d) strides[lead + d] = own[d] == 1 && space[lead + d] != 1 ? 0 : v.strides[d];
  v.strides = std::move(strides);
  return v;
}

std::vector<int64_t> shape_of(const TensorSpec& t) { return {t.shape, t.shape + t.ndim}; }

// One pass: the nodes that its targets need.
class Lowering {
 public:
  Lowering(const Request& request, const Inference& inference, bool alone, Problem* problem, NumberTable* numbers)
      : request_(request), inference_(inference), alone_(alone), problem_(problem), numbers_(numbers) {}

  Pass run(const std::vector<Target>& targets) {
    pass_.extents = targets[0].extents;
    values_.resize(graph().nodes.size());
    compute_in_order(targets);
    for (const Target& target : targets) {
      View store = target.view;
      const Value value = stored(target.node, &store);
      pass_.stores.push_back(std::move(store));
      pass_.stored.push_back(value);
    }
    if (!alone_) order_loads();
    return std::move(pass_);
  }

 private:
  const Graph& graph() const { return *inference_.graph; }
  const Node& node(int i) const { return graph().nodes[static_cast<size_t>(i)]; }
  const NodeType& type(int i) const { return inference_.nodes[static_cast<size_t>(i)]; }

  // The node whose value a result stores: a cast to the result's own dtype is the rounding that the store does.
  int source_of(int i, Dtype stored_as) const {
    const Node& n = node(i);
    const bool by_store = n.is(Kind::cast) && type(i).spec.dtype == stored_as && !is_scale(stored_as) && !alone_;
    return by_store ? n.arguments[0].node : i;
  }

  // Values in the order of the nodes, each of which comes after those that it takes: a long chain would take more stack
  // than a thread may have if each value asked for the one before it.
  void compute_in_order(const std::vector<Target>& targets) {
    std::vector<bool> needed(graph().nodes.size());
    const auto is_computed = [&](int i) { return node(i).of == Node::Of::function && !is_view(i) && !type(i).number; };
    for (const Target& target : targets) needed[static_cast<size_t>(source_of(target.node, target.view.dtype))] = true;
    for (int i = static_cast<int>(needed.size()); i-- > 0;) {
      const Node& n = node(i);
      if (!needed[static_cast<size_t>(i)] || !is_computed(i)) continue;
      for (size_t k = 0; k < num_read(n); ++k)
        if (n.arguments[k].node >= 0) needed[static_cast<size_t>(n.arguments[k].node)] = true;
    }
    for (size_t i = 0; i < needed.size(); ++i)
      if (needed[i] && is_computed(static_cast<int>(i))) value(static_cast<int>(i));
  }

  Value stored(int i, View* store) {
    const Node& n = node(i);
    const bool other_cast = n.is(Kind::cast) && type(i).spec.dtype != store->dtype;
    if (!other_cast && n.find_attribute(TILEOPS_ATTR_FP8_OVERFLOW)) store->fp8 = fp8_of(n, store->dtype);
    i = source_of(i, store->dtype);
    if (!alone_ && is_of(i, store->dtype)) store->fp8 = Fp8Mode::nonsaturating;
    Value v = value(i);
    if (v.of == Value::Of::load && pass_.steps.empty() && !alone_) v = convert(v, store->dtype, store->fp8);
    return v;
  }

  // Was a value loaded as the dtype, rounded to it, or selected among such and constants within its range? Then nothing
  // but an infinity is beyond the largest number, and stays one.
  bool is_of(int i, Dtype dtype) const {
    const Node& n = node(i);
    const auto fits = [&](const Number& v) { return std::fabs(v.as_f64()) <= dtype_max_finite(dtype); };
    if (n.of == Node::Of::constant) return fits(n.value);
    if (is_view(i) || n.is(Kind::cast)) return type(i).spec.dtype == dtype;
    if (n.is(Kind::sum_to)) return is_of(n.arguments[0].node, dtype);
    if (!n.is(Kind::map) || type(i).number || n.function->rule.compute != Compute::bits) return false;
    for (size_t k = 0; k < n.arguments.size(); ++k)
      if (n.arguments[k].node >= 0 && n.function->slots()[k].fixed.empty() && !is_of(n.arguments[k].node, dtype))
        return false;
    const Attribute* value = n.find_attribute(TILEOPS_ATTR_VALUE);
    return !value || (value->node < 0 && fits(value->value));
  }

  static Fp8Mode fp8_of(const Node& node, Dtype dtype) {
    const Attribute* mode = node.find_attribute(TILEOPS_ATTR_FP8_OVERFLOW);
    if (mode) return mode->value.i64 == 0 ? Fp8Mode::saturate : Fp8Mode::nonsaturating;
    return default_fp8_mode(dtype);
  }

  // Parts of one operand stand beside each other, in the order in which they lie: kernels read two that are in turn at
  // once.
  void order_loads() {
    std::vector<size_t> order(pass_.loads.size()), first(order.size());
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t i = 0; i < order.size(); ++i) {
      first[i] = i;
      for (size_t k = 0; k < i && first[i] == i; ++k)
        if (pass_.loads[k].kind == ViewKind::input && pass_.loads[i].kind == ViewKind::input &&
            pass_.loads[k].slot == pass_.loads[i].slot && load_types_[k] == load_types_[i])
          first[i] = first[k];
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return first[a] != first[b] ? first[a] < first[b] : pass_.loads[a].offset < pass_.loads[b].offset;
    });
    std::vector<View> loads;
    std::vector<int> place(order.size());
    for (const size_t i : order) {
      place[i] = static_cast<int>(loads.size());
      loads.push_back(std::move(pass_.loads[i]));
    }
    pass_.loads = std::move(loads);
    const auto follow = [&](Value& v) {
      if (v.of == Value::Of::load) v.index = place[static_cast<size_t>(v.index)];
    };
    for (Step& step : pass_.steps) std::for_each(step.arguments.begin(), step.arguments.end(), follow);
    std::for_each(pass_.stored.begin(), pass_.stored.end(), follow);
  }

  // The value of a node, in the compute type of its dtype.
  Value value(int i) {
    if (type(i).number) return number(i, compute_type(dtype_of_number(type(i).number_type)));
    Computed& known = values_[static_cast<size_t>(i)];
    if (known.there) return known.value;
    const Value v = compute(i);
    values_[static_cast<size_t>(i)] = {true, v};
    return v;
  }

  Value compute(int i) {
    const Node& n = node(i);
    if (n.of == Node::Of::operand) return load(i, compute_type(type(i).spec.dtype));
    switch (n.function->kind) {
      case Kind::chunk:
      case Kind::every: return load(i, compute_type(type(i).spec.dtype));
      case Kind::index: return index(n);
      case Kind::sum_to: return taken(n.arguments[0].node, compute_type(type(i).spec.dtype));
      case Kind::cast: return alone_ ? apply(i, cast_request(i)) : cast(i);
      default: return apply(i, request_of(n, inference_.nodes));
    }
  }

  // The value of an argument in the type that a body takes it in. Scales are read as f32 alone.
  Value taken(int i, Ctype wanted) {
    if (type(i).number) return number(i, wanted);
    if (is_view(i) && !is_scale(type(i).spec.dtype)) return load(i, wanted);
    const Value v = value(i);
    return value_type(pass_, v) == wanted ? v : convert(v, ctype_dtype(wanted), Fp8Mode::nonsaturating);
  }

  bool is_view(int i) const {
    return node(i).of == Node::Of::operand || node(i).is(Kind::chunk) || node(i).is(Kind::every);
  }

  Value convert(const Value& v, Dtype to, Fp8Mode fp8) {
    for (size_t s = 0; s < pass_.steps.size(); ++s) {
      const Step& step = pass_.steps[s];
      if (!step.body && step.to == to && step.fp8 == fp8 && step.arguments[0].of == v.of &&
          step.arguments[0].index == v.index && step.arguments[0].result == v.result)
        return {Value::Of::step, static_cast<int>(s), 0};
    }
    Step step;
    step.ctype = compute_type(to);
    step.to = to;
    step.fp8 = fp8;
    step.arguments = {v};
    pass_.steps.push_back(std::move(step));
    return {Value::Of::step, static_cast<int>(pass_.steps.size()) - 1, 0};
  }

  // An operand or a part of one, read as a type.
  Value load(int i, Ctype as) {
    const Node& n = node(i);
    const int operand = n.of == Node::Of::operand ? n.index : node(n.arguments[0].node).index;
    const TensorSpec& spec = request_.inputs[operand];
    View v = view_of(spec, ViewKind::input, operand);
    std::vector<int64_t> shape = shape_of(spec);
    if (n.of == Node::Of::function) {
      const int64_t part = n.find_attribute(TILEOPS_ATTR_PART)->value.i64;
      const int64_t parts = n.find_attribute(TILEOPS_ATTR_PARTS)->value.i64;
      shape.back() /= parts;
      if (n.is(Kind::chunk)) {
        v.offset = v.strides.back() * shape.back() * part;
      } else {
        v.offset = v.strides.back() * part;
        v.strides.back() *= parts;
      }
      if (shape.back() == 1) v.strides.back() = 0;
    }
    return add_load(over(std::move(v), shape, pass_.extents), as);
  }

  Value index(const Node& n) {
    const TensorSpec& x = type(n.arguments[0].node).spec;
    std::vector<int64_t> strides(static_cast<size_t>(x.ndim));
    strides[static_cast<size_t>(x.ndim + n.find_attribute(TILEOPS_ATTR_AXIS)->value.i64)] = 1;
    return add_load(over(index_view(0, std::move(strides)), shape_of(x), pass_.extents), Ctype::i64);
  }

  // A number as an operand of a body that takes `as`: of the attribute that stands for it, if one does; rounded to the
  // dtype that it is compared with, if it is.
  Value number(int i, Ctype as, const AttrSpec* attr = nullptr, Dtype compared = Dtype::f64) {
    using Type = Number::Type;
    const Type memory = as == Ctype::boolean ? Type::boolean : is_floating(as) ? Type::f64 : Type::i64;
    const Dtype dtype = memory == Type::boolean ? Dtype::boolean : memory == Type::f64 ? Dtype::f64 : Dtype::i64;
    const NumberForm form{i, as, memory, attr, compared};
    const Node& n = node(i);
    const Space space{pass_.extents};
    if (n.of != Node::Of::constant) return add_load(number_view(numbers_->find_or_add(form), dtype, space), as);
    const AttrValue value = in_form(n.value, form, "a constant");
    for (size_t c = 0; c < pass_.loads.size(); ++c) {  // one load for equal constants
      const View& v = pass_.loads[c];
      if (v.kind != ViewKind::constant || v.dtype != dtype || load_types_[c] != as) continue;
      const std::vector<uint8_t>& known = problem_->constants[static_cast<size_t>(v.slot)].bytes;
      if (known.size() == dtype_size(dtype) && std::memcmp(known.data(), &value, known.size()) == 0)
        return {Value::Of::load, static_cast<int>(c), 0};
    }
    return add_load(raw_constant(problem_, &value, dtype, space), as);
  }

  // Equal views are one load, if they are taken in one type.
  Value add_load(View v, Ctype as) {
    for (size_t i = 0; i < pass_.loads.size(); ++i) {
      const View& l = pass_.loads[i];
      if (load_types_[i] == as && l.kind == v.kind && l.slot == v.slot && l.dtype == v.dtype && l.offset == v.offset &&
          l.strides == v.strides && v.kind != ViewKind::constant)
        return {Value::Of::load, static_cast<int>(i), 0};
    }
    pass_.loads.push_back(std::move(v));
    load_types_.push_back(as);
    return {Value::Of::load, static_cast<int>(pass_.loads.size()) - 1, 0};
  }

  Request cast_request(int i) const {
    const Node& n = node(i);
    Request r;
    r.op = n.function->op;
    r.num_inputs = 1;
    r.inputs[0] = type(n.arguments[0].node).spec;
    for (size_t a = 0; a < r.op->attrs.size(); ++a) {
      const tileops_attr_info& info = r.op->attrs[a].info;
      r.attrs[a].i64 = info.default_value.i64;
      if (const Attribute* given = n.find_attribute(info.key)) {
        r.attrs[a].i64 = given->value.i64;
        r.attr_given[a] = true;
      }
    }
    return r;
  }

  Value cast(int i) {
    const Node& n = node(i);
    const Dtype to = type(i).spec.dtype;
    const int from = n.arguments[0].node;
    if (is_scale(to)) return apply(i, cast_request(i));
    return convert(value(from), to, is_of(from, to) ? Fp8Mode::nonsaturating : fp8_of(n, to));
  }

  // The step of a node whose operator's request this is.
  Value apply(int i, Request r) {
    const Node& n = node(i);
    r.device = request_.device;
    r.inner = !alone_;
    r.num_outputs = 1;
    r.outputs[0] = type(i).spec;
    if (alone_) r.outputs[0].dtype = request_.outputs[0].dtype;
    take_numbers(n, &r);
    Problem of_node = tileops::lower(r);
    Pass& own = of_node.passes[0];
    Step step = std::move(own.steps.back());  // conversions before it are made here as well
    if (alone_) pass_.bits_kept = own.bits_kept;
    for (size_t k = 0; k < step.arguments.size(); ++k) step.arguments[k] = argument(n, own, of_node, step, k);
    pass_.steps.push_back(std::move(step));
    return {Value::Of::step, static_cast<int>(pass_.steps.size()) - 1, 0};
  }

  // Attributes that are numbers of the host.
  void take_numbers(const Node& n, Request* r) {
    std::fill(std::begin(r->attr_numbers), std::end(r->attr_numbers), -1);
    for (const Attribute& a : n.attributes) {
      if (a.node < 0) continue;
      const AttrSpec& spec = r->op->attrs[static_cast<size_t>(a.index)];
      const bool integer = spec.info.kind == TILEOPS_ATTR_I64;
      const Ctype ctype = integer ? Ctype::i64 : choose_ctype(*r, promote_inputs(*r));
      r->has_numbers = true;
      r->attr_numbers[a.index] = numbers_->find_or_add(
          {a.node, ctype, integer ? Number::Type::i64 : Number::Type::f64, &spec});
    }
  }

  // Operand k of a node's step, which its own pass loads.
  Value argument(const Node& n, const Pass& own, Problem& of_node, const Step& step, size_t k) {
    const View& v = own.loads[k];
    const Ctype wanted = operand_type(step, k);
    if (v.kind == ViewKind::input) {
      const int i = n.arguments[static_cast<size_t>(v.slot)].node;
      if (is_compared(n.function->rule)) return compared(n, static_cast<size_t>(v.slot), wanted);
      return alone_ && !type(i).number ? load(i, wanted) : taken(i, wanted);
    }
    if (v.kind == ViewKind::number) {  // an attribute
      const NumberForm form = numbers_->form(v.slot);
      return number(form.node, wanted, form.attr);
    }
    View mine = over(v, own.extents, pass_.extents);
    if (v.kind == ViewKind::constant) {
      problem_->constants.push_back(std::move(of_node.constants[static_cast<size_t>(v.slot)]));
      mine.slot = static_cast<int>(problem_->constants.size()) - 1;
    }
    return add_load(std::move(mine), wanted);
  }

  // Operand k of a comparison. Numbers and 0-d tensors are rounded to the dtype that they are compared with where
  // that is one of memory: of an operand or a cast, not of a value on its way.
  Value compared(const Node& n, size_t k, Ctype wanted) {
    const int i = n.arguments[k].node, other = n.arguments[1 - k].node;
    const auto is_rounded = [&](int at) { return !type(at).number && (is_view(at) || node(at).is(Kind::cast)); };
    if (is_rounded(other)) {
      const TensorSpec& with = type(other).spec;
      if (type(i).number) return number(i, wanted, nullptr, is_narrow_float(with.dtype) ? with.dtype : Dtype::f64);
      if (is_rounded(i) && rounds_for_comparison(type(i).spec, with))
        return convert(value(i), with.dtype, default_fp8_mode(with.dtype));
    }
    return alone_ && !type(i).number ? load(i, wanted) : taken(i, wanted);
  }

  struct Computed {
    bool there = false;
    Value value;
  };

  const Request& request_;
  const Inference& inference_;
  const bool alone_;  // the expression is one operator: its operands are tensors, whose bits may be kept
  Problem* problem_;
  NumberTable* numbers_;
  Pass pass_;
  std::vector<Ctype> load_types_;
  std::vector<Computed> values_;  // by node
};

}  // namespace

Pass pass_of(const Request& request, const Inference& inference, bool alone, const std::vector<Target>& targets,
             Problem* problem, NumberTable* numbers) {
  return Lowering(request, inference, alone, problem, numbers).run(targets);
}

}  // namespace tileops::expr
