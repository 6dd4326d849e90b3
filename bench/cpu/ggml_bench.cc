// Parts of an execute on threads of the program's beside ggml, whose threads all run a graph: `ggml_bench [THREADS
// [ROUNDS]]`, a table on stdout. Both spin between calls, which is how engines keep them between nodes. Rows of 4096
// float32; all ways take turns, and a time is the least of all rounds with the median behind it. Built where ggml's CMake
// package is found.
#include <ggml-cpu.h>
#include <ggml.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "program.h"

using namespace tileops_bench;

namespace {

constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr int64_t kColumns = 4096;

// A graph of one node, and the threads that run it.
class Graph {
 public:
  Graph(int64_t rows, int threads, const std::vector<float>& from, ggml_tensor* (*node)(ggml_context*, ggml_tensor*)) {
    const size_t bytes = static_cast<size_t>(rows * kColumns) * sizeof(float);
    context_ = ggml_init({2 * bytes + (size_t{1} << 20), nullptr, false});
    ggml_tensor* x = ggml_new_tensor_2d(context_, GGML_TYPE_F32, kColumns, rows);
    std::copy_n(from.begin(), rows * kColumns, static_cast<float*>(x->data));
    y_ = node(context_, x);
    graph_ = ggml_new_graph(context_);
    ggml_build_forward_expand(graph_, y_);
    ggml_threadpool_params params = ggml_threadpool_params_default(threads);
    params.poll = 100;
    pool_ = ggml_threadpool_new(&params);
    plan_ = ggml_graph_plan(graph_, threads, pool_);
    work_.resize(plan_.work_size + 64);
    plan_.work_data = work_.data();
  }
  ~Graph() {
    ggml_threadpool_free(pool_);
    ggml_free(context_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void run() {
    if (ggml_graph_compute(graph_, &plan_) != GGML_STATUS_SUCCESS) std::exit(1);
  }
  const float* result() const { return static_cast<const float*>(y_->data); }

 private:
  ggml_context* context_;
  ggml_tensor* y_;
  ggml_cgraph* graph_;
  ggml_threadpool* pool_;
  ggml_cplan plan_;
  std::vector<uint8_t> work_;
};

struct Compared {
  const char *name, *text;
  ggml_tensor* (*node)(ggml_context*, ggml_tensor*);
};

void compare(const Compared& c, int64_t rows, int threads, int rounds) {
  const size_t count = static_cast<size_t>(rows * kColumns);
  std::vector<float> x(count), y(count);
  for (size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i % 17) / 4 - 2;
  Graph graph(rows, threads, x, c.node);
  tileops_context* context = context_of(1);
  const int64_t shape[] = {rows, kColumns};
  tileops_plan* plan = plan_of(context, c.text, {{kF32, 2, shape, nullptr}});
  const void* const in[] = {x.data()};
  void* const out[] = {y.data()};
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.input_ptrs = in;
  args.output_ptrs = out;
  const uint32_t parts = static_cast<uint32_t>(threads);
  std::vector<Way> ways = {{"parts",
                            [&] {
#pragma omp parallel num_threads(threads)
                              ok(tileops_execute_part(plan, &args, 0, static_cast<uint32_t>(omp_get_thread_num()), parts));
                            }},
                           {"ggml", [&] { graph.run(); }}};
  measure_in_turns(&ways, rounds, 4);
  std::printf("| %s | %lld | %.1f (%.1f) | %.1f (%.1f) |\n", c.name, static_cast<long long>(rows), ways[0].least() / 1000,
              ways[0].median() / 1000, ways[1].least() / 1000, ways[1].median() / 1000);
  for (size_t i = 0; i < count; ++i)
    if (y[i] - graph.result()[i] > 1e-3f || graph.result()[i] - y[i] > 1e-3f)
      std::fprintf(stderr, "%s, element %zu: %g, ggml %g\n", c.name, i, y[i], graph.result()[i]), std::exit(1);
  tileops_plan_destroy(plan);
  tileops_context_destroy(context);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : static_cast<int>(std::thread::hardware_concurrency());
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 200;
  std::printf("us, least (median) of %d rounds, f32 rows of %d, %d threads, ggml %s\n\n| text | rows | parts | ggml |\n"
              "|---|---:|---:|---:|\n",
              rounds, static_cast<int>(kColumns), threads, ggml_version());
  const Compared all[] = {
      {"rms_norm", "(x) -> x * rsqrt(mean(x * x) + 1e-6)",
       [](ggml_context* c, ggml_tensor* x) { return ggml_rms_norm(c, x, 1e-6f); }},
      {"silu", "(x) -> silu(x)", [](ggml_context* c, ggml_tensor* x) { return ggml_silu(c, x); }},
      {"softmax", "(x) -> softmax(x)", [](ggml_context* c, ggml_tensor* x) { return ggml_soft_max(c, x); }}};
  for (const Compared& c : all)
    for (const int64_t rows : {16, 64, 256}) compare(c, rows, threads, rounds);
}
