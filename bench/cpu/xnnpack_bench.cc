// Executes at a batch that is another one with each call, beside XNNPACK, which reshapes its operator and sets it up for
// that: `xnnpack_bench [ROUNDS]`, a table on stdout. Rows of 8 and of 4096 float32, one thread, addresses; all ways take
// turns, and a time is the least of all rounds. Built where XNNPACK is found (Debian: libxnnpack-dev, whose setup
// reshapes as well).
#include <xnnpack.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "program.h"

using namespace tileops_bench;

namespace {

constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr float kInf = std::numeric_limits<float>::infinity();

void ok(xnn_status status) {
  if (status == xnn_status_success) return;
  std::fprintf(stderr, "XNNPACK: status %d\n", static_cast<int>(status));
  std::exit(1);
}

struct Compared {
  const char *name, *text;
  xnn_operator_t op;
  // For so many rows of x and u.
  void (*setup)(xnn_operator_t op, size_t rows, size_t columns, const float* x, const float* u, float* y);
};

void compare(const Compared& c, int64_t rows, int64_t columns, int rounds, int calls) {
  const size_t most = static_cast<size_t>((rows + 1) * columns) + XNN_EXTRA_BYTES;
  const std::vector<float> x(most, 0.5f), u(most, 1.5f);
  std::vector<float> y(most);
  tileops_context* context = context_of(1);
  const auto plan_for = [&](int64_t n) {
    const int64_t shape[] = {n, columns};
    return plan_of(context, c.text, {{kF32, 2, shape, nullptr}, {kF32, 2, shape, nullptr}});
  };
  tileops_plan *const closed[] = {plan_for(rows), plan_for(rows + 1)}, *open = plan_for(TILEOPS_OPEN);
  const void* const in[] = {x.data(), u.data()};
  void* const out[] = {y.data()};
  std::vector<int64_t> extents(static_cast<size_t>(number(open, TILEOPS_PLAN_NUM_EXTENTS)));
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = 2;
  args.num_outputs = 1;
  args.input_ptrs = in;
  args.output_ptrs = out;
  tileops_execute_args open_args = args;
  open_args.extents = extents.data();
  open_args.num_extents = static_cast<uint32_t>(extents.size());
  int64_t more = 0;  // rows and one more, in turns
  const auto next = [&] { return rows + (more ^= 1); };
  c.setup(c.op, static_cast<size_t>(rows), static_cast<size_t>(columns), x.data(), u.data(), y.data());
  std::vector<Way> ways = {{"closed", [&] { tileops_bench::ok(tileops_execute_with(closed[next() - rows], &args)); }},
                           {"open",
                            [&] {
                              const int64_t n = next();
                              for (int64_t& e : extents) e = n;
                              tileops_bench::ok(tileops_execute_with(open, &open_args));
                            }},
                           {"run", [&] { ok(xnn_run_operator(c.op, nullptr)); }},
                           {"setup and run", [&] {
                              c.setup(c.op, static_cast<size_t>(next()), static_cast<size_t>(columns), x.data(), u.data(),
                                      y.data());
                              ok(xnn_run_operator(c.op, nullptr));
                            }}};
  measure_in_turns(&ways, rounds, calls);
  std::printf("| %s | %lld x %lld |", c.name, static_cast<long long>(rows), static_cast<long long>(columns));
  for (const Way& way : ways) std::printf(" %.0f |", way.least());
  std::printf("\n");
  for (tileops_plan* plan : closed) tileops_plan_destroy(plan);
  tileops_plan_destroy(open);
  tileops_context_destroy(context);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  ok(xnn_initialize(nullptr));
  std::printf("ns, least of %d rounds, float32, rows and one more in turns; XNNPACK's run alone has the first\n\n"
              "| operator | shape | a plan for each | open | XNNPACK run | setup and run |\n|---|---|---:|---:|---:|---:|\n",
              rounds);
  for (const int64_t columns : {8, 4096}) {
    xnn_operator_t add = nullptr, softmax = nullptr;
    const size_t n = static_cast<size_t>(columns);
    ok(xnn_create_add_nd_f32(-kInf, kInf, 0, &add));
    ok(xnn_create_softmax_nc_f32(n, n, n, 0, &softmax));
    const Compared all[] = {{"add", "(x, u) -> x + u", add,
                             [](xnn_operator_t op, size_t rows, size_t cols, const float* x, const float* u, float* y) {
                               const size_t shape[] = {rows, cols};
                               ok(xnn_setup_add_nd_f32(op, 2, shape, 2, shape, x, u, y, nullptr));
                             }},
                            {"softmax", "(x, u) -> softmax(x)", softmax,
                             [](xnn_operator_t op, size_t rows, size_t, const float* x, const float*, float* y) {
                               ok(xnn_setup_softmax_nc_f32(op, rows, x, y, nullptr));
                             }}};
    for (const Compared& c : all)
      for (const int64_t rows : {2, 64}) compare(c, rows, columns, rounds, columns == 8 ? 100 : 2);
    xnn_delete_operator(add);
    xnn_delete_operator(softmax);
  }
}
