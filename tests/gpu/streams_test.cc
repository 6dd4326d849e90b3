// Order of dependent launches, graph capture, threads, scalars in host memory, large tensors.
#include <atomic>
#include <memory>
#include <thread>

#include "device.h"

namespace gputest {
namespace {

// y = x + 1, executed on bare addresses.
struct Increment {
  explicit Increment(int64_t n)
      : one(Cpu(), kF32, {}),
        x(Gpu(), kF32, {n}),
        y(Gpu(), kF32, {n}),
        unit(Gpu(), kF32, {}),
        plan(TILEOPS_OP_ADD, {x.dl(), unit.dl()}, {y.dl()}) {
    const float value = 1;
    unit.Upload(&value);
  }
  tileops_status Run(void* from, void* to, void* stream) {
    const void* in[] = {from, unit.data()};
    void* out[] = {to};
    return tileops_execute_ptrs(plan.get(), in, out, stream);
  }
  Tensor one, x, y, unit;
  Plan plan;
};

void ExpectAll(const std::vector<float>& v, float want) {
  for (size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], want) << i;
}

TEST(Streams, DependentLaunchesInOrder) {
  TILEOPS_NEEDS_GPU();
  for (const int64_t n : {int64_t{1}, int64_t{1000}, int64_t{100000}, int64_t{3000000}}) {
    Increment inc(n);
    MUST(inc.plan.status());
    Stream stream;
    std::vector<float> v(static_cast<size_t>(n), 0);
    inc.x.Upload(v.data(), stream.get());
    const int rounds = n > 1000000 ? 500 : 4000;
    for (int i = 0; i < rounds; ++i) {
      MUST(inc.Run(inc.x.data(), inc.y.data(), stream.get()));
      MUST(inc.Run(inc.y.data(), inc.x.data(), stream.get()));
    }
    inc.x.Download(v.data(), stream.get());
    ExpectAll(v, static_cast<float>(2 * rounds));
  }
}

TEST(Streams, InPlaceChainsOnSeveralStreams) {
  TILEOPS_NEEDS_GPU();
  constexpr int kStreams = 4, kRounds = 3000;
  const int64_t n = 20000;
  std::vector<std::unique_ptr<Increment>> incs;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<float> v(static_cast<size_t>(n), 0);
  for (int s = 0; s < kStreams; ++s) {
    incs.push_back(std::make_unique<Increment>(n));
    streams.push_back(std::make_unique<Stream>());
    incs[s]->x.Upload(v.data(), streams[s]->get());
  }
  for (int i = 0; i < kRounds; ++i)
    for (int s = 0; s < kStreams; ++s) MUST(incs[s]->Run(incs[s]->x.data(), incs[s]->x.data(), streams[s]->get()));
  for (int s = 0; s < kStreams; ++s) {
    incs[s]->x.Download(v.data(), streams[s]->get());
    ExpectAll(v, kRounds);
  }
}

TEST(Streams, ThreadsAndStreamsOfOnePlan) {
  TILEOPS_NEEDS_GPU();
  constexpr int kThreads = 8, kStreams = 4, kRounds = 200;
  const int64_t n = 10000;
  Increment shared(n);
  MUST(shared.plan.status());
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int s = 0; s < kStreams; ++s) {
        Stream stream;
        Tensor x(Gpu(), kF32, {n});
        std::vector<float> v(static_cast<size_t>(n), 5);
        x.Upload(v.data(), stream.get());
        for (int i = 0; i < kRounds; ++i) wrong += shared.Run(x.data(), x.data(), stream.get()) != TILEOPS_STATUS_OK;
        x.Download(v.data(), stream.get());
        for (float f : v) wrong += f != 5 + kRounds;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
}

// An expression with a scalar and a workspace: what tensors give, addresses give. It has no parts.
TEST(Streams, AddressesWithScalarsAndAWorkspace) {
  TILEOPS_NEEDS_GPU();
  const std::string text = "(x; s = 1.0) -> x * s / sum(x) / sum(x, axis = -2)";
  tileops_expr* expr = nullptr;
  MUST(tileops_expr_parse(text.data(), text.size(), &expr));
  const int64_t rows = 300, columns = 700;
  std::vector<float> v(static_cast<size_t>(rows * columns)), by_tensors(v.size()), by_addresses(v.size());
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i % 97) / 16 + 1;
  Tensor x(Gpu(), kF32, {rows, columns}), y(Gpu(), kF32, {rows, columns});
  Stream stream;
  x.Upload(v.data(), stream.get());
  const DLTensor* in[] = {x.dl()};
  DLTensor* out[] = {y.dl()};
  tileops_plan* plan = nullptr;
  MUST(tileops_plan_create_like_expr(nullptr, expr, in, 1, out, 1, &plan));
  tileops_expr_destroy(expr);
  uint64_t bytes = 0;
  size_t size = sizeof bytes;
  MUST(tileops_plan_query(plan, TILEOPS_PLAN_WORKSPACE_BYTES, &bytes, &size));
  ASSERT_GT(bytes, 0u);
  Tensor workspace(Gpu(), kI8, {static_cast<int64_t>(bytes)});

