// Threads and timing of the copy loop.
#include "copy_loop.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "copy_kernels.h"

namespace tileops_bench {
namespace {

using Clock = std::chrono::steady_clock;

CopyFn find(const int* read_bytes, const int* write_bytes, bool streaming) {
#ifdef __x86_64__
  __builtin_cpu_init();
  const char* held = std::getenv("TILEOPS_CPU_ISA");  // as bench/run.py --isa does
  const bool narrow = held && !std::strcmp(held, "avx2");
  if (__builtin_cpu_supports("avx512f") && !narrow) return avx512::find(read_bytes, write_bytes, streaming);
  if (__builtin_cpu_supports("avx2")) return avx2::find(read_bytes, write_bytes, streaming);
#endif
  return baseline::find(read_bytes, write_bytes, streaming);
}

struct Job {
  const char* reads[TILEOPS_COPY_MAX_READS] = {};
  int read_bytes[TILEOPS_COPY_MAX_READS] = {};
  char* writes[TILEOPS_COPY_MAX_WRITES] = {};
  int write_bytes[TILEOPS_COPY_MAX_WRITES] = {};
  size_t blocks = 0;
  int threads = 1;
  CopyFn copy = nullptr;

  void share(int k) const {
    const size_t begin = blocks * static_cast<size_t>(k) / static_cast<size_t>(threads);
    const size_t end = blocks * (static_cast<size_t>(k) + 1) / static_cast<size_t>(threads);
    const char* from[TILEOPS_COPY_MAX_READS];
    for (int i = 0; i < TILEOPS_COPY_MAX_READS; ++i)
      from[i] = reads[i] + begin * kBlock * static_cast<size_t>(read_bytes[i]);
    char* to[TILEOPS_COPY_MAX_WRITES];
    for (int i = 0; i < TILEOPS_COPY_MAX_WRITES; ++i)
      to[i] = writes[i] + begin * kBlock * static_cast<size_t>(write_bytes[i]);
    copy(from, to, end - begin);
  }
};

// Threads that do their share whenever the round number changes. They spin, since waking a sleeping
// thread takes longer than a small copy, but let others run where cores are few.
class Team {
 public:
  explicit Team(const Job& job) : job_(job) {
    for (int k = 1; k < job.threads; ++k) workers_.emplace_back([this, k] { work(k); });
  }
  ~Team() {
    stop_.store(true);
    round_.fetch_add(1, std::memory_order_release);
    for (std::thread& worker : workers_) worker.join();
  }
  void pass() {
    pending_.store(job_.threads - 1, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    job_.share(0);
    unsigned spins = 0;
    while (pending_.load(std::memory_order_acquire) != 0) relax(++spins);
  }

 private:
  static void relax(unsigned spins) {
    if (spins % 1024 == 0) std::this_thread::yield();
  }
  void work(int k) {
    unsigned seen = 0, spins = 0;
    while (true) {
      unsigned now;
      while ((now = round_.load(std::memory_order_acquire)) == seen) relax(++spins);
      seen = now;
      if (stop_.load()) return;
      job_.share(k);
      pending_.fetch_sub(1, std::memory_order_release);
    }
  }

  const Job& job_;
  std::atomic<unsigned> round_{0};
  std::atomic<int> pending_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

double seconds_of(Team* team, int passes) {
  const auto begin = Clock::now();
  for (int i = 0; i < passes; ++i) team->pass();
  return std::chrono::duration<double>(Clock::now() - begin).count() / passes;
}

bool make_job(const tileops_copy_traffic& t, int threads, bool streaming, Job* job) {
  for (int i = 0; i < TILEOPS_COPY_MAX_READS; ++i) {
    job->reads[i] = static_cast<const char*>(t.reads[i]);
    job->read_bytes[i] = t.read_bytes[i];
  }
  // Loops are listed with the widest streams first; the order makes no difference.
  for (int i = 0; i < TILEOPS_COPY_MAX_READS; ++i)
    for (int k = i + 1; k < TILEOPS_COPY_MAX_READS; ++k)
      if (job->read_bytes[k] > job->read_bytes[i]) {
        std::swap(job->read_bytes[k], job->read_bytes[i]);
        std::swap(job->reads[k], job->reads[i]);
      }
  for (int i = 0; i < TILEOPS_COPY_MAX_WRITES; ++i) {
    job->writes[i] = static_cast<char*>(i ? t.more_writes[i - 1] : t.write);
    job->write_bytes[i] = i ? t.more_write_bytes[i - 1] : t.write_bytes;
  }
  job->blocks = static_cast<size_t>(t.elements) / kBlock;
  job->threads = std::max(threads, 1);
  // Streaming stores need an aligned address.
  for (const char* write : job->writes)
    if (streaming && reinterpret_cast<uintptr_t>(write) % 64 != 0) return false;
  job->copy = find(job->read_bytes, job->write_bytes, streaming);
  return job->copy != nullptr;
}

}  // namespace
}  // namespace tileops_bench

extern "C" double tileops_copy_measure(const tileops_copy_traffic* traffic, int32_t threads,
                                       int32_t variant, int32_t batches, int32_t passes) {
  using namespace tileops_bench;
  Job job;
  if (!make_job(*traffic, threads, variant == TILEOPS_COPY_STREAMING, &job)) return 0;
  Team team(job);
  team.pass();
  double best = 0;
  for (int32_t i = 0; i < batches; ++i) {
    const double seconds = seconds_of(&team, passes);
    if (best == 0 || seconds < best) best = seconds;
  }
  return best;
}
