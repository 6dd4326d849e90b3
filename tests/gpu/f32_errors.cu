// Errors of float32 results on a GPU (policy `bounded`, plans without TILEOPS_PLAN_REPRODUCIBLE, and `within_2_20`,
// values inside expressions) over all 2^32 inputs, against the f64 form of the same body computed there, which is right
// to 2 ulp of f64.
//
//   nvcc -std=c++17 -arch=sm_90 --fmad=false -I include -I src -o f32_errors tests/gpu/f32_errors.cu
//   ./f32_errors [NAME...]
//
// One JSON object a line: operator, largest error in ulp (inner ones: in 2^-20 of the result) and where, its bound,
// results beyond it. Exit status 1 if there are any.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/kernels/elementwise.h"
#include "tileops/device/cuda/forms/within_2_20.h"

namespace tileops {
namespace kernels {
namespace {

struct Worst {
  unsigned long long error_and_input;  // error as float bits, then the input's
  unsigned long long beyond;
};

// In ulp of the exact result's binade; the distance of subnormal results is counted in 2^-149. What is
// not a number must not be one here either, and beyond the largest float infinity is right.
__device__ float error_of(float got, double want) {
  if (want != want) return got != got ? 0.0f : limits<float>::inf();
  const float nearest = static_cast<float>(want);
  if (got == nearest) {
    if (nearest == 0.0f && signbit(got) != signbit(nearest)) return limits<float>::inf();
    if (nearest - nearest != 0.0f) return 0.0f;
  }
  if (got != got) return limits<float>::inf();
  const double held = got - got != 0.0f ? ::copysign(0x1p128, static_cast<double>(got)) : got;
  const double magnitude = ::fabs(want);
  const int exponent = magnitude < 0x1p-126 ? -126 : ::min(127, ::ilogb(magnitude));
  return static_cast<float>(::fabs(held - want) * ::scalbn(1.0, 23 - exponent));
}

// In 2^-20 of the exact result, or in 2^-118 where that is more.
__device__ float relative_error_of(float got, double want) {
  if (want != want) return got != got ? 0.0f : limits<float>::inf();
  if (got != got) return limits<float>::inf();
  if (got == static_cast<float>(want)) return 0.0f;
  const double held = got - got != 0.0f ? ::copysign(0x1p128, static_cast<double>(got)) : got;
  return static_cast<float>(::fabs(held - want) / ::fmax(::fabs(want), 0x1p-98) * 0x1p20);
}

template <class Policy, template <class, class> class Body>
__global__ void sweep(const AttrValue* attrs, float bound, Worst* worst) {
  const Body<Policy, float> form(attrs);
  const Body<portable, double> exact(attrs);
  float most = -1.0f;
  u32 at = 0;
  unsigned long long beyond = 0;
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < (u64{1} << 32); i += threads) {
    const float x = from_bits(static_cast<u32>(i));
    const float got = apply(form, x);
    const double want = apply(exact, static_cast<double>(x));
    const float e = same_v<Policy, within_2_20> ? relative_error_of(got, want) : error_of(got, want);
    beyond += e > bound;
    if (e > most) {
      most = e;
      at = static_cast<u32>(i);
    }
  }
  atomicMax(&worst->error_and_input, static_cast<unsigned long long>(to_bits(most)) << 32 | at);
  if (beyond) atomicAdd(&worst->beyond, beyond);
}

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "f32_errors: %s\n", cudaGetErrorString(e));
  std::exit(2);
}

int failures = 0;

template <template <class, class> class Body, class Policy = bounded>
void run(int argc, char** argv, const char* name, double bound, double a0 = 0, double a1 = 0, double a2 = 0) {
  bool wanted = argc == 1;
  for (int i = 1; i < argc; ++i) wanted = wanted || !std::strcmp(argv[i], name);
  if (!wanted) return;
  AttrValue host[4] = {}, *attrs;
  host[0].f64 = a0;
  host[1].f64 = a1;
  host[2].f64 = a2;
  Worst w{}, *worst;
  check(cudaMalloc(&attrs, sizeof host));
  check(cudaMalloc(&worst, sizeof w));
  check(cudaMemcpy(attrs, host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaMemcpy(worst, &w, sizeof w, cudaMemcpyHostToDevice));
  sweep<Policy, Body><<<132 * 16, 128>>>(attrs, static_cast<float>(bound), worst);
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(&w, worst, sizeof w, cudaMemcpyDeviceToHost));
  const u32 bits = static_cast<u32>(w.error_and_input >> 32);
  float error;
  std::memcpy(&error, &bits, 4);
  std::printf("{\"op\": \"%s\", \"dtype\": \"float32\", \"inputs\": 4294967296, \"%s\": %.3f, \"worst_input\": "
              "\"%08x\", "
              "\"bound\": %g, \"beyond\": %llu}\n",
              name, same_v<Policy, within_2_20> ? "worst_2^-20" : "worst_ulp", error,
              static_cast<u32>(w.error_and_input), bound, w.beyond);
  std::fflush(stdout);
  failures += w.beyond != 0;
  cudaFree(attrs);
  cudaFree(worst);
}

int run_all(int argc, char** argv) {
#define RUN(name, ...) run<op::name>(argc, argv, #name, __VA_ARGS__);
  RUN(exp, 1)
  RUN(log, 1)
  RUN(sqrt, 0.5)
  RUN(rsqrt, 1)
  RUN(reciprocal, 0.5)
  RUN(sin, 1)
  RUN(cos, 1)
  RUN(erf, 1)
  RUN(log1p, 1)
  RUN(expm1, 1)
  RUN(tan, 1)
  RUN(asin, 1)
  RUN(acos, 1)
  RUN(atan, 1)
  RUN(sinh, 1)
  RUN(cosh, 1)
  RUN(asinh, 1)
  RUN(acosh, 1)
  RUN(atanh, 1)
  RUN(exp2, 1)
  RUN(log2, 1)
  RUN(log10, 1)
  RUN(cbrt, 1)
  RUN(sinc, 2)
  RUN(erfc, 1)
  RUN(erfinv, 2)
  RUN(lgamma, 3)
  RUN(gelu, 2)
  RUN(gelu_tanh, 2)
  RUN(silu, 2)
  RUN(sigmoid, 2)
  RUN(tanh, 2)
  run<op::elu_one>(argc, argv, "elu", 2);
  run<op::elu>(argc, argv, "elu(alpha=1.25)", 2, 1.25);
  RUN(selu, 2)
  RUN(hardswish, 2)
  RUN(hardsigmoid, 2)
  run<op::softplus_one>(argc, argv, "softplus", 2);
  run<op::softplus>(argc, argv, "softplus(beta=0.75,threshold=5)", 2, 0.75, 5.0);
  RUN(mish, 2)
  RUN(logsigmoid, 2)
  RUN(softsign, 2)
  RUN(tanhshrink, 2)
  run<op::celu>(argc, argv, "celu(alpha=1.7)", 2, 1.7);
#undef RUN
#define RUN_INNER(name) run<op::name, within_2_20>(argc, argv, #name " inside", 1);
  RUN_INNER(exp)
  RUN_INNER(sigmoid)
  RUN_INNER(silu)
  RUN_INNER(gelu)
  RUN_INNER(gelu_tanh)
  RUN_INNER(tanh)
  RUN_INNER(sqrt)
  RUN_INNER(rsqrt)
  RUN_INNER(reciprocal)
  RUN_INNER(sin)
  RUN_INNER(cos)
#undef RUN_INNER
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace kernels
}  // namespace tileops

int main(int argc, char** argv) { return tileops::kernels::run_all(argc, argv); }
