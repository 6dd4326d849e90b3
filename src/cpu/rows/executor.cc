// Which blocks of a pass go through its phases together, and where their locals lie.
#include "cpu/rows/executor.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "cpu/threads/scratch.h"

namespace tileops::cpu {
namespace {

size_t bytes_of_state(const ReduceKernel& k, bool columns, size_t rows, size_t cols) {
  return columns ? k.columns_state(rows, cols) : k.state;
}

// Is the extent along which rows are taken together that of groups, the last of which is short?
bool batches_short_groups(const Layout& l) {
  return l.short_group.limit && l.short_group.group + l.row_rank + 1 == l.extents.size();
}
bool sums_blocks(const Phases& phases) {
  return std::any_of(phases.reductions.begin(), phases.reductions.end(),
                     [](const RowReduction& r) { return r.sums.has_value(); });
}

Sizes with_extents(Sizes&& sizes, const Layout& layout, size_t* at) {
  *at = sizes.add(layout.extents);
  return std::move(sizes);
}

}  // namespace

size_t bytes_of_states(const std::vector<ReduceKernel>& kernels, bool columns, size_t rows, size_t cols) {
  size_t bytes = 0;
  for (const ReduceKernel& k : kernels) bytes += bytes_of_state(k, columns, rows, cols);
  return bytes;
}

size_t rows_of_block(const Layout& l) {
  constexpr size_t kMost = size_t{1} << 48;
  size_t n = 1;
  for (size_t d = l.outer(); d < l.extents.size(); ++d) {
    if (l.extents[d].is_open()) return kMost;
    n *= static_cast<size_t>(l.extents[d]);
  }
  return n;
}

RowsExecutor::RowsExecutor(Phases&& phases, Sizes&& sizes, std::vector<Machine>&& machines,
                           std::vector<ReduceKernel> kernels, Scans scans, int64_t rows, int64_t matrices, size_t tile,
                           bool non_temporal, std::shared_ptr<const Gate> gate)
    : Executor(phases.layout, "row_program", with_extents(std::move(sizes), phases.layout, &extents_at_), non_temporal),
      layout_(std::move(phases.layout)),
      rows_of_block_(rows_of_block(layout_)),
      split_elements_(phases.split_elements),
      columns_(phases.columns),
      joins_matrices_(phases.joins_matrices),
      sums_blocks_(sums_blocks(phases)),
      locals_(std::move(phases.locals)),
      reductions_(std::move(phases.reductions)),
      machines_(std::move(machines)),
      kernels_(std::move(kernels)),
      scans_(std::move(scans)),
      rows_(rows),
      matrices_(matrices),
      tile_(static_cast<int64_t>(tile)),
      gate_(std::move(gate)) {
  for (const Phase& p : phases.phases) levels_.push_back(p.level);
  for (size_t p = 0; p < machines_.size(); ++p) takes_first_.push_back(takes_first(p));
  place_locals();
}

std::string RowsExecutor::source() const {
  std::string text = gate_ ? gate_->source() : "";
  text += (columns_ ? "columns: " : "rows: ") + std::to_string(rows_) + " at a time\n";
  for (size_t i = 0; i < machines_.size(); ++i) {
    static constexpr const char* kNames[] = {"once a block", "once a group", "elements"};
    text += std::string("phase ") + std::to_string(i) + ": " + kNames[static_cast<size_t>(levels_[i])] + "\n" +
            program_text(machines_[i].program(), machines_[i].tiles());
  }
  return text;
}

bool RowsExecutor::takes_first(size_t phase) const {
  using Does = Instruction::Does;
  bool any = false;
  for (const Instruction& i : machines_[phase].program().instructions) {
    if (i.does == Does::store || i.does == Does::scan) return false;
    if (i.does != Does::reduce) continue;
    const RowReduction& r = reductions_[static_cast<size_t>(i.index)];
    if (r.by != Reduction::first || r.of_groups) return false;
    any = true;
  }
  return any && levels_[phase] == Level::element;
}

void RowsExecutor::place_locals() {
  size_t at = 0;
  const size_t block = outer();
  for (const Local& l : locals_) {
    int64_t n = rows_ * matrices_;
    if (l.level == Level::group) n = layout_.extents[block];
    for (size_t d = block; l.level == Level::element && d < layout_.extents.size(); ++d) n *= layout_.extents[d];
    offsets_.push_back(at);
    row_steps_.push_back(l.level == Level::group ? 0 : static_cast<int64_t>(l.element) * (n / rows_ / matrices_));
    at += (static_cast<size_t>(n) * l.element + 63) / 64 * 64;
  }
  const size_t block_rows = rows_of_block_, cols = static_cast<size_t>(rows_ * matrices_);
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

int64_t RowsExecutor::batches(const int64_t* extents) const {
  const bool alone = batches_short_groups(layout_);
  const int64_t n = extents[outer() - 1] - alone;
  return (n + rows_ - 1) / rows_ + alone;
}

int64_t RowsExecutor::blocks(const int64_t* extents) const {
  return std::accumulate(extents, extents + outer(), int64_t{1}, std::multiplies<>());
}

size_t RowsExecutor::units(const int64_t* extents) const {
  if (sums_blocks_) return static_cast<size_t>((blocks(extents) + kColumnGroup - 1) / kColumnGroup);
  size_t units = static_cast<size_t>(batches(extents));
  for (size_t d = 0; d + 1 < outer(); ++d) units *= static_cast<size_t>(turns(extents, d));
  return units;
}

int64_t RowsExecutor::turns(const int64_t* extents, size_t d) const {
  return d + 2 == outer() ? (extents[d] + matrices_ - 1) / matrices_ : extents[d];
}

// Blocks without elements have results all the same.
Executor::Work RowsExecutor::work(const Binding& binding) const {
  const int64_t* const e = extents(binding);
  const size_t all = elements(binding), units_of_all = units(e);
  return {all > 0 ? all : units_of_all, units_of_all};
}

RowsExecutor::Memory& RowsExecutor::fresh_memory(const Binding& binding) const {
  auto& memory = scratch_as<Memory>();
  if (!shares_scratch()) machines_[0].begin(binding, &memory.scratch);
  return memory;
}

void RowsExecutor::run_chunks(const Binding& binding, size_t begin, size_t end) const {
  auto& memory = fresh_memory(binding);
  const size_t dims = outer();
  Batch b(*this, binding, memory);
  const int64_t last = std::min(static_cast<int64_t>(end) * kColumnGroup, blocks(b.extents));
  for (b.number = static_cast<int64_t>(begin) * kColumnGroup; b.number < last; b.number += b.count) {
    int64_t left = b.number;
    for (size_t d = dims; d-- > 0; left /= b.extents[d]) b.index[d] = left % b.extents[d];
    const int64_t in_chunk = kColumnGroup - b.number % kColumnGroup;
    b.count = std::min({rows_, in_chunk, last - b.number, b.extents[dims - 1] - b.index[dims - 1]});
    run_batch(&b);
  }
  for (const Machine& m : machines_) m.end();
}

void RowsExecutor::run(const Binding& binding, size_t begin, size_t end) const {
  if (sums_blocks_) return run_chunks(binding, begin, end);
  auto& memory = fresh_memory(binding);
  const size_t dims = outer();
  for (size_t unit = begin; unit < end; ++unit) {
    Batch b(*this, binding, memory);
    size_t left = unit;
    const size_t in_all = static_cast<size_t>(batches(b.extents));
    const int64_t batch = static_cast<int64_t>(left % in_all);
    left /= in_all;
    const int64_t whole = b.extents[dims - 1] - batches_short_groups(layout_);
    b.index[dims - 1] = std::min(batch * rows_, whole);
    b.count = b.index[dims - 1] < whole ? std::min(rows_, whole - b.index[dims - 1]) : 1;
    for (size_t d = dims - 1; d-- > 0;) {
      const size_t n = static_cast<size_t>(turns(b.extents, d));
      b.index[d] = static_cast<int64_t>(left % n);
      left /= n;
    }
    if (matrices_ > 1) {
      int64_t& first = b.index[dims - 2];
      first *= matrices_;
      b.matrices = std::min(matrices_, b.extents[dims - 2] - first);
    }
    if (gate_) run_stored(static_cast<int64_t>(end - unit) * rows_, &b);
    else run_batch(&b);
  }
  for (const Machine& m : machines_) m.end();
}

void RowsExecutor::run_stored(int64_t most, Batch* b) const {
  const size_t last = outer() - 1;
  gate_->each_stored(
      b->binding, b->index, b->count, most, &b->memory.scratch, &b->memory.window, [] {},
      [&](int64_t first, int64_t count) {
        b->index[last] = first;
        b->count = count;
        run_batch(b);
      });
}

void RowsExecutor::run_batch(Batch* b) const {
  const size_t dims = outer();
  const Pass::ShortGroup& cut = layout_.short_group;
  if (cut.limit && cut.group < dims) {
    const int64_t all = b->extents[cut.within], here = cut.limit - b->index[cut.group] * all;
    b->in_group = here < all ? here : 0;
  }
  for (size_t l = 0; l < locals_.size(); ++l) {
    const int64_t matrix = joins_matrices_ ? b->index[dims - 2] * b->extents[dims - 1] : 0;
    b->locals[l] = b->memory.locals + offsets_[l] - (matrix + b->index[dims - 1]) * row_steps_[l];
  }
  Binding& binding = b->binding;
  binding.locals = b->locals;
  for (size_t p = 0; p < machines_.size(); ++p) {
    if (shares_scratch()) machines_[p].begin(binding, &b->memory.scratch);
    b->phase = p;
    begin_scans(b);
    if (levels_[p] == Level::element) run_elements(binding, machines_[p], b);
    else run_few(binding, machines_[p], levels_[p], b);
  }
}

}  // namespace tileops::cpu
