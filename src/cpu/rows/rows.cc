// Blocks of a pass, phase after phase. Several short rows go through a phase as one tile; a long one goes through it
// tile by tile.
#include "cpu/rows/rows.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/program/machine.h"
#include "cpu/reduce.h"
#include "cpu/rows/phases.h"
#include "cpu/rows/scans.h"
#include "problem/packed.h"

namespace tileops::cpu {
namespace {

// On the stack of a thread: locals, and what reductions know so far.
constexpr size_t kLocalBytes = size_t{96} << 10;
constexpr size_t kStateBytes = size_t{60} << 10, kMostLocals = 64;

size_t bytes_of_state(const ReduceKernel& k, bool columns, size_t rows, size_t cols) {
  return columns ? k.columns_state(rows, cols) : k.state;
}
size_t bytes_of_states(const std::vector<ReduceKernel>& kernels, bool columns, size_t rows, size_t cols) {
  size_t bytes = 0;
  for (const ReduceKernel& k : kernels) bytes += bytes_of_state(k, columns, rows, cols);
  return bytes;
}

class RowsExecutor final : public Executor {
 public:
  RowsExecutor(Phases&& phases, std::vector<Machine>&& machines, std::vector<ReduceKernel> kernels, Scans scans,
               int64_t rows, size_t tile, bool non_temporal)
      : Executor(phases.layout.cls, "row_program", elements_of(phases.layout, rows), units_of(phases, rows),
                 non_temporal),
        layout_(std::move(phases.layout)),
        columns_(phases.columns),
        sums_blocks_(sums_blocks(phases)),
        locals_(std::move(phases.locals)),
        reductions_(std::move(phases.reductions)),
        machines_(std::move(machines)),
        kernels_(std::move(kernels)),
        scans_(std::move(scans)),
        rows_(rows),
        tile_(static_cast<int64_t>(tile)) {
    for (const Phase& p : phases.phases) levels_.push_back(p.level);
    place_locals();
  }

  // Elements of a block.
  static size_t rows_of_block(const Layout& l) {
    size_t n = 1;
    for (size_t d = l.extents.size() - l.row_rank; d < l.extents.size(); ++d) n *= static_cast<size_t>(l.extents[d]);
    return n;
  }

  std::string source() const override {
    std::string text = (columns_ ? "columns: " : "rows: ") + std::to_string(rows_) + " at a time\n";
    for (size_t i = 0; i < machines_.size(); ++i) {
      static constexpr const char* kNames[] = {"once a block", "once a group", "elements"};
      text += std::string("phase ") + std::to_string(i) + ": " + kNames[static_cast<size_t>(levels_[i])] + "\n" +
              program_text(machines_[i].program(), machines_[i].tiles());
    }
    return text;
  }

 private:
  struct alignas(64) Memory {
    uint8_t locals[kLocalBytes];
    uint8_t states[kStateBytes];
  };

  size_t outer() const { return layout_.extents.size() - layout_.row_rank; }
  static int64_t batched_extent(const Layout& l) {
    return l.extents.size() > l.row_rank ? l.extents[l.extents.size() - l.row_rank - 1] : 1;
  }
  // Is the extent along which rows are taken together that of groups, the last of which is short?
  static bool batches_short_groups(const Layout& l) {
    return l.short_group.limit && l.short_group.group + l.row_rank + 1 == l.extents.size();
  }
  static int64_t batches_of(const Layout& l, int64_t rows) {
    const int64_t n = batched_extent(l) - batches_short_groups(l);
    return (n + rows - 1) / rows + batches_short_groups(l);
  }
  // Blocks without elements have results all the same.
  static size_t elements_of(const Layout& l, int64_t rows) {
    return l.numel ? static_cast<size_t>(l.numel) : units_of(l, rows);
  }
  static bool sums_blocks(const Phases& phases) {
    return std::any_of(phases.reductions.begin(), phases.reductions.end(),
                       [](const RowReduction& r) { return r.sums.has_value(); });
  }
  static int64_t blocks_of(const Layout& l) {
    return std::accumulate(l.extents.begin(), l.extents.end() - static_cast<ptrdiff_t>(l.row_rank), int64_t{1},
                           std::multiplies<>());
  }
  static size_t units_of(const Phases& phases, int64_t rows) {
    if (!sums_blocks(phases)) return units_of(phases.layout, rows);
    return static_cast<size_t>((blocks_of(phases.layout) + kColumnGroup - 1) / kColumnGroup);
  }
  static size_t units_of(const Layout& l, int64_t rows) {
    size_t units = static_cast<size_t>(batches_of(l, rows));
    for (size_t d = 0; d + l.row_rank + 1 < l.extents.size(); ++d) units *= static_cast<size_t>(l.extents[d]);
    return units;
  }

