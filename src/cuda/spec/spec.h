// What a kernel is compiled for: everything that is in its source and nothing of a plan's shapes,
// strides, attributes or addresses. Equal specs share one kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuda/steps/computation.h"
#include "cuda/steps/type_names.h"
#include "problem/problem.h"
#include "tileops/device/cuda/kernel/traversal.h"

namespace tileops::cuda {

using AccessPattern = kernels::access_pattern;
using TraversalOrder = kernels::traversal_order;
using Ragged = kernels::ragged;

// ---- Access: how memory is reached

struct AccessSpec {
  Dtype dtype = Dtype::f32;
  AccessPattern pattern = AccessPattern::dense;
  bool saturates = false;  // fp8 results
  Dtype ids = Dtype::i64;  // of loads that are gathered by ids: dtype of these,
  int ids_view = -1;       // the number of their view,
  int ids_word = 0;        // and which attributes are the index's stride and extent
  bool by_steps = false;   // gathered or scattered where steps of an expression say
};

struct Accesses {
  std::vector<AccessSpec> loads, stores;
  int num_ids = 0;                 // loads of ids
  std::vector<int> stride_slots;   // by view: which strides of the argument block are its own; -1: it needs none
  std::optional<Ctype> kept_bits;  // operands of this type are read and written as raw bits
  int views() const { return static_cast<int>(loads.size() + stores.size()) + num_ids; }
};

// ---- Traversal: how threads go through the space

// The template that a kernel is an instance of, in src/cuda/kernels.
enum class Template {
  elementwise,
  packed,            // strategies/packed.h, if there is a form of the body: else elementwise
  shared_stage,      // strategies/shared_stage.h: a thread loops along rows_dim, one vector a turn
  activation_table,  // strategies/activation_table.h: vectors until none are left
  tiles,             // strategies/tile.h
  lookup,            // of 8 bits, lookup_halves of 16 and lookup_pairs of two of 8: these know no body
  lookup_halves,
  lookup_pairs,
  rows,
  columns,
};

// How a kernel of rows deals out blocks (kernels/rows.h).
struct RowSpec {
  int outer = 0;                            // dimensions that number the blocks
  int group_dims = 0;                       // and the groups within a block
  int64_t group_span = 0;                   // places of a group, a power of two; 0: there are no groups
  int short_group = -1, short_within = -1;  // dimensions that an axis is cut into whose last group is short
  int64_t split_elements = 0;               // places of a part, where blocks are reduced in parts; 0: they are whole
  int packs = 1;                            // that a thread has of a chunk of a block
  int lanes = 1, warps = 1;                 // threads that have a block together,
  int cluster = 1;                          // of so many thread blocks
  int beside = 1;                           // blocks side by side that a thread block has; if several, lanes is 1
  bool in_columns = false;                  // kernels/columns.h: a thread has neighbouring blocks,
  int columns = 1;                          // so many
  int sharing_threads = 1;                  // share these
  uint64_t side_by_side = 0;                // bits of views in which these are all columns, row after row
  int run = 32;                             // elements of each that a thread takes without a break
  int staged = 0;                           // chunks of a thread block that lie in shared memory; 0: none do
  int staged_bytes = 0;                     // of a pack there, all operands together
  bool kept = true;                         // a block is one chunk
  bool aligned = true;                      // packs that lie in one piece may be one access, where addresses allow it
  bool no_padding = false;                  // there are no places too many
  bool packs_all_or_nothing = false;        // packs are there or not, as a whole
  bool consecutive = false;                 // packs of a thread lie next to each other
  bool gathers_rows = false;                // stores them warp by warp (kernels/rows/row_tiles.h)
  bool keeps_values = false;                // of elements, those that are dear and taken again
};

struct TraversalSpec {
  Template kernel_template = Template::elementwise;
  TraversalOrder order = TraversalOrder::flat;
  int dims = 1;
  int vec = 1;                            // elements of a vector
  int vecs_per_thread = 1;                // 0: until none are left
  int tile_dim = 0;                       // tiles: side of a block's square
  int rows_per_thread = 1;                // vectors that a thread takes along a dimension,
  int rows_dim = 0;                       // which is this one
  int cooperating_threads = 1;            // compute together what is the same along it
  int threads = 256;                      // most threads of a block
  int min_blocks = 0;                     // of a multiprocessor, which bounds registers; 0: no bound
  bool index64 = false;                   // 64-bit coordinates
  bool interleaved = false;               // neighbouring threads take neighbouring elements, always
  Ragged ragged = Ragged::read_together;  // vectors that are not whole or not aligned
  int result_bytes = 1;                   // lookup_halves, lookup_pairs: size of a result
  RowSpec row;
};

// A kernel that the items of a list share (kernels/core/list.h).
struct ListSpec {
  std::vector<int> own_words;  // of the argument block, that differ from item to item
  int capacity = 0;            // most items of a launch
};

struct KernelSpec {
  Accesses access;
  TraversalSpec traversal;
  ComputeSpec compute;
  std::optional<ListSpec> list;

  bool has_rows() const {
    return traversal.kernel_template == Template::rows || traversal.kernel_template == Template::columns;
  }
  bool looks_up() const {
    return traversal.kernel_template == Template::lookup || traversal.kernel_template == Template::lookup_halves ||
           traversal.kernel_template == Template::lookup_pairs;
  }
  // Does the argument block hold the address of a table of all results?
  bool needs_table() const { return compute.table || looks_up(); }
};

// Shared memory asked for at the launch.
int shared_bytes_of(const KernelSpec& spec);

// Shared memory of the activations of all gates of a 16-bit dtype.
int activation_table_bytes(Dtype gate);

// How many strides there are among those of all views (Accesses::stride_slots).
int num_strides(const std::vector<int>& slots);

// What a launch may pass by the side of everything's limit and, from sm_70, CUDA 12.1 and its drivers on, at most.
constexpr int kUsualArgumentBytes = 4096, kMostArgumentBytes = 32764;

// Words of the argument block, in the order of device/cuda/kernel/arguments.h and, of rows, kernels/rows/place.h.
struct ArgumentLayout {
  int views, dims, attrs;
  std::vector<int> slots;  // Accesses::stride_slots
  bool has_rows = false;
  static constexpr int count = 0, flags = 1, immediate = 2, unaligned = 3, table = 4, address = 5;
  static ArgumentLayout of(const KernelSpec& spec);
  bool has_strides(int view) const { return slots[static_cast<size_t>(view)] >= 0; }
  int divide(int dim) const { return address + views + 3 * dim; }
  int slot(int s) const { return divide(dims) + s * dims; }
  int stride(int view) const { return slot(slots[static_cast<size_t>(view)]); }
  int attr(int i) const { return slot(num_strides(slots) ? num_strides(slots) : 1) + i; }
  int length() const { return attr(attrs ? attrs : 1); }
  int words() const { return length() + (has_rows ? 4 : 0); }
};

}  // namespace tileops::cuda
