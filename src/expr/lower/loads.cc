#include "expr/lower/loads.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "lower/common.h"

namespace tileops::expr {

bool is_view(const Graph& graph, int node) {
  const Node& n = graph.nodes[node];
  return n.kind == Node::Kind::operand || (is_slice(n) && graph.nodes[n.arguments[0].node].kind == Node::Kind::operand);
}

void take_part(const Node& n, View* v, std::vector<Extent>* shape) {
  const int64_t part = n.find_attribute(TILEOPS_ATTR_PART)->value.i64;
  const int64_t parts = n.find_attribute(TILEOPS_ATTR_PARTS)->value.i64;
  shape->back() /= parts;
  if (n.is(Kind::chunk)) {
    v->offset += v->strides.back() * shape->back() * part;
  } else {
    v->offset += v->strides.back() * part;
    v->strides.back() *= parts;
  }
  if (shape->back() == 1) v->strides.back() = 0;
}

Value Loads::operand(int i, Ctype as) {
  std::vector<Extent> shape;
  View v = operand_view(i, &shape);
  return add(frame_.place(std::move(v), shape), as);
}

View Loads::operand_view(int i, std::vector<Extent>* own) const {
  const Node& n = node(i);
  const int operand = n.kind == Node::Kind::operand ? n.index : node(n.arguments[0].node).index;
  const TensorSpec& spec = request_.inputs[operand];
  View v = view_of(spec, ViewKind::input, operand);
  own->assign(spec.shape, spec.shape + spec.ndim);
  if (n.kind == Node::Kind::function) take_part(n, &v, own);
  return v;
}

Value Loads::index(const Node& n) {
  const TensorSpec& x = spec_of(n.arguments[0].node);
  std::vector<Extent> strides(static_cast<size_t>(x.ndim));
  if (x.ndim > 0) strides[x.ndim + n.find_attribute(TILEOPS_ATTR_AXIS)->value.i64] = 1;
  return add(frame_.place(index_view(0, std::move(strides)), {x.shape, x.shape + x.ndim}), Ctype::i64);
}

Value Loads::number(int i, Ctype as, const AttrSpec* attr, Dtype compared, bool saturates) {
  using Type = Number::Type;
  const Type memory = as == Ctype::boolean ? Type::boolean : is_floating(as) ? Type::f64 : Type::i64;
  const Dtype dtype = memory == Type::boolean ? Dtype::boolean : memory == Type::f64 ? Dtype::f64 : Dtype::i64;
  const NumberForm form{i, as, memory, attr, compared, saturates};
  if (node(i).kind == Node::Kind::constant) return constant(in_form(node(i).value, form, "a constant"), dtype, as);
  return add(number_view(numbers_->find_or_add(form), dtype, {frame_.extents()}), as);
}

Value Loads::count(const Extent& elements, double correction, Ctype as) {
  NumberForm form{-1, as, Number::Type::f64};
  form.count = elements;
  form.correction = correction;
  return add(number_view(numbers_->find_or_add(form), Dtype::f64, {frame_.extents()}), as);
}

Value Loads::constant(const AttrValue& value, Dtype dtype, Ctype as) {
  for (size_t c = 0; c < views_.size(); ++c) {  // one load for equal ones
    const View& v = views_[c];
    if (v.kind != ViewKind::constant || v.dtype != dtype || types_[c] != as) continue;
    const std::vector<uint8_t>& known = problem_->constants[v.slot].bytes;
    if (known.size() == dtype_size(dtype) && std::memcmp(known.data(), &value, known.size()) == 0)
      return {Value::Kind::load, static_cast<int>(c), 0};
  }
  return add(raw_constant(problem_, &value, dtype, {frame_.extents()}), as);
}

namespace {

bool same_indices(const std::vector<View::Index>& a, const std::vector<View::Index>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const View::Index& x, const View::Index& y) {
    return x.value == y.value && x.stride == y.stride && x.extent == y.extent;
  });
}

}  // namespace

Value Loads::add(View v, Ctype as) {
  for (size_t i = 0; i < views_.size(); ++i) {
    const View& l = views_[i];
    if (types_[i] == as && l.kind == v.kind && l.slot == v.slot && l.dtype == v.dtype && l.offset == v.offset &&
        l.strides == v.strides && v.kind != ViewKind::constant && l.zero_outside == v.zero_outside &&
        same_indices(l.indices, v.indices))
      return {Value::Kind::load, static_cast<int>(i), 0};
  }
  views_.push_back(std::move(v));
  types_.push_back(as);
  return {Value::Kind::load, static_cast<int>(views_.size()) - 1, 0};
}

// Parts of one operand stand beside each other, in the order in which they lie: kernels read two that are in turn at
// once.
void Loads::finish(Pass* pass) {
  std::vector<size_t> order(views_.size()), first(order.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = 0; i < order.size(); ++i) {
    first[i] = i;
    for (size_t k = 0; k < i && first[i] == i; ++k)
      if (views_[k].kind == ViewKind::input && views_[i].kind == ViewKind::input && views_[k].slot == views_[i].slot &&
          types_[k] == types_[i])
        first[i] = first[k];
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return first[a] != first[b] ? first[a] < first[b] : views_[a].offset < views_[b].offset;
  });
  std::vector<int> place(order.size());
  for (const size_t i : order) {
    place[i] = static_cast<int>(pass->loads.size());
    pass->loads.push_back(std::move(views_[i]));
  }
  const auto follow = [&](Value& v) {
    if (v.kind == Value::Kind::load) v.index = place[v.index];
  };
  for (Step& step : pass->steps) std::for_each(step.arguments.begin(), step.arguments.end(), follow);
  std::for_each(pass->stored.begin(), pass->stored.end(), follow);
}

}  // namespace tileops::expr
