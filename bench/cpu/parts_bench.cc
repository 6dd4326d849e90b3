// Executes in parts on threads of the program's beside those of the context: `parts_bench [THREADS [ROUNDS]]`, a table on
// stdout. All ways are measured in turns, in one process and on one set of operands; a time is the least of all rounds,
// with the median behind it.
//   one        tileops_execute by a context of one thread
//   own        tileops_execute by a context of THREADS threads
//   openmp     tileops_execute_part in an OpenMP team, which spins between its calls
//   sleeping   tileops_execute_part on threads that sleep between the calls (a condition variable)
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "program.h"

using namespace tileops_bench;

namespace {

using Work = std::function<void(uint32_t)>;

// Threads that take the next part when they are free, the caller among them.
class SleepingPool {
 public:
  explicit SleepingPool(int threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~SleepingPool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ends_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void run(uint32_t parts, const Work& work) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_ = &work;
      parts_ = parts;
      next_ = 0;
      busy_ = threads_.size();
      ++call_;
    }
    wake_.notify_all();
    take();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
  }

 private:
  void take() {
    for (uint32_t part; (part = next_++) < parts_;) (*work_)(part);
  }
  void serve() {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return ends_ || call_ != seen; });
      if (ends_) return;
      seen = call_;
      lock.unlock();
      take();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const Work* work_ = nullptr;
  uint32_t parts_ = 0;
  std::atomic<uint32_t> next_{0};
  size_t busy_ = 0;
  uint64_t call_ = 0;
  bool ends_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : static_cast<int>(std::thread::hardware_concurrency());
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 400;
  constexpr int64_t kColumns = 4096, kMostRows = 4096;
  const auto memory = [](float value) { return std::vector<float>(static_cast<size_t>(kColumns * kMostRows), value); };
  const std::vector<float> x = memory(0.5f), w = memory(1.25f);
  std::vector<float> y = memory(0);
  tileops_context *one = context_of(1), *many = context_of(threads);
  SleepingPool sleeping(threads);
  omp_set_num_threads(threads);
  const struct {
    const char *name, *text;
    bool row;  // is w one?
  } texts[] = {{"rms_norm", "(x, w; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w", true},
               {"silu(x) * w", "(x, w) -> silu(x) * w", false},
               {"column sums", "(x, w) -> sum(x * w, axis = -2)", false}};
  std::printf("us, least (median) of %d rounds, f32 rows of %d, %d threads\n\n", rounds, static_cast<int>(kColumns),
              threads);
  std::printf("| text | rows | one | own | openmp | sleeping |\n|---|---:|---:|---:|---:|---:|\n");
  for (const auto& t : texts) {
    for (const int64_t rows : {1, 16, 64, 256, 4096}) {
      const int64_t all[] = {rows, kColumns}, row[] = {1, kColumns};
      const DLDataType f32{kDLFloat, 32, 1};
      const std::vector<tileops_tensor_desc> in = {{f32, 2, all, nullptr}, {f32, 2, t.row ? row : all, nullptr}};
      tileops_plan *serial = plan_of(one, t.text, in), *parallel = plan_of(many, t.text, in);
      const void* const inputs[] = {x.data(), w.data()};
      void* const outputs[] = {y.data()};
      tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
      args.num_inputs = 2;
      args.num_outputs = 1;
      args.input_ptrs = inputs;
      args.output_ptrs = outputs;
      const uint32_t phases = static_cast<uint32_t>(number(parallel, TILEOPS_PLAN_NUM_PASSES));
      const uint32_t parts =
          static_cast<uint32_t>(std::min(number(parallel, TILEOPS_PLAN_NUM_PARTS), 4 * threads));
      uint32_t phase = 0;
      const Work work = [&](uint32_t part) { ok(tileops_execute_part(parallel, &args, phase, part, parts)); };
      std::vector<Way> ways = {
                    {"one", [&] { ok(tileops_execute_with(serial, &args)); }},
                    {"own", [&] { ok(tileops_execute_with(parallel, &args)); }},
                    {"openmp",
                     [&] {
                       for (phase = 0; phase < phases; ++phase) {
                         if (parts == 1) {
                           work(0);
                           continue;
                         }
#pragma omp parallel for schedule(static)
                         for (uint32_t part = 0; part < parts; ++part) work(part);
                       }
                     }},
                    {"sleeping",
                     [&] {
                       for (phase = 0; phase < phases; ++phase)
                         if (parts == 1) work(0);
                         else sleeping.run(parts, work);
                     }}};
      const int repeat = rows == kMostRows ? std::max(rounds / 20, 5) : rounds;
      measure_in_turns(&ways, repeat, 1);
      std::printf("| %s | %d |", t.name, static_cast<int>(rows));
      for (const Way& way : ways) std::printf(" %.1f (%.1f) |", way.least() / 1000, way.median() / 1000);
      std::printf("\n");
      tileops_plan_destroy(serial);
      tileops_plan_destroy(parallel);
    }
  }
  tileops_context_destroy(one);
  tileops_context_destroy(many);
}
