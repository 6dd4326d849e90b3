// Kernels of the CPU backend: plain functions over blocks, one set per instruction set.
// This header crosses between translation units compiled for different ISAs: it holds no inline
// code.
//
// Where things are. Below this header, compiled once for each instruction set: what a register, or a block of a few, is
// given and gives (simd); what the fast paths know of a body beyond its formula (forms); a body over memory, or memory
// alone (loops); the tables of all that (isa; vbmi for what byte permutations make quicker). Above it: an operand's way
// to kernels and back (memory); what runs an operator's pass (exec), a pass of several steps (program), one of rows
// (rows), and on how many threads (threads).
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

// What lies where a loop takes its operands from and puts its result: elements of the types that the kernel names, or
// of one float dtype, to and from which it converts in registers.
enum class Elements : uint8_t { own, f32, f16, bf16 };

// The loops that a kernel may have, with the types of their functions. To add one, add it here and to the kernels that
// have it (loops/loops.h).
enum class Loop : uint8_t {
  // DenseFn: the body over dense elements. 16-bit floats are rounded as the operator's results are, once; f32 elements
  // of a body of bools are tested.
  dense,
  // RowsFn: the same over rows of two operands; of 16-bit floats the second one's are all one row, of whole 64 elements
  // and at most kSharedRow. And where the first or the second operand is one value per row.
  rows,
  rows_of_first,
  rows_of_second,
  // DenseFn: `dense` with the f32 results of a function of in[0] looked up by code in in[2], a table of 65536 that the
  // FillFn fills.
  gated,
  gate_table,
  // DenseFn: f32 results rounded to odd, from which narrower floats are rounded once.
  rounded_to_odd,
  // DenseFn: an f32 body in f64, for results too close to a tie: operands and results that are of the compute type are
  // f64 there. Of bodies with an error bound.
  in_f64,
  // DenseFn: the two stages of a body, `early` of the operands from num_late on, `late` of the others and its two
  // results. Where the former are the same for many rows, so are these results.
  early,
  late,
  // DenseFn, for steps of an expression: of operands and a result that are f32 or 16-bit floats, each as How::elements
  // says, plainly rounded. A light body, and a form within 2^-20 of a dear one (simd/inner.h).
  mixed,
  inner,
};

// Of one call of a DenseFn.
struct How {
  bool non_temporal = false;           // results go past the cache
  const Elements* elements = nullptr;  // of `mixed` and `inner`: by operand, the result's last; own: f32
};
// Operands of bool may be any bytes, of which 0 is false.
using DenseFn = void (*)(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How how);

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

using FillFn = void (*)(float* table, const AttrValue* attrs);

// A loop that a kernel has.
struct Variant {
  Loop loop = Loop::dense;
  Elements elements = Elements::own;
  bool non_temporal = false;  // a DenseFn that can store past the cache
  bool beats_lookup = false;  // it takes no longer than to look results up
  union Function {
    DenseFn dense;
    RowsFn rows;
    FillFn fill;
  } fn = {};
};
constexpr int kMaxVariants = 16;

// Kernel::op of kernels that do two operators of an expression, one after the other; `body` is the row of pairs.def.
constexpr int32_t kPairs = -1;

struct Kernel {
  int32_t op;
  int32_t body;  // index within the operator's list
  Ctype ctype;
  int num_in, num_out;
  Ctype in[kMaxOperands], out[kMaxResults];
  int num_late;   // of a body in two stages
  bool identity;  // the load and the store do everything
  int num_variants;
  Variant variants[kMaxVariants];  // the first one is `dense`, of the kernel's own types

  // The variant with that loop over those elements; NULL: there is none.
  const Variant* find(Loop loop, Elements elements = Elements::own) const;
};

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
