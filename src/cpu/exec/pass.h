// A pass made ready for the CPU: kernels chosen, strides in the order of the loops.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/layout.h"
#include "cpu/kernel.h"
#include "cpu/exec/table.h"
#include "cpu/threads/threads.h"

namespace tileops::cpu {

// One load or store.
struct Operand {
  ViewKind kind;
  int slot;
  int64_t offset;  // bytes; index views: value at the origin
  const uint8_t* constant = nullptr;
  std::vector<int64_t> strides;  // by loop dimension, outermost first
  LoadFn load = nullptr;         // conversion to the body's type
  StoreFn store = nullptr;
  CheckedStoreFn checked = nullptr;
  StreamConvertFn streamed = nullptr;  // of dense results past the cache; NULL: none, or they are checked
  ptrdiff_t storage = 0;         // bytes in memory
  bool direct = false;           // memory type is the body's type: dense tiles need no copy
  Ctype type{};                  // the body's type
  // Gathered views.
  std::shared_ptr<Operand> gather;
  int64_t gather_stride = 0, gather_extent = 0;

  // Can the body run on its rows where they lie?
  bool in_place_rows() const { return direct && strides.back() == storage; }
};

class CpuPass {
 public:
  // Without `prepare` only checks: no table is made, and it must not run.
  CpuPass(const Problem& problem, const Pass& pass, const std::vector<Kernel>& kernels,
          const MemoryKernels& memory, int threads, bool prepare);

  // Runs on the calling thread and, for large tensors, on workers.
  void run(const void* const* inputs, void* const* outputs, const Threads& threads) const;

  const Kernel& kernel() const { return kernel_; }
  const Layout& layout() const { return layout_; }
  const char* strategy() const;

 private:
  struct Run;
  struct Scratch;
  void call(const void* const* in, void* const* out, size_t n, bool stream) const {
    if (gates_) {
      const void* with_table[] = {in[0], in[1], gates_->data()};
      kernel_.gated[fused_].fn(with_table, out, n, attrs_, stream);
    } else if (fused_fn_) {
      fused_fn_(in, out, n, attrs_, stream);
    } else {
      (stream && kernel_.streamed ? kernel_.streamed : kernel_.fn)(in, out, n, attrs_);
    }
  }
  // Does the kernel itself bypass the cache? Of short rows results are copied, many rows at once.
  bool streams() const { return (rows_fn_ || kernel_streams()) && layout_.extents.back() >= 256; }
  bool kernel_streams() const { return kernel_.num_out == 1 && (fused_fn_ || kernel_.streamed); }
  void run_flat(const Run& run, size_t begin, size_t end) const;
  void run_tiles(const Run& run, size_t begin, size_t end) const;
  void run_block(const Run& run, const int64_t* index, size_t rows, size_t cols,
                 Scratch* scratch) const;
  void run_rows(const Run& run, const int64_t* index, size_t rows, size_t cols,
                Scratch* scratch) const;
  bool run_identity(const Run& run, const int64_t* index, size_t rows, size_t cols,
                    Scratch* scratch) const;
  void convert(const uint8_t* src, const Tile& source, uint8_t* dst, const Tile& target,
               Scratch* scratch) const;
  void stream_conversion(const uint8_t* src, uint8_t* dst, size_t n, Scratch* scratch) const;
  void run_table(const Run& run, const int64_t* index, size_t rows, size_t cols,
                 Scratch* scratch) const;
  const void* fetch(size_t k, const Run& run, const int64_t* index, size_t rows, size_t cols,
                    Scratch* scratch) const;
  void fetch_gathered(const Operand& op, const Run& run, const int64_t* index, size_t rows,
                      size_t cols, float* dst) const;
  const void* spread(size_t k, const void* src, size_t n, Scratch* scratch) const;
  void store_alternating(const void* const* in, size_t cols, void* const* out, const Tile& tile, uint8_t* memory,
                         Scratch* scratch) const;
  void run_body(const void* const* in, void* const* out, size_t rows, size_t cols,
                Scratch* scratch, bool past_cache) const;
  // Converts dense results to storage; repairs those too close to a tie from the body's inputs.
  void store_block(size_t which, const void* const* in, size_t cols, const void* src,
                   const Tile& tile, void* dst) const;
  void repair(size_t which, const void* const* in, size_t cols, const Tile& tile, void* dst,
              size_t count, const uint16_t* doubtful) const;
  Tile tile_of(const Operand& op, size_t rows, size_t cols) const;
  bool all_direct() const;
  bool row_wise() const;
  int rows_variant(const RowsFn* by_variant) const;
  const RowsFn* fused_rows() const;
  bool fused_rows_pay(int variant) const;
  bool one_conversion() const;
  bool results_alternate() const;
  int shared_row_dim();
  void choose_tiles();
  bool wants_table(const Pass& pass) const;
  int fused_dtype(const Pass& pass) const;
  void make_operands(const Problem& problem, const Pass& pass);
  std::string table_key(const Problem& problem, const Pass& pass) const;
  std::vector<uint8_t> make_table() const;
  bool wants_gates() const;
  std::vector<uint8_t> make_gates() const;

  Kernel kernel_;
  StoreFn repair_store_[kMaxStores] = {};  // from f64
  bool repairs_ = false;
  int ulp_ = 0;
  const MemoryKernels& memory_;
  const AttrValue* attrs_;
  std::vector<AttrValue> attr_values_;
  std::vector<std::vector<uint8_t>> constants_;
  Layout layout_;
  std::vector<Operand> loads_, stores_;
  bool flat_ = false;       // contiguous and direct: the body runs on memory itself
  bool rows_ = false;       // so it does on every row of a tile
  RowsFn rows_fn_ = nullptr;  // for such a tile at once, or NULL
  bool staged_ = false;     // the early stage runs on the first row of a tile only
  size_t tile_rows_ = 1, tile_cols_ = 1;
  int row_dim_ = -1, col_dim_ = 0;
  int next_dim_ = -1;       // along which the next tile lies; -1: along the rows, or there is none
  size_t units_ = 0;        // elements if flat, else tiles
  size_t unit_elements_ = 1;
  bool alternate_ = false;  // the elements of two results lie in turn
  bool stream_ = false;     // outputs too large for the cache
  FusedFn fused_fn_ = nullptr;  // operands are 16-bit floats, converted within the body's loop
  int fused_ = -1;            // its index
  StreamConvertFn converts_ = nullptr;  // the whole of a cast, or NULL
  Table gates_;               // of a gated kernel, or NULL
  Table table_;               // results by code, or NULL
};

}  // namespace tileops::cpu
