// Which of the compiled instruction sets this CPU runs.
#include <cstring>

#include "cpu/kernel.h"

namespace tileops::cpu {

#ifdef TILEOPS_HAVE_ISA_AVX512VBMI
namespace isa_avx512vbmi {
extern const IsaKernels kIsa;
}
#endif
#ifdef TILEOPS_HAVE_ISA_AVX512
namespace isa_avx512 {
extern const IsaKernels kIsa;
}
#endif
#ifdef TILEOPS_HAVE_ISA_AVX2
namespace isa_avx2 {
extern const IsaKernels kIsa;
}
#endif
#ifdef TILEOPS_HAVE_ISA_BASELINE
namespace isa_baseline {
extern const IsaKernels kIsa;
}
#endif

namespace {

struct Candidate {
  const IsaKernels* kernels;
  bool (*runs)();
};

[[maybe_unused]] bool runs_avx2() {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

[[maybe_unused]] bool runs_avx512() {
#ifdef __x86_64__
  return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

[[maybe_unused]] bool runs_avx512vbmi() {
#ifdef __x86_64__
  return runs_avx512() && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
#else
  return false;
#endif
}

const Candidate kCandidates[] = {
// best first
#ifdef TILEOPS_HAVE_ISA_AVX512VBMI
    {&isa_avx512vbmi::kIsa, runs_avx512vbmi},
#endif
#ifdef TILEOPS_HAVE_ISA_AVX512
    {&isa_avx512::kIsa, runs_avx512},
#endif
#ifdef TILEOPS_HAVE_ISA_AVX2
    {&isa_avx2::kIsa, runs_avx2},
#endif
#ifdef TILEOPS_HAVE_ISA_BASELINE
    {&isa_baseline::kIsa, [] { return true; }},
#endif
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

}  // namespace tileops::cpu
