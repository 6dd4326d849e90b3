// Layer norms at a batch that is another one with each call, beside oneDNN, which makes a primitive for that and finds it
// in its cache: `onednn_bench [ROUNDS]`, a table on stdout. Rows of 8 and of 4096 float32, one thread, addresses; all ways
// take turns, and a time is the least of all rounds. Built where oneDNN 2 is found (Debian: libdnnl-dev).
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <oneapi/dnnl/dnnl.hpp>

#include "program.h"

using namespace tileops_bench;

namespace {

constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr float kEpsilon = 1e-5f;

struct Norm {
  dnnl::layer_normalization_forward primitive;
  dnnl::memory x, y;

  Norm(const dnnl::engine& engine, int64_t rows, int64_t columns, float* from, float* to) {
    const dnnl::memory::desc md({rows, columns}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
    const dnnl::layer_normalization_forward::desc desc(dnnl::prop_kind::forward_inference, md, kEpsilon,
                                                       dnnl::normalization_flags::none);
    primitive = dnnl::layer_normalization_forward({desc, engine});
    x = dnnl::memory(md, engine, from);
    y = dnnl::memory(md, engine, to);
  }
  void run(dnnl::stream& stream) { primitive.execute(stream, {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}}); }
};

void compare(dnnl::engine& engine, dnnl::stream& stream, int64_t rows, int64_t columns, int rounds, int calls) {
  const size_t most = static_cast<size_t>((rows + 1) * columns);
  std::vector<float> x(most), y(most), z(most);
  for (size_t i = 0; i < most; ++i) x[i] = static_cast<float>(i % 17);
  tileops_context* context = context_of(1);
  const auto plan_for = [&](int64_t n) {
    const int64_t shape[] = {n, columns};
    return plan_of(context, "(x) -> (x - mean(x)) * rsqrt(var(x) + 1e-5)", {{kF32, 2, shape, nullptr}});
  };
  tileops_plan *const closed[] = {plan_for(rows), plan_for(rows + 1)}, *open = plan_for(TILEOPS_OPEN);
  const void* const in[] = {x.data()};
  void* const out[] = {y.data()};
  int64_t extent = rows;
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.input_ptrs = in;
  args.output_ptrs = out;
  tileops_execute_args open_args = args;
  open_args.extents = &extent;
  open_args.num_extents = 1;
  int64_t more = 0;  // rows and one more, in turns: both are in the cache
  const auto next = [&] { return rows + (more ^= 1); };
  Norm known(engine, rows, columns, x.data(), z.data());
  std::vector<Way> ways = {{"closed", [&] { ok(tileops_execute_with(closed[next() - rows], &args)); }},
                           {"open", [&] { extent = next(), ok(tileops_execute_with(open, &open_args)); }},
                           {"execute", [&] { known.run(stream); }},
                           {"made", [&] { Norm(engine, next(), columns, x.data(), z.data()).run(stream); }}};
  measure_in_turns(&ways, rounds, calls);
  std::printf("| %lld x %lld |", static_cast<long long>(rows), static_cast<long long>(columns));
  for (const Way& way : ways) std::printf(" %.0f |", way.least());
  std::printf("\n");
  for (size_t i = 0; i < static_cast<size_t>(rows * columns); ++i)
    if (y[i] - z[i] > 1e-4f || z[i] - y[i] > 1e-4f) std::fprintf(stderr, "element %zu: %g, oneDNN %g\n", i, y[i], z[i]), std::exit(1);
  for (tileops_plan* plan : closed) tileops_plan_destroy(plan);
  tileops_plan_destroy(open);
  tileops_context_destroy(context);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  omp_set_num_threads(1);
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl_version_t* version = dnnl_version();
  std::printf("ns, least of %d rounds, float32 layer norm without weights, oneDNN %d.%d.%d, rows and one "
              "more in turns; its execute alone has the first\n\n"
              "| shape | a plan for each | open | oneDNN execute | made from its cache, and executed |\n"
              "|---|---:|---:|---:|---:|\n",
              rounds, version->major, version->minor, version->patch);
  for (const int64_t columns : {8, 4096})
    for (const int64_t rows : {2, 64}) compare(engine, stream, rows, columns, rounds, columns == 8 ? 100 : 2);
}
