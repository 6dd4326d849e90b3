// Kernels that do two operators of an expression at once. An operator of few instructions spends its time on loading
// operands from scratch and storing its result there.
#include <tileops/tileops.h>

#include "cpu/forms/pair.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {
namespace {

template <class First, class Second, int into>
void add_pair(KernelSink sink, int32_t first, int32_t second, bool either) {
  using Both = pair<First, Second, into>;
  Kernel k = Entry<Both, true, false>::describe(kPairs, 0, Ctype::f32);
  k.mixed = light_mixed<Both, 0>();
  k.pair = {first, second, into, either};
  sink.add(sink.user, k);
}

}  // namespace

void add_pairs(KernelSink sink) {
#define TILEOPS_PAIR(FIRST, first, SECOND, second, into, either)                           \
  add_pair<op::first<device::portable, float>, op::second<device::portable, float>, into>( \
      sink, TILEOPS_OP_##FIRST, TILEOPS_OP_##SECOND, either);
#define TILEOPS_PAIRS_BEHIND(FIRST, first)       \
  TILEOPS_PAIR(FIRST, first, ADD, add, 0, true)  \
  TILEOPS_PAIR(FIRST, first, MUL, mul, 0, true)  \
  TILEOPS_PAIR(FIRST, first, SUB, sub, 0, false) \
  TILEOPS_PAIR(FIRST, first, SUB, sub, 1, false)
  TILEOPS_PAIRS_BEHIND(ADD, add)
  TILEOPS_PAIRS_BEHIND(SUB, sub)
  TILEOPS_PAIRS_BEHIND(MUL, mul)
  TILEOPS_PAIR(MUL, mul, FMA, fused_multiply_add, 2, false)
#undef TILEOPS_PAIRS_BEHIND
#undef TILEOPS_PAIR
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
