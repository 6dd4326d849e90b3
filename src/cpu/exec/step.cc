#include "cpu/exec/step.h"

#include <algorithm>

namespace tileops::cpu {
namespace {

// The loop for the pass's dtypes, which converts within; NULL: there is none.
const Variant* loop_of_memory(const Pass& pass, const Kernel& kernel) {
  if (pass.stores.size() != 1 || pass.loads.empty()) return nullptr;
  const Dtype dtype = pass.loads[0].dtype;
  for (const View& v : pass.loads)
    if (v.kind != ViewKind::input || v.dtype != dtype || !v.indices.empty()) return nullptr;
  const Dtype result = kernel.out[0] == Ctype::boolean ? Dtype::boolean : dtype;
  if (elements_of(dtype) == Elements::own || pass.stores[0].dtype != result) return nullptr;
  return kernel.find(Loop::dense, elements_of(dtype));
}

// Is a function of the first operand worth a table? It costs as much as 65536 results.
constexpr size_t kWorthATable = 32768;

}  // namespace

StepKernel make_step(const Step& step, const Kernel& kernel, bool inner) {
  StepKernel s;
  s.kernel = &kernel;
  s.body = step.body;
  s.attrs = step.attrs;
  s.variant = *kernel.find(Loop::dense);
  std::copy(std::begin(kernel.in), std::end(kernel.in), s.in);
  std::copy(std::begin(kernel.out), std::end(kernel.out), s.out);
  s.tested = kernel.find(Loop::in_f64) != nullptr;
  s.ulp = step.body->ulp;
  if (const Variant* shorter = inner ? kernel.find(Loop::inner) : nullptr) {
    s.variant = *shorter;
    s.tested = false;
  }
  return s;
}

void round_to_odd(StepKernel* s) {
  s->variant = *s->kernel->find(Loop::rounded_to_odd);
  s->tested = false;
}

Elements elements_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32: return Elements::f32;
    case Dtype::f16: return Elements::f16;
    case Dtype::bf16: return Elements::bf16;
    default: return Elements::own;
  }
}

void use_loop_of_memory(const Pass& pass, const MemoryKernels& memory, size_t numel, StepKernel* s) {
  const Kernel& kernel = *s->kernel;
  const Variant* loop = loop_of_memory(pass, kernel);
  if (!loop) return;
  s->variant = *loop;
  s->tested = false;  // the loop does it itself
  std::fill_n(s->in, kernel.num_in, loop->elements == Elements::f32 ? Ctype::f32 : Ctype::u16);
  s->out[0] = kernel.out[0] == Ctype::boolean ? Ctype::u8 : Ctype::u16;
  const Variant* gated = kernel.find(Loop::gated, loop->elements);
  if (!gated || numel < kWorthATable) return;
  const FillFn fill = kernel.find(Loop::gate_table, gated->elements)->fn.fill;
  s->variant = *gated;
  s->gates = shared_table(table_key(pass, memory), [&] {
    std::vector<uint8_t> table(65536 * sizeof(float));
    fill(reinterpret_cast<float*>(table.data()), s->attrs.data());
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
