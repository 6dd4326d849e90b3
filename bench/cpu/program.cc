#include "program.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace tileops_bench {

void ok(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "%s\n", tileops_last_error());
  std::exit(1);
}

tileops_context* context_of(int threads) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = threads;
  options.keep_workspace = 1;
  tileops_context* context = nullptr;
  ok(tileops_context_create(&options, &context));
  return context;
}

tileops_expr* expression_of(const std::string& text) {
  tileops_expr* expr = nullptr;
  ok(tileops_expr_parse(text.data(), text.size(), &expr));
  return expr;
}

tileops_plan* plan_of(tileops_context* context, const std::string& text, const std::vector<tileops_tensor_desc>& inputs,
                      DLDevice device) {
  tileops_expr* expr = expression_of(text);
  tileops_plan* plan = plan_of(context, expr, inputs, device);
  tileops_expr_destroy(expr);
  return plan;
}

tileops_plan* plan_of(tileops_context* context, const tileops_expr* expr, const std::vector<tileops_tensor_desc>& inputs,
                      DLDevice device) {
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  ok(tileops_expr_describe(expr, &info));
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = device;
  desc.expr = expr;
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  std::vector<tileops_tensor_desc> outputs(static_cast<size_t>(info.num_results));
  std::vector<int64_t> shapes(outputs.size() * TILEOPS_MAX_NDIM);
  for (size_t k = 0; k < outputs.size(); ++k) {
    int64_t* shape = &shapes[k * TILEOPS_MAX_NDIM];
    ok(tileops_plan_infer(&desc, k, &outputs[k].dtype, &outputs[k].ndim, shape));
    outputs[k].shape = shape;
  }
  desc.num_outputs = info.num_results;
  desc.outputs = outputs.data();
  tileops_plan* plan = nullptr;
  ok(tileops_plan_create(context, &desc, &plan));
  return plan;
}

int32_t number(const tileops_plan* plan, tileops_plan_prop prop) {
  int32_t value = 0;
  size_t size = sizeof value;
  ok(tileops_plan_query(plan, prop, &value, &size));
  return value;
}

double Way::least() const { return *std::min_element(times.begin(), times.end()); }

double Way::median() const {
  std::vector<double> sorted = times;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2), sorted.end());
  return sorted[sorted.size() / 2];
}

void measure_in_turns(std::vector<Way>* ways, int rounds, int calls) {
  for (int r = 0; r < rounds; ++r)
    for (Way& way : *ways) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < calls; ++i) way.run();
      const auto end = std::chrono::steady_clock::now();
      way.times.push_back(std::chrono::duration<double, std::nano>(end - begin).count() / calls);
    }
}

}  // namespace tileops_bench
