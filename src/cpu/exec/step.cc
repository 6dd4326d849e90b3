#include "cpu/exec/step.h"

#include <algorithm>

namespace tileops::cpu {
namespace {

// Index in Kernel::half and Kernel::predicate of the loop for the pass's dtypes; -1: there is none.
int half_loop(const Pass& pass, const Kernel& kernel) {
  if (pass.stores.size() != 1 || pass.loads.empty()) return -1;
  const Dtype dtype = pass.loads[0].dtype, result = pass.stores[0].dtype;
  for (const View& v : pass.loads)
    if (v.kind != ViewKind::input || v.dtype != dtype || !v.indices.empty()) return -1;
  const int index = dtype == Dtype::f16    ? kHalfF16
                    : dtype == Dtype::bf16 ? kHalfBf16
                    : dtype == Dtype::f32  ? kHalfF32
                                           : -1;
  if (index < 0) return -1;
  if (result == Dtype::boolean) return kernel.predicate[index] ? index : -1;
  const bool half = only_step(pass).ctype == Ctype::f32 && result == dtype && index != kHalfF32;
  return half && kernel.half[index] ? index : -1;
}

// Is a function of the first operand worth a table? It costs as much as 65536 results.
bool suits_gates(const Kernel& kernel, int half, size_t numel) {
  return half != kHalfF32 && kernel.gated[half].fn && numel >= 32768;
}

}  // namespace

StepKernel make_step(const Step& step, const Kernel& kernel, bool inner) {
  StepKernel s;
  s.kernel = &kernel;
  s.attrs = step.attrs;
  s.fn = kernel.fn;
  s.non_temporal = kernel.non_temporal;
  std::copy(std::begin(kernel.in), std::end(kernel.in), s.in);
  std::copy(std::begin(kernel.out), std::end(kernel.out), s.out);
  s.tested = kernel.recompute != nullptr;
  s.ulp = step.body->ulp;
  if (inner && kernel.inner) {
    use_forms(&s, kernel.inner);
    s.tested = false;
  }
  return s;
}

void use_forms(StepKernel* s, MixedFn mixed) {
  s->mixed = mixed;
  s->non_temporal = nullptr;
}

void round_to_odd(StepKernel* s) {
  s->fn = s->kernel->rounded_to_odd;
  s->non_temporal = nullptr;
  s->tested = false;
}

void use_half_loop(const Pass& pass, const MemoryKernels& memory, size_t numel, StepKernel* s) {
  const Kernel& kernel = *s->kernel;
  const int half = half_loop(pass, kernel);
  if (half < 0) return;
  const bool predicate = pass.stores[0].dtype == Dtype::boolean;
  s->half_dtype = half;
  s->half = predicate ? kernel.predicate[half] : kernel.half[half];
  s->tested = false;  // the loop does it itself
  std::fill_n(s->in, kernel.num_in, half == kHalfF32 ? Ctype::f32 : Ctype::u16);
  s->out[0] = predicate ? Ctype::u8 : Ctype::u16;
  if (!suits_gates(kernel, half, numel)) return;
  s->half = kernel.gated[half].fn;
  s->gates = shared_table(table_key(pass, memory), [&] {
    std::vector<uint8_t> table(65536 * sizeof(float));
    kernel.gated[half].fill(reinterpret_cast<float*>(table.data()), s->attrs.data());
    return table;
  });
}

std::string table_key(const Pass& pass, const MemoryKernels& memory) {
  const Step& step = only_step(pass);
  std::string key(reinterpret_cast<const char*>(step.attrs.data()), step.attrs.size() * sizeof(AttrValue));
  for (const int64_t part :
       {int64_t{step.body->op}, int64_t{step.body->index}, int64_t(pass.loads[0].dtype), int64_t(pass.stores[0].dtype),
        int64_t(pass.stores[0].fp8), reinterpret_cast<int64_t>(&memory)})
    key.append(reinterpret_cast<const char*>(&part), sizeof part);
  return key;
}

}  // namespace tileops::cpu
