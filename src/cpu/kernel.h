// Kernels of the CPU backend: plain functions over blocks, one set per instruction set.
// This header crosses between translation units compiled for different ISAs: it holds no inline
// code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "op/dtype.h"
#include "op/reduction.h"
#include "tileops/device/attributes.h"

namespace tileops::cpu {

using device::AttrValue;

// Operands and results of a body, at most: the room in tables of kernels. loops/loops.h refuses to compile a body with
// more. An operator may have other inputs than its body has operands: positions and constants of a plan are operands,
// too. RoPE with rescaled frequencies has the most, 6.
constexpr int kMaxOperands = 8, kMaxResults = 4;

// Elements of a block: an 8-byte operand fills 8 KiB, so that a ternary op's scratch stays in L1
// for f32 and in L2 for f64.
constexpr size_t kBlock = 1024;

// Body over n dense elements. in[k] and out[k] are of the types that the kernel names; operands of bool may be any
// bytes, of which 0 is false.
using BodyFn = void (*)(const void* const* in, void* const* out, size_t n, const AttrValue* attrs);

// A 2-D piece of memory for bodies of two operands; steps in bytes from row to row. `non_temporal`: results go
// past the cache.
struct Rows {
  size_t rows, cols;
  const void* in[2];
  void* out;
  ptrdiff_t in_step[2], out_step;
  bool non_temporal;
};
using RowsFn = void (*)(const Rows& rows, const AttrValue* attrs);
constexpr size_t kSharedRow = 1024;

// Body over n dense 16-bit floats; `non_temporal`: results go past the cache.
using HalfFn = void (*)(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, bool non_temporal);

// The same of two operands, with the f32 results of a function of the first looked up: in[2] is their table.
struct GatedKernel {
  HalfFn fn;
  void (*fill)(float* table, const AttrValue* attrs);  // 65536, by code
};

// Body over n dense elements that are f32, or 16-bit floats of one dtype: operands and result each in the form that
// `forms` says, the result's last. Results are plainly rounded; `non_temporal`: they go past the cache, to whole lines.
enum class FloatForm : uint8_t { f32, f16, bf16 };
using MixedFn = void (*)(const void* const* in, void* out, size_t n, const AttrValue* attrs, const FloatForm* forms,
                         bool non_temporal);

// Kernel::op where a kernel does two operators of an expression, one after the other (isa/pairs.cc); and which two.
constexpr int32_t kPairs = -1;
struct Pair {
  int32_t first, second;  // operators or functions, of each the first body
  int into;               // which operand of the second one is the result of the first
  bool either;            // it may as well be the other one of two
};

struct Kernel {
  int32_t op;
  int32_t body;  // index within the operator's list
  Ctype ctype;
  BodyFn fn;
  BodyFn non_temporal;  // the same, with results that go past the cache; f32, tests of f32, selections; else NULL
  int num_in, num_out;
  Ctype in[kMaxOperands], out[kMaxResults];

  // f32 bodies of two operands, by which of them is one value per row: none, the first, the second.
  RowsFn rows[3];

  // f32 bodies over 16-bit floats, all operands of one dtype: conversion, body and correct rounding
  // in one loop. NULL where there is none. Index: kHalfF16, kHalfBf16.
  HalfFn half[2];
  bool half_beats_lookup[2];  // does it take no longer than a lookup?
  // Likewise, as `rows`; the first where the second operand is one row for all, of at most kSharedRow elements, a
  // multiple of 64.
  RowsFn half_rows[2][3];
  GatedKernel gated[2];  // likewise

  // Bodies whose result is a bool, over operands of one dtype: the two and f32.
  HalfFn predicate[3];

  // The same body in f64, for results too close to a tie: of f32 bodies with an error bound, of others NULL.
  BodyFn recompute;
  bool widened[kMaxOperands];  // operands that are f64 there, f32 here

  // For steps of an expression: the body where that is light; and one within 2^-20 of it (simd/inner.h). Or NULL.
  MixedFn mixed, inner;
  bool inner_beats_lookup;  // does it take no longer than to look results up as f32?

