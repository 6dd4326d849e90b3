// Numbers that were found by measuring, by compute capability, and what `auto` chooses by. Only those
// of sm_90 were measured (one H200, 2026). The other entries take them over but for what is known of
// the hardware without measuring; tileops_tune finds out on the device at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "op/dtype.h"

namespace tileops::cuda {

struct Tuning {
  int arch;  // from this compute capability on

  // Of a block. Small ones make room as soon as their last warp is done and registers are dealt out more finely (128
  // instead of 256: one to three per cent wherever computing counts, light bodies the same). Large ones for squares
  // and tables, a work that threads share, and where hardly anything is read (alibi 98 % of a copy, 71 with 128).
  int threads, large_threads;

  // A pack: one 16-byte access of the smallest operand, two of the largest (64 Mi elements, 16-bit in
  // and 8-bit out: 3.96 TB/s with 32 B -> 16 B a thread, 3.87 with 16 B -> 8 B), but not of results, which a warp
  // should write in one piece (bf16 to f32: 116 us with 16 B -> 32 B a thread, 102 with 8 B -> 16 B).
  int64_t least_bytes, most_bytes, written_bytes;

  // Packs a thread takes: one (3.99 TB/s for 1 read and 1 write; 3.85 with two), but two where
  // computing takes longer than the memory does, so that what a thread does once is shared (gelu with
  // erff 2.99 TB/s with one, 3.22 with two).
  int packs, heavy_packs;

  // Up to so many packs heavy bodies take one a thread, too: of few threads each is waited for (float32 gelu of 4 Mi
  // elements 10.5 us, with two packs 10.9; of 1 Mi 3.8 and 4.3).
  int64_t few_packs;

  // Blocks of so many threads on a multiprocessor that registers are bounded for where an f64 form stands behind a
  // rounding test (silu_and_mul in bf16: 132 instead of 200 us).
  int min_blocks;

  // Packs along the heads that share RoPE's sines and cosines: few below so many packs, where the threads would be too
  // few; from there on by the size of a result (f16 rope_neox of 32 Mi pairs 70 us with 4, 71 with 2, 77 with 8, the
  // blocks of which end late; e4m3 42 with 8, 45 with 4), and up to 8 twice as many where frequencies are divided.
  int few_repeats, byte_repeats, half_repeats, word_repeats;
  // Of 8 bits where four threads compute them together (e4m3 rope_neox 36 us with 4, 38 with 2, longrope 38 and 46). Of 16
  // bits each thread then takes one pack (bf16 rope_neox 65.7, with 2 66.9), or where frequencies are divided few.
  int shared_byte_repeats;
  int64_t repeat_many_from;

  // 16-byte accesses a thread of the 8-bit table kernel makes (a copy of the table serves them all),
  // and from how many elements on filling shared memory with the table costs less than it saves.
  int table_packs;
  int64_t table_from;
  int64_t halves_table_from;  // likewise of the 16-bit one and of that of pairs: 128 and 64 KiB a block

  // Threads of a block that keeps activations in shared memory (gate_window.h), and from how many elements on
  // filling it costs less than it saves.
  int window_threads;
  int64_t window_from;

  int64_t tile_bytes;  // shared memory of a transposed square, all operands together