  const tileops_number scalar = tileops_number_f64(0.25);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = args.num_scalars = 1;
  args.scalars = &scalar;
  args.stream = stream.get();
  args.workspace = workspace.data();
  args.workspace_bytes = bytes;
  args.inputs = in;
  args.outputs = out;
  MUST(tileops_execute_with(plan, &args));
  y.Download(by_tensors.data(), stream.get());
  y.Upload(v.data(), stream.get());
  const void* const addresses[] = {x.data()};
  void* const places[] = {y.data()};
  args.inputs = nullptr;
  args.outputs = nullptr;
  args.input_ptrs = addresses;
  args.output_ptrs = places;
  MUST(tileops_execute_with(plan, &args));
  y.Download(by_addresses.data(), stream.get());
  EXPECT_EQ(by_addresses, by_tensors);
  double row = 0, column = 0;
  for (size_t i = 0; i < static_cast<size_t>(columns); ++i) row += v[i];
  for (size_t i = 0; i < v.size(); i += static_cast<size_t>(columns)) column += v[i];
  EXPECT_NEAR(by_tensors[0] * (row * column / 0.25), v[0], 1e-5);

  int32_t parts = -1;
  size = sizeof parts;
  MUST(tileops_plan_query(plan, TILEOPS_PLAN_NUM_PARTS, &parts, &size));
  EXPECT_EQ(parts, 0);
  EXPECT_EQ(tileops_execute_part(plan, &args, 0, 0, 1), TILEOPS_STATUS_UNSUPPORTED);
  EXPECT_STREQ(tileops_last_error(),
               "tileops_execute_part: plan: is for a CUDA device, and only CPU plans are run in parts");
  tileops_plan_destroy(plan);
}

// The plan itself is made inside the capture: compiling and loading must not break it.
TEST(Streams, CaptureIntoAGraph) {
  TILEOPS_NEEDS_GPU();
  UseDevice();
  const int64_t n = 12345;
  Tensor x(Gpu(), kF32, {n}), y(Gpu(), kF32, {n}), table(Gpu(), kF32, {8, 2, 4});
  Stream stream;
  std::vector<float> v(static_cast<size_t>(n), 0);
  x.Upload(v.data(), stream.get());
  Increment inc(n);
  for (const int mode : {0, 1, 2}) {  // global, thread local, relaxed
    void *graph = nullptr, *executable = nullptr;
    ASSERT_EQ(Api().capture_begin(stream.get(), mode), 0);
    for (int i = 0; i < 50; ++i) {
      MUST(inc.Run(x.data(), y.data(), stream.get()));
      MUST(inc.Run(y.data(), x.data(), stream.get()));
    }
    // One that nobody has planned before, and one with constants on the device.
    const Plan fresh(TILEOPS_OP_MUL, {y.dl(), y.dl()}, {y.dl()}, {}, TILEOPS_PLAN_NO_CACHE);
    MUST(fresh.status());
    const Plan rope(TILEOPS_OP_ROPE_NEOX, {table.dl()}, {table.dl()}, {{TILEOPS_ATTR_BASE, 1000.0 + mode}},
                    TILEOPS_PLAN_NO_CACHE);
    MUST(rope.status());
    const DLTensor* ins[] = {table.dl()};
    DLTensor* outs[] = {table.dl()};
    MUST(tileops_execute(rope.get(), ins, 1, outs, 1, stream.get()));
    ASSERT_EQ(Api().capture_end(stream.get(), &graph), 0);
    ASSERT_EQ(Api().graph_instantiate(&executable, graph, 0), 0);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(Api().graph_launch(executable, stream.get()), 0);
    stream.Wait();
    Api().graph_executable_destroy(executable);
    Api().graph_destroy(graph);
  }
  x.Download(v.data(), stream.get());
  ExpectAll(v, 3 * 10 * 100);
}

