// What the tests on a GPU share: memory of the device, comparison to the bit, the library on the CPU.
#pragma once

#include <tileops/device/cuda.h>
#include <tileops/tileops.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace examples {

using namespace tileops::device;

inline int failures = 0;

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
#define MUST(call) must((call), #call)

// Elements on the device, `shift` elements behind the place that it gives.
template <class T>
class Device {
 public:
  explicit Device(size_t n, size_t shift = 0) : n_(n), shift_(shift) {
    MUST(cudaMalloc(&base_, (n + shift + 1) * sizeof(T)));
  }
  Device(const std::vector<T>& x, size_t shift = 0) : Device(x.size(), shift) {
    MUST(cudaMemcpy(get(), x.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Device() { cudaFree(base_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() const { return base_ + shift_; }
  std::vector<T> read() const {
    std::vector<T> x(n_);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(x.data(), get(), n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return x;
  }

 private:
  T* base_ = nullptr;
  size_t n_, shift_;
};

template <class T>
void expect_bits(const std::string& what, const std::vector<T>& got, const std::vector<T>& want) {
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < want.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0 && wrong++ == 0) first = i;
  if (wrong) ++failures;
  std::printf("%s %s: %zu of %zu elements differ", wrong ? "FAILED" : "ok", what.c_str(), wrong, want.size());
  if (wrong) std::printf(", the first is %zu", first);
  std::printf("\n");
}

inline std::vector<float> random_floats(size_t n, unsigned seed, float scale = 3.0f) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0f, scale);
  std::vector<float> x(n);
  for (float& v : x) v = normal(random);
  return x;
}
template <class S>
std::vector<S> narrowed(const std::vector<float>& x) {
  std::vector<S> y;
  for (const float v : x) y.push_back(narrow<S>(v));
  return y;
}

// What the library computes on the CPU.
using Float = std::vector<float>;
inline tileops::View of(Float& x, std::initializer_list<int64_t> shape) { return tileops::View(x.data(), shape); }

inline Float library(const char* text, Float x, std::initializer_list<int64_t> shape) {
  Float y(x.size());
  tileops::run(tileops::Expr(text), {of(x, shape)}, {of(y, shape)});
  return y;
}

}  // namespace examples
