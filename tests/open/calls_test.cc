// An execute at extents that were never seen plans, allocates, locks, loads and compiles nothing: on the CPU, and on
// CUDA with a driver that counts its calls (counting_driver.cc). Exit status 0 is success.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <string>

#include "../common/counted_calls.h"
#include "counting_driver.h"
#include "texts.h"

namespace opentest {
namespace {

constexpr int64_t kColumns = 32, kMost = 8192;
int failures = 0;

void Expect(bool right, const char* what, const std::string& text, int64_t rows) {
  if (right || failures++ > 10) return;
  std::printf("%s: %s, rows %lld; last error: %s\n", what, text.c_str(), static_cast<long long>(rows),
              tileops_last_error());
}

// Those at which CUDA's ways begin, and 2,000 others.
std::vector<int64_t> ManyExtents() {
  std::vector<int64_t> list = {1, 2, 131, 132, 527, 528, 529, kMost, 0};
  std::set<int64_t> known(list.begin(), list.end());
  std::mt19937_64 random(1);
  while (list.size() < 2009) {
    const int64_t rows = static_cast<int64_t>(random() % (kMost / 3));
    if (known.insert(rows).second) list.push_back(rows);
  }
  return list;
}

// Memory for all extents, and the arguments of an execute by addresses.
struct Arguments {
  std::vector<std::vector<char>> memory;
  std::vector<char> workspace;
  std::vector<const void*> in;
  std::vector<void*> out;
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  int64_t rows = 0;

