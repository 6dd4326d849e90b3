// What a server's step costs besides its arithmetic: `steps_bench [ROUNDS]`, tables on stdout. A server runs twelve texts at
// a batch of 1 to 512 rows that is another one with each step. With a plan for each batch it looks that up or makes it, and
// asks for the shapes of results; with open extents there is one plan a text. Times are of one thread: of the processor
// for steps, of which 3,000 have a mean, and the least of all rounds for what is asked of a plan.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

#include "program.h"

using namespace tileops_bench;

namespace {

constexpr DLDataType kBf16{kDLBfloat, 16, 1};
constexpr int64_t kColumns = 1024;
constexpr int kSteps = 3000;

const char* const kTexts[] = {"(x, u, w) -> silu(x) * u",
                              "(x, u, w) -> gelu(x) * u",
                              "(x, u, w) -> x + u",
                              "(x, u, w) -> x * w",
                              "(x, u, w) -> x * rsqrt(mean(x * x) + 1e-6) * w",
                              "(x, u, w) -> { y = x + u; y, y * rsqrt(mean(y * y) + 1e-6) * w }",
                              "(x, u, w) -> softmax(x)",
                              "(x, u, w) -> softmax(x + u)",
                              "(x, u, w) -> { s = amax(abs(x)) / 448; cast(x / s, e4m3fn), s }",
                              "(x, u, w) -> amax(x), sum(exp(x - amax(x)))",
                              "(x, u, w) -> sigmoid(x) * u + w",
                              "(x, u, w) -> where(u > 0, x, 0)"};

template <class Text>
tileops_plan* plan_at(tileops_context* context, const Text& text, int64_t rows) {
  const int64_t all[] = {rows, kColumns}, row[] = {kColumns};
  return plan_of(context, text, {{kBf16, 2, all, nullptr}, {kBf16, 2, all, nullptr}, {kBf16, 1, row, nullptr}});
}

double processor_microseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

// A step's planning alone, in us: a plan for each batch up to `most`, of a context that keeps 1,024 plans as usual.
double planning_of_steps(int64_t most) {
  tileops_context* context = context_of(1);
  std::vector<tileops_expr*> texts;
  for (const char* text : kTexts) texts.push_back(expression_of(text));
  std::mt19937_64 random(1);
  const double begin = processor_microseconds();
  for (int step = 0; step < kSteps; ++step) {
    const int64_t rows = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
    for (const tileops_expr* text : texts) tileops_plan_destroy(plan_at(context, text, rows));
  }
  const double end = processor_microseconds();
  for (tileops_expr* text : texts) tileops_expr_destroy(text);
  tileops_context_destroy(context);
  return (end - begin) / kSteps;
}

// What is asked of an open plan at an extent that is another one each time.
void ask(tileops_context* context, const char* text, int rounds) {
  tileops_plan* plan = plan_at(context, text, TILEOPS_UP_TO(8192));
  std::vector<int64_t> extents(static_cast<size_t>(number(plan, TILEOPS_PLAN_NUM_EXTENTS)));
  int64_t rows = 0;
  const auto next = [&] {
    rows = (rows * 5 + 131) & 8191;
    for (int64_t& e : extents) e = rows;
  };
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  std::vector<Way> ways = {
      {"plan_at", [&] { next(), ok(tileops_plan_at(plan, extents.data(), extents.size(), &facts)); }},
      {"plan_result", [&] { next(), ok(tileops_plan_result(plan, extents.data(), extents.size(), 0, &dtype, &ndim, shape)); }}};
  measure_in_turns(&ways, rounds, 100);
  std::printf("| `%s` | %.0f | %.0f |\n", text, ways[0].least(), ways[1].least());
  tileops_plan_destroy(plan);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  std::printf("us of planning a step of %zu texts with a plan for each batch, mean of %d steps (with open extents there "
              "is no planning)\n\n| batch up to | us |\n|---|---:|\n",
              std::size(kTexts), kSteps);
  for (const int64_t most : {64, 128, 256, 512})
    std::printf("| %lld | %.0f |\n", static_cast<long long>(most), planning_of_steps(most));
  std::printf("\nns, least of %d rounds\n\n| text | tileops_plan_at | tileops_plan_result |\n|---|---:|---:|\n", rounds);
  tileops_context* context = context_of(1);
  for (const char* text : kTexts) ask(context, text, rounds);
  tileops_context_destroy(context);
}
