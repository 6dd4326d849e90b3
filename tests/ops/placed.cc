#include "placed.h"

#include <gtest/gtest.h>

namespace optest {

Layout At(const std::vector<Layout>& layouts, size_t i) {
  return layouts.empty() ? Layout::kDense : layouts[i < layouts.size() ? i : layouts.size() - 1];
}

Placed::Placed(const Target& target, const std::vector<Array>& inputs, const std::vector<Array>& outputs,
               const Placement& placement)
    : in_place_(placement.in_place) {
  for (size_t k = 0; k < inputs.size(); ++k) {
    in_.push_back(inputs[k].present ? std::make_unique<Tensor>(target, inputs[k], At(placement.inputs, k)) : nullptr);
    in_dl_.push_back(in_.back() ? in_.back()->dl() : nullptr);
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    const bool shared = k == 0 && in_place_ >= 0;
    Array empty = outputs[k];
    empty.bits.clear();
    out_.push_back(shared ? nullptr : std::make_unique<Tensor>(target, empty, At(placement.outputs, k)));
    if (shared) {
      over_ = *in_[static_cast<size_t>(in_place_)]->dl();
      over_.dtype = Info(empty.dtype).dl;
    }
    out_dl_.push_back(shared ? &over_ : out_.back()->dl());
  }
}

Results Placed::Read(const std::string& where) const {
  Results results;
  for (size_t k = 0; k < out_.size(); ++k) {
    Tensor& t = out_[k] ? *out_[k] : *in_[static_cast<size_t>(in_place_)];
    bool intact;
    results.push_back(t.Read(&intact));
    EXPECT_TRUE(intact) << where << "\n  memory beside the elements of output " << k << " was written";
  }
  return results;
}

void Placed::ExpectUnchanged(const std::vector<Array>& inputs, const std::string& where, size_t most) const {
  for (size_t k = 0; k < in_.size(); ++k) {
    if (!in_[k] || static_cast<int>(k) == in_place_ || inputs[k].bits.size() > most) continue;
    bool intact;
    EXPECT_TRUE(in_[k]->Read(&intact) == inputs[k].bits && intact) << where << "\n  input " << k << " was written";
  }
}

}  // namespace optest
