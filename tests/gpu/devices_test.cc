// Several GPUs in one process.
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
  MUST(tileops_stream_synchronize(nullptr, Gpu(0), nullptr));  // the copy runs on the other's stream
  MUST(tileops_tensor_copy(nullptr, a.dl(), b.dl(), nullptr));
  std::vector<float> got(v.size(), -1);
  b.Download(got.data());
  EXPECT_EQ(got, v);
}

}  // namespace
}  // namespace gputest
