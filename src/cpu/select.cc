#include "cpu/select.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "cpu/exec/block_slots.h"
#include "cpu/exec/non_temporal.h"

namespace tileops::cpu {
namespace {

// What a step takes a value as.
struct Use {
  Ctype type;
  bool copied;  // by a kernel that copies it
};

// How the steps that take a load use it; they must agree.
Use use_of_load(const Problem& problem, const Pass& pass, const std::vector<StepKernel>& steps, int load) {
  std::optional<Use> found;
  for (size_t s = 0; s < steps.size(); ++s) {
    const std::vector<Value>& arguments = pass.steps[s].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].of != Value::Of::load || arguments[i].index != load) continue;
      const Use use{steps[s].in[i], steps[s].kernel->identity};
      if (found && (found->type != use.type || found->copied != use.copied))
        unsupported("op: %s takes an operand in two types", problem.name.c_str());
      found = use;
    }
  }
  return found.value_or(Use{pass.ctype, false});
}

// The dimension of a tile's rows: that of a transposed operand's columns, one along which
// everything that the early stage of a body needs stays the same (RoPE's angles for the heads), or
// the next to last; -1 if there is none.
void choose_rows(Prepared* p) {
  const int dims = static_cast<int>(p->layout.extents.size());
  p->shared_rows = false;
  p->row_dim = p->layout.cls == LayoutClass::tiled ? p->layout.tile_dim : dims - 2;
  const int late = p->steps[0].kernel->num_late;
  if (late == 0 || !p->plain || p->layout.cls == LayoutClass::tiled) return;
  for (int d = dims - 2; d >= 0; --d) {
    const bool same = std::all_of(p->loads.begin() + late, p->loads.end(), [&](const Load& load) {
      return load.strides[static_cast<size_t>(d)] == 0 && !load.gather;
    });
    if (!same || p->layout.extents[static_cast<size_t>(d)] <= 1) continue;
    p->shared_rows = true;
    p->row_dim = d;
    return;
  }
}

void make_operands(const Problem& problem, const Pass& pass, Prepared* p) {
  // Where bits are kept, storage is read as the unsigned integer of its size.
  const bool half = p->steps[0].half != nullptr;
  const auto raw = [&](Ctype type) { return half || (pass.bits_kept && type == pass.ctype); };
  auto strides = p->layout.strides.begin();
  p->loads.reserve(pass.loads.size());
  p->stores.reserve(pass.stores.size());
  for (size_t i = 0; i < pass.loads.size(); ++i) {
    const Use use = use_of_load(problem, pass, p->steps, static_cast<int>(i));
    p->loads.push_back(make_load(problem, pass.loads[i], *strides++, *p->memory, use.type, use.copied, raw(use.type)));
  }
  for (size_t i = 0; i < pass.stores.size(); ++i) {
    const Value v = source_of(pass, p->steps, pass.stored[i]);
    const auto at = static_cast<size_t>(v.index);
    const bool of_step = v.of == Value::Of::step;
    const Ctype type = of_step ? p->steps[at].out[v.result] : p->loads[at].type;
    const bool tested = of_step && p->steps[at].tested;
    p->stores.push_back(make_store(problem, pass.stores[i], *strides++, *p->memory, type, tested, raw(type)));
  }
  for (size_t i = 0; i < pass.loads.size(); ++i) {
    const View& view = pass.loads[i];
    if (!view.gather) continue;
    Load index = make_load(problem, *view.gather, *strides++, *p->memory, Ctype::i64, false, false);
    p->loads[i].gather = std::make_shared<const Gather>(
        Gather{std::move(index), view.gather_stride, view.gather_extent});
  }
}

// Operators round right (see StepKernel::tested and round_to_odd). So do those of an expression
// whose operands are all loads; other results are rounded as they are.
void choose_rounding(const Pass& pass, std::vector<StepKernel>* steps) {
  for (size_t s = 0; s < steps->size(); ++s) {
    StepKernel& step = (*steps)[s];
    bool of_loads = true, inside = false, narrow = false, wide = false;
    for (const Value& v : pass.steps[s].arguments)
      of_loads = of_loads && source_of(pass, *steps, v).of == Value::Of::load;
    const auto is_result = [&](const Value& value) {
      const Value v = source_of(pass, *steps, value);
      return v.of == Value::Of::step && v.index == static_cast<int>(s);
    };
    for (const Step& other : pass.steps)
      inside = inside || std::any_of(other.arguments.begin(), other.arguments.end(), is_result);
    for (size_t k = 0; k < pass.stores.size(); ++k)
      if (is_result(pass.stored[k])) (is_narrow_float(pass.stores[k].dtype) ? narrow : wide) = true;
    step.tested = step.tested && of_loads;
    if (of_loads && narrow && !wide && !inside && step.kernel->odd) round_to_odd(&step);
  }
}

