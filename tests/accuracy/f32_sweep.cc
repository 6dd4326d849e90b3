// Sweeps the f32 inputs of the portable functions against double-precision references.
//
//   f32_sweep [--stride N] [--threads N] [--first HEX] [--last HEX] [op ...]
//
// Without ops it runs all of them. With --stride N it takes every N-th input (use an odd number, so
// that all mantissas occur). Two-argument ops take pseudo-random pairs, 2^32 / stride of them. One
// JSON object a line: op, inputs, max_ulp (|got - exact| / ulp(exact)), not_cr (results that are not
// the correctly rounded ones), bad (wrong NaN, infinity or sign of zero), worst and bad_at (bits of
// the input). Exit status 1 if an op exceeds its bound or has bad results.
//
// The references are libm's double functions, good to about 1e-15; the count of results that are
// not correctly rounded may therefore be off by a few.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <tileops/device/math/common/arithmetic.h>
#include <tileops/device/math/common/formulas.h>
#include <tileops/device/math/common/policy.h>
#include <tileops/device/math/functions/inverse_trig.h>
#include <tileops/device/math/functions/logarithms.h>
#include <tileops/device/math/functions/roots.h>
#include <tileops/device/math/functions/tan.h>

namespace dev = tileops::device;
using P = dev::portable;