  Arguments(const Described& most, const tileops_plan* plan) {
    const auto room = [&](const tileops_tensor_desc& t) {
      size_t bytes = t.dtype.bits / 8;
      for (int d = 0; d < t.ndim; ++d) bytes *= static_cast<size_t>(t.shape[d]);
      return memory.emplace_back(bytes).data();
    };
    for (const tileops_tensor_desc& t : most.inputs()) in.push_back(room(t));
    for (const tileops_tensor_desc& t : most.outputs()) out.push_back(room(t));
    tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
    rows = kMost;
    if (tileops_plan_at(plan, &rows, 1, &facts) != TILEOPS_STATUS_OK) ++failures;
    workspace.resize(facts.workspace_bytes + 64);
    args.workspace = workspace.data() + (64 - reinterpret_cast<uintptr_t>(workspace.data()) % 64) % 64;
    args.workspace_bytes = facts.workspace_bytes;
    if (!args.workspace_bytes) args.workspace = nullptr;
    args.input_ptrs = in.data();
    args.output_ptrs = out.data();
    args.num_inputs = static_cast<uint32_t>(in.size());
    args.num_outputs = static_cast<uint32_t>(out.size());
    args.extents = &rows;
    args.num_extents = 1;
  }
};

struct Counted {
  counted::Calls calls;
  long launches = 0, others = 0;  // of the driver
};

// What it takes to ask what an execute is, and to execute, at each of the extents.
std::vector<Counted> Execute(const Text& text, const tileops_plan* plan, Arguments* a, Counts counts) {
  std::vector<Counted> all;
  long ignored;
  for (const int64_t rows : ManyExtents()) {
    a->rows = rows;
    Counted c;
    tileops_status status = TILEOPS_STATUS_OK;
    if (counts) counts(&ignored, &ignored, 1);
    c.calls = counted::CallsIn([&] {
      tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
      status = tileops_plan_at(plan, &rows, 1, &facts);
      if (status == TILEOPS_STATUS_OK) status = tileops_execute_with(plan, &a->args);
    });
    if (counts) counts(&c.launches, &c.others, 0);
    Expect(status == TILEOPS_STATUS_OK, "fails", text.text, rows);
    all.push_back(c);
  }
  return all;
}

tileops_cache_stats StatisticsOf(tileops_context* context) {
  tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
  if (tileops_cache_stats_get(context, &stats) != TILEOPS_STATUS_OK) ++failures;
  return stats;
}

// `counts`: of the driver; NULL: on the CPU. `locks`: may it lock, to wake threads?
void Check(const Text& text, const tileops_context_options& options, DLDevice device, Counts counts, bool locks) {
  tileops_context* context = nullptr;
  if (tileops_context_create(&options, &context) != TILEOPS_STATUS_OK) {
    std::printf("context: %s\n", tileops_last_error());
    ++failures;
    return;
  }
  Plan plan;
  const counted::Calls planned = counted::CallsIn(
      [&] { plan = Described(text, {TILEOPS_UP_TO(kMost)}, context, device).MakePlan(); });
  Expect(plan != nullptr, "no plan", text.text, -1);
  Expect(planned.memory > 0 && planned.locks > 0, "planning is not counted", text.text, -1);
  if (!plan) return tileops_context_destroy(context);
  Counted of_plan;
  if (counts) counts(&of_plan.launches, &of_plan.others, 0);
  Expect(!counts || of_plan.others > 0, "planning asks the driver for nothing", text.text, -1);
  const tileops_cache_stats before = StatisticsOf(context);
  Arguments a(Described(text, {kMost}), plan.get());
  a.rows = kMost;
  // Threads start, and have scratch of their own; on a busy machine some of them late.
  for (int i = 0; locks && i < 1000; ++i)
    Expect(tileops_execute_with(plan.get(), &a.args) == TILEOPS_STATUS_OK, "fails", text.text, kMost);
  int32_t passes = 0;
  size_t size = sizeof passes;
  tileops_plan_query(plan.get(), TILEOPS_PLAN_NUM_PASSES, &passes, &size);
  Counted most;
  const std::vector<int64_t> extents = ManyExtents();
  const std::vector<Counted> all = Execute(text, plan.get(), &a, counts);
  for (size_t i = 0; i < all.size(); ++i) {
    const Counted& c = all[i];
    Expect(c.calls.memory == 0, "allocates or frees", text.text, extents[i]);
    Expect(locks || c.calls.locks == 0, "locks", text.text, extents[i]);
    Expect(c.others == 0, "asks the driver for more than launches", text.text, extents[i]);
    Expect(!counts || (extents[i] > 0 ? c.launches == passes : c.launches <= passes), "launches", text.text,
           extents[i]);
    most.launches = std::max(most.launches, c.launches);
    most.calls.locks = std::max(most.calls.locks, c.calls.locks);
  }
  const tileops_cache_stats after = StatisticsOf(context);
  Expect(after.plan_misses == 1 && after.plan_misses == before.plan_misses && after.plan_entries == 1,
         "more than one plan", text.text, -1);
  Expect(after.kernel_compiles == before.kernel_compiles, "compiles", text.text, -1);
  std::printf("%-76s %zu extents; planned with %ld calls of memory, %llu kernels compiled; launches %ld, locks %ld\n",
              text.text.substr(0, 76).c_str(), all.size(), planned.memory,
              static_cast<unsigned long long>(after.kernel_compiles), most.launches, most.calls.locks);
  plan.reset();
  tileops_context_destroy(context);
}

}  // namespace
}  // namespace opentest

// `calls_test cpu`, or `calls_test cuda DRIVER`, with the counting driver's folder on the loader's path.
int main(int argc, char** argv) {
  using namespace opentest;
  if (!counted::Counts()) {
    std::printf("calls are not counted\n");
    return 1;
  }
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.cache_mode = TILEOPS_CACHE_OFF;
  options.num_threads = 1;
  const std::vector<Text> texts = TextsOfRows(kColumns);
  if (argc < 3) {
    for (const Text& text : texts) Check(text, options, {kDLCPU, 0}, nullptr, false);
    options.num_threads = 4;
    for (const size_t i : {0, 6, 7}) Check(texts[i], options, {kDLCPU, 0}, nullptr, true);
    return failures != 0;
  }
  options.nvrtc_path = argv[2];
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  const auto counts = driver ? reinterpret_cast<Counts>(dlsym(driver, "counting_driver_counts")) : nullptr;
  if (!counts) {
    std::printf("skipped: libcuda.so.1 is not the counting driver\n");
    return 77;
  }
  for (const Text& text : texts) Check(text, options, {kDLCUDA, 0}, counts, false);
  return failures != 0;
}
