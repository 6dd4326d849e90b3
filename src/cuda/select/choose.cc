#include "cuda/select/choose.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "op/bodies.h"
#include "base/error.h"
#include "op/strategy.h"
#include "cuda/select/argument_block.h"
#include "cuda/select/choose_table.h"
#include "cuda/select/rope_reuse.h"
#include "cuda/select/dropout_words.h"
#include "cuda/select/reach.h"

namespace tileops::cuda {
namespace {

// Few instances: dimensions are padded in front with extents of 1.
int rounded_dims(int dims) {
  for (int n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 33})
    if (dims <= n) return n;
  return dims;
}

// The operands of a pass in the order of the kernel's views: loads, stores, indices of gathers.
std::vector<Operand> operands_of(const Pass& pass, const Layout& layout, size_t* direct) {
  std::vector<Operand> operands;
  size_t next = 0;
  const auto add = [&](const View& v, bool is_store) {
    operands.push_back({&v, &layout.strides[next++], static_cast<int64_t>(dtype_size(v.dtype)),
                        Reach::strided, is_store});
  };
  for (const View& v : pass.loads) add(v, false);
  for (const View& v : pass.stores) add(v, true);
  for (Operand& o : operands) o.reach = reach_of(o, layout);
  *direct = operands.size();
  for (const View& v : pass.loads)
    if (v.gather) add(*v.gather, false);
  return operands;
}

// Nothing streamed in, such as rows with columns, and results of 8 bytes: of two a thread blocks are done before the
// next ones can start (add in float64, 64 Mi elements on an H200: 137 us, with four 120, and a copy 117).
bool is_outer(const std::vector<Operand>& operands, const Layout& layout) {
  bool short_ones = false, wide = false;
  for (const Operand& o : operands) {
    if (is_streamed(o, layout.extents)) return false;
    if (o.is_store) wide = wide || o.size == 8;
    else short_ones = short_ones || o.memory();
  }
  return short_ones && wide;
}

// Walk, pack and packs of a thread. Changes the operands' reach where neighbours are pairs.
void cut_space(const Pass& pass, const Layout& layout, size_t direct, const Wish& wish,
               const Tuning& tuning, std::vector<Operand>* all, Choice* c) {
  std::vector<Operand>& operands = *all;
  KernelSpec& spec = c->spec;
  const tileops_strategy strategy = wish.kernel.strategy;
  const int asked = wish.kernel.num_per_thread;
  std::vector<Operand> own(operands.begin(), operands.begin() + static_cast<long>(direct));
  if (strategy == TILEOPS_STRATEGY_DIRECT) {
    spec.vector = 1;
    spec.walk = layout.extents.size() == 1 ? Walk::flat : Walk::elements;
    return;
  }
  if (strategy == TILEOPS_STRATEGY_EXPLICIT_PARALLEL) {
    if (asked > 32)
      invalid("num_per_thread: is too large for strategy explicit_parallel (got %d, need 1 to 32)", asked);
    if (asked) spec.vector = asked;
    spec.walk = layout.extents.size() == 1 ? Walk::flat : Walk::elements;
    c->always_interleaved = spec.vector > 1;
    return;
  }
  if (asked) spec.vector = std::min(spec.vector, asked);
  if (layout.extents.size() == 1) {
    spec.walk = Walk::flat;
  } else {
    find_pairs(&operands);
    own.assign(operands.begin(), operands.begin() + static_cast<long>(direct));
    bool rows = true;
    for (const Operand& o : own) rows = rows && o.reach != Reach::strided;
    for (size_t i = direct; i < operands.size(); ++i) rows = rows && operands[i].strides->back() == 0;
    const int vector = rows ? row_vector(own, layout, spec.vector) : 0;
    spec.walk = vector ? Walk::rows : Walk::elements;
    if (vector) {
      spec.vector = vector;
      if (!asked) choose_turn(pass, layout, direct, tuning, &operands, &spec);
    } else {
      for (Operand& o : operands)
        if (o.reach == Reach::even || o.reach == Reach::odd) o.reach = Reach::strided;
      own.assign(operands.begin(), operands.begin() + static_cast<long>(direct));
    }
  }
  if (spec.walk != Walk::rows) {
    // Packs of dense operands beside element-wise ones pay where those are small.
    for (const Operand& o : own) {
      if (o.memory() && o.reach != Reach::dense && (o.is_store || !is_reused(o, layout.extents)))
        c->always_interleaved = true;
      if (spec.walk == Walk::elements && o.is_store && o.reach != Reach::dense)
        c->always_interleaved = true;
    }
  }
  if (asked) {
    spec.units = asked / spec.vector;
    if (spec.units > 8)
      invalid("num_per_thread: is too large for packs of %d (got %d, need at most %d)", spec.vector,
              asked, 8 * spec.vector);
  } else {
    const Dtype out = pass.stores[0].dtype;
    const bool many =
        (spec.walk == Walk::flat || spec.walk == Walk::rows) && layout.numel / spec.vector > tuning.few_packs;
    const bool heavy = is_heavy(only_step(pass).body->name, out) || is_outer(own, layout);
    spec.units = many && !spec.turns() && heavy ? tuning.heavy_packs : tuning.packs;
  }
}

// What the body is compiled for, beside its operands.
void describe_body(const Problem& problem, const Pass& pass, const Wish& wish, const Tuning& tuning,
                   KernelSpec* s) {
  KernelSpec& spec = *s;
  const Step& step = only_step(pass);
  const BodyInfo& body = *step.body;
  spec.body = body.name;
  spec.ctype = pass.ctype;
  spec.ulp = body.ulp;
  spec.bits_kept = pass.bits_kept;
  const Dtype out = pass.stores[0].dtype;
  spec.halves = pass.ctype == Ctype::f32 && pass.stores.size() == 1 && dtype_size(out) == 2 && is_float(out);
  bool alike = pass.ctype == Ctype::f32 && pass.stores.size() == 1 && is_narrow_float(out);
  for (const View& v : pass.loads) alike = alike && v.kind == ViewKind::input && v.dtype == out;
  spec.halves = spec.halves && alike;
  if (pass.ctype == Ctype::f32) {
    // Results that are rounded to fewer bits have the CPU's in any case.
    const bool same = (problem.flags & TILEOPS_PLAN_REPRODUCIBLE) && !is_narrow_float(out);
    spec.policy = same     ? "same_bits"
                  : !alike ? "quick"
                           : "fast<" + std::string(storage_name(out)) + ">";
  } else if (pass.ctype == Ctype::f64 && !(problem.flags & TILEOPS_PLAN_REPRODUCIBLE)) {
    // f64 results that are rounded to fewer bits have the CPU's, too. (A second result is a mask, or like the first.)
    if (out == Dtype::f64) spec.policy = "quick";
  }
  spec.attrs = static_cast<int>(step.attrs.size()) + num_dropout_words(spec);
  spec.on_bits = spec.halves && body.on_bits;
  // Of 16-bit floats that need no second look; of hardswish by a form of its own (kernels/fast_forms.h).
  const bool sure = body.exact || (body.exact_bf16 && out == Dtype::bf16) || (spec.halves && body.name == "hardswish");
  // One operand: all results. Gated forms: all activations.
  const bool tabled = pass.loads.size() == 1 ? spec.halves
                                             : pass.loads.size() == 2 && alike && body.gated;
  spec.table = wish.tables == UseTables::yes && tabled && pass.stores.size() == 1 && spec.ulp > 0 && !sure &&
               (!body.has_odd || (out == Dtype::f16 && pass.loads.size() == 1)) && !spec.on_bits;
  // The f64 form behind a rounding test would take registers that the rest of the kernel pays for with
  // too few threads to hide memory's latency.
  if (alike && spec.ulp > 0 && !spec.table && !sure && !body.has_odd)
    spec.min_blocks = std::max(1, tuning.min_blocks * tuning.threads / spec.threads);
}

// Gated forms of 16-bit floats that read each other's positions in order may have their activations in shared memory.
// bf16's silu_and_mul computes it as fast (64 Mi elements on an H200: 102 us, from a window 104; a copy 97).
bool wants_window(const KernelSpec& given, const std::vector<Operand>& operands, int64_t numel, const Tuning& tuning) {
  KernelSpec spec = given;
  spec.units = 0;
  bool straight = spec.walk == Walk::flat || spec.walk == Walk::rows;
  for (const Operand& o : operands) straight = straight && (o.reach == Reach::dense || o.reach == Reach::row);
  const bool slower = spec.policy == "fast<f16>" || (spec.policy == "fast<bf16>" && spec.body != "silu_and_mul");
  return spec.table && spec.loads.size() == 2 && slower && straight && spec.vector == 8 &&
         numel >= tuning.window_from && spec.shared_bytes() <= tuning.shared_bytes;
}

// Threads of a block. Of light bodies that hardly read anything blocks would be done before the next one can start.
int threads_of(const Pass& pass, const Layout& layout, const std::vector<Operand>& operands, const Wish& wish,
               const Tuning& tuning, const KernelSpec& spec) {
  if (wish.kernel.threads) return wish.kernel.threads;
  bool reads = only_step(pass).body->name == "sinusoidal";
  for (const Operand& o : operands) reads = reads || is_streamed(o, layout.extents);
  return spec.walk == Walk::tiles || !reads ? tuning.large_threads : tuning.threads;
}

}  // namespace

