#include "problem/rows/needs.h"

namespace tileops {

Value resolved(const Pass& pass, const PassInfo& info, const Value& v) {
  if (v.kind == Value::Kind::load) return v;
  const Step& step = pass.steps[v.index];
  if (!step.converts()) return v;
  const Ctype type = compute_type(step.to);
  if (ctype_dtype(type) != step.to || info.of(step.arguments[0]).type != type) return v;
  return resolved(pass, info, step.arguments[0]);
}

bool is_needed(const PassInfo& info, size_t step) {
  const ValueInfo all = info.of_step(step);
  return all.readers() > all.taken_by(Rounding::odd);
}

void Needing::value(const Value& unresolved) {
  const Value v = resolved(pass_, info_, unresolved);
  const size_t i = static_cast<size_t>(v.index);
  const ValueInfo& own = info_.of(v);
  const bool is_earlier = level_ != Level::element && own.level == level_ && own.stage < stage_;
  if (v.kind == Value::Kind::load) {
    if (is_gathered(pass_, i) && own.level == level_ && !is_earlier && !is_gathered_in_blocks(pass_, info_, i))
      return indices(pass_.loads[i]);
    (own.level == Level::element ? needs_.loads : needs_.given_loads).insert(i);
    return;
  }
  if (pass_.steps[i].reduces() || own.level < level_ || is_earlier) needs_.given_steps.insert(i);
  else if (kept_.has(i)) needs_.kept_steps.insert(i);
  else step(i);
}

void Needing::indices(const View& view) {
  for (const View::Index& index : view.indices) value(index.value);
}

void Needing::rounded(const Value& v, Dtype to) {
  const Rounding rounding = rounding_of(pass_, v, to);
  if (rounding != Rounding::odd) value(v);
  if (rounding != Rounding::odd && rounding != Rounding::tested) return;
  needs_.rounded_steps.insert(static_cast<size_t>(v.index));
  for (const Value& x : pass_.steps[v.index].arguments) value(x);
}

void Needing::stored(size_t store) {
  rounded(pass_.stored[store], pass_.stores[store].dtype);
  indices(pass_.stores[store]);
}

void Needing::step(size_t s) {
  if (!needs_.steps.insert(s)) return;
  const Step& step = pass_.steps[s];
  if (step.converts()) return rounded(step.arguments[0], step.to);
  for (const Value& x : step.arguments) value(x);
}

NumberSet scans_of(const Pass& pass) {
  NumberSet scans;
  for (size_t s = 0; s < pass.steps.size(); ++s)
    if (pass.steps[s].scans) scans.insert(s);
  return scans;
}

std::vector<Needs> needs_of_elements(const Pass& pass, const PassInfo& info, const NumberSet& kept) {
  std::vector<Needs> all;
  for (int stage = 0; stage < info.stages(); ++stage) {
    Needing n(pass, info, Level::element, stage, kept);
    for (const Level level : {Level::group, Level::block})
      for (const size_t s : reductions_behind(pass, info, stage, level))
        for (const Value& v : pass.steps[s].arguments) n.value(v);
    for (const size_t s : scans_behind(pass, info, stage)) n.value(pass.steps[s].arguments[0]);
    all.push_back(n.needs());
  }
  Needing n(pass, info, Level::element, info.stages() - 1, kept);
  for (size_t k = 0; k < pass.stores.size(); ++k)
    if (level_of_stored(pass, info, k) == Level::element) n.stored(k);
  all.push_back(n.needs());
  return all;
}

NumberSet computed_again(const std::vector<Needs>& functions) {
  NumberSet once, again;
  for (const Needs& needs : functions)
    for (const size_t s : needs.steps)
      if (!once.insert(s)) again.insert(s);
  return again;
}

std::vector<uint64_t> stages_of_loads(const Pass& pass, const std::vector<Needs>& functions) {
  std::vector<uint64_t> stages(pass.loads.size());
  for (size_t f = 0; f < functions.size(); ++f)
    for (const size_t i : functions[f].loads) stages[i] |= uint64_t{1} << std::min(f, functions.size() - 2);
  return stages;
}

}  // namespace tileops
