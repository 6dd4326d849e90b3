// SPDX-License-Identifier: Apache-2.0
// Attributes of rows, which are functions along axes, in expressions that are built call by call.
#ifndef TILEOPS_HPP_ROWS_HPP
#define TILEOPS_HPP_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/number.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// Along which axes a function goes, counted from the end: -1, the last one, unless this is given.
//
//   sum(x), sum(x, axes(-2)), var(x, axes({-3, -1}), attr("correction", 1)), argmax(x, all_axes())
//   gather(table, id, axes(-2)), scatter(v, page, slot, axes({-4, -2}))        one axis for each index
//   cumsum(x, axes(-2), attr("reverse", true), attr("exclusive", true)), tiled(s, attr("rows", 8))
//
// Their order does not count. One that is not from -32 to -1, or given twice, is thrown as an Error; one that x does
// not have is refused when a plan is made.
inline tileops_attr axes(std::initializer_list<int64_t> list) {
  uint64_t set = 0;
  for (const int64_t axis : list) {
    if (axis >= 0 || axis < -TILEOPS_MAX_NDIM)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::axes: axes count from the end (got " +
                                                       std::to_string(axis) + ", need -1 to -" +
                                                       std::to_string(TILEOPS_MAX_NDIM) + ")");
    const uint64_t bit = uint64_t{1} << (-axis - 1);
    if (set & bit) throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::axes: given twice: " + std::to_string(axis));
    set |= bit;
  }
  if (!set) throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::axes: are none (need one, or all_axes())");
  return tileops_attr_i64(TILEOPS_ATTR_AXES, static_cast<int64_t>(set));
}
inline tileops_attr axes(int64_t axis) { return axes({axis}); }
inline tileops_attr all_axes() { return tileops_attr_i64(TILEOPS_ATTR_AXES, -1); }

// Cuts the axis into groups of so many elements, of which the last one may be short; two numbers are a rectangle, of
// the last two axes unless axes() says which. The last number is that of the last axis.
//
//   amax(abs(x), group(128)), amax(abs(x), group({16, 128})), spread(s, x, group(128))
inline tileops_attr group(std::initializer_list<int64_t> list) {
  if (list.size() < 1 || list.size() > 2)
    throw Error(TILEOPS_STATUS_INVALID_ARGUMENT,
                "tileops::group: has one number or two (got " + std::to_string(list.size()) + ")");
  uint64_t sizes = 0;
  for (const int64_t size : list) {
    if (size < 1 || size > INT32_MAX)
      throw Error(TILEOPS_STATUS_INVALID_ARGUMENT, "tileops::group: is out of range (got " + std::to_string(size) +
                                                       ", need 1 to " + std::to_string(INT32_MAX) + ")");
    sizes = sizes << 32 | static_cast<uint64_t>(size);
  }
  return tileops_attr_i64(TILEOPS_ATTR_GROUP, static_cast<int64_t>(sizes));
}
inline tileops_attr group(int64_t size) { return group({size}); }

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
