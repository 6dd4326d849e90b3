// The argument block of a kernel (device/cuda/kernel/arguments.h) but for addresses.
#include <algorithm>

#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

// Address bits that must be 0 for vector access; 0 where there is none.
uint64_t misaligned_bits(const Operand& o, const TraversalSpec& spec) {
  const auto below = [](int64_t bytes) { return static_cast<uint64_t>(std::min(kWidestAccess, bytes)) - 1; };
  switch (o.pattern) {
    case AccessPattern::dense: return below(spec.vec * o.size);
    case AccessPattern::row: return spec.order == TraversalOrder::elements ? 0 : below(spec.vec * o.size);
    case AccessPattern::even: return below(2 * spec.vec * o.size);
    case AccessPattern::tile: return below(kWidestAccess);
    default: return 0;
  }
}

// Are rows of a square, or the lines it turns, further apart than whole accesses?
bool has_misaligned_rows(const Operand& o, uint64_t misaligned) {
  return std::any_of(o.strides.begin(), o.strides.end(), [&](const Extent& step) {
    return step != o.size && (static_cast<uint64_t>(step.divisor()) & misaligned) != 0;
  });
}

}  // namespace

ViewSource source_of(const View& view, uint64_t misaligned) {
  ViewSource source;
  source.kind = view.kind;
  source.slot = view.slot;
  source.offset = view.offset;
  source.misaligned = misaligned;
  source.size = static_cast<uint32_t>(dtype_size(view.dtype));
  source.packed = is_packed(view.dtype);
  return source;
}

void set_stride_slots(const Operands& operands, bool (*needs_strides)(const Operand&, TraversalOrder),
                      KernelSpec* spec) {
  const auto set = [&](bool shared) {
    std::vector<int> slots;
    std::vector<const std::vector<Extent>*> known;
    for (const auto* list : {&operands.direct, &operands.ids})
      for (const Operand& o : *list) {
        slots.push_back(-1);
        if (!needs_strides(o, spec->traversal.order)) continue;
        auto at = known.end();
        if (shared)
          at = std::find_if(known.begin(), known.end(), [&](const auto* strides) { return *strides == o.strides; });
        slots.back() = static_cast<int>(at - known.begin());
        if (at == known.end()) known.push_back(&o.strides);
      }
    spec->access.stride_slots = std::move(slots);
  };
  set(false);
  if (ArgumentLayout::of(*spec).words() * 8 > kUsualArgumentBytes) set(true);
}

void add_attributes(const Pass& pass, const KernelSpec& spec, Arguments* arguments) {
  const ArgumentLayout at = ArgumentLayout::of(spec);
  int before = 0;
  for (const Step& step : pass.steps) {
    for (size_t i = 0; i < step.numbers.size(); ++i)
      if (step.numbers[i] >= 0) arguments->numbers.push_back({at.attr(before + static_cast<int>(i)), step.numbers[i]});
    before += static_cast<int>(step.attrs.size());
  }
  const std::vector<uint64_t> words = attribute_words(pass, spec.compute.policy);
  std::copy(words.begin(), words.end(), arguments->words.begin() + at.attr(0));
  int next = at.attr(static_cast<int>(words.size()));
  for (const auto* views : {&pass.loads, &pass.stores})
    for (const View& view : *views)
      for (const View::Index& index : view.indices)
        for (const Extent& n : {index.stride, index.extent}) arguments->set(next++, n);
}

Arguments arguments_of(const Pass& pass, const KernelSpec& spec, const Traversal& t) {
  const ArgumentLayout at = ArgumentLayout::of(spec);
  Arguments arguments;
  arguments.words.assign(static_cast<size_t>(at.words()), 0);
  const auto word = [&](int i) -> uint64_t& { return arguments.words[static_cast<size_t>(i)]; };

  const std::vector<Extent> positions = positions_of(t);
  if (t.order == TraversalOrder::tiles) {
    arguments.set(at.count, t.extents.back());
    arguments.add_upper_half(at.count, t.extents[t.extents.size() - 2]);
  } else {
    arguments.set_product(at.count, t.order == TraversalOrder::rows ? positions : t.extents);
  }
  word(at.flags) = t.interleaved;
  const int dims = spec.traversal.dims, padding = dims - static_cast<int>(t.extents.size());
  for (int d = t.order == TraversalOrder::flat ? dims : 0; d < dims; ++d) {
    const Extent extent = d < padding ? Extent(1) : positions[static_cast<size_t>(d - padding)];
    arguments.set_divisor(at.divide(d), extent, spec.traversal.index64);
  }

  int view = 0;
  const auto add = [&](const Operand& o, uint64_t misaligned) {
    for (size_t d = 0; at.has_strides(view) && d < o.strides.size(); ++d)
      arguments.set(at.stride(view) + padding + static_cast<int>(d), o.strides[d]);
    if (t.order == TraversalOrder::tiles && has_misaligned_rows(o, misaligned))
      word(at.unaligned) |= uint64_t{1} << view;
    arguments.views.push_back(source_of(*o.view, misaligned));
    arguments.views.back().scalar = o.is_one_element();
    ++view;
  };
  for (const Operand& o : t.operands.direct) add(o, misaligned_bits(o, spec.traversal));
  for (const Operand& o : t.operands.ids) add(o, 0);
  add_attributes(pass, spec, &arguments);
  return arguments;
}

}  // namespace tileops::cuda
