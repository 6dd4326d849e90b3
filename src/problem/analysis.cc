#include "problem/analysis.h"

#include <algorithm>

#include "problem/rows/stages.h"

namespace tileops {
namespace {

const Step& step_of(const Pass& pass, const Value& v) { return pass.steps[static_cast<size_t>(v.index)]; }

bool is_rounded(const Pass& pass, const Value& v, const AnalysisOptions& options) {
  if (v.kind == Value::Kind::step) return step_of(pass, v).converts();
  if (pass.loads[static_cast<size_t>(v.index)].computed) return false;
  return options.looked_up.empty() || !options.looked_up[static_cast<size_t>(v.index)];
}

bool takes_rounded(const Pass& pass, const Step& step, const AnalysisOptions& options) {
  for (size_t i = 0; i < step.arguments.size(); ++i)
    if (is_floating(operand_type(step, i)) && !is_rounded(pass, step.arguments[i], options)) return false;
  return true;
}

// Are all its operands bf16? Asked where they are all rounded.
bool takes_bf16_alone(const Pass& pass, const Step& step) {
  return std::all_of(step.arguments.begin(), step.arguments.end(), [&](const Value& v) {
    return (v.kind == Value::Kind::load ? pass.loads[static_cast<size_t>(v.index)].dtype : step_of(pass, v).to) ==
           Dtype::bf16;
  });
}

// Does an error of its operands stay about as large, so that it is lost where its results are rounded?
bool passes_errors_on(const Step& step) {
  if (step.reduction != Reduction::none) return is_floating(result_type(step));
  return step.body ? is_floating(result_type(step)) && !step.body->jumps : is_narrow_float(step.to);
}

}  // namespace

Rounding rounding_of(const Pass& pass, const Value& value, Dtype to, const AnalysisOptions& options) {
  if (!is_narrow_float(to)) return Rounding::none;
  if (value.kind == Value::Kind::load || !step_of(pass, value).body) return Rounding::nearest;
  const Step& step = step_of(pass, value);
  const bool in_f32 = step.ctype == Ctype::f32 && result_type(step, static_cast<size_t>(value.result)) == Ctype::f32;
  if (!in_f32 || !takes_rounded(pass, step, options)) return Rounding::nearest;
  const BodyInfo& body = *step.body;
  if (body.accuracy >= device::Accuracy::exact || (options.is_exact && options.is_exact(body, to)))
    return Rounding::nearest;
  if (body.has_odd) return Rounding::odd;
  if (body.accuracy == device::Accuracy::exact_among_bf16 && to == Dtype::bf16 && takes_bf16_alone(pass, step))
    return Rounding::nearest;
  return body.ulp == 0 ? Rounding::nearest : Rounding::tested;
}

PassInfo::PassInfo(const Pass& pass, const AnalysisOptions& options) {
  results_.reserve(pass.steps.size() + 1);
  size_t count = pass.loads.size();
  for (const Step& step : pass.steps) {
    results_.push_back(count);
    count += num_results(step);
  }
  results_.push_back(count);
  values_.resize(count);
  const size_t ids = ids_begin(pass);
  for (size_t i = 0; i < pass.loads.size(); ++i)
    values_[i].type = i < ids ? compute_type(pass.loads[i].dtype) : Ctype::i64;
  find_readers(pass, options);
  find_few_bits(pass);
  if (pass.is_of_rows()) find_stages(pass);
  for (ValueInfo& v : values_) {
    const bool is_operators = v.taken_by(Rounding::tested) > 0 ||
                              (v.operands_rounded && v.taken_by(Rounding::nearest) > 0);
    v.few_bits = v.few_bits && !options.reproducible && !is_operators;
  }
}

void PassInfo::find_readers(const Pass& pass, const AnalysisOptions& options) {
  const auto is_taken = [&](const Value& v, Rounding by, bool all_bits) {
    ValueInfo& info = at(v);
    ++info.taken[static_cast<size_t>(by)];
    info.needs_all_bits = info.needs_all_bits || all_bits;
  };
  for (size_t s = 0; s < pass.steps.size(); ++s) {
    const Step& step = pass.steps[s];
    for (size_t i = 0; i < step.arguments.size(); ++i) {
      const Value& v = step.arguments[i];
      if (!step.converts()) is_taken(v, Rounding::none, true);
      else is_taken(v, rounding_of(pass, v, step.to, options), step.to == Dtype::f64);
      // Loads are of the type that bodies take them in, whatever their dtype computes in.
      if (!step.converts() && v.kind == Value::Kind::load) at(v).type = operand_type(step, i);
      at(v).last_reader = at(v).last_taken = static_cast<int>(s);
    }
    const bool operands_rounded = step.body && takes_rounded(pass, step, options);
    for (size_t r = 0; r < num_results(step); ++r) {
      ValueInfo& info = values_[results_[s] + r];
      info.type = result_type(step, r);
      info.operands_rounded = operands_rounded;
    }
  }
  for (size_t k = 0; k < pass.stored.size(); ++k) {
    const Dtype to = pass.stores[k].dtype;
    is_taken(pass.stored[k], rounding_of(pass, pass.stored[k], to, options), to == Dtype::f64);
    at(pass.stored[k]).last_taken = static_cast<int>(pass.steps.size() + k);
  }
  // Indices are taken when what they say is loaded or stored, at the latest where that is taken for the last time.
  const auto take_index = [&](const View::Index& index, int last_reader, int last_taken) {
    is_taken(index.value, Rounding::none, true);
    ValueInfo& info = at(index.value);
    info.last_reader = std::max(info.last_reader, last_reader);
    info.last_taken = std::max(info.last_taken, last_taken);
  };
  for (size_t i = 0; i < pass.loads.size(); ++i)
    for (const View::Index& index : pass.loads[i].indices)
      if (index.value.kind == Value::Kind::step) take_index(index, values_[i].last_reader, values_[i].last_taken);
  for (size_t k = 0; k < pass.stores.size(); ++k)
    for (const View::Index& index : pass.stores[k].indices)
      take_index(index, -1, static_cast<int>(pass.steps.size() + k));
}

void PassInfo::find_few_bits(const Pass& pass) {
  for (size_t k = 0; k < pass.stored.size(); ++k)
    if (!pass.stores[k].few_bits && !is_narrow_float(pass.stores[k].dtype)) at(pass.stored[k]).few_bits = false;
  // Steps come after those whose results they take.
  for (size_t s = pass.steps.size(); s-- > 0;) {
    if (of_step(s).few_bits && passes_errors_on(pass.steps[s])) continue;
    for (const Value& v : pass.steps[s].arguments) at(v).few_bits = false;
  }
}

// A stage that reduces nothing but first elements reads these alone. So other reductions of that stage wait for the
// next one, which reads all elements for a variance in any case, if there are no more stages for it.
void PassInfo::find_stages(const Pass& pass) {
  const size_t steps = pass.steps.size();
  place_steps(pass, std::vector<bool>(steps));
  std::vector<bool> waits(steps), finds_first(static_cast<size_t>(stages_));  // by step; by stage
  const auto is_first = [&](size_t s) { return pass.steps[s].reduction == Reduction::first; };
  const auto stage = [&](size_t s) { return static_cast<size_t>(of(step_value(s)).stage); };
  for (size_t s = 0; s < steps; ++s)
    if (pass.steps[s].reduces() && is_first(s)) finds_first[stage(s)] = true;
  for (size_t s = 0; s < steps; ++s) waits[s] = pass.steps[s].reduces() && !is_first(s) && finds_first[stage(s)];
  if (std::find(waits.begin(), waits.end(), true) == waits.end()) return;
  const PassInfo as_it_was = *this;
  place_steps(pass, waits);
  if (stages_ > as_it_was.stages_) *this = as_it_was;
}

// `waits`: a reduction is done one stage later than it could be.
void PassInfo::place_steps(const Pass& pass, const std::vector<bool>& waits) {
  stages_ = 1;
  for (size_t i = 0; i < pass.loads.size(); ++i) values_[i].level = level_of(pass, pass.loads[i]);
  // A gathered load is there when its indices are, which come before whatever takes it.
  const auto follow = [&](const Value& v) {
    if (v.kind != Value::Kind::load) return;
    for (const View::Index& index : pass.loads[static_cast<size_t>(v.index)].indices) {
      at(v).stage = std::max(at(v).stage, of(index.value).stage);
      at(v).level = std::max(at(v).level, of(index.value).level);
    }
  };
  for (size_t s = 0; s < pass.steps.size(); ++s) {
    const Step& step = pass.steps[s];
    std::for_each(step.arguments.begin(), step.arguments.end(), follow);
    int stage = 0;
    Level level = Level::block;
    for (const Value& v : step.arguments) {
      stage = std::max(stage, of(v).stage);
      level = std::max(level, of(v).level);
    }
    if (step.reduces()) {
      stage += waits[s] ? 2 : 1;
      level = step.rank == pass.row_rank ? Level::block : Level::group;
    } else if (step.scans) {  // whoever has a block together has to meet
      ++stage;
      level = Level::element;
    }
    stages_ = std::max(stages_, stage + 1);
    for (size_t r = results_[s]; r < results_[s + 1]; ++r) {
      values_[r].stage = stage;
      values_[r].level = level;
    }
  }
  std::for_each(pass.stored.begin(), pass.stored.end(), follow);
}

ValueInfo PassInfo::of_step(size_t step) const {
  ValueInfo all = values_[results_[step]];
  for (size_t i = results_[step] + 1; i < results_[step + 1]; ++i) {
    const ValueInfo& v = values_[i];
    all.few_bits = all.few_bits && v.few_bits;
    all.needs_all_bits = all.needs_all_bits || v.needs_all_bits;
    all.last_reader = std::max(all.last_reader, v.last_reader);
    for (size_t r = 0; r < all.taken.size(); ++r) all.taken[r] += v.taken[r];
  }
  return all;
}

void tell_of_temporaries(size_t count, std::vector<Pass>* passes) {
  std::vector<bool> computed(count), few_bits(count, true);
  const auto slot = [](const View& v) { return static_cast<size_t>(v.slot); };
  for (Pass& pass : *passes) {
    for (View& v : pass.loads)
      if (v.kind == ViewKind::temporary) v.computed = computed[slot(v)];
    for (size_t k = 0; k < pass.stores.size(); ++k)
      if (pass.stores[k].kind == ViewKind::temporary && !is_rounded(pass, pass.stored[k], {}))
        computed[slot(pass.stores[k])] = true;
  }
  for (auto pass = passes->rbegin(); pass != passes->rend(); ++pass) {
    for (View& v : pass->stores)
      if (v.kind == ViewKind::temporary) v.few_bits = few_bits[slot(v)];
    const PassInfo info(*pass);
    for (size_t i = 0; i < pass->loads.size(); ++i)
      if (pass->loads[i].kind == ViewKind::temporary && !info.of(load_value(i)).few_bits)
        few_bits[slot(pass->loads[i])] = false;
  }
}

bool is_operator(const Pass& pass) {
  for (const auto* views : {&pass.loads, &pass.stores})
    for (const View& v : *views)
      if (is_packed(v.dtype)) return false;
  const Step& step = pass.steps.front();
  const size_t loads = ids_begin(pass);
  bool plain = pass.steps.size() == 1 && step.body && step.numbers.empty() && step.arguments.size() == loads;
  for (size_t i = 0; plain && i < loads; ++i)
    plain = step.arguments[i].kind == Value::Kind::load && step.arguments[i].index == static_cast<int>(i);
  each_index(pass, [&](const Value& v) { plain = plain && v.kind == Value::Kind::load; });
  for (size_t k = 0; plain && k < pass.stored.size(); ++k)
    plain = pass.stored[k].kind == Value::Kind::step && pass.stored[k].result == static_cast<int>(k);
  return plain;
}

}  // namespace tileops
