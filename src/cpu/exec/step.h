// A step of a pass, made ready: the function that computes it, and in which types.
#pragma once

#include <string>
#include <vector>

#include "cpu/kernel.h"
#include "cpu/memory/shared_table.h"
#include "problem/problem.h"

namespace tileops::cpu {

struct StepKernel {
  const Kernel* kernel = nullptr;  // of the body in the compute type; never freed
  std::vector<AttrValue> attrs;
  BodyFn fn = nullptr;
  BodyFn non_temporal = nullptr;  // likewise, with results that bypass the cache; or NULL
  // Instead of the two: a loop that converts and rounds within, of 16-bit floats, or a test of f32.
  HalfFn half = nullptr;
  int half_dtype = -1;  // kHalfF16, kHalfBf16 or kHalfF32
  Table gates;          // its third operand, or NULL
  Ctype in[kMaxOperands] = {}, out[kMaxResults] = {};
  // In a program, instead of `fn`: operands and result are of these forms.
  MixedFn mixed = nullptr;
  FloatForm forms[kMaxOperands + 1] = {};
  // f32 results are within `ulp` of exact ones: stores that narrow them test the rounding.
  bool tested = false;
  int ulp = 0;
  // In a program: slots of its operands and results.
  int arguments[kMaxOperands] = {}, results[kMaxResults] = {};

  bool can_store_non_temporal() const { return kernel->num_out == 1 && (half || non_temporal || mixed); }

  void run(const void* const* from, void* const* to, size_t n, bool non_temporal_stores) const {
    if (gates) {
      const void* with_table[] = {from[0], from[1], gates->data()};
      half(with_table, to, n, attrs.data(), non_temporal_stores);
    } else if (half) {
      half(from, to, n, attrs.data(), non_temporal_stores);
    } else {
      (non_temporal_stores && non_temporal ? non_temporal : fn)(from, to, n, attrs.data());
    }
  }
};

// On loads and results in the types of its kernel.
// `inner`: in the kernel's short form, if it has one.
StepKernel make_step(const Step& step, const Kernel& kernel, bool inner = false);

// In a program: by a loop whose operands and result have forms of their own, f32 unless others are said.
void use_forms(StepKernel* step, MixedFn mixed);

// With f32 results from which narrower floats are rounded once; if the kernel has that form.
void round_to_odd(StepKernel* step);

// Takes the loop over 16-bit floats, or the test of f32, if the kernel of a pass's only step has
// one for the pass's dtypes.
void use_half_loop(const Pass& pass, const MemoryKernels& memory, size_t numel, StepKernel* step);

// What a table of the only step of a pass depends on.
std::string table_key(const Pass& pass, const MemoryKernels& memory);

}  // namespace tileops::cpu
