#include "problem/rows/gate.h"

#include <algorithm>

namespace tileops {
namespace {

bool is_under(const View& store, const Value& mask) {
  return std::any_of(store.indices.begin(), store.indices.end(),
                     [&](const View::Index& index) { return index.is_mask && index.value == mask; });
}

MadeOf all_made_of(const Pass& pass, std::vector<Value> open) {
  MadeOf made;
  while (!open.empty()) {
    const Value v = open.back();
    open.pop_back();
    const size_t i = static_cast<size_t>(v.index);
    if (!(v.kind == Value::Kind::load ? made.loads : made.steps).insert(i)) continue;
    if (v.kind == Value::Kind::step) {
      open.insert(open.end(), pass.steps[i].arguments.begin(), pass.steps[i].arguments.end());
    } else {
      for (const View::Index& index : pass.loads[i].indices) open.push_back(index.value);
    }
  }
  return made;
}

// A step that rounds a load to what it is stored as.
Step rounded(const Value& load, const View& store) {
  Step step;
  step.ctype = compute_type(store.dtype);
  step.to = store.dtype;
  step.fp8 = store.fp8;
  step.arguments = {load};
  return step;
}

}  // namespace

MadeOf made_of(const Pass& pass, const Value& v) { return all_made_of(pass, {v}); }

std::optional<Value> gate_of(const Pass& pass) {
  if (pass.stores.empty()) return std::nullopt;
  for (const View::Index& index : pass.stores[0].indices) {
    const auto is_under_it = [&](const View& store) { return is_under(store, index.value); };
    if (!index.is_mask || !std::all_of(pass.stores.begin(), pass.stores.end(), is_under_it)) continue;
    const NumberSet steps = made_of(pass, index.value).steps;
    bool reduces = false;
    for (const size_t s : steps) reduces = reduces || pass.steps[s].reduction != Reduction::none;
    if (!reduces) return index.value;
  }
  return std::nullopt;
}

Pass behind_gate(const Pass& pass, const Value& gate) {
  Pass open = pass;
  std::vector<Value> taken = pass.stored;
  for (View& store : open.stores) {
    const auto is_gate = [&](const View::Index& index) { return index.is_mask && index.value == gate; };
    store.indices.erase(std::remove_if(store.indices.begin(), store.indices.end(), is_gate), store.indices.end());
    for (const View::Index& index : store.indices) taken.push_back(index.value);
  }
  const NumberSet steps = all_made_of(pass, std::move(taken)).steps;
  for (const size_t s : made_of(pass, gate).steps)
    if (steps.has(s)) return pass;
  if (!steps.empty()) return open;
  for (size_t k = 0; k < open.stored.size(); ++k) {  // a pass has a step at least
    open.steps.push_back(rounded(open.stored[k], open.stores[k]));
    open.stored[k] = step_value(open.steps.size() - 1);
  }
  return open;
}

}  // namespace tileops
