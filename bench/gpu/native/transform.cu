// transform() beside the library's plan of the same operator, cub::DeviceTransform and a copy, on a GPU: microseconds
// each, the median of several rounds that take turns. Built where nvcc is (tests/device/CMakeLists.txt).
//
//   tileops_transform_bench [ELEMENTS]     64 Mi elements unless said
//
// transform is to be within 1 % of the library's plan. Exit status 77, saying so, without a GPU.
#include <tileops/device/cuda.h>
#include <tileops/device/transform.h>
#include <tileops/tileops.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#if TILEOPS_HAVE_CUB
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#endif

namespace transform_bench {

using namespace tileops::device;

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

constexpr int kRounds = 15, kCalls = 20;

struct Way {
  std::string name;
  std::function<void(cudaStream_t)> call;
};

// Each way in turn, so that clocks and temperature are the same to all.
void measure(const char* what, double bytes, const std::vector<Way>& ways) {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  must(cudaStreamCreate(&stream));
  must(cudaEventCreate(&start));
  must(cudaEventCreate(&stop));
  std::vector<std::vector<float>> times(ways.size());
  for (int round = 0; round <= kRounds; ++round)
    for (size_t i = 0; i < ways.size(); ++i) {
      ways[i].call(stream);
      must(cudaEventRecord(start, stream));
      for (int call = 0; call < kCalls; ++call) ways[i].call(stream);
      must(cudaEventRecord(stop, stream));
      must(cudaEventSynchronize(stop));
      float ms = 0;
      must(cudaEventElapsedTime(&ms, start, stop));
      if (round > 0) times[i].push_back(1000.0f * ms / kCalls);
    }
  std::printf("%s\n", what);
  for (size_t i = 0; i < ways.size(); ++i) {
    std::sort(times[i].begin(), times[i].end());
    const double us = times[i][times[i].size() / 2];
    std::printf("  %-16s %9.2f us  %6.3f TB/s  (%.2f to %.2f)\n", ways[i].name.c_str(), us, bytes / us * 1e-6, times[i].front(),
                times[i].back());
  }
  must(cudaEventDestroy(start));
  must(cudaEventDestroy(stop));
  must(cudaStreamDestroy(stream));
}

// A plan of a text over n elements: of operands `in`, with one result.
Way plan_of(const char* text, const std::vector<tileops::View>& in, const tileops::View& out) {
  auto plan = std::make_shared<tileops::Plan>(tileops::Expr(text), in, std::vector<tileops::View>{out});
  return {"library", [=](cudaStream_t stream) { plan->execute(in, std::vector<tileops::View>{out}, stream); }};
}

struct gelu_of_one {
  __device__ float operator()(float x) const {
    float v[1] = {x};
    apply<op::gelu, bounded>(v);
    return v[0];
  }
};
struct to_half {
  __device__ f16 operator()(float x) const { return narrow<f16>(x); }
};
struct sum_of_two {
  __device__ float operator()(float x, float y) const { return x + y; }
};
struct itself {
  __device__ float operator()(float x) const { return x; }
};

template <class F, class T, class... S>
Way cub_of([[maybe_unused]] F f, [[maybe_unused]] long long n, [[maybe_unused]] T* y, [[maybe_unused]] const S*... x) {
#if TILEOPS_HAVE_CUB
  return {"CUB", [=](cudaStream_t stream) {
            must(cub::DeviceTransform::Transform(cuda::std::make_tuple(x...), y, n, f, stream));
          }};
#else
  return {"no CUB", [](cudaStream_t) {}};
#endif
}
Way copy_of(void* y, const void* x, size_t bytes) {
  return {"copy", [=](cudaStream_t stream) { must(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, stream)); }};
}

void run(long long n) {
  float *x, *z, *y;
  f16* h;
  const size_t size = static_cast<size_t>(n) * sizeof(float);
  for (float** p : {&x, &z, &y}) {
    must(cudaMalloc(p, size));
    must(cudaMemset(*p, 0x3f, size));
  }
  must(cudaMalloc(&h, size / 2));
  const auto view = [&](float* p) { return tileops::View(p, {n}, {}, tileops::cuda()); };
  const tileops::View half(h, tileops::float16, {n}, {}, tileops::cuda());
  const double bytes = static_cast<double>(n);
  measure("gelu, float32", 8 * bytes,
          {copy_of(y, x, size),
           plan_of("(x) -> gelu(x)", {view(x)}, view(y)),
           {"transform", [=](cudaStream_t s) { must(transform(s, n, y, form_of<op::gelu, bounded>::body{}, x)); }},
           {"transform<2>", [=](cudaStream_t s) { must(transform<2>(s, n, y, form_of<op::gelu, bounded>::body{}, x)); }},
           cub_of(gelu_of_one{}, n, y, x)});
  measure("add, float32", 12 * bytes,
          {plan_of("(x, y) -> x + y", {view(x), view(z)}, view(y)),
           {"transform", [=](cudaStream_t s) { must(transform(s, n, y, sum_of_two{}, x, z)); }},
           cub_of(sum_of_two{}, n, y, x, z)});
  measure("cast, float32 to float16", 6 * bytes,
          {plan_of("(x) -> cast(x, float16)", {view(x)}, half),
           {"transform", [=](cudaStream_t s) { must(transform(s, n, h, itself{}, x)); }},
           cub_of(to_half{}, n, h, x)});
  for (void* p : {static_cast<void*>(x), static_cast<void*>(z), static_cast<void*>(y), static_cast<void*>(h)}) must(cudaFree(p));
}

}  // namespace transform_bench

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device on this machine\n");
    return 77;
  }
  cudaDeviceProp device;
  transform_bench::must(cudaGetDeviceProperties(&device, 0));
  const long long n = argc > 1 ? std::atoll(argv[1]) : 64ll << 20;
  std::printf("%s, %lld elements\n", device.name, n);
  transform_bench::run(n);
  return 0;
}
