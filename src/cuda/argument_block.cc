#include "cuda/argument_block.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "tileops/device/bodies.h"

namespace tileops::cuda {
namespace {

uint64_t word_of(double x) {
  uint64_t w;
  static_assert(sizeof w == sizeof x, "");
  std::copy_n(reinterpret_cast<const char*>(&x), sizeof w, reinterpret_cast<char*>(&w));
  return w;
}

// A factor by which the product with each number of S, rounded to S, is what the quotient is; 0 if there is none.
template <class S>
float factor_for(float divisor) {
  const float inverse = 1.0f / divisor;
  for (const float factor : {inverse, std::nextafter(inverse, 0.0f), std::nextafter(inverse, 2.0f * inverse)}) {
    bool right = true;
    for (unsigned code = 0; code < 1u << (8 * sizeof(S) - 1); ++code) {
      S s;
      s.bits = static_cast<decltype(s.bits)>(code);
      const float x = device::widen(s);
      right &= device::convert<S>(x * factor).bits == device::convert<S>(x / divisor).bits;
    }
    if (right) return factor;
  }
  return 0.0f;
}
float factor_for(Dtype dtype, float divisor) {
  switch (dtype) {
    case Dtype::f16: return factor_for<device::f16>(divisor);
    case Dtype::bf16: return factor_for<device::bf16>(divisor);
    case Dtype::e4m3fn: return factor_for<device::e4m3fn>(divisor);
    case Dtype::e5m2: return factor_for<device::e5m2>(divisor);
    default: return 0.0f;
  }
}

constexpr int kDropoutAttrs = 5;

// What dropout's kernels take of its attributes, after them: see kernels/position_forms.h.
void append_dropout(const Problem& problem, const std::vector<Operand>& operands, std::vector<uint64_t>* words, int at) {
  const device::op::dropout<device::portable, float> d(problem.attrs);
  const auto bits = [](float x) { return uint64_t{device::to_bits(x)}; };
  const View& x = *operands[0].view;
  const auto y = std::find_if(operands.begin(), operands.end(), [](const Operand& o) { return o.is_store; });
  const bool exact = (bits(d.keep_probability) & 0x7fffff) == 0;
  const float factor = exact || x.dtype != y->view->dtype ? 0.0f : factor_for(x.dtype, d.keep_probability);
  (*words)[static_cast<size_t>(at)] =
      bits(d.keep_probability) | bits(factor != 0.0f ? factor : 1.0f / d.keep_probability) << 32;
  (*words)[static_cast<size_t>(at + 1)] =
      d.threshold | uint64_t{d.drop_all} << 32 | uint64_t{exact || factor != 0.0f} << 33;
}

void append_dropout64(const Problem& problem, std::vector<uint64_t>* words, int at) {
  const device::op::dropout<device::portable, double> d(problem.attrs);
  const bool exact = (word_of(d.keep_probability) & 0xfffffffffffff) == 0;
  const bool moderate = d.keep_probability > 0x1p-40;
  (*words)[static_cast<size_t>(at)] = word_of(d.keep_probability);
  (*words)[static_cast<size_t>(at + 1)] = word_of(1.0 / d.keep_probability);
  (*words)[static_cast<size_t>(at + 2)] =
      d.threshold | uint64_t{d.drop_all} << 32 | uint64_t{exact} << 33 | uint64_t{moderate} << 34;
}

}  // namespace

int extra_attrs(const KernelSpec& spec) {
  if (spec.which != Template::elementwise || spec.body != "dropout") return 0;
  if (spec.ctype == Ctype::f32) return 2;
  return spec.ctype == Ctype::f64 && spec.policy == "quick" ? 3 : 0;
}

void fill_arguments(const Problem& problem, const Layout& layout, const std::vector<Operand>& operands,
                    size_t direct, Choice* choice) {
  Choice& c = *choice;
  KernelSpec& spec = c.spec;
  const bool tiles = spec.walk == Walk::tiles;
  const int dims = static_cast<int>(layout.extents.size());
  std::vector<int64_t> extents(static_cast<size_t>(spec.dims - dims), 1);
  extents.insert(extents.end(), layout.extents.begin(), layout.extents.end());
  int64_t count = layout.numel;
  if (spec.walk == Walk::rows) {
    count /= spec.vector * spec.repeat;
    extents.back() /= spec.vector;
  }
  if (spec.repeat > 1) {
    spec.repeat_dim += spec.dims - dims;
    extents[static_cast<size_t>(spec.repeat_dim)] /= spec.repeat;
  }
  if (tiles) {
    const int64_t rows = extents[extents.size() - 2], cols = extents.back();
    count = rows << 32 | cols;
    extents[extents.size() - 2] = (rows + spec.edge - 1) / spec.edge;
    extents.back() = (cols + spec.edge - 1) / spec.edge;
  }
  spec.wide = false;
  if (spec.walk == Walk::rows || spec.walk == Walk::elements) {
    // Interleaved packs ask for the coordinates of positions up to a block beyond the end.
    spec.wide = count + int64_t{spec.threads} * spec.vector * spec.units >= INT32_MAX;
    for (const Operand& o : operands)
      if (o.reach != Reach::dense || spec.walk == Walk::rows)
        spec.wide = spec.wide || reach_in_bytes(o, layout.extents) >= INT32_MAX;
  }
  const ArgumentLayout at{spec.views(), spec.dims, spec.attrs};
  c.words.assign(static_cast<size_t>(at.words()), 0);
  const auto set = [&](int word, int64_t value) {
    c.words[static_cast<size_t>(word)] = static_cast<uint64_t>(value);
  };
  set(at.count, count);
  if (c.always_interleaved) set(at.flags, 1);
  for (int d = 0; d < spec.dims; ++d) {
    const uint64_t extent = static_cast<uint64_t>(extents[static_cast<size_t>(d)]);
    const Magic m = magic_of(extent, spec.wide);
    set(at.divide() + 3 * d, static_cast<int64_t>(m.magic));
    set(at.divide() + 3 * d + 1, static_cast<int64_t>(m.shift));
    set(at.divide() + 3 * d + 2, static_cast<int64_t>(extent));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand& o = operands[i];
    const int view = static_cast<int>(i);
    for (int d = 0; d < dims; ++d)
      set(at.stride(view) + spec.dims - dims + d, (*o.strides)[static_cast<size_t>(d)]);
    if (o.view->gather) {
      set(at.gather_stride() + view, o.view->gather_stride);
      set(at.gather_extent() + view, o.view->gather_extent);
    }
    ViewSource source;
    source.kind = o.view->kind;
    source.slot = o.view->slot;
    source.offset = o.view->offset;
    source.size = static_cast<uint32_t>(o.size);
    source.scalar = o.reach == Reach::fixed;
    if (i < direct && o.consecutive() && (spec.walk != Walk::elements || o.reach == Reach::dense))
      source.misaligned = static_cast<uint64_t>(std::min<int64_t>(16, spec.vector * o.size)) - 1;
    if (o.reach == Reach::even)
      source.misaligned = static_cast<uint64_t>(std::min<int64_t>(16, 2 * spec.vector * o.size)) - 1;
    if (o.reach == Reach::tile) source.misaligned = 15;
    if (tiles && source.misaligned) {  // between rows, or lines, as well
      for (size_t d = 0; d < layout.extents.size(); ++d) {
        const int64_t step = (*o.strides)[d];
        if (step != o.size && (static_cast<uint64_t>(step) & source.misaligned))
          c.words[at.unaligned] |= uint64_t{1} << view;
      }
    }
    c.views.push_back(source);
  }
  const int attrs = spec.attrs - extra_attrs(spec);
  for (int i = 0; i < attrs; ++i)
    c.words[static_cast<size_t>(at.attr() + i)] = word_of(problem.attrs[i].f64);
  if (extra_attrs(spec)) {
    if (attrs != kDropoutAttrs) unsupported("op: dropout has %d attributes, its kernels know %d", attrs, kDropoutAttrs);
    if (spec.ctype == Ctype::f32) append_dropout(problem, operands, &c.words, at.attr() + attrs);
    else append_dropout64(problem, &c.words, at.attr() + attrs);
  }

  if (tiles) {
    c.threads = static_cast<uint32_t>(spec.threads);
    c.blocks = 1;
    for (int64_t n : extents) c.blocks *= static_cast<uint64_t>(n);
    return;
  }
  // The grid.
  const int64_t packs = spec.walk == Walk::rows ? count : (count + spec.vector - 1) / spec.vector;
  c.threads = static_cast<uint32_t>(spec.threads);
  while (c.threads > 32 && packs <= c.threads / 2) c.threads /= 2;
  const uint64_t per_block = uint64_t{c.threads} * static_cast<uint64_t>(std::max(1, spec.units));
  c.blocks = (static_cast<uint64_t>(packs) + per_block - 1) / per_block;
}

}  // namespace tileops::cuda
