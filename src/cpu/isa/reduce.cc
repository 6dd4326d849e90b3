// The reductions of one ISA.
#include "cpu/loops/reduce_any_order.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {
namespace {

template <class K>
ReduceKernel kernel() {
  return {K::begin, K::feed, K::finish};
}

template <class Acc, class T>
ReduceKernel ordered_kernel(bool in_columns) {
  return in_columns ? kernel<in_groups<Acc, T>>() : kernel<in_tree<Acc, T>>();
}

template <class T>
ReduceKernel of_floats(Reduction by, SumOrder order) {
  switch (by) {
    case Reduction::sum:
      return order.low_parts ? ordered_kernel<r::sum_with_low_parts<T>, T>(order.in_columns)
                             : ordered_kernel<r::sum<T>, T>(order.in_columns);
    case Reduction::prod: return ordered_kernel<r::product<T>, T>(order.in_columns);
    case Reduction::variance: return ordered_kernel<r::variance<T>, T>(order.in_columns);
    default: return {};
  }
}

template <class T>
ReduceKernel of_integers(Reduction by) {
  switch (by) {
    case Reduction::sum: return kernel<wrapping<T, false>>();
    case Reduction::prod: return kernel<wrapping<T, true>>();
    default: return {};
  }
}

template <class T>
ReduceKernel of_any(Reduction by) {
  switch (by) {
    case Reduction::amax: return kernel<extremes<true, T>>();
    case Reduction::amin: return kernel<extremes<false, T>>();
    case Reduction::argmax: return kernel<places<true, T>>();
    case Reduction::argmin: return kernel<places<false, T>>();
    case Reduction::first: return kernel<firsts<T>>();
    default: return {};
  }
}

ReduceKernel or_else(const ReduceKernel& a, const ReduceKernel& b) { return a.feed ? a : b; }

}  // namespace

ReduceKernel find_reduction(Reduction by, Ctype type, SumOrder order) {
  if (by == Reduction::any) return kernel<truths<false>>();
  if (by == Reduction::all) return kernel<truths<true>>();
  switch (type) {
    case Ctype::f32: return or_else(of_floats<float>(by, order), of_any<float>(by));
    case Ctype::f64: return or_else(of_floats<double>(by, order), of_any<double>(by));
    // Of two's complement, which wraps in u64 alike.
    case Ctype::i64: return or_else(of_integers<d::u64>(by), of_any<d::i64>(by));
    case Ctype::u64: return or_else(of_integers<d::u64>(by), of_any<d::u64>(by));
    default: return {};
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
