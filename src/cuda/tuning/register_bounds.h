// Kernels that do better with another number of registers than the compiler chooses: with as many
// as so many blocks of a multiprocessor leave. A row is for kernels of its structure alone, since
// those of other dtypes spill, and is kept only if it gains more than 3 points.
#pragma once

#include <cstddef>
#include <string_view>

#include "op/dtype.h"
#include "tileops/device/cuda/kernel/traversal.h"

namespace tileops::cuda {

using AccessPattern = kernels::access_pattern;
using TraversalOrder = kernels::traversal_order;

struct RegisterBound {
  std::string_view body;
  Dtype dtype;            // of the first loads and of the result, which may be bool
  AccessPattern pattern;  // of these loads, and of the result
  int loads;              // how many of them
  int blocks;
};

struct RegisterBounds {
  const RegisterBound* rows = nullptr;
  size_t count = 0;
  constexpr const RegisterBound* begin() const { return rows; }
  constexpr const RegisterBound* end() const { return rows + count; }
};

// Throughput as a share of a copy's, with the bound and without: 64 Mi elements, H200, 2026.
inline constexpr RegisterBound kSm90Rows[] = {
    {"selu", Dtype::f16, AccessPattern::dense, 1, 16},   // 99, 95
    {"mish", Dtype::f16, AccessPattern::dense, 1, 14},   // 100, 95
    {"rope", Dtype::f16, AccessPattern::even, 1, 9},     // 95, 91
    {"rope", Dtype::bf16, AccessPattern::even, 1, 9},    // 95, 91
    {"rope", Dtype::e4m3fn, AccessPattern::even, 1, 8},  // 92, 81
    {"rope", Dtype::e5m2, AccessPattern::even, 1, 8},    // as e4m3fn
    // Comparisons differ by an instruction: 100, 96 on average.
    {"eq", Dtype::f16, AccessPattern::dense, 2, 10},        // 100, 97
    {"ne", Dtype::f16, AccessPattern::dense, 2, 10},        // 100, 96
    {"gt", Dtype::f16, AccessPattern::dense, 2, 10},        // 99, 97
    {"lt", Dtype::f16, AccessPattern::dense, 2, 10},        // 100, 96
    {"ge", Dtype::f16, AccessPattern::dense, 2, 10},        // 99, 96
    {"le", Dtype::f16, AccessPattern::dense, 2, 10},        // 102, 96
    {"dropout", Dtype::bf16, AccessPattern::dense, 1, 8},   // 74, 69
    {"dropout", Dtype::f32, AccessPattern::dense, 1, 12},   // 99, 95
    {"dropout", Dtype::f64, AccessPattern::dense, 1, 12},   // 88, 84
    {"tanh", Dtype::f64, AccessPattern::dense, 1, 14},      // 100, 93
    {"erf", Dtype::f64, AccessPattern::dense, 1, 10},       // 90, 84
    {"prelu", Dtype::e4m3fn, AccessPattern::dense, 1, 16},  // 91, 84
    {"lerp", Dtype::e4m3fn, AccessPattern::dense, 3, 10},   // 82, 75
};
inline constexpr RegisterBounds kSm90RegisterBounds{kSm90Rows, sizeof kSm90Rows / sizeof *kSm90Rows};

}  // namespace tileops::cuda