  void place_locals() {
    size_t at = 0;
    const size_t block = outer();
    for (const Local& l : locals_) {
      int64_t n = rows_;
      if (l.level == Level::group) n = layout_.extents[block];
      for (size_t d = block; l.level == Level::element && d < layout_.extents.size(); ++d) n *= layout_.extents[d];
      offsets_.push_back(at);
      row_steps_.push_back(l.level == Level::group ? 0 : static_cast<int64_t>(l.element) * (n / rows_));
      at += (static_cast<size_t>(n) * l.element + 63) / 64 * 64;
    }
    const size_t block_rows = rows_of_block(layout_), cols = static_cast<size_t>(rows_);
    size_t state = 0;
    for (size_t i = 0; i < kernels_.size(); ++i) {
      states_.push_back(state);
      if (!reductions_[i].sums) state += bytes_of_state(kernels_[i], columns_, block_rows, cols);
    }
    scan_states_ = state;
    state += scans_.bytes(block_rows, cols);
    if (at > kLocalBytes || locals_.size() > kMostLocals || state > kStateBytes)
      unsupported("op: rows need %zu values and %zu reductions at a time on the CPU, which is too many", locals_.size(),
                  reductions_.size());
  }

  // A run of the phases over `count` rows from `index` on.
  struct Batch : Reducer {
    const RowsExecutor& e;
    Machine::Scratch& scratch;
    Memory& memory;
    int64_t index[TILEOPS_MAX_NDIM + 4] = {};
    int64_t count = 1;
    int64_t number = 0;  // of the first row, by all extents outside of blocks
    void* workspace = nullptr;
    size_t phase = 0;
    int64_t in_group = 0;  // elements of a group outside of the block, where it is short; 0: all
    uint8_t* locals[kMostLocals];

    Batch(const RowsExecutor& executor, Machine::Scratch& s, Memory& m) : e(executor), scratch(s), memory(m) {}

    void* state(size_t reduction) { return memory.states + e.states_[reduction]; }

    // Where the result of a reduction goes: of a row of the batch, or of a group.
    uint8_t* result(const RowReduction& r, int64_t at) {
      return memory.locals + e.offsets_[static_cast<size_t>(r.local)] + static_cast<size_t>(at) * kLocalElement;
    }

    void take(size_t number, const void* values, const Place& place) override {
      const RowReduction& r = e.reductions_[number];
      const ReduceKernel& k = e.kernels_[number];
      const size_t dims = e.layout_.extents.size(), width = ctype_size(r.type);
      const auto* x = static_cast<const uint8_t*>(values);
      if (r.sums) return e.add_rows(*this, *r.sums, k, x, place);
      if (e.columns_) return k.feed_columns(state(number), values, place.rows, place.cols);
      const bool rows_are_blocks = e.layout_.row_rank == 1;
      if (!rows_are_blocks && !r.of_groups) return k.feed(state(number), values, place.rows * place.cols);
      // Each row of the tile is one unit, or a part of one.
      const int64_t begin = place.index[dims - 1], end = begin + static_cast<int64_t>(place.cols);
      if (rows_are_blocks && begin == 0 && end == e.length_of(*this, 0)) {
        const int64_t first = dims < 2 ? 0 : place.index[dims - 2] - index[dims - 2];
        return k.each(values, place.rows, place.cols, width, result(r, first), kLocalElement);
      }
      for (size_t row = 0; row < place.rows; ++row, x += place.cols * width) {
        if (begin == 0) k.begin(state(number));
        k.feed(state(number), x, place.cols);
        // A pass of one extent is one row.
        const int64_t at = dims < 2 ? 0 : place.index[dims - 2] + static_cast<int64_t>(row);
        const bool outside = rows_are_blocks;
        const int64_t unit = !outside || dims < 2 ? at : at - index[dims - 2];
        if (end == e.length_of(*this, outside ? 0 : at)) k.finish(state(number), result(r, unit));
      }
    }

