// What is compiled for a pass, what it computes and its traversal.
#include <algorithm>

#include "cuda/select/stages.h"
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

// Does the kernel look at the view's strides?
bool needs_strides(const Operand& o, TraversalOrder order) {
  if (o.is_one_element()) return false;
  return o.pattern != AccessPattern::dense || order == TraversalOrder::tiles;
}

Accesses accesses_of(const Pass& pass, const Computation& c, const Traversal& t) {
  Accesses access = accesses_of(t.operands, c.memory_as);
  int word = c.spec.attrs;
  for (const View& v : pass.loads) word -= 2 * static_cast<int>(v.indices.size());
  for (size_t i = 0; i < access.loads.size(); ++i) {
    if (access.loads[i].ids_view >= 0) access.loads[i].ids_word = word;
    word += 2 * static_cast<int>(pass.loads[i].indices.size());
  }
  if (pass.bits_kept) access.kept_bits = only_step(pass).ctype;
  return access;
}

// Blocks are large where they would else be done before the next ones can start: squares, and light
// bodies that hardly read anything.
int threads_of(const Pass& pass, const Traversal& t, const Tuning& tuning) {
  bool small = is_operator(pass) && has_hint(only_step(pass).body->name, kSmallBlocks);
  for (const Operand& o : t.operands.direct) small = small || is_streamed(o, t.extents);
  return small && t.order != TraversalOrder::tiles ? tuning.threads : tuning.large_threads;
}

bool needs_index64(const TraversalSpec& spec, const Traversal& t) {
  if (t.order != TraversalOrder::rows && t.order != TraversalOrder::elements) return false;
  // Interleaved vectors ask for the coordinates of positions up to a block beyond the end.
  const int64_t beyond = int64_t{spec.threads} * spec.vec * spec.vecs_per_thread;
  if (t.way) return t.way->index64;
  int64_t count = 1;
  for (const Extent& e : t.order == TraversalOrder::rows ? positions_of(t) : t.extents) count *= e;
  bool far = count + beyond >= INT32_MAX;
  const auto look_at = [&](const Operand& o) {
    if (o.pattern != AccessPattern::dense || t.order == TraversalOrder::rows)
      far = far || span_in_bytes(o, t.extents) >= INT32_MAX;
  };
  for (const Operand& o : t.operands.direct) look_at(o);
  for (const Operand& o : t.operands.ids) look_at(o);
  return far;
}

bool is_bound_for(const RegisterBound& bound, const Pass& pass, const Accesses& access) {
  const BodyInfo& body = *only_step(pass).body;
  if (bound.body != body.name || pass.loads.size() < static_cast<size_t>(bound.loads)) return false;
  bool same = (pass.stores[0].dtype == bound.dtype || body.bool_result) && access.stores[0].pattern == bound.pattern;
  for (size_t i = 0; i < static_cast<size_t>(bound.loads); ++i)
    same = same && pass.loads[i].dtype == bound.dtype && access.loads[i].pattern == bound.pattern;
  return same;
}

// Blocks of a multiprocessor that registers are bounded for; 0: as many as the compiler thinks
// best.
int min_blocks_of(const Pass& pass, const Computation& c, const Accesses& access, const Traversal& t, int threads,
                  const Tuning& tuning) {
  if (c.one_operator && threads == tuning.threads && c.spec.policy != "bit_exact" && t.order != TraversalOrder::tiles)
    for (const RegisterBound& bound : tuning.register_bounds)
      if (is_bound_for(bound, pass, access)) return bound.blocks;
  return bounds_registers(c, t.operands, t.vec) ? std::max(1, tuning.rounding_test_blocks * tuning.threads / threads)
                                                : 0;
}

