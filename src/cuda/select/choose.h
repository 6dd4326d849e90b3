// Choosing the kernel of a pass: the strategy, how the space is cut into packs, and the argument block
// but for addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/layout.h"
#include "cuda/select/spec.h"
#include "tileops/device/body.h"

namespace tileops::cuda {

// Where a view's address comes from at execute time.
struct ViewSource {
  ViewKind kind = ViewKind::input;
  int slot = 0;
  int64_t offset = 0;        // bytes; of index views the value at the origin
  uint64_t misaligned = 0;   // address bits that must be 0 for vector access; 0: no vector access
  bool scalar = false;       // one element: may come from host memory
  uint32_t size = 0;         // bytes of an element
};

struct Choice {
  KernelSpec spec;
  std::vector<ViewSource> views;
  std::vector<uint64_t> words;  // the argument block without addresses
  uint64_t blocks = 0;
  uint32_t threads = 0;
  bool always_interleaved = false;
  int packs_of_thread = 1;  // where the kernel leaves that open

  // What it came to; of a block's threads and a thread's elements as compiled, before small tensors
  // take fewer threads.
  tileops_strategy strategy() const;
  int num_per_thread() const;
};

// May the kernel ask for a table of all results (table.h)? It does so where KernelSpec::needs_table().
enum class UseTables { no, yes };

// What a choice depends on beside the pass.
struct Wish {
  int arch = 90;  // compute capability that the kernel is tuned for
  UseTables tables = UseTables::yes;
  LaunchHint kernel;  // the caller's, or what tuning found
  int multiprocessors = 132;
};

// Throws Error(UNSUPPORTED) for a body and compute type that no kernel exists for, and for a strategy
// that does not suit the pass; Error(INVALID_ARGUMENT) for numbers that the strategy cannot have.
Choice choose(const Problem& problem, const Pass& pass, const Layout& layout, const Wish& wish);

// Of the problem's i-th pass. A strategy that only some passes can have is for the first one.
Choice choose_pass(const Problem& problem, size_t i, const Layout& layout, Wish wish);

// n / d for all n < 2^31 as (umulhi32(n, magic) + n) >> shift; n < 2^63 with 64-bit words if wide.
struct Magic {
  uint64_t magic, shift;
};
Magic magic_of(uint64_t d, bool wide);

}  // namespace tileops::cuda
