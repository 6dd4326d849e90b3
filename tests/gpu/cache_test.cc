// What the kernel cache does on a device with entries that are whole but wrong, and with results of
// tuning. Looks inside the library, which the other GPU tests do not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/log.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/jit/state.h"
#include "cuda/launch/executable.h"
#include "cuda/select/choose.h"
#include "lower/lower.h"
#include "problem/request.h"
#include "store/disk.h"

namespace tileops::cuda {
namespace {

class KernelCache : public ::testing::Test {
 protected:
  void SetUp() override {
    if (driver().count == 0) GTEST_SKIP() << "no CUDA device on this machine: " << driver().failure;
    char name[] = "/tmp/tileops-kernels-XXXXXX";
    folder_ = mkdtemp(name);
    lines().clear();
    log_set([](void*, tileops_log_level, const char* text) { lines().push_back(text); }, nullptr, TILEOPS_LOG_WARN);
  }
  void TearDown() override {
    log_set(nullptr, nullptr, TILEOPS_LOG_WARN);
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  static std::vector<std::string>& lines() {
    static auto* list = new std::vector<std::string>;
    return *list;
  }

  // As a context's, with what lies in the folder.
  CudaState& NewState() {
    ContextOptions options;
    options.cache_dir = folder_;
    states_.push_back(std::make_unique<CudaState>(options));
    return *states_.back();
  }

  // y = x * x with an output dtype that no pack has, so that kernels come from this folder.
  static Problem Square(Dtype dtype, Dtype out) {
    static const int64_t n[] = {kElements};
    const tileops_tensor_desc x{dtype_to_dl(dtype), 1, n, nullptr}, y{dtype_to_dl(out), 1, n, nullptr};
    const tileops_tensor_desc in[] = {x, x};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.op = TILEOPS_OP_MUL;
    desc.device = DLDevice{kDLCUDA, 0};
    desc.num_inputs = 2;
    desc.num_outputs = 1;
    desc.inputs = in;
    desc.outputs = &y;
    return lower(make_request(desc));
  }

  static void ExpectSquares(const CudaExecutable& executable) {
    Device& device = Device::get(0);
    const CurrentContext current(device.context());
    std::vector<uint8_t> x(kElements), y(kElements * 4);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i % 12);  // squares fit every 8-bit type
    const UploadPtr upload = device.upload(x);
    const CUdeviceptr from = upload->address;
    device.fill(y.size(), [&](CUdeviceptr to, CUstream stream) {
      const void* in[] = {reinterpret_cast<void*>(from), reinterpret_cast<void*>(from)};
      void* out[] = {reinterpret_cast<void*>(to)};
      executable.run({in, out, stream});
      check(driver().copy_async(reinterpret_cast<CUdeviceptr>(y.data()), to, y.size(), stream), "cuMemcpyAsync");
    });
    for (size_t i = 0; i < x.size(); ++i) {
      uint32_t got;
      std::memcpy(&got, &y[4 * i], 4);
      ASSERT_EQ(got, static_cast<uint32_t>(x[i]) * x[i]) << i;
    }
  }

  static constexpr int64_t kElements = 4096;
  std::string folder_;
  std::vector<std::unique_ptr<CudaState>> states_;
};

// The right key, whole and with the right hash, but machine code that this GPU cannot run, or none.
TEST_F(KernelCache, AnEntryThatDoesNotLoadIsMadeAnew) {
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) GTEST_SKIP() << nvrtc.failure();
  Device& device = Device::get(0);
  const int foreign = device.arch() == 80 ? 90 : 80;
  const Problem problem = Square(Dtype::u8, Dtype::u32);
  const Kernel kernel =
      choose(problem, problem.passes[0], make_layout(problem.passes[0]), {device.arch(), UseTables::yes, {}}).kernel;
  const std::string key = "nvrtc " + nvrtc.build() + "\n" + kernel_key(kernel, device.arch());
  CudaState& state = NewState();
  state.disk.put(key, nvrtc.compile(full_source(kernel), kernel.name, foreign).image);
  const CudaExecutable executable(problem, device, state);
  EXPECT_EQ(executable.cache_origin(), "compiled");
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_NE(lines()[0].find("does not load"), std::string::npos) << lines()[0];
  ExpectSquares(executable);