    void scan(size_t number, const void* values, const Place& place, void* results) override {
      e.scans_.feed(phase, number, memory.states + e.scan_states_, rows_of_block(e.layout_), static_cast<size_t>(count),
                    e.layout_.row_rank == 1, values, place, results);
    }
  };

  // Adds up what blocks have, whose rows are those of a tile or lie within one block.
  void add_rows(const Batch& b, const View& sums, const ReduceKernel& k, const uint8_t* values,
                const Place& place) const {
    const size_t dims = layout_.extents.size();
    const bool rows_are_blocks = layout_.row_rank == 1;
    const int64_t row_step = rows_are_blocks ? 0 : sums.strides[dims - 2];
    int64_t within = sums.offset;
    for (size_t d = outer(); d < dims; ++d) within += place.index[d] * sums.strides[d];
    for (size_t row = 0; row < place.rows; ++row) {
      int64_t block = b.number;
      if (rows_are_blocks) block += place.index[dims - 2] - b.index[dims - 2] + static_cast<int64_t>(row);
      const int64_t at = within + block / kColumnGroup * sums.sum_of_blocks->chunk +
                         static_cast<int64_t>(row) * row_step;
      k.add(static_cast<uint8_t*>(b.workspace) + at, values, place.cols, block % kColumnGroup == 0);
      values += place.cols * sizeof(float);
    }
  }

  // Before the first elements of a batch's blocks.
  void begin_scans(Batch* b) const {
    scans_.begin(b->phase, b->memory.states + scan_states_, rows_of_block(layout_), static_cast<size_t>(b->count));
  }

  // Elements along the last extent, in that row of the last but one.
  int64_t length_of(const Batch& b, int64_t row) const {
    const size_t last = layout_.extents.size() - 1;
    const Pass::ShortGroup& cut = layout_.short_group;
    if (!cut.limit || cut.within != last || cut.group < outer()) return extent_of(b, last, b.index);
    return std::min(layout_.extents[last], cut.limit - row * layout_.extents[last]);
  }

  // Where blocks are added up a unit is a chunk of them, which one thread takes one after the other.
  void run_chunks(const Binding& binding, size_t begin, size_t end) const {
    Machine::Scratch scratch;
    Memory memory;
    const size_t dims = outer();
    const int64_t last = std::min(static_cast<int64_t>(end) * kColumnGroup, blocks_of(layout_));
    Batch b(*this, scratch, memory);
    for (b.number = static_cast<int64_t>(begin) * kColumnGroup; b.number < last; b.number += b.count) {
      int64_t left = b.number;
      for (size_t d = dims; d-- > 0; left /= layout_.extents[d]) b.index[d] = left % layout_.extents[d];
      const int64_t in_chunk = kColumnGroup - b.number % kColumnGroup;
      b.count = std::min({rows_, in_chunk, last - b.number, layout_.extents[dims - 1] - b.index[dims - 1]});
      run_batch(binding, &b);
    }
    for (const Machine& m : machines_) m.end();
  }

  void run(const Binding& binding, size_t begin, size_t end) const override {
    if (sums_blocks_) return run_chunks(binding, begin, end);
    Machine::Scratch scratch;
    Memory memory;
    const size_t dims = outer();
    for (size_t unit = begin; unit < end; ++unit) {
      Batch b(*this, scratch, memory);
      size_t left = unit;
      const size_t batches = static_cast<size_t>(batches_of(layout_, rows_));
      const int64_t batch = static_cast<int64_t>(left % batches);
      left /= batches;
      if (dims > 0) {
        const int64_t extent = batched_extent(layout_), whole = extent - batches_short_groups(layout_);
        b.index[dims - 1] = std::min(batch * rows_, whole);
        b.count = b.index[dims - 1] < whole ? std::min(rows_, whole - b.index[dims - 1]) : 1;
        for (size_t d = dims - 1; d-- > 0;) {
          b.index[d] = static_cast<int64_t>(left % static_cast<size_t>(layout_.extents[d]));
          left /= static_cast<size_t>(layout_.extents[d]);
        }
      }
      run_batch(binding, &b);
    }
    for (const Machine& m : machines_) m.end();
  }

