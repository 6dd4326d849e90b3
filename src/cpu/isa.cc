// Which of the compiled instruction sets this CPU runs.
#include <cstring>

#include "cpu/kernel.h"

namespace tileops::cpu {

// TILEOPS_ISAS: ISA(name) for each that was compiled in, best first (cmake/TileopsLibrary.cmake).
#define ISA(name)                 \
  namespace isa_##name {          \
    extern const IsaKernels kIsa; \
  }
TILEOPS_ISAS
#undef ISA

namespace {

struct Candidate {
  const IsaKernels* kernels;
  bool (*runs)();
};

[[maybe_unused]] bool runs_baseline() { return true; }

#ifdef __x86_64__
[[maybe_unused]] bool runs_avx2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
         __builtin_cpu_supports("bmi2");
}

[[maybe_unused]] bool runs_avx512() {
  return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

[[maybe_unused]] bool runs_avx512vbmi() {
  return runs_avx512() && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}
#endif

const Candidate kCandidates[] = {
#define ISA(name) {&isa_##name::kIsa, runs_##name},
    TILEOPS_ISAS
#undef ISA
};
constexpr int kNumCandidates = sizeof kCandidates / sizeof kCandidates[0];

struct Usable {
  const IsaKernels* list[kNumCandidates];
  int count = 0;
  Usable() {
    for (const Candidate& c : kCandidates)
      if (c.runs()) list[count++] = c.kernels;
  }
};

}  // namespace

const IsaKernels* const* usable_isas(int* count) {
  static const Usable usable;
  *count = usable.count;
  return usable.list;
}

bool isa_compiled_in(const char* name) {
  for (const Candidate& c : kCandidates)
    if (!std::strcmp(c.kernels->name, name)) return true;
  return false;
}

const char* compiled_isas() {
#define ISA(name) " " #name
  return &(TILEOPS_ISAS)[1];
#undef ISA
}

}  // namespace tileops::cpu
