// What the CUDA plans of one context share.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "plan/backend.h"
#include "plan/context.h"
#include "store/disk.h"
#include "store/tuned.h"

namespace tileops::cuda {

struct CudaState : BackendState {
  // `one_thread`: kernels are compiled on the thread that plans, one after the other.
  explicit CudaState(const ContextOptions& common, bool one_thread = false);
  void add_statistics(tileops_cache_stats* out) const override;

  const bool one_thread;
  const tileops_cache_mode cache_mode;
  const std::vector<std::string> pack_dirs;  // looked in before the library's own folder
  const std::string jit_dump;                // directory for the sources and code of compiled kernels; "": none
  cache::DiskStore disk;                     // compiled kernels
  cache::Tuned tuned;                        // kept on that disk

  // Where the kernels of plans came from.
  std::atomic<uint64_t> memory_hits{0}, pack_hits{0}, disk_hits{0}, compiles{0};
  std::atomic<uint64_t> tables_made{0}, tables_refused{0};
};

}  // namespace tileops::cuda
