// Results under a mask of rows beside the same text without one, on the CPU: `masked_bench [ROUNDS]`, a table on stdout. A
// quarter of the rows is stored: the first ones (as in a padded batch), or every fourth. Both are measured in turns, in
// one process and on one set of operands, by a context of one thread; a time is the least of all rounds.
#include <tileops/tileops.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int64_t kRows = 256, kColumns = 4096;

void ok(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "%s\n", tileops_last_error());
  std::exit(1);
}

tileops_plan* plan_of(tileops_context* context, const std::string& result) {
  const std::string text = "(x, w, n, e) -> " + result;
  tileops_expr* expr = nullptr;
  ok(tileops_expr_parse(text.data(), text.size(), &expr));
  static const int64_t all[] = {kRows, kColumns}, column[] = {kRows, 1}, one[] = {1};
  const DLDataType bf16{kDLBfloat, 16, 1};
  const tileops_tensor_desc in[] = {
      {bf16, 2, all, nullptr}, {bf16, 2, all, nullptr}, {{kDLInt, 64, 1}, 1, one, nullptr}, {{kDLInt, 32, 1}, 2, column, nullptr}};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = {kDLCPU, 0};
  desc.expr = expr;
  desc.num_inputs = 4;
  desc.num_outputs = 1;
  desc.inputs = in;
  desc.outputs = in;
  tileops_plan* plan = nullptr;
  ok(tileops_plan_create(context, &desc, &plan));
  tileops_expr_destroy(expr);
  return plan;
}

double microseconds(const tileops_plan* plan, const tileops_execute_args& args) {
  const auto begin = std::chrono::steady_clock::now();
  ok(tileops_execute_with(plan, &args));
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  const std::vector<uint16_t> x(kRows * kColumns, 0x3f40), w(kRows * kColumns, 0x3fa0);
  std::vector<uint16_t> y(kRows * kColumns);
  const int64_t n = kRows / 4;
  std::vector<int32_t> expert(kRows);
  for (size_t i = 0; i < expert.size(); ++i) expert[i] = i % 4 == 0 ? 3 : -1;
  const void* const inputs[] = {x.data(), w.data(), &n, expert.data()};
  void* const outputs[] = {y.data()};
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = 4;
  args.num_outputs = 1;
  args.input_ptrs = inputs;
  args.output_ptrs = outputs;
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 1;
  tileops_context* context = nullptr;
  ok(tileops_context_create(&options, &context));

  const std::string values[] = {"x + w", "silu(x) * w", "x * rsqrt(mean(x * x) + 1e-6) * w",
                                "{ p = exp(x - amax(x)); p / sum(p) }"};
  const auto masked = [](const std::string& value, const std::string& mask) {
    const size_t at = value[0] == '{' ? value.rfind(';') + 2 : 0;
    const std::string last = value.substr(at, value.size() - at - (at ? 2 : 0));
    return value.substr(0, at) + "store_if(" + last + ", " + mask + ")" + (at ? " }" : "");
  };
  std::printf("us, least of %d rounds, bf16, %d rows of %d, of which a quarter is stored\n\n", rounds,
              static_cast<int>(kRows), static_cast<int>(kColumns));
  std::printf("| text | all | first rows | ratio | every fourth | ratio |\n|---|---:|---:|---:|---:|---:|\n");
  for (const std::string& value : values) {
    tileops_plan* plans[] = {plan_of(context, value), plan_of(context, masked(value, "index(x, -2) < n")),
                             plan_of(context, masked(value, "e >= 0"))};
    double least[] = {1e30, 1e30, 1e30};
    for (int r = 0; r < rounds; ++r)
      for (size_t i = 0; i < 3; ++i) least[i] = std::min(least[i], microseconds(plans[i], args));
    std::printf("| `%s` | %.1f | %.1f | %.2f | %.1f | %.2f |\n", value.c_str(), least[0], least[1],
                least[1] / least[0], least[2], least[2] / least[0]);
    for (tileops_plan* plan : plans) tileops_plan_destroy(plan);
  }
  tileops_context_destroy(context);
}