  void run_batch(Binding binding, Batch* b) const {
    const size_t dims = outer();
    const Pass::ShortGroup& cut = layout_.short_group;
    if (cut.limit && cut.group < dims) {
      const int64_t all = layout_.extents[cut.within], here = cut.limit - b->index[cut.group] * all;
      b->in_group = here < all ? here : 0;
    }
    for (size_t l = 0; l < locals_.size(); ++l) {
      const int64_t first = dims > 0 ? b->index[dims - 1] : 0;
      b->locals[l] = b->memory.locals + offsets_[l] - first * row_steps_[l];
    }
    binding.locals = b->locals;
    b->workspace = binding.workspace;
    for (size_t p = 0; p < machines_.size(); ++p) {
      machines_[p].begin(binding, &b->scratch);
      b->phase = p;
      begin_scans(b);
      if (levels_[p] == Level::element) run_elements(binding, machines_[p], b);
      else run_few(binding, machines_[p], levels_[p], b);
    }
  }

  // Once for each row of the batch, or for each group of the one row.
  void run_few(const Binding& binding, const Machine& m, Level level, Batch* b) const {
    const size_t dims = outer(), along = level == Level::group ? dims : dims > 0 ? dims - 1 : 0;
    const int64_t first = level == Level::group ? 0 : b->index[along];
    const int64_t n = level == Level::group ? layout_.extents[dims] : dims > 0 ? b->count : 1;
    const int64_t room = static_cast<int64_t>(m.program().tile);
    for (int64_t at = 0; at < n; at += room) {
      b->index[along] = first + at;
      m.run_tile(binding, Place{b->index, 1, static_cast<size_t>(std::min(room, n - at))}, &b->scratch, b);
    }
    b->index[along] = first;
  }

  // Rows of the columns of a batch; they are the last extent.
  void run_columns(const Binding& binding, const Machine& m, Batch* b) const {
    const size_t dims = layout_.extents.size(), block = outer(), down = dims - 2;
    whole_blocks(m, b, true);
    int64_t index[TILEOPS_MAX_NDIM + 4] = {};
    std::copy_n(b->index, block - 1, index);
    index[dims - 1] = b->index[block - 1];
    const size_t cols = static_cast<size_t>(b->count);
    const int64_t some = std::max<int64_t>(1, tile_ / b->count);
    bool any = true;
    for (size_t d = block; d < dims; ++d) any = any && layout_.extents[d] > 0;
    while (any) {
      const int64_t n = extent_of(*b, dims - 1, index, 1);
      for (int64_t r = 0; r < n; r += some) {
        index[down] = r;
        m.run_tile(binding, Place{index, static_cast<size_t>(std::min(some, n - r)), cols}, &b->scratch, b);
      }
      index[down] = 0;
      any = false;
      for (size_t d = down; d-- > block - 1 && !any;) {
        any = ++index[d] < extent_of(*b, d + 1, index, 1);
        if (!any) index[d] = 0;
      }
    }
    whole_blocks(m, b, false);
  }

  void run_elements(const Binding& binding, const Machine& m, Batch* b) const {
    if (columns_) return run_columns(binding, m, b);
    const size_t dims = layout_.extents.size(), block = outer();
    if (layout_.row_rank == 1) {
      const int64_t n = length_of(*b, 0);
      if (n == 0) of_nothing(m, b);
      for (int64_t c = 0; c < n; c += tile_) {
        b->index[dims - 1] = c;
        const Place place{b->index, static_cast<size_t>(b->count), static_cast<size_t>(std::min(tile_, n - c))};
        m.run_tile(binding, place, &b->scratch, b);
      }
      b->index[dims - 1] = 0;
      return;
    }
    whole_blocks(m, b, true);
    for (size_t d = block; d < dims; ++d) b->index[d] = 0;
    do {
      run_rows_of_block(binding, m, b);
    } while (next(*b, block, dims - 2, b->index));
    for (size_t d = block; d < dims; ++d) b->index[d] = 0;
    whole_blocks(m, b, false);
  }

