// What computing asks of vectors: that a thread has registers for their operands, results and values, and that the
// compiler is spared.
#include <algorithm>

#include "cuda/select/stages.h"

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

int registers(const Operands& operands, int live_words, int vec, int width) {
  return static_cast<int>(operand_bytes(operands) * vec / 4) + live_words * width;
}

}  // namespace

int most_vec(const Computation& c, const Operands& operands) {
  int vec = 16;
  if (c.one_operator) return vec;
  while (vec > 1 && (operand_bytes(operands) * vec > 4 * kOperandRegisters || c.instructions * vec > kMostInstructions))
    vec /= 2;
  return vec;
}

int vecs_of_expression(const Computation& c, const Traversal& t, const Tuning& tuning) {
  const bool in_vecs = t.order == TraversalOrder::flat || t.order == TraversalOrder::rows;
  if (!in_vecs || t.interleaved || t.numel / t.vec <= tuning.few_vecs) return t.vecs_per_thread;
  int64_t moved = 0;  // bytes of an element
  bool has_broadcast = false;
  for (const Operand& o : t.operands.direct) {
    if (o.is_store || is_streamed(o, t.extents)) moved += o.size;
    has_broadcast = has_broadcast || o.pattern == AccessPattern::broadcast;
  }
  if (c.instructions < tuning.heavy_instructions_per_byte * static_cast<double>(moved)) return t.vecs_per_thread;
  int vecs = has_broadcast ? tuning.heavy_vecs_with_broadcasts : tuning.heavy_vecs;
  const auto fits = [&](int64_t elements) {
    return moved * elements <= kMostBytesOfThread && c.instructions * elements <= kMostOfThread;
  };
  while (vecs > 1 && !fits(t.vec * vecs)) vecs /= 2;
  return std::max(vecs, t.vecs_per_thread);
}

int step_width_of(const Computation& c, const Operands& operands, int vec) {
  if (c.one_operator) return vec;
  int width = vec;
  const int least = stores_packed(operands.direct) ? 2 : 1;
  while (width > least && registers(operands, c.live_words, vec, width) > kAllRegisters) width /= 2;
  return width;
}

bool bounds_registers(const Computation& c, const Operands& operands, int vec) {
  if (c.one_operator) return c.has_rounding_test;
  return (c.has_rounding_test || c.has_long_bodies) &&
         registers(operands, c.live_words, vec, step_width_of(c, operands, vec)) <= kFewRegisters;
}

}  // namespace tileops::cuda
