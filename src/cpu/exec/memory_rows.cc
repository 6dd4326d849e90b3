// A body's own loop over rows of memory (Loop::rows and its like), for two operands of which one may be one value per
// row. (Passes of rows, which reduce, are in cpu/rows.)
#include "cpu/exec/executor.h"
#include "cpu/exec/print.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/memory/tiles.h"

namespace tileops::cpu {
namespace {

// Short rows of one value each are better off in blocks, those that share one operand are not. (mul
// of 64 Ki bf16 by a column on a core of a Zen 5: rows of 64 take 5.0 us in blocks and 5.9 here, of
// 128 4.3 both, of 256 5.1 and 3.4.)
constexpr int64_t kHalfRow = 256;

bool half_rows_pay(const Prepared& p, int values) {
  const int64_t row = p.layout.extents.back().typical();
  if (values != 0) return row >= kHalfRow;
  const auto& strides = p.loads[1].strides;
  return strides[strides.size() - 2] == 0 && row % 64 == 0 && row <= static_cast<int64_t>(kSharedRow);
}

// Rows whose results the loop writes past the cache itself; shorter ones are copied, many at once.
constexpr int64_t kLongRow = 256;

size_t room(const Prepared& p) {
  if (!p.non_temporal_stores || p.layout.extents.back().typical() >= kLongRow) return 16 * kBlock;
  return room_in_slot(p.step);
}

class MemoryRows final : public Executor {
 public:
  MemoryRows(Prepared&& p, const Tiles& tiles, RowsFn loop)
      : Executor(&p, "rows"),
        tiles_(tiles),
        loads_{std::move(p.loads[0]), std::move(p.loads[1])},
        store_(std::move(p.stores[0])),
        loop_(loop),
        step_(std::move(p.step)),
        memory_(*p.memory),
        long_rows_(p.layout.extents.back().typical() >= kLongRow) {}

  std::string source() const override {
    return operator_text(
        "rows: the kernel's own loop over rows of memory, " + tiles_text(tiles_, non_temporal_stores()),
        {&loads_[0], &loads_[1]}, step_, {&store_});
  }

 private:
  Work work(const Binding& binding) const override { return {elements(binding), tiles_.count(binding.sizes)}; }
  void run(const Binding& binding, size_t begin, size_t end) const override {
    tiles_.each(binding.sizes, begin, end, [&](const Place& place) {
      const Piece a = tiles_.piece(binding, loads_[0], place);
      const Piece b = tiles_.piece(binding, loads_[1], place);
      const Piece to = tiles_.piece(binding, store_, place);
      Rows rows{place.rows,         place.cols,           {a.at, b.at}, to.at, {a.tile.row_stride, b.tile.row_stride},
                to.tile.row_stride, non_temporal_stores()};
      if (non_temporal_stores() && !long_rows_ && !whole_lines(to.at, to.tile, store_.storage))
        return run_in_scratch(rows, to);
      loop_(rows, step_.attrs.data());
    });
    if (non_temporal_stores()) memory_.non_temporal_fence();
  }
  void run_in_scratch(Rows rows, const Piece& to) const {
    alignas(64) uint8_t results[kBlock * 8];
    rows.out = results;
    rows.out_step = static_cast<ptrdiff_t>(rows.cols) * store_.storage;
    rows.non_temporal = false;
    loop_(rows, step_.attrs.data());
    copy_rows_non_temporal(memory_, to.at, to.tile, store_.storage, results);
  }

  Tiles tiles_;
  Operand loads_[2], store_;
  RowsFn loop_;
  StepKernel step_;
  const MemoryKernels& memory_;
  bool long_rows_;
};

}  // namespace

bool suits_memory_rows(const Prepared& p, RowsFn* loop) {
  if (p.loads.size() != 2 || p.layout.cls == LayoutClass::tiled || p.step.gates || !p.stores[0].rows_in_place())
    return false;
  int values = 0;  // which operand is one value per row: 1, 2; 0: none, 3: both
  for (int k = 0; k < 2; ++k) {
    const Operand& o = p.loads[static_cast<size_t>(k)];
    if (!o.rows_in_place() && !(o.direct && o.strides.back() == 0)) return false;
    if (o.strides.back() == 0) values += k + 1;
  }
  if (values == 0 && p.layout.extents.size() == 1) return false;  // one call of the body's own loop
  if (values > 2 || (p.step.converts_within() && !half_rows_pay(p, values))) return false;
  constexpr Loop kLoops[] = {Loop::rows, Loop::rows_of_first, Loop::rows_of_second};
  const Variant* found = p.step.kernel->find(kLoops[values], p.step.variant.elements);
  if (found) *loop = found->fn.rows;
  return found;
}

ExecutorPtr make_memory_rows(Prepared&& p, RowsFn loop) {
  const Tiles tiles(p.layout, p.row_dim, room(p), &p.sizes);
  return std::make_unique<MemoryRows>(std::move(p), tiles, loop);
}

}  // namespace tileops::cpu