  // Facts of the hardware: most shared memory of a block (16-bit tables need 128 KiB), threads of a multiprocessor.
  int64_t shared_bytes;
  int most_threads;
};

// sm_80 and sm_100 have the shared memory and registers of sm_90; sm_86, sm_89 and sm_120 have 1536
// threads and 100 KiB of shared memory a multiprocessor, which these numbers fit.
inline constexpr Tuning kTunings[] = {
    {80, 128, 256, 16, 32, 16, 1, 2, 1 << 20, 8, 2, 8, 4, 2, 4, 1 << 20, 2, 65536, 1 << 22, 1024, 1 << 22, 48 << 10, 163 << 10, 2048},   // not measured
    {86, 128, 256, 16, 32, 16, 1, 2, 1 << 20, 8, 2, 8, 4, 2, 4, 1 << 20, 2, 65536, 1 << 22, 1024, 1 << 22, 48 << 10, 99 << 10, 1536},    // not measured
    {89, 128, 256, 16, 32, 16, 1, 2, 1 << 20, 8, 2, 8, 4, 2, 4, 1 << 20, 2, 65536, 1 << 22, 1024, 1 << 22, 48 << 10, 99 << 10, 1536},    // not measured
    {90, 128, 256, 16, 32, 16, 1, 2, 1 << 20, 8, 2, 8, 4, 2, 4, 1 << 20, 2, 65536, 1 << 22, 1024, 1 << 22, 48 << 10, 227 << 10, 2048},   // H200
    {100, 128, 256, 16, 32, 16, 1, 2, 1 << 20, 8, 2, 8, 4, 2, 4, 1 << 20, 2, 65536, 1 << 22, 1024, 1 << 22, 48 << 10, 227 << 10, 2048},  // not measured
    {120, 128, 256, 16, 32, 16, 1, 2, 1 << 20, 8, 2, 8, 4, 2, 4, 1 << 20, 2, 65536, 1 << 22, 1024, 1 << 22, 48 << 10, 99 << 10, 1536},   // not measured
};

constexpr const Tuning& tuning_of(int arch) {
  const Tuning* best = &kTunings[0];
  for (const Tuning& t : kTunings)
    if (t.arch <= arch) best = &t;
  return *best;
}

// Bodies that take about as long as the memory or longer: for 16-bit operands, and for 32-bit ones (share of
// the copy with one pack and with two: softplus 87 and 96 %, mish 92 and 96, log1p 92 and 98, gelu 90 and 94).
inline constexpr std::string_view kHeavyBodies[] = {
    "cos", "dropout", "elu", "erf", "expm1", "gelu", "log", "log1p", "selu", "sin", "softplus",
};
inline constexpr std::string_view kHeavyWideBodies[] = {
    "dropout", "erf", "gelu", "gelu_and_mul", "gelu_tanh", "gelu_tanh_and_mul", "log", "log1p", "mish", "pow",
    "silu_and_mul", "softplus", "softplus_one", "tanh",
};
// Of bf16 alone: pow 118 us with one pack, 110 with two (f16, which needs more registers, 174 and 203), silu 67.9 and 66.2.
inline constexpr std::string_view kHeavyBf16Bodies[] = {"pow", "silu"};
// Of f64 constants serve two packs, and a thread waits for more at a time (sin 285 us with one, 259 with two).
inline constexpr std::string_view kHeavyDoubleBodies[] = {
    "cos", "erf", "gelu_and_mul", "gelu_tanh", "gelu_tanh_and_mul", "mish", "pow", "sin", "softplus", "softplus_one",
};
// Of 8 bits (dropout 84.9 us with one and 79.5 with two, prelu of e4m3 36.7 and 34.4), and of e5m2 alone, whose gates
// fill a table of activations first (silu_and_mul 53.1 and 49.9; of e4m3 49.0 and 49.7).
inline constexpr std::string_view kHeavyByteBodies[] = {"dropout", "prelu"};
inline constexpr std::string_view kHeavyE5m2Bodies[] = {"gelu_and_mul", "gelu_tanh_and_mul", "silu_and_mul"};

// Kernels, by the beginning of their names, that do better with another number of registers than the compiler chooses:
// with those that so many blocks of 128 threads leave (of these results; those of other dtypes spill). Share of the
// copy so and otherwise, 64 Mi elements on an H200 when each was found.
struct BlocksOf {
  std::string_view name;
  int blocks;
};
inline constexpr BlocksOf kBlocks[] = {
    {"selu<float32>(f16 dense)->(f16 dense", 16},                                     // 99, 95
    {"gelu<float32>(bf16 dense)->(bf16 dense", 16},                                   // 91, 89
    {"mish<float32>(f16 dense)->(f16 dense", 14},                                     // 100, 95
    {"rope<float32>(f16 even", 9},                                                    // 95, 91
    {"rope<float32>(bf16 even", 9},                                                   // 95, 91
    {"rope<float32>(e4m3fn even", 8},                                                 // 92, 81
    {"rope<float32>(e5m2 even", 8},
    {"erf<float32>(f16 dense)->(f16 dense", 14},                                      // 93, 91
    {"pow<float32>(float dense, double fixed)->(float dense", 16},                    // 88, 85
    {"pow<float32>(f16 dense, f16 dense)->(f16 dense", 10},                           // 55, 54
    {"gelu_and_mul<float32>(float row, float row)->(float dense", 10},                // 97, 96
    {"gelu_tanh_and_mul<float32>(float row, float row)->(float dense", 10},           // 99, 98
    {"gelu_and_mul<float32>(float dense, float dense)->(float dense", 10},            // 100, 97
    {"silu_and_mul<float32>(bf16 dense, bf16 dense)->(bf16 dense", 12},               // 99, 97
    {"eq<float32>(f16 dense, f16 dense", 10},                                         // 100, 97
    {"ne<float32>(f16 dense, f16 dense", 10},                                         // 100, 96
    {"gt<float32>(f16 dense, f16 dense", 10},                                         // 99, 97
    {"lt<float32>(f16 dense, f16 dense", 10},                                         // 100, 96
    {"ge<float32>(f16 dense, f16 dense", 10},                                         // 99, 96
    {"le<float32>(f16 dense, f16 dense", 10},                                         // 102, 96
    {"gelu<float32>(f16 dense)->(f16 dense", 16},                                     // 97, 95
    {"sin<float32>(bf16 dense)->(bf16 dense", 14},                                    // 99, 98
    {"cos<float32>(bf16 dense)->(bf16 dense", 14},                                    // 97, 94
    {"expm1<float32>(bf16 dense)->(bf16 dense", 14},                                  // 96, 94
    {"sin<float32>(f16 dense)->(f16 dense", 14},                                      // 99, 98
    {"cos<float32>(f16 dense)->(f16 dense", 14},                                      // 99, 98
    {"dropout<float32>(bf16 dense, i64 index, i64 fixed, i64 fixed)->(bf16 dense", 8},  // 74, 69
    {"dropout<float32>(float dense, i64 index, i64 fixed, i64 fixed)->(float dense", 12},  // 99, 95
    {"dropout<float32>(f16 dense, i64 index, i64 fixed, i64 fixed)->(f16 dense", 12},  // 73, 72
    {"dropout<float64>(double dense, i64 index, i64 fixed, i64 fixed)->(double dense", 12},  // 88, 84
    {"tanh<float64>(double dense)->(double dense", 14},                               // 100, 93
    {"erf<float64>(double dense)->(double dense", 10},                                // 90, 84
    {"gelu<float64>(double dense)->(double dense", 8},                                // 72, 69
    {"floor_divide<float64>(double dense, double dense)->(double dense", 10},         // 77, 75
    {"remainder<float64>(double dense, double dense)->(double dense", 10},            // 100, 98
    {"prelu<float32>(e4m3fn dense", 16},                                              // 91, 84
    {"lerp<float32>(e4m3fn dense, e4m3fn dense, e4m3fn dense", 10},                   // 82, 75
};
constexpr int blocks_of(std::string_view name, int otherwise) {
  for (const BlocksOf& b : kBlocks)
    if (name.substr(0, b.name.size()) == b.name) return b.blocks;
  return otherwise;
}

// Of two 8-bit floats: those that take longer than looking the pair up (64 Mi elements of e4m3 on an H200, us: pow 205
// and 65, floor_divide 104 and 67; but div 48; a copy 48).
inline constexpr std::string_view kPairTableBodies[] = {"div_trunc", "floor_divide", "pow", "remainder"};

template <size_t N>
constexpr bool is_among(std::string_view body, const std::string_view (&names)[N]) {
  for (const std::string_view name : names)
    if (name == body) return true;
  return false;
}

inline bool is_heavy(std::string_view body, Dtype out) {
  switch (dtype_size(out)) {
    case 1: return is_among(body, kHeavyByteBodies) || (out == Dtype::e5m2 && is_among(body, kHeavyE5m2Bodies));
    case 2: return is_among(body, kHeavyBodies) || (out == Dtype::bf16 && is_among(body, kHeavyBf16Bodies));
    case 4: return is_among(body, kHeavyWideBodies);
    case 8: return is_among(body, kHeavyDoubleBodies);
    default: return false;
  }
}

}  // namespace tileops::cuda
