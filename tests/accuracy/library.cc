#include "library.h"

#include <stdexcept>

Context make_context(const char* isa) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 1;
  options.cpu_isa = isa;
  tileops_context* context = nullptr;
  if (tileops_context_create(&options, &context) != TILEOPS_STATUS_OK) return nullptr;
  return Context(context, tileops_context_destroy);
}

std::vector<std::string> usable_isas() {
  std::vector<std::string> names;
  for (const char* name : {"avx512vbmi", "avx512", "avx2", "baseline"}) {
    if (make_context(name)) names.push_back(name);
  }
  return names;
}

Plan::Plan(const Context& context, tileops_op op, const std::vector<tileops_attr>& attrs, const Format& format,
           int inputs, size_t elements) {
  const int64_t shape = static_cast<int64_t>(elements);
  const std::vector<tileops_tensor_desc> operands(static_cast<size_t>(inputs) + 1, {format.dl, 1, &shape, nullptr});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  desc.num_inputs = inputs;
  desc.num_outputs = 1;
  desc.num_attrs = static_cast<int32_t>(attrs.size());
  desc.inputs = operands.data();
  desc.outputs = operands.data();
  desc.attrs = attrs.data();
  tileops_plan* plan = nullptr;
  if (tileops_plan_create(context.get(), &desc, &plan) != TILEOPS_STATUS_OK) {
    throw std::runtime_error(tileops_last_error());
  }
  plan_.reset(plan, tileops_plan_destroy);
}

void Plan::run(const void* const* in, void* out) const {
  if (tileops_execute_ptrs(plan_.get(), in, &out, nullptr) != TILEOPS_STATUS_OK) {
    throw std::runtime_error(tileops_last_error());
  }
}

std::string Plan::strategy() const {
  char text[64];
  size_t size = sizeof text;
  tileops_plan_query(plan_.get(), TILEOPS_PLAN_STRATEGY, text, &size);
  return text;
}