  const Problem other = Square(Dtype::i8, Dtype::u32);
  const Kernel other_kernel =
      choose(other, other.passes[0], make_layout(other.passes[0]), {device.arch(), UseTables::yes, {}}).kernel;
  state.disk.put("nvrtc " + nvrtc.build() + "\n" + kernel_key(other_kernel, device.arch()), "no machine code");
  const CudaExecutable second(other, device, state);
  EXPECT_EQ(second.cache_origin(), "compiled");
  EXPECT_EQ(lines().size(), 2u);
  ExpectSquares(second);
}

// Plans take what tuning found; a result that cannot be had is left aside with a line in the log.
TEST_F(KernelCache, TuningResultsAreTaken) {
  if (!Nvrtc::get().available()) GTEST_SKIP() << Nvrtc::get().failure();
  Device& device = Device::get(0);
  const Problem problem = Square(Dtype::u8, Dtype::i32);
  const std::string key = tuning_key(problem, device);
  {
    CudaState& state = NewState();
    EXPECT_EQ(CudaExecutable(problem, device, state).strategy_origin(), "auto");
    state.tuned.keep(key, LaunchHint{TILEOPS_STRATEGY_DIRECT, 128, 1});
  }
  const CudaExecutable tuned(problem, device, NewState());  // as another process would find it
  EXPECT_EQ(tuned.strategy_origin(), "tuned");
  EXPECT_EQ(tuned.strategy(), "direct");
  EXPECT_EQ(tuned.launch_hint().threads, 128);
  ExpectSquares(tuned);
  Problem given = problem;
  given.hint = {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 64, 4};
  EXPECT_EQ(CudaExecutable(given, device, NewState()).strategy_origin(), "given");
  NewState().tuned.keep(key, LaunchHint{TILEOPS_STRATEGY_TILE, 128, 0});
  const CudaExecutable aside(problem, device, NewState());
  EXPECT_EQ(aside.strategy_origin(), "auto");
  EXPECT_EQ(lines().size(), 1u);
  ExpectSquares(aside);
  std::filesystem::permissions(folder_, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_EQ(CudaExecutable(problem, device, NewState()).strategy_origin(), "auto");
}

// RoPE with a base that changes: what no plan needs any longer is freed, what a graph may read is not.
TEST_F(KernelCache, ConstantsOfPlansThatAreGoneAreFreed) {
  Device& device = Device::get(0);
  const CurrentContext current(device.context());
  const auto bytes = [](uint32_t i) {
    std::vector<uint8_t> b(64);
    std::memcpy(b.data(), &i, sizeof i);
    return b;
  };
  const UploadPtr held = device.upload(bytes(1));
  {
    const UploadPtr captured = device.upload(bytes(2));
    captured->pinned = true;
  }
  for (uint32_t i = 10; i < 1000; ++i) {
    const UploadPtr one = device.upload(bytes(i));
    const UploadPtr same = device.upload(bytes(i));
    ASSERT_EQ(one->address, same->address);
  }
  EXPECT_LE(device.uploads(), 2 * Device::kIdleUploads + 20);
  const auto holds = [&](CUdeviceptr address, uint32_t want) {
    uint32_t got = 0;
    device.fill(256, [&](CUdeviceptr, CUstream stream) {
      check(driver().copy_async(reinterpret_cast<CUdeviceptr>(&got), address, sizeof got, stream), "cuMemcpyAsync");
    });
    EXPECT_EQ(got, want);
  };
  holds(held->address, 1);
  holds(device.upload(bytes(2))->address, 2);
}

}  // namespace
}  // namespace tileops::cuda
