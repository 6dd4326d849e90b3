// Executes in parts on threads of the program's beside those of the context: `parts_bench [THREADS [ROUNDS]]`, a table on
// stdout. All ways are measured in turns, in one process and on one set of operands; a time is the least of all rounds,
// with the median behind it.
//   one        tileops_execute by a context of one thread
//   own        tileops_execute by a context of THREADS threads
//   openmp     tileops_execute_part in an OpenMP team, which spins between its calls
//   sleeping   tileops_execute_part on threads that sleep between the calls (a condition variable)
#include <omp.h>
#include <tileops/tileops.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

void ok(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "%s\n", tileops_last_error());
  std::exit(1);
}

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

struct Way {
  const char* name;
  std::function<void()> run;
  std::vector<double> us;
};

void measure(Way* way) {
  const auto begin = std::chrono::steady_clock::now();
  way->run();
  way->us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
}

int32_t number(const tileops_plan* plan, tileops_plan_prop prop) {
  int32_t value = 0;
  size_t size = sizeof value;
  ok(tileops_plan_query(plan, prop, &value, &size));
  return value;
}

tileops_context* context_of(int threads) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = threads;
  options.keep_workspace = 1;
  tileops_context* context = nullptr;
  ok(tileops_context_create(&options, &context));
  return context;
}

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
    bool row, column;  // is w one row? is the result?
  } texts[] = {{"rms_norm", "(x, w; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w", true, false},
               {"silu(x) * w", "(x, w) -> silu(x) * w", false, false},
               {"column sums", "(x, w) -> sum(x * w, axis = -2)", false, true}};
  std::printf("us, least (median) of %d rounds, f32 rows of %d, %d threads\n\n", rounds, static_cast<int>(kColumns),
              threads);
  std::printf("| text | rows | one | own | openmp | sleeping |\n|---|---:|---:|---:|---:|---:|\n");
  for (const auto& t : texts) {
    tileops_expr* expr = nullptr;
    ok(tileops_expr_parse(t.text, std::strlen(t.text), &expr));
    for (const int64_t rows : {1, 16, 64, 256, 4096}) {
      const int64_t all[] = {rows, kColumns}, row[] = {1, kColumns};
      const DLDataType f32{kDLFloat, 32, 1};
      const tileops_tensor_desc in[] = {{f32, 2, all, nullptr}, {f32, 2, t.row ? row : all, nullptr}};
      const tileops_tensor_desc out = {f32, 2, t.column ? row : all, nullptr};
      tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
      desc.device = {kDLCPU, 0};
      desc.expr = expr;
      desc.num_inputs = 2;
      desc.num_outputs = 1;
      desc.inputs = in;
      desc.outputs = &out;
      tileops_plan *serial = nullptr, *parallel = nullptr;
      ok(tileops_plan_create(one, &desc, &serial));
      ok(tileops_plan_create(many, &desc, &parallel));
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
      Way ways[] = {{"one", [&] { ok(tileops_execute_with(serial, &args)); }, {}},
                    {"own", [&] { ok(tileops_execute_with(parallel, &args)); }, {}},
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
                     },
                     {}},
                    {"sleeping",
                     [&] {
                       for (phase = 0; phase < phases; ++phase)
                         if (parts == 1) work(0);
                         else sleeping.run(parts, work);
                     },
                     {}}};
      const int repeat = rows == kMostRows ? std::max(rounds / 20, 5) : rounds;
      for (int r = 0; r < repeat; ++r)
        for (Way& way : ways) measure(&way);
      std::printf("| %s | %d |", t.name, static_cast<int>(rows));
      for (Way& way : ways) {
        std::sort(way.us.begin(), way.us.end());
        std::printf(" %.1f (%.1f) |", way.us.front(), way.us[way.us.size() / 2]);
      }
      std::printf("\n");
      tileops_plan_destroy(serial);
      tileops_plan_destroy(parallel);
    }
    tileops_expr_destroy(expr);
  }
  tileops_context_destroy(one);
  tileops_context_destroy(many);
}
