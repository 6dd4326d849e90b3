// Kernels that look all results up (kernels/strategies/lookup*.h).
#include <algorithm>

#include "base/error.h"
#include "cuda/select/stages.h"
#include "cuda/tuning/body_tuning.h"
#include "problem/analysis.h"

namespace tileops::cuda {
namespace {

// One block or two of a multiprocessor have such a table.
constexpr int kLargeTableThreads = 1024;

bool is_8_bit_float(const View& v) { return v.kind == ViewKind::input && v.indices.empty() && is_fp8(v.dtype); }

// Is the pass contiguous but for the plan's constants, which the table has in it?
bool is_contiguous(const Pass& pass, const Layout& layout) {
  if (pass.loads.size() == 1) return layout.cls == LayoutClass::contiguous;
  Pass alone = pass;
  alone.loads.resize(1);
  return make_layout(alone).cls == LayoutClass::contiguous;
}

// The template that could look its results up: those of an 8- or 16-bit operand or a pair of 8-bit
// ones. What else is loaded must be the plan's constants.
std::optional<Template> template_of(const Pass& pass, const Layout& layout) {
  // A single element may come from host memory, by value, which these kernels do not expect.
  if (pass.loads.empty() || pass.stores.size() != 1 || layout.numel == 1) return std::nullopt;
  const View &in = pass.loads[0], &out = pass.stores[0];
  if (in.kind != ViewKind::input || !in.indices.empty()) return std::nullopt;
  const bool eight = is_8_bit_float(in) && only_step(pass).ctype == Ctype::f32 && dtype_size(out.dtype) == 1;
  if (eight && pass.loads.size() == 2 && is_8_bit_float(pass.loads[1])) {
    // Gated forms have a table of their own, of the activations.
    const bool suits = !only_step(pass).body->gated && layout.cls == LayoutClass::contiguous;
    return suits ? std::optional(Template::lookup_pairs) : std::nullopt;
  }
  if (!eight && (dtype_size(in.dtype) != 2 || dtype_size(out.dtype) > 2)) return std::nullopt;
  for (size_t i = 1; i < pass.loads.size(); ++i)
    if (pass.loads[i].kind != ViewKind::constant) return std::nullopt;
  if (!is_contiguous(pass, layout)) return std::nullopt;
  return eight ? Template::lookup : Template::lookup_halves;
}

// From how many elements on looking up is faster.
int64_t faster_from(Template which, const Pass& pass, const Tuning& tuning) {
  const std::string& body = only_step(pass).body->name;
  switch (which) {
    case Template::lookup: return tuning.lookup_from;
    case Template::lookup_halves: return has_hint(body, kLookUp16Bits) ? tuning.large_lookup_from : INT64_MAX;
    case Template::lookup_pairs: return has_hint(body, kLookUpPairs) ? tuning.large_lookup_from : INT64_MAX;
    default: return INT64_MAX;
  }
}

// The views that are looked at: an operand, or both of a pair, and the result.
std::vector<const View*> views_of(const Pass& pass, Template which) {
  std::vector<const View*> views{&pass.loads[0]};
  if (which == Template::lookup_pairs) views.push_back(&pass.loads[1]);
  views.push_back(&pass.stores[0]);
  return views;
}

KernelSpec lookup_spec(const Pass& pass, Template which, const LaunchHint& hint, const Tuning& tuning) {
  KernelSpec spec;
  for (const View* v : views_of(pass, which)) {
    AccessSpec access;
    access.dtype = v->dtype;
    (v == &pass.stores[0] ? spec.access.stores : spec.access.loads).push_back(access);
  }
  spec.access.stride_slots.assign(static_cast<size_t>(spec.access.views()), -1);
  spec.compute.name = only_step(pass).body->name;
  TraversalSpec& t = spec.traversal;
  t.kernel_template = which;
  t.vec = which == Template::lookup_halves ? 8 : 16;
  const int per_thread = hint.num_per_thread ? hint.num_per_thread : t.vec * tuning.lookup_vecs;
  if (per_thread < t.vec)
    invalid("num_per_thread: is too small for strategy table (got %d, need %d to 128)", per_thread, t.vec);
  t.vecs_per_thread = per_thread / t.vec;
  const int usual = which == Template::lookup ? tuning.large_threads : kLargeTableThreads;
  t.threads = hint.threads ? hint.threads : usual;
  t.result_bytes = static_cast<int>(dtype_size(pass.stores[0].dtype));
  return spec;
}

LaunchConfig lookup_launch(const KernelSpec& spec, const Extent& numel, int multiprocessors, const Tuning& tuning) {
  const TraversalSpec& t = spec.traversal;
  LaunchConfig launch;
  launch.vecs_per_thread = t.vecs_per_thread;
  launch.grid.positions = {numel};
  launch.grid.threads = static_cast<uint32_t>(t.threads);
  launch.grid.together = static_cast<uint64_t>(t.threads) * static_cast<uint64_t>(t.vec * t.vecs_per_thread);
  if (t.kernel_template != Template::lookup) {  // as many as there is shared memory and threads for
    const int64_t resident = std::min<int64_t>(tuning.shared_bytes / shared_bytes_of(spec),
                                               tuning.max_threads / t.threads);
    launch.grid.most_blocks = static_cast<uint64_t>(std::max<int64_t>(1, resident) * multiprocessors);
  }
  launch.fit();
  return launch;
}

Arguments lookup_arguments(const Pass& pass, const KernelSpec& spec, const Extent& numel) {
  const ArgumentLayout at = ArgumentLayout::of(spec);
  Arguments arguments;
  arguments.words.assign(static_cast<size_t>(at.words()), 0);
  arguments.set(at.count, numel);
  for (const View* v : views_of(pass, spec.traversal.kernel_template))
    arguments.views.push_back(source_of(*v, static_cast<uint64_t>(spec.traversal.vec) * dtype_size(v->dtype) - 1));
  return arguments;
}

}  // namespace

std::optional<Choice> choose_lookup(const Pass& pass, const Layout& layout, const ChooseOptions& options,
                                    const Tuning& tuning) {
  if (!is_operator(pass)) return std::nullopt;
  const bool asked = options.hint.strategy == TILEOPS_STRATEGY_TABLE;
  const bool automatic = options.hint.strategy == TILEOPS_STRATEGY_AUTO && options.tables == UseTables::yes;
  if (!asked && !automatic) return std::nullopt;
  const std::optional<Template> which = template_of(pass, layout);
  if (!which) {
    if (!asked) return std::nullopt;
    unsupported("strategy: table needs one contiguous operand of 8 or 16 bits or two of 8, and a result of "
                "no more");
  }
  const int64_t usual = options.way ? options.way->usual : int64_t{layout.numel};
  if (!asked && usual < faster_from(*which, pass, tuning)) return std::nullopt;
  const KernelSpec spec = lookup_spec(pass, *which, options.hint, tuning);
  if (shared_bytes_of(spec) > tuning.shared_bytes) {
    if (!asked) return std::nullopt;
    unsupported("strategy: table of a 16-bit operand needs %d bytes of shared memory (sm_%d has %d)",
                shared_bytes_of(spec), options.arch, static_cast<int>(tuning.shared_bytes));
  }
  return Choice{spec, lookup_launch(spec, layout.numel, options.multiprocessors, tuning),
                lookup_arguments(pass, spec, layout.numel)};
}

}  // namespace tileops::cuda
