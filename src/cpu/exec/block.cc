// Blocks of at most kBlock elements: operands are loaded into slots of scratch, which stays in L1,
// taken through the step's kernel, and results are stored. Dense operands that need no conversion are
// used where they lie, and the step writes its results there.
#include <algorithm>

#include "cpu/exec/executor.h"
#include "cpu/exec/print.h"
#include "cpu/exec/store.h"
#include "cpu/threads/scratch.h"

namespace tileops::cpu {
namespace {

// Do two stores lie in turn, as those of RoPE on neighbours and of sinusoidal do?
bool are_interleaved(const Prepared& p) {
  if (p.stores.size() != 2 || p.layout.cls == LayoutClass::tiled) return false;
  const Store &even = p.stores[0], &odd = p.stores[1];
  return even.slot == odd.slot && even.store == odd.store && odd.offset - even.offset == even.storage &&
         even.strides == odd.strides && even.strides.back() == 2 * even.storage;
}

// Does it read every second element of 4 bytes or more?
bool reads_every_second(const Prepared& p) {
  return std::any_of(p.loads.begin(), p.loads.end(), [](const Load& load) {
    return load.kind == ViewKind::input && load.storage >= 4 && load.strides.back() == 2 * load.storage;
  });
}

size_t room(const Prepared& p) {
  // A load waits for an earlier store to scratch whose address differs by a multiple of 4 KB, which is rarer in small
  // tiles. (Every second of 4096 f32 in every second row added, on two cores of a Zen 4, November 2026: 5.8 ms in tiles
  // of 1024, 4.5 in tiles of 256.)
  if (p.non_temporal_stores && reads_every_second(p)) return 256;
  return room_in_slot(p.step);
}

// An operator's operands, and ids of one index.
constexpr int kMaxLoads = kMaxOperands + 1;

// Slots for loads, for results, and two spare ones.
constexpr int kSlots = kMaxLoads + kMaxResults + 2;

class Block final : public Executor {
 public:
  Block(Prepared&& p, const Tiles& tiles)
      : Executor(&p, p.layout.cls == LayoutClass::tiled ? "tile" : "block"),
        tiles_(tiles),
        memory_(*p.memory),
        interleaved_(are_interleaved(p)),
        staged_(p.shared_rows),
        whole_loads_(staged_ ? static_cast<size_t>(p.step.kernel->num_late) : p.loads.size()),
        loads_(std::move(p.loads)),
        step_(std::move(p.step)),
        stores_(std::move(p.stores)) {
    if (!staged_) return;
    early_ = step_.kernel->find(Loop::early)->fn.dense;
    late_ = step_.kernel->find(Loop::late)->fn.dense;
  }

  std::string source() const override {
    Listing listing("block: through scratch, " + tiles_text(tiles_, non_temporal_stores()));
    for (const Load& load : loads_) listing.add("  load     " + operand_text(load), load_text(load, tiles_));
    listing.add("  compute  " + body_text(step_),
                compute_text(step_) + (staged_ ? ", its first stage once for all rows of a tile" : ""));
    for (const Store& store : stores_) {
      const bool at_once = store.direct && is_dense(tiles_.whole_tile(store), store.storage) &&
                           (!non_temporal_stores() || (!staged_ && step_.can_store_non_temporal()));
      const char* there = at_once ? "written there by the kernel" : interleaved_ ? "two results in turns" : nullptr;
      listing.add("  store    " + operand_text(store),
                  there ? there : store_text(store, tiles_, non_temporal_stores()));
    }
    return listing.text();
  }

 private:
  struct Scratch {
    alignas(64) uint8_t slot[kSlots][kSlotBytes + kSlotGap];
    // Results on their way past the cache, or two that are being interleaved.
    alignas(64) uint8_t dense[2 * kSlotBytes];
    Kept kept[kMaxLoads] = {};
  };
  // Loads and results, in scratch or in memory.
  struct Values {
    const void* in[kMaxLoads];
    void* out[kMaxResults];
  };
  // Two slots behind those of loads and results.
  uint8_t* spare(Scratch* scratch, size_t i) const {
    return scratch->slot[loads_.size() + static_cast<size_t>(step_.kernel->num_out) + i];
  }

  Work work(const Binding& binding) const override { return {elements(binding), tiles_.count(binding.sizes)}; }
  void run(const Binding& binding, size_t begin, size_t end) const override {
    auto& scratch = scratch_as<Scratch>();
    tiles_.each(binding.sizes, begin, end, [&](const Place& place) { run_tile(binding, place, &scratch); });
    if (non_temporal_stores()) memory_.non_temporal_fence();
  }

  void run_tile(const Binding& binding, const Place& place, Scratch* scratch) const {
    Values value;
    const Place shared{place.index, 1, place.cols};
    const size_t operands = static_cast<size_t>(step_.kernel->num_in);
    for (size_t k = operands; k < loads_.size(); ++k)  // ids
      value.in[k] = fetch(k, binding, place, value, scratch);
    for (size_t k = 0; k < operands; ++k)
      value.in[k] = fetch(k, binding, k < whole_loads_ ? place : shared, value, scratch);
    Piece to[kMaxResults];
    for (size_t k = 0; k < stores_.size(); ++k) to[k] = tiles_.piece(binding, stores_[k], place);
    run_step(place, to, &value, scratch);
    if (interleaved_) return store_interleaved(place, to[0], value, scratch);
    for (size_t k = 0; k < stores_.size(); ++k) store(k, place, to[k], value, scratch);
  }

