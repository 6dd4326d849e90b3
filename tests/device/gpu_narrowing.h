// Floats into 16 and 8 bits, by transform() and by narrow(): the library's cast on the CPU for every number of the
// narrow type, every tie between two of them and its neighbours; and its definition in integers for all 2^32 floats.
#pragma once

#include <tileops/device/transform.h>

#include "gpu_test.h"

namespace examples {

using tileops::device_detail::convert;
using tileops::device_detail::from_bits;
using tileops::device_detail::same_v;

struct as_it_is {
  __device__ float operator()(float x) const { return x; }
};
struct arrays_as_they_are {
  template <int N>
  __device__ void arrays(const float (&x)[N], float (&y)[N]) const {
    for (int i = 0; i < N; ++i) y[i] = x[i];
  }
};
// The float whose pattern is that much beyond the first one.
struct of_pattern {
  unsigned first;
  __device__ float operator()(unsigned beyond) const { return from_bits(first + beyond); }
};

// Packs of N elements, of which there is a multiple.
template <class S, int N>
__global__ void narrow_packs(const float* x, S* y, int count) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * N;
  if (at >= count) return;
  float v[N];
  for (int i = 0; i < N; ++i) v[i] = x[at + i];
  store<S, N>(y + at, narrow<S>(v));
}

static __global__ void count_up(unsigned* x, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = i;
}

// The types that say how overflows are rounded have the codes of the others.
template <class S>
__host__ __device__ float number_of(S x) {
  if constexpr (same_v<S, e4m3fn_sat>) return widen(e4m3fn{x.bits});
  else return widen(x);
}
template <class S>
__host__ __device__ bool is_nan_code(S x) {
  const float wide = number_of(x);
  return wide != wide;
}
// Which NaN it is may differ.
template <class S>
__host__ __device__ bool same_number(S a, S b) {
  return a.bits == b.bits || (is_nan_code(a) && is_nan_code(b));
}

// Counts results that are not those of the definition, of one float each.
template <class S>
__global__ void count_wrong(const S* y, unsigned first, unsigned count, unsigned long long* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && !same_number(y[i], convert<S>(from_bits(first + i)))) atomicAdd(wrong, 1ull);
}

template <class S>
void expect_numbers(const std::string& what, const Float& x, const std::vector<S>& got, const std::vector<S>& want) {
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < want.size(); ++i)
    if (!same_number(got[i], want[i]) && wrong++ == 0) first = i;
  failures += wrong != 0;
  std::printf("%s %s: %zu of %zu floats", wrong ? "FAILED" : "ok", what.c_str(), wrong, want.size());
  if (wrong) std::printf(", the first is %a: %#x, should be %#x", x[first], got[first].bits, want[first].bits);
  std::printf("\n");
}

// All numbers of S, what lies in the middle of two, and the floats beside that; floats' own subnormal numbers, the
// largest ones, and NaN. In number a multiple of 8.
template <class S>
Float floats_around() {
  Float x = {0x1p-149f, -0x1p-149f, 0x1.fffffcp-127f, 0x1p-126f, 0x1.fffffep+127f, -0x1.fffffep+127f, NAN, -NAN};
  constexpr unsigned codes = 1u << (8 * sizeof(S));
  for (unsigned code = 0; code < codes; ++code) {
    const S a{static_cast<decltype(S::bits)>(code)}, b{static_cast<decltype(S::bits)>(code + 1)};
    const float low = number_of(a), high = number_of(b);
    // Beyond the largest number goes on as if there were another exponent: there is where overflows begin.
    const S before{static_cast<decltype(S::bits)>(code - 1)};
    const double step = static_cast<double>(low) - static_cast<double>(number_of(before));
    const bool last = !std::isfinite(high) || code + 1 == codes;
    const double middle = last ? static_cast<double>(low) + step / 2
                               : (static_cast<double>(low) + static_cast<double>(high)) / 2;
    const auto tie = static_cast<float>(middle);
    for (const float v : {low, tie, std::nextafter(tie, INFINITY), std::nextafter(tie, -INFINITY)}) x.push_back(v);
  }
  while (x.size() % 8 != 0) x.push_back(1.0f);
  return x;
}

// `to` is the name of S in a text.
template <class S>
void narrowing_into(const char* to, DLDataType dtype) {
  Float x = floats_around<S>();
  const auto n = static_cast<long long>(x.size());
  std::vector<S> want(x.size());
  tileops::run(tileops::Expr(std::string("(x) -> cast(x, ") + to + ")"), {of(x, {n})},
               {tileops::View(static_cast<void*>(want.data()), dtype, {n})});
  const std::string name = to;
  for (const size_t shift : {0, 1}) {  // packs, and elements one by one
    const Device<float> in(x, shift);
    const Device<S> out(x.size(), shift);
    const std::string where = shift ? ", bases that are not aligned" : "";
    MUST(transform(nullptr, n, out.get(), as_it_is{}, in.get()));
    expect_numbers(name + " by transform" + where, x, out.read(), want);
    MUST(transform(nullptr, n, out.get(), arrays_as_they_are{}, in.get()));
    expect_numbers(name + " by transform, arrays" + where, x, out.read(), want);
  }
  const Device<float> in(x);
  const Device<S> out(x.size());
  const auto packs_of = [&](auto kernel, int each) {
    MUST(cudaMemset(out.get(), 0, x.size() * sizeof(S)));
    const auto packs = static_cast<unsigned>((x.size() + each - 1) / each);
    kernel<<<(packs + 127) / 128, 128>>>(in.get(), out.get(), static_cast<int>(n));
    MUST(cudaGetLastError());
    expect_numbers(name + " by narrow, " + std::to_string(each) + " at once", x, out.read(), want);
  };
  packs_of(narrow_packs<S, 1>, 1);
  packs_of(narrow_packs<S, 2>, 2);
  packs_of(narrow_packs<S, 8>, 8);

  constexpr unsigned part = 1u << 26;
  const Device<unsigned> patterns(part);
  const Device<S> results(part);
  const Device<unsigned long long> wrong(std::vector<unsigned long long>{0});
  count_up<<<part / 256, 256>>>(patterns.get(), part);
  MUST(cudaGetLastError());
  unsigned first = 0;
  do {
    MUST(transform(nullptr, part, results.get(), of_pattern{first}, patterns.get()));
    count_wrong<<<part / 256, 256>>>(results.get(), first, part, wrong.get());
    MUST(cudaGetLastError());
    first += part;
  } while (first != 0);
  const unsigned long long found = wrong.read()[0];
  failures += found != 0;
  std::printf("%s %s by transform: %llu of all 2^32 floats\n", found ? "FAILED" : "ok", to, found);
}

inline void narrowing_of_all_floats() {
  const auto of_bits = [](DLDataTypeCode code, int bits) {
    return DLDataType{static_cast<unsigned char>(code), static_cast<unsigned char>(bits), 1};
  };
  narrowing_into<f16>("f16", of_bits(kDLFloat, 16));
  narrowing_into<bf16>("bf16", of_bits(kDLBfloat, 16));
  narrowing_into<e4m3fn_sat>("e4m3fn", of_bits(kDLFloat8_e4m3fn, 8));
  narrowing_into<e5m2>("e5m2", of_bits(kDLFloat8_e5m2, 8));
}

}  // namespace examples
