// One operand of few codes and an f32 body: a table of results.
#include <algorithm>
#include <cstring>

#include "cpu/exec/executor.h"
#include "cpu/exec/print.h"
#include "cpu/exec/store.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/memory/tiles.h"

namespace tileops::cpu {
namespace {

// By the kernel itself, so that a table changes nothing but the speed.
std::vector<uint8_t> make_table(const StepKernel& step, const Load& load, const Store& store) {
  const size_t code_size = static_cast<size_t>(load.storage);
  const size_t codes = size_t{1} << (8 * code_size);
  const size_t element = static_cast<size_t>(store.storage);
  std::vector<uint8_t> table(codes * element);
  uint16_t code[kBlock];
  float x[kBlock];
  alignas(8) uint8_t y[kSlotBytes];
  for (size_t base = 0; base < codes; base += kBlock) {
    const size_t n = std::min(kBlock, codes - base);
    for (size_t i = 0; i < n; ++i) {
      const uint16_t c = static_cast<uint16_t>(base + i);
      std::memcpy(reinterpret_cast<uint8_t*>(code) + i * code_size, &c, code_size);
    }
    load.load(code, Tile{1, n, 0, load.storage}, x);
    const BlockOperands operands{{x}, n, step.attrs.data()};
    void* outs[] = {y};
    step.run(operands.in, outs, n, step.attrs.data(), false);
    const Tile tile{1, n, 0, store.storage};
    uint8_t* to = table.data() + base * element;
    if (store.tested) store_tested(store, y, tile, to, step, 0, operands);
    else store.store(y, tile, to);
  }
  return table;
}

// Copies of elements of 1, 2, 4 or 8 bytes from and to strided memory.
LoadFn raw_load(const MemoryKernels& memory, ptrdiff_t element) {
  const Ctype type = bits_type(static_cast<size_t>(element));
  return memory.load[static_cast<int>(ctype_dtype(type))][static_cast<int>(type)];
}
StoreFn raw_store(const MemoryKernels& memory, ptrdiff_t element) {
  const Ctype type = bits_type(static_cast<size_t>(element));
  return memory.store[static_cast<int>(type)][static_cast<int>(ctype_dtype(type))];
}

class Lookup final : public Executor {
 public:
  Lookup(Prepared&& p, const Tiles& tiles, Table table)
      : Executor(&p, "table"),
        tiles_(tiles),
        from_(std::move(p.loads[0])),
        to_(std::move(p.stores[0])),
        step_(std::move(p.step)),
        table_(std::move(table)),
        memory_(*p.memory),
        load_(raw_load(memory_, from_.storage)),
        store_(raw_store(memory_, to_.storage)),
        lookup_((from_.storage == 1 ? memory_.lookup
                                    : memory_.lookup16)[__builtin_ctzll(static_cast<size_t>(to_.storage))]) {}

  std::string source() const override {
    const std::string results = std::to_string(table_->size() / static_cast<size_t>(to_.storage));
    return operator_text(
        "table: looked up by code among " + results + " results, " + tiles_text(tiles_, non_temporal_stores()),
        {&from_}, step_, {&to_});
  }

 private:
  Work work(const Binding& binding) const override { return {elements(binding), tiles_.count(binding.sizes)}; }
  void run(const Binding& binding, size_t begin, size_t end) const override {
    tiles_.each(binding.sizes, begin, end, [&](const Place& place) {
      run_tile(tiles_.piece(binding, from_, place), tiles_.piece(binding, to_, place));
    });
    if (non_temporal_stores()) memory_.non_temporal_fence();
  }
  void run_tile(const Piece& from, const Piece& to) const {
    alignas(64) uint8_t codes[kBlock * 2], results[kSlotBytes];
    const size_t n = from.tile.rows * from.tile.cols;
    const void* src = from.at;
    if (!is_dense(from.tile, from_.storage)) {
      load_(from.at, from.tile, codes);
      src = codes;
    }
    if (is_dense(to.tile, to_.storage)) return lookup_(src, table_->data(), n, to.at, non_temporal_stores());
    lookup_(src, table_->data(), n, results, false);
    store_(results, to.tile, to.at);
  }

  Tiles tiles_;
  Operand from_, to_;
  StepKernel step_;  // that the table was made by
  Table table_;
  const MemoryKernels& memory_;
  LoadFn load_;
  StoreFn store_;
  LookupFn lookup_;
};

}  // namespace

// A table of 256 codes always; one of 65536, for 16-bit floats, where the body is dear and the tensor larger
// than half the table. (A lookup takes 0.3 to 0.5 ns on a core of a Zen 4, whatever the body; with
// AVX2 exp takes 0.5, gelu 1.2.)
bool suits_lookup(const Pass& pass, const Kernel& kernel, size_t numel) {
  if (pass.loads.size() != 1 || pass.stores.size() != 1) return false;
  const View& in = pass.loads[0];
  if (kernel.num_out != 1 || in.kind != ViewKind::input || !in.indices.empty() || kernel.in[0] != Ctype::f32)
    return false;
  if (dtype_size(in.dtype) == 1) return true;
  const BodyInfo& body = *only_step(pass).body;
  if (!is_narrow_float(in.dtype) || body.ulp == 0 || body.cheap || numel < 32768) return false;
  const Variant* loop = kernel.find(Loop::dense, elements_of(in.dtype));
  return in.dtype != pass.stores[0].dtype || !loop || !loop->beats_lookup;
}

ExecutorPtr make_lookup(Prepared&& p, const std::string& table_key) {
  Table table = shared_table(table_key, [&] { return make_table(p.step, p.loads[0], p.stores[0]); });
  // Dense codes and results need no scratch.
  const bool dense = p.layout.cls == LayoutClass::contiguous;
  const Tiles tiles(p.layout, p.row_dim, dense ? 16 * kBlock : kBlock, &p.sizes);
  return std::make_unique<Lookup>(std::move(p), tiles, std::move(table));
}

}  // namespace tileops::cpu