// Gated forms of 16-bit floats that read each other's positions in order may have their activations
// in shared memory.
bool wants_activation_table(const Computation& c, const Traversal& t, const Tuning& tuning) {
  if (!c.has_activations || !t.operands.ids.empty()) return false;
  for (const Operand& o : t.operands.direct)
    if (!o.is_consecutive()) return false;
  const Dtype gate = t.operands.direct[0].view->dtype;
  const bool slower = gate == Dtype::f16 || (gate == Dtype::bf16 && !has_hint(c.spec.name, kComputeBf16Gate));
  return slower && (t.order == TraversalOrder::flat || t.order == TraversalOrder::rows) && t.vec == 8 &&
         t.numel >= tuning.activation_table_from && activation_table_bytes(gate) <= tuning.shared_bytes;
}

// Of an operator that may be packed the body decides.
bool may_be_packed(const Computation& c, const Accesses& access, const Traversal& t) {
  return c.one_operator && !access.loads.empty() && access.stores.size() == 1 && t.vec % 4 == 0 &&
         (dtype_size(access.loads[0].dtype) == 1 || access.loads[0].dtype == Dtype::f16);
}

Template template_of(const Computation& c, const Accesses& access, const Traversal& t) {
  if (t.order == TraversalOrder::tiles) return Template::tiles;
  if (t.loops_over_rows()) return Template::shared_stage;
  return may_be_packed(c, access, t) ? Template::packed : Template::elementwise;
}

}  // namespace

Accesses accesses_of(const Operands& operands, std::optional<Dtype> memory_as) {
  Accesses access;
  for (const Operand& o : operands.direct) {
    AccessSpec a;
    a.pattern = o.pattern;
    a.dtype = memory_as.value_or(o.view->dtype);
    a.saturates = o.is_store && o.view->fp8 == Fp8Mode::saturate && is_fp8(a.dtype);
    a.by_steps = o.by_steps;
    if (o.ids >= 0) {
      a.ids = operands.ids[static_cast<size_t>(o.ids)].view->dtype;
      a.ids_view = static_cast<int>(operands.direct.size()) + o.ids;
    }
    (o.is_store ? access.stores : access.loads).push_back(a);
  }
  access.num_ids = static_cast<int>(operands.ids.size());
  return access;
}

KernelSpec spec_of(const Pass& pass, const Computation& c, const Traversal& t, const LaunchHint& hint,
                   const Tuning& tuning) {
  KernelSpec spec;
  spec.access = accesses_of(pass, c, t);
  spec.compute = c.spec;
  spec.compute.step_width = step_width_of(c, t.operands, t.vec);
  TraversalSpec& s = spec.traversal;
  s.kernel_template = template_of(c, spec.access, t);
  s.order = t.order;
  s.dims = t.order == TraversalOrder::flat ? 1 : rounded_dims(t.extents.size());
  s.vec = t.vec;
  s.vecs_per_thread = t.vecs_per_thread;
  s.tile_dim = t.tile_dim;
  s.rows_per_thread = t.rows_per_thread;
  s.cooperating_threads = t.cooperating_threads;
  if (t.loops_over_rows()) s.rows_dim = static_cast<int>(t.rows_dim) + s.dims - static_cast<int>(t.extents.size());
  s.interleaved = !c.one_operator && (t.interleaved || t.vec == 1);
  // Of an operator a whole operand may be misaligned, which is then to cost little; more steps would be too much code.
  s.ragged = c.one_operator                     ? Ragged::read_together
             : stores_packed(t.operands.direct) ? Ragged::pack_by_pack
                                                : Ragged::one_by_one;
  s.threads = hint.threads ? hint.threads : threads_of(pass, t, tuning);
  if (hint.strategy == TILEOPS_STRATEGY_AUTO && !hint.threads && wants_activation_table(c, t, tuning)) {
    s.kernel_template = Template::activation_table;
    s.vecs_per_thread = 0;
    s.threads = tuning.activation_table_threads;
  } else {
    s.min_blocks = min_blocks_of(pass, c, spec.access, t, s.threads, tuning);
  }
  s.index64 = needs_index64(s, t);
  set_stride_slots(t.operands, needs_strides, &spec);
  return spec;
}

}  // namespace tileops::cuda
