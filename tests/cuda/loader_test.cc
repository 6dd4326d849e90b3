// What is said where the driver or the compiler is missing.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <algorithm>

#include "base/error.h"
#include "cuda/driver/shared_library.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/choose.h"
#include "lower/lower.h"
#include "problem/layout.h"
#include "problem/request.h"

namespace tileops::cuda {
namespace {

TEST(Loader, EveryCandidateIsNamedWithItsReason) {
  const SharedLibrary none({"libtileops-none.so.1", "/nowhere/libtileops-none.so"});
  EXPECT_FALSE(none.is_open());
  EXPECT_EQ(none.symbol("f"), nullptr);
  EXPECT_NE(none.failure().find("libtileops-none.so.1: cannot open"), std::string::npos);
  EXPECT_NE(none.failure().find("/nowhere/libtileops-none.so: cannot open"), std::string::npos);
}

TEST(Loader, OrderOfCandidates) {
  EXPECT_EQ(nvrtc_candidates("/my/nvrtc.so", "/home"), std::vector<std::string>{"/my/nvrtc.so"});
  const auto list = nvrtc_candidates("", "/opt/cuda");
  EXPECT_EQ(list.front(), "libnvrtc.so.13");
  EXPECT_EQ(list.back(), "/usr/local/cuda/lib64/libnvrtc.so.12");
  EXPECT_NE(std::find(list.begin(), list.end(), "/opt/cuda/lib64/libnvrtc.so.13"), list.end());
}

TEST(Loader, MissingCompiler) {
  const Nvrtc none("/nowhere/libnvrtc.so.13", "");
  EXPECT_FALSE(none.available());
  EXPECT_EQ(none.build(), "");
  try {
    none.compile("", "x", 90);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status, TILEOPS_STATUS_NO_DEVICE);
    EXPECT_NE(e.message.find("/nowhere/libnvrtc.so.13"), std::string::npos) << e.message;
  }
}

TEST(Loader, MissingDriver) {
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW)) {
    dlclose(driver);
    GTEST_SKIP() << "this machine has a CUDA driver";
  }
  const int64_t shape[] = {4};
  const tileops_tensor_desc t{DLDataType{kDLFloat, 32, 1}, 1, shape, nullptr};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_EXP;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &t;
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_NO_DEVICE);
  EXPECT_NE(std::string(tileops_last_error()).find("libcuda.so.1"), std::string::npos) << tileops_last_error();
}

TEST(Compiler, ReportsItsLog) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  const Compiled good = nvrtc.compile("extern \"C\" __global__ void k(float* x) { *x = 1; }", "k", 90);
  EXPECT_FALSE(good.ptx);
  EXPECT_EQ(good.image.substr(1, 3), "ELF");
  // PTX for a GPU that is newer than the compiler.
  const Compiled ptx = nvrtc.compile("extern \"C\" __global__ void k(float* x) { *x = 1; }", "k",
                                     nvrtc.archs().back() + 10);
  EXPECT_TRUE(ptx.ptx);
  EXPECT_NE(ptx.image.find(".entry"), std::string::npos);
  try {
    nvrtc.compile("this is no program", "bad", 90);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status, TILEOPS_STATUS_COMPILE);
    EXPECT_NE(e.message.find("error"), std::string::npos) << e.message;
  }
}

// The lists of compilers have gaps: NVRTC 13.0 knows 100 and 103, and refuses 101.
TEST(Compiler, TargetIsTheDeviceOrPtxOfTheNextBelow) {
  const std::vector<int> known{80, 86, 90, 100, 103, 120};
  const auto expect = [&](int device, int arch, bool ptx) {
    EXPECT_EQ(target_of(known, device).arch, arch) << device;
    EXPECT_EQ(target_of(known, device).ptx, ptx) << device;
  };
  expect(90, 90, false);
  expect(103, 103, false);
  expect(91, 90, true);
  expect(101, 100, true);
  expect(105, 103, true);
  expect(130, 120, true);
  expect(75, 0, true);
}

TEST(Compiler, EveryDeviceFromTheOldestOnIsServed) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  const char* const source = "extern \"C\" __global__ void k(float* x) { *x = 1; }";
  for (const int device : {91, 101, 105, 125})
    EXPECT_NO_THROW(EXPECT_TRUE(nvrtc.compile(source, "k", device).ptx)) << device;
  try {
    nvrtc.compile(source, "k", nvrtc.archs().front() - 1);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status, TILEOPS_STATUS_UNSUPPORTED);
  }
}

// Bounds that were found by trying sm_90 hold for its machine code alone: PTX of compute_90 may run
// anywhere.
TEST(Compiler, OnlyMachineCodeSaysWhatItIsFor) {
  const auto has = [](const Target& t, const char* option) {
    const std::vector<std::string> list = options_of(t);
    return std::find(list.begin(), list.end(), option) != list.end();
  };
  EXPECT_TRUE(has({90, false}, "-DTILEOPS_EXACT_SM=90"));
  EXPECT_TRUE(has({90, false}, "--gpu-architecture=sm_90"));
  EXPECT_FALSE(has({90, true}, "-DTILEOPS_EXACT_SM=90"));
  EXPECT_TRUE(has({90, true}, "--gpu-architecture=compute_90"));
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  // tanh of bf16 is one instruction on sm_90, about which PTX promises too little.
  tileops_tensor_desc x{DLDataType{kDLBfloat, 16, 1}, 1, nullptr, nullptr};
  const int64_t shape[] = {1 << 20};
  x.shape = shape;
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_TANH;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &x;
  const Problem problem = lower(make_request(desc));
  const Kernel kernel =
      choose(problem, problem.passes[0], make_layout(problem.passes[0]), {90, UseTables::no, {}}).kernel;
  const Compiled ptx = nvrtc.compile(full_source(kernel), kernel.name, 91);
  ASSERT_TRUE(ptx.ptx);
  EXPECT_EQ(ptx.image.find("tanh.approx"), std::string::npos);
}

}  // namespace
}  // namespace tileops::cuda
