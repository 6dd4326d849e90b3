// Lists on CUDA as far as the host goes, with a driver that computes nothing (counting_driver.cc): how many launches
// they are, and that each thread block finds the arguments of its item, which are those that an execute of it has. What
// a block does is done here: see src/cuda/kernels/core/list.h. Exit status 0 is success.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "call.h"
#include "counting_driver.h"

namespace opentest {
namespace {

int failures = 0;
void Expect(bool right, const std::string& what) {
  if (!right && failures++ < 10) std::printf("%s; last error: %s\n", what.c_str(), tileops_last_error());
}

// ---- What was launched

// The numbers behind `name` in a kernel's text, as in "own_words = seq<0, 3, 5>" and "views = 4".
std::vector<long> NumbersBehind(const std::string& source, const std::string& name) {
  const size_t spec = source.rfind("struct spec {"), at = source.find(name, spec);
  std::vector<long> numbers;
  if (spec == std::string::npos || at == std::string::npos) return numbers;
  const char* p = source.c_str() + at + name.size();
  for (char* end; *p && !std::strchr(">;\n", *p); p = end == p ? p + 1 : end)
    if (const long n = std::strtol(p, &end, 10); end != p) numbers.push_back(n);
  return numbers;
}
long NumberBehind(const std::string& source, const std::string& name) {
  const std::vector<long> all = NumbersBehind(source, name + " = ");
  return all.empty() ? -1 : all[0];
}

// How many words the arguments of a kernel have (device/cuda/kernel/arguments.h).
size_t WordsOf(const std::string& source) {
  const auto n = [&](const char* name) { return NumberBehind(source, name); };
  const long at_least_one_stride = std::max(n("num_strides"), 1L), at_least_one = std::max(n("attrs"), 1L);
  const long rows = source.find("row_arguments<spec>", source.rfind("struct spec {")) != std::string::npos ? 4 : 0;
  return static_cast<size_t>(5 + n("views") + 3 * n("dims") + at_least_one_stride * n("dims") + at_least_one + rows);
}

using Words = std::vector<uint64_t>;
struct Launched {
  uint32_t blocks, threads;
  std::vector<Words> items;  // the arguments of each item, as its thread blocks have them
};
std::vector<Launched> launched;

constexpr size_t kFlags = 1, kUnaligned = 3;

Launched OfList(uint32_t blocks, uint32_t threads, const uint64_t* parameter, const std::string& source) {
  const std::vector<long> own = NumbersBehind(source, "own_words = seq<");
  const size_t words = WordsOf(source), each = 1 + own.size();
  const uint64_t* common = parameter + 1;
  const uint64_t count = common[words];
  const uint64_t* items = common + words + 1;
  Launched all{blocks, threads, {}};
  uint64_t before = count;
  for (uint32_t block = 0; block < blocks; ++block) {
    uint64_t item = 0, behind = count;
    while (behind - item > 1) (items[(item + behind) / 2 * each] <= block ? item : behind) = (item + behind) / 2;
    if (item == before) continue;
    Expect(items[item * each] == block, "an item begins in another block than it says");
    Expect(item == (before == count ? 0 : before + 1), "a block has no item, or items are out of order");
    before = item;
    Words a(common, common + words);
    for (size_t k = 0; k < own.size(); ++k) a[static_cast<size_t>(own[k])] = items[item * each + 1 + k];
    if (a[kUnaligned] & ~common[kUnaligned]) a[kFlags] |= 1;
    all.items.push_back(a);
  }
  Expect(all.items.size() == count, "items without a block");
  return all;
}

std::string DifferenceOf(const std::vector<Words>& a, const std::vector<Words>& b) {
  if (a.size() != b.size()) return ": " + std::to_string(a.size()) + " items, and not " + std::to_string(b.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t w = 0; w < std::max(a[i].size(), b[i].size()); ++w)
      if (w >= a[i].size() || w >= b[i].size() || a[i][w] != b[i][w])
        return ": item " + std::to_string(i) + ", word " + std::to_string(w) + " of " + std::to_string(a[i].size()) +
               " and " + std::to_string(b[i].size()) + ": " + std::to_string(a[i].at(w)) + ", " +
               std::to_string(b[i].at(w));
  return "";
}

void Note(uint32_t blocks, uint32_t threads, const uint64_t* parameter, const char* source) {
  const std::string text = source;
  if (text.find("own_words", text.rfind("struct spec {")) != std::string::npos)
    launched.push_back(OfList(blocks, threads, parameter, text));
  else launched.push_back({blocks, threads, {Words(parameter, parameter + WordsOf(text))}});
}

// ---- Items

struct Item {
  int64_t extent;
  std::vector<std::vector<char>> memory;
  std::vector<const void*> in;
  std::vector<void*> out;
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;

