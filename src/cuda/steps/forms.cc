#include "cuda/steps/forms.h"

#include <map>

#include "op/op_table.h"

namespace tileops::cuda {
namespace {

const BodyForms kForms[] = {
    {.body = "cos", .has_inner = true},
    {.body = "div", .has_inner = true, .instructions = 6},
    {.body = "dropout", .prepared_words = &dropout_words},
    {.body = "exp", .has_inner = true},
    {.body = "gelu", .has_inner = true},
    {.body = "gelu_and_mul", .activation = "gelu_gate"},
    {.body = "gelu_tanh", .has_inner = true},
    {.body = "gelu_tanh_and_mul", .activation = "gelu_tanh_gate"},
    {.body = "hardswish", .rounds_16_bits_once = true},
    {.body = "reciprocal", .has_inner = true},
    {.body = "rsqrt", .has_inner = true},
    {.body = "sigmoid", .has_inner = true},
    {.body = "silu", .has_inner = true},
    {.body = "silu_and_mul", .activation = "silu_gate"},
    {.body = "sin", .has_inner = true},
    {.body = "sqrt", .has_inner = true},
    {.body = "tanh", .has_inner = true},
};

}  // namespace

const BodyForms& forms_of(const BodyInfo& body) {
  static const BodyForms none;
  for (const BodyForms& f : kForms)
    if (f.body == body.name) return f;
  return none;
}

const BodyInfo& activation_of(const BodyInfo& gated) {
  static const auto* all = [] {
    auto* map = new std::map<std::string_view, BodyInfo>;
    for (const auto& op : op_table())
      for (const BodyInfo& body : bodies_of(op->op))
        if (const char* name = forms_of(body).activation) (map->insert({body.name, body}).first->second).name = name;
    return map;
  }();
  return all->at(gated.name);
}

std::vector<uint64_t> prepared_words(const Pass& pass, const std::string& policy) {
  const auto prepare = forms_of(*only_step(pass).body).prepared_words;
  return prepare ? prepare(pass, policy) : std::vector<uint64_t>{};
}

}  // namespace tileops::cuda
