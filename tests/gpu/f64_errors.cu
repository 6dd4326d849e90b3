// Errors of float64 results on a GPU (policy `bounded`, plans without TILEOPS_PLAN_REPRODUCIBLE) over a sample of
// inputs, against libquadmath's 113-bit functions on the host: what is printed is the error itself, to 2^-50 ulp,
// but of the sampled inputs only.
//
//   nvcc -std=c++17 -O2 -arch=sm_90 --fmad=false -Xcompiler -fext-numeric-literals -I include -I src
//       -o f64_errors tests/gpu/f64_errors.cu -lquadmath
//   ./f64_errors [NAME...]
//
// One of every four inputs is any 64 bits, one lies in the range where the operator is neither its argument nor a
// constant, one in [-4, 4), and one has a magnitude from 2^-60 to 2^10; then come zeros, infinities, NaN, ends of
// ranges and the neighbours of a form's thresholds. One JSON object a line: operator, largest error in ulp and
// where, its bound, results beyond it. Exit status 1 if there are any.
#include <quadmath.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "cuda/kernels/elementwise.h"

namespace tileops {
namespace kernels {
namespace {

using quad = __float128;
constexpr size_t kSample = size_t{1} << 24;

template <template <class, class> class Body>
__global__ void evaluate_all(const AttrValue* attrs, const double* x, double* y, size_t count) {
  const Body<bounded, double> form(attrs);
  const size_t threads = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) y[i] = apply(form, x[i]);
}

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "f64_errors: %s\n", cudaGetErrorString(e));
  std::exit(2);
}

std::vector<double> sample(double low, double high) {
  std::mt19937_64 random(20240229);
  std::vector<double> x(kSample);
  for (size_t i = 0; i < kSample; ++i) {
    const unsigned long long u = random();
    const double unit = static_cast<double>(u >> 11) * 0x1p-53;
    switch (i % 4) {
      case 0: std::memcpy(&x[i], &u, sizeof u); break;
      case 1: x[i] = low + (high - low) * unit; break;
      case 2: x[i] = 8 * unit - 4; break;
      default: x[i] = std::copysign(std::ldexp(1 + unit, static_cast<int>(u % 71) - 60), u & 0x400 ? -1.0 : 1.0);
    }
  }
  const double inf = HUGE_VAL;
  for (double edge : {0.0,
                      0x1p-1074,
                      0x1p-1023,
                      0x1p-1022,
                      0x1p-54,
                      0x1.6p-2,
                      0x1.62e42fefa39efp-2,
                      0.8,
                      1.0,
                      5.9375,
                      12.0,
                      20.0,
                      21.75,
                      38.625,
                      40.0,
                      413441.44719405076,
                      826882.8943881015,
                      709.78,
                      710.0,
                      745.13,
                      760.0,
                      0x1.6ap+1023,
                      0x1.fffffffffffffp+1023})
    for (double e : {std::nextafter(edge, -inf), edge, std::nextafter(edge, inf)})
      for (double s : {e, -e}) x.push_back(s);
  for (double special : {inf, -inf, std::nan(""), -std::nan("")}) x.push_back(special);
  return x;
}

// In ulp of the exact result's binade; the distance of subnormal results is counted in 2^-1074. What is not a
// number must not be one here either, beyond the largest double infinity is right, and zeros have signs.
double error_of(double got, quad want) {
  if (isnanq(want)) return std::isnan(got) ? 0.0 : HUGE_VAL;
  const double nearest = static_cast<double>(want);
  if (std::isnan(got)) return HUGE_VAL;
  if (got == nearest && std::isinf(got)) return 0.0;
  if (got == 0.0 && nearest == 0.0 && std::signbit(got) != (signbitq(want) != 0)) return HUGE_VAL;
  const quad held = std::isinf(got) ? copysignq(0x1p1023Q * 2, got) : static_cast<quad>(got);
  const quad magnitude = fabsq(want);
  const int exponent = magnitude < 0x1p-1022Q ? -1022 : magnitude >= 0x1p1023Q ? 1023 : ilogbq(magnitude);
  return static_cast<double>(scalbnq(fabsq(held - want), 52 - exponent));
}

int failures = 0;