  Item(const Text& text, int64_t n, bool aligned, const tileops_plan* plan) : extent(n) {
    const Described of(text, {std::max<int64_t>(n, 1)});
    const auto room = [&](const tileops_tensor_desc& t) {
      size_t bytes = t.dtype.bits / 8;
      for (int d = 0; d < t.ndim; ++d) bytes *= static_cast<size_t>(t.shape[d]);
      const uintptr_t at = reinterpret_cast<uintptr_t>(memory.emplace_back(bytes + 128).data());
      return reinterpret_cast<char*>((at + 63) / 64 * 64) + (aligned ? 0 : t.dtype.bits / 8);
    };
    for (const tileops_tensor_desc& t : of.inputs()) in.push_back(room(t));
    for (const tileops_tensor_desc& t : of.outputs()) out.push_back(room(t));
    tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
    Expect(tileops_plan_at(plan, &extent, 1, &facts) == TILEOPS_STATUS_OK, "facts");
    char* workspace = memory.emplace_back(facts.workspace_bytes + 64).data();
    args.workspace = workspace + (64 - reinterpret_cast<uintptr_t>(workspace) % 64) % 64;
    args.workspace_bytes = facts.workspace_bytes;
    if (!args.workspace_bytes) args.workspace = nullptr;
    args.input_ptrs = in.data();
    args.output_ptrs = out.data();
    args.num_inputs = static_cast<uint32_t>(in.size());
    args.num_outputs = static_cast<uint32_t>(out.size());
    args.extents = &extent;
    args.num_extents = 1;
  }
};

const Text kTexts[] = {
    {"(p, g, m, v, t; lr = 0.1) -> { a = m * 0.9 + g * 0.1;  b = v * 0.99 + g * g * 0.01;  p - lr * a / (sqrt(b) * t + "
     "1e-8), a, b }",
     1,
     [](const Extents& n) { return std::vector<Shape>{{n[0]}, {n[0]}, {n[0]}, {n[0]}, {}}; },
     {kF32, kF32, kF32, kF32, kF32}},
    {"(x, w; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w",
     1,
     [](const Extents& n) { return std::vector<Shape>{{n[0], 512}, {512}}; },
     {kBf16, kBf16}},
    {"(x) -> { t = exp(x - amax(x, axis = -2));  t / sum(t, axis = -2) }",
     1,
     [](const Extents& n) { return std::vector<Shape>{{n[0], 40}}; },
     {kF32}},
    {"(x) -> x - mean(x, axis = -2)", 1, [](const Extents& n) { return std::vector<Shape>{{3, n[0], 50}}; }, {kF32}},
    {"(x) -> amax(x, axis = -2), sum(x, axis = -2)",
     1,
     [](const Extents& n) { return std::vector<Shape>{{n[0], 3}}; },
     {kF32}},
    {"(x) -> sum(x * x, axis = all)", 1, [](const Extents& n) { return std::vector<Shape>{{n[0]}}; }, {kF32}},
};

// The list's launches, which are as few as parameters allow, and the arguments of each item beside an execute of it.
void Check(const Text& text, tileops_context* context, size_t count, std::mt19937_64* random) {
  const DLDevice cuda{kDLCUDA, 0};
  const Described open(text, {TILEOPS_OPEN}, context, cuda);
  const Plan plan = open.MakePlan(TILEOPS_PLAN_LIST), single = open.MakePlan();
  if (!plan || !single) return Expect(false, "no plan of " + text.text);
  std::vector<std::unique_ptr<Item>> items;
  std::vector<tileops_execute_args> args;
  const int64_t sizes[] = {0, 1, 7, 1000, static_cast<int64_t>((*random)() % 500)};
  for (size_t i = 0; i < count; ++i) {
    items.push_back(std::make_unique<Item>(text, sizes[(*random)() % 5], (*random)() % 4 != 0, plan.get()));
    args.push_back(items.back()->args);
  }
  launched.clear();
  Expect(tileops_execute_list(plan.get(), args.data(), args.size()) == TILEOPS_STATUS_OK, "fails: " + text.text);
  const std::vector<Launched> listed = std::move(launched);
  launched.clear();
  int32_t passes = 0;
  size_t size = sizeof passes;
  Expect(tileops_plan_query(plan.get(), TILEOPS_PLAN_NUM_PASSES, &passes, &size) == TILEOPS_STATUS_OK, "passes");
  std::vector<std::vector<Words>> each(static_cast<size_t>(passes));  // of the items
  for (const auto& item : items) {
    launched.clear();
    Expect(tileops_execute_with(single.get(), &item->args) == TILEOPS_STATUS_OK, "fails: " + text.text);
    for (size_t l = 0; l < launched.size(); ++l)  // of nothing the last ones alone are launched
      each[l + each.size() - launched.size()].push_back(launched[l].items[0]);
  }
  size_t at = 0, most = 0;
  for (size_t pass = 0; pass < each.size(); ++pass) {
    std::vector<Words> of_list;
    for (; at < listed.size() && of_list.size() < each[pass].size(); ++at) {
      of_list.insert(of_list.end(), listed[at].items.begin(), listed[at].items.end());
      most = std::max(most, listed[at].items.size());
    }
    Expect(of_list == each[pass],
           "arguments differ: " + text.text + ", pass " + std::to_string(pass) + DifferenceOf(of_list, each[pass]));
  }
  Expect(at == listed.size(), "launches that no pass has: " + text.text);
  Expect(count > 300 || listed.size() <= each.size(), "more launches than passes: " + text.text);
  std::printf("%-60s %zu items, %zu passes: %zu launches, of %zu items at most\n", text.text.substr(0, 60).c_str(),
              count, each.size(), listed.size(), most);
}

int Main(const char* driver) {
  void* library = dlopen(driver, RTLD_NOW | RTLD_GLOBAL);
  if (!library) return std::printf("%s\n", dlerror()), 1;
  reinterpret_cast<void (*)(Watch)>(dlsym(library, "counting_driver_watch"))(Note);
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.cache_mode = TILEOPS_CACHE_OFF;
  options.nvrtc_path = driver;
  tileops_context* context = nullptr;
  Expect(tileops_context_create(&options, &context) == TILEOPS_STATUS_OK, "context");
  std::mt19937_64 random(1);
  for (const Text& text : kTexts)
    for (const size_t count : {1, 7, 291, 2000}) Check(text, context, count, &random);
  tileops_context_destroy(context);
  return failures != 0;
}

}  // namespace
}  // namespace opentest

int main(int argc, char** argv) { return argc == 2 ? opentest::Main(argv[1]) : 2; }
