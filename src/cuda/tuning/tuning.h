// Numbers that were found by measuring, by architecture. Those of sm_90 were measured on one H200
// (2026); the figures beside them are of 64 Mi elements there unless they say otherwise. The other
// architectures take them over but for what is known of their hardware; tileops_tune finds out more
// on the device at hand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/tuning/register_bounds.h"

namespace tileops::cuda {

// The base: what holds unless an architecture says otherwise below.
struct Tuning {
  int arch = 80;  // from this compute capability on

  // Threads of a block. Small blocks make room as soon as their last warp is done, and registers
  // are dealt out more finely: with 128 instead of 256 whatever computes is 1 to 3 % faster. Large
  // ones suit squares and tables, whose work threads share, and kernels that hardly read anything
  // (alibi: 98 % of a copy, 71 % with 128).
  int threads = kernels::kThreads;
  int large_threads = 256;

  // A vector: one access of 16 bytes to the smallest operand and two to the largest (16 bits in, 8
  // out: 3.96 TB/s with 32 B -> 16 B a thread, 3.87 with 16 B -> 8 B), but one to results, which a
  // warp should write in one piece (bf16 to f32: 102 us with 8 B -> 16 B a thread, 116 with 16 B ->
  // 32 B).
  int64_t smallest_operand_bytes = kernels::kSmallestOperandBytes;
  int64_t largest_operand_bytes = kernels::kLargestOperandBytes;
  int64_t largest_result_bytes = kernels::kLargestResultBytes;

  // Vectors that a thread takes: one (a read and a write: 3.99 TB/s, 3.85 with two), or two where
  // body_tuning.h says so and the space has more vectors than `few_vecs`: of few threads each is
  // waited for (float32 gelu of 4 Mi elements: 10.5 us with one, 10.9 with two).
  int64_t few_vecs = kernels::kFewPacks;

  // The same of expressions, by their instructions (steps/computation.h) for each byte of operands and results. (64 Mi
  // elements, float32 unless said, H200, November 2026.) Two vectors where these are many: bias_gelu 134.6 us, 144.7
  // with one; in bf16 77.3 and 86.4; srgb_to_linear 174 and 198; but a product and a sum 244.3 and 243.5. With an
  // operand that is the same along rows four: snake 131.4 us, with two 137.7, with one 148.8; normalise_u8 85.4, 90.0
  // and 94.4.
  double heavy_instructions_per_byte = 2.3;
  int heavy_vecs = 2;
  int heavy_vecs_with_broadcasts = 4;

  // Blocks of so many threads on a multiprocessor that registers are bounded for where a form in
  // f64 stands behind a rounding test (silu_and_mul in bf16: 132 us, 200 without a bound).
  int rounding_test_blocks = 8;
  // Kernels with a bound of their own.
  RegisterBounds register_bounds;

  // Vectors along the heads that share RoPE's sines and cosines. Below `many_stage_vecs` few, so
  // that there are threads enough; from there on by the size of a result (f16 rope_neox: 70 us with
  // 4, 71 with 2, 77 with 8; e4m3: 42 with 8, 45 with 4).
  int64_t many_stage_vecs = 1 << 20;
  int few_stage_rows = 2;
  int stage_rows_8_bits = 8;
  int stage_rows_16_bits = 4;
  int stage_rows_wider = 2;
  // Most pairs of a thread that computes their angles alone: for 16 it has too few registers.
  int stage_pairs_alone = 8;
  // Threads that compute angles together where the layout lets them: fewer heads need to share
  // angles then, and more threads are on the way (16 heads of 128: f16 rope_neox 71 -> 67 us,
  // longrope 80 -> 68, e4m3 rope_neox 43 -> 36, longrope 51 -> 38).
  int cooperating_stage_threads = 4;
  // Rows of a thread for 8 bits where four threads compute the angles together (e4m3: rope_neox 36
  // us with 4, 38 with 2; longrope 38 and 46). For 16 bits one is best (bf16 rope_neox: 65.7
  // us, 66.9 with 2).
  int cooperating_stage_rows_8_bits = 4;

