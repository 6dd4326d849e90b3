// What runs the phases of a pass of rows: which blocks go through them together (executor.cc), which tiles of these a
// phase takes (walk.cc), and what becomes of the values that are reduced (results.cc).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpu/exec/executor.h"
#include "cpu/program/gate.h"
#include "cpu/reduce.h"
#include "cpu/rows/phases.h"
#include "cpu/rows/scans.h"

namespace tileops::cpu {

// In scratch of the thread: locals, and what reductions know so far.
constexpr size_t kLocalBytes = size_t{96} << 10;
constexpr size_t kStateBytes = size_t{60} << 10, kMostLocals = 64;

// The size of the states of all reductions: for `cols` columns side by side, or for one row at a time.
size_t bytes_of_states(const std::vector<ReduceKernel>& kernels, bool columns, size_t rows, size_t cols);

// Elements of a block, where that is open the most that there may be.
size_t rows_of_block(const Layout& layout);

class RowsExecutor final : public Executor {
 public:
  // `rows`: blocks at a time, `matrices`: of so many matrices each (Phases::joins_matrices); `tile`: elements; `gate`:
  // NULL where no blocks are left out.
  RowsExecutor(Phases&& phases, Sizes&& sizes, std::vector<Machine>&& machines, std::vector<ReduceKernel> kernels,
               Scans scans, int64_t rows, int64_t matrices, size_t tile, bool non_temporal,
               std::shared_ptr<const Gate> gate);

  std::string source() const override;

 private:
  // Lies in the thread's scratch (cpu/threads/scratch.h) while it runs some blocks.
  struct Memory {
    alignas(64) uint8_t locals[kLocalBytes];
    alignas(64) uint8_t states[kStateBytes];
    Machine::Scratch scratch;
    Gate::Window window;
  };

  // A run of the phases over `count` rows from `index` on.
  struct Batch : Reducer {
    const RowsExecutor& e;
    Memory& memory;
    const int64_t* extents;  // of the layout
    int64_t index[TILEOPS_MAX_NDIM + 4] = {};
    int64_t count = 1, matrices = 1;
    int64_t number = 0;  // of the first row, by all extents outside of blocks
    Binding binding;     // of the call, with the batch's locals
    size_t phase = 0;
    int64_t in_group = 0;  // elements of a group outside of the block, where it is short; 0: all
    uint8_t* locals[kMostLocals];

    Batch(const RowsExecutor& executor, const Binding& b, Memory& m)
        : e(executor), memory(m), extents(executor.extents(b)), binding(b) {}

    void* state(size_t reduction) { return memory.states + e.states_[reduction]; }

    // Where the result of a reduction goes: of a row of the batch, or of a group.
    uint8_t* result(const RowReduction& r, int64_t at) {
      return memory.locals + e.offsets_[static_cast<size_t>(r.local)] + static_cast<size_t>(at) * e.element_of(r);
    }

    size_t columns() const { return static_cast<size_t>(matrices * count); }
    void finish(size_t number, int64_t at);
    void take(size_t number, const void* values, const Place& place) override;
    void scan(size_t number, const void* values, const Place& place, void* results) override;
  };

  size_t element_of(const RowReduction& r) const { return locals_[static_cast<size_t>(r.local)].element; }
  size_t outer() const { return layout_.extents.size() - layout_.row_rank; }
  const int64_t* extents(const Binding& binding) const { return binding.sizes + extents_at_; }
  bool takes_first(size_t phase) const;
  void place_locals();

  // Does a phase's scratch hold what others, or the gate, have left in it? Else what it keeps is there for all batches.
  bool shares_scratch() const { return machines_.size() > 1 || gate_; }
  Memory& fresh_memory(const Binding& binding) const;

  // ---- Blocks
  int64_t batches(const int64_t* extents) const;
  int64_t blocks(const int64_t* extents) const;
  size_t units(const int64_t* extents) const;
  // How often batches go along an extent that numbers blocks, but for the last one.
  int64_t turns(const int64_t* extents, size_t d) const;
  Work work(const Binding& binding) const override;
  void run(const Binding& binding, size_t begin, size_t end) const override;
  // Where blocks are added up a unit is a chunk of them, which one thread takes one after the other.
  void run_chunks(const Binding& binding, size_t begin, size_t end) const;
  // Those of a batch that the mask does not leave out; of `most` from it on this thread computes.
  void run_stored(int64_t most, Batch* b) const;
  void run_batch(Batch* b) const;

  // ---- The tiles of a phase
  // Once for each row of the batch, or for each group of the one row.
  void run_few(const Binding& binding, const Machine& m, Level level, Batch* b) const;
  void run_elements(const Binding& binding, const Machine& m, Batch* b) const;
  // Rows of the columns of a batch; they are the last extent. Of several matrices one element of each column at a time.
  void run_columns(const Binding& binding, const Machine& m, Batch* b) const;
  void run_matrices(const Binding& binding, const Machine& m, Batch* b) const;
  // The elements of a part, which the last extent outside of the block numbers.
  void run_rows(const Binding& binding, const Machine& m, Batch* b) const;
  int64_t rows_of_tile(int64_t count, int64_t length) const;
  void run_part(const Binding& binding, const Machine& m, Batch* b) const;
  // Has a block elements to go through? One without any has the results of its reductions all the same.
  bool has_elements(const Batch& b) const;
  // The two innermost extents of a block.
  void run_rows_of_block(const Binding& binding, const Machine& m, Batch* b) const;
  // Elements along the last extent, in that row of the last but one.
  int64_t length_of(const Batch& b, int64_t row) const;
  // An extent of the block: of a short group fewer. The index has it `shift` places further out.
  int64_t extent_of(const Batch& b, size_t d, const int64_t* index, size_t shift = 0) const;
  bool next(const Batch& b, size_t from, size_t to, int64_t* index) const;

  // ---- Reductions and scans
  // Adds up what blocks have, whose rows are those of a tile or lie within one block.
  void add_rows(const Batch& b, const View& sums, const ReduceKernel& k, const uint8_t* values,
                const Place& place) const;
  // Before the first elements of a batch's blocks.
  void begin_scans(Batch* b) const;
  // The results of reductions of no elements.
  void of_nothing(const Machine& m, Batch* b) const;
  // Begins or finishes the phase's reductions of a whole block that has several extents.
  void whole_blocks(const Machine& m, Batch* b, bool begin) const;
  void finish_columns(size_t number, Batch* b) const;

  Layout layout_;
  size_t extents_at_;  // of the layout, among the sizes
  size_t rows_of_block_;
  int64_t split_elements_;  // elements of a part; 0: blocks are whole
  bool columns_, joins_matrices_, sums_blocks_;
  std::vector<Local> locals_;
  std::vector<RowReduction> reductions_;
  std::vector<Machine> machines_;
  std::vector<Level> levels_;
  std::vector<bool> takes_first_;      // by phase: of each block the first element alone
  std::vector<ReduceKernel> kernels_;  // by reduction
  std::vector<size_t> states_;         // likewise: where what is known lies
  Scans scans_;
  size_t scan_states_ = 0;          // where that of scans begins
  std::vector<size_t> offsets_;     // by local
  std::vector<int64_t> row_steps_;  // likewise: bytes from row to row of the batch
  int64_t rows_, matrices_, tile_;
  std::shared_ptr<const Gate> gate_;
};

}  // namespace tileops::cpu
