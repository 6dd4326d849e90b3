#include "cuda/select/choose_table.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/tuning/tuning.h"

namespace tileops::cuda {
namespace {

// What a table of all results can be of: one 8- or 16-bit operand, or pairs of 8-bit ones. What else is loaded
// are the plan's constants.
enum class Tabled { none, bytes, halves, pairs };

Tabled table_of(const Problem& problem, const Pass& pass, const Layout& layout) {
  // A single element may come from host memory, by value, which these kernels do not expect.
  if (pass.loads.empty() || pass.stores.size() != 1 || layout.numel == 1) return Tabled::none;
  const auto code = [](const View& v) {
    return v.kind == ViewKind::input && !v.gather && is_fp8(v.dtype);
  };
  const View &in = pass.loads[0], &out = pass.stores[0];
  if (in.kind != ViewKind::input || in.gather) return Tabled::none;
  const bool eight = code(in) && pass.ctype == Ctype::f32 && dtype_size(out.dtype) == 1;
  if (eight && pass.loads.size() == 2 && code(pass.loads[1])) {
    // Gated forms have a table of their own, of the activations.
    const bool free = problem.op->lowering != Lowering::gated;
    return free && layout.cls == LayoutClass::contiguous ? Tabled::pairs : Tabled::none;
  }
  if (!eight && (dtype_size(in.dtype) != 2 || dtype_size(out.dtype) > 2)) return Tabled::none;
  for (size_t i = 1; i < pass.loads.size(); ++i)
    if (pass.loads[i].kind != ViewKind::constant) return Tabled::none;
  LayoutClass cls = layout.cls;
  if (pass.loads.size() > 1) {  // which the constants make another
    Pass alone = pass;
    alone.loads.resize(1);
    cls = make_layout(alone).cls;
  }
  if (cls != LayoutClass::contiguous) return Tabled::none;
  return eight ? Tabled::bytes : Tabled::halves;
}

// From how many elements on `auto` takes the table.
int64_t table_from(Tabled tabled, const Pass& pass, const Tuning& tuning) {
  // 16-bit tables (H200: 3.5 TB/s of 3.9) win against computing powers alone, which takes three times as long.
  const bool slow = tabled == Tabled::halves  ? pass.body == "pow"
                    : tabled == Tabled::pairs ? is_among(pass.body, kPairTableBodies)
                                              : false;
  return tabled == Tabled::bytes ? tuning.table_from : slow ? tuning.halves_table_from : INT64_MAX;
}

Choice cut(const Pass& pass, const Layout& layout, Tabled tabled, const Wish& wish, const Tuning& tuning) {
  const bool large = tabled != Tabled::bytes;  // one block or two a multiprocessor
  const int kEach = tabled == Tabled::halves ? 8 : 16;  // elements of an access
  const int per_thread = wish.kernel.num_per_thread ? wish.kernel.num_per_thread : kEach * tuning.table_packs;
  if (per_thread < kEach)
    invalid("num_per_thread: is too small for strategy table (got %d, need %d to 128)", per_thread, kEach);
  Choice c;
  c.spec.which = tabled == Tabled::halves  ? Template::lookup_halves
                 : tabled == Tabled::pairs ? Template::lookup_pairs
                                           : Template::lookup;
  c.spec.body = pass.body;
  c.spec.vector = kEach;
  c.spec.units = per_thread / kEach;
  c.spec.threads = wish.kernel.threads ? wish.kernel.threads : large ? 1024 : tuning.large_threads;
  c.spec.result_bytes = static_cast<int>(dtype_size(pass.stores[0].dtype));
  std::vector<const View*> views{&pass.loads[0]};
  if (tabled == Tabled::pairs) views.push_back(&pass.loads[1]);
  views.push_back(&pass.stores[0]);
  const ArgumentLayout at{static_cast<int>(views.size()), 1, 0};
  c.words.assign(static_cast<size_t>(at.words()), 0);
  c.words[at.count] = static_cast<uint64_t>(layout.numel);
  for (const View* v : views) {
    ViewSource source;
    source.kind = v->kind;
    source.slot = v->slot;
    source.offset = v->offset;
    source.size = static_cast<uint32_t>(dtype_size(v->dtype));
    source.misaligned = static_cast<uint64_t>(kEach) * source.size - 1;
    c.views.push_back(source);
  }
  c.threads = static_cast<uint32_t>(c.spec.threads);
  const uint64_t per_block = uint64_t{c.threads} * static_cast<uint64_t>(per_thread);
  c.blocks = (static_cast<uint64_t>(layout.numel) + per_block - 1) / per_block;
  // As many as there is shared memory and threads for.
  if (large) {
    const int64_t blocks = std::min<int64_t>(tuning.shared_bytes / c.spec.shared_bytes(), tuning.most_threads / c.spec.threads);
    c.blocks = std::min(c.blocks, static_cast<uint64_t>(std::max<int64_t>(1, blocks) * wish.multiprocessors));
  }
  return c;
}

}  // namespace

std::optional<Choice> choose_table(const Problem& problem, const Pass& pass, const Layout& layout, const Wish& wish) {
  const Tuning& tuning = tuning_of(wish.arch);
  const bool asked = wish.kernel.strategy == TILEOPS_STRATEGY_TABLE;
  const Tabled tabled = table_of(problem, pass, layout);
  if (asked && tabled == Tabled::none)
    unsupported("strategy: table needs one contiguous operand of 8 or 16 bits or two of 8, and a result of no more");
  if (!asked && layout.numel < table_from(tabled, pass, tuning)) return std::nullopt;
  Choice c = cut(pass, layout, tabled, wish, tuning);
  if (c.spec.shared_bytes() > tuning.shared_bytes) {
    if (!asked) return std::nullopt;
    unsupported("strategy: table of a 16-bit operand needs %d bytes of shared memory (sm_%d has %d)",
                c.spec.shared_bytes(), wish.arch, static_cast<int>(tuning.shared_bytes));
  }
  return c;
}

}  // namespace tileops::cuda