  // Rows (kernels/rows.h). Packs that a thread has of a row, where there are rows enough to fill the device. Most warps
  // of a row before threads take more packs than that; warps of a row that is read again by each stage. Bytes of its
  // loads that a thread keeps, in blocks of up to 512 threads and of more; most elements; and of how many of these it
  // keeps what was dear to compute.
  int row_packs = 4;
  int row_warps = 16;
  int long_row_warps = 32;
  int64_t row_bytes = 256;
  int64_t row_bytes_of_many_threads = 128;
  int64_t row_elements = 64;
  int row_values_kept = 32;
  // A row of at most so many elements, and so many bytes of its widest operand (where elements are read one by one: of
  // any number of bytes), has one thread, if there are rows enough: threads exchange nothing then, and one of them does
  // what is done once a row. H200, November and December 2026, microseconds with several threads a row and with one:
  // entropy of 8 Mi rows of ten bf16 407 and 137, variance of 20 Mi rows of seven bytes 367 and 171; but mean of rows
  // of 23 bf16 48 and 147; softmax of 4 M rows of ten f32 147 and 90, amin of as many rows of eight i64 85 and 72.
  int64_t short_row = 16, short_row_bytes = 64;
  // Threads of a multiprocessor where values are added up over blocks: with more of them there are too few registers
  // for the sums.
  int row_threads_of_sums = 256;
  // Rows that registers do not hold are kept in shared memory, with so many bytes of each thread block that several
  // share a multiprocessor (0: none are kept), by so many warps of each of at most so many thread blocks.
  int64_t row_bytes_in_shared_memory = 0;
  int staged_warps = 8;
  int cluster = 1;
  // Blocks that lie side by side (kernels/columns.h): of how many a thread has the elements, and of how many bytes at
  // most; elements of each that it asks for at a time.
  int columns = 4;
  int64_t column_bytes = 8;
  int column_packs = 8;
  int column_threads = 512;  // most of a block, where there are few columns

  // Tables of all results, which a block copies to shared memory first. Accesses of 16 bytes that a
  // thread makes then, and the least number of elements for a table of 8-bit codes and of 16-bit
  // codes or pairs.
  int lookup_vecs = 2;
  int64_t lookup_from = 65536;
  int64_t large_lookup_from = 1 << 22;

  // The same for kernels that have the activations of gates in shared memory.
  int activation_table_threads = 1024;
  int64_t activation_table_from = 1 << 22;

  int64_t tile_bytes = 48 << 10;  // shared memory of a transposed square, all operands together

  // Facts of the hardware: most shared memory of a block, most threads of a multiprocessor.
  int64_t shared_bytes = 163 << 10;
  int max_threads = 2048;
};

namespace tunings {

constexpr Tuning sm_80() { return {}; }

constexpr Tuning sm_86() {
  Tuning t = sm_80();
  t.arch = 86;
  t.shared_bytes = 99 << 10;
  t.max_threads = 1536;
  return t;
}

constexpr Tuning sm_89() {
  Tuning t = sm_86();
  t.arch = 89;
  return t;
}

constexpr Tuning sm_90() {
  Tuning t = sm_80();
  t.arch = 90;
  t.shared_bytes = 227 << 10;
  t.cluster = 8;
  t.row_bytes_in_shared_memory = 72 << 10;
  t.register_bounds = kSm90RegisterBounds;
  return t;
}

constexpr Tuning sm_100() {
  Tuning t = sm_80();
  t.arch = 100;
  t.shared_bytes = 227 << 10;
  t.cluster = 8;
  t.row_bytes_in_shared_memory = 72 << 10;
  return t;
}

constexpr Tuning sm_120() {
  Tuning t = sm_86();
  t.arch = 120;
  return t;
}

}  // namespace tunings

inline constexpr Tuning kTunings[] = {tunings::sm_80(), tunings::sm_86(),  tunings::sm_89(),
                                      tunings::sm_90(), tunings::sm_100(), tunings::sm_120()};

constexpr const Tuning& tuning_of(int arch) {
  const Tuning* best = &kTunings[0];
  for (const Tuning& t : kTunings)
    if (t.arch <= arch && t.arch > best->arch) best = &t;
  return *best;
}

}  // namespace tileops::cuda
