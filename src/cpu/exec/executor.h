// Something that runs one pass: the body on memory itself, on rows of it, on blocks in scratch, or
// what replaces it, a table or a conversion. The selector (cpu/select.h) picks one.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cpu/exec/step.h"
#include "cpu/memory/operand.h"
#include "cpu/threads/threads.h"

namespace tileops::cpu {

// The pass of an operator made ready, which executors are made from.
struct Prepared {
  Layout layout;
  Sizes sizes;
  std::vector<Load> loads;
  StepKernel step;
  std::vector<Store> stores;
  const MemoryKernels* memory;
  bool non_temporal_stores;  // results are too many for the cache
  int row_dim;               // the dimension along which tiles have rows; -1: they have one
  bool shared_rows;          // what the early stage of the step needs is the same in all rows of a tile
};

// How many elements of a step's operands a slot of scratch holds, of 8 bytes for each of a block; a loop over 16-bit
// floats or f32 as they lie in memory needs fewer bytes, and nothing beside it.
size_t room_in_slot(const StepKernel& step);

class Executor {
 public:
  virtual ~Executor() = default;

  // On the calling thread and, for large tensors, on workers. Allocates nothing.
  void execute(const Binding& binding, const Threads& threads) const;
  // Likewise for all items of a list, whose units are one range that threads share.
  void execute_list(const std::vector<Binding>& items, const Threads& threads) const;
  // Part `part` of `parts` of the same work, on the calling thread: the units that a thread of execute() would have.
  void execute_part(const Binding& binding, size_t part, size_t parts) const;
  // Parts that are worth a thread each, at least 1. `extents`: the plan's open ones.
  size_t num_parts(const int64_t* extents) const;

  const char* strategy() const { return strategy_; }
  LayoutClass layout() const { return layout_; }
  virtual std::string source() const = 0;  // what it does, as a text (print.h)

 protected:
  // What is to be done: elements, and units, which are pieces of equal size that it can be cut into.
  struct Work {
    size_t elements, units;
  };

  Executor(Prepared* p, const char* strategy);
  Executor(const Layout& layout, const char* strategy, Sizes&& sizes, bool non_temporal_stores);

  // Elements of the layout.
  size_t elements(const Binding& binding) const { return static_cast<size_t>(binding.sizes[numel_at_]); }

  // Shall results bypass the cache?
  bool non_temporal_stores() const { return non_temporal_stores_; }

 private:
  // Fewer elements than this are not worth a thread: waking a worker takes a few microseconds, in
  // which one core computes about as many.
  static constexpr size_t kGrain = 32768;

  virtual Work work(const Binding& binding) const = 0;
  virtual void run(const Binding& binding, size_t begin, size_t end) const = 0;
  // The executor that must run instead of this one, for these values; or NULL.
  virtual const Executor* instead(const Binding&) const { return nullptr; }
  static size_t num_parts(const Work& work) {
    return std::max<size_t>(std::min(work.elements / kGrain, work.units), 1);
  }
  // Calls f with the sizes of this executor in the binding.
  template <class F>
  void with_sizes(Binding binding, const F& f) const;
  template <class F>
  __attribute__((noinline)) void with_open_sizes(Binding* binding, const F& f) const;
  // Calls f(executor, binding, work) with the executor that runs, and its sizes; not where there is nothing to do.
  template <class F>
  void with_work(const Binding& given, const F& f) const;
  // Calls run(units from, to), on threads where the work is worth it.
  template <class Run>
  void share(const Work& work, const Threads& threads, const Run& run) const;

  const char* strategy_;
  LayoutClass layout_;
  Sizes sizes_;
  size_t numel_at_;  // among them
  bool non_temporal_stores_;
};

using ExecutorPtr = std::unique_ptr<const Executor>;

// The body on memory itself, of dense operands in the body's types.
bool suits_flat(const Prepared& p);
ExecutorPtr make_flat(Prepared&& p);

// The body's loop over rows of memory, of two operands of which one may be one value per row.
bool suits_memory_rows(const Prepared& p, RowsFn* loop);
ExecutorPtr make_memory_rows(Prepared&& p, RowsFn loop);

// The body on one row of memory at a time, operands that are one value there repeated in scratch.
bool suits_each_row(const Prepared& p);
ExecutorPtr make_each_row(Prepared&& p);

// Blocks: loaded into scratch, taken through the step, and stored. Any operator.
ExecutorPtr make_block(Prepared&& p);

// Results looked up in a table by the operand's code.
bool suits_lookup(const Pass& pass, const Kernel& kernel, size_t numel);
ExecutorPtr make_lookup(Prepared&& p, const std::string& table_key);

// A cast: memory to memory.
bool suits_convert(const Prepared& p);
ExecutorPtr make_convert(Prepared&& p, NonTemporalConvertFn non_temporal);

}  // namespace tileops::cpu
