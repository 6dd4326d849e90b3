// Results under a mask of rows beside the same text without one, on the CPU: `masked_bench [ROUNDS]`, a table on stdout. A
// quarter of the rows is stored: the first ones (as in a padded batch), or every fourth. Both are measured in turns, in
// one process and on one set of operands, by a context of one thread; a time is the least of all rounds.
#include <cstdio>
#include <cstdlib>

#include "program.h"

using namespace tileops_bench;

namespace {

constexpr int64_t kRows = 256, kColumns = 4096;

tileops_plan* masked_plan(tileops_context* context, const std::string& result) {
  static const int64_t all[] = {kRows, kColumns}, column[] = {kRows, 1}, one[] = {1};
  const DLDataType bf16{kDLBfloat, 16, 1};
  return plan_of(context, "(x, w, n, e) -> " + result,
                 {{bf16, 2, all, nullptr},
                  {bf16, 2, all, nullptr},
                  {{kDLInt, 64, 1}, 1, one, nullptr},
                  {{kDLInt, 32, 1}, 2, column, nullptr}});
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
  tileops_context* context = context_of(1);

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
    tileops_plan* plans[] = {masked_plan(context, value), masked_plan(context, masked(value, "index(x, -2) < n")),
                             masked_plan(context, masked(value, "e >= 0"))};
    std::vector<Way> ways;
    for (tileops_plan* plan : plans) ways.push_back({"", [&args, plan] { ok(tileops_execute_with(plan, &args)); }});
    measure_in_turns(&ways, rounds, 1);
    const double all = ways[0].least() / 1000, first = ways[1].least() / 1000, fourth = ways[2].least() / 1000;
    std::printf("| `%s` | %.1f | %.1f | %.2f | %.1f | %.2f |\n", value.c_str(), all, first, first / all, fourth,
                fourth / all);
    for (tileops_plan* plan : plans) tileops_plan_destroy(plan);
  }
  tileops_context_destroy(context);
}
