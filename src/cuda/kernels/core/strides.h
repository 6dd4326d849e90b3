// Strides of the views of an expression's kernel.
#ifndef TILEOPS_KERNELS_STRIDES_H
#define TILEOPS_KERNELS_STRIDES_H

#include "tileops/device/cuda/common/operands.h"

namespace tileops {
namespace kernels {

// Strides of views, without those that are not used, and equal ones once.
template <class Rows, int Count, int Dims>
struct strides_of_rows {
  i64 row[Count ? Count : 1][Dims];
  TILEOPS_DEVICE_MEMBER const i64 (&operator[](int view) const)[Dims] { return row[row_of(Rows{}, view)]; }

 private:
  template <int... R>
  TILEOPS_DEVICE_MEMBER static constexpr int row_of(seq<R...>, int view) {
    int at = 0, row = 0;
    ((row = at++ == view ? R : row), ...);
    return row;
  }
};

}  // namespace kernels
}  // namespace tileops

#endif