// Is it an operator: one step, of the loads in their order, whose results are stored in theirs?
bool is_operator(const Pass& pass) {
  const std::vector<Value>& arguments = pass.steps[0].arguments;
  bool plain = pass.steps.size() == 1 && arguments.size() == pass.loads.size();
  for (size_t i = 0; plain && i < arguments.size(); ++i)
    plain = arguments[i].of == Value::Of::load && arguments[i].index == static_cast<int>(i);
  for (size_t k = 0; plain && k < pass.stored.size(); ++k)
    plain = pass.stored[k].of == Value::Of::step && pass.stored[k].result == static_cast<int>(k);
  return plain;
}

void check_limits(const Problem& problem, const Pass& pass) {
  if (pass.loads.size() > kMaxLoads || pass.stores.size() > kMaxStores) {
    unsupported("op: %s has %zu operands and %zu results (at most %d and %d on the CPU)", problem.name.c_str(),
                pass.loads.size(), pass.stores.size(), kMaxLoads, kMaxStores);
  }
}

// All but operands and rows.
Prepared prepare(const Problem& problem, const Pass& pass, const KernelSet& kernels, int threads) {
  Prepared p;
  p.layout = make_layout(pass);
  p.memory = kernels.isa->memory();
  p.bypass_cache = stores_bypass_cache(pass, static_cast<size_t>(p.layout.numel), threads);
  p.plain = is_operator(pass);
  p.steps.reserve(pass.steps.size());
  for (const Step& step : pass.steps) p.steps.push_back(make_step(step, kernels.find(problem, pass, step)));
  choose_rounding(pass, &p.steps);
  return p;
}

}  // namespace

const Kernel& KernelSet::find(const Problem& problem, const Pass& pass, const Step& step) const {
  const auto it = by_op.find(step.body->op);
  if (it != by_op.end())
    for (const Kernel& k : it->second)
      if (k.body == step.body->index && k.ctype == pass.ctype) return k;
  unsupported("op: %s has no CPU kernel that computes in %s", problem.name.c_str(), ctype_name(pass.ctype));
}

void check_pass(const Problem& problem, const Pass& pass, const KernelSet& kernels) {
  check_limits(problem, pass);
  Prepared p = prepare(problem, pass, kernels, 1);
  make_operands(problem, pass, &p);
  if (!p.plain) assign_slots(pass, &p);
}

ExecutorPtr select_executor(const Problem& problem, const Pass& pass, const KernelSet& kernels, int threads) {
  check_limits(problem, pass);
  Prepared p = prepare(problem, pass, kernels, threads);
  const size_t numel = static_cast<size_t>(p.layout.numel);
  const bool lookup = p.plain && suits_lookup(pass, *p.steps[0].kernel, numel);
  if (p.plain && !lookup) use_half_loop(problem, pass, *p.memory, numel, &p.steps[0]);
  make_operands(problem, pass, &p);
  choose_rows(&p);
  if (!p.plain) return make_block(pass, std::move(p));

  if (lookup) return make_lookup(std::move(p), table_key(problem, pass, *p.memory));
  if (suits_flat(p)) return make_flat(std::move(p));
  if (suits_convert(p)) {
    const StreamConvertFn* by_dtype = p.memory->stream_convert[static_cast<int>(pass.loads[0].dtype)];
    return make_convert(std::move(p), by_dtype[static_cast<int>(pass.stores[0].dtype)]);
  }
  RowsFn loop;
  if (suits_rows(p, &loop)) return make_rows(std::move(p), loop);
  if (suits_each_row(p)) return make_each_row(std::move(p));
  return make_block(pass, std::move(p));
}

}  // namespace tileops::cpu
