// Several GPUs in one process, and memory of other kinds.
#include <thread>

#include "device.h"

namespace gputest {
namespace {

#define TILEOPS_NEEDS_TWO_GPUS() \
  if (DeviceCount() < 2) GTEST_SKIP() << "this machine has " << DeviceCount() << " CUDA devices, two are needed"

void* Current() {
  void* context = nullptr;
  Api().context_get(&context);
  return context;
}

TEST(Devices, PlansOnEachTakeTurns) {
  TILEOPS_NEEDS_TWO_GPUS();
  UseDevice(0);
  void* const mine = Current();
  const int64_t n = 10007;
  std::vector<std::unique_ptr<Tensor>> x, y, one;
  std::vector<std::unique_ptr<Plan>> plans;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<float> zeros(static_cast<size_t>(n), 0);
  const float value = 1;
  for (int d = 0; d < DeviceCount(); ++d) {
    x.push_back(std::make_unique<Tensor>(Gpu(d), kF32, std::vector<int64_t>{n}));
    y.push_back(std::make_unique<Tensor>(Gpu(d), kF32, std::vector<int64_t>{n}));
    one.push_back(std::make_unique<Tensor>(Gpu(d), kF32, std::vector<int64_t>{}));
    streams.push_back(std::make_unique<Stream>(Gpu(d)));
    x.back()->Upload(zeros.data(), streams.back()->get());
    one.back()->Upload(&value, streams.back()->get());
    plans.push_back(std::make_unique<Plan>(TILEOPS_OP_ADD,
                                           std::vector<const DLTensor*>{x.back()->dl(), one.back()->dl()},
                                           std::vector<DLTensor*>{y.back()->dl()}));
    MUST(plans.back()->status());
    EXPECT_EQ(Current(), mine) << "the caller's device changed";
  }
  constexpr int kRounds = 500;
  for (int i = 0; i < kRounds; ++i) {
    for (size_t d = 0; d < plans.size(); ++d) {
      for (const auto& [from, to] : {std::pair{x[d].get(), y[d].get()}, std::pair{y[d].get(), x[d].get()}}) {
        const DLTensor* in[] = {from->dl(), one[d]->dl()};
        DLTensor* out[] = {to->dl()};
        MUST(tileops_execute(plans[d]->get(), in, 2, out, 1, streams[d]->get()));
      }
    }
  }
  EXPECT_EQ(Current(), mine) << "the caller's device changed";
  for (size_t d = 0; d < plans.size(); ++d) {
    std::vector<float> v(static_cast<size_t>(n));
    x[d]->Download(v.data(), streams[d]->get());
    for (float f : v) ASSERT_EQ(f, 2 * kRounds) << "device " << d;
  }
  // Operands of the other device are refused.
  const DLTensor* in[] = {x[1]->dl(), one[0]->dl()};
  DLTensor* out[] = {y[0]->dl()};
  EXPECT_EQ(tileops_execute(plans[0]->get(), in, 2, out, 1, streams[0]->get()), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(tileops_last_error()).find("inputs[0]"), std::string::npos) << tileops_last_error();
}

// Tables and constants live on each device; threads plan on both at once.
TEST(Devices, ThreadsPlanOnBoth) {
  TILEOPS_NEEDS_TWO_GPUS();
  std::vector<std::thread> threads;
  std::vector<std::vector<uint8_t>> results(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t, &results] {
      const DLDevice device = Gpu(t % 2);
      const int64_t n = 1 << 18;
      Tensor x(device, kE4m3, {n}), y(device, kE4m3, {n});
      std::vector<uint8_t> bytes(static_cast<size_t>(n));
      for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7);
      Stream stream(device);
      x.Upload(bytes.data(), stream.get());
      const Plan plan(TILEOPS_OP_MISH, {x.dl()}, {y.dl()}, {}, TILEOPS_PLAN_NO_CACHE);
      MUST(plan.status());
      const DLTensor* in[] = {x.dl()};
      DLTensor* out[] = {y.dl()};
      MUST(tileops_execute(plan.get(), in, 1, out, 1, stream.get()));
      results[static_cast<size_t>(t)].resize(bytes.size());
      y.Download(results[static_cast<size_t>(t)].data(), stream.get());
    });
  }
  for (std::thread& t : threads) t.join();
  ASSERT_FALSE(results[0].empty());
  for (const auto& r : results) EXPECT_EQ(r, results[0]);
}

// Each operand may be read from where it lies by tileops_tensor_copy.
TEST(Devices, CopyBetweenThem) {
  TILEOPS_NEEDS_TWO_GPUS();
  const int64_t n = 4099;
  Tensor a(Gpu(0), kF32, {n}), b(Gpu(1), kF32, {n});
  std::vector<float> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  a.Upload(v.data());
  MUST(tileops_tensor_copy(nullptr, a.dl(), b.dl(), nullptr));
  std::vector<float> got(v.size(), -1);
  b.Download(got.data());
  EXPECT_EQ(got, v);
}

