// What a kernel is compiled for: everything that is in its source and nothing of a plan's shapes,
// strides, attributes or addresses. Equal specs share one kernel.
#pragma once

#include <string>
#include <vector>

#include "cuda/steps/type_names.h"
#include "problem/problem.h"
#include "tileops/device/cuda/kernel/traversal.h"

namespace tileops::cuda {

using AccessPattern = kernels::access_pattern;
using TraversalOrder = kernels::traversal_order;

struct AccessSpec {
  Dtype dtype = Dtype::f32;
  AccessPattern pattern = AccessPattern::dense;
  bool saturates = false;  // fp8 results
  Dtype ids = Dtype::i64;  // of gathered loads: dtype of the ids,
  int ids_view = -1;       // and the number of their view
};

// Which template: elementwise.h (of expressions composed.h), or lookup.h (8 bits), lookup_halves.h (16 bits) and
// lookup_pairs.h (two of 8 bits), which know no body.
enum class Template { elementwise, lookup, lookup_halves, lookup_pairs };

// How a kernel of rows deals out blocks (kernels/rows.h).
struct RowSpec {
  int outer = 0;                            // dimensions that number the blocks; 0: it is no kernel of rows
  int group_dims = 0;                       // and the groups within a block
  int64_t group_span = 0;                   // places of a group, a power of two; 0: there are no groups
  int short_group = -1, short_within = -1;  // dimensions that an axis is cut into whose last group is short
  int64_t part = 0;                         // places of a part, where blocks are reduced in parts; 0: they are whole
  int packs = 1;                            // that a thread has of a chunk of a block
  int lanes = 1, warps = 1;                 // threads that have a block together,
  int cluster = 1;                          // of so many thread blocks
  bool in_columns = false;                  // kernels/columns.h: a thread has neighbouring blocks,
  int columns = 1;                          // so many
  int parts = 1;                            // threads that share these
  int staged = 0;                           // chunks of a thread block that lie in shared memory; 0: none do
  int staged_bytes = 0;                     // of a pack there, all operands together
  bool kept = true;                         // a block is one chunk
  bool aligned = true;                      // packs that lie in one piece may be one access, where addresses allow it
  bool full = false;                        // there are no places too many
  bool whole = false;                       // packs are there or not, as a whole
  bool runs = false;                        // packs of a thread lie next to each other
  bool keeps_values = false;                // of elements, those that are dear and taken again
};

struct KernelSpec {
  Template which = Template::elementwise;
  std::string body;  // "gelu"
  std::string policy = "portable";
  Ctype ctype = Ctype::f32;
  int ulp = 0;  // error bound of f32 results; 0: exact, or one rounding of one operation
  std::vector<AccessSpec> loads, stores;
  int num_ids = 0;  // loads of ids
  TraversalOrder order = TraversalOrder::flat;
  int dims = 1, attrs = 0;
  int vec = 1;                  // elements of a vector
  int vecs_per_thread = 1;      // 0: until none are left, with activations in shared memory
  int tile_dim = 0;             // tiles: side of a block's square
  int rows_per_thread = 1;      // vectors that a thread takes along a dimension,
  int rows_dim = 0;             // which is this one
  int cooperating_threads = 1;  // compute together what is the same along it
  int threads = 256;            // most threads of a block
  int min_blocks = 0;           // of a multiprocessor, which bounds registers; 0: no bound
  bool index64 = false;         // 64-bit coordinates
  bool halves = false;          // all operands and the result are of one 16-bit float dtype
  bool on_bits = false;         // the body works on their bits
  bool bits_kept = false;       // operands of the compute type are read and written as raw bits
  bool table = false;           // results too close to a tie are in a table of all results
  int result_bytes = 1;         // lookup_halves, lookup_pairs: size of a result

  std::vector<Ctype> operands;  // what each load is taken as
  std::vector<Ctype> results;   // of operators: what is stored

  // What an expression has in place of body, policy and compute type.
  std::string steps;             // steps/expression.h; empty: an operator
  std::vector<int> stride_rows;  // by view: which strides of the argument block are its own; -1: it needs none
  int part = 1;                  // elements that go through the steps at a time
  bool interleaved = false;      // neighbouring threads take neighbouring elements, always
  bool keeps_packs = false;      // never, since results share bytes
  RowSpec row;                   // of passes with reductions

  bool is_expression() const { return !steps.empty(); }
  bool has_rows() const { return row.outer > 0; }

  // Does the argument block hold the address of a table of all results?
  bool needs_table() const { return table || which != Template::elementwise; }
  // Does it have activations in shared memory (kernels/strategies/activation_table.h)?
  bool has_activation_table() const { return vecs_per_thread == 0; }
  // Does a thread loop along rows_dim, one vector a turn?
  bool loops_over_rows() const { return rows_per_thread * cooperating_threads > 1; }
  // Shared memory asked for at the launch.
  int shared_bytes() const;
  int views() const { return static_cast<int>(loads.size() + stores.size()) + num_ids; }
  // The text that instantiates the kernel, given to the compiler after the embedded sources. It is
  // also what the kernel is known by.
  std::string text() const;
  // "gelu<float32>(bf16 dense)->(bf16 dense)@flatx8 fast<bf16>"-like, for people.
  std::string name() const;
};

// Shared memory of the activations of all gates of a 16-bit dtype.
int activation_table_bytes(Dtype gate);

// How many strides there are among those of all views (KernelSpec::stride_rows).
int num_stride_rows(const std::vector<int>& rows);

// The name of the kernel's function.
constexpr const char* kKernelSymbol = "tileops_kernel";

// What a launch may pass by the side of everything's limit and, from sm_70, CUDA 12.1 and its drivers on, at most.
constexpr int kUsualArgumentBytes = 4096, kMostArgumentBytes = 32764;

// Words of the argument block, in the order of device/cuda/kernel/arguments.h or, of expressions, kernels/composed.h
// and kernels/rows/place.h.
struct ArgumentLayout {
  int views, dims, attrs;
  std::vector<int> rows = {};  // of expressions: KernelSpec::stride_rows
  bool has_rows = false;
  static constexpr int count = 0, flags = 1, immediate = 2, unaligned = 3, table = 4, address = 5;
  static ArgumentLayout of(const KernelSpec& spec);
  int divide(int dim) const { return address + views + 3 * dim; }
  int num_rows() const { return rows.empty() ? views : num_stride_rows(rows); }
  int row(int r) const { return divide(dims) + r * dims; }
  int stride(int view) const { return row(rows.empty() ? view : rows[static_cast<size_t>(view)]); }
  int index_stride(int view) const { return row(num_rows()) + view; }
  int index_extent(int view) const { return index_stride(views) + view; }
  int attr(int i) const { return (rows.empty() ? index_extent(views) : row(num_rows() ? num_rows() : 1)) + i; }
  int length() const { return attr(attrs ? attrs : 1); }
  int words() const { return length() + (has_rows ? 4 : 0); }
};

// The element type of a load or store in kernels, and both as an access of device/cuda/kernel/fetch.h.
const char* type_of(const AccessSpec& access);
std::string access_text(const AccessSpec& access);

}  // namespace tileops::cuda