  // The results of reductions of no elements.
  void of_nothing(const Machine& m, Batch* b) const {
    for (const Instruction& i : m.program().instructions) {
      if (i.does != Instruction::Does::reduce) continue;
      const size_t number = static_cast<size_t>(i.index);
      kernels_[number].begin(b->state(number));
      for (int64_t row = 0; row < b->count; ++row)
        kernels_[number].finish(b->state(number), b->result(reductions_[number], row));
    }
  }

  // Begins or finishes the phase's reductions of a whole block that has several extents.
  void whole_blocks(const Machine& m, Batch* b, bool begin) const {
    for (const Instruction& i : m.program().instructions) {
      if (i.does != Instruction::Does::reduce) continue;
      const size_t number = static_cast<size_t>(i.index);
      if (reductions_[number].of_groups) continue;
      const ReduceKernel& k = kernels_[number];
      if (columns_) {
        if (begin) k.begin_columns(b->state(number), static_cast<size_t>(b->count));
        else finish_columns(number, b);
      } else if (begin) {
        k.begin(b->state(number));
      } else {
        k.finish(b->state(number), b->result(reductions_[number], 0));
      }
    }
  }

  void finish_columns(size_t number, Batch* b) const {
    alignas(64) uint8_t dense[kMostRows * kLocalElement];
    const RowReduction& r = reductions_[number];
    kernels_[number].finish_columns(b->state(number), static_cast<size_t>(b->count), dense);
    const size_t width = r.by == Reduction::sum_of_pairs ? sizeof(float) : ctype_size(r.type);
    for (int64_t c = 0; c < b->count; ++c) std::memcpy(b->result(r, c), dense + static_cast<size_t>(c) * width, width);
  }

  // The two innermost extents of a block.
  void run_rows_of_block(const Binding& binding, const Machine& m, Batch* b) const {
    const size_t rows = layout_.extents.size() - 2, cols = rows + 1;
    const int64_t height = extent_of(*b, rows, b->index);
    for (int64_t r = 0; r < height;) {
      const int64_t width = length_of(*b, r);
      int64_t count = std::max<int64_t>(1, tile_ / std::max<int64_t>(width, 1));
      count = std::min(count, height - r);
      while (count > 1 && length_of(*b, r + count - 1) != length_of(*b, r)) --count;
      b->index[rows] = r;
      for (int64_t c = 0; c < width; c += tile_) {
        b->index[cols] = c;
        m.run_tile(binding,
                   Place{b->index, static_cast<size_t>(count), static_cast<size_t>(std::min(tile_, width - c))},
                   &b->scratch, b);
      }
      b->index[cols] = 0;
      r += count;
    }
    b->index[rows] = 0;
  }

  // An extent of the block: of a short group fewer. The index has it `shift` places further out.
  int64_t extent_of(const Batch& b, size_t d, const int64_t* index, size_t shift = 0) const {
    const Pass::ShortGroup& cut = layout_.short_group;
    const int64_t all = layout_.extents[d];
    if (!cut.limit || d != cut.within) return all;
    if (cut.group < outer()) return b.in_group ? b.in_group : all;
    return std::min(all, cut.limit - index[cut.group - shift] * all);
  }

  bool next(const Batch& b, size_t from, size_t to, int64_t* index) const {
    for (size_t d = to; d-- > from;) {
      if (++index[d] < extent_of(b, d, index)) return true;
      index[d] = 0;
    }
    return false;
  }

