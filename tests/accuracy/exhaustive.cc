// Measures the operators of the library through its C API against exact results rounded once.
//
//   exhaustive [--ops a,b] [--dtypes f16,f32] [--isas avx512] [--threads N] [--seed N]
//              [--f32-stride N] [--log2-f32 N] [--log2-f64 N] [--log2-pairs N] [--log2-gated N]
//              [--log2-f32-pairs N] [--show N] [--list 1]
//
// Operators of one operand: all inputs of f16, bf16, e4m3fn and e5m2; of f32 every --f32-stride-th
// of the 2^32 (1: all), or a sample of 2^N; a sample of f64. Of two operands: all pairs of 8-bit
// numbers, samples of the others. On every instruction set of this machine, for f16 and bf16 once
// in large tensors and once in small ones. NaN equals NaN; zeros must have the right sign.
//
// One JSON object a line for each operator and dtype. Exit status 1 if one exceeds its bound.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "job.h"
#include "library.h"

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  int depth = 0;
  parts.emplace_back();
  for (char ch : text) {  // not at the commas of softplus(beta=2,threshold=5)
    depth += (ch == '(') - (ch == ')');
    if (ch == ',' && depth == 0) parts.emplace_back();
    else parts.back() += ch;
  }
  return parts;
}

bool contains(const std::vector<std::string>& list, const std::string& a, const std::string& b) {
  if (list.empty()) return true;
  for (const std::string& s : list) {
    if (s == a || s == b) return true;
  }
  return false;
}

bool parse(int argc, char** argv, Options* o) {
  const struct {
    const char* name;
    int* value;
  } numbers[] = {{"--threads", &o->threads},
                 {"--show", &o->show},
                 {"--list", &o->list},
                 {"--log2-f32", &o->log2_f32},
                 {"--log2-f64", &o->log2_f64},
                 {"--log2-pairs", &o->log2_pairs},
                 {"--log2-gated", &o->log2_gated},
                 {"--log2-f32-pairs", &o->log2_f32_pairs}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    bool known = false;
    for (const auto& n : numbers) {
      if (key != n.name) continue;
      *n.value = std::atoi(value.c_str());
      known = true;
    }
    if (known) continue;
    if (key == "--ops") o->ops = split(value);
    else if (key == "--dtypes") o->dtypes = split(value);
    else if (key == "--isas") o->isas = split(value);
    else if (key == "--seed") o->seed = std::strtoull(value.c_str(), nullptr, 0);
    else if (key == "--f32-stride") o->f32_stride = std::strtoull(value.c_str(), nullptr, 0);
    else return false;
  }
  if (o->isas.empty()) o->isas = usable_isas();
  return argc % 2 == 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, &options)) {
    std::fprintf(stderr, "exhaustive: unknown option; see the top of its source\n");
    return 2;
  }
  if (options.list != 0) {
    for (const Case& c : all_cases()) std::puts(c.name.c_str());
    return 0;
  }
  if (!formats_agree()) {
    std::fprintf(stderr, "exhaustive: formats.cc and the oracle round differently\n");
    return 2;
  }
  struct Work {
    const Case* c;
    const Format* format;
  };
  std::vector<Work> work;
  for (const char* dtype : {"f16", "bf16", "e4m3fn", "e5m2", "f32", "f64"}) {
    for (const Case& c : all_cases()) {
      if (!contains(options.ops, c.name, c.op) || !contains(options.dtypes, dtype, "")) continue;
      work.push_back({&c, find_format(dtype)});
    }
  }
  std::atomic<size_t> next{0};
  std::atomic<int> status{0};
  std::mutex mutex;
  const auto worker = [&] {
    for (size_t i; (i = next++) < work.size();) {
      try {
        const Row row = measure(*work[i].c, *work[i].format, options);
        if (!row.within_bounds()) status = 1;
        std::lock_guard<std::mutex> lock(mutex);
        std::puts(row.json().c_str());
        std::fflush(stdout);
      } catch (const std::exception& e) {
        std::fprintf(stderr, "%s %s: %s\n", work[i].c->name.c_str(), work[i].format->name, e.what());
        status = 2;
      }
    }
  };
  std::vector<std::thread> pool;
  for (int t = 0; t < options.threads; ++t) pool.emplace_back(worker);
  for (std::thread& t : pool) t.join();
  return status;
}
