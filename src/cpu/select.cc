#include "cpu/select.h"

#include <algorithm>

#include "base/error.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/program/gate.h"
#include "cpu/program/tables.h"
#include "cpu/rows/rows.h"
#include "problem/rows/gate.h"

namespace tileops::cpu {
namespace {

// The dimension of a tile's rows: that of a transposed operand's columns, one along which
// everything that the early stage of a body needs stays the same (RoPE's angles for the heads), or
// the next to last; -1 if there is none.
void choose_rows(Prepared* p) {
  const int dims = static_cast<int>(p->layout.extents.size());
  p->shared_rows = false;
  p->row_dim = p->layout.cls == LayoutClass::tiled ? p->layout.tile_dim : dims - 2;
  const int late = p->step.kernel->num_late;
  const bool gathers = std::any_of(p->loads.begin(), p->loads.end(), [](const Load& l) { return !l.indices.empty(); });
  if (late == 0 || gathers || p->layout.cls == LayoutClass::tiled) return;
  for (int d = dims - 2; d >= 0; --d) {
    const bool same = std::all_of(p->loads.begin() + late, p->loads.end(),
                                  [&](const Load& load) { return load.strides[static_cast<size_t>(d)] == 0; });
    if (!same || p->layout.extents[static_cast<size_t>(d)].typical() <= 1) continue;
    p->shared_rows = true;
    p->row_dim = d;
    return;
  }
}

void make_operands(const Problem& problem, const Pass& pass, Prepared* p) {
  // Where bits are kept, storage is read as the unsigned integer of its size.
  const auto raw = [&](Ctype type) {
    return p->step.converts_within() || (pass.bits_kept && type == only_step(pass).ctype);
  };
  const Layout& layout = p->layout;
  const size_t ids = ids_begin(pass);
  p->loads.reserve(pass.loads.size());
  p->stores.reserve(pass.stores.size());
  for (size_t i = 0; i < pass.loads.size(); ++i) {
    const Ctype type = i < ids ? p->step.in[i] : Ctype::i64;
    const bool copied = p->step.kernel->identity;
    p->loads.push_back(
        make_load(problem, pass.loads[i], layout.loads[i], *p->memory, type, copied, i < ids && raw(type), &p->sizes));
  }
  for (size_t k = 0; k < pass.stores.size(); ++k) {
    const Ctype type = p->step.out[k];
    p->stores.push_back(
        make_store(problem, pass.stores[k], layout.stores[k], *p->memory, type, p->step.tested, raw(type), &p->sizes));
  }
}

// Results are rounded right (StepKernel::tested) or, where the body has such, from results rounded to odd.
void choose_rounding(const Pass& pass, StepKernel* step) {
  bool odd = step->kernel->find(Loop::rounded_to_odd);
  for (size_t k = 0; k < pass.stores.size(); ++k)
    odd = odd && rounding_of(pass, pass.stored[k], pass.stores[k].dtype) == Rounding::odd;
  if (odd) round_to_odd(step);
}

// All but operands and rows.
Prepared prepare(const Problem& problem, const Pass& pass, const KernelSet& kernels, size_t past_cache_from) {
  Prepared p;
  p.layout = make_layout(pass);
  p.memory = kernels.isa->memory();
  p.non_temporal_stores = static_cast<size_t>(p.layout.numel.typical()) >= past_cache_from;
  p.step = make_step(only_step(pass), kernels.find(problem, only_step(pass)));
  choose_rounding(pass, &p.step);
  return p;
}

PassInfo info_of(const Problem& problem, const Pass& pass) {
  return PassInfo(pass, {(problem.flags & TILEOPS_PLAN_REPRODUCIBLE) != 0});
}

// By step.
std::vector<ChosenKernel> kernels_of(const Problem& problem, const Pass& pass, const PassInfo& info,
                                     const KernelSet& kernels) {
  std::vector<ChosenKernel> found;
  found.reserve(pass.steps.size());
  for (size_t s = 0; s < pass.steps.size(); ++s) {
    const Step& step = pass.steps[s];
    found.push_back({step.body ? &kernels.find(problem, step) : nullptr, step.body && info.of_step(s).few_bits});
  }
  return found;
}

// The mask of a pass that leaves blocks out, or rows of its last extent; NULL: it has none.
std::shared_ptr<const Gate> gate_before(const Problem& problem, const Pass& pass, const KernelSet& kernels,
                                        Sizes* sizes) {
  if (!gate_of(pass)) return nullptr;
  const Layout layout = pass.is_of_rows() ? row_layout(pass) : make_layout(pass);
  const size_t outer = pass.is_of_rows() ? layout.outer() : layout.extents.size() - 1;
  // Tiles beside a transposed operand may have rows along another extent than that of the gate.
  if (layout.cls == LayoutClass::tiled && !pass.is_of_rows() && layout.tile_dim != static_cast<int>(outer) - 1)
    return nullptr;
  return make_gate(problem, pass, layout, outer, kernels_of(problem, pass, info_of(problem, pass), kernels),
                   *kernels.isa->memory(), sizes);
}

ExecutorPtr select_rows(const Problem& problem, const Pass& whole, const KernelSet& kernels, size_t past_cache_from) {
  Sizes sizes;
  const std::shared_ptr<const Gate> gate = gate_before(problem, whole, kernels, &sizes);
  const Pass pass = gate ? behind_gate(whole, *gate_of(whole)) : whole;
  const PassInfo info = info_of(problem, pass);
  return make_rows_of(problem, pass, info, kernels_of(problem, pass, info, kernels), kernels, past_cache_from, gate,
                      std::move(sizes));
}

ExecutorPtr select_program(const Problem& problem, const Pass& whole, const KernelSet& kernels,
                           size_t past_cache_from) {
  const MemoryKernels& memory = *kernels.isa->memory();
  Sizes of_gate;
  const std::shared_ptr<const Gate> gate = gate_before(problem, whole, kernels, &of_gate);
  const Pass pass = gate ? behind_gate(whole, *gate_of(whole)) : whole;
  const KernelledPass wide = look_up_parts(problem, pass, memory,
                                           kernels_of(problem, pass, info_of(problem, pass), kernels));
  const auto program = [&](KernelledPass source, ExecutorPtr otherwise, std::vector<int> numbers) {
    Sizes sizes = of_gate;
    pair_steps(&source, kernels.by_op.at(kPairs));
    Program made = assemble(problem, std::move(source), memory, past_cache_from, &sizes);
    return make_program(std::move(made), std::move(sizes), std::move(otherwise), std::move(numbers), gate);
  };
  KernelledPass near = wide;
  std::vector<int> numbers = compare_near_indices(
      problem, &near, [&](const Step& step) -> const Kernel& { return kernels.find(problem, step); });
  ExecutorPtr otherwise = numbers.empty() ? nullptr : program(wide, nullptr, {});
  return program(std::move(near), std::move(otherwise), std::move(numbers));
}

}  // namespace

const Kernel& KernelSet::find(const Problem& problem, const Step& step) const {
  const auto it = by_op.find(step.body->op);
  if (it != by_op.end())
    for (const Kernel& k : it->second)
      if (k.body == step.body->index && k.ctype == step.ctype) return k;
  unsupported("op: %s has no CPU kernel that computes in %s", problem.name.c_str(), ctype_name(step.ctype));
}

void check_pass(const Problem& problem, const Pass& pass, const KernelSet& kernels) {
  Sizes sizes;
  if (pass.is_of_rows()) select_rows(problem, pass, kernels, kNeverPastCache);
  else if (is_operator(pass)) prepare(problem, pass, kernels, kNeverPastCache);
  else
    assemble(problem,
             {pass, kernels_of(problem, pass, info_of(problem, pass), kernels), std::vector<Table>(pass.loads.size())},
             *kernels.isa->memory(), kNeverPastCache, &sizes);
}

namespace {

ExecutorPtr select_executor(const Problem& problem, const Pass& pass, const KernelSet& kernels,
                            size_t past_cache_from) {
  if (pass.is_of_rows()) return select_rows(problem, pass, kernels, past_cache_from);
  if (!is_operator(pass)) return select_program(problem, pass, kernels, past_cache_from);
  Prepared p = prepare(problem, pass, kernels, past_cache_from);
  const size_t numel = static_cast<size_t>(p.layout.numel.typical());
  const bool lookup = suits_lookup(pass, *p.step.kernel, numel);
  if (!lookup) use_loop_of_memory(pass, *p.memory, numel, &p.step);
  make_operands(problem, pass, &p);
  choose_rows(&p);
  if (lookup) return make_lookup(std::move(p), table_key(pass, *p.memory));
  if (suits_flat(p)) return make_flat(std::move(p));
  if (suits_convert(p)) {
    const NonTemporalConvertFn* by_dtype = p.memory->non_temporal_convert[static_cast<int>(pass.loads[0].dtype)];
    return make_convert(std::move(p), by_dtype[static_cast<int>(pass.stores[0].dtype)]);
  }
  RowsFn loop;
  if (suits_memory_rows(p, &loop)) return make_memory_rows(std::move(p), loop);
  if (suits_each_row(p)) return make_each_row(std::move(p));
  return make_block(std::move(p));
}

}  // namespace

PassExecutors::PassExecutors(const Problem& problem, const Pass& pass, const KernelSet& kernels, int threads)
    : many_from_(past_cache_from(pass, threads)) {
  const bool is_open = std::any_of(pass.extents.begin(), pass.extents.end(),
                                   [](const Extent& e) { return e.is_open(); });
  if (!is_open) {
    usual_ = select_executor(problem, pass, kernels, many_from_);
    return;
  }
  numel_ = make_layout(pass).numel;
  usual_ = select_executor(problem, pass, kernels, kNeverPastCache);
  if (many_from_ != kNeverPastCache) many_ = select_executor(problem, pass, kernels, 0);
}

}  // namespace tileops::cpu
