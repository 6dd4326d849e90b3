// Choosing kernels and loop dimensions for a pass. Running it: run.cc.
#include "cpu/exec/pass.h"

#include <algorithm>

#include "base/error.h"

namespace tileops::cpu {
namespace {

const Kernel* find_kernel(const std::vector<Kernel>& kernels, const BodyInfo& body, Ctype ctype) {
  for (const Kernel& k : kernels)
    if (k.op == body.op && k.body == body.index && k.ctype == ctype) return &k;
  return nullptr;
}

int store_index(Dtype dtype, Fp8Mode mode) {
  return static_cast<int>(dtype) + (mode == Fp8Mode::saturate ? kNumDtypes : 0);
}

bool is_byte(Dtype dtype) { return dtype_size(dtype) == 1 && !is_float(dtype); }

// Stores bypass the cache from so many output bytes on, if each thread moves so many in all: what
// fits a core's own cache is better left there, and not the last level's size decides (sysconf told
// 320 MiB on a virtual machine with 32). Copying 16 MiB on one Zen 4 core: 379 instead of 955 us; on
// Sapphire Rapids (2 MiB a core) streaming won by 1.2 to 1.4 from 3 MiB a thread on, and lost by 1.5
// to 3 below.
constexpr size_t kStreamedOutput = size_t{8} << 20, kStreamedShare = size_t{3} << 20;

}  // namespace

CpuPass::CpuPass(const Problem& problem, const Pass& pass, const std::vector<Kernel>& kernels,
                 const MemoryKernels& memory, int threads, bool prepare)
    : memory_(memory), layout_(make_layout(pass)) {
  const Step& step = only_step(pass);
  const Kernel* kernel = find_kernel(kernels, *step.body, pass.ctype);
  if (!kernel) {
    unsupported("op: %s has no CPU kernel that computes in %s", problem.name.c_str(),
                ctype_name(pass.ctype));
  }
  kernel_ = *kernel;
  attr_values_ = step.attrs;
  attrs_ = attr_values_.data();
  for (const Constant& c : problem.constants) constants_.push_back(c.bytes);
  ulp_ = step.body->ulp;
  repairs_ = kernel_.repair != nullptr;
  const bool to_odd = kernel_.odd && is_narrow_float(pass.stores[0].dtype);
  if (to_odd) {
    kernel_.fn = kernel_.odd;
    repairs_ = false;
  }
  const bool table = wants_table(pass);
  fused_ = table ? -1 : fused_dtype(pass);
  if (fused_ >= 0) {
    repairs_ = false;  // the fused kernel does it itself
    const bool predicate = pass.stores[0].dtype == Dtype::boolean;
    fused_fn_ = predicate ? kernel_.predicate[fused_] : kernel_.fused[fused_];
    for (int i = 0; i < kernel_.num_in; ++i) kernel_.in[i] = fused_ == kFusedF32 ? Ctype::f32 : Ctype::u16;
    kernel_.out[0] = predicate ? Ctype::u8 : Ctype::u16;
  }
  make_operands(problem, pass);
  if (one_conversion()) {
    const int from = static_cast<int>(pass.loads[0].dtype), to = static_cast<int>(pass.stores[0].dtype);
    converts_ = memory_.stream_convert[from][to];
  }
  if (wants_gates() && prepare) gates_ = shared_table(table_key(problem, pass), [this] { return make_gates(); });
  if (table && prepare) table_ = shared_table(table_key(problem, pass), [this] { return make_table(); });

  const size_t numel = static_cast<size_t>(layout_.numel);
  size_t out_bytes = 0, in_bytes = 0;
  for (const View& v : pass.stores) out_bytes += dtype_size(v.dtype) * numel;
  for (const View& v : pass.loads)
    if (v.kind == ViewKind::input) in_bytes += dtype_size(v.dtype) * numel;
  stream_ = out_bytes >= kStreamedOutput &&
            (in_bytes + out_bytes) / static_cast<size_t>(threads) >= kStreamedShare;

  choose_tiles();
}

void CpuPass::choose_tiles() {
  const int dims = static_cast<int>(layout_.extents.size());
  col_dim_ = dims - 1;
  const size_t cols = static_cast<size_t>(layout_.extents[col_dim_]);
  flat_ = dims == 1 && !stream_ && all_direct();
  const RowsFn* by_variant = fused_fn_ ? fused_rows() : kernel_.rows;
  if (const int variant = rows_variant(by_variant); variant >= 0) rows_fn_ = by_variant[variant];
  rows_ = rows_fn_ || row_wise();
  alternate_ = results_alternate();
  // Without scratch a tile may be larger than a block.
  size_t room = kBlock;
  const bool converts = layout_.cls == LayoutClass::contiguous && (stream_ ? converts_ != nullptr : one_conversion());
  if (converts || (rows_ && (!stream_ || streams()))) room *= 16;
  // Scratch has 8 bytes an element, and fused loops nothing beside it.
  else if (fused_fn_) room *= fused_ == kFusedF32 ? 2 : 4;
  if (layout_.cls == LayoutClass::tiled) {
    // A square tile: lines of the transposed operand are used whole while they are in L1.
    row_dim_ = layout_.tile_dim;
    tile_cols_ = std::min<size_t>(cols, 32);
  } else {
    row_dim_ = shared_row_dim();
    tile_cols_ = std::min(cols, room);
  }
  if (row_dim_ >= 0) {
    tile_rows_ = std::min<size_t>(static_cast<size_t>(layout_.extents[row_dim_]),
                                  std::max<size_t>(room / std::max<size_t>(tile_cols_, 1), 1));
  }
  if (tile_cols_ == cols) {
    if (row_dim_ >= 0 && tile_rows_ < static_cast<size_t>(layout_.extents[row_dim_])) next_dim_ = row_dim_;
    for (int d = dims - 1; d >= 0 && next_dim_ < 0; --d)
      if (d != row_dim_ && d != col_dim_ && layout_.extents[d] > 1) next_dim_ = d;
  }
  units_ = flat_ ? static_cast<size_t>(layout_.numel) : 1;
  unit_elements_ = flat_ ? 1 : tile_rows_ * tile_cols_;
  if (!flat_ && layout_.numel > 0) {
    for (int d = 0; d < dims; ++d) {
      const size_t n = static_cast<size_t>(layout_.extents[d]);
      const size_t step = d == col_dim_ ? tile_cols_ : d == row_dim_ ? tile_rows_ : 1;
      units_ *= (n + step - 1) / step;
    }
  }
}

void CpuPass::make_operands(const Problem& problem, const Pass& pass) {
  const auto common = [&](const View& v, const std::vector<int64_t>& strides) {
    Operand o;
    o.kind = v.kind;
    o.slot = v.slot;
    o.offset = v.offset;
    o.strides = strides;
    o.storage = static_cast<ptrdiff_t>(dtype_size(v.dtype));
    if (v.kind == ViewKind::constant) o.constant = constants_[v.slot].data();
    return o;
  };
  // Where bits are kept, storage is read as the unsigned integer of its size.
  const auto storage_dtype = [&](const View& v, Ctype type) {
    return fused_fn_ || (pass.bits_kept && type == pass.ctype) ? ctype_dtype(type) : v.dtype;
  };
  size_t next_gather = pass.loads.size() + pass.stores.size();
  for (size_t i = 0; i < pass.loads.size(); ++i) {
    const View& v = pass.loads[i];
    Operand o = common(v, layout_.strides[i]);
    o.type = kernel_.in[i];
    const Dtype from = storage_dtype(v, o.type);
    o.load = memory_.load[static_cast<int>(from)][static_cast<int>(o.type)];
    // Kernels test the bytes of bools, and so of 8-bit integers for those; a copy has to make them 0 or 1.
    const bool truth = o.type == Ctype::boolean;
    const bool same = truth ? !kernel_.identity && is_byte(from) : from == ctype_dtype(o.type);
    o.direct = v.kind != ViewKind::index && same && !v.gather;
    if (v.gather) {
      o.gather = std::make_shared<Operand>(common(*v.gather, layout_.strides[next_gather++]));
      o.gather->load = memory_.load[static_cast<int>(v.gather->dtype)][static_cast<int>(Ctype::i64)];
      o.gather_stride = v.gather_stride;
      o.gather_extent = v.gather_extent;
    }
    loads_.push_back(std::move(o));
  }
  for (size_t i = 0; i < pass.stores.size(); ++i) {
    const View& v = pass.stores[i];
    Operand o = common(v, layout_.strides[pass.loads.size() + i]);
    o.type = kernel_.out[i];
    const Dtype to = storage_dtype(v, o.type);
    const int at = store_index(to, problem.fp8);
    o.store = memory_.store[static_cast<int>(o.type)][at];
    o.checked = repairs_ && o.type == Ctype::f32 ? memory_.checked_store[at] : nullptr;
    if (!o.checked && at < kNumDtypes) o.streamed = memory_.stream_convert[static_cast<int>(ctype_dtype(o.type))][at];
    if (o.checked) repair_store_[i] = memory_.store[static_cast<int>(Ctype::f64)][at];
    o.direct = to == ctype_dtype(o.type);
    stores_.push_back(std::move(o));
  }
}

// Does the body run on memory itself, given tiles of one row?
bool CpuPass::all_direct() const {
  bool direct = !table_ && stores_.size() == static_cast<size_t>(kernel_.num_out);
  for (const auto* list : {&loads_, &stores_})
    for (const Operand& o : *list)
      direct = direct && o.direct && (o.strides.back() == o.storage || layout_.numel == 1);
  return direct;
}

// Which of Kernel::rows runs on memory itself; -1: none does.
int CpuPass::rows_variant(const RowsFn* by_variant) const {
  if (!by_variant || table_ || flat_ || layout_.cls == LayoutClass::tiled) return -1;
  if (!stores_[0].in_place_rows()) return -1;
  int variant = 0;
  if (loads_.size() != 2) return -1;
  for (int k = 0; k < 2; ++k) {
    const Operand& o = loads_[k];
    if (!o.in_place_rows() && !(o.direct && o.strides.back() == 0)) return -1;
    if (o.strides.back() == 0) variant += k + 1;
  }
  if (variant == 0 && layout_.extents.size() == 1) return -1;  // one call of the body's own loop
  if (fused_fn_ && !fused_rows_pay(variant)) return -1;
  return variant < 3 && by_variant[variant] ? variant : -1;
}

// Kernel::fused_rows, or NULL.
const RowsFn* CpuPass::fused_rows() const {
  const bool narrow = fused_ != kFusedF32 && kernel_.out[0] == Ctype::u16 && !gates_;
  return narrow ? kernel_.fused_rows[fused_] : nullptr;
}

// Short rows of one value each are better off in blocks (mul of 64 Ki bf16 by a column on a core of a Zen 5: rows of 64
// 5.0 us in blocks and 5.9 so, of 128 4.3 both, of 256 5.1 and 3.4), those that share one operand are not.
bool CpuPass::fused_rows_pay(int variant) const {
  const int64_t row = layout_.extents.back();
  if (variant != 0) return row >= 256;
  const auto& strides = loads_[1].strides;
  return strides[strides.size() - 2] == 0 && row % 64 == 0 && row <= static_cast<int64_t>(kSharedRow);
}

// Does it run on memory row by row, after values that are the same along a row were spread out? Below
// 256 elements a row, copying the rows of a block together costs less than a call for each.
bool CpuPass::row_wise() const {
  if (table_ || kernel_.identity || layout_.cls == LayoutClass::tiled) return false;
  if (stores_.size() != static_cast<size_t>(kernel_.num_out)) return false;
  const int64_t row = layout_.extents.back();
  if (row < 256 && layout_.extents.size() > 1) return false;
  for (const Operand& o : loads_) {
    const bool constant = o.strides.back() == 0 && o.load && !o.gather && o.kind != ViewKind::index;
    if (!constant && !o.in_place_rows()) return false;
  }
  for (const Operand& o : stores_)
    if (!o.in_place_rows()) return false;
  return true;
}

// The dimension of a tile's rows: the next to last, -1 if there is none, or one along which everything
// that the early stage needs stays the same (RoPE's angles for the heads).
int CpuPass::shared_row_dim() {
  const int dims = static_cast<int>(layout_.extents.size());
  if (kernel_.num_late == 0) return dims - 2;
  for (int d = dims - 2; d >= 0; --d) {
    staged_ = layout_.extents[d] > 1;
    for (size_t k = static_cast<size_t>(kernel_.num_late); k < loads_.size(); ++k)
      staged_ = staged_ && loads_[k].strides[d] == 0 && !loads_[k].gather;
    if (staged_) return d;
  }
  return dims - 2;
}

// As those of RoPE on neighbours and of sinusoidal do.
bool CpuPass::results_alternate() const {
  if (table_ || stores_.size() != 2 || layout_.cls == LayoutClass::tiled) return false;
  const Operand &even = stores_[0], &odd = stores_[1];
  return even.slot == odd.slot && even.store == odd.store && odd.offset - even.offset == even.storage &&
         even.strides == odd.strides && even.strides.back() == 2 * even.storage;
}

// A cast from or to the compute type: memory to memory, without scratch.
bool CpuPass::one_conversion() const {
  return !table_ && kernel_.identity && loads_[0].type == stores_[0].type && !stores_[0].checked &&
         (loads_[0].direct || stores_[0].direct);
}

const char* CpuPass::strategy() const {
  if (table_) return "table";
  if (fused_fn_) return "fused";
  if (flat_) return "direct";
  return layout_.cls == LayoutClass::tiled ? "tile" : "block";
}

int CpuPass::fused_dtype(const Pass& pass) const {
  if (pass.stores.size() != 1 || pass.loads.empty()) return -1;
  const Dtype dtype = pass.loads[0].dtype, result = pass.stores[0].dtype;
  for (const View& v : pass.loads)
    if (v.kind != ViewKind::input || v.dtype != dtype || v.gather) return -1;
  const int index = dtype == Dtype::f16    ? kFusedF16
                    : dtype == Dtype::bf16 ? kFusedBf16
                    : dtype == Dtype::f32  ? kFusedF32
                                           : -1;
  if (index < 0) return -1;
  if (result == Dtype::boolean) return kernel_.predicate[index] ? index : -1;
  return pass.ctype == Ctype::f32 && result == dtype && index != kFusedF32 && kernel_.fused[index] ? index : -1;
}

}  // namespace tileops::cpu