  Layout layout_;
  bool columns_, sums_blocks_;
  std::vector<Local> locals_;
  std::vector<RowReduction> reductions_;
  std::vector<Machine> machines_;
  std::vector<Level> levels_;
  std::vector<ReduceKernel> kernels_;  // by reduction
  std::vector<size_t> states_;         // likewise: where what is known lies
  Scans scans_;
  size_t scan_states_ = 0;          // where that of scans begins
  std::vector<size_t> offsets_;     // by local
  std::vector<int64_t> row_steps_;  // likewise: bytes from row to row of the batch
  int64_t rows_, tile_;
};

// How a phase's tiles lie: of a whole block's elements, of rows that are blocks, of single values.
Tiles tiles_of(const Program& p, const Phase& phase, const Layout& layout) {
  const int dims = static_cast<int>(layout.extents.size());
  const bool elements = phase.level == Level::element;
  return Tiles(p.layout, elements && dims > 1 ? dims - 2 : -1, p.tile);
}

}  // namespace

bool is_of_rows(const Pass& pass) { return pass.row_rank > 0; }

ExecutorPtr make_rows_of(const Problem& problem, const Pass& pass, const std::vector<ChosenKernel>& kernels,
                         const KernelSet& set, int threads) {
  Phases phases = phases_of(pass, kernels, (problem.flags & TILEOPS_PLAN_REPRODUCIBLE) != 0);
  const Layout& layout = phases.layout;
  const bool non_temporal = wants_non_temporal_stores(pass, static_cast<size_t>(layout.numel), threads);
  std::vector<ReduceKernel> reductions;
  for (const RowReduction& r : phases.reductions) {
    if (!set.isa->reduction(r.by, r.type, {r.low_parts, r.in_columns}, &reductions.emplace_back()))
      unsupported("op: %s has no CPU kernel of %s in %s", problem.name.c_str(), reduction_name(r.by),
                  ctype_name(r.type));
  }
  const Scans scans(problem, phases.phases, *set.isa, phases.columns);
  std::vector<Program> programs;
  size_t tile = kBlock, few = kBlock;
  const Phase* last_of_elements = nullptr;  // which alone stores such to memory
  for (const Phase& phase : phases.phases)
    if (phase.level == Level::element && phase.source.reductions.back() < 0) last_of_elements = &phase;
  for (Phase& phase : phases.phases) {
    phase.source.tables.resize(phase.source.pass.loads.size());
    phase.source.non_temporal_stores = non_temporal && &phase == last_of_elements;
    Source source = phase.source;
    pair_steps(&source, set.by_op.at(kPairs));
    programs.push_back(assemble(problem, std::move(source), *set.isa->memory(), threads));
    size_t& least = phase.level == Level::element ? tile : few;
    least = std::min(least, programs.back().tile);
  }
  int64_t rows = 1;
  if (phases.columns) {
    const size_t block_rows = RowsExecutor::rows_of_block(layout);
    rows = std::min({kMostRows, static_cast<int64_t>(std::min(tile, few)),
                     layout.extents[layout.extents.size() - layout.row_rank - 1]});
    while (rows > 1 && bytes_of_states(reductions, true, block_rows, static_cast<size_t>(rows)) +
                               scans.bytes(block_rows, static_cast<size_t>(rows)) >
                           kStateBytes)
      rows /= 2;
    rows = std::max<int64_t>(rows, 1);
  } else if (layout.row_rank == 1 && layout.extents.size() > 1) {
    const int64_t n = std::max<int64_t>(layout.extents.back(), 1);
    rows = std::clamp<int64_t>(static_cast<int64_t>(tile) / n, 1, std::min(kMostRows, static_cast<int64_t>(few)));
  }
  if (packs_blocks(pass, layout)) {
    if (rows == 1)
      unsupported("op: %s writes elements that share a byte in rows of their own: not yet", problem.name.c_str());
    rows = rows / 2 * 2;
  }
  std::vector<Machine> machines;
  for (size_t i = 0; i < programs.size(); ++i) {
    Tiles tiles = tiles_of(programs[i], phases.phases[i], layout);
    machines.emplace_back(std::move(programs[i]), std::move(tiles));
  }
  return std::make_unique<RowsExecutor>(std::move(phases), std::move(machines), std::move(reductions), scans, rows,
                                        tile, non_temporal);
}

}  // namespace tileops::cpu
