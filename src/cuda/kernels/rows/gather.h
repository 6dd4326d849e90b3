// Where the elements of a pass of rows lie that are read or written where indices say (core/gather.h): a block's one, a
// group's one, or those of a pack.
#ifndef TILEOPS_KERNELS_ROWS_GATHER_H
#define TILEOPS_KERNELS_ROWS_GATHER_H

#include "cuda/kernels/core/gather.h"
#include "cuda/kernels/rows/transfer.h"

namespace tileops {
namespace kernels {

template <class Spec>
TILEOPS_DEVICE bool exists(const row_place<Spec>&, int) {
  return true;
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const row_place<Spec>& row, int view, int) {
  return offset_of_row(a, row, view);
}

template <class Spec>
struct group_place {
  static constexpr bool together = false;
  const row_pack<Spec>* p;
};
template <class Spec>
TILEOPS_DEVICE group_place<Spec> group_of(const row_pack<Spec>& p) {
  return {&p};
}
template <class Spec>
TILEOPS_DEVICE bool exists(const group_place<Spec>& at, int) {
  return at.p->left != 0u;
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const group_place<Spec>& at, int view, int) {
  return group_offset(a, *at.p, view);
}

template <class Spec>
TILEOPS_DEVICE bool exists(const row_pack<Spec>& p, int e) {
  return Spec::no_padding || static_cast<u32>(e) < p.left;
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const row_pack<Spec>& p, int view, int e) {
  return pack_offset<access_pattern::gathered, u8>(a, p, view) + e * a.stride[view][Spec::dims - 1];
}

}  // namespace kernels
}  // namespace tileops

#endif
