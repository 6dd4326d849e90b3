// Functions that move values: what stands where in a result.
#ifndef TILEOPS_TESTS_ROWS_MOVE_H_
#define TILEOPS_TESTS_ROWS_MOVE_H_

#include <vector>

#include "reduce.h"
#include "tensor.h"

namespace rowtest {

// s brought to a shape: broadcast, or each element of s for its group.
Tensor Spread(const Tensor& s, const Shape& shape, const RowAttrs& attrs);

// x summed to a shape that was broadcast to x's.
Tensor SumTo(const Tensor& x, const Shape& shape, Dtype dtype, Sum sum);

// The i-th of n parts of the last axis; every n-th element from the i-th on.
Tensor Chunk(const Tensor& x, int64_t i, int64_t n);
Tensor Every(const Tensor& x, int64_t i, int64_t n);

// One after the other, or in turns, along the last axis. Values are broadcast to one shape.
Tensor Joined(const std::vector<Tensor>& values, const Shape& shape, Dtype dtype, bool in_turns);

// t at other places along the axes of `axes`, of which the first index is for the outermost. What is outside is NaN, of
// integers 0.
Tensor Gather(const Tensor& t, const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape);

// Writes v into `out` at places along the axes; what is outside is not written.
void ScatterInto(Tensor* out, const Tensor& v, const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape);
// Adds integers there instead, which wrap.
void AddInto(Tensor* out, const Tensor& v, const std::vector<Tensor>& indices, uint64_t axes, const Shape& shape);

// Scales in the tiles of matrix libraries, 128 or 8 rows by 4 columns.
Tensor Tiled(const Tensor& s, int64_t rows);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_MOVE_H_
