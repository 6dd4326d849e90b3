#include "cpu/memory/operand.h"

namespace tileops::cpu {
namespace {

bool is_byte(Dtype dtype) { return dtype_size(dtype) == 1 && !is_float(dtype); }

int store_index(Dtype dtype, Fp8Mode mode) {
  return static_cast<int>(dtype) + (mode == Fp8Mode::saturate ? kNumDtypes : 0);
}

void place(const Problem& problem, const View& view, const std::vector<Extent>& strides, Sizes* sizes, Operand* o) {
  o->kind = view.kind;
  o->slot = view.slot;
  o->dtype = view.dtype;
  o->offset = view.offset;
  o->strides = strides;
  o->strides_at = sizes->add(strides);
  o->indices = view.indices;
  o->indices_at = sizes->count();
  for (const View::Index& index : view.indices)
    for (const Extent& e : {index.stride, index.extent}) sizes->add(e);
  o->storage = static_cast<ptrdiff_t>(dtype_size(view.dtype));
  o->packed = is_packed(view.dtype);
  if (view.kind != ViewKind::constant) return;
  const auto bytes = std::make_shared<const std::vector<uint8_t>>(
      problem.constants[static_cast<size_t>(view.slot)].bytes);
  o->constant = std::shared_ptr<const uint8_t>(bytes, bytes->data());
}

// NaN as it is stored, of integers 0.
uint64_t nan_bits(Dtype dtype, const MemoryKernels& memory) {
  uint64_t bits = 0;
  const float nan = __builtin_nanf("");
  const Tile one{1, 1, 0, static_cast<ptrdiff_t>(dtype_size(dtype))};
  if (is_float(dtype) || is_scale(dtype))
    memory.store[static_cast<int>(Ctype::f32)][static_cast<int>(dtype)](&nan, one, &bits);
  return bits;
}

}  // namespace

Load make_load(const Problem& problem, const View& view, const std::vector<Extent>& strides,
               const MemoryKernels& memory, Ctype type, bool copied, bool raw, Sizes* sizes) {
  Load o;
  place(problem, view, strides, sizes, &o);
  o.type = type;
  const Dtype from = raw ? ctype_dtype(type) : view.dtype;
  o.load = memory.load[static_cast<int>(from)][static_cast<int>(type)];
  // Kernels test the bytes of bools, and so of 8-bit integers for those; a copy has to make them 0
  // or 1.
  const bool same = type == Ctype::boolean ? !copied && is_byte(from) : from == ctype_dtype(type);
  if (!o.indices.empty() && !view.zero_outside) o.outside = o.packed ? 1 : nan_bits(view.dtype, memory);
  o.direct = view.kind != ViewKind::index && same && o.indices.empty();
  o.gathered_as_is = !o.indices.empty() && !o.packed && from == ctype_dtype(type) && type != Ctype::boolean;
  return o;
}

Store make_store(const Problem& problem, const View& view, const std::vector<Extent>& strides,
                 const MemoryKernels& memory, Ctype type, bool tested, bool raw, Sizes* sizes) {
  Store o;
  place(problem, view, strides, sizes, &o);
  o.type = type;
  const Dtype to = raw ? ctype_dtype(type) : view.dtype;
  const int at = store_index(to, view.fp8);
  o.store = memory.store[static_cast<int>(type)][at];
  o.tested = tested && type == Ctype::f32 ? memory.tested_store[at] : nullptr;
  if (o.tested) o.store_f64 = memory.store[static_cast<int>(Ctype::f64)][at];
  if (!o.tested && at < kNumDtypes)
    o.non_temporal = memory.non_temporal_convert[static_cast<int>(ctype_dtype(type))][at];
  o.adds = view.adds;
  o.direct = to == ctype_dtype(type) && o.indices.empty();
  return o;
}

}  // namespace tileops::cpu
