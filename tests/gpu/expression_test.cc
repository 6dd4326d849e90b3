// Passes of several steps have the CPU's bits on the GPU: random ones, and what a plan takes at each execute. NaN
// equals NaN. Without a GPU the CPU's half runs, which must be the same for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "../cuda/random_pass.h"
#include "base/error.h"
#include "cpu/backend.h"
#include "cuda/backend.h"
#include "plan/context.h"

namespace tileops {
namespace {

using passes::Bytes;
using passes::RandomPass;

constexpr uint64_t kSeeds = 12;  // of each test
constexpr uint8_t kUnwritten = 0xa5;

std::unique_ptr<BackendState> StateOf(const Backend& backend, int cpu_threads) {
  tileops_context_options user = TILEOPS_CONTEXT_OPTIONS_INIT;
  user.cache_mode = TILEOPS_CACHE_OFF;
  user.num_threads = cpu_threads;
  return backend.make_state(user, resolve_options(user));
}

bool HasGpu() { return cuda::cuda_backend().device_count() > 0; }

// Memory of a device.
class Memory {
 public:
  Memory(Backend& backend, DLDevice device, const Bytes& bytes) : backend_(backend), device_(device) {
    size_ = bytes.size();
    at_ = backend.allocate(device, size_);
    backend.copy(device, at_, bytes.data(), size_, false, nullptr);
  }
  ~Memory() { backend_.release(device_, at_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* at() const { return at_; }
  Bytes bytes() const {
    Bytes b(size_);
    backend_.copy(device_, b.data(), at_, size_, true, nullptr);
    return b;
  }

 private:
  Backend& backend_;
  DLDevice device_;
  void* at_;
  size_t size_;
};

// A pass prepared for a device, with its operands there.
class Prepared {
 public:
  Prepared(const RandomPass& pass, Backend& backend, DLDevice device, int cpu_threads)
      : executable_(backend.prepare(pass.problem(TILEOPS_PLAN_REPRODUCIBLE), device, *StateOf(backend, cpu_threads))) {
    for (const Bytes& b : pass.inputs) {
      memory_.push_back(std::make_unique<Memory>(backend, device, b));
      in_.push_back(memory_.back()->at());
    }
    const size_t inputs = memory_.size();
    for (const RandomPass::Output& o : pass.outputs) {
      if (o.in_place_of < 0) memory_.push_back(std::make_unique<Memory>(backend, device, Bytes(o.bytes, kUnwritten)));
      results_.push_back(o.in_place_of < 0 ? memory_.back().get() : memory_[static_cast<size_t>(o.in_place_of)].get());
      out_.push_back(results_.back()->at());
    }
    EXPECT_EQ(in_.size(), inputs);
  }
  std::string kernel() const { return executable_->kernel_name(); }
  // All results, each as its memory.
  std::vector<Bytes> run(const std::vector<AttrValue>& numbers) const {
    executable_->run({in_.data(), out_.data(), nullptr, 0, numbers.data()});
    std::vector<Bytes> bytes;
    for (const Memory* m : results_) bytes.push_back(m->bytes());
    return bytes;
  }

 private:
  std::unique_ptr<Executable> executable_;
  std::vector<std::unique_ptr<Memory>> memory_;
  std::vector<const void*> in_;
  std::vector<void*> out_;
  std::vector<const Memory*> results_;
};

Prepared OnCpu(const RandomPass& pass, int threads = 1) {
  return Prepared(pass, cpu::cpu_backend(), DLDevice{kDLCPU, 0}, threads);
}

// With the library's own strategy where the one that was drawn does not suit the pass.
Prepared OnGpu(RandomPass pass) {
  try {
    return Prepared(pass, cuda::cuda_backend(), DLDevice{kDLCUDA, 0}, 1);
  } catch (const Error& e) {
    if (pass.hint.strategy == TILEOPS_STRATEGY_AUTO || e.message.find("num_per_thread") == std::string::npos) throw;
    pass.hint = {};
    return Prepared(pass, cuda::cuda_backend(), DLDevice{kDLCUDA, 0}, 1);
  }
}

// What is compared with the CPU.
Prepared OnOther(const RandomPass& pass) { return HasGpu() ? OnGpu(pass) : OnCpu(pass, 2); }

void ExpectTheCpusBits(const RandomPass& pass, const std::string& name) {
  try {
    const Prepared other = OnOther(pass);
    passes::expect_equal(pass, other.run(pass.numbers), OnCpu(pass).run(pass.numbers), name + ", " + other.kernel());
  } catch (const Error& e) {
    ADD_FAILURE() << name << ": " << e.message << "\n" << passes::describe(pass.builder.pass);
  }
}

#define SAY_WITHOUT_GPU() \
  if (!HasGpu()) GTEST_SKIP() << "no CUDA device on this machine: only the CPU's half has run"

class RandomExpressions : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomExpressions, HaveTheCpusBits) {
  for (uint64_t seed = GetParam() * kSeeds; seed < (GetParam() + 1) * kSeeds; ++seed)
    ExpectTheCpusBits(passes::random_pass(seed), "seed " + std::to_string(seed));
  SAY_WITHOUT_GPU();
}

// Floats of 2^-3 to 2^3.
Bytes Floats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> exponent(-3, 3);
  Bytes bytes(4 * count);
  for (size_t i = 0; i < count; ++i) {
    const float x = std::exp2(exponent(random));
    std::memcpy(&bytes[4 * i], &x, 4);
  }
  return bytes;
}

// A plan takes its numbers anew at each execute, as operands and as attributes.
TEST(Expressions, NumbersOfEachExecute) {
  RandomPass pass;
  pass.builder = passes::Builder({1000});
  passes::Builder& b = pass.builder;
  const Value x = b.load(0, Dtype::f32), n = b.number(0, Dtype::f64);
  const Value v = b.apply(TILEOPS_OP_LEAKY_RELU, {b.apply(TILEOPS_OP_SUB, {x, n})}, {AttrValue{}});
  b.pass.steps[1].numbers = {1};
  b.num_numbers = 2;
  b.store(0, Dtype::f32, v);
  pass.inputs = {Floats(1000, 1)};
  pass.outputs = {{Dtype::f32, 4000, -1}};
  const Prepared cpu = OnCpu(pass), other = OnOther(pass);
  std::vector<Bytes> last;
  for (const double number : {0.5, 1.0, 7.5}) {
    AttrValue first, second;
    first.f64 = number;
    second.f64 = number / 8;
    const std::vector<Bytes> want = cpu.run({first, second});
    EXPECT_NE(want, last);
    passes::expect_equal(pass, other.run({first, second}), want, "number " + std::to_string(number));
    last = want;
  }
  SAY_WITHOUT_GPU();
}

// Operands of so many dimensions that their strides need more than 4 KiB of arguments, and views beyond the 32nd.
TEST(Expressions, ManyOperands) {
  RandomPass pass;
  pass.builder = passes::Builder(passes::Shape(14, 2));
  passes::Builder& b = pass.builder;
  Value v{};
  for (int i = 0; i < 32; ++i) {
    std::vector<Extent> strides = passes::dense(b.shape, Dtype::f32);
    for (size_t d = 0; d < strides.size(); ++d)
      if (d % 2 == 0) strides[d] = strides[d] + 4 * i;
    const Value x = b.load(i, Dtype::f32, strides);
    v = i ? b.apply(i % 2 ? TILEOPS_OP_SUB : TILEOPS_OP_MAXIMUM, {v, x}) : x;
    pass.inputs.push_back(Floats(16384 + 14 * 32, static_cast<unsigned>(i)));
  }
  for (int k = 0; k < 16; ++k) {
    b.store(k, Dtype::f32, v);
    pass.outputs.push_back({Dtype::f32, 4 * 16384, -1});
    v = b.apply(TILEOPS_OP_NEG, {v});
  }
  ExpectTheCpusBits(pass, "32 operands and 16 results");
  SAY_WITHOUT_GPU();
}

// Addresses that forbid vectors, and ends of them, of a tensor of many blocks.
TEST(Expressions, MisalignedTensors) {
  for (const int64_t offset : {0, 4, 8}) {
    RandomPass pass;
    pass.builder = passes::Builder({1023, 1021});
    passes::Builder& b = pass.builder;
    const size_t n = 1023 * 1021;
    const Value x = b.load(0, Dtype::f32), y = b.load(1, Dtype::f32), row = b.load(2, Dtype::f32, {0, 4});
    const Value h = b.apply(TILEOPS_OP_MUL, {b.apply(TILEOPS_OP_SILU, {x}), y});
    b.store(0, Dtype::f32, h);
    if (offset != 8) b.store(1, Dtype::bf16, b.apply(TILEOPS_OP_ADD, {h, row}));
    b.pass.loads[1].offset = offset;
    pass.inputs = {Floats(n, 1), Floats(n + 2, 2), Floats(1021, 3)};
    pass.outputs = {{Dtype::f32, 4 * n, -1}};
    if (offset != 8) pass.outputs.push_back({Dtype::bf16, 2 * n, -1});
    ExpectTheCpusBits(pass, "offset " + std::to_string(offset));
  }
  SAY_WITHOUT_GPU();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomExpressions, ::testing::Range(uint64_t{0}, uint64_t{16}));

}  // namespace
}  // namespace tileops
