// Passes of rows on the GPU give what plain loops give, to the bit, but for which NaN a NaN is. So do those on the CPU,
// which is what runs without a GPU.
#include <gtest/gtest.h>

#include <cmath>

#include "../cuda/random_rows.h"
#include "base/error.h"
#include "cpu/backend.h"
#include "cuda/backend.h"
#include "cuda/tuning_candidates.h"
#include "op/strategy.h"
#include "plan/context.h"

namespace tileops {
namespace {

using passes::Bytes;
using passes::RandomPass;

constexpr uint8_t kUnwritten = 0xa5;
constexpr uint64_t kSeeds = 25;  // of each test
constexpr int kArch = 90;        // whose candidates are tried

bool HasGpu() { return cuda::cuda_backend().device_count() > 0; }

// The results of a pass on a device, each as its memory.
class OnDevice {
 public:
  OnDevice(const RandomPass& pass, Backend& backend, DLDevice device, uint32_t flags, const LaunchHint& hint)
      : backend_(backend), device_(device) {
    tileops_context_options user = TILEOPS_CONTEXT_OPTIONS_INIT;
    user.cache_mode = TILEOPS_CACHE_OFF;
    user.num_threads = 1;
    const auto state = backend.make_state(user, resolve_options(user));
    Problem problem = pass.problem(flags);
    problem.hint = hint;
    executable_ = backend.prepare(problem, device, *state);
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

void ExpectTheBits(const RandomPass& pass, const std::string& name, const LaunchHint& hint = {}) {
  try {
    Backend& backend = HasGpu() ? cuda::cuda_backend() : cpu::cpu_backend();
    const OnDevice on(pass, backend, {HasGpu() ? kDLCUDA : kDLCPU, 0}, TILEOPS_PLAN_REPRODUCIBLE, hint);
    passes::expect_equal(pass, on.results, passes::expected_of_rows(pass, kUnwritten), name + ", " + on.kernel());
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

// Rows of many warps and chunks, of groups in them, and columns: softmax and a sum with low parts.
RandomPass Directed(const passes::Shape& shape, size_t rank, size_t of_groups, Dtype dtype, bool side_by_side) {
  RandomPass pass;
  passes::Builder& b = pass.builder;
  b = passes::Builder(shape);
  size_t n = 1;
  for (const int64_t e : shape) n *= static_cast<size_t>(e);
  std::vector<double> numbers(n);
  for (size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i * 2654435761u % 4099) / 2048 - 1;
  const int64_t size = static_cast<int64_t>(dtype_size(dtype));
  const auto strides = [&](int64_t element) {
    std::vector<Extent> s = passes::dense(shape, dtype);
    for (Extent& v : s) v = v / size * element;
    if (side_by_side) s = {element, element * shape[0]};
    return s;
  };
  const Value x = b.load(0, dtype, strides(size));
  const Value low = b.reduce(Reduction::sum, x, rank, Ctype::f32, true, side_by_side);
  const Value most = b.reduce(Reduction::amax, x, of_groups);
  const Value e = b.apply(TILEOPS_OP_EXP, {b.apply(TILEOPS_OP_SUB, {x, most})});
  const Value sum = b.reduce(Reduction::sum, e, of_groups, Ctype::f32, false, side_by_side);
  const Value place = b.reduce(Reduction::argmax, x, rank);
  b.store(0, Dtype::f32, b.apply(TILEOPS_OP_DIV, {e, sum}), strides(4));
  b.store(1, Dtype::bf16, e, strides(2));
  const auto once = [&](size_t taken, int64_t element) {
    std::vector<Extent> s(shape.size());
    for (size_t d = shape.size() - taken; d-- > 0; element *= shape[d]) s[d] = element;
    return s;
  };
  b.store(2, Dtype::f32, low, once(rank, 4));
  b.store(3, Dtype::i64, place, once(rank, 8));
  b.store(4, Dtype::f32, sum, once(of_groups, 4));
  pass.inputs = {passes::elements_of(dtype, numbers)};
  pass.outputs = {{Dtype::f32, 4 * n, -1},
                  {Dtype::bf16, 2 * n, -1},
                  {Dtype::f32, 4 * n, -1},
                  {Dtype::i64, 8 * n, -1},
                  {Dtype::f32, 4 * n, -1}};
  return pass;
}

// However a row is cut.
TEST(Rows, EveryStrategy) {
  if (!HasGpu()) GTEST_SKIP() << "no CUDA device on this machine, and the CPU has no strategies";
  for (const passes::Shape& shape : {passes::Shape{300, 100}, {70, 4096}, {3, 50257}, {2, 131072}})
    for (const bool side_by_side : {false, true}) {
      const RandomPass pass = Directed(shape, 1, 1, Dtype::bf16, side_by_side);
      for (const LaunchHint& hint : cuda::tuning_candidates(pass.problem(TILEOPS_PLAN_REPRODUCIBLE), kArch))
        ExpectTheBits(pass,
                      std::string(strategy_name(hint.strategy)) + " " + std::to_string(hint.threads) + "x" +
                          std::to_string(hint.num_per_thread),
                      hint);
    }
}

TEST(Rows, LongOnes) {
  ExpectTheBits(Directed({2, 131072}, 1, 1, Dtype::bf16, false), "131072 bf16");
  ExpectTheBits(Directed({3, 50257}, 1, 1, Dtype::bf16, false), "50257 bf16");
  ExpectTheBits(Directed({1, 300001}, 1, 1, Dtype::f32, false), "300001 float32");
  ExpectTheBits(Directed({2, 20000}, 1, 1, Dtype::f32, false), "20000 float32");
  SAY_WITHOUT_GPU();
}
TEST(Rows, GroupsInLongOnes) {
  ExpectTheBits(Directed({2, 1024, 128}, 2, 1, Dtype::bf16, false), "groups of 128 in 131072");
  ExpectTheBits(Directed({2, 8, 4096}, 2, 1, Dtype::f32, false), "groups of 4096 in 32768");
  ExpectTheBits(Directed({1, 64, 4096}, 2, 1, Dtype::f32, false), "groups of 4096 in 262144");
  ExpectTheBits(Directed({5, 3, 512}, 2, 1, Dtype::f16, false), "groups of 512 in 1536");
  SAY_WITHOUT_GPU();
}
TEST(Rows, Columns) {
  ExpectTheBits(Directed({64, 4096}, 1, 1, Dtype::bf16, true), "64 columns of 4096");
  ExpectTheBits(Directed({2000, 100}, 1, 1, Dtype::f32, true), "2000 columns of 100");
  ExpectTheBits(Directed({5, 40000}, 1, 1, Dtype::f16, true), "5 columns of 40000");
  SAY_WITHOUT_GPU();
}
// The sum of nothing is 0, the largest of nothing -infinity.
TEST(Rows, WithoutElements) {
  RandomPass pass;
  passes::Builder& b = pass.builder;
  b = passes::Builder({3, 0});
  const Value x = b.load(0, Dtype::f32, {4, 4});
  b.store(0, Dtype::f32, b.reduce(Reduction::sum, x, 1), {4, 0});
  b.store(1, Dtype::f32, b.reduce(Reduction::amax, x, 1), {4, 0});
  pass.inputs = {Bytes(16)};
  pass.outputs = {{Dtype::f32, 12, -1}, {Dtype::f32, 12, -1}};
  Backend& backend = HasGpu() ? cuda::cuda_backend() : cpu::cpu_backend();
  const OnDevice on(pass, backend, {HasGpu() ? kDLCUDA : kDLCPU, 0}, 0, {});
  EXPECT_EQ(on.results[0], passes::elements_of(Dtype::f32, {0, 0, 0}));
  EXPECT_EQ(on.results[1], passes::elements_of(Dtype::f32, std::vector<double>(3, -HUGE_VAL)));
  SAY_WITHOUT_GPU();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRows, ::testing::Range(uint64_t{0}, uint64_t{16}));

}  // namespace
}  // namespace tileops