namespace {

constexpr int kBlock = 2048;

using BlockFn = void (*)(const float* x, const float* b, float* y, int n);
using RefFn = void (*)(const float* x, const float* b, double* y, int n);

struct Op {
  const char* name;
  BlockFn run;
  RefFn ref;
  double bound;  // ulp
  int arity;
};

float bits_to_float(uint32_t u) {
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
uint32_t float_to_bits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}

#define BLOCK(expr)                                        \
  [](const float* xs, const float* bs, float* ys, int n) { \
    (void)bs;                                              \
    _Pragma("omp simd") for (int i = 0; i < n; ++i) {      \
      const float x = xs[i];                               \
      ys[i] = expr;                                        \
    }                                                      \
  }
// The fast form, then the rare lanes again: what the CPU backend does.
#define BLOCK_RARE(fast, rare, slow)                       \
  [](const float* xs, const float* bs, float* ys, int n) { \
    (void)bs;                                              \
    _Pragma("omp simd") for (int i = 0; i < n; ++i) {      \
      const float x = xs[i];                               \
      ys[i] = fast;                                        \
    }                                                      \
    for (int i = 0; i < n; ++i) {                          \
      const float x = xs[i];                               \
      if (rare) ys[i] = slow;                              \
    }                                                      \
  }
#define REF(expr)                                           \
  [](const float* xs, const float* bs, double* ys, int n) { \
    for (int i = 0; i < n; ++i) {                           \
      const double x = xs[i];                               \
      [[maybe_unused]] const double b = bs[i];              \
      ys[i] = expr;                                         \
    }                                                       \
  }

double ref_sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
double ref_silu(double x) { return std::isinf(x) ? (x > 0 ? x : -0.0) : x * ref_sigmoid(x); }
double ref_gelu(double x) {
  return std::isinf(x) ? (x > 0 ? x : -0.0) : 0.5 * x * std::erfc(-x * 0.70710678118654752440);
}
double ref_gelu_tanh(double x) {
  const double v = 1.5957691216057307117 * (x + 0.044715 * x * x * x);
  return std::isinf(x) ? (x > 0 ? x : -0.0) : x * ref_sigmoid(v);
}
double ref_softplus(double x) { return x > 20 ? x : std::log1p(std::exp(x)); }
double ref_mish(double x) {
  if (std::isinf(x)) return x > 0 ? x : -0.0;
  if (x > 40) return x;
  const double e = std::exp(x);
  return x * ((e * (e + 2)) / (e * (e + 2) + 2));
}
double ref_elu(double x, double alpha) { return x > 0 ? x : alpha * std::expm1(x); }
double ref_selu(double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }
double ref_hardswish(double x) { return x >= 3 ? x : x <= -3 ? -0.0 : x * (x + 3) / 6; }
double ref_hardsigmoid(double x) { return x >= 3 ? 1 : x <= -3 ? 0 : (x + 3) / 6; }
double ref_remainder(double a, double b) {
  const double m = std::fmod(a, b);
  return m != 0 && (b < 0) != (m < 0) ? m + b : m;
}

const Op kOps[] = {
    {"exp", BLOCK(P::exp(x)), REF(std::exp(x)), 1, 1},
    {"exp2", BLOCK(P::exp2(x)), REF(std::exp2(x)), 1, 1},
    {"expm1", BLOCK(P::expm1(x)), REF(std::expm1(x)), 1, 1},
    {"log", BLOCK(P::log(x)), REF(x == 0 ? -INFINITY : std::log(x)), 1, 1},
    {"log2", BLOCK(dev::log2(x)), REF(x == 0 ? -INFINITY : std::log2(x)), 1, 1},
    {"log10", BLOCK(dev::log10(x)), REF(x == 0 ? -INFINITY : std::log10(x)), 1, 1},
    {"sinh", BLOCK(dev::sinh(x)), REF(std::sinh(x)), 1, 1},
    {"cosh", BLOCK(dev::cosh(x)), REF(std::cosh(x)), 1, 1},
    {"asinh", BLOCK(dev::asinh(x)), REF(std::asinh(x)), 1, 1},
    {"acosh", BLOCK(dev::acosh(x)), REF(std::acosh(x)), 1, 1},
    {"atanh", BLOCK(dev::atanh(x)), REF(std::atanh(x)), 1, 1},
    {"asin", BLOCK(dev::asin(x)), REF(std::asin(x)), 1, 1},
    {"acos", BLOCK(dev::acos(x)), REF(std::acos(x)), 1, 1},
    {"atan", BLOCK(dev::atan(x)), REF(std::atan(x)), 1, 1},
    {"tan", BLOCK_RARE(dev::tan(x), dev::tan_rare(x), dev::tan_slow(x)), REF(std::tan(x)), 1, 1},
    {"cbrt", BLOCK(dev::cbrt(x)), REF(std::cbrt(x)), 1, 1},
    {"erfc", BLOCK(P::erfc(x)), REF(std::erfc(x)), 1, 1},
    {"atan2", BLOCK(dev::atan2<P>(x, bs[i])), REF(std::atan2(x, b)), 1, 2},
    {"hypot", BLOCK(dev::hypot<P>(x, bs[i])), REF(std::hypot(x, b)), 1, 2},
    {"log1p", BLOCK(P::log1p(x)), REF(std::log1p(x)), 1, 1},
    {"sqrt", BLOCK(P::sqrt(x)), REF(std::sqrt(x)), 0.5, 1},
    {"rsqrt", BLOCK(P::rsqrt(x)), REF(1 / std::sqrt(x)), 1, 1},
    {"rcp", BLOCK(P::rcp(x)), REF(1 / x), 0.5, 1},
    {"sin", BLOCK_RARE(P::sin(x), P::sin_rare(x), P::sin_slow(x)), REF(std::sin(x)), 1, 1},
    {"cos", BLOCK_RARE(P::cos(x), P::cos_rare(x), P::cos_slow(x)), REF(std::cos(x)), 1, 1},
    {"erf", BLOCK(P::erf(x)), REF(std::erf(x)), 1, 1},
    {"tanh", BLOCK(P::tanh(x)), REF(std::tanh(x)), 2, 1},
    {"sigmoid", BLOCK(dev::sigmoid<P>(x)), REF(ref_sigmoid(x)), 2, 1},
    {"silu", BLOCK(dev::silu<P>(x)), REF(ref_silu(x)), 2, 1},
    {"gelu", BLOCK(dev::gelu<P>(x)), REF(ref_gelu(x)), 2, 1},
    {"gelu_tanh", BLOCK(dev::gelu_tanh<P>(x)), REF(ref_gelu_tanh(x)), 2, 1},
    {"elu", BLOCK(dev::elu<P>(x, 1.0f)), REF(ref_elu(x, 1)), 2, 1},
    {"elu_1.25", BLOCK(dev::elu<P>(x, 1.25f)), REF(ref_elu(x, 1.25)), 2, 1},
    {"selu", BLOCK(dev::selu<P>(x)), REF(ref_selu(x)), 2, 1},
    {"softplus", BLOCK(dev::softplus<P>(x, 1.0f, 20.0f)), REF(ref_softplus(x)), 2, 1},
    {"softplus_0.7", BLOCK(dev::softplus<P>(x, 0.7f, 20.0f)),
     REF(0.7f * x > 20 ? x : ref_softplus((double)0.7f * x) / (double)0.7f), 2, 1},
    {"logsigmoid", BLOCK(-dev::softplus<P>(-x, 1.0f, 60.0f)), REF(x < -40 ? x : -std::log1p(std::exp(-x))), 2, 1},
    {"mish", BLOCK(dev::mish<P>(x)), REF(ref_mish(x)), 2, 1},
    {"hardswish", BLOCK(dev::hardswish<P>(x)), REF(ref_hardswish(x)), 2, 1},
    {"hardsigmoid", BLOCK(dev::hardsigmoid<P>(x)), REF(ref_hardsigmoid(x)), 2, 1},
    {"pow", BLOCK(P::pow(x, bs[i])), REF(std::pow(x, b)), 2, 2},
    {"pow_near_1", BLOCK(P::pow(x, bs[i])), REF(std::pow(x, b)), 2, 3},
    {"fmod", BLOCK_RARE(P::fmod(x, bs[i]), P::fmod_rare(x, bs[i]), P::fmod_slow(x, bs[i])), REF(std::fmod(x, b)), 0.5,
     2},
    {"fmod_close", BLOCK_RARE(P::fmod(x, bs[i]), P::fmod_rare(x, bs[i]), P::fmod_slow(x, bs[i])), REF(std::fmod(x, b)),
     0.5, 3},
    {"remainder",
     BLOCK_RARE(dev::remainder<P>(x, bs[i]), dev::remainder_rare<P>(x, bs[i]), dev::remainder_slow<P>(x, bs[i])),
     REF(ref_remainder(x, b)), 0.5, 2},
};

struct Result {
  double max_ulp = 0.5;  // a correctly rounded result may be off by that much
  uint64_t inputs = 0, not_cr = 0, bad = 0;
  uint32_t worst[2] = {0, 0}, bad_at[2] = {0, 0};
};

double ulp_of(double v) {
  int e;
  std::frexp(v, &e);  // v = m * 2^e, 1/2 <= m < 1
  return std::ldexp(1.0, (e < -125 ? -125 : e > 128 ? 128 : e) - 24);
}

void check(float x, float b, float got, double exact, Result* r) {
  const float want = (float)exact;
  if (float_to_bits(got) == float_to_bits(want)) {
    if (want == 0 || std::isinf(want) || std::isnan(want)) return;
  } else if (!(std::isnan(got) && std::isnan(want))) {
    ++r->not_cr;
  }
  bool bad = std::isnan(got) != std::isnan(want);
  bad |= got == 0 && exact == 0 && std::signbit(got) != std::signbit(exact);
  bad |= std::isinf(exact) && !(got == exact);
  double ulp = 0;
  if (!bad && !std::isnan(want) && !std::isinf(exact)) {
    ulp = std::isinf(got) && std::isinf(want) ? 0 : std::fabs((double)got - exact) / ulp_of(exact);
    if (std::isinf(got) && !std::isinf(want)) ulp = (std::ldexp(1.0, 128) - std::fabs(exact)) / std::ldexp(1.0, 104);
  }
  if (bad) {
    if (r->bad++ == 0) {
      r->bad_at[0] = float_to_bits(x);
      r->bad_at[1] = float_to_bits(b);
    }
  } else if (ulp > r->max_ulp) {
    r->max_ulp = ulp;
    r->worst[0] = float_to_bits(x);
    r->worst[1] = float_to_bits(b);
  }
}

uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// Pairs: any bits; or (arity 3) numbers whose result is ordinary: x within a factor of 4 of 1 and
// |b| < 256 of any exponent.
void make_pair(int arity, uint64_t k, float* x, float* b) {
  const uint64_t u = mix(k * 0x9e3779b97f4a7c15ull + 1);
  uint32_t ux = (uint32_t)u, ub = (uint32_t)(u >> 32);
  if (arity == 3) {
    ux = 0x3f000000u + (ux & 0x00ffffffu) + ((k & 1) ? 0x00400000u : 0u);
    ub = (ub & 0x80ffffffu) + 0x42800000u - (((ub >> 24) & 15u) << 23);
  }
  *x = bits_to_float(ux);
  *b = bits_to_float(ub);
}

void sweep(const Op& op, uint64_t first, uint64_t last, uint64_t stride, Result* r) {
  std::vector<float> x(kBlock), b(kBlock), y(kBlock);
  std::vector<double> z(kBlock);
  for (uint64_t k = first; k <= last;) {
    int n = 0;
    for (; n < kBlock && k <= last; ++n, k += stride) {
      if (op.arity == 1) x[n] = bits_to_float((uint32_t)k);
      else make_pair(op.arity, k, &x[n], &b[n]);
    }
    op.run(x.data(), b.data(), y.data(), n);
    op.ref(x.data(), b.data(), z.data(), n);
    // A correctly rounded result needs no closer look. (Zeros do: their sign.)
    uint64_t wrong = 0;
    for (int i = 0; i < n; ++i) wrong += !(y[i] == (float)z[i]) | (y[i] == 0.0f);
    r->inputs += (uint64_t)n;
    if (wrong == 0) continue;
    for (int i = 0; i < n; ++i) {
      if (!(y[i] == (float)z[i]) || y[i] == 0.0f) check(x[i], b[i], y[i], z[i], r);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t stride = 1, first = 0, last = 0xffffffffu;
  unsigned threads = 2;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--stride" && i + 1 < argc) stride = std::strtoull(argv[++i], nullptr, 0);
    else if (a == "--threads" && i + 1 < argc) threads = (unsigned)std::atoi(argv[++i]);
    else if (a == "--first" && i + 1 < argc) first = std::strtoull(argv[++i], nullptr, 16);
    else if (a == "--last" && i + 1 < argc) last = std::strtoull(argv[++i], nullptr, 16);
    else names.push_back(a);
  }
  int status = 0;
  for (const Op& op : kOps) {
    bool wanted = names.empty();
    for (const std::string& n : names) wanted |= n == op.name;
    if (!wanted) continue;
    std::vector<Result> parts(threads);
    std::vector<std::thread> pool;
    const uint64_t steps = (last - first) / stride + 1;
    for (unsigned t = 0; t < threads; ++t) {
      const uint64_t lo = first + steps * t / threads * stride;
      const uint64_t hi = first + (steps * (t + 1) / threads - 1) * stride;
      pool.emplace_back(sweep, std::cref(op), lo, hi, stride, &parts[t]);
    }
    for (std::thread& t : pool) t.join();
    Result r;
    for (const Result& p : parts) {
      r.inputs += p.inputs;
      r.not_cr += p.not_cr;
      if (p.bad != 0 && r.bad == 0) std::memcpy(r.bad_at, p.bad_at, sizeof r.bad_at);
      r.bad += p.bad;
      if (p.max_ulp > r.max_ulp) {
        r.max_ulp = p.max_ulp;
        std::memcpy(r.worst, p.worst, sizeof r.worst);
      }
    }
    std::printf("{\"op\": \"%s\", \"inputs\": %llu, \"max_ulp\": %.3f, \"not_cr\": %llu, ", op.name,
                (unsigned long long)r.inputs, r.max_ulp, (unsigned long long)r.not_cr);
    std::printf("\"bad\": %llu, \"worst\": [\"%08x\", \"%08x\"], \"bad_at\": [\"%08x\", \"%08x\"]}\n",
                (unsigned long long)r.bad, r.worst[0], r.worst[1], r.bad_at[0], r.bad_at[1]);
    std::fflush(stdout);
    if (r.bad != 0 || r.max_ulp > op.bound) status = 1;
  }
  return status;
}
