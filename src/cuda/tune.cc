#include "cuda/tune.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "cuda/launch/executable.h"
#include "cuda/tuning_candidates.h"
#include "op/strategy.h"
#include "problem/overlap.h"

namespace tileops::cuda {
namespace {

constexpr double kLeastGain = 0.99;       // of the library's own time: differences below are noise
constexpr double kRoundSeconds = 200e-6;  // least length of one timed round
constexpr int kRounds = 9;
constexpr size_t kMostSets = 8;
constexpr size_t kSpread = size_t{256} << 20;  // bytes that a round shall touch: several L2 caches

// Device memory of one scope.
class Memory {
 public:
  explicit Memory(size_t bytes) { check(driver().memory_allocate(&address_, bytes ? bytes : 1), "cuMemAlloc"); }
  ~Memory() { driver().memory_free(address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  CUdeviceptr address() const { return address_; }

 private:
  CUdeviceptr address_ = 0;
};

// A stream and two events of one scope.
class Clock {
 public:
  Clock() {
    check(driver().stream_create(&stream_, kStreamNonBlocking), "cuStreamCreate");
    check(driver().event_create(&start_, 0), "cuEventCreate");
    check(driver().event_create(&stop_, 0), "cuEventCreate");
  }
  ~Clock() {
    if (start_) driver().event_destroy(start_);
    if (stop_) driver().event_destroy(stop_);
    driver().stream_destroy(stream_);
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  CUstream stream() const { return stream_; }

  template <class F>
  double seconds(F&& work) {
    check(driver().event_record(start_, stream_), "cuEventRecord");
    work();
    check(driver().event_record(stop_, stream_), "cuEventRecord");
    check(driver().event_synchronize(stop_), "cuEventSynchronize");
    float ms = 0;
    check(driver().event_elapsed(&ms, start_, stop_), "cuEventElapsedTime");
    return static_cast<double>(ms) * 1e-3;
  }

 private:
  CUstream stream_ = nullptr;
  CUevent start_ = nullptr, stop_ = nullptr;
};

// Bytes for an operand of a dtype: ordinary values (floats of 2^-3 to 2^3, of both signs unless
// positive), so that no kernel is measured on its rare paths, nor on zeros.
std::vector<uint8_t> ordinary_bytes(Dtype dtype, size_t elements, bool positive) {
  const size_t size = dtype_size(dtype);
  std::vector<uint8_t> bytes(elements * size);
  uint64_t state = 1;
  if (is_packed(dtype)) {  // any code is an ordinary value
    for (uint8_t& b : bytes)
      b = static_cast<uint8_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    return bytes;
  }
  for (size_t i = 0; i < elements; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t random = state >> 16;
    uint64_t x = 1 + random % 100;
    // Sign, an exponent within 3 of the bias, random fraction.
    const auto real = [&](int fraction, uint64_t bias, int bits) {
      x = (positive ? 0 : (random & 1) << (bits - 1)) | (bias - 3 + (random >> 1) % 6) << fraction |
          ((random >> 8) & ((uint64_t{1} << fraction) - 1));
    };
    if (is_float(dtype))
      real(dtype_fraction_bits(dtype), (uint64_t{1} << (dtype_exponent_bits(dtype) - 1)) - 1,
           static_cast<int>(8 * size));
    if (dtype_category(dtype) == kBool) x = random & 1;
    for (size_t b = 0; b < size; ++b) bytes[i * size + b] = static_cast<uint8_t>(x >> (8 * b));
  }
  return bytes;
}

// The operands of a request and the workspace of its problem in one piece of memory, filled.
class Operands {
 public:
  Operands(const Request& r, size_t workspace_bytes, CUstream stream) {
    size_t total = 0;
    const auto place = [&](const TensorSpec& t) {
      const ByteRange range = t.present ? byte_range(t) : ByteRange{};
      const size_t at = total;
      total += (static_cast<size_t>(range.end - range.begin) + 511) / 256 * 256;
      return at - static_cast<size_t>(range.begin);  // of element 0
    };
    std::vector<size_t> in, out;
    for (int i = 0; i < r.num_inputs; ++i) in.push_back(place(r.inputs[i]));
    for (int i = 0; i < r.num_outputs; ++i) out.push_back(place(r.outputs[i]));
    const size_t workspace = total;  // a multiple of 256
    bytes_ = total += workspace_bytes;
    memory_ = std::make_unique<Memory>(total);
    if (workspace_bytes) workspace_ = address(workspace);
    for (int i = 0; i < r.num_inputs; ++i) {
      inputs_.push_back(r.inputs[i].present ? address(in[static_cast<size_t>(i)]) : nullptr);
      if (r.inputs[i].present)
        fill(r.inputs[i], memory_->address() + in[static_cast<size_t>(i)], r.op && r.op->lo >= 0, stream);
    }
    for (int i = 0; i < r.num_outputs; ++i)
      outputs_.push_back(r.outputs[i].present ? address(out[static_cast<size_t>(i)]) : nullptr);
  }
  size_t bytes() const { return bytes_; }
  const void* const* inputs() const { return inputs_.data(); }
  void* const* outputs() const { return outputs_.data(); }
  void* workspace() const { return workspace_; }

 private:
  void* address(size_t at) const { return reinterpret_cast<void*>(memory_->address() + at); }

  static void fill(const TensorSpec& t, CUdeviceptr element0, bool positive, CUstream stream) {
    const ByteRange range = byte_range(t);
    const size_t need = static_cast<size_t>(range.end - range.begin);
    const std::vector<uint8_t> pattern = ordinary_bytes(
        t.dtype, std::min<size_t>(need / dtype_size(t.dtype), size_t{1} << 20), positive);
    if (pattern.empty()) return;
    const CUdeviceptr begin = element0 + static_cast<CUdeviceptr>(range.begin);
    check(driver().copy_async(begin, reinterpret_cast<CUdeviceptr>(pattern.data()), pattern.size(), stream),
          "cuMemcpyAsync");
    for (size_t at = pattern.size(); at < need; at *= 2)  // what is filled doubles
      check(driver().copy_async(begin + at, begin, std::min(at, need - at), stream), "cuMemcpyAsync");
    check(driver().stream_synchronize(stream), "cuStreamSynchronize");
  }

  size_t bytes_ = 0;
  void* workspace_ = nullptr;
  std::unique_ptr<Memory> memory_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
};

// Seconds of one execute: the median over rounds, each long enough for the clock.
double measure(const CudaExecutable& executable, const std::vector<std::unique_ptr<Operands>>& sets,
               const std::vector<AttrValue>& numbers, Clock* clock) {
  size_t next = 0;
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) {
      const Operands& set = *sets[next++ % sets.size()];
      executable.run({set.inputs(), set.outputs(), clock->stream(), 0, numbers.data(), set.workspace()});
    }
  };
  run(3);
  const double once = clock->seconds([&] { run(3); }) / 3;
  const int times = static_cast<int>(std::clamp(kRoundSeconds / std::max(once, 1e-7), 1.0, 200.0));
  std::vector<double> rounds;
  for (int i = 0; i < kRounds; ++i) rounds.push_back(clock->seconds([&] { run(times); }) / times);
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

tileops_tune_result tune(const Request& request, const Problem& problem, Device& device, CudaState& state,
                         const TuneProgress& progress) {
  const CurrentContext current(device.context());
  const std::string key = tuning_key(problem, device);
  if (key.empty()) invalid("outputs[0]: has no elements, there is nothing to measure");
  const std::vector<LaunchHint> candidates = tuning_candidates(problem, device.arch());

  std::vector<AttrValue> numbers(problem.num_numbers);  // what an expression's scalars give by default
  if (problem.numbers) problem.numbers->compute(nullptr, 0, nullptr, numbers.data());
  Clock clock;
  std::vector<std::unique_ptr<Operands>> sets;
  size_t total = 0;
  do {
    sets.push_back(std::make_unique<Operands>(request, problem.workspace_bytes, clock.stream()));
    total += sets.back()->bytes();
  } while (total < kSpread && sets.size() < kMostSets);

  tileops_tune_result result = TILEOPS_TUNE_RESULT_INIT;
  LaunchHint best;
  double least = 1e30;
  std::string failure;
  tileops_tune_progress p;
  p.struct_size = sizeof p;
  p.total = static_cast<int32_t>(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    Problem candidate = problem;
    candidate.hint = candidates[i];
    LaunchHint found;
    double seconds;
    try {
      const CudaExecutable executable(candidate, device, state, TuningResults::ignored);
      found = executable.launch_hint();
      seconds = measure(executable, sets, numbers, &clock);
    } catch (const Error& e) {
      if (i == 0) throw;  // what plan_create would say
      if (failure.empty()) failure = e.message;
      continue;
    }
    ++result.candidates;
    if (i == 0) {
      result.auto_seconds = result.seconds = seconds;
      best = found;
    } else if (seconds < result.seconds && seconds < kLeastGain * result.auto_seconds) {
      result.seconds = seconds;
      best = candidates[i];
    }
    p.done = static_cast<int32_t>(i + 1);
    p.strategy = found.strategy;
    p.threads = found.threads;
    p.num_per_thread = found.num_per_thread;
    p.seconds = seconds;
    p.best_seconds = least = std::min(least, seconds);
    if (!progress(p)) {
      result.strategy = best.strategy;
      result.threads = best.threads;
      result.num_per_thread = best.num_per_thread;
      return result;
    }
  }
  if (!failure.empty()) log(TILEOPS_LOG_WARN, "tuning: a candidate was left out (%s)", failure.c_str());
  const bool gained = result.seconds < result.auto_seconds;
  state.tuned.keep(key, gained ? std::optional<LaunchHint>(best) : std::nullopt);
  log(TILEOPS_LOG_INFO, "tuning: %s %s threads=%d num_per_thread=%d %.2f us (auto %.2f us)", problem.name.c_str(),
      strategy_name(best.strategy), best.threads, best.num_per_thread, result.seconds * 1e6, result.auto_seconds * 1e6);
  result.strategy = best.strategy;
  result.threads = best.threads;
  result.num_per_thread = best.num_per_thread;
  return result;
}

}  // namespace tileops::cuda
