#include "cpu/program/mix.h"

namespace tileops::cpu {
namespace {

// `own` of all but 16-bit floats.
Elements halves_of(Dtype dtype) { return dtype_size(dtype) == 2 ? elements_of(dtype) : Elements::own; }

class Mixer {
 public:
  Mixer(Pass* pass, const PassInfo& info, std::vector<StepKernel>* steps, std::vector<Table>* tables)
      : pass_(*pass), info_(info), steps_(*steps), tables_(*tables), taken_(pass->loads.size()) {
    mixed_.loads.resize(pass->loads.size());
    mixed_.stores.resize(pass->stores.size());
  }

  Mixed run() {
    for (size_t k = 0; k < pass_.stored.size(); ++k) take_whole(k);
    for (size_t k = 0; k < pass_.stored.size(); ++k) give(k);
    for (size_t s = 0; s < steps_.size(); ++s) {
      if (!may_mix(s)) continue;
      for (size_t i = 0; i < pass_.steps[s].arguments.size(); ++i) take(s, i);
    }
    for (size_t load = 0; load < taken_.size(); ++load) share(load);
    return std::move(mixed_);
  }

 private:
  // Not a step whose rounding is tested, which is computed again from f32 operands.
  bool may_mix(size_t s) const {
    const StepKernel& step = steps_[s];
    if (!step.kernel || step.tested || step.converts_within()) return false;
    return step.mixes() || (step.variant.loop == Loop::dense && step.kernel->find(Loop::mixed));
  }

  // What lies in memory, if it may be taken as that; else `own`.
  Elements elements_of_load(const Value& v) const {
    const size_t load = static_cast<size_t>(v.index);
    if (v.kind != Value::Kind::load || tables_[load]) return Elements::own;
    const View& view = pass_.loads[load];
    return view.kind == ViewKind::input ? halves_of(view.dtype) : Elements::own;
  }

  // A step of 16-bit operands that gives a result of their dtype and nothing else is the operator, which has a loop
  // with its own rounding within.
  void take_whole(size_t store) {
    const Value& v = pass_.stored[store];
    const Elements elements = halves_of(pass_.stores[store].dtype);
    if (v.kind != Value::Kind::step || elements == Elements::own) return;
    const size_t s = static_cast<size_t>(v.index);
    StepKernel& step = steps_[s];
    if (info_.of(v).readers() != 1 || !step.kernel || !is_floating(step.kernel->out[0])) return;
    const Variant* loop = step.kernel->find(Loop::dense, elements);
    if (!loop) return;
    for (const Value& operand : pass_.steps[s].arguments)
      if (elements_of_load(operand) != elements) return;
    step.variant = *loop;
    step.tested = false;
    step.out[0] = Ctype::u16;
    mixed_.stores[store] = true;
    for (Value& operand : pass_.steps[s].arguments) taken_[static_cast<size_t>(operand.index)].push_back(&operand);
  }

  // False where the step has operands of the other 16-bit dtype, of which a loop takes one.
  bool mix(size_t s, int operand, Elements elements) {
    StepKernel& step = steps_[s];
    for (int k = 0; k <= step.kernel->num_in; ++k)
      if (step.elements[k] != Elements::own && step.elements[k] != elements) return false;
    if (!step.mixes()) step.variant = *step.kernel->find(Loop::mixed);
    step.elements[operand] = elements;
    return true;
  }

  // A result that is stored and nothing else.
  void give(size_t store) {
    const Value& v = pass_.stored[store];
    const Elements elements = halves_of(pass_.stores[store].dtype);
    if (v.kind != Value::Kind::step || elements == Elements::own) return;
    const size_t s = static_cast<size_t>(v.index);
    if (info_.of(v).readers() != 1 || !may_mix(s)) return;
    if (!mix(s, steps_[s].kernel->num_in, elements)) return;
    steps_[s].out[0] = Ctype::u16;
    mixed_.stores[store] = true;
  }

  void take(size_t s, size_t operand) {
    Value& v = pass_.steps[s].arguments[operand];
    const Elements elements = elements_of_load(v);
    if (elements == Elements::own) return;
    if (mix(s, static_cast<int>(operand), elements)) taken_[static_cast<size_t>(v.index)].push_back(&v);
  }

  // Where others read a load as f32, it is there a second time as it lies in memory.
  void share(size_t load) {
    if (taken_[load].empty()) return;
    const Value v{Value::Kind::load, static_cast<int>(load), 0};
    if (static_cast<int>(taken_[load].size()) == info_.of(v).readers()) {
      mixed_.loads[load] = true;
      return;
    }
    for (Value* reader : taken_[load]) reader->index = static_cast<int>(pass_.loads.size());
    pass_.loads.push_back(View(pass_.loads[load]));
    tables_.emplace_back();
    mixed_.loads.push_back(true);
  }

  Pass& pass_;
  const PassInfo& info_;  // of the pass as it was given
  std::vector<StepKernel>& steps_;
  std::vector<Table>& tables_;
  std::vector<std::vector<Value*>> taken_;  // by load: operands that take it as it lies in memory
  Mixed mixed_;
};

}  // namespace

Mixed mix_forms(Pass* pass, const PassInfo& info, std::vector<StepKernel>* steps, std::vector<Table>* tables) {
  return Mixer(pass, info, steps, tables).run();
}

}  // namespace tileops::cpu
