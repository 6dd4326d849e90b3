// Decisions of the CUDA backend that need no device.
#include "plan/backend.h"

#include <gtest/gtest.h>
#include <tileops/tileops.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cuda/jit/kernel_cache.h"
#include "cuda/launch/executable.h"
#include "cuda/launch/result_table.h"
#include "problem/request.h"
#include "store/disk.h"

namespace tileops::cuda {
namespace {

// Graphs have programmatic edges since CUDA 12.3.
TEST(Backend, ProgrammaticLaunch) {
  EXPECT_TRUE(may_chain(90, 12030, 0));
  EXPECT_TRUE(may_chain(100, 13000, TILEOPS_PLAN_NO_JIT));
  EXPECT_FALSE(may_chain(89, 13000, 0));
  EXPECT_FALSE(may_chain(90, 12020, 0));
  EXPECT_FALSE(may_chain(90, 13000, TILEOPS_PLAN_NO_PDL));
}

TEST(Backend, NoPdlIsAFlagOfEveryPlanAndOfItsKey) {
  const int64_t shape[] = {4};
  const tileops_tensor_desc t{DLDataType{kDLFloat, 32, 1}, 1, shape, nullptr};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_EXP;
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &t;
  const std::string plain = make_request(desc).key();
  desc.flags = TILEOPS_PLAN_NO_PDL;
  EXPECT_NE(make_request(desc).key(), plain);
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
  tileops_plan_destroy(plan);
  desc.flags = 32;
  EXPECT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_INVALID_ARGUMENT);
}

TEST(Backend, ManagedMemoryIsThatOfItsDevice) {
  EXPECT_TRUE(same_home({kDLCUDAManaged, 1}, {kDLCUDA, 1}));
  EXPECT_FALSE(same_home({kDLCUDAManaged, 1}, {kDLCUDA, 0}));
  EXPECT_FALSE(same_home({kDLCUDAManaged, 0}, {kDLCPU, 0}));
  const int64_t shape[] = {4};
  const tileops_tensor_desc t{DLDataType{kDLFloat, 32, 1}, 1, shape, nullptr};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_EXP;
  desc.device = {kDLCUDAManaged, 0};
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &t;
  EXPECT_EQ(make_request(desc).device.device_type, kDLCUDA);
  DLManagedTensorVersioned* tensor = nullptr;
  EXPECT_EQ(tileops_tensor_alloc(nullptr, {kDLCUDAManaged, 0}, t.dtype, 1, shape, &tensor), TILEOPS_STATUS_UNSUPPORTED);
}

// A 0-d operand in host memory, pinned or not, does not keep plan_create_like from a CUDA plan.
// Without a device it is that which is missing, not the operand that is wrong.
TEST(Backend, ScalarsInHostMemoryBesideCudaOperands) {
  float value = 2, data[4] = {};
  int64_t shape[] = {4};
  const DLDataType f32{kDLFloat, 32, 1};
  const DLTensor x{data, {kDLCUDAManaged, 99}, 1, f32, shape, nullptr, 0};
  DLTensor y{data, {kDLCUDA, 99}, 1, f32, shape, nullptr, 0};
  for (const DLDeviceType type : {kDLCPU, kDLCUDAHost}) {
    const DLTensor scalar{&value, {type, 0}, 0, f32, nullptr, nullptr, 0};
    const DLTensor* in[] = {&x, &scalar};
    DLTensor* out[] = {&y};
    tileops_plan* plan = nullptr;
    EXPECT_EQ(tileops_plan_create_like(nullptr, TILEOPS_OP_MUL, in, 2, out, 1, nullptr, 0, &plan),
              TILEOPS_STATUS_NO_DEVICE)
        << tileops_last_error();
  }
}

TEST(Backend, TablesAreBoundedWhoeverMakesThem) {
  TableBudget budget;
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) taken += budget.take();
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(taken, TableBudget::kMost);
  budget.give_back();
  EXPECT_TRUE(budget.take());
  EXPECT_FALSE(budget.take());
  EXPECT_TRUE(budget.warn_now());
  EXPECT_FALSE(budget.warn_now());
}

TEST(Backend, PacksOfTheSameMajorVersionServe) {
  EXPECT_EQ(pack_archs(80), (std::vector<int>{80}));
  EXPECT_EQ(pack_archs(86)[0], 86);
  EXPECT_EQ(pack_archs(86).back(), 80);
  EXPECT_EQ(pack_archs(87), (std::vector<int>{87}));
  EXPECT_EQ(pack_archs(90), (std::vector<int>{90}));
  EXPECT_EQ(pack_archs(103).back(), 100);
  for (const int arch : pack_archs(91)) EXPECT_NE(arch, 90);  // swept on sm_90 alone
}

// This program links the library statically: packs are beside it, whatever the working directory
// is.
TEST(Backend, PacksAreLookedForBesideTheCode) {
  char self[PATH_MAX] = "";
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  const std::string folder = std::filesystem::path(self).parent_path();
  EXPECT_EQ(pack_path(90), folder + "/tileops/kernels-sm_90.pack");
  int on_the_stack = 0;
  EXPECT_EQ(file_of_code(&on_the_stack).find('/'), std::string::npos);
}

TEST(Backend, WithoutACompilerTheCacheOfEarlierOnesServes) {
  char name[] = "/tmp/tileops-builds-XXXXXX";
  const std::string folder = mkdtemp(name);
  cache::DiskStore disk(folder + "/cache", true, 1 << 20);
  const Nvrtc none("/nowhere/libnvrtc.so.13", "");
  EXPECT_TRUE(builds_to_look_for(none, disk).empty());
  for (int i = 0; i < 10; ++i) remember_build("13.0/" + std::to_string(i), &disk);
  remember_build("13.0/5", &disk);
  const std::vector<std::string> builds = builds_to_look_for(none, disk);
  ASSERT_EQ(builds.size(), 8u);
  EXPECT_EQ(builds[0], "13.0/5");
  EXPECT_EQ(builds[1], "13.0/9");
  const Nvrtc& nvrtc = Nvrtc::get();
  if (nvrtc.available()) {
    EXPECT_EQ(builds_to_look_for(nvrtc, disk), std::vector<std::string>{nvrtc.build()});
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tileops::cuda
