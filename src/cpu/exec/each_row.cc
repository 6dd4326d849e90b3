// The body on one row of memory at a time. Operands that are one value there are repeated in
// scratch.
#include <algorithm>

#include "cpu/exec/executor.h"
#include "cpu/exec/print.h"
#include "cpu/memory/fetch.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/threads/scratch.h"

namespace tileops::cpu {
namespace {

// Below so many elements a row, copying the rows of a block together costs less than a call for
// each.
constexpr int64_t kLongRow = 256;

// Does the step write past the cache itself? Of short rows results are copied, many rows at once.
bool step_stores_non_temporal(const Prepared& p) {
  return p.non_temporal_stores && p.step.can_store_non_temporal() && p.layout.extents.back().typical() >= kLongRow;
}

size_t room(const Prepared& p) {
  if (!p.non_temporal_stores || step_stores_non_temporal(p)) return 16 * kBlock;
  return room_in_slot(p.step);
}

class EachRow final : public Executor {
 public:
  EachRow(Prepared&& p, const Tiles& tiles)
      : Executor(&p, "rows"),
        tiles_(tiles),
        memory_(*p.memory),
        step_stores_non_temporal_(step_stores_non_temporal(p)),
        loads_(std::move(p.loads)),
        stores_(std::move(p.stores)),
        step_(std::move(p.step)) {}

  std::string source() const override {
    return operator_text(
        "rows: the kernel on one row of memory at a time, " + tiles_text(tiles_, non_temporal_stores()),
        pointers(loads_), step_, pointers(stores_));
  }

 private:
  struct Scratch {
    alignas(64) uint8_t in[kMaxOperands][kSlotBytes];
    alignas(64) uint8_t out[kMaxResults][kSlotBytes];
    Kept kept[kMaxOperands] = {};
  };

  Work work(const Binding& binding) const override { return {elements(binding), tiles_.count(binding.sizes)}; }
  void run(const Binding& binding, size_t begin, size_t end) const override {
    auto& scratch = scratch_as<Scratch>();
    tiles_.each(binding.sizes, begin, end, [&](const Place& place) { run_tile(binding, place, &scratch); });
    if (non_temporal_stores()) memory_.non_temporal_fence();
  }

  void run_tile(const Binding& binding, const Place& place, Scratch* scratch) const {
    const bool copied = non_temporal_stores() && !step_stores_non_temporal_;
    Piece from[kMaxOperands], to[kMaxResults];
    size_t piece = place.cols;
    for (size_t k = 0; k < loads_.size(); ++k) {
      from[k] = tiles_.piece(binding, loads_[k], place);
      if (from[k].tile.col_stride == 0) piece = std::min(place.cols, kBlock);
    }
    for (size_t k = 0; k < stores_.size(); ++k) to[k] = tiles_.piece(binding, stores_[k], place);
    for (size_t r = 0; r < place.rows; ++r) {
      const auto row = static_cast<ptrdiff_t>(r);
      for (size_t c = 0; c < place.cols; c += piece) {
        const void* in[kMaxOperands];
        void* out[kMaxResults];
        for (size_t k = 0; k < loads_.size(); ++k) {
          const Tile& tile = from[k].tile;
          const uint8_t* p = from[k].at + row * tile.row_stride;
          in[k] = tile.col_stride ? p + static_cast<ptrdiff_t>(c) * tile.col_stride
                                  : fetch_value(loads_[k], p, piece, scratch->in[k], &scratch->kept[k]);
        }
        for (size_t k = 0; k < stores_.size(); ++k) {
          const size_t element = static_cast<size_t>(stores_[k].storage);
          out[k] = copied ? scratch->out[k] + (r * place.cols + c) * element
                          : to[k].at + row * to[k].tile.row_stride + c * element;
        }
        step_.run(in, out, std::min(piece, place.cols - c), step_.attrs.data(), step_stores_non_temporal_);
      }
    }
    if (!copied) return;
    for (size_t k = 0; k < stores_.size(); ++k)
      copy_rows_non_temporal(memory_, to[k].at, to[k].tile, stores_[k].storage, scratch->out[k]);
  }

  Tiles tiles_;
  const MemoryKernels& memory_;
  bool step_stores_non_temporal_;
  std::vector<Load> loads_;
  std::vector<Store> stores_;
  StepKernel step_;
};

}  // namespace

bool suits_each_row(const Prepared& p) {
  if (p.layout.cls == LayoutClass::tiled) return false;
  const Kernel& kernel = *p.step.kernel;
  if (kernel.identity || p.stores.size() != static_cast<size_t>(kernel.num_out)) return false;
  if (p.layout.extents.back().typical() < kLongRow && p.layout.extents.size() > 1) return false;
  return std::all_of(p.loads.begin(), p.loads.end(),
                     [](const Load& o) {
                       const bool value = o.strides.back() == 0 && o.load && o.indices.empty() &&
                                          o.kind != ViewKind::index;
                       return value || o.rows_in_place();
                     }) &&
         std::all_of(p.stores.begin(), p.stores.end(), [](const Store& o) { return o.rows_in_place(); });
}

ExecutorPtr make_each_row(Prepared&& p) {
  const Tiles tiles(p.layout, p.row_dim, room(p), &p.sizes);
  return std::make_unique<EachRow>(std::move(p), tiles);
}

}  // namespace tileops::cpu
