// What a program is made from, before it is one: two steps become one where a kernel does both.
#include "cpu/program/source.h"

#include <algorithm>

#include "problem/analysis.h"

namespace tileops::cpu {
namespace {

// The body of such a step: f32 of f32 operands, each rounded once.
const BodyInfo& body_of_pair(size_t operands) {
  static const auto* bodies = [] {
    auto* list = new BodyInfo[kMaxOperands + 1]{};
    for (size_t n = 0; n <= kMaxOperands; ++n) {
      list[n].name = "pair";
      list[n].operands.resize(n);
      list[n].results.resize(1);
      list[n].cheap = list[n].exact = true;
    }
    return list;
  }();
  return bodies[operands];
}

class Pairing {
 public:
  Pairing(Source* source, const std::vector<Kernel>& pairs)
      : steps_(source->pass.steps), kernels_(source->kernels), pairs_(pairs), info_(source->pass) {}

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
    if (from.of != Value::Of::step || info_.of(from).readers() != 1) return false;
    const Step& first = steps_[static_cast<size_t>(from.index)];
    if (!is_f32(first) || !is_f32(second)) return false;
    const Kernel* kernel = find(first, second, static_cast<int>(i));
    if (!kernel) return false;
    Step both;
    both.arguments = first.arguments;
    for (size_t k = 0; k < second.arguments.size(); ++k)
      if (k != i) both.arguments.push_back(second.arguments[k]);
    both.body = &body_of_pair(both.arguments.size());
    second = std::move(both);
    kernels_[s] = {kernel, false};
    return true;
  }

  const Kernel* find(const Step& first, const Step& second, int into) const {
    for (const Kernel& k : pairs_)
      if ((k.pair.into == into || (k.pair.either && into == 1)) && is_first_body(first, k.pair.first) &&
          is_first_body(second, k.pair.second))
        return &k;
    return nullptr;
  }

  std::vector<Step>& steps_;
  std::vector<ChosenKernel>& kernels_;
  const std::vector<Kernel>& pairs_;
  const PassInfo info_;  // before any were paired
};

}  // namespace

void pair_steps(Source* source, const std::vector<Kernel>& pairs) {
  Pairing(source, pairs).run();
  drop_unused_steps(source);
}

void drop_unused_steps(Source* source) {
  Pass& pass = source->pass;
  const size_t count = pass.steps.size();
  std::vector<bool> used(count);
  for (const Value& v : pass.stored)
    if (v.of == Value::Of::step) used[static_cast<size_t>(v.index)] = true;
  each_index(pass, [&](const Value& v) {
    if (v.of == Value::Of::step) used[static_cast<size_t>(v.index)] = true;
  });
  for (size_t s = count; s-- > 0;)
    for (const Value& v : pass.steps[s].arguments)
      if (used[s] && v.of == Value::Of::step) used[static_cast<size_t>(v.index)] = true;
  std::vector<int> place(count);
  std::vector<Step> steps;
  std::vector<ChosenKernel> kernels;
  for (size_t s = 0; s < count; ++s) {
    if (!used[s]) continue;
    place[s] = static_cast<int>(steps.size());
    steps.push_back(std::move(pass.steps[s]));
    kernels.push_back(source->kernels[s]);
    for (Value& v : steps.back().arguments)
      if (v.of == Value::Of::step) v.index = place[static_cast<size_t>(v.index)];
  }
  const auto follow = [&](Value& v) {
    if (v.of == Value::Of::step) v.index = place[static_cast<size_t>(v.index)];
  };
  std::for_each(pass.stored.begin(), pass.stored.end(), follow);
  each_index(pass, follow);
  pass.steps = std::move(steps);
  source->kernels = std::move(kernels);
}

}  // namespace tileops::cpu