template <template <class, class> class Body, class F>
void run(int argc, char** argv, const char* name, double bound, double low, double high, F exact, double a0 = 0,
         double a1 = 0) {
  bool wanted = argc == 1;
  for (int i = 1; i < argc; ++i) wanted = wanted || !std::strcmp(argv[i], name);
  if (!wanted) return;
  const std::vector<double> x = sample(low, high);
  std::vector<double> y(x.size());
  const size_t bytes = x.size() * sizeof(double);
  AttrValue host[4] = {}, *attrs;
  host[0].f64 = a0;
  host[1].f64 = a1;
  double *in, *out;
  check(cudaMalloc(&attrs, sizeof host));
  check(cudaMalloc(&in, bytes));
  check(cudaMalloc(&out, bytes));
  check(cudaMemcpy(attrs, host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaMemcpy(in, x.data(), bytes, cudaMemcpyHostToDevice));
  evaluate_all<Body><<<132 * 16, 128>>>(attrs, in, out, x.size());
  check(cudaGetLastError());
  check(cudaMemcpy(y.data(), out, bytes, cudaMemcpyDeviceToHost));
  struct Worst {
    double error = -1;
    size_t at = 0, beyond = 0;
  };
  const size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst> worst(workers);
  std::vector<std::thread> threads;
  for (size_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      Worst own;
      for (size_t i = w; i < x.size(); i += workers) {
        const double e = error_of(y[i], exact(static_cast<quad>(x[i])));
        own.beyond += !(e <= bound);
        if (e > own.error) own.error = e, own.at = i;
      }
      worst[w] = own;
    });
  for (std::thread& t : threads) t.join();
  Worst all;
  for (const Worst& w : worst) {
    all.beyond += w.beyond;
    if (w.error > all.error) all.error = w.error, all.at = w.at;
  }
  std::printf("{\"op\": \"%s\", \"dtype\": \"float64\", \"attrs\": [%g, %g], \"inputs\": %zu, \"worst_ulp\": %.3f, "
              "\"worst_input\": \"%a\", \"result\": \"%a\", \"bound\": %g, \"beyond\": %zu}\n",
              name, a0, a1, x.size(), all.error, x[all.at], y[all.at], bound, all.beyond);
  std::fflush(stdout);
  failures += all.beyond != 0;
  cudaFree(attrs);
  cudaFree(in);
  cudaFree(out);
}

// A function with the limit -0 on the left and x on the right; `value` where it is neither.
template <class F>
quad activation(quad x, F value) {
  return x < -20000 ? -0.0Q : x > 20000 ? x : value(x);
}
quad exact_silu(quad x) {
  return activation(x, [](quad v) { return v / (1 + expq(-v)); });
}
quad exact_gelu(quad x) {
  return activation(x, [](quad v) { return v / 2 * erfcq(-v / sqrtq(2.0Q)); });
}
quad exact_gelu_tanh(quad x) {
  return activation(x, [](quad v) { return v / (1 + expq(-2 * sqrtq(2 / M_PIq) * (v + 0.044715Q * v * v * v))); });
}
quad exact_mish(quad x) {
  return activation(x, [](quad v) {
    const quad n = v > 100 ? 1 / FLT128_MIN : expq(v) * (expq(v) + 2);
    return v * (n / (n + 2));
  });
}
quad exact_selu(quad x) {
  using k = selu_constants<double>;
  const quad scale = static_cast<quad>(k::scale) + k::scale_lo;
  const quad scale_alpha = static_cast<quad>(k::scale_alpha) + k::scale_alpha_lo;
  return x > 0 ? scale * x : scale_alpha * expm1q(x);
}

// A power with the first attribute for exponent, a pack of one number at a time.
template <class P, class T>
struct power : op::pow<P, T> {
  T exponent;
  __device__ explicit power(const AttrValue* a) : op::pow<P, T>(a), exponent(a[0].f64) {}
  __device__ T operator()(T x) const {
    const T base[1] = {x}, y[1] = {exponent};
    T r[1];
    this->all(r, base, y);
    return r[0];
  }
};

int run_all(int argc, char** argv) {
#define RUN(name, ...) run<op::name>(argc, argv, #name, __VA_ARGS__);
  RUN(log, 2, 0, 100, logq)
  RUN(erf, 2, -6.5, 6.5, erfq)
  RUN(sin, 2, -1e6, 1e6, sinq)
  RUN(cos, 2, -1e6, 1e6, cosq)
  RUN(log1p, 2, -1, 100, log1pq)
  RUN(expm1, 2, -50, 712, expm1q)
  RUN(tanh, 2, -25, 25, tanhq)
  RUN(sigmoid, 2, -750, 50, [](quad x) { return 1 / (1 + expq(-x)); })
  RUN(silu, 2, -760, 50, exact_silu)
  RUN(gelu, 2, -39, 9, exact_gelu)
  RUN(gelu_tanh, 2, -24, 14, exact_gelu_tanh)
  RUN(mish, 2, -760, 50, exact_mish)
  run<op::elu_one>(argc, argv, "elu", 2, -50, 1, [](quad x) { return x > 0 ? x : expm1q(x); }, 1.0);
  RUN(selu, 2, -50, 1, exact_selu)
  for (double beta : {1.0, 0.7, -1.3, 3e-5, 1e200})
    for (double threshold : {20.0, 1e9}) {
      const auto exact = [=](quad x) {
        const quad y = x * beta;
        return y > threshold ? x : (y > 0 ? y + log1pq(expq(-y)) : log1pq(expq(y))) / beta;
      };
      const double end = 760 / std::fabs(beta);
      if (beta == 1 && threshold == 20)
        run<op::softplus_one>(argc, argv, "softplus", 2, -end, end, exact, beta, threshold);
      else RUN(softplus, 2, -end, end, exact, beta, threshold)
    }
  for (double y : {2.5, -1.5, 1.0 / 3, 17.25, -0.01, 1e5})
    run<power>(argc, argv, "pow", 2, 0, 4, [=](quad x) { return powq(x, y); }, y);
#undef RUN
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace kernels
}  // namespace tileops

int main(int argc, char** argv) { return tileops::kernels::run_all(argc, argv); }
