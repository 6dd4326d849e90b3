// AVX-512 with byte permutations (AVX512_VBMI, VBMI2: Ice Lake, Zen 4 and later): its kernels, but for those that are
// quicker by tables in registers.
#include "cpu/forms/binary_arith.h"
#include "cpu/forms/unary_math.h"
#include "cpu/vbmi/lookup.h"
#include "cpu/vbmi/octave_table.h"

namespace tileops::cpu {

namespace isa_avx512 {
extern const IsaKernels kIsa;
}

namespace TILEOPS_DEVICE_NS {
namespace {

using device::body_list;

template <template <class, class> class BodyT, int ulp>
void replace(Kernel* k, int32_t index) {
  using Body = form<BodyT<device::portable_approx, float>>;
  if constexpr (Body::octave_scale != 0) {
    if (k->body != index || k->ctype != Ctype::f32) return;
    for (Variant& v : k->variants)
      if (v.loop == Loop::dense && v.elements == Elements::bf16) v.fn.dense = &OctaveTable<BodyT, ulp>::run;
  }
}
template <int ulp, template <class, class> class... Bodies>
void replace_any(Kernel* k, body_list<Bodies...>) {
  int32_t index = 0;
  (replace<Bodies, ulp>(k, index++), ...);
}
#define TILEOPS_OP(id, NAME, name, category, rule, operands, dtypes, compute, attrs, bodies, ulp, lo, hi, doc) \
  if (k->op == id) replace_any<ulp>(k, TILEOPS_BODY_LIST(bodies){});
void replace_kernel(Kernel* k) {
#include <tileops/ops/binary_arith.def>
#include <tileops/ops/unary_math.def>
}
#undef TILEOPS_OP

void add_all(KernelSink sink) {
  const auto add = [](void* user, const Kernel& kernel) {
    Kernel mine = kernel;
    replace_kernel(&mine);
    const KernelSink& to = *static_cast<const KernelSink*>(user);
    to.add(to.user, mine);
  };
  isa_avx512::kIsa.add_kernels({add, &sink});
}

const MemoryKernels* memory_kernels() {
  static const MemoryKernels all = [] {
    MemoryKernels memory = *isa_avx512::kIsa.memory();
    memory.lookup[0] = look_up_bytes<ByteResults>;
    memory.lookup[1] = look_up_bytes<WordResults>;
    return memory;
  }();
  return &all;
}

}  // namespace

extern const IsaKernels kIsa;
const IsaKernels kIsa = {"avx512vbmi", add_all, memory_kernels,
                         [](Reduction by, Ctype type, const SumOrder& order, ReduceKernel* out) {
                           return isa_avx512::kIsa.reduction(by, type, order, out);
                         },
                         [](Reduction by, Ctype type, const ScanOrder& order, ScanKernel* out) {
                           return isa_avx512::kIsa.scan(by, type, order, out);
                         }};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace tileops::cpu
