// The stages of a choice, each a function from values to a value:
//
//   pass -> operands and their access patterns -> what it computes -> traversal -> spec -> launch config -> arguments
//
// or, where all results are looked up, one step from the pass to the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/select/choose.h"
#include "cuda/spec/spec.h"
#include "cuda/steps/computation.h"
#include "cuda/tuning/tuning.h"
#include "problem/layout.h"

namespace tileops::cuda {

// ---- access.cc: how each operand is reached

// A view of the pass, with strides in the layout's dimensions.
struct Operand {
  const View* view;
  bool is_store;
  int64_t size;  // bytes of an element; of elements that share bytes 1, as their strides have it
  std::vector<Extent> strides;
  AccessPattern pattern;
  int ids = -1;           // of an operator's gathered loads: which of Operands::ids their index is
  bool by_steps = false;  // gathered or scattered where steps of an expression say

  bool is_one_element() const { return pattern == AccessPattern::uniform || pattern == AccessPattern::immediate; }
  bool in_memory() const { return pattern != AccessPattern::index && !is_one_element(); }
  bool is_packed_store() const { return is_store && is_packed(view->dtype); }
  bool is_consecutive() const { return pattern == AccessPattern::dense || pattern == AccessPattern::row; }
};

struct Operands {
  std::vector<Operand> direct;  // loads but ids, then stores
  std::vector<Operand> ids;     // loads of ids
};

Operands operands_of(const Pass& pass, const Layout& layout);

// Is there a result of which a thread must have both elements of a byte?
bool stores_packed(const std::vector<Operand>& operands);

// The same with pairs found: two views of one array, of every second element of rows and of those
// between. RoPE's and sinusoidal's interleaved forms; else they would be read element by element.
std::vector<Operand> with_pairs(std::vector<Operand> operands);

// By view: are elements of a row neighbours that steps say the place of once for all?
std::vector<bool> in_one_piece(const Operands& operands);

// Is the same memory read again further out? Then it is small, or at least soon in a cache.
bool is_reused(const Operand& o, const std::vector<Extent>& extents);
// Does a load bring from memory as many elements as there are results?
bool is_streamed(const Operand& o, const std::vector<Extent>& extents);

// Largest distance of an element from its view's origin, in bytes.
int64_t span_in_bytes(const Operand& o, const std::vector<Extent>& extents);

constexpr int64_t kWidestAccess = 16;  // bytes
// The widest access that such packs are made of, of so many bytes (access_of of device/cuda/common/pack.h).
inline int64_t access_of(int64_t bytes) { return std::min(kWidestAccess, bytes & -bytes); }

// ---- traversal.cc, tiles.cc, shared_stage.cc: how the space is cut into vectors

struct Traversal {
  TraversalOrder order = TraversalOrder::flat;
  std::vector<Extent> extents;
  int64_t numel = 1;  // with open extents as many as are usual in the way
  std::optional<Way> way;
  Operands operands;  // reached as this traversal does
  // As in KernelSpec.
  int vec = 1, vecs_per_thread = 1, tile_dim = 0;
  int rows_per_thread = 1, cooperating_threads = 1;
  size_t rows_dim = 0;
  bool interleaved = false;  // neighbouring threads take neighbouring elements

  bool loops_over_rows() const { return rows_per_thread * cooperating_threads > 1; }
  int least_vec() const { return stores_packed(operands.direct) ? 2 : 1; }
};

// Throws Error as choose() does.
Traversal traversal_of(const Pass& pass, const Computation& c, const Operands& operands, const Layout& layout,
                       const ChooseOptions& options, const Tuning& tuning);

// In squares of the last dimension and `layout.tile_dim`, which becomes the last but one, if that
// suits the operands.
std::optional<Traversal> tiles_of(const Operands& operands, const Layout& layout, int vec,
                                  const std::optional<Way>& way, const Tuning& tuning);

// The same rows, where a body has two stages, taken so that what the first one gives serves several of them.
Traversal with_shared_stage(const Pass& pass, Traversal rows, const Tuning& tuning);

// What a thread's number is divided into, outermost first: vectors along the last dimension of rows, squares of tiles.
std::vector<Extent> positions_of(const Traversal& t);

// ---- registers.cc: what computing asks of vectors

// Most elements of a vector.
int most_vec(const Computation& c, const Operands& operands);
// Where computing takes about as long as the memory does, a thread takes several vectors: it shares what it does once,
// and more loads are on their way, also of what rows have in common, which arithmetic waits for.
int vecs_of_expression(const Computation& c, const Traversal& t, const Tuning& tuning);
// Elements of a vector that go through the steps at a time.
int step_width_of(const Computation& c, const Operands& operands, int vec);
// Would the compiler take more registers than it is worth?
bool bounds_registers(const Computation& c, const Operands& operands, int vec);

// ---- spec.cc: what is compiled

KernelSpec spec_of(const Pass& pass, const Computation& c, const Traversal& t, const LaunchHint& hint,
                   const Tuning& tuning);

// Loads and stores as the kernel reaches them. `memory_as`: of another dtype of the same size.
Accesses accesses_of(const Operands& operands, std::optional<Dtype> memory_as);

// ---- launch_config.cc, arguments.cc: what it is launched with

LaunchConfig launch_config_of(const KernelSpec& spec, const Traversal& t, int multiprocessors);
// Where the address of a view comes from, and which of its bits forbid vector access.
ViewSource source_of(const View& view, uint64_t misaligned);
Arguments arguments_of(const Pass& pass, const KernelSpec& spec, const Traversal& t);
// Gives views that need strides slots of the argument block: each its own or, where that would be large, equal strides
// one for all.
void set_stride_slots(const Operands& operands, bool (*needs_strides)(const Operand&, TraversalOrder),
                      KernelSpec* spec);
// Attributes of all steps, what is prepared of them, and strides and extents of indices.
void add_attributes(const Pass& pass, const KernelSpec& spec, Arguments* arguments);

// ---- list.cc: kernels of lists

// Nothing where the problem is no list's.
std::optional<ListSpec> list_of(const Problem& problem, const Arguments& arguments, const ChooseOptions& options);

// ---- lookup.cc: kernels that look all results up and know no body

// Nothing unless such a kernel is asked for or is faster. Throws Error where it is asked for in
// vain.
std::optional<Choice> choose_lookup(const Pass& pass, const Layout& layout, const ChooseOptions& options,
                                    const Tuning& tuning);

}  // namespace tileops::cuda
