// Values: what becomes of the nodes that make one value of many.
#include "expr/lower/values.h"
#include "lower/common.h"

namespace tileops::expr {

Value Values::reduce(int i) {
  const Reduced r = reduced(inference_, i);
  const Ctype own = compute_type(type(i).spec.dtype);
  if (is_extreme_of_nothing(r)) return least_or_largest(r, type(i).spec.dtype);
  if (split_.parts[static_cast<size_t>(i)].pass >= 0) return over_parts(i, r);
  Value v = taken(node(i).arguments[0].node, r.type);
  if (r.by == Reduction::variance) {
    const Value first = reduction_of(v, r, Reduction::first, false);
    v = apply_plainly(TILEOPS_OP_SUB, r.type, v, first);
  }
  v = reduction_of(v, r, r.by, split_.low_parts[static_cast<size_t>(i)]);
  const bool divides = r.mean || r.by == Reduction::variance;
  const Ctype given = result_type(steps_[static_cast<size_t>(v.index)]);
  if (given != own) v = convert(v, ctype_dtype(own), Fp8Mode::nonsaturating);
  return divides ? over_count(v, r, loads_->frame()) : v;
}

std::vector<Value> Values::parts_of(int i) {
  Reduced r = reduced(inference_, i);
  const Split::Parts& parts = split_.parts[static_cast<size_t>(i)];
  if (!parts.part) r.over = blocks_of(parts.groups);
  const Value v = taken(node(i).arguments[0].node, r.type);
  if (!parts.pairs) return {reduction_of(v, r, r.by, false)};
  return {reduction_of(v, r, Reduction::sum_high, false), reduction_of(v, r, Reduction::sum_low, false)};
}

Value Values::summed_over_blocks(int i) {
  const Value v = taken(node(i).arguments[0].node, reduced(inference_, i).type);
  return v.of == Value::Of::load && !has_steps() ? convert(v, Dtype::f32, Fp8Mode::nonsaturating) : v;
}

// A reduction of what groups have come to.
Value Values::over_parts(int i, const Reduced& whole) {
  const Split::Parts& parts = split_.parts[static_cast<size_t>(i)];
  Reduced r = whole;
  if (parts.pairs) r.type = Ctype::u64;
  const Value left = loads_->add(loads_->frame().place(parts.view, parts.shape), r.type);
  Value v = reduction_of(left, r, parts.pairs ? Reduction::sum_of_pairs : r.by, false);
  steps_[static_cast<size_t>(v.index)].in_columns = false;  // of nodes of the tree
  const Ctype own = compute_type(type(i).spec.dtype), given = result_type(steps_[static_cast<size_t>(v.index)]);
  if (given != own) v = convert(v, ctype_dtype(own), Fp8Mode::nonsaturating);
  if (!whole.mean) return v;
  const Frame counted(shape_of(inference_, node(i).arguments[0].node), whole.over, {});
  return over_count(v, whole, counted);
}

// Executors reduce integers in 64 bits, whose ends are not those of narrower dtypes.
bool Values::is_extreme_of_nothing(const Reduced& r) const {
  const std::vector<int64_t> counts = loads_->frame().counts(r.over);
  return (r.by == Reduction::amax || r.by == Reduction::amin) && !is_floating(r.type) && counts[0] == 0;
}

Value Values::least_or_largest(const Reduced& r, Dtype dtype) {
  const bool is_signed = is_signed_integer(dtype);
  const int bits = static_cast<int>(8 * dtype_size(dtype));
  const uint64_t all = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1, largest = is_signed ? all / 2 : all;
  const uint64_t end = r.by == Reduction::amin ? largest : is_signed ? ~largest : 0;
  const Space space{loads_->frame().extents()};
  return loads_->add(integer_constant(problem_, static_cast<int64_t>(end), space), compute_type(dtype));
}

Value Values::reduction_of(const Value& v, const Reduced& r, Reduction by, bool low_parts) {
  const Frame& frame = loads_->frame();
  Step step;
  step.reduction = by;
  step.ctype = r.type;
  step.arguments = {v};
  step.rank = r.over.groups.empty() ? frame.row_rank() : frame.group_rank();
  step.low_parts = low_parts && is_floating(r.type);
  step.in_columns = !frame.ends_in_block(r.over);
  return add(std::move(step));
}

// The number of elements that were reduced, less a variance's correction.
Value Values::over_count(const Value& sum, const Reduced& r, const Frame& counted) {
  const Ctype ctype = result_type(steps_[static_cast<size_t>(sum.index)]);
  const Frame& frame = loads_->frame();
  std::vector<double> counts;
  for (const int64_t n : counted.counts(r.over)) {
    const double left = static_cast<double>(n) - r.correction;
    counts.push_back(left > 0 ? left : 0);
  }
  const Space space{frame.extents()};
  const View view = counts.size() == 1 ? scalar_constant(problem_, counts[0], space)
                                       : array_constant(problem_, counts, Dtype::f64, frame.strides_by_group());
  return apply_plainly(TILEOPS_OP_DIV, ctype, sum, loads_->add(view, ctype));
}

// An operator's step with its attributes by default.
Value Values::apply_plainly(tileops_op op, Ctype ctype, const Value& a, const Value& b) {
  Step step = std::move(make_pass(Call(*find_op(op)), ctype, {}).steps[0]);
  step.arguments = {a, b};
  return add(std::move(step));
}

}  // namespace tileops::expr
