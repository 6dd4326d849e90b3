#include "cpu/exec/executor.h"

namespace tileops::cpu {
namespace {

// What goes past the cache may be computed by any thread. In this many pieces for each, those that
// are slowed down (by a neighbour on the same core, by another program) take fewer: on 16 virtual
// cores of a Sapphire Rapids relu of 16 Mi bf16 takes 250 us, and 477 us in equal shares.
constexpr size_t kPiecesOfThread = 4;

}  // namespace

size_t room_in_slot(const StepKernel& step) {
  if (!step.converts_within()) return kBlock;
  return step.variant.elements == Elements::f32 ? 2 * kBlock : 4 * kBlock;
}

Executor::Executor(const Prepared& p, const char* strategy, size_t units)
    : Executor(p.layout, p.step.converts_within() ? "half" : strategy, units, p.non_temporal_stores) {}

Executor::Executor(const Layout& layout, const char* strategy, size_t units, bool non_temporal_stores)
    : Executor(layout.cls, strategy, static_cast<size_t>(layout.numel), units, non_temporal_stores) {}

Executor::Executor(LayoutClass layout, const char* strategy, size_t elements, size_t units, bool non_temporal_stores)
    : strategy_(strategy),
      layout_(layout),
      elements_(elements),
      units_(units),
      non_temporal_stores_(non_temporal_stores) {}

void Executor::execute_part(const Binding& binding, size_t part, size_t parts) const {
  if (elements_ == 0) return;
  if (const Executor* other = instead(binding)) return other->execute_part(binding, part, parts);
  const size_t begin = piece_begin(units_, part, parts), end = piece_begin(units_, part + 1, parts);
  if (begin < end) run(binding, begin, end);
}

void Executor::run_on_threads(const Binding& binding, const Threads& threads) const {
  const size_t count = std::min(num_parts(), static_cast<size_t>(threads.count()));
  if (count <= 1) return run(binding, 0, units_);
  struct Task {
    const Executor* executor;
    const Binding* binding;
  };
  const Task task{this, &binding};
  const size_t pieces = non_temporal_stores_ ? std::min(count * kPiecesOfThread, units_) : count;
  threads.run(
      units_, static_cast<int>(pieces), non_temporal_stores_,
      [](const void* arg, size_t begin, size_t end) {
        const Task& t = *static_cast<const Task*>(arg);
        t.executor->run(*t.binding, begin, end);
      },
      &task);
}

}  // namespace tileops::cpu
