// A step of a pass, made ready: the loop that computes it, and in which types.
#pragma once

#include <string>
#include <vector>

#include "cpu/kernel.h"
#include "cpu/memory/shared_table.h"
#include "problem/problem.h"

namespace tileops::cpu {

struct StepKernel {
  const Kernel* kernel = nullptr;  // of the body in the compute type; never freed
  const BodyInfo* body = nullptr;
  std::vector<AttrValue> attrs;
  Variant variant;  // of the kernel: a DenseFn
  Table gates;      // of Loop::gated: its third operand
  Ctype in[kMaxOperands] = {}, out[kMaxResults] = {};
  Elements elements[kMaxOperands + 1] = {};  // of a loop that mixes them: How::elements
  // f32 results are within `ulp` of exact ones: stores that narrow them test the rounding.
  bool tested = false;
  int ulp = 0;
  // In a program: slots of its operands and results; and of each result the store to whose memory it may be written at
  // once, or -1.
  int arguments[kMaxOperands] = {}, results[kMaxResults] = {}, stores[kMaxResults] = {-1, -1, -1, -1};

  bool can_store_non_temporal() const { return kernel->num_out == 1 && variant.non_temporal; }
  // Takes it operands as they lie in memory, of another type than the body computes in?
  bool converts_within() const { return variant.elements != Elements::own; }
  bool mixes() const { return variant.loop == Loop::mixed || variant.loop == Loop::inner; }

  void run(const void* const* from, void* const* to, size_t n, const AttrValue* attributes, bool non_temporal) const {
    const How how{non_temporal, elements};
    if (!gates) return variant.fn.dense(from, to, n, attributes, how);
    const void* with_table[] = {from[0], from[1], gates->data()};
    variant.fn.dense(with_table, to, n, attributes, how);
  }
};

// On loads and results in the types of its kernel.
// `inner`: by Loop::inner, if the kernel has that.
StepKernel make_step(const Step& step, const Kernel& kernel, bool inner = false);

// With f32 results from which narrower floats are rounded once; if the kernel has that loop.
void round_to_odd(StepKernel* step);

// What loops call elements of a dtype; `own` those that they do not convert.
Elements elements_of(Dtype dtype);

// Takes the loop over elements as they lie in memory, 16-bit floats or f32 to be tested, if the kernel of a pass's only
// step has one for the pass's dtypes.
void use_loop_of_memory(const Pass& pass, const MemoryKernels& memory, size_t numel, StepKernel* step);

// What a table of the only step of a pass depends on.
std::string table_key(const Pass& pass, const MemoryKernels& memory);

}  // namespace tileops::cpu
