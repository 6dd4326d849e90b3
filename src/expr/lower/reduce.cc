// Values: what becomes of the nodes that make one value of many.
#include "expr/lower/values.h"
#include "lower/common.h"

#include <limits>

namespace tileops::expr {
namespace {

// reductions::variance<T>::scale
double scale_of_variance(Ctype ctype) { return ctype == Ctype::f64 ? 0x1p-64 : 0x1p-32; }

}  // namespace

Value Values::reduce(int i) {
  const Reduced r = reduced(inference_, i);
  if (is_extreme_of_nothing(i, r)) return least_or_largest(r, type(i).spec.dtype);
  if (split_.partials[i].pass >= 0) return over_parts(i, r);
  const bool low_parts = split_.low_parts[i], is_mean = r.mean && low_parts;
  Value v = taken(node(i).arguments[0].node, r.type);
  if (r.by == Reduction::variance) {
    const Value first = reduction_of(v, r, Reduction::first, false);
    v = apply_plainly(TILEOPS_OP_SUB, r.type, {v, first});
  }
  if (is_mean && r.type == Ctype::f64) {
    const Value high = reduction_of(v, r, Reduction::sum_high, false);
    return mean_of_parts(i, high, reduction_of(v, r, Reduction::sum_low, false), r, loads_->frame());
  }
  if (r.in_halves) return finished(i, sum_of_halves(summed_in_halves(v, r)), r, loads_->frame());
  if (r.by == Reduction::log_sum_exp && r.type == Ctype::f64 && split_.rests[i]) return log_sum_exp_with_rest(i, v, r);
  const Reduction by = is_mean && r.type == Ctype::f32 ? Reduction::sum_wide : r.by;
  return finished(i, reduction_of(v, r, by, low_parts), r, loads_->frame());
}

// What a reduction or scan of one element gives, bit by bit, as steps of elements. It is rounded where a reduction's
// value is, and else stays a computed one: where nothing is to be done to a float, -0 is added. Places are 0, but what
// is asked for them has all bits, as what is compared has.
Value Values::of_one_element(int i) {
  const Reduced r = reduced(inference_, i);
  const Ctype own = compute_type(type(i).spec.dtype);
  if (asks_place(r)) {
    const Value zero = loads_->add(integer_constant(problem_, 0, Space{loads_->frame().extents()}), own);
    const int of = node(i).arguments[0].node;
    if (is_view(*inference_.graph, of) || !is_floating(r.type)) return zero;
    const Value looked_at = apply_plainly(TILEOPS_OP_ISNAN, r.type, {taken(of, r.type)});
    return apply_plainly(TILEOPS_OP_MUL, own, {convert(looked_at, ctype_dtype(own), Fp8Mode::nonsaturating), zero});
  }
  Value v = taken(node(i).arguments[0].node, r.type);
  Ctype given = r.type;
  if (r.by == Reduction::variance) {
    v = apply_plainly(TILEOPS_OP_SUB, r.type, {v, v});  // 0, or no number
    if (!(r.correction < 1)) v = apply_plainly(TILEOPS_OP_DIV, r.type, {v, number(0, r.type)});
    given = Ctype::f64;
  } else if (is_floating(r.type)) {
    const bool low_parts = r.by == Reduction::sum && split_.low_parts[i];  // whose 0 makes 0 of -0
    v = apply_plainly(TILEOPS_OP_ADD, r.type, {v, number(low_parts ? 0.0 : -0.0, r.type)});
    if (r.mean && low_parts) given = Ctype::f64;
  } else if (r.mean) {
    given = Ctype::f64;
  }
  if (given != r.type) v = convert(v, ctype_dtype(given), Fp8Mode::nonsaturating);
  return given == own ? v : convert(v, ctype_dtype(own), Fp8Mode::nonsaturating);
}

// A value whose place is asked for has all bits of its operator (problem/analysis.h): what is a step is looked at, and
// rounded again if it was.
Value Values::only_element(int i) {
  const Value v = of(node(i).arguments[0].node);
  if (v.kind == Value::Kind::load) return v;
  const Step step = steps_[v.index];
  const Ctype ctype = result_type(step, static_cast<size_t>(v.result));
  if (!is_floating(ctype)) return v;
  const Value looked_at = apply_plainly(TILEOPS_OP_ISNAN, ctype, {v});
  const Value same = apply_plainly(TILEOPS_OP_WHERE, ctype, {looked_at, v, v});
  return step.converts() ? convert(same, step.to, step.fp8) : same;
}

std::vector<Value> Values::parts_of(int i) {
  Reduced r = reduced(inference_, i);
  const Split::Partial& partial = split_.partials[i];
  if (!partial.split_elements) r.over = partial.blocks;
  const Value v = taken(node(i).arguments[0].node, r.type);
  if (r.in_halves) return summed_in_halves(v, r);
  if (!partial.words && !partial.highs_and_lows) return {reduction_of(v, r, r.by, false)};
  if (r.by == Reduction::log_sum_exp) return {reduction_of(v, r, Reduction::log_sum_exp_pair, false)};
  if (r.by != Reduction::variance) return summed_in_two({v}, r);
  const auto op = [&](tileops_op id, std::vector<Value> of) { return apply_plainly(id, r.type, std::move(of)); };
  const Value first = loads_->add(loads_->frame().place(partial.first, shape_of(inference_, i)), r.type);
  const Value difference = op(TILEOPS_OP_SUB, {v, first});
  std::vector<Value> parts = summed_in_two(
      {op(TILEOPS_OP_MUL, {difference, number(scale_of_variance(r.type), r.type)})}, r);
  if (partial.words) {
    parts.push_back(reduction_of(difference, r, Reduction::squares_pair, false));
    return parts;
  }
  const Value square = op(TILEOPS_OP_MUL, {difference, difference});
  const Value rest = op(TILEOPS_OP_FMA, {difference, difference, op(TILEOPS_OP_NEG, {square})});
  for (const Value& part : summed_in_two({square, rest}, r)) parts.push_back(part);
  return parts;
}

// A float sum in both parts: of float32 in a word.
std::vector<Value> Values::summed_in_two(const std::vector<Value>& of, const Reduced& r) {
  if (r.type != Ctype::f64) return {reduction_of(of, r, Reduction::sum_pair, false)};
  return {reduction_of(of, r, Reduction::sum_high, false), reduction_of(of, r, Reduction::sum_low, false)};
}

Value Values::first_of(int i) {
  const Reduced r = reduced(inference_, i);
  return reduction_of(taken(node(i).arguments[0].node, r.type), r, Reduction::first, false);
}

Value Values::summed_over_blocks(int i) {
  const Value v = taken(node(i).arguments[0].node, reduced(inference_, i).type);
  return v.kind == Value::Kind::load && !has_steps() ? convert(v, Dtype::f32, Fp8Mode::nonsaturating) : v;
}

// A reduction of what groups have come to.
Value Values::over_parts(int i, const Reduced& whole) {
  const Split::Partial& partial = split_.partials[i];
  const Frame counted(shape_of(inference_, node(i).arguments[0].node), whole.over, {});
  const auto reduced_by = [&](Reduction by, size_t k) {
    Reduced r = whole;
    if (partial.words) r.type = Ctype::u64;
    const size_t each = partial.highs_and_lows ? 2 : 1;
    std::vector<Value> left;
    for (size_t view = k * each; view < (k + 1) * each; ++view)
      left.push_back(loads_->add(loads_->frame().place(partial.views[view], partial.shape), r.type));
    const Value v = reduction_of(left, r, by, partial.highs_and_lows);
    steps_[v.index].in_columns = false;  // of nodes of the tree
    return v;
  };
  if (whole.mean && partial.highs_and_lows) {
    const Value high = reduced_by(Reduction::sum_high, 0);
    return mean_of_parts(i, high, reduced_by(Reduction::sum_low, 0), whole, counted);
  }
  const bool is_variance = whole.by == Reduction::variance;
  const Reduction of_words = whole.by == Reduction::log_sum_exp ? Reduction::log_sum_exp_of_pairs
                             : whole.mean || is_variance        ? Reduction::sum_of_pairs_wide
                                                                : Reduction::sum_of_pairs;
  const Reduction by = partial.words ? of_words : is_variance ? Reduction::sum : whole.by;
  const Value all = reduced_by(by, 0);
  if (whole.in_halves) return finished(i, sum_of_halves({all, reduced_by(by, 1)}), whole, counted);
  if (!is_variance) return finished(i, all, whole, counted);
  return finished(i, squared_deviations(all, reduced_by(by, 1), whole, counted), whole, counted);
}

// What reductions::variance makes of its sums, as steps.
Value Values::squared_deviations(const Value& sum, const Value& squares, const Reduced& whole, const Frame& counted) {
  const auto op = [&](tileops_op id, std::vector<Value> of) { return apply_plainly(id, Ctype::f64, std::move(of)); };
  const auto is_finite = [&](const Value& v) { return op(TILEOPS_OP_ISFINITE, {v}); };
  Reduced all = whole;
  all.correction = 0;
  const Value s = op(TILEOPS_OP_DIV, {sum, number(scale_of_variance(whole.type), Ctype::f64)});
  const Value of_mean = op(TILEOPS_OP_DIV, {op(TILEOPS_OP_MUL, {s, s}), count_of(all, counted, Ctype::f64)});
  const Value least = op(TILEOPS_OP_MAXIMUM, {op(TILEOPS_OP_SUB, {squares, of_mean}), number(0, Ctype::f64)});
  const Value none = number(std::numeric_limits<double>::quiet_NaN(), Ctype::f64);
  const Value deviations = op(TILEOPS_OP_WHERE, {is_finite(squares), least, squares});
  return op(TILEOPS_OP_WHERE, {is_finite(sum), deviations, none});
}

// Executors reduce integers in 64 bits or as floats, whose ends are not those of narrower dtypes.
bool Values::is_extreme_of_nothing(int i, const Reduced& r) const {
  return (r.by == Reduction::amax || r.by == Reduction::amin) && !is_floating(compute_type(type(i).spec.dtype)) &&
         loads_->frame().counts(r.over)[0] == 0;
}

Value Values::least_or_largest(const Reduced& r, Dtype dtype) {
  const bool is_signed = is_signed_integer(dtype);
  const int bits = static_cast<int>(8 * dtype_size(dtype));
  const uint64_t all = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1, largest = is_signed ? all / 2 : all;
  const uint64_t end = r.by == Reduction::amin ? largest : is_signed ? ~largest : 0;
  const Space space{loads_->frame().extents()};
  return loads_->add(integer_constant(problem_, static_cast<int64_t>(end), space), compute_type(dtype));
}

Value Values::reduction_of(const std::vector<Value>& of, const Reduced& r, Reduction by, bool low_parts) {
  const Frame& frame = loads_->frame();
  Step step;
  step.reduction = by;
  step.ctype = r.type;
  step.arguments = of;
  step.rank = r.over.groups.empty() ? frame.row_rank() : frame.rank_within_group();
  step.low_parts = low_parts && is_floating(r.type);
  step.in_columns = !frame.ends_in_block(r.over);
  return add(std::move(step));
}

// A reduction's value in the type of the node. Means and variances are divided before they are rounded: in f64, which
// holds the sums.
Value Values::finished(int i, Value v, const Reduced& r, const Frame& counted) {
  const Ctype own = compute_type(type(i).spec.dtype);
  const auto given = [&] { return result_type(steps_[v.index]); };
  const bool divides = r.mean || r.by == Reduction::variance;
  if (divides && !is_floating(given())) v = convert(v, Dtype::f64, Fp8Mode::nonsaturating);
  if (divides) v = over_count(v, r, counted);
  if (given() == own) return v;
  const Value rounded = convert(v, ctype_dtype(own), Fp8Mode::nonsaturating);
  if (!split_.rests[i] || own != Ctype::f32) return rounded;
  const Value wide = convert(rounded, Dtype::f64, Fp8Mode::nonsaturating);
  const Value rest = apply_plainly(TILEOPS_OP_SUB, Ctype::f64, {v, wide});
  keep_rest(i, rounded, convert(rest, Dtype::f32, Fp8Mode::nonsaturating));
  return rounded;
}

// The sums of the high and of the low halves of integers of 64 bits: these do not wrap.
std::vector<Value> Values::summed_in_halves(const Value& v, const Reduced& r) {
  const Space space{loads_->frame().extents()};
  const auto constant = [&](int64_t n) { return loads_->add(integer_constant(problem_, n, space), r.type); };
  const Value high = apply_plainly(TILEOPS_OP_BITWISE_RIGHT_SHIFT, r.type, {v, constant(32)});
  const Value low = apply_plainly(TILEOPS_OP_BITWISE_AND, r.type, {v, constant(0xffffffff)});
  return {reduction_of(high, r, Reduction::sum, false), reduction_of(low, r, Reduction::sum, false)};
}

// What they come to, as f64.
Value Values::sum_of_halves(const std::vector<Value>& sums) {
  const Value high = convert(sums[0], Dtype::f64, Fp8Mode::nonsaturating);
  const Value low = convert(sums[1], Dtype::f64, Fp8Mode::nonsaturating);
  return apply_plainly(TILEOPS_OP_FMA, Ctype::f64, {high, number(0x1p32, Ctype::f64), low});
}

// No wider type holds a sum of f64. What division takes from the high part is exact in one more: high - q * n.
Value Values::mean_of_parts(int i, const Value& high, const Value& low, const Reduced& r, const Frame& counted) {
  const Ctype ctype = Ctype::f64;
  const auto op = [&](tileops_op id, const Value& a, const Value& b) { return apply_plainly(id, ctype, {a, b}); };
  const Value q = over_count(high, r, counted), n = count_of(r, counted, ctype);
  const Value left = apply_plainly(TILEOPS_OP_FMA, ctype, {apply_plainly(TILEOPS_OP_NEG, ctype, {q}), n, high});
  const Value more = op(TILEOPS_OP_DIV, op(TILEOPS_OP_ADD, left, low), n);
  const Value is_number = apply_plainly(TILEOPS_OP_ISFINITE, ctype, {more});  // not where the sum is infinite
  const Value second = apply_plainly(TILEOPS_OP_WHERE, ctype, {is_number, more, number(0, ctype)});
  const Value mean = op(TILEOPS_OP_ADD, q, second);
  if (split_.rests[i]) keep_rest(i, mean, op(TILEOPS_OP_ADD, op(TILEOPS_OP_SUB, q, mean), second));
  return mean;
}

// No wider type holds it: the rest is what TwoSum finds of the largest element and how far the logarithm is above it.
Value Values::log_sum_exp_with_rest(int i, const Value& v, const Reduced& r) {
  const auto op = [&](tileops_op id, const Value& a, const Value& b) { return apply_plainly(id, Ctype::f64, {a, b}); };
  const Value a = reduction_of(v, r, Reduction::amax, false);
  const Value b = reduction_of(v, r, Reduction::log_sum_exp_above, false);
  const Value sum = op(TILEOPS_OP_ADD, a, b), of_b = op(TILEOPS_OP_SUB, sum, a);
  const Value lost_a = op(TILEOPS_OP_SUB, a, op(TILEOPS_OP_SUB, sum, of_b)), lost_b = op(TILEOPS_OP_SUB, b, of_b);
  keep_rest(i, sum, op(TILEOPS_OP_ADD, lost_a, lost_b));
  return sum;
}

// Nothing was taken from what is infinite.
void Values::keep_rest(int i, const Value& mean, const Value& rest) {
  const Ctype ctype = compute_type(type(i).spec.dtype);
  const Value is_number = apply_plainly(TILEOPS_OP_ISFINITE, ctype, {mean});
  rests_[i] = apply_plainly(TILEOPS_OP_WHERE, ctype, {is_number, rest, number(0, ctype)});
}

std::optional<Value> Values::rest_of(int i) {
  if (type(i).number || !split_.rests[i]) return std::nullopt;
  if (is_left_to(split_, i, pass_))
    return loads_->add(loads_->frame().place(split_.left_rests[i], shape_of(inference_, i)),
                       compute_type(type(i).spec.dtype));
  if (!is_reduction(inference_, i)) return rest_of(node(i).arguments[0].node);
  of(i);
  return rests_.at(i);
}

// A difference from a mean is one from what the mean is before it is rounded.
Value Values::less_rests(const Node& difference, Value v) {
  const Ctype ctype = result_type(steps_[v.index]);
  for (const size_t k : {size_t{0}, size_t{1}})
    if (const std::optional<Value> rest = rest_of(difference.arguments[k].node))
      v = apply_plainly(k == 0 ? TILEOPS_OP_ADD : TILEOPS_OP_SUB, ctype, {v, *rest});
  return v;
}

// The number of elements that were reduced, less a variance's correction.
Value Values::count_of(const Reduced& r, const Frame& counted, Ctype ctype) {
  const Frame& frame = loads_->frame();
  if (r.over.groups.empty() && counted.count(r.over).is_open())
    return loads_->count(counted.count(r.over), r.correction, ctype);
  std::vector<double> counts;
  for (const int64_t n : counted.counts(r.over)) {
    const double left = static_cast<double>(n) - r.correction;
    counts.push_back(left > 0 ? left : 0);
  }
  const Space space{frame.extents()};
  const View view = counts.size() == 1 ? scalar_constant(problem_, counts[0], space)
                                       : array_constant(problem_, counts, Dtype::f64, frame.strides_by_group());
  return loads_->add(view, ctype);
}

Value Values::over_count(const Value& sum, const Reduced& r, const Frame& counted) {
  const Ctype ctype = result_type(steps_[sum.index]);
  return apply_plainly(TILEOPS_OP_DIV, ctype, {sum, count_of(r, counted, ctype)});
}

Value Values::number(double value, Ctype ctype) {
  return loads_->add(scalar_constant(problem_, value, {loads_->frame().extents()}), ctype);
}

// An operator's step with its attributes by default.
Value Values::apply_plainly(tileops_op op, Ctype ctype, std::vector<Value> arguments) {
  Step step = std::move(make_pass(Call(find_function(op)->rule), ctype, {}).steps[0]);
  step.arguments = std::move(arguments);
  return add(std::move(step));
}

}  // namespace tileops::expr
