// The kernel of a pass of several steps: as an operator's, but for what is known of single bodies, and with vectors and
// parts of them that leave its values in registers.
#include <algorithm>

#include "cuda/select/stages.h"
#include "cuda/steps/expression.h"

namespace tileops::cuda {
namespace {

// Registers of a thread: those that operands and results of its vectors may have as they lie in memory, and those
// beside them for values.
constexpr int64_t kOperandRegisters = 40, kAllRegisters = 72;
// Instructions of a vector. Beyond, computing takes longer than memory does, whose accesses may then be narrow, and the
// compiler is to be spared.
constexpr int kMostInstructions = 384;
// And of a thread of several vectors (bf16 snake, 64 Mi elements, H200, 2026: 82.8 us with two, with four 88.5).
constexpr int kMostOfThread = 576;
// And bytes of the thread's operands and results (swiglu_fp8 of 64 Mi bf16, H200, 2026: 78.6 us with 80 bytes, 80.8
// with 160).
constexpr int64_t kMostBytesOfThread = 128;
// With so few for operands and values a thread's are bounded: of the CPU's long bodies the compiler would have all
// elements of a vector on the way at once, and for the f64 forms behind rounding tests it would take too many.
constexpr int kFewRegisters = 48;

// Registers of all operands of one element in memory, times 4.
int64_t operand_bytes(const Operands& operands) {
  int64_t bytes = 0;
  for (const Operand& o : operands.direct)
    if (o.in_memory()) bytes += o.size;
  return bytes;
}

int most_vec(const Operands& operands, int instructions) {
  int vec = 16;
  while (vec > 1 && (operand_bytes(operands) * vec > 4 * kOperandRegisters || instructions * vec > kMostInstructions))
    vec /= 2;
  return vec;
}

// Where computing takes about as long as the memory does, a thread takes several vectors: it shares what it does once,
// and more loads are on their way, also of what rows have in common, which arithmetic waits for.
int vecs_of(const Traversal& t, int instructions, const Tuning& tuning) {
  const bool in_vecs = t.order == TraversalOrder::flat || t.order == TraversalOrder::rows;
  if (!in_vecs || t.interleaved || t.numel / t.vec <= tuning.few_vecs) return t.vecs_per_thread;
  int64_t moved = 0;  // bytes of an element
  bool has_broadcast = false;
  for (const Operand& o : t.operands.direct) {
    if (o.is_store || is_streamed(o, t.extents)) moved += o.size;
    has_broadcast = has_broadcast || o.pattern == AccessPattern::broadcast;
  }
  if (instructions < tuning.heavy_instructions_per_byte * static_cast<double>(moved)) return t.vecs_per_thread;
  int vecs = has_broadcast ? tuning.heavy_vecs_with_broadcasts : tuning.heavy_vecs;
  const auto fits = [&](int64_t elements) {
    return moved * elements <= kMostBytesOfThread && instructions * elements <= kMostOfThread;
  };
  while (vecs > 1 && !fits(t.vec * vecs)) vecs /= 2;
  return std::max(vecs, t.vecs_per_thread);
}

int registers(const Operands& operands, int live_words, int vec, int part) {
  return static_cast<int>(operand_bytes(operands) * vec / 4) + live_words * part;
}

int part_of(const Operands& operands, int live_words, int vec) {
  int part = vec;
  const int least = stores_packed(operands.direct) ? 2 : 1;
  while (part > least && registers(operands, live_words, vec, part) > kAllRegisters) part /= 2;
  return part;
}

// Does the kernel look at the view's strides?
bool needs_strides(const Operand& o, TraversalOrder order) {
  if (o.is_one_element()) return false;
  return o.pattern != AccessPattern::dense || order == TraversalOrder::tiles;
}

// Every view has strides of its own or, `shared`, equal ones with others.
std::vector<int> stride_rows(const Traversal& t, bool shared) {
  std::vector<int> rows;
  std::vector<const std::vector<int64_t>*> known;
  for (const Operand& o : t.operands.direct) {
    rows.push_back(-1);
    if (!needs_strides(o, t.order)) continue;
    size_t at = known.size();
    if (shared)
      at = static_cast<size_t>(
          std::find_if(known.begin(), known.end(), [&](const auto* k) { return *k == o.strides; }) - known.begin());
    if (at == known.size()) known.push_back(&o.strides);
    rows.back() = static_cast<int>(at);
  }
  return rows;
}

}  // namespace

Choice choose_expression(const Problem& problem, const Pass& pass, const Operands& operands, const Layout& layout,
                         const ChooseOptions& options, const Tuning& tuning) {
  const bool reproducible = problem.flags & TILEOPS_PLAN_REPRODUCIBLE;
  Expression e = expression_of(problem, pass, in_one_piece(operands), reproducible);
  Traversal t = traversal_of(pass, operands, layout, options.hint, tuning, most_vec(operands, e.instructions));
  if (options.hint.strategy == TILEOPS_STRATEGY_AUTO && !options.hint.num_per_thread)
    t.vecs_per_thread = vecs_of(t, e.instructions, tuning);
  KernelSpec spec;
  spec.body = "expression";
  spec.steps = std::move(e.text);
  spec.operands = std::move(e.operands);
  spec.attrs = e.attrs;
  add_accesses(t.operands, &spec);
  add_traversal(t, &spec);
  spec.interleaved = t.interleaved || t.vec == 1;
  spec.keeps_packs = stores_packed(t.operands.direct);
  spec.part = part_of(operands, e.live_words, spec.vec);
  spec.threads = options.hint.threads ? options.hint.threads : threads_of(pass, t, tuning);
  if ((e.has_rounding_test || (reproducible && e.has_long_bodies)) &&
      registers(operands, e.live_words, spec.vec, spec.part) <= kFewRegisters)
    spec.min_blocks = std::max(1, tuning.rounding_test_blocks * tuning.threads / spec.threads);
  spec.index64 = needs_index64(spec, t);
  spec.stride_rows = stride_rows(t, false);
  if (ArgumentLayout::of(spec).words() * 8 > kUsualArgumentBytes) spec.stride_rows = stride_rows(t, true);
  return {spec, launch_config_of(spec, t, options.multiprocessors), arguments_of(pass, spec, t)};
}

}  // namespace tileops::cuda
