#include "cpu/exec/block_slots.h"

#include <algorithm>

#include "base/error.h"

namespace tileops::cpu {
namespace {

bool copies(const StepKernel& step) { return step.kernel->identity && step.in[0] == step.out[0]; }

// Slots given out and given back.
class Slots {
 public:
  explicit Slots(size_t loads) : next_(static_cast<int>(loads)) {}
  int take() {
    if (free_.empty()) return next_++;
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(int slot) { free_.push_back(slot); }
  int never_taken() const { return next_; }

 private:
  int next_;
  std::vector<int> free_;
};

size_t result_index(const Value& v) { return static_cast<size_t>(v.index * kMaxResults + v.result); }

// By result_index: the last step that needs a result; one past all for those that are stored.
std::vector<size_t> last_uses(const Pass& pass, const Prepared& p) {
  std::vector<size_t> last(p.steps.size() * kMaxResults);
  const auto used = [&](const Value& value, size_t step) {
    const Value v = source_of(pass, p.steps, value);
    if (v.of == Value::Of::step) last[result_index(v)] = step;
  };
  for (size_t s = 0; s < p.steps.size(); ++s) {
    for (int r = 0; r < kMaxResults; ++r) last[s * kMaxResults + static_cast<size_t>(r)] = s;
    for (const Value& v : pass.steps[s].arguments) used(v, s);
  }
  for (const Value& v : pass.stored) used(v, p.steps.size());
  return last;
}

// Loads that stores read, after others may have written to the same memory, are copied to scratch:
// those that are stored as they are, and those that tested results are computed again from.
void copy_loads_of_stores(const Pass& pass, const std::vector<Value>& stored, Prepared* p) {
  const auto copy = [&](const Value& v) { p->loads[static_cast<size_t>(v.index)].direct = false; };
  for (size_t k = 0; k < stored.size(); ++k) {
    if (stored[k].of == Value::Of::load) copy(stored[k]);
    else if (p->stores[k].checked)
      for (const Value& v : pass.steps[static_cast<size_t>(stored[k].index)].arguments)
        copy(source_of(pass, p->steps, v));
  }
}

}  // namespace

Value source_of(const Pass& pass, const std::vector<StepKernel>& steps, Value value) {
  while (value.of == Value::Of::step && copies(steps[static_cast<size_t>(value.index)]))
    value = pass.steps[static_cast<size_t>(value.index)].arguments[0];
  return value;
}

BlockSlots assign_slots(const Pass& pass, Prepared* p) {
  const std::vector<size_t> last = last_uses(pass, *p);
  std::vector<int> slot_of(last.size(), -1), kept_as(p->steps.size(), -1);
  const auto slot = [&](const Value& value) {
    const Value v = source_of(pass, p->steps, value);
    return v.of == Value::Of::load ? v.index : slot_of[result_index(v)];
  };
  Slots slots(p->loads.size());
  std::vector<StepKernel> kept;
  for (size_t s = 0; s < p->steps.size(); ++s) {
    StepKernel step = p->steps[s];
    if (copies(step)) continue;
    for (size_t i = 0; i < pass.steps[s].arguments.size(); ++i) step.arguments[i] = slot(pass.steps[s].arguments[i]);
    for (int r = 0; r < step.kernel->num_out; ++r)
      slot_of[s * kMaxResults + static_cast<size_t>(r)] = step.results[r] = slots.take();
    for (size_t v = 0; v < last.size(); ++v)
      if (slot_of[v] >= 0 && last[v] == s) slots.give_back(slot_of[v]);
    kept_as[s] = static_cast<int>(kept.size());
    kept.push_back(std::move(step));
  }
  BlockSlots result;
  result.spare = slots.never_taken();
  if (result.spare + 2 > kSlots) {
    unsupported("op: needs %d values at a time on the CPU (at most %d)", result.spare, kSlots - 2);
  }
  std::vector<Value> stored;
  for (const Value& v : pass.stored) stored.push_back(source_of(pass, p->steps, v));
  std::fill(std::begin(result.in_place), std::end(result.in_place), -1);
  if (!p->plain && stored.size() > 1) copy_loads_of_stores(pass, stored, p);
  for (size_t k = p->stores.size(); k-- > 0;) {
    p->stores[k].value = slot(stored[k]);
    if (stored[k].of == Value::Of::load) continue;
    result.store_step[k] = kept_as[static_cast<size_t>(stored[k].index)];
    result.store_result[k] = stored[k].result;
    const bool last_step = result.store_step[k] + 1 == static_cast<int>(kept.size());
    if (last_step && p->stores[k].direct) result.in_place[stored[k].result] = static_cast<int>(k);
  }
  p->steps = std::move(kept);
  return result;
}

}  // namespace tileops::cpu
