// Numbers that were found by measuring, by compute capability. Only those of sm_90 were measured (one
// H200); other architectures take them over until somebody measures there.
#pragma once

#include <string_view>

namespace tileops::cuda {

struct Tuning {
  int arch;          // from this compute capability on
  int threads;       // of a block
  // 16-byte accesses a thread makes to each operand: one (3.99 TB/s for 1 read and 1 write; 3.85 with
  // two), but two where computing takes longer than the memory does, so that what a thread does once
  // is shared (gelu with erff 2.99 TB/s with one, 3.22 with two).
  int heavy_accesses;
  // Blocks of a multiprocessor that registers are bounded for where an f64 form stands behind a
  // rounding test (silu_and_mul in bf16: 132 instead of 200 us).
  int min_blocks;
  int turning_min_blocks;  // likewise of RoPE's kernels: with 4, which is 64 registers, they spill
  int repeat;           // packs along the heads that share RoPE's sines and cosines
  int lookup_accesses;  // of the 8-bit table kernel: a copy of the table serves them all
};

inline constexpr Tuning kTunings[] = {
    {80, 256, 2, 4, 3, 4, 2},
    {90, 256, 2, 4, 3, 4, 2},
};

constexpr const Tuning& tuning_of(int arch) {
  const Tuning* best = &kTunings[0];
  for (const Tuning& t : kTunings)
    if (t.arch <= arch) best = &t;
  return *best;
}

// Bodies that take about as long as the memory or longer, for 16-bit operands.
inline constexpr std::string_view kHeavyBodies[] = {
    "cos", "dropout", "elu", "erf", "expm1", "gelu", "log", "log1p", "selu", "sin", "softplus",
};

constexpr bool is_heavy(std::string_view body) {
  for (const std::string_view name : kHeavyBodies)
    if (name == body) return true;
  return false;
}

}  // namespace tileops::cuda
