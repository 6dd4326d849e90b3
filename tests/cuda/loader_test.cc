// What is said where the driver or the compiler is missing.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include "core/error.h"
#include "cuda/nvrtc.h"
#include "cuda/shared_library.h"

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
  EXPECT_NE(std::string(tileops_last_error()).find("libcuda.so.1"), std::string::npos)
      << tileops_last_error();
}

TEST(Compiler, ReportsItsLog) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  const Compiled good = nvrtc.compile("extern \"C\" __global__ void k(float* x) { *x = 1; }", "k", 90);
  EXPECT_FALSE(good.ptx);
  EXPECT_EQ(good.image.substr(1, 3), "ELF");
  // PTX for a GPU that is newer than the compiler.
  const Compiled ptx = nvrtc.compile("extern \"C\" __global__ void k(float* x) { *x = 1; }", "k",
                                     nvrtc.newest_arch() + 10);
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

}  // namespace
}  // namespace tileops::cuda
