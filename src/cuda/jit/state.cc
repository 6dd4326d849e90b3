#include "cuda/jit/state.h"

#include "base/env.h"
#include "cuda/driver/device.h"
#include "cuda/jit/nvrtc.h"

namespace tileops::cuda {

CudaState::CudaState(const ContextOptions& common, bool alone)
    : one_thread(alone),
      cache_mode(common.cache_mode),
      pack_dirs(common.pack_dirs),
      jit_dump(env("TILEOPS_JIT_DUMP").value_or("")),
      disk(common.cache_dir, common.cache_mode == TILEOPS_CACHE_READ_WRITE, common.cache_max_bytes),
      tuned(common.cache_mode == TILEOPS_CACHE_OFF ? nullptr : &disk) {
  if (!common.nvrtc_path.empty()) Nvrtc::choose(common.nvrtc_path);
}

void CudaState::add_statistics(tileops_cache_stats* out) const {
  out->kernel_memory_hits = memory_hits.load(std::memory_order_relaxed);
  out->kernel_pack_hits = pack_hits.load(std::memory_order_relaxed);
  out->kernel_disk_hits = disk_hits.load(std::memory_order_relaxed);
  out->kernel_compiles = compiles.load(std::memory_order_relaxed);
  out->disk_bad_entries = disk.bad_entries();
  out->tables_made = tables_made.load(std::memory_order_relaxed);
  out->tables_refused = tables_refused.load(std::memory_order_relaxed);
  out->device_bytes = held_bytes().load(std::memory_order_relaxed);
}

}  // namespace tileops::cuda
