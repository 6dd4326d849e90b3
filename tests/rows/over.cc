#include "over.h"

namespace rowtest {

bool AreAlike(const TextRun& run, size_t k, size_t i) {
  const optest::Array &from = run.inputs()[i], &to = run.outputs()[k];
  return from.shape == to.shape && optest::Info(from.dtype).size == optest::Info(to.dtype).size;
}

Over::Over(const TextRun& run, const Target& target, const std::vector<int>& over) : over_(over) {
  std::vector<const DLTensor*> in;
  for (const optest::Array& a : run.inputs()) {
    in_.push_back(std::make_unique<optest::Tensor>(target, a, Layout::kDense));
    in.push_back(in_.back()->dl());
  }
  std::vector<DLTensor> over_operands(over.size());
  std::vector<DLTensor*> out;
  for (size_t k = 0; k < over.size(); ++k) {
    if (over[k] >= 0) {
      out_.push_back(nullptr);
      over_operands[k] = *in[static_cast<size_t>(over[k])];
      over_operands[k].dtype = optest::Info(run.outputs()[k].dtype).dl;
      out.push_back(&over_operands[k]);
      continue;
    }
    optest::Array empty = run.outputs()[k];
    empty.bits.clear();
    out_.push_back(std::make_unique<optest::Tensor>(target, empty, Layout::kDense));
    out.push_back(out_.back()->dl());
  }
  const Plan plan = MakePlan(target, run.expr(), in, out, 0, &outcome_);
  if (plan) outcome_ = Execute(target, plan.get(), in, out, run.scalars());
}

std::vector<uint64_t> Over::OfOperand(size_t i) const {
  bool intact;
  return in_[i]->Read(&intact);
}

Results Over::Read() const {
  Results results;
  bool intact;
  for (size_t k = 0; k < out_.size(); ++k)
    results.push_back(out_[k] ? out_[k]->Read(&intact) : OfOperand(static_cast<size_t>(over_[k])));
  return results;
}

}  // namespace rowtest
