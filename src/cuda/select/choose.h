// Choosing the kernel of a pass, its launch and its arguments but for addresses: once, to a value that nobody changes
// afterwards. stages.h has the stages that this goes through.
#pragma once

#include <cstdint>
#include <vector>

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
  const char* policy = nullptr;  // of an operator's body, where it is another one than the pass's
};

// Where a view's address comes from at execute time.
struct ViewSource {
  ViewKind kind = ViewKind::input;
  int slot = 0;
  int64_t offset = 0;       // bytes; of index views the value at the origin
  uint64_t misaligned = 0;  // address bits that must be 0 for vector access; 0: no vector access
  bool scalar = false;      // one element: may come from host memory
  uint32_t size = 0;        // bytes of an element
  bool packed = false;      // offset, strides and the address count half bytes
};

// A word of the argument block that is a number of each execute.
struct NumberSource {
  int word, number;
};

// The argument block without addresses and numbers, and what these are made of.
struct Arguments {
  std::vector<uint64_t> words;
  std::vector<ViewSource> views;
  std::vector<NumberSource> numbers;
};

struct LaunchConfig {
  uint64_t blocks = 0;
  uint32_t threads = 0;
  int vecs_per_thread = 1;   // also where the kernel leaves that open
  bool interleaved = false;  // neighbouring threads take neighbouring elements, always
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
