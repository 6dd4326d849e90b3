#include "cuda/select/argument_block.h"

#include <algorithm>

#include "cuda/select/dropout_words.h"
#include "tileops/device/config.h"

namespace tileops::cuda {
void fill_arguments(const Problem& problem, const Pass& pass, const Layout& layout,
                    const std::vector<Operand>& operands, size_t direct, Choice* choice) {
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
  if (spec.turns()) {
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
  const int attrs = spec.attrs - num_dropout_words(spec);
  for (int i = 0; i < attrs; ++i)
    c.words[static_cast<size_t>(at.attr() + i)] = device::to_bits(only_step(pass).attrs[static_cast<size_t>(i)].f64);
  const std::vector<uint64_t> prepared = dropout_words(pass, spec);
  std::copy(prepared.begin(), prepared.end(), c.words.begin() + at.attr() + attrs);

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
