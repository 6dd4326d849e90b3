// How good the fast forms of src/cuda/kernels are, over all inputs of bf16 and f16: the largest error of
// the f32 result in ulp, and the bound that the rounding test needs for the results to come out right.
// A form's bound must be at least the latter, and should be the former.
//
//   nvcc -std=c++17 -arch=sm_90 -DTILEOPS_EXACT_SM=90 --fmad=false -I include -I src -o form_errors \
//        tests/gpu/form_errors.cu
//   ./form_errors [FILE]      FILE: error (f32) and needed bound (f32) of every input, form by form
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda/kernels/elementwise.h"

namespace tileops {
namespace kernels {
namespace {

constexpr int kCodes = 65536;

template <template <class, class> class Body, class S>
__global__ void sweep(const AttrValue* attrs, float* error, float* needed, unsigned* bound) {
  *bound = Body<fast<S>, float>::ulp;
  const u32 code = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = widen(S{static_cast<u16>(code)});
  const Body<fast<S>, float> form(attrs);
  const double want = apply(Body<portable_pre_round, double>(attrs), static_cast<double>(x));
  const float got = form(x);
  bool rare = false;
  if constexpr (has_rare_v<Body<fast<S>, float>>) rare = form.rare(x);
  const double unit = ::exp2(::fmax(::floor(::log2(::fabs(want))), -126.0) - 23.0);
  const bool number = want - want == 0.0 && want != 0.0;
  rare |= !(::fabsf(x) < limits<float>::inf());
  error[code] = rare ? -1.0f : number ? static_cast<float>(::fabs(got - want) / unit) : 0.0f;
  // The smallest bound that sends a wrongly rounded result away.
  float least = 0.0f;
  const bool nan = want != want && got != got;
  if (!rare && !nan && convert<S>(want).bits != narrow_one<S>(got).bits) {
    u32 least_bound = 1;
    while (least_bound < 4096 && !fails_rounding_test<S>(got, least_bound)) ++least_bound;
    least = static_cast<float>(least_bound);
  }
  needed[code] = rare ? -1.0f : least;
}

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "form_errors: %s\n", cudaGetErrorString(e));
  std::exit(1);
}

std::FILE* dump = nullptr;
int failures = 0;

template <template <class, class> class Body, class S>
void run(const char* name, const char* dtype, double a0, double a1) {
  AttrValue host[2], *attrs;
  host[0].f64 = a0;
  host[1].f64 = a1;
  float *error, *needed;
  unsigned *device_bound, bound;
  check(cudaMalloc(&attrs, sizeof host));
  check(cudaMalloc(&device_bound, sizeof bound));
  check(cudaMalloc(&error, kCodes * 4));
  check(cudaMalloc(&needed, kCodes * 4));
  check(cudaMemcpy(attrs, host, sizeof host, cudaMemcpyHostToDevice));
  sweep<Body, S><<<kCodes / 128, 128>>>(attrs, error, needed, device_bound);
  check(cudaDeviceSynchronize());
  std::vector<float> e(kCodes), n(kCodes);
  check(cudaMemcpy(e.data(), error, kCodes * 4, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(n.data(), needed, kCodes * 4, cudaMemcpyDeviceToHost));
  int worst = 0, most = 0, wrong = 0, rare = 0;
  for (int i = 0; i < kCodes; ++i) {
    if (e[i] > e[worst]) worst = i;
    if (n[i] > n[most]) most = i;
    wrong += n[i] > 0;
    rare += e[i] < 0;
  }
  check(cudaMemcpy(&bound, device_bound, sizeof bound, cudaMemcpyDeviceToHost));
  const bool bad = n[most] > static_cast<float>(bound);  // no rounding test at all: bound 0
  failures += bad;
  std::printf("%-12s %-5s bound %3u  error %8.2f at %04x  needed %5.0f at %04x  wrongly rounded %5d  rare %5d%s\n",
              name, dtype, bound, e[worst], worst, n[most], most, wrong, rare, bad ? "  BAD" : "");
  if (dump) {
    std::fwrite(e.data(), 4, kCodes, dump);
    std::fwrite(n.data(), 4, kCodes, dump);
  }
  cudaFree(attrs);
  cudaFree(device_bound);
  cudaFree(error);
  cudaFree(needed);
}

// The gates of the gated forms: value 1.
#define GATE(name, activation)                                                                           \
  template <class P, class T>                                                                            \
  struct name##_of_1;                                                                                    \
  template <class S>                                                                                     \
  struct name##_of_1<fast<S>, float> : op::name<fast<S>, float> {                                        \
    using op::name<fast<S>, float>::name;                                                                \
    __device__ float operator()(float x) const { return op::name<fast<S>, float>::operator()(x, 1.0f); } \
    __device__ bool rare(float x) const { return op::name<fast<S>, float>::rare(x, 1.0f); }              \
  };                                                                                                     \
  template <>                                                                                            \
  struct name##_of_1<portable_pre_round, double> : op::activation<portable_pre_round, double> {          \
    using op::activation<portable_pre_round, double>::activation;                                        \
  };

#define RUN_BODY(body, name, a0, a1)     \
  run<body, bf16>(name, "bf16", a0, a1); \
  run<body, f16>(name, "f16", a0, a1);
#define RUN(name, a0, a1) RUN_BODY(op::name, #name, a0, a1)

GATE(silu_and_mul, silu)
GATE(gelu_and_mul, gelu)
GATE(gelu_tanh_and_mul, gelu_tanh)

int run_all(int argc, char** argv) {
  if (argc > 1) dump = std::fopen(argv[1], "wb");
  RUN(exp, 0, 0)
  RUN(log, 0, 0)
  RUN(log1p, 0, 0)
  RUN(expm1, 0, 0)
  RUN(erf, 0, 0)
  RUN(rsqrt, 0, 0)
  RUN(sin, 0, 0)
  RUN(cos, 0, 0)
  RUN(sigmoid, 0, 0)
  RUN(silu, 0, 0)
  RUN(gelu, 0, 0)
  RUN(gelu_tanh, 0, 0)
  RUN(mish, 0, 0)
  RUN(tanh, 0, 0)
  RUN(elu, 1, 0)
  RUN(selu, 0, 0)
  RUN(softplus, 1, 20)
  RUN(softplus_one, 1, 20)
  RUN(elu_one, 1, 0)
  RUN(softplus, 0.7, 20)
  RUN(softplus, 2.5, 5)
  RUN(elu, 0.3, 0)
  RUN(elu, 1.7, 0)
  run<op::hardswish, f16>("hardswish", "f16", 0, 0);
  run<op::hardsigmoid, f16>("hardsigmoid", "f16", 0, 0);
  RUN_BODY(silu_and_mul_of_1, "silu gate", 0, 0)
  RUN_BODY(gelu_and_mul_of_1, "gelu gate", 0, 0)
  RUN_BODY(gelu_tanh_and_mul_of_1, "gelu_tanh gate", 0, 0)
  if (dump) std::fclose(dump);
  if (failures) std::printf("%d forms with a bound that is too small\n", failures);
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace kernels
}  // namespace tileops

int main(int argc, char** argv) { return tileops::kernels::run_all(argc, argv); }
