// What is compiled for a pass and its traversal.
#include <algorithm>

#include "cuda/select/stages.h"
#include "cuda/steps/forms.h"
#include "cuda/tuning/body_tuning.h"
#include "problem/analysis.h"

namespace tileops::cuda {
namespace {

// Dimensions are padded in front with extents of 1, so that there are few kernels.
int rounded_dims(size_t dims) {
  for (int n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 33})
    if (dims <= static_cast<size_t>(n)) return n;
  return static_cast<int>(dims);
}

// Arithmetic in f32 on operands and a result of one narrow float dtype: kernels/forms has forms for
// these.
bool is_of_one_narrow_float(const Pass& pass) {
  const Dtype out = pass.stores[0].dtype;
  bool alike = only_step(pass).ctype == Ctype::f32 && pass.stores.size() == 1 && is_narrow_float(out);
  for (const View& v : pass.loads) alike = alike && v.kind == ViewKind::input && v.dtype == out;
  return alike;
}

// Results that are rounded to fewer bits than were computed are the CPU's under every policy.
std::string policy_of(const Pass& pass, bool one_narrow_float, bool reproducible) {
  const Dtype out = pass.stores[0].dtype;
  if (only_step(pass).ctype == Ctype::f32) {
    if (reproducible && !is_narrow_float(out)) return "bit_exact";
    return one_narrow_float ? "fast<" + std::string(storage_name(out)) + ">" : "bounded";
  }
  // A second result is a mask, or of the same dtype.
  return only_step(pass).ctype == Ctype::f64 && !reproducible && out == Dtype::f64 ? "bounded" : "portable";
}

// As an operator of one narrow float rounds it, by the forms for these.
Rounding rounding_of_result(const Pass& pass) {
  AnalysisOptions options;
  options.is_exact = [](const BodyInfo& body, Dtype to) {
    return dtype_size(to) == 2 && forms_of(body).rounds_16_bits_once;
  };
  return rounding_of(pass, pass.stored[0], pass.stores[0].dtype, options);
}

// Can a table have all results, or those of a gated form's activation?
bool can_have_table(const Pass& pass, const KernelSpec& spec, bool one_narrow_float) {
  const size_t loads = pass.loads.size();
  const bool suits = loads == 1 ? spec.halves : loads == 2 && one_narrow_float && only_step(pass).body->gated;
  if (!suits || spec.ulp == 0 || spec.on_bits) return false;
  const Rounding rounding = rounding_of_result(pass);
  return rounding == Rounding::tested ||
         (rounding == Rounding::odd && pass.stores[0].dtype == Dtype::f16 && loads == 1);
}

bool is_bound_for(const RegisterBound& bound, const Pass& pass, const KernelSpec& spec) {
  if (bound.body != spec.body || pass.loads.size() < static_cast<size_t>(bound.loads)) return false;
  bool same = (pass.stores[0].dtype == bound.dtype || only_step(pass).body->bool_result) &&
              spec.stores[0].pattern == bound.pattern;
  for (size_t i = 0; i < static_cast<size_t>(bound.loads); ++i)
    same = same && pass.loads[i].dtype == bound.dtype && spec.loads[i].pattern == bound.pattern;
  return same;
}

// Blocks of a multiprocessor that registers are bounded for; 0: as many as the compiler thinks
// best.
int min_blocks_of(const Pass& pass, const KernelSpec& spec, bool one_narrow_float, const Tuning& tuning) {
  if (spec.threads == tuning.threads && spec.policy != "bit_exact" && spec.order != TraversalOrder::tiles)
    for (const RegisterBound& bound : tuning.register_bounds)
      if (is_bound_for(bound, pass, spec)) return bound.blocks;
  // The f64 form behind a rounding test would take registers that the rest of the kernel pays for
  // with too few threads to hide memory's latency.
  const bool has_rounding_test = one_narrow_float && !spec.table && rounding_of_result(pass) == Rounding::tested;
  return has_rounding_test ? std::max(1, tuning.rounding_test_blocks * tuning.threads / spec.threads) : 0;
}

// Gated forms of 16-bit floats that read each other's positions in order may have their activations
// in shared memory.
bool wants_activation_table(const KernelSpec& spec, const Traversal& t, const Tuning& tuning) {
  if (!spec.table || spec.loads.size() != 2 || !t.operands.ids.empty()) return false;
  for (const Operand& o : t.operands.direct)
    if (!o.is_consecutive()) return false;
  const Dtype gate = spec.loads[0].dtype;
  const bool slower = gate == Dtype::f16 || (gate == Dtype::bf16 && !has_hint(spec.body, kComputeBf16Gate));
  return slower && (t.order == TraversalOrder::flat || t.order == TraversalOrder::rows) && spec.vec == 8 &&
         t.numel >= tuning.activation_table_from && activation_table_bytes(gate) <= tuning.shared_bytes;
}

}  // namespace

