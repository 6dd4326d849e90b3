#include "cpu/exec/executor.h"

#include "base/error.h"

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

Executor::Executor(Prepared* p, const char* strategy)
    : Executor(p->layout, p->step.converts_within() ? "half" : strategy, std::move(p->sizes), p->non_temporal_stores) {}

Executor::Executor(const Layout& layout, const char* strategy, Sizes&& sizes, bool non_temporal_stores)
    : strategy_(strategy),
      layout_(layout.cls),
      sizes_(std::move(sizes)),
      numel_at_(sizes_.add(layout.numel)),
      non_temporal_stores_(non_temporal_stores) {
  if (sizes_.are_open() && sizes_.count() > Sizes::kMost)
    unsupported("expr: has %zu sizes that depend on open extents (at most %zu)", sizes_.count(), Sizes::kMost);
}

template <class F>
void Executor::with_sizes(Binding binding, const F& f) const {
  if (sizes_.are_open()) return with_open_sizes(&binding, f);
  binding.sizes = sizes_.numbers();
  f(binding);
}

template <class F>
void Executor::with_open_sizes(Binding* binding, const F& f) const {
  int64_t numbers[Sizes::kMost];
  sizes_.find(binding->extents, numbers);
  binding->sizes = numbers;
  f(*binding);
}

template <class F>
void Executor::with_work(const Binding& given, const F& f) const {
  with_sizes(given, [&](const Binding& binding) {
    const Work all = work(binding);
    if (all.elements == 0) return;
    if (const Executor* other = instead(binding)) return other->with_work(given, f);
    f(*this, binding, all);
  });
}

template <class Run>
void Executor::share(const Work& work, const Threads& threads, const Run& run) const {
  const size_t count = std::min(num_parts(work), static_cast<size_t>(threads.count()));
  if (work.elements < 2 * kGrain || count <= 1) return run(0, work.units);
  const size_t pieces = non_temporal_stores_ ? std::min(count * kPiecesOfThread, work.units) : count;
  threads.run(
      work.units, static_cast<int>(pieces), non_temporal_stores_,
      [](const void* f, size_t begin, size_t end) { (*static_cast<const Run*>(f))(begin, end); }, &run);
}

void Executor::execute(const Binding& given, const Threads& threads) const {
  with_work(given, [&](const Executor& e, const Binding& binding, const Work& all) {
    e.share(all, threads, [&](size_t begin, size_t end) { e.run(binding, begin, end); });
  });
}

void Executor::execute_list(const std::vector<Binding>& items, const Threads& threads) const {
  std::vector<size_t> begins{0};  // of each item's units, and the end
  Work all{0, 0};
  for (const Binding& item : items) {
    with_work(item, [&](const Executor&, const Binding&, const Work& work) {
      all.elements += work.elements;
      all.units += work.units;
    });
    begins.push_back(all.units);
  }
  if (all.elements == 0) return;
  share(all, threads, [&](size_t begin, size_t end) {
    size_t i = static_cast<size_t>(std::upper_bound(begins.begin(), begins.end(), begin) - begins.begin()) - 1;
    for (; i < items.size() && begins[i] < end; ++i) {
      const size_t from = std::max(begin, begins[i]) - begins[i], to = std::min(end, begins[i + 1]) - begins[i];
      if (from == to) continue;
      with_work(items[i], [&](const Executor& e, const Binding& binding, const Work&) { e.run(binding, from, to); });
    }
  });
}

void Executor::execute_part(const Binding& given, size_t part, size_t parts) const {
  with_work(given, [&](const Executor& e, const Binding& binding, const Work& all) {
    const size_t begin = piece_begin(all.units, part, parts), end = piece_begin(all.units, part + 1, parts);
    if (begin < end) e.run(binding, begin, end);
  });
}

size_t Executor::num_parts(const int64_t* extents) const {
  size_t parts = 1;
  Binding nowhere{};
  nowhere.extents = extents;
  with_sizes(nowhere, [&](const Binding& binding) { parts = num_parts(work(binding)); });
  return parts;
}

}  // namespace tileops::cpu
