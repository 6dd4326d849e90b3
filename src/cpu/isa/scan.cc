// The scans of one ISA.
#include "cpu/loops/reductions/scan_short_rows.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {
namespace {

template <class K, class C, class T>
ScanKernel scan_of_both() {
  return {K::begin, K::feed, scan_each_row<K, T>, C::bytes, C::begin, C::feed};
}
template <bool every>
ScanKernel scan_of_truth() {
  using K = scan_truth<every>;
  return {K::begin, K::feed, scan_each_row<K, unsigned char>, K::bytes, K::begin_columns, K::feed_columns};
}

template <class Acc, class T, bool Exclusive>
ScanKernel ordered_scan(bool in_columns) {
  using K = scan_in_tree<Acc, T, Exclusive>;
  if (!in_columns) return {K::begin, K::feed, scan_each_in_tree<Acc, T, Exclusive>, nullptr, nullptr, nullptr};
  return scan_of_both<scan_in_groups<Acc, T, Exclusive>, scan_columns<Acc, T, kColumnGroup, Exclusive>, T>();
}
template <class Acc, class T, bool Exclusive>
ScanKernel scan_in_any_order() {
  return scan_of_both<scan_in_turn<Acc, T, Exclusive>, scan_columns<Acc, T, kAllRows, Exclusive>, T>();
}

template <class T, bool Exclusive>
ScanKernel scan_of_floats(Reduction by, const ScanOrder& order) {
  switch (by) {
    case Reduction::sum:
      return order.low_parts ? ordered_scan<r::sum_with_low_parts<T>, T, Exclusive>(order.in_columns)
                             : ordered_scan<r::sum<T>, T, Exclusive>(order.in_columns);
    case Reduction::prod: return ordered_scan<r::product<T>, T, Exclusive>(order.in_columns);
    default: return {};
  }
}

template <class T, bool Exclusive>
ScanKernel scan_of_integers(Reduction by) {
  switch (by) {
    case Reduction::sum: return scan_in_any_order<r::sum<T>, T, Exclusive>();
    case Reduction::prod: return scan_in_any_order<r::product<T>, T, Exclusive>();
    default: return {};
  }
}

template <class T>
ScanKernel scan_of_extremes(Reduction by) {
  switch (by) {
    case Reduction::amax: return scan_in_any_order<r::extreme<true, T>, T, false>();
    case Reduction::amin: return scan_in_any_order<r::extreme<false, T>, T, false>();
    default: return {};
  }
}

template <bool Exclusive>
ScanKernel scan_of(Reduction by, Ctype type, const ScanOrder& order) {
  switch (type) {
    case Ctype::f32: return scan_of_floats<float, Exclusive>(by, order);
    case Ctype::f64: return scan_of_floats<double, Exclusive>(by, order);
    // Two's complement wraps in u64 alike.
    case Ctype::i64:
    case Ctype::u64: return scan_of_integers<d::u64, Exclusive>(by);
    default: return {};
  }
}

ScanKernel scan_without_order(Reduction by, Ctype type) {
  if (by == Reduction::any) return scan_of_truth<false>();
  if (by == Reduction::all) return scan_of_truth<true>();
  switch (type) {
    case Ctype::f32: return scan_of_extremes<float>(by);
    case Ctype::f64: return scan_of_extremes<double>(by);
    case Ctype::i64: return scan_of_extremes<d::i64>(by);
    case Ctype::u64: return scan_of_extremes<d::u64>(by);
    default: return {};
  }
}

}  // namespace

bool find_scan(Reduction by, Ctype type, const ScanOrder& order, ScanKernel* out) {
  *out = order.exclusive ? scan_of<true>(by, type, order) : scan_of<false>(by, type, order);
  if (!out->feed && !order.exclusive) *out = scan_without_order(by, type);
  return out->feed != nullptr;
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
