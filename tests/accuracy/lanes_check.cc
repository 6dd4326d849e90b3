// Compares the register form of every body that has one with its scalar form, bit for bit (NaN equals
// NaN), over the f32 inputs. Built once for each instruction set with registers of floats.
//
//   lanes_check [--stride N] [--threads N] [body ...]
//
// --stride N takes every N-th input; bodies of more operands take as many pseudo-random tuples. Prints
// one line a body; exit status 1 if any result differs, 77 if this machine lacks the instructions.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cpu/forms/activation.h"
#include "cpu/forms/binary_arith.h"
#include "cpu/forms/special.h"
#include "cpu/forms/unary_math.h"
#include "cpu/loops/lanes_loop.h"

namespace {

namespace dev = tileops::device;
namespace op = tileops::device::op;
namespace kernels = tileops::cpu::TILEOPS_DEVICE_NS;
using P = dev::portable;

constexpr size_t kBlock = 4096 + 7;  // with a tail
const dev::AttrValue kAttrs[] = {{7.0}, {1e30}, {-1e30}};

struct Check {
  const char* name;
  int operands;
  void (*lanes)(float* y, const float* a, const float* b, const float* c, size_t n);
  void (*scalar)(float* y, const float* a, const float* b, const float* c, size_t n);
};

template <class Plain>
constexpr Check unary(const char* name) {
  using Body = kernels::form<Plain>;
  static_assert(Body::simd_unroll != 0);
  return {name, 1,
          [](float* y, const float* a, const float*, const float*, size_t n) {
            kernels::lanes_loop(Body(kAttrs), y, n, a);
          },
          [](float* y, const float* a, const float*, const float*, size_t n) {
            const Body body(kAttrs);
#pragma omp simd
            for (size_t i = 0; i < n; ++i) y[i] = body(a[i]);
          }};
}

template <class Plain>
constexpr Check binary(const char* name) {
  using Body = kernels::form<Plain>;
  static_assert(Body::simd_unroll != 0);
  return {name, 2,
          [](float* y, const float* a, const float* b, const float*, size_t n) {
            kernels::lanes_loop(Body(kAttrs), y, n, a, b);
          },
          [](float* y, const float* a, const float* b, const float*, size_t n) {
            const Body body(kAttrs);
#pragma omp simd
            for (size_t i = 0; i < n; ++i) y[i] = body(a[i], b[i]);
          }};
}

template <class Plain>
constexpr Check ternary(const char* name) {
  using Body = kernels::form<Plain>;
  static_assert(Body::simd_unroll != 0);
  return {name, 3,
          [](float* y, const float* a, const float* b, const float* c, size_t n) {
            kernels::lanes_loop(Body(kAttrs), y, n, a, b, c);
          },
          [](float* y, const float* a, const float* b, const float* c, size_t n) {
            const Body body(kAttrs);
#pragma omp simd
            for (size_t i = 0; i < n; ++i) y[i] = body(a[i], b[i], c[i]);
          }};
}

const Check kChecks[] = {
    unary<op::sqrt<P, float>>("sqrt"),
    unary<op::pow_half<P, float>>("pow_half"),
    unary<op::reciprocal<P, float>>("reciprocal"),
    unary<op::exp<P, float>>("exp"),
    unary<op::log<P, float>>("log"),
    unary<op::rsqrt<P, float>>("rsqrt"),
    unary<op::sin<P, float>>("sin"),
    unary<op::cos<P, float>>("cos"),
    unary<op::tanh<P, float>>("tanh"),
    unary<op::gelu<P, float>>("gelu"),
    unary<op::silu<P, float>>("silu"),
    unary<op::sigmoid<P, float>>("sigmoid"),
    unary<op::hardswish<P, float>>("hardswish"),
    unary<op::nan_to_num<P, float>>("nan_to_num"),
    binary<op::pow<P, float>>("pow"),
    binary<op::maximum<P, float>>("maximum"),
    binary<op::minimum<P, float>>("minimum"),
    binary<op::gelu_and_mul<P, float>>("gelu_and_mul"),
    binary<op::silu_and_mul<P, float>>("silu_and_mul"),
    ternary<op::lerp<P, float>>("lerp"),
};

uint32_t bits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}
float number(uint32_t u) {
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
bool is_nan(float f) { return (bits(f) & 0x7fffffffu) > 0x7f800000u; }

struct Difference {
  uint64_t count = 0;
  float a = 0, b = 0, lanes = 0, scalar = 0;
};

void run(const Check& c, uint64_t first, uint64_t last, uint64_t stride, Difference* out) {
  std::vector<float> a(kBlock), b(kBlock), w(kBlock), y(kBlock), z(kBlock);
  for (uint64_t k = first; k < last;) {
    size_t n = 0;
    for (; n < kBlock && k < last; ++n, k += stride) {
      uint64_t u = k;
      if (c.operands > 1) {
        u = (k + 1) * 0x9e3779b97f4a7c15ull;
        u = (u ^ (u >> 31)) * 0xbf58476d1ce4e5b9ull;
        u ^= u >> 29;
      }
      a[n] = number(static_cast<uint32_t>(u));
      b[n] = number(static_cast<uint32_t>(u >> 32));
      w[n] = number(static_cast<uint32_t>(u * 0xd6e8feb86659fd93ull >> 32));
      if (c.operands > 1 && n % 8 == 0) {  // pairs that random bits hardly ever make
        const float special[] = {0.0f, -0.0f, number(0x7f800000u), number(0xff800000u), number(0x7fc00000u),
                                 a[n], -a[n]};
        b[n] = special[(u >> 40) % 7];
        if (n % 16 == 0) a[n] = special[(u >> 48) % 5];
      }
    }
    c.lanes(y.data(), a.data(), b.data(), w.data(), n);
    c.scalar(z.data(), a.data(), b.data(), w.data(), n);
    if (std::memcmp(y.data(), z.data(), n * sizeof(float)) == 0) continue;
    for (size_t i = 0; i < n; ++i) {
      if (bits(y[i]) == bits(z[i]) || (is_nan(y[i]) && is_nan(z[i]))) continue;
      if (out->count++ == 0) {
        out->a = a[i];
        out->b = b[i];
        out->lanes = y[i];
        out->scalar = z[i];
      }
    }
  }
}

bool machine_has_instructions() {
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  if (!machine_has_instructions()) return 77;
  uint64_t stride = 1;
  unsigned threads = 2;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--stride" && i + 1 < argc) stride = std::strtoull(argv[++i], nullptr, 0);
    else if (arg == "--threads" && i + 1 < argc) threads = (unsigned)std::atoi(argv[++i]);
    else names.push_back(arg);
  }
  int status = 0;
  for (const Check& c : kChecks) {
    bool wanted = names.empty();
    for (const std::string& n : names) wanted |= n == c.name;
    if (!wanted) continue;
    std::vector<Difference> parts(threads);
    std::vector<std::thread> pool;
    const uint64_t steps = (uint64_t{1} << 32) / stride;
    for (unsigned t = 0; t < threads; ++t)
      pool.emplace_back(run, std::cref(c), steps * t / threads * stride, steps * (t + 1) / threads * stride, stride,
                        &parts[t]);
    for (std::thread& t : pool) t.join();
    Difference d;
    for (const Difference& p : parts) {
      if (p.count != 0 && d.count == 0) d = p;
      else d.count += p.count;
    }
    std::printf("%s: %llu inputs, %llu differ", c.name, static_cast<unsigned long long>(steps),
                static_cast<unsigned long long>(d.count));
    if (d.count != 0) {
      std::printf(", first %08x %08x: lanes %08x, scalar %08x", bits(d.a), bits(d.b), bits(d.lanes), bits(d.scalar));
      status = 1;
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return status;
}
