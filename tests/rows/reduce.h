// Reductions and scans by their definitions, in long double.
#ifndef TILEOPS_TESTS_ROWS_REDUCE_H_
#define TILEOPS_TESTS_ROWS_REDUCE_H_

#include <string>
#include <vector>

#include "tensor.h"

namespace rowtest {

// The attributes of rows. Axes as the C API has them: bit k - 1 for axis -k, all bits for everything.
struct RowAttrs {
  uint64_t axes = 1;
  uint64_t group = 0;  // 32 bits a reduced axis, the low ones of the innermost; 0: no groups
  int64_t correction = 0;
  bool reverse = false, exclusive = false;
};
inline RowAttrs Axes(uint64_t axes, uint64_t group = 0) { return {.axes = axes, .group = group}; }

// Which elements are reduced together: for each element of the result those of x, in row-major order. The last group
// along an axis has what is left.
struct Sets {
  Shape shape;  // of the result
  std::vector<std::vector<size_t>> members;
};
Sets SetsOf(const Shape& shape, const RowAttrs& attrs);

// How many neighbours along an axis of a shape are one group (1: it is not reduced).
std::vector<int64_t> GroupSizes(const Shape& shape, const RowAttrs& attrs);

// How exactly a float sum is promised.
enum class Sum {
  plain,     // of results of 16 bits or fewer: a rounding a level of the tree
  low_parts  // else: 1 ulp
};

bool IsReduction(const std::string& name);
bool IsScan(const std::string& name);

// The result has the dtype that is given, which inference says.
Tensor Reduce(const std::string& name, const Tensor& x, const RowAttrs& attrs, Dtype dtype, Sum sum = Sum::low_parts);
Tensor Scan(const std::string& name, const Tensor& x, const RowAttrs& attrs, Dtype dtype, Sum sum = Sum::low_parts);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_REDUCE_H_
