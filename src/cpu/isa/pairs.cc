// Kernels of cpu/pairs.def, which do two operators of an expression at once.
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

template <int32_t first, int32_t second, int into>
void add_pair(KernelSink sink, int32_t row) {
  using Both = pair<typename first_body<first>::type, typename first_body<second>::type, into>;
  Kernel k = Entry<Both, true, false>::describe(kPairs, row, Ctype::f32);
  add_mixed<Both, 0>(&k);
  sink.add(sink.user, k);
}

}  // namespace

void add_pairs(KernelSink sink) {
  int32_t row = 0;
#define TILEOPS_PAIR(first, second, into, either) add_pair<TILEOPS_OP_##first, TILEOPS_OP_##second, into>(sink, row++);
#include "cpu/pairs.def"
#undef TILEOPS_PAIR
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS
