// Choosing the kernel of a pass, its launch and its arguments but for addresses: once, to a value that nobody changes
// afterwards. stages.h has the stages that this goes through.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/select/arguments/arguments.h"
#include "cuda/select/ways.h"
#include "cuda/spec/kernel.h"
#include "cuda/spec/spec.h"
#include "problem/layout.h"

namespace tileops::cuda {

// May the kernel ask for a table of all results (launch/result_table.h)? It does so where
// KernelSpec::needs_table().
enum class UseTables { no, yes };

// What a choice depends on beside the pass.
struct ChooseOptions {
  int arch = 90;  // compute capability that the kernel is tuned for
  UseTables tables = UseTables::yes;
  LaunchHint hint;  // the caller's, or what tuning found
  int multiprocessors = 132;
  const char* policy = nullptr;             // of an operator's body, where it is another one than the pass's
  std::optional<Way> way = std::nullopt;    // of a pass with open extents
  int argument_bytes = kMostArgumentBytes;  // that a launch may pass to a kernel
};

// How many thread blocks there are, by the number of positions.
struct Grid {
  std::vector<Extent> positions;  // the product of these
  uint64_t together = 1;          // so many are a unit, such as a vector; the last one may be short
  uint64_t each = 1;              // units of a thread or, where few units do not have fewer threads, of a block
  uint32_t threads = 0;
  bool shrinks = false;  // few units have fewer threads
  uint64_t most_blocks = UINT64_MAX;
  uint32_t cluster = 1;  // blocks that are launched for one

  bool is_open() const;
  uint64_t count(const int64_t* extents) const;
  struct Size {
    uint64_t blocks;
    uint32_t threads;
  };
  Size of(uint64_t count) const;
  uint64_t blocks_of_item(uint64_t count) const;  // of a list, where no item shrinks blocks
};

struct LaunchConfig {
  Grid grid;
  uint64_t blocks = 0;  // where the grid is not open
  uint32_t threads = 0;
  int vecs_per_thread = 1;   // also where the kernel leaves that open
  bool interleaved = false;  // neighbouring threads take neighbouring elements, always

  // Blocks and threads of the grid as it is.
  void fit();
};

struct Choice {
  KernelSpec spec;
  Kernel kernel;  // of this spec
  LaunchConfig launch;
  Arguments arguments;

  Choice(KernelSpec s, LaunchConfig l, Arguments a)
      : spec(std::move(s)), kernel(Kernel::of(spec)), launch(l), arguments(std::move(a)) {}
  // What it came to; of a block's threads and a thread's elements as compiled, before small tensors
  // take fewer threads.
  tileops_strategy strategy() const;
  int num_per_thread() const;
};

// Throws Error(UNSUPPORTED) for a pass that no kernel exists for, and for a strategy that does not
// suit it; Error(INVALID_ARGUMENT) for numbers that the strategy cannot have.
Choice choose(const Problem& problem, const Pass& pass, const Layout& layout, const ChooseOptions& options);

// The same for the problem's i-th pass. A strategy that only some passes can have is for the first one, and so are
// those of rows.
Choice choose_pass(const Problem& problem, size_t i, const Layout& layout, ChooseOptions options);

}  // namespace tileops::cuda
