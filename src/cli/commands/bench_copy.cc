#include "cli/commands/bench_copy.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "cli/dtype.h"

namespace tileops::cli {
namespace {

using Clock = std::chrono::steady_clock;

double to_seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

// Threads that copy their share whenever the round number changes. They spin: waking a sleeping
// thread takes longer than a small copy.
class CopyTeam {
 public:
  explicit CopyTeam(int threads) : threads_(threads) {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this, k] { work(k); });
  }
  ~CopyTeam() {
    stop_.store(true);
    round_.fetch_add(1, std::memory_order_release);
    for (std::thread& worker : workers_) worker.join();
  }

  void copy(void* dst, const void* src, size_t bytes) {
    dst_ = static_cast<char*>(dst);
    src_ = static_cast<const char*>(src);
    bytes_ = bytes;
    pending_.store(threads_ - 1, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    share(0);
    while (pending_.load(std::memory_order_acquire) != 0) relax(++spins_);
  }

 private:
  // On a machine with fewer free cores than threads a spinning thread must let others run.
  static void relax(unsigned spins) {
    if (spins % 1024 == 0) std::this_thread::yield();
  }
  void share(int k) const {
    const size_t part = (bytes_ / static_cast<size_t>(threads_) + 63) / 64 * 64;
    const size_t begin = std::min(bytes_, part * static_cast<size_t>(k));
    std::memcpy(dst_ + begin, src_ + begin, std::min(part, bytes_ - begin));
  }
  void work(int k) {
    unsigned seen = 0, spins = 0;
    while (true) {
      unsigned now;
      while ((now = round_.load(std::memory_order_acquire)) == seen) relax(++spins);
      seen = now;
      if (stop_.load()) return;
      share(k);
      pending_.fetch_sub(1, std::memory_order_release);
    }
  }

  const int threads_;
  char* dst_ = nullptr;
  const char* src_ = nullptr;
  size_t bytes_ = 0;
  unsigned spins_ = 0;
  std::atomic<unsigned> round_{0};
  std::atomic<int> pending_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

}  // namespace

Timing measure(const std::function<void(size_t)>& run, const std::function<void()>& sync, double seconds) {
  size_t next = 0;
  const auto batch = [&](size_t calls) {
    const auto begin = Clock::now();
    for (size_t i = 0; i < calls; ++i) run(next++);
    sync();
    return to_seconds(Clock::now() - begin);
  };
  size_t calls = 1;
  double once = batch(1);  // also warms up
  while (once < 100e-6 && calls < (size_t{1} << 20)) {
    calls *= 2;
    once = batch(calls);
  }
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 5 || (to_seconds(Clock::now() - begin) < seconds && times.size() < 100000)) {
    times.push_back(batch(calls) / static_cast<double>(calls));
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

Timing measure_copy(const Context& context, const Stream& stream, DLDevice device, uint64_t bytes, size_t sets,
                    int threads, double seconds) {
  const auto half = static_cast<int64_t>(std::max<uint64_t>(bytes / 2, 1));
  std::vector<Buffer> src, dst;
  const std::vector<unsigned char> zeros(static_cast<size_t>(half));
  for (size_t k = 0; k < sets; ++k) {
    src.emplace_back(context, device, kU8, Shape{half});
    dst.emplace_back(context, device, kU8, Shape{half});
    upload(context, stream, zeros.data(), src.back());  // memory never written reads faster
    upload(context, stream, zeros.data(), dst.back());
  }
  stream.synchronize();
  const auto sync = [&] { stream.synchronize(); };
  if (device.device_type != kDLCPU) {
    return measure(
        [&](size_t i) {
          check(tileops_tensor_copy(context.get(), src[i % sets].tensor(), dst[i % sets].tensor(), stream.get()));
        },
        sync, seconds);
  }
  Timing best;
  for (const int team_size : {1, threads}) {
    if (team_size == 1 && best.min != 0) break;
    CopyTeam team(team_size);
    const Timing timing = measure(
        [&](size_t i) {
          team.copy(dst[i % sets].tensor()->data, src[i % sets].tensor()->data, static_cast<size_t>(half));
        },
        sync, seconds / 2);
    if (best.min == 0 || timing.min < best.min) best = timing;
  }
  return best;
}

}  // namespace tileops::cli
