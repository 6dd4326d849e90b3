// Passes of rows on the GPU give what plain loops give, to the bit, but for which NaN a NaN is. So do those on the CPU,
// which is what runs without a GPU.
#include <gtest/gtest.h>

#include <cstring>

#include "../cuda/random_rows.h"
#include "base/error.h"
#include "cpu/backend.h"
#include "cuda/backend.h"
#include "plan/context.h"

namespace tileops {
namespace {

using passes::Bytes;
using passes::RandomPass;

constexpr uint8_t kUnwritten = 0xa5;
constexpr uint64_t kSeeds = 25;  // of each test

bool HasGpu() { return cuda::cuda_backend().device_count() > 0; }

// The results of a pass on a device, each as its memory.
class OnDevice {
 public:
  OnDevice(const RandomPass& pass, Backend& backend, DLDevice device, uint32_t flags)
      : backend_(backend), device_(device) {
    tileops_context_options user = TILEOPS_CONTEXT_OPTIONS_INIT;
    user.cache_mode = TILEOPS_CACHE_OFF;
    user.num_threads = 1;
    const auto state = backend.make_state(user, resolve_options(user));
    executable_ = backend.prepare(pass.problem(flags), device, *state);
    std::vector<const void*> in;
    std::vector<void*> out;
    for (const Bytes& b : pass.inputs) in.push_back(put(b));
    for (const RandomPass::Output& o : pass.outputs) out.push_back(put(Bytes(o.bytes, kUnwritten)));
    executable_->run({in.data(), out.data(), nullptr, 0, pass.numbers.data()});
    for (size_t k = 0; k < out.size(); ++k) {
      results.emplace_back(pass.outputs[k].bytes);
      backend.copy(device, results.back().data(), out[k], results.back().size(), true, nullptr);
    }
  }
  ~OnDevice() {
    for (void* p : memory_) backend_.release(device_, p);
  }
  std::string kernel() const { return executable_->kernel_name(); }
  std::vector<Bytes> results;

 private:
  void* put(const Bytes& bytes) {
    memory_.push_back(backend_.allocate(device_, bytes.size()));
    backend_.copy(device_, memory_.back(), bytes.data(), bytes.size(), false, nullptr);
    return memory_.back();
  }
  Backend& backend_;
  DLDevice device_;
  std::unique_ptr<Executable> executable_;
  std::vector<void*> memory_;
};

void ExpectEqual(const RandomPass& pass, const std::vector<Bytes>& got, const std::vector<Bytes>& want,
                 const std::string& what) {
  for (size_t k = 0; k < want.size(); ++k) {
    const Dtype dtype = pass.outputs[k].dtype;
    const size_t size = dtype_size(dtype);
    size_t wrong = 0, first = 0;
    for (size_t at = 0; at + size <= want[k].size(); at += size) {
      if (std::memcmp(&want[k][at], &got[k][at], size) == 0) continue;
      if (passes::is_nan(dtype, &want[k][at]) && passes::is_nan(dtype, &got[k][at])) continue;
      if (wrong++ == 0) first = at;
    }
    if (wrong == 0) continue;
    uint64_t w = 0, g = 0;
    std::memcpy(&w, &want[k][first], size);
    std::memcpy(&g, &got[k][first], size);
    ADD_FAILURE() << what << ": result " << k << ", " << wrong << " of " << want[k].size() / size
                  << " elements, first [" << first / size << "]: got " << std::hex << g << ", want " << w << std::dec
                  << "\n"
                  << passes::describe(pass.builder.pass);
  }
}

void ExpectTheBits(const RandomPass& pass, const std::string& name) {
  try {
    Backend& backend = HasGpu() ? cuda::cuda_backend() : cpu::cpu_backend();
    const OnDevice on(pass, backend, {HasGpu() ? kDLCUDA : kDLCPU, 0}, TILEOPS_PLAN_REPRODUCIBLE);
    ExpectEqual(pass, on.results, passes::expected_of_rows(pass, kUnwritten), name + ", " + on.kernel());
  } catch (const Error& e) {
    ADD_FAILURE() << name << ": " << e.message << "\n" << passes::describe(pass.builder.pass);
  }
}

#define SAY_WITHOUT_GPU() \
  if (!HasGpu()) GTEST_SKIP() << "no CUDA device on this machine: the CPU's rows have run in its place"

class RandomRows : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomRows, HaveTheBitsOfPlainLoops) {
  for (uint64_t seed = GetParam() * kSeeds; seed < (GetParam() + 1) * kSeeds; ++seed)
    ExpectTheBits(passes::random_rows(seed), "seed " + std::to_string(seed));
  SAY_WITHOUT_GPU();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRows, ::testing::Range(uint64_t{0}, uint64_t{16}));

}  // namespace
}  // namespace tileops