// A graph may outlive the plan that was captured: the frequencies of RoPE, which are on the device, stay
// where the graph reads them, whatever else is planned, freed and allocated in between.
TEST(Streams, GraphOutlivesPlanAndConstants) {
  TILEOPS_NEEDS_GPU();
  UseDevice();
  const std::vector<int64_t> shape = {64, 4, 128};
  constexpr size_t kElements = 64 * 4 * 128;
  constexpr double kBase = 12345;  // of no other test, so that nobody else holds these frequencies
  std::vector<float> input(kElements), want(kElements), got(kElements);
  for (size_t i = 0; i < kElements; ++i) input[i] = static_cast<float>(i % 257) / 16 - 8;

  Tensor host_x(Cpu(), kF32, shape), host_y(Cpu(), kF32, shape);
  host_x.Upload(input.data());
  const Plan reference(TILEOPS_OP_ROPE_NEOX, {host_x.dl()}, {host_y.dl()}, {{TILEOPS_ATTR_BASE, kBase}});
  MUST(reference.status());
  const DLTensor* host_ins[] = {host_x.dl()};
  DLTensor* host_outs[] = {host_y.dl()};
  MUST(tileops_execute(reference.get(), host_ins, 1, host_outs, 1, nullptr));
  host_y.Download(want.data());

  Tensor x(Gpu(), kF32, shape), y(Gpu(), kF32, shape);
  Stream stream;
  x.Upload(input.data(), stream.get());
  stream.Wait();
  const DLTensor* ins[] = {x.dl()};
  DLTensor* outs[] = {y.dl()};
  void *graph = nullptr, *executable = nullptr;
  {
    // Reproducible: the bits of the CPU.
    const Plan plan(TILEOPS_OP_ROPE_NEOX, {x.dl()}, {y.dl()}, {{TILEOPS_ATTR_BASE, kBase}}, TILEOPS_PLAN_REPRODUCIBLE);
    MUST(plan.status());
    ASSERT_EQ(Api().capture_begin(stream.get(), 0), 0);
    MUST(tileops_execute(plan.get(), ins, 1, outs, 1, stream.get()));
    ASSERT_EQ(Api().capture_end(stream.get(), &graph), 0);
    ASSERT_EQ(Api().graph_instantiate(&executable, graph, 0), 0);
  }
  MUST(tileops_cache_clear(nullptr, TILEOPS_CACHE_PLANS));

  // More constants than are kept for reuse (128), so that those that nobody needs are freed. The plan cache
  // is left out: each plan's constants are idle as soon as it is gone.
  for (int i = 0; i < 400; ++i) {
    const Plan other(TILEOPS_OP_ROPE_NEOX, {x.dl()}, {y.dl()}, {{TILEOPS_ATTR_BASE, 20000.0 + i}},
                     TILEOPS_PLAN_REPRODUCIBLE | TILEOPS_PLAN_NO_CACHE);
    MUST(other.status());
  }
  // What was freed is handed out again, and overwritten with NaNs: at least as many bytes, in the sizes that a
  // table of frequencies or of sines may have.
  std::vector<std::unique_ptr<Tensor>> garbage;
  for (const int64_t bytes : {64, 128, 256, 512, 1024, 32768, 65536}) {
    for (int i = 0; i < 400; ++i) {
      garbage.push_back(std::make_unique<Tensor>(Gpu(), kI8, std::vector<int64_t>{bytes}));
      ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(garbage.back()->data()), 0xff,
                                   static_cast<size_t>(bytes), stream.get()),
                0);
    }
  }

  for (int replay = 0; replay < 3; ++replay) {
    ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(y.data()), 0xff, y.bytes(), stream.get()), 0);
    ASSERT_EQ(Api().graph_launch(executable, stream.get()), 0);
    y.Download(got.data(), stream.get());
    for (size_t i = 0; i < kElements; ++i) ASSERT_EQ(got[i], want[i]) << "replay " << replay << ", element " << i;
  }
  Api().graph_executable_destroy(executable);
  Api().graph_destroy(graph);
}

