#include "cpu/rows/phase_builder.h"

#include <algorithm>

namespace tileops::cpu {

PhaseBuilder::PhaseBuilder(const PassOfRows& rows, Level level, int stage, const std::set<size_t>& kept, Locals* locals)
    : rows_(rows), level_(level), locals_(locals), needing_(rows.pass, rows.info, level, stage, kept) {}

void PhaseBuilder::store(size_t store) {
  needing_.stored(store);
  results_.push_back({rows_.pass.stored[store], in_dims(rows_.pass.stores[store])});
}

void PhaseBuilder::leave(const Value& v) {
  needing_.step(static_cast<size_t>(v.index));
  results_.push_back({v, locals_->view(v, dims())});
}

void PhaseBuilder::reduce(const Value& v, int reduction, Ctype type) {
  View nowhere;
  nowhere.kind = ViewKind::temporary;
  nowhere.dtype = ctype_dtype(type);
  nowhere.strides.assign(rows_.layout.extents.size(), 0);
  needing_.value(v);
  results_.push_back({v, nowhere, reduction, type});
}

std::optional<Phase> PhaseBuilder::build() {
  if (results_.empty()) return std::nullopt;
  phase_.level = level_;
  phase_.source.is_phase = true;
  const std::vector<int64_t>& extents = rows_.layout.extents;
  phase_.source.pass.extents.assign(extents.begin(), extents.begin() + static_cast<ptrdiff_t>(dims()));
  std::set<size_t> steps = needing_.needs().steps;
  steps.insert(needing_.needs().rounded_steps.begin(), needing_.needs().rounded_steps.end());
  for (const size_t s : steps) add_step(s);
  for (const Result& result : results_) add_result(result);
  return std::move(phase_);
}

View PhaseBuilder::in_dims(View v) const {
  v.strides.resize(dims());
  return v;
}

void PhaseBuilder::add_step(size_t s) {
  Step step = rows_.pass.steps[s];
  for (Value& v : step.arguments) v = here(v);
  KernelledPass& source = phase_.source;
  source.kernels.push_back(rows_.kernels[s]);
  if (step.scans) {
    source.kernels.back().scan = static_cast<int>(phase_.scans.size());
    phase_.scans.push_back({step.reduction, step.ctype, step.low_parts, step.in_columns, step.exclusive});
  }
  steps_[static_cast<int>(s)] = static_cast<int>(source.pass.steps.size());
  source.pass.steps.push_back(std::move(step));
}

// A value of the pass within the phase.
Value PhaseBuilder::here(const Value& unresolved) {
  const Value v = resolved(rows_.pass, rows_.info, unresolved);
  if (v.of == Value::Of::load) return load(static_cast<size_t>(v.index));
  const auto at = steps_.find(v.index);
  return at == steps_.end() ? local(v) : Value{Value::Of::step, at->second, v.result};
}

Value PhaseBuilder::load(size_t i) {
  const auto known = loads_.find(static_cast<int>(i));
  if (known != loads_.end()) return load_value(known->second);
  View view = in_dims(rows_.pass.loads[i]);
  for (View::Index& index : view.indices) index.value = index_here(index.value);
  return add_load(std::move(view), &loads_[static_cast<int>(i)]);
}

Value PhaseBuilder::local(const Value& v) {
  const int number = locals_->of(v);
  const auto known = taken_locals_.find(number);
  if (known != taken_locals_.end()) return load_value(known->second);
  return add_load(locals_->view(v, dims()), &taken_locals_[number]);
}

Value PhaseBuilder::add_load(View&& view, size_t* number) {
  std::vector<View>& loads = phase_.source.pass.loads;
  *number = loads.size();
  loads.push_back(std::move(view));
  return load_value(*number);
}

// An index is what a step gives, also where another phase has left it.
Value PhaseBuilder::index_here(const Value& v) {
  const Value at = here(v);
  return at.of == Value::Of::step ? at : converted(at, Ctype::i64);
}

Value PhaseBuilder::converted(const Value& v, Ctype type) {
  Step step;
  step.ctype = type;
  step.to = ctype_dtype(type);
  step.fp8 = Fp8Mode::nonsaturating;
  step.arguments = {v};
  phase_.source.pass.steps.push_back(std::move(step));
  phase_.source.kernels.push_back({});
  return step_value(phase_.source.pass.steps.size() - 1);
}

void PhaseBuilder::add_result(const Result& result) {
  Pass& pass = phase_.source.pass;
  View view = result.view;
  for (View::Index& index : view.indices) index.value = index_here(index.value);
  Value v = here(result.value);
  // A load that is reduced as it is comes in the type of its dtype; the reduction may want another one.
  const bool is_taken_otherwise = result.reduction >= 0 && v.of == Value::Of::load &&
                                  compute_type(pass.loads[static_cast<size_t>(v.index)].dtype) != result.type;
  pass.stored.push_back(is_taken_otherwise ? converted(v, result.type) : v);
  pass.stores.push_back(std::move(view));
  phase_.source.reductions.push_back(result.reduction);
}

}  // namespace tileops::cpu
