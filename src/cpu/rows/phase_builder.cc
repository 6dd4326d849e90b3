#include "cpu/rows/phase_builder.h"

#include <algorithm>

namespace tileops::cpu {

PhaseBuilder::PhaseBuilder(const PassOfRows& rows, Level level, int stage, const NumberSet& kept, Locals* locals)
    : rows_(rows), level_(level), locals_(locals), needing_(rows.pass, rows.info, level, stage, kept) {}

void PhaseBuilder::store(size_t store) {
  needing_.stored(store);
  results_.push_back({rows_.pass.stored[store], in_dims(rows_.pass.stores[store], rows_.layout.stores[store])});
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
  const std::vector<Extent>& extents = rows_.layout.extents;
  phase_.source.pass.extents.assign(extents.begin(), extents.begin() + static_cast<ptrdiff_t>(dims()));
  steps_.assign(rows_.pass.steps.size(), -1);
  loads_.assign(rows_.pass.loads.size(), -1);
  NumberSet steps = needing_.needs().steps;
  steps.insert(needing_.needs().rounded_steps);
  Pass& pass = phase_.source.pass;
  pass.steps.reserve(steps.size());
  phase_.source.kernels.reserve(steps.size());
  pass.loads.reserve(rows_.pass.loads.size());
  pass.stores.reserve(results_.size());
  pass.stored.reserve(results_.size());
  for (const size_t s : steps) add_step(s);
  for (Result& result : results_) add_result(std::move(result));
  return std::move(phase_);
}

View PhaseBuilder::in_dims(const View& v, const std::vector<Extent>& strides) const {
  View view = v;
  view.strides.assign(strides.begin(), strides.begin() + static_cast<ptrdiff_t>(dims()));
  return view;
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
  steps_[s] = static_cast<int>(source.pass.steps.size());
  source.pass.steps.push_back(std::move(step));
}

// A value of the pass within the phase.
Value PhaseBuilder::here(const Value& unresolved) {
  const Value v = resolved(rows_.pass, rows_.info, unresolved);
  const size_t i = static_cast<size_t>(v.index);
  if (v.kind == Value::Kind::load) return load(i);
  return steps_[i] < 0 ? local(v) : Value{Value::Kind::step, steps_[i], v.result};
}

Value PhaseBuilder::load(size_t i) {
  if (loads_[i] < 0) {
    View view = in_dims(rows_.pass.loads[i], rows_.layout.loads[i]);
    for (View::Index& index : view.indices) index.value = index_here(index.value);
    loads_[i] = static_cast<int>(phase_.source.pass.loads.size());
    phase_.source.pass.loads.push_back(std::move(view));
  }
  return {Value::Kind::load, loads_[i], 0};
}

Value PhaseBuilder::local(const Value& v) {
  const int number = locals_->of(v);
  for (const auto& [local, load] : left_)
    if (local == number) return {Value::Kind::load, load, 0};
  left_.emplace_back(number, static_cast<int>(phase_.source.pass.loads.size()));
  phase_.source.pass.loads.push_back(locals_->view(v, dims()));
  return {Value::Kind::load, left_.back().second, 0};
}

// An index is what a step gives, also where another phase has left it.
Value PhaseBuilder::index_here(const Value& v) {
  const Value at = here(v);
  return at.kind == Value::Kind::step ? at : converted(at, Ctype::i64);
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

void PhaseBuilder::add_result(Result&& result) {
  Pass& pass = phase_.source.pass;
  for (View::Index& index : result.view.indices) index.value = index_here(index.value);
  const Value v = here(result.value);
  // A load that is reduced as it is comes in the type of its dtype; the reduction may want another one.
  const bool is_taken_otherwise = result.reduction >= 0 && v.kind == Value::Kind::load &&
                                  compute_type(pass.loads[static_cast<size_t>(v.index)].dtype) != result.type;
  pass.stored.push_back(is_taken_otherwise ? converted(v, result.type) : v);
  pass.stores.push_back(std::move(result.view));
  phase_.source.reductions.push_back(result.reduction);
}

}  // namespace tileops::cpu