TEST(Streams, CallersContextIsRestored) {
  TILEOPS_NEEDS_GPU();
  std::thread([] {
    void* before = nullptr;
    ASSERT_EQ(Api().context_set(nullptr), 0);
    Increment inc(100);
    MUST(inc.plan.status());
    MUST(inc.Run(inc.x.data(), inc.y.data(), nullptr));
    ASSERT_EQ(Api().context_get(&before), 0);
    EXPECT_EQ(before, nullptr);
  }).join();
}

TEST(Streams, ScalarInHostMemory) {
  TILEOPS_NEEDS_GPU();
  const int64_t n = 5000;
  Tensor x(Gpu(), kF32, {n}), y(Gpu(), kF32, {n}), scalar(Gpu(), kF32, {});
  std::vector<float> v(static_cast<size_t>(n), 3);
  x.Upload(v.data());
  const Plan plan(TILEOPS_OP_MUL, {x.dl(), scalar.dl()}, {y.dl()});
  MUST(plan.status());
  for (float factor : {2.0f, -0.5f}) {
    DLTensor host{&factor, Cpu(), 0, kF32, nullptr, nullptr, 0};
    const DLTensor* ins[] = {x.dl(), &host};
    DLTensor* outs[] = {y.dl()};
    MUST(tileops_execute(plan.get(), ins, 2, outs, 1, nullptr));
    y.Download(v.data());
    ExpectAll(v, 3 * factor);
  }
}

TEST(Large, MoreThanTwoToThe31Elements) {
  TILEOPS_NEEDS_GPU();
  const int64_t n = (int64_t{1} << 31) + 4099;
  Tensor x(Gpu(), kI8, {n}), y(Gpu(), kI8, {n});
  UseDevice();
  ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(x.data()), 5, static_cast<size_t>(n), nullptr), 0);
  ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(y.data()), 0, static_cast<size_t>(n), nullptr), 0);
  const auto check = [&](int8_t want) {
    std::vector<int8_t> all(static_cast<size_t>(n));
    y.Download(all.data());
    int64_t wrong = 0;
    for (int8_t v : all) wrong += v != want;
    EXPECT_EQ(wrong, 0);
  };
  {
    const Plan plan(TILEOPS_OP_NEG, {x.dl()}, {y.dl()});
    MUST(plan.status());
    const DLTensor* ins[] = {x.dl()};
    DLTensor* outs[] = {y.dl()};
    MUST(tileops_execute(plan.get(), ins, 1, outs, 1, nullptr));
    check(-5);
  }
  // Rows, and element by element: odd rows with a broadcast.
  for (const int64_t cols : {int64_t{4096}, int64_t{4099}}) {
    const int64_t rows = n / cols;
    int64_t shape[] = {rows, cols}, row_shape[] = {cols};
    Tensor bias(Gpu(), kI8, {cols});
    ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(bias.data()), 2, static_cast<size_t>(cols), nullptr), 0);
    ASSERT_EQ(Api().memset_async(reinterpret_cast<uintptr_t>(y.data()), 7, static_cast<size_t>(n), nullptr), 0);
    DLTensor x2 = *x.dl(), y2 = *y.dl(), b = *bias.dl();
    x2.ndim = y2.ndim = 2;
    x2.shape = y2.shape = shape;
    x2.strides = y2.strides = nullptr;
    b.shape = row_shape;
    const Plan plan(TILEOPS_OP_ADD, {&x2, &b}, {&y2});
    MUST(plan.status());
    const DLTensor* ins[] = {&x2, &b};
    DLTensor* outs[] = {&y2};
    MUST(tileops_execute(plan.get(), ins, 2, outs, 1, nullptr));
    check(7);
  }
}

}  // namespace
}  // namespace gputest