// Strided sides are packed on their own device: in order with dst's stream, whose work before it is slow, and
// nothing is freed that is still read.
TEST(Devices, StridedCopiesBetweenThemAreOrdered) {
  TILEOPS_NEEDS_TWO_GPUS();
  const int64_t rows = 1024, cols = 2048;
  Tensor a(Gpu(0), kF32, {rows, cols}), b(Gpu(1), kF32, {cols, rows});
  Stream on_a(Gpu(0)), on_b(Gpu(1));
  std::vector<float> v(static_cast<size_t>(rows * cols)), got(v.size());
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  int64_t transposed_shape[] = {cols, rows}, a_strides[] = {1, cols};
  DLTensor a_t = *a.dl();
  a_t.shape = transposed_shape;
  a_t.strides = a_strides;
  for (int round = 0; round < 20; ++round) {
    a.Upload(v.data(), on_a.get());
    on_a.Wait();
    for (void* stream : {on_b.get(), static_cast<void*>(nullptr)}) {
      std::vector<float> zeros(v.size(), 0);
      b.Upload(zeros.data(), stream);
      MUST(tileops_tensor_copy(nullptr, &a_t, b.dl(), stream));
      b.Download(got.data(), stream);
      for (int64_t r = 0; r < cols; ++r)
        for (int64_t c = 0; c < rows; ++c)
          ASSERT_EQ(got[static_cast<size_t>(r * rows + c)], v[static_cast<size_t>(c * cols + r)]) << r << " " << c;
      // And back into a strided target.
      MUST(tileops_tensor_copy(nullptr, b.dl(), &a_t, stream ? on_a.get() : nullptr));
      std::vector<float> back(v.size());
      a.Download(back.data(), on_a.get());
      ASSERT_EQ(back, v);
    }
    for (float& f : v) f += 1;
  }
}

// The message says why. (A test of its own: compute-sanitizer counts the driver's refusal as an error.)
TEST(Devices, StreamOfTheOtherIsRefused) {
  TILEOPS_NEEDS_TWO_GPUS();
  Tensor a(Gpu(0), kF32, {1000});
  Stream on_b(Gpu(1));
  const DLTensor* in[] = {a.dl()};
  DLTensor* out[] = {a.dl()};
  const Plan plan(TILEOPS_OP_NEG, {a.dl()}, {a.dl()});
  MUST(plan.status());
  EXPECT_EQ(tileops_execute(plan.get(), in, 1, out, 1, on_b.get()), TILEOPS_STATUS_DEVICE);
  EXPECT_NE(std::string(tileops_last_error()).find("stream: is not one of the plan's device"), std::string::npos)
      << tileops_last_error();
}

// Managed memory is an operand like any other of its device; pinned scalars are read when executed.
TEST(Devices, ManagedAndPinnedOperands) {
  TILEOPS_NEEDS_GPU();
  UseDevice(0);
  const int64_t n = 1000;
  unsigned long long managed = 0;
  ASSERT_EQ(Api().allocate_managed(&managed, n * 4, 1), 0);
  float* values = reinterpret_cast<float*>(managed);
  for (int64_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  float two = 2;
  int64_t shape[] = {n};
  DLTensor x{values, {kDLCUDAManaged, 0}, 1, kF32, shape, nullptr, 0};
  DLTensor scalar{&two, {kDLCUDAHost, 0}, 0, kF32, nullptr, nullptr, 0};
  const DLTensor* in[] = {&x, &scalar};
  DLTensor* out[] = {&x};
  tileops_plan* plan = nullptr;
  MUST(tileops_plan_create_like(nullptr, TILEOPS_OP_MUL, in, 2, out, 1, nullptr, 0, &plan));
  MUST(tileops_execute(plan, in, 2, out, 1, nullptr));
  MUST(tileops_stream_synchronize(nullptr, Gpu(0), nullptr));
  for (int64_t i = 0; i < n; ++i) ASSERT_EQ(values[i], 2.0f * static_cast<float>(i));
  tileops_plan_destroy(plan);
  Api().release(managed);
}

// What an engine's budget does not see: a kernel and its constants.
TEST(Devices, StatisticsTellWhatTheLibraryHolds) {
  TILEOPS_NEEDS_GPU();
  const auto held = [] {
    tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
    EXPECT_EQ(tileops_cache_stats_get(nullptr, &stats), TILEOPS_STATUS_OK) << tileops_last_error();
    return stats.device_bytes;
  };
  const uint64_t before = held();
  Tensor x(Gpu(), kF32, {8, 2, 4});
  const Plan rope(TILEOPS_OP_ROPE_NEOX, {x.dl()}, {x.dl()}, {{TILEOPS_ATTR_BASE, 1234.5}}, TILEOPS_PLAN_NO_CACHE);
  MUST(rope.status());
  EXPECT_GT(held(), before);
  EXPECT_LT(held(), before + (uint64_t{4} << 20));
}

}  // namespace
}  // namespace gputest
