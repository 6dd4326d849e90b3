// The reductions of one ISA.
#include "cpu/loops/reductions/reduce_groups.h"
#include "cpu/loops/reductions/reduce_short_rows.h"
#include "cpu/loops/reductions/short_log_sum_exp.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {
namespace {

template <class K>
ReduceKernel of_rows() {
  constexpr size_t bytes = (sizeof(typename K::state) + 63) / 64 * 64;
  return {bytes, K::begin, K::feed, K::finish, each_row<K>, nullptr, nullptr, nullptr, nullptr, nullptr};
}
template <class K, class C>
ReduceKernel of_both() {
  ReduceKernel k = of_rows<K>();
  k.columns_state = C::bytes;
  k.begin_columns = C::begin;
  k.feed_columns = C::feed;
  k.finish_columns = C::finish;
  return k;
}

template <class Acc, class T>
ReduceKernel ordered_kernel(bool in_columns) {
  if (!in_columns) {
    ReduceKernel k = of_both<in_tree<Acc, T>, columns<Acc, T, 1>>();
    if constexpr (is_log_sum_exp<Acc, T>) k.each = short_log_sum_exp<Acc, T>::run;
    else k.each = each_row_in_tree<Acc, T>;
    return k;
  }
  using K = in_groups<Acc, T>;
  using C = columns<Acc, T, kColumnGroup>;
  ReduceKernel k = of_both<K, C>();
  k.each = each_row_in_groups<K, C, Acc, T>;
  return k;
}

template <class Acc, class T>
ReduceKernel sum_kernel(bool in_columns) {
  ReduceKernel k = ordered_kernel<Acc, T>(in_columns);
  if (in_columns) k.add = add_to_sums<Acc, T>;
  return k;
}

template <class T>
ReduceKernel of_floats(Reduction by, const SumOrder& order) {
  switch (by) {
    case Reduction::sum:
      return order.low_parts ? sum_kernel<r::sum_with_low_parts<T>, T>(order.in_columns)
                             : sum_kernel<r::sum<T>, T>(order.in_columns);
    case Reduction::prod: return ordered_kernel<r::product<T>, T>(order.in_columns);
    case Reduction::variance: return ordered_kernel<r::variance<T>, T>(order.in_columns);
    case Reduction::log_sum_exp: return ordered_kernel<r::log_sum_exp<T>, T>(order.in_columns);
    case Reduction::log_sum_exp_above: return ordered_kernel<r::log_sum_exp_above<T>, T>(order.in_columns);
    default: break;
  }
  if constexpr (sizeof(T) == sizeof(float)) {
    switch (by) {
      case Reduction::sum_wide: return ordered_kernel<r::sum_wide, T>(order.in_columns);
      case Reduction::sum_pair: return ordered_kernel<r::sum_pair, T>(order.in_columns);
      case Reduction::squares_pair: return ordered_kernel<r::squares_pair, T>(order.in_columns);
      case Reduction::log_sum_exp_pair: return ordered_kernel<r::log_sum_exp_pair, T>(order.in_columns);
      default: return {};
    }
  } else {
    switch (by) {
      case Reduction::sum_high: return ordered_kernel<r::sum_high<T>, T>(order.in_columns);
      case Reduction::sum_low: return ordered_kernel<r::sum_low<T>, T>(order.in_columns);
      default: return {};
    }
  }
}

template <class K, class Acc, class T>
ReduceKernel wrapping_kernel() {
  ReduceKernel k = of_both<K, columns<Acc, T, kAllRows>>();
  k.each = each_row_wrapping<K, T>;
  return k;
}

template <class T>
ReduceKernel of_integers(Reduction by) {
  switch (by) {
    case Reduction::sum: return wrapping_kernel<wrapping<T, false>, r::sum<T>, T>();
    case Reduction::prod: return wrapping_kernel<wrapping<T, true>, r::product<T>, T>();
    default: return {};
  }
}

template <bool largest, class T>
ReduceKernel extreme_kernel() {
  ReduceKernel k = of_both<extremes<largest, T>, columns<r::extreme<largest, T>, T, kAllRows>>();
  k.each = each_row_by_key<largest, false, T, extremes<largest, T>>;
  return k;
}
template <bool largest, class T>
ReduceKernel place_kernel() {
  ReduceKernel k = of_rows<places<largest, T>>();
  k.each = each_row_by_key<largest, true, T, places<largest, T>>;
  return k;
}

template <class T>
ReduceKernel of_any(Reduction by) {
  switch (by) {
    case Reduction::amax: return extreme_kernel<true, T>();
    case Reduction::amin: return extreme_kernel<false, T>();
    case Reduction::argmax: return place_kernel<true, T>();
    case Reduction::argmin: return place_kernel<false, T>();
    case Reduction::first: return of_both<firsts<T>, first_row<T>>();
    default: return {};
  }
}

template <class Acc>
ReduceKernel of_pairs() {
  return of_both<pairs_in_tree<Acc>, columns<Acc, d::u64, 1>>();
}

ReduceKernel or_else(const ReduceKernel& a, const ReduceKernel& b) { return a.feed ? a : b; }

}  // namespace

bool find_reduction(Reduction by, Ctype type, const SumOrder& order, ReduceKernel* out) {
  *out = {};
  if (by == Reduction::any) *out = of_rows<truths<false>>();
  else if (by == Reduction::sum_of_pairs) *out = of_pairs<r::sum_of_pairs>();
  else if (by == Reduction::sum_of_pairs_wide) *out = of_pairs<r::sum_of_pairs_wide>();
  else if (by == Reduction::log_sum_exp_of_pairs) *out = of_pairs<r::log_sum_exp_of_pairs>();
  else if (by == Reduction::all) *out = of_rows<truths<true>>();
  else switch (type) {
      case Ctype::f32: *out = or_else(of_floats<float>(by, order), of_any<float>(by)); break;
      case Ctype::f64: *out = or_else(of_floats<double>(by, order), of_any<double>(by)); break;
      // Two's complement wraps in u64 alike.
      case Ctype::i64: *out = or_else(of_integers<d::u64>(by), of_any<d::i64>(by)); break;
      case Ctype::u64: *out = or_else(of_integers<d::u64>(by), of_any<d::u64>(by)); break;
      default: break;
    }
  return out->feed != nullptr;
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
