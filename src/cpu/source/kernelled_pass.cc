// What a program is made from, before it is one: two steps become one where a kernel does both.
#include "cpu/source/kernelled_pass.h"

#include <algorithm>

#include "problem/analysis.h"

namespace tileops::cpu {
namespace {

// A row of cpu/pairs.def, with the body of a step that does both: f32 of f32 operands, each rounded once.
struct Pair {
  int32_t first, second;
  int into;
  bool either;
  BodyInfo body;
};

const std::vector<Pair>& all_pairs() {
  static const auto* rows = [] {
    auto* list = new std::vector<Pair>;
    const auto add = [list](tileops_op first, tileops_op second, int into, bool either) {
      const BodyInfo &a = bodies_of(first)[0], &b = bodies_of(second)[0];
      BodyInfo body{};
      body.name = a.name;
      body.name.append("+").append(b.name);
      body.operands.resize(a.operands.size() + b.operands.size() - 1);
      body.results.resize(1);
      body.cheap = true;
      body.accuracy = device::Accuracy::exact;
      list->push_back({first, second, into, either, std::move(body)});
    };
#define TILEOPS_PAIR(first, second, into, either) add(TILEOPS_OP_##first, TILEOPS_OP_##second, into, either);
#include "cpu/pairs.def"
#undef TILEOPS_PAIR
    return list;
  }();
  return *rows;
}

class Pairing {
 public:
  Pairing(KernelledPass* source, const std::vector<Kernel>& kernels)
      : steps_(source->pass.steps), chosen_(source->kernels), kernels_(kernels), info_(source->pass) {}

  void run() {
    for (size_t s = 0; s < steps_.size(); ++s)
      for (size_t i = 0; i < steps_[s].arguments.size(); ++i)
        if (pair(s, i)) break;
  }

 private:
  static bool is_first_body(const Step& step, int32_t op) { return step.body->op == op && step.body->index == 0; }
  static bool is_f32(const Step& step) { return step.body && step.ctype == Ctype::f32; }

  // Puts the step that gives operand i of step s, if nothing else takes that, before it.
  bool pair(size_t s, size_t i) {
    Step& second = steps_[s];
    const Value from = second.arguments[i];
    if (from.kind != Value::Kind::step || info_.of(from).readers() != 1) return false;
    const Step& first = steps_[static_cast<size_t>(from.index)];
    if (!is_f32(first) || !is_f32(second)) return false;
    const Pair* found = find(first, second, static_cast<int>(i));
    if (!found) return false;
    Step both;
    both.arguments = first.arguments;
    for (size_t k = 0; k < second.arguments.size(); ++k)
      if (k != i) both.arguments.push_back(second.arguments[k]);
    both.body = &found->body;
    second = std::move(both);
    chosen_[s] = {&kernel_of(*found), false};
    return true;
  }

  static const Pair* find(const Step& first, const Step& second, int into) {
    for (const Pair& p : all_pairs())
      if ((p.into == into || (p.either && into == 1)) && is_first_body(first, p.first) &&
          is_first_body(second, p.second))
        return &p;
    return nullptr;
  }
  // Kernels are by row.
  const Kernel& kernel_of(const Pair& pair) const { return kernels_[static_cast<size_t>(&pair - all_pairs().data())]; }

  std::vector<Step>& steps_;
  std::vector<ChosenKernel>& chosen_;
  const std::vector<Kernel>& kernels_;
  const PassInfo info_;  // before any were paired
};

}  // namespace

void pair_steps(KernelledPass* source, const std::vector<Kernel>& kernels) {
  if (source->pass.steps.size() > 1) Pairing(source, kernels).run();
  drop_unused_steps(source);
}

PassInfo analysed(const KernelledPass& source) {
  AnalysisOptions options;
  if (std::any_of(source.tables.begin(), source.tables.end(), [](const Table& t) { return t != nullptr; }))
    for (const Table& t : source.tables) options.looked_up.push_back(t != nullptr);
  return PassInfo(source.pass, options);
}

void part_rounded_results(KernelledPass* source, PassInfo* info) {
  Pass& pass = source->pass;
  for (size_t s = 0; s < pass.steps.size(); ++s) {
    const ValueInfo all = info->of_step(s);
    if (all.taken_by(Rounding::odd) == 0 || all.taken_by(Rounding::odd) == all.readers()) continue;
    const auto at = static_cast<ptrdiff_t>(s);
    pass.steps.insert(pass.steps.begin() + at, pass.steps[s]);
    source->kernels.insert(source->kernels.begin() + at, source->kernels[s]);
    const auto move = [&](Value* v, bool rounds) {  // narrow floats come from the first of the two
      if (v->kind == Value::Kind::step && (v->index > at || (v->index == at && !rounds))) ++v->index;
    };
    for (size_t reader = s + 2; reader < pass.steps.size(); ++reader) {
      Step& step = pass.steps[reader];
      for (Value& v : step.arguments) move(&v, !step.body && is_narrow_float(step.to));
    }
    for (size_t k = 0; k < pass.stored.size(); ++k) move(&pass.stored[k], is_narrow_float(pass.stores[k].dtype));
    each_index(pass, [&](Value& v) { move(&v, false); });
    *info = analysed(*source);
  }
}

void drop_unused_steps(KernelledPass* source) {
  Pass& pass = source->pass;
  const size_t count = pass.steps.size();
  std::vector<bool> used(count);
  for (const Value& v : pass.stored)
    if (v.kind == Value::Kind::step) used[static_cast<size_t>(v.index)] = true;
  each_index(pass, [&](const Value& v) {
    if (v.kind == Value::Kind::step) used[static_cast<size_t>(v.index)] = true;
  });
  for (size_t s = count; s-- > 0;)
    for (const Value& v : pass.steps[s].arguments)
      if (used[s] && v.kind == Value::Kind::step) used[static_cast<size_t>(v.index)] = true;
  if (std::find(used.begin(), used.end(), false) == used.end()) return;
  std::vector<int> place(count);
  std::vector<Step> steps;
  std::vector<ChosenKernel> kernels;
  for (size_t s = 0; s < count; ++s) {
    if (!used[s]) continue;
    place[s] = static_cast<int>(steps.size());
    steps.push_back(std::move(pass.steps[s]));
    kernels.push_back(source->kernels[s]);
    for (Value& v : steps.back().arguments)
      if (v.kind == Value::Kind::step) v.index = place[static_cast<size_t>(v.index)];
  }
  const auto follow = [&](Value& v) {
    if (v.kind == Value::Kind::step) v.index = place[static_cast<size_t>(v.index)];
  };
  std::for_each(pass.stored.begin(), pass.stored.end(), follow);
  each_index(pass, follow);
  pass.steps = std::move(steps);
  source->kernels = std::move(kernels);
}

}  // namespace tileops::cpu
