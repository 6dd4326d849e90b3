// Compiles the standard kernels for one architecture into a pack. Needs NVRTC, no GPU.
//
// usage: tileops_pack [--sample] [--keep-going] [--jobs N] ARCH OUTPUT
//
// NVRTC is found as the library finds it (TILEOPS_NVRTC, CUDA_HOME). With OUTPUT "-" nothing is
// written: a check that everything compiles.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cache/pack.h"
#include "core/error.h"
#include "cuda/nvrtc.h"
#include "cuda/source.h"
#include "cuda/standard.h"

using namespace tileops;
using namespace tileops::cuda;

int main(int argc, char** argv) {
  bool sample = false, keep_going = false;
  unsigned jobs = std::thread::hardware_concurrency();
  int at = 1;
  for (; at < argc && argv[at][0] == '-' && argv[at][1] == '-'; ++at) {
    if (!std::strcmp(argv[at], "--sample")) sample = true;
    else if (!std::strcmp(argv[at], "--keep-going")) keep_going = true;
    else if (!std::strcmp(argv[at], "--jobs") && at + 1 < argc) jobs = static_cast<unsigned>(std::atoi(argv[++at]));
    else at = argc;
  }
  if (argc - at != 2) {
    std::fprintf(stderr, "usage: tileops_pack [--sample] [--keep-going] [--jobs N] ARCH OUTPUT\n");
    return 2;
  }
  const int arch = std::atoi(argv[at]);
  const std::string output = argv[at + 1];
  const Nvrtc& nvrtc = Nvrtc::get();
  if (!nvrtc.available()) {
    std::fprintf(stderr, "tileops_pack: %s\n", nvrtc.failure().c_str());
    return 1;
  }
  if (arch > nvrtc.newest_arch()) {
    std::fprintf(stderr, "tileops_pack: NVRTC %s does not know sm_%d\n", nvrtc.build().c_str(), arch);
    return 1;
  }
  const std::vector<KernelSpec> specs = standard_kernels(arch, sample);
  std::vector<std::pair<std::string, std::string>> kernels(specs.size());
  std::atomic<size_t> next{0}, failed{0}, bytes{0};
  std::mutex mutex;
  const auto start = std::chrono::steady_clock::now();
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < specs.size();) {
      try {
        Compiled c = nvrtc.compile(full_source(specs[i]), specs[i].name(), arch);
        bytes += c.image.size();
        kernels[i] = {kernel_key(specs[i], arch), std::move(c.image)};
      } catch (const Error& e) {
        std::lock_guard<std::mutex> lock(mutex);
        std::fprintf(stderr, "tileops_pack: %s\n", e.message.c_str());
        if (failed++ == 0 && !keep_going) next = specs.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < (jobs ? jobs : 1); ++t) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("sm_%d: %zu kernels, %.1f MB, %.0f s, %zu failed\n", arch, specs.size(),
              static_cast<double>(bytes) / 1e6, seconds, failed.load());
  if (failed) return 1;
  try {
    if (output != "-") cache::write_pack(output, kEmbeddedHash, kernels);
  } catch (const Error& e) {
    std::fprintf(stderr, "tileops_pack: %s\n", e.message.c_str());
    return 1;
  }
  return 0;
}
