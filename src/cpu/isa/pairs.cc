// Kernels that do two operators of an expression at once. An operator of few instructions spends its time on loading
// operands from scratch and storing its result there.
#include <tileops/tileops.h>

#include "cpu/forms/pair.h"
#include "cpu/loops/loops.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {
namespace {

// The first body of an operator or a function, by its id.
template <class List>
struct first_of {};
template <template <class, class> class First, template <class, class> class... Others>
struct first_of<body_list<First, Others...>> {
  using type = First<device::portable, float>;
};
template <int32_t op>
struct first_body;
#undef TILEOPS_OP
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  template <>                                                                                                  \
  struct first_body<id> : first_of<TILEOPS_BODY_LIST(bodies)> {};
#define TILEOPS_FUNCTION(id, NAME, name, kind, slots, attrs, dtypes, compute, bodies, ulp, doc) \
  template <>                                                                                   \
  struct first_body<id> : first_of<TILEOPS_BODY_LIST(bodies)> {};
#include <tileops/functions.def>
#include <tileops/ops/binary_arith.def>
#undef TILEOPS_OP
#undef TILEOPS_FUNCTION

// `either`: the first one's result may as well be the second one's other operand.
template <int32_t first, int32_t second, int into, bool either = false>
void add_pair(KernelSink sink) {
  using Both = pair<typename first_body<first>::type, typename first_body<second>::type, into>;
  Kernel k = Entry<Both, true, false>::describe(kPairs, 0, Ctype::f32);
  k.mixed = light_mixed<Both, 0>();
  k.pair = {first, second, into, either};
  sink.add(sink.user, k);
}

template <int32_t first>
void add_pairs_behind(KernelSink sink) {
  add_pair<first, TILEOPS_OP_ADD, 0, true>(sink);
  add_pair<first, TILEOPS_OP_MUL, 0, true>(sink);
  add_pair<first, TILEOPS_OP_SUB, 0>(sink);
  add_pair<first, TILEOPS_OP_SUB, 1>(sink);
}

}  // namespace

void add_pairs(KernelSink sink) {
  add_pairs_behind<TILEOPS_OP_ADD>(sink);
  add_pairs_behind<TILEOPS_OP_SUB>(sink);
  add_pairs_behind<TILEOPS_OP_MUL>(sink);
  add_pair<TILEOPS_OP_MUL, TILEOPS_OP_FMA, 2>(sink);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
