// The order in which float32 sums and products are formed, element by element: what any executor's bits must equal.
//
// Along rows (the last axis is reduced) it is the binary tree over the index: at each level neighbours are added, the
// even one first, and one that has no neighbour goes up as it is. Along columns groups of 32 are added from left to
// right, and the groups are the leaves of such a tree.
#ifndef TILEOPS_TESTS_ROWS_ORDER_H_
#define TILEOPS_TESTS_ROWS_ORDER_H_

#include <cstddef>
#include <vector>

namespace rowtest {

enum class Along { rows, columns };

// A float and what was lost in it, which is summed beside it.
struct Parts {
  float high = 0, low = 0;
};
Parts Added(Parts a, Parts b);
float Finished(Parts sum);  // high + low, where low is finite

float PlainSum(const std::vector<float>& x, Along along = Along::rows);
float SumOf(const std::vector<float>& x, Along along = Along::rows);  // with low parts
Parts PartsOf(const std::vector<float>& x, Along along = Along::rows);
float ProductOf(const std::vector<float>& x, Along along = Along::rows);

// In one read: of deviations from the first element, and of their squares.
float VarianceOf(const std::vector<float>& x, int correction = 0, Along along = Along::rows);

// In one read as well: of e^x by the library's own formula (wide_exp.h), added up as if exponents had no bounds; the
// logarithm is the library's, too.
double LogSumExpOf(const std::vector<float>& x, Along along = Along::rows);

// At i the sum of elements 0 to i.
std::vector<float> CumulativeSum(const std::vector<float>& x);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_ORDER_H_
