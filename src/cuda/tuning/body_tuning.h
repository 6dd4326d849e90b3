// What was found by measuring about single bodies (H200, 2026; times of 64 Mi elements).
#pragma once

#include <string_view>

#include "op/dtype.h"

namespace tileops::cuda {

// Results of which a thread takes two vectors instead of one, since computing takes about as long
// as the memory does and what a thread does once is then shared (gelu with erff: 3.22 TB/s, 2.99
// with one). In f64 constants serve two vectors and a thread has more loads on the way (sin: 259
// us, 285 with one).
enum TwoVecs : unsigned {
  kNever = 0,
  k8Bits = 1,    // dropout: 79.5 us, 84.9 with one; prelu of e4m3: 34.4 and 36.7
  kE5m2 = 2,     // gates fill a table first: silu_and_mul 49.9 us, 53.1 with one; e4m3 49.7 and 49.0
  k16Bits = 4,   // hypot: 129 us, 137 with one; logaddexp 283 and 297
  kBf16 = 8,     // pow: 110 us, 118 with one; f16, which needs more registers, 203 and 174
  k32Bits = 16,  // softplus: 96 % of a copy, 87 with one; mish 96, 92; log1p 98, 92; gelu 94, 90; sinh 88, 82
  k64Bits = 32,
};

enum BodyHints : unsigned {
  kNone = 0,
  // Two 8-bit operands: looking a pair up is faster (pow 65 us, 205 computed; floor_divide 67 and
  // 104; but not div, 48).
  kLookUpPairs = 1,
  // One 16-bit operand: a table of all 65,536 results is faster. It takes 70 us whatever the body is; computing takes
  // from 78 us (exp2) to 1900 us (lgamma).
  kLookUp16Bits = 2,
  // Gated, in bf16: computing the activation is as fast as having it in shared memory (102 us;
  // 104).
  kComputeBf16Gate = 4,
  // RoPE with divided frequencies: its angles take longer, so up to eight rows, twice as many as
  // usual, share them.
  kLongStage = 8,
  // Computes long enough for small blocks even where nothing is read.
  kSmallBlocks = 16,
};

struct BodyTuning {
  std::string_view body;
  unsigned two_vecs = kNever;
  unsigned hints = kNone;
};

inline constexpr BodyTuning kBodyTunings[] = {
    {"acos", k32Bits, kLookUp16Bits},
    {"acosh", k32Bits, kLookUp16Bits},
    {"asin", k32Bits, kLookUp16Bits},
    {"asinh", kNever, kLookUp16Bits},
    {"atan", k32Bits, kLookUp16Bits},
    {"atan2", k32Bits},
    {"atanh", k32Bits, kLookUp16Bits},
    {"cos", k16Bits | k64Bits},
    {"cosh", k32Bits, kLookUp16Bits},
    {"div_trunc", kNever, kLookUpPairs},
    {"dropout", k8Bits | k16Bits | k32Bits},
    {"elu", k16Bits},
    {"erf", k16Bits | k32Bits | k64Bits},
    {"erfc", kNever, kLookUp16Bits},
    {"erfinv", kNever, kLookUp16Bits},
    {"exp2", kNever, kLookUp16Bits},
    {"expm1", k16Bits},
    {"floor_divide", kNever, kLookUpPairs},
    {"fmod", k16Bits},
    {"gelu", k16Bits | k32Bits},
    {"gelu_and_mul", kE5m2 | k32Bits | k64Bits},
    {"gelu_tanh", k32Bits | k64Bits},
    {"gelu_tanh_and_mul", kE5m2 | k32Bits | k64Bits},
    {"hypot", k16Bits},
    {"lgamma", kNever, kLookUp16Bits},
    {"log", k16Bits | k32Bits},
    {"log10", k32Bits, kLookUp16Bits},
    {"log1p", k16Bits | k32Bits},
    {"log2", k32Bits, kLookUp16Bits},
    {"logaddexp", k16Bits | k32Bits},
    {"logsigmoid", k32Bits, kLookUp16Bits},
    {"mish", k32Bits | k64Bits},
    {"pow", kBf16 | k32Bits | k64Bits, kLookUpPairs | kLookUp16Bits},
    {"prelu", k8Bits},
    {"remainder", kNever, kLookUpPairs},
    {"rope_rescaled", kNever, kLongStage},
    {"selu", k16Bits},
    {"silu", kBf16},
    {"silu_and_mul", kE5m2 | k32Bits, kComputeBf16Gate},
    {"sin", k16Bits | k64Bits},
    {"sinc", k32Bits, kLookUp16Bits},
    {"sinh", k32Bits, kLookUp16Bits},
    {"sinusoidal", kNever, kSmallBlocks},
    {"softplus", k16Bits | k32Bits | k64Bits},
    {"softplus_one", k32Bits | k64Bits},
    {"softsign", k16Bits},
    {"tan", k32Bits, kLookUp16Bits},
    {"tanh", k32Bits},
    {"tanhshrink", k32Bits, kLookUp16Bits},
};

constexpr BodyTuning body_tuning(std::string_view body) {
  for (const BodyTuning& b : kBodyTunings)
    if (b.body == body) return b;
  return {body};
}

inline bool has_hint(std::string_view body, BodyHints hint) { return (body_tuning(body).hints & hint) != 0; }

inline bool takes_two_vecs(std::string_view body, Dtype result) {
  unsigned kinds = result == Dtype::e5m2 ? kE5m2 : result == Dtype::bf16 ? kBf16 : 0u;
  switch (dtype_size(result)) {
    case 1: kinds |= k8Bits; break;
    case 2: kinds |= k16Bits; break;
    case 4: kinds |= k32Bits; break;
    case 8: kinds |= k64Bits; break;
    default: break;
  }
  return (body_tuning(body).two_vecs & kinds) != 0;
}

}  // namespace tileops::cuda