tileops_strategy Choice::strategy() const {
  if (spec.which != Template::elementwise) return TILEOPS_STRATEGY_TABLE;
  if (spec.walk == Walk::tiles) return TILEOPS_STRATEGY_TILE;
  if (spec.vector * spec.units == 1) return TILEOPS_STRATEGY_DIRECT;
  return always_interleaved ? TILEOPS_STRATEGY_EXPLICIT_PARALLEL : TILEOPS_STRATEGY_REGISTER_COPY;
}

int Choice::num_per_thread() const {
  if (spec.walk == Walk::tiles) return std::max(1, spec.edge * spec.edge / spec.threads);
  if (spec.units == 0) return spec.vector * packs_of_thread;
  return spec.vector * spec.units * spec.repeat;
}

Magic magic_of(uint64_t d, bool wide) {
  uint64_t shift = 0;
  while ((uint64_t{1} << shift) < d) ++shift;
  using Wide = unsigned __int128;
  const int bits = wide ? 64 : 32;
  const Wide excess = (Wide{1} << shift) - d;
  return {static_cast<uint64_t>((excess << bits) / d) + 1, shift};
}

Choice choose(const Problem& problem, const Pass& pass, const Layout& given, const Wish& wish) {
  const Tuning& tuning = tuning_of(wish.arch);
  const tileops_strategy strategy = wish.kernel.strategy;
  const bool automatic = strategy == TILEOPS_STRATEGY_AUTO;
  const bool may_look_up = strategy == TILEOPS_STRATEGY_TABLE || (automatic && wish.tables == UseTables::yes);
  if (may_look_up)
    if (std::optional<Choice> table = choose_table(problem, pass, given, wish)) return *std::move(table);
  Layout layout = given;
  Choice c;
  KernelSpec& spec = c.spec;
  size_t direct = 0;
  std::vector<Operand> operands = operands_of(pass, layout, &direct);
  spec.gathers = static_cast<int>(operands.size() - direct);
  spec.vector = wanted_vector({operands.begin(), operands.begin() + static_cast<long>(direct)},
                              layout.extents, tuning, wish.kernel.num_per_thread != 0);
  std::vector<std::vector<int64_t>> tile_strides;
  if ((automatic || strategy == TILEOPS_STRATEGY_TILE) && spec.gathers == 0 &&
      make_tiles(&operands, &layout, &tile_strides, tuning, &spec.vector, &spec.edge)) {
    spec.walk = Walk::tiles;
  } else if (strategy == TILEOPS_STRATEGY_TILE) {
    unsupported("strategy: tile needs a transposed operand (an operand that lies along another dimension "
                "than the result does)");
  } else {
    spec.edge = 0;
    cut_space(pass, layout, direct, wish, tuning, &operands, &c);
  }
  spec.threads = threads_of(pass, layout, operands, wish, tuning, spec);
  describe_body(problem, pass, wish, tuning, &spec);
  spec.dims = spec.walk == Walk::flat ? 1 : rounded_dims(static_cast<int>(layout.extents.size()));
  int gather = static_cast<int>(direct);
  for (size_t i = 0; i < direct; ++i) {
    const Operand& o = operands[i];
    AccessSpec a;
    a.reach = o.reach;
    a.storage = o.is_store ? destination_name(o.view->dtype, problem.fp8) : storage_name(o.view->dtype);
    if (spec.on_bits) a.storage = "u16";
    if (o.view->gather) {
      a.ids = storage_name(o.view->gather->dtype);
      a.gather = gather++;
    }
    (o.is_store ? spec.stores : spec.loads).push_back(a);
  }
  const bool as_measured = spec.threads == tuning.threads && tuning.most_threads == 2048 && spec.policy != "same_bits";
  if (as_measured && spec.walk != Walk::tiles)
    spec.min_blocks = blocks_of(spec.name(), spec.min_blocks);
  if (automatic && !wish.kernel.threads && wants_window(spec, operands, layout.numel, tuning)) {
    spec.units = 0;
    spec.min_blocks = 0;
    spec.threads = tuning.window_threads;
  }
  fill_arguments(problem, pass, layout, operands, direct, &c);
  if (spec.units == 0) {
    const uint64_t blocks = std::min<uint64_t>(c.blocks, static_cast<uint64_t>(wish.multiprocessors));
    c.packs_of_thread = static_cast<int>((c.blocks + blocks - 1) / blocks);
    c.blocks = blocks;
  }
  return c;
}

Choice choose_pass(const Problem& problem, size_t i, const Layout& layout, Wish wish) {
  const tileops_strategy strategy = wish.kernel.strategy;
  if (i > 0 && (strategy == TILEOPS_STRATEGY_TABLE || strategy == TILEOPS_STRATEGY_TILE)) wish.kernel = {};
  return choose(problem, problem.passes[i], layout, wish);
}

}  // namespace tileops::cuda