  const void* fetch(size_t k, const Binding& binding, const Place& place, const Values& value, Scratch* scratch) const {
    return cpu::fetch(loads_[k], binding, tiles_, place, memory_, value.in, {non_temporal_stores(), false},
                      scratch->slot[k], &scratch->kept[k]);
  }

  void run_step(const Place& place, const Piece* to, Values* value, Scratch* scratch) const {
    const size_t n = place.rows * place.cols;
    bool there = false;
    for (size_t k = 0; k < static_cast<size_t>(step_.kernel->num_out); ++k) {
      there = k < stores_.size() && can_write_there(step_, stores_[k], to[k], n, non_temporal_stores()) &&
              !(staged_ && non_temporal_stores());
      value->out[k] = there ? to[k].at : scratch->slot[loads_.size() + k];
    }
    if (staged_) run_staged(value->in, value->out, place, scratch);
    else step_.run(value->in, value->out, n, step_.attrs.data(), there && non_temporal_stores());
  }

  // The early stage once, of operands that are the same for all rows, the late one row by row.
  void run_staged(const void* const* in, void* const* out, const Place& place, Scratch* scratch) const {
    const Kernel& kernel = *step_.kernel;
    void* early[] = {spare(scratch, 0), spare(scratch, 1)};
    early_(in + kernel.num_late, early, place.cols, step_.attrs.data(), {});
    const void* ins[kMaxOperands];
    void* outs[kMaxResults];
    size_t in_row[kMaxOperands], out_row[kMaxResults];  // bytes
    for (int k = 0; k < kernel.num_late; ++k) in_row[k] = place.cols * ctype_size(step_.in[k]);
    for (int i = 0; i < kernel.num_out; ++i) out_row[i] = place.cols * ctype_size(step_.out[i]);
    ins[kernel.num_late] = early[0];
    ins[kernel.num_late + 1] = early[1];
    for (size_t r = 0; r < place.rows; ++r) {
      for (int k = 0; k < kernel.num_late; ++k) ins[k] = static_cast<const uint8_t*>(in[k]) + r * in_row[k];
      for (int i = 0; i < kernel.num_out; ++i) outs[i] = static_cast<uint8_t*>(out[i]) + r * out_row[i];
      late_(ins, outs, place.cols, step_.attrs.data(), {});
    }
  }

  void store(size_t k, const Place& place, const Piece& to, const Values& value, Scratch* scratch) const {
    const void* results = value.out[k];
    store_results(stores_[k], results, place.rows * place.cols, to, non_temporal_stores(), memory_, scratch->dense,
                  [&](const Tile& tile, void* memory) { convert(k, place, results, tile, memory, value); });
  }

  // Both results in turn, from where the first one's begin.
  void store_interleaved(const Place& place, const Piece& to, const Values& value, Scratch* scratch) const {
    const ptrdiff_t element = stores_[0].storage;
    const size_t row = place.cols * static_cast<size_t>(element);
    const uint8_t* results[2];
    for (size_t k = 0; k < 2; ++k) {
      const void* dense = value.out[k];
      if (!stores_[k].direct) {
        uint8_t* converted = spare(scratch, k);
        const Tile all{1, place.rows * place.cols, 0, element};
        convert(k, place, dense, all, converted, value);
        dense = converted;
      }
      results[k] = static_cast<const uint8_t*>(dense);
    }
    const Tile both{place.rows, 2 * place.cols, to.tile.row_stride, element};
    const bool non_temporal = non_temporal_stores() && rows_suit_non_temporal(to.at, both, element);
    const auto zip = memory_.zip[__builtin_ctzll(static_cast<size_t>(element))];
    const size_t together = is_dense(both, element) ? place.rows : 1;
    uint8_t* at = to.at;
    for (size_t r = 0; r < place.rows; r += together, at += both.row_stride) {
      zip(results[0] + r * row, results[1] + r * row, together * place.cols, non_temporal ? scratch->dense : at);
      if (non_temporal) copy_non_temporal(memory_, at, scratch->dense, 2 * row * together);
    }
  }

  void convert(size_t k, const Place& place, const void* results, const Tile& tile, void* to,
               const Values& value) const {
    const Store& store = stores_[k];
    if (!store.tested) return store.store(results, tile, to);
    BlockOperands operands;
    std::copy_n(value.in, step_.kernel->num_in, operands.in);
    operands.cols = place.cols;
    operands.attrs = step_.attrs.data();
    if (staged_) operands.whole = step_.kernel->num_late;
    store_tested(store, results, tile, to, step_, static_cast<int>(k), operands);
  }

  Tiles tiles_;
  const MemoryKernels& memory_;
  bool interleaved_, staged_;
  size_t whole_loads_;  // those after them are loaded for the first row of a tile only
  std::vector<Load> loads_;
  StepKernel step_;
  DenseFn early_ = nullptr, late_ = nullptr;  // the stages of the step, where it is staged
  std::vector<Store> stores_;
};

}  // namespace

ExecutorPtr make_block(Prepared&& p) {
  const Tiles tiles(p.layout, p.row_dim, room(p), &p.sizes);
  return std::make_unique<Block>(std::move(p), tiles);
}

}  // namespace tileops::cpu
