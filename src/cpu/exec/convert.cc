// A cast: the load and the store do everything. Memory to memory, without scratch where one of the
// two has nothing to convert.
#include <algorithm>

#include "cpu/exec/executor.h"
#include "cpu/exec/print.h"
#include "cpu/memory/fetch.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/memory/tiles.h"

namespace tileops::cpu {
namespace {

bool one_conversion(const Prepared& p) { return p.loads[0].direct || p.stores[0].direct; }

size_t room(const Prepared& p, NonTemporalConvertFn non_temporal) {
  const bool large = p.layout.cls == LayoutClass::contiguous &&
                     (p.non_temporal_stores ? non_temporal != nullptr : one_conversion(p));
  return large ? kTileWithoutScratch : kBlock;
}

class Convert final : public Executor {
 public:
  Convert(Prepared&& p, const Tiles& tiles, NonTemporalConvertFn non_temporal)
      : Executor(&p, "convert"),
        tiles_(tiles),
        memory_(*p.memory),
        non_temporal_(non_temporal),
        from_(std::move(p.loads[0])),
        to_(std::move(p.stores[0])),
        step_(std::move(p.step)) {}

  std::string source() const override {
    return operator_text("convert: from memory to memory, " + tiles_text(tiles_, non_temporal_stores()), {&from_},
                         step_, {&to_});
  }

 private:
  Work work(const Binding& binding) const override { return {elements(binding), tiles_.count(binding.sizes)}; }
  void run(const Binding& binding, size_t begin, size_t end) const override {
    tiles_.each(binding.sizes, begin, end, [&](const Place& place) {
      const Piece from = tiles_.piece(binding, from_, place);
      const Piece to = tiles_.piece(binding, to_, place);
      if (non_temporal_stores()) run_non_temporal(from.at, to.at, place.rows * place.cols);
      else convert(from, to);
    });
    if (non_temporal_stores()) memory_.non_temporal_fence();
  }

  void convert(const Piece& from, const Piece& to) const {
    if (to_.direct && is_dense(to.tile, to_.storage)) return from_.load(from.at, from.tile, to.at);
    if (from_.direct && is_dense(from.tile, from_.storage)) return to_.store(from.at, to.tile, to.at);
    alignas(64) uint8_t scratch[kSlotBytes];
    from_.load(from.at, from.tile, scratch);
    to_.store(scratch, to.tile, to.at);
  }

  // Dense, in pieces that start at whole lines: stores past the cache cost least between
  // computations.
  void run_non_temporal(uint8_t* from, uint8_t* to, size_t n) const {
    if (non_temporal_) return non_temporal_(from, n, to);
    constexpr size_t kPiece = 256;
    alignas(64) uint8_t results[2 * kPiece * 8];
    const size_t in = static_cast<size_t>(from_.storage), out = static_cast<size_t>(to_.storage);
    size_t piece = kPiece + (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64 / out;
    for (size_t i = 0; i < n; i += piece, piece = kPiece) {
      piece = std::min(piece, n - i);
      convert({from + i * in, Tile{1, piece, 0, from_.storage}}, {results, Tile{1, piece, 0, to_.storage}});
      copy_non_temporal(memory_, to + i * out, results, piece * out);
    }
  }

  Tiles tiles_;
  const MemoryKernels& memory_;
  NonTemporalConvertFn non_temporal_;
  Load from_;
  Store to_;
  StepKernel step_;
};

// Are the tiles dense that the layout is cut into?
bool tiles_are_dense(const Prepared& p) {
  Sizes sizes;  // of these tiles, which nobody runs
  const Tiles tiles(p.layout, p.row_dim, kBlock, &sizes);
  return is_dense(tiles.whole_tile(p.loads[0]), p.loads[0].storage) &&
         is_dense(tiles.whole_tile(p.stores[0]), p.stores[0].storage);
}

}  // namespace

bool suits_convert(const Prepared& p) {
  if (!p.step.kernel->identity) return false;
  const Load& from = p.loads[0];
  const Store& to = p.stores[0];
  const bool memory = from.indices.empty() && from.kind != ViewKind::index && !to.tested;
  return memory && from.type == to.type && (!p.non_temporal_stores || tiles_are_dense(p));
}

ExecutorPtr make_convert(Prepared&& p, NonTemporalConvertFn non_temporal) {
  if (!one_conversion(p)) non_temporal = nullptr;
  const Tiles tiles(p.layout, p.row_dim, room(p, non_temporal), &p.sizes);
  return std::make_unique<Convert>(std::move(p), tiles, non_temporal);
}

}  // namespace tileops::cpu
