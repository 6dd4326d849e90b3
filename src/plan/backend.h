// What a backend is to the core: something that turns a Problem into an Executable, and moves
// memory. The core knows no backend but through this.
#pragma once

#include <tileops/tileops.h>

#include <functional>
#include <memory>
#include <string>

#include "problem/device.h"
#include "problem/problem.h"

namespace tileops {

struct ContextOptions;

// Told each measured candidate; false stops.
using TuneProgress = std::function<bool(const tileops_tune_progress&)>;

// What one execute brings.
struct Execution {
  const void* const* inputs;  // addresses of element 0; NULL for absent ones
  void* const* outputs;
  void* stream = nullptr;
  uint32_t host_inputs = 0;            // a bit for each 0-d input of a device plan that lies in host memory
  const AttrValue* numbers = nullptr;  // the problem's, if it has any; read before run() returns
  void* workspace = nullptr;           // workspace_bytes() on the device, aligned to kWorkspaceAlignment
  const int64_t* extents = nullptr;    // the plan's open ones, if it has any
};

// A part of an execute, which the caller's threads run by themselves (tileops_execute_part).
struct Part {
  uint32_t phase, part, parts;
};

// A prepared problem. Immutable; run() may be called by many threads at once.
class Executable {
 public:
  virtual ~Executable() = default;
  // Allocates nothing.
  virtual void run(const Execution& execution) const = 0;
  // All of a list (tileops_execute_list), of a problem with TILEOPS_PLAN_LIST: items have the stream, the numbers (but
  // for those of extents) and the host_inputs of the first one.
  virtual void run_list(const Execution* items, size_t count) const = 0;
  // A part of a phase, which is a pass, where num_parts is not 0.
  virtual void run_part(const Execution& execution, const Part& part) const;
  // Parts of a phase that are worth a thread each, for the plan's open extents; 0: this is not run in parts.
  virtual size_t num_parts(const int64_t* /*extents*/) const { return 0; }
  virtual size_t workspace_bytes(const int64_t* /*extents*/) const { return 0; }  // for the plan's open extents
  virtual size_t num_passes() const = 0;
  // Which of the ways that the plan was prepared for these extents take, from 0 on.
  virtual size_t way(const int64_t* /*extents*/) const { return 0; }
  virtual std::string kernel_name() const = 0;
  virtual std::string strategy() const = 0;
  // Threads of a block and elements of a thread, and who chose: "given", "tuned" or "auto".
  virtual LaunchHint launch_hint() const { return {}; }
  virtual std::string strategy_origin() const { return "auto"; }
  virtual std::string layout() const = 0;
  virtual std::string cache_origin() const = 0;
  virtual std::string source() const = 0;
  virtual Ctype compute_type() const = 0;
};

// What a backend keeps for the plans of one context: options of its own, threads, caches. Known inside that backend
// alone, which makes it and is handed it back.
class BackendState {
 public:
  virtual ~BackendState() = default;
  // Fills in what it counted.
  virtual void add_statistics(tileops_cache_stats*) const {}
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual DLDeviceType device_type() const = 0;
  virtual int device_count() const = 0;
  virtual std::string why_no_device() const { return ""; }  // if there is none
  virtual void describe(int index, tileops_device_info* out) const = 0;
  // State for the plans of a context, from the user's options and environment variables that this backend alone knows,
  // and from those that all have in common. Throws Error on an option that it cannot serve.
  virtual std::unique_ptr<BackendState> make_state(const tileops_context_options& user,
                                                   const ContextOptions& common) const = 0;
  // Throws Error(UNSUPPORTED) if no kernel can run this. Prepares nothing.
  virtual void check(const Problem& problem, DLDevice device, BackendState& state) = 0;
  // The executable may outlive the state.
  virtual std::unique_ptr<Executable> prepare(const Problem& problem, DLDevice device, BackendState& state) = 0;
  // Measures what `problem` could be cut into on the device and keeps the fastest (tileops_tune). The
  // request is the problem's.
  virtual tileops_tune_result tune(const Request& request, const Problem& problem, BackendState& state,
                                   const TuneProgress& progress);
  // Throws Error on a stream that the device cannot have.
  virtual void check_stream(void* stream) const = 0;
  virtual void* allocate(DLDevice device, size_t bytes) = 0;  // 64-byte aligned
  virtual void release(DLDevice device, void* memory) noexcept = 0;
  virtual void* stream_create(DLDevice device) = 0;
  virtual void stream_destroy(DLDevice device, void* stream) = 0;
  virtual void stream_synchronize(DLDevice device, void* stream) = 0;
  // Calls `work` with a stream of `device`, ordered within `stream` of `other`, another device of this backend:
  // after all that `stream` holds, and before what it is given next. Waits for nothing.
  virtual void detour(DLDevice device, DLDevice other, void* stream, const std::function<void(void*)>& work);
  // Dense bytes from or to this backend's device; the other side is any device of it or host memory.
  // Host memory may be reused on return if it is the source, and holds the bytes if it is the target.
  virtual void copy(DLDevice device, void* to, const void* from, size_t bytes, bool to_host, void* stream) = 0;
};

// The backend of a device, after checking that the device exists; throws Error(NO_DEVICE).
Backend& backend_of(DLDevice device);

// All backends in the order of tileops_device_describe.
Backend* const* all_backends(int* count);

}  // namespace tileops
