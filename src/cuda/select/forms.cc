#include "cuda/select/forms.h"

namespace tileops::cuda {
namespace {

const BodyForms kForms[] = {
    {"dropout", false, nullptr, &dropout_words},
    {"gelu_and_mul", false, "gelu_gate", nullptr},
    {"gelu_tanh_and_mul", false, "gelu_tanh_gate", nullptr},
    {"hardswish", true, nullptr, nullptr},
    {"silu_and_mul", false, "silu_gate", nullptr},
};

}  // namespace

const BodyForms& forms_of(const BodyInfo& body) {
  static const BodyForms none;
  for (const BodyForms& f : kForms)
    if (f.body == body.name) return f;
  return none;
}

std::vector<uint64_t> prepared_words(const Pass& pass, const std::string& policy) {
  const auto prepare = forms_of(*only_step(pass).body).prepared_words;
  return prepare ? prepare(pass, policy) : std::vector<uint64_t>{};
}

}  // namespace tileops::cuda
