// Dtypes whose elements share a byte (op/dtype.h, is_packed): how they are asked for, and what a pass may store.
// Inside, shapes, strides and offsets count elements; an address is made where memory is read or written.
#pragma once

#include "problem/problem.h"

namespace tileops {

// DLPack has two forms: of one lane, where shapes count elements, or of as many lanes as share a byte, where they count
// such groups. The extent and the stride of a dimension in elements; false if a number overflows.
bool elements_of_extent(DLDataType dtype, int ndim, const int64_t* shape, int d, int64_t* extent);
bool elements_of_stride(DLDataType dtype, int ndim, const int64_t* shape, const int64_t* strides, int d,
                        int64_t* stride);

// Bytes of so many elements, which may be 2^62 of them: their bits are more than 64 bits count.
inline int64_t bytes_of_elements(Dtype dtype, int64_t elements) {
  return elements * static_cast<int64_t>(dtype_size(dtype)) / dtype_lanes(dtype);
}

// Throws if an operand's bytes do not begin and end with its rows. `what`: "inputs[1]".
void require_whole_bytes(const TensorSpec& t, const char* what);

// Throws if two elements of a byte are not written together: by one store, which has them side by side along one
// extent of the pass, from an even one on.
void require_whole_bytes(const Pass& pass);

// The extent of the pass along which a packed store's elements lie side by side; -1: there is none.
int packed_dim(const std::vector<Extent>& extents, const std::vector<Extent>& strides);

}  // namespace tileops
