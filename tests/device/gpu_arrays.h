// Arrays of every length and of CUDA's own types: what they are narrowed and widened to, operators with rare operands
// over more of them than a mask has bits, and elements of memory that transform() takes. Beside the same on the host.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <tileops/device/transform.h>

#include "gpu_test.h"

namespace examples {

// A thread has N elements.
template <class S, int N>
__global__ void narrow_and_widen(const float* x, S* narrow_ones, float* wide) {
  float v[N], back[N];
  for (int i = 0; i < N; ++i) v[i] = x[i];
  const packed<S, N> p = narrow<S>(v);
  alignas(16) S memory[N];
  store<S, N>(memory, p);
  widen(load<S, N>(memory), back);
  for (int i = 0; i < N; ++i) narrow_ones[i] = memory[i], wide[i] = back[i];
}
template <class S, int N>
void arrays_of_length() {
  Float x = random_floats(N, 40 + N), exact;
  const auto want = narrowed<S>(x);
  for (const S s : want) exact.push_back(widen(s));
  const Device<float> in(x), wide(N);
  const Device<S> out(N);
  narrow_and_widen<S, N><<<1, 1>>>(in.get(), out.get(), wide.get());
  MUST(cudaGetLastError());
  const std::string what = " of " + std::to_string(N) + " elements of " + std::to_string(8 * sizeof(S)) + " bits";
  expect_bits("narrow" + what, out.read(), want);
  expect_bits("widen" + what, wide.read(), exact);
}
template <int N>
void arrays_up_to() {
  if constexpr (N > 1) arrays_up_to<N - 1>();
  arrays_of_length<bf16, N>();
  arrays_of_length<f16, N>();
  arrays_of_length<e4m3fn, N>();
  arrays_of_length<e5m2, N>();
}

// Sines of numbers most of which are rare, all in one array, beside one by one.
template <int N>
__global__ void sines(const float* x, float* together, float* apart) {
  float v[N];
  for (int i = 0; i < N; ++i) v[i] = x[i];
  apply<op::sin, bit_exact>(v);
  for (int i = 0; i < N; ++i) {
    float one[1] = {x[i]};
    apply<op::sin, bit_exact>(one);
    together[i] = v[i], apart[i] = one[0];
  }
}
inline void rare_operands_of_long_arrays() {
  constexpr int n = 80;
  const Device<float> in(random_floats(n, 60, 1e7f)), together(n), apart(n);
  sines<n><<<1, 1>>>(in.get(), together.get(), apart.get());
  MUST(cudaGetLastError());
  expect_bits("80 sines of large numbers", together.read(), apart.read());
}

// Elements of CUDA's own types: an operator over an array, and over memory, each beside that of f16 or bf16.
template <class T, class S>
__global__ void gelus(const T* x, T* y, const S* u, S* v) {
  T a[8];
  S b[8];
  for (int i = 0; i < 8; ++i) a[i] = x[i], b[i] = u[i];
  apply<op::gelu, within_2_20>(a);
  apply<op::gelu, within_2_20>(b);
  for (int i = 0; i < 8; ++i) y[i] = a[i], v[i] = b[i];
}
struct twice_half {
  __device__ __half operator()(__half x) const { return __hadd(x, x); }
};
template <class T, class S>
void elements_of_cuda(const char* name) {
  const auto x = narrowed<S>(random_floats(4099, 61));
  const Device<S> in(x), out(x.size()), other(x.size());
  T* as_other = reinterpret_cast<T*>(other.get());
  const T* in_other = reinterpret_cast<const T*>(in.get());
  gelus<T, S><<<1, 1>>>(in_other, as_other, in.get(), out.get());
  MUST(cudaGetLastError());
  auto got = other.read(), want = out.read();
  got.resize(8), want.resize(8);
  expect_bits(std::string("gelu of an array of ") + name, got, want);
  const form_of<op::gelu, within_2_20>::body gelu{};
  MUST(transform(nullptr, 4099, out.get(), gelu, in.get()));
  MUST(transform(nullptr, 4099, as_other, gelu, in_other));
  expect_bits(std::string("gelu of memory of ") + name, other.read(), out.read());
}

inline void arrays_and_elements() {
  arrays_up_to<17>();
  rare_operands_of_long_arrays();
  elements_of_cuda<__half, f16>("__half");
  elements_of_cuda<__nv_bfloat16, bf16>("__nv_bfloat16");
  const auto x = narrowed<f16>(random_floats(1000, 62));
  std::vector<f16> want;
  for (const f16 v : x) want.push_back(narrow<f16>(2 * widen(v)));
  const Device<f16> in(x), out(x.size());
  MUST(transform(nullptr, 1000, reinterpret_cast<__half*>(out.get()), twice_half{},
                 reinterpret_cast<const __half*>(in.get())));
  expect_bits("a functor of __half", out.read(), want);
  // An error that is there already is not the launch's.
  static_cast<void>(cudaMalloc(nullptr, 1));
  const cudaError_t now = transform(nullptr, 1000, out.get(), twice_half{}, in.get());
  const bool ok = now == cudaSuccess && cudaGetLastError() != cudaSuccess;
  failures += !ok;
  std::printf("%s a launch behind an error of another call\n", ok ? "ok" : "FAILED");
}

// A softmax by two warps of a block while a third one, in front, is on its way to another barrier.
__global__ void softmax_behind_producer(const float* from, float* to) {
  using Layout = block_layout<accumulator_layout<16, 32>, 1, 2>;
  __shared__ row_parts<Layout> parts;
  const tile_threads consumers{32, 64, 1};
  if (threadIdx.x >= 32) {
    const int thread = thread_in<Layout>(consumers);
    tile<float, Layout> x;
    for (int i = 0; i < Layout::elements; ++i)
      x.v[i] = from[Layout::row(thread, i) * Layout::columns + Layout::column(thread, i)];
    apply<op::sub, bit_exact>(x, row_max(x, parts, consumers), x);
    apply<op::exp, bit_exact>(x);
    apply<op::div, bit_exact>(x, row_sum_with_low_parts(x, parts, consumers), x);
    for (int i = 0; i < Layout::elements; ++i)
      to[Layout::row(thread, i) * Layout::columns + Layout::column(thread, i)] = x.v[i];
  }
  __syncthreads();
}

}  // namespace examples