  // f32 results rounded to odd, from which narrower floats are rounded once. NULL: there is `recompute`.
  BodyFn rounded_to_odd;

  // Bodies in two stages: `early` of the operands from num_late on, `late` of the others and its two
  // results. Where the former are the same for many rows, so are these results.
  int num_late;
  BodyFn early, late;

  bool cheap;     // a few arithmetic instructions
  bool identity;  // the load and the store do everything

  Pair pair;  // if op is kPairs
};

// Index of a dtype in Kernel::half and in the arrays like it.
constexpr int kHalfF16 = 0, kHalfBf16 = 1, kHalfF32 = 2;

// A 2-D piece of a strided operand; strides in bytes. Of a packed dtype they count elements, as `first` does: how many
// of them lie in the byte that is pointed to before the tile's.
struct Tile {
  size_t rows, cols;
  ptrdiff_t row_stride, col_stride;
  size_t first = 0;
};

// Strided storage to dense compute type, and back.
using LoadFn = void (*)(const void* src, const Tile& tile, void* dst);
using StoreFn = void (*)(const void* src, const Tile& tile, void* dst);

// Stores dense f32 results that are within `ulp` of exact, and lists those whose rounding to the
// narrower storage the error could change. Returns their number; `doubtful` has room for all.
using TestedStoreFn = size_t (*)(const float* src, const Tile& tile, void* dst, int ulp, uint16_t* doubtful);

// dst = table[src], with elements of 1, 2, 4 or 8 bytes; past the cache, if wanted.
using LookupFn = void (*)(const void* src, const void* table, size_t n, void* dst, bool non_temporal);

// Dense conversion past the cache.
using NonTemporalConvertFn = void (*)(const void* src, size_t n, void* dst);

// Storage as a destination: the dtypes, and behind them the dtypes that saturate.
constexpr int kNumStores = 2 * kNumDtypes;

struct MemoryKernels {
  LoadFn load[kNumDtypes][kNumCtypes];
  StoreFn store[kNumCtypes][kNumStores];
  TestedStoreFn tested_store[kNumStores];  // NULL where f32 is not narrowed
  LookupFn lookup[4];                      // by log2 of the element size
  LookupFn lookup16[4];                    // the same for 16-bit elements; src then holds uint16_t
  // dst[r, c] = origin + r * row_stride + c * col_stride
  void (*fill_index)(int64_t origin, const Tile& tile, int64_t* dst);
  void (*fill_index_f32)(int64_t origin, const Tile& tile, float* dst);  // all, and their differences, below 2^24
  // dst = even[0], odd[0], even[1] and so on; by log2 of the element size.
  void (*zip[4])(const void* even, const void* odd, size_t n, void* dst);
  // Dense copy that bypasses the cache; dst aligned to 64 bytes, n a multiple of 64.
  void (*non_temporal_copy)(void* dst, const void* src, size_t n);
  void (*non_temporal_fence)();
  // From, to; NULL where it is done by way of scratch.
  NonTemporalConvertFn non_temporal_convert[kNumDtypes][kNumDtypes];
};

struct ReduceKernel;  // cpu/reduce.h
struct SumOrder;
struct ScanKernel;
struct ScanOrder;

struct KernelSink {
  void (*add)(void* user, const Kernel& kernel);
  void* user;
};

// Constants: code of an instruction set must not run while the library is loaded.
struct IsaKernels {
  const char* name;
  void (*add_kernels)(KernelSink sink);
  const MemoryKernels* (*memory)();
  // The kernel of a reduction in a type; false where there is none.
  bool (*reduction)(Reduction by, Ctype type, const SumOrder& order, ReduceKernel* out);
  bool (*scan)(Reduction by, Ctype type, const ScanOrder& order, ScanKernel* out);
};

// Instruction sets that were compiled in and that this CPU runs, best first.
const IsaKernels* const* usable_isas(int* count);
bool isa_compiled_in(const char* name);
const char* compiled_isas();  // "avx512vbmi avx512 avx2 baseline"

}  // namespace tileops::cpu