// Blocks are large where they would else be done before the next ones can start: squares, and light
// bodies that hardly read anything.
int threads_of(const Pass& pass, const Traversal& t, const Tuning& tuning) {
  bool small = is_operator(pass) && has_hint(only_step(pass).body->name, kSmallBlocks);
  for (const Operand& o : t.operands.direct) small = small || is_streamed(o, t.extents);
  return small && t.order != TraversalOrder::tiles ? tuning.threads : tuning.large_threads;
}

bool needs_index64(const KernelSpec& spec, const Traversal& t) {
  if (t.order != TraversalOrder::rows && t.order != TraversalOrder::elements) return false;
  // Interleaved vectors ask for the coordinates of positions up to a block beyond the end.
  const int64_t beyond = int64_t{spec.threads} * spec.vec * spec.vecs_per_thread;
  bool far = positions_of(t).count + beyond >= INT32_MAX;
  const auto look_at = [&](const Operand& o) {
    if (o.pattern != AccessPattern::dense || t.order == TraversalOrder::rows)
      far = far || span_in_bytes(o, t.extents) >= INT32_MAX;
  };
  for (const Operand& o : t.operands.direct) look_at(o);
  for (const Operand& o : t.operands.ids) look_at(o);
  return far;
}

void add_accesses(const Operands& operands, KernelSpec* spec) {
  for (const Operand& o : operands.direct) {
    AccessSpec a;
    a.pattern = o.pattern;
    a.dtype = spec->on_bits ? Dtype::u16 : o.view->dtype;
    a.saturates = o.is_store && o.view->fp8 == Fp8Mode::saturate && is_fp8(a.dtype);
    if (o.ids >= 0) {
      a.ids = operands.ids[static_cast<size_t>(o.ids)].view->dtype;
      a.ids_view = static_cast<int>(operands.direct.size()) + o.ids;
    }
    (o.is_store ? spec->stores : spec->loads).push_back(a);
  }
  spec->num_ids = static_cast<int>(operands.ids.size());
}

void add_traversal(const Traversal& t, KernelSpec* spec) {
  spec->order = t.order;
  spec->dims = t.order == TraversalOrder::flat ? 1 : rounded_dims(t.extents.size());
  spec->vec = t.vec;
  spec->vecs_per_thread = t.vecs_per_thread;
  spec->tile_dim = t.tile_dim;
  spec->rows_per_thread = t.rows_per_thread;
  spec->cooperating_threads = t.cooperating_threads;
  if (t.loops_over_rows())
    spec->rows_dim = static_cast<int>(t.rows_dim) + spec->dims - static_cast<int>(t.extents.size());
}

KernelSpec spec_of(const Problem& problem, const Pass& pass, const Traversal& t, const ChooseOptions& options,
                   const Tuning& tuning) {
  const Step& step = only_step(pass);
  const bool one_narrow_float = is_of_one_narrow_float(pass);
  KernelSpec spec;
  spec.body = step.body->name;
  spec.ulp = step.body->ulp;
  spec.ctype = only_step(pass).ctype;
  spec.bits_kept = pass.bits_kept;
  spec.policy = policy_of(pass, one_narrow_float, problem.flags & TILEOPS_PLAN_REPRODUCIBLE);
  spec.attrs = static_cast<int>(step.attrs.size() + prepared_words(pass, spec.policy).size());
  spec.halves = one_narrow_float && dtype_size(pass.stores[0].dtype) == 2;
  spec.on_bits = spec.halves && step.body->on_bits;
  spec.table = options.tables == UseTables::yes && can_have_table(pass, spec, one_narrow_float);
  add_accesses(t.operands, &spec);
  add_traversal(t, &spec);
  for (size_t i = 0; i < spec.loads.size(); ++i)
    spec.operands.push_back(spec.on_bits ? Ctype::u16 : operand_type(step, i));
  for (size_t k = 0; k < spec.stores.size(); ++k)
    spec.results.push_back(spec.on_bits ? Ctype::u16 : result_type(step, k));

  spec.threads = options.hint.threads ? options.hint.threads : threads_of(pass, t, tuning);
  const bool automatic = options.hint.strategy == TILEOPS_STRATEGY_AUTO && !options.hint.threads;
  if (automatic && wants_activation_table(spec, t, tuning)) {
    spec.vecs_per_thread = 0;
    spec.threads = tuning.activation_table_threads;
  } else {
    spec.min_blocks = min_blocks_of(pass, spec, one_narrow_float, tuning);
  }
  spec.index64 = needs_index64(spec, t);
  return spec;
}

}  // namespace tileops::cuda
