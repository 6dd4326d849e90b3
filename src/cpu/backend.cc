// The CPU as a backend of the core.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "base/env.h"
#include "base/error.h"
#include "base/log.h"
#include "cpu/backend.h"
#include "cpu/select.h"
#include "cpu/threads/scratch.h"
#include "plan/backend.h"
#include "plan/context.h"

namespace tileops::cpu {
namespace {

constexpr int kMostThreads = 4096;

const KernelSet& kernel_set(const IsaKernels* isa) {
  static auto* sets = [] {
    auto* m = new std::map<const IsaKernels*, KernelSet>;
    int count;
    const IsaKernels* const* list = usable_isas(&count);
    for (int i = 0; i < count; ++i) {
      KernelSet& set = (*m)[list[i]];
      set.isa = list[i];
      list[i]->add_kernels({[](void* user, const Kernel& k) {
                              if (k.num_variants > kMaxVariants)
                                fail(TILEOPS_STATUS_INTERNAL, "kernel %d has %d variants, more than there is room for",
                                     k.op, k.num_variants);
                              (*static_cast<std::map<int32_t, std::vector<Kernel>>*>(user))[k.op].push_back(k);
                            },
                            &set.by_op});
    }
    return m;
  }();
  return sets->at(isa);
}

const IsaKernels* isa_named(const std::string& name) {
  int count;
  const IsaKernels* const* list = usable_isas(&count);
  if (count == 0)
    fail(TILEOPS_STATUS_NO_DEVICE, "device: this CPU runs no instruction set that the library was built for");
  if (name.empty() || name == "auto") return list[0];
  for (int i = 0; i < count; ++i)
    if (name == list[i]->name) return list[i];
  if (isa_compiled_in(name.c_str())) unsupported("cpu_isa: this CPU does not run '%s'", name.c_str());
  std::string known = "auto";
  for (int i = 0; i < count; ++i) known += std::string(", ") + list[i]->name;
  invalid("cpu_isa: unknown instruction set (got '%s', need one of %s)", name.c_str(), known.c_str());
}

class CpuExecutable : public Executable {
 public:
  CpuExecutable(const Problem& problem, const IsaKernels* isa, std::shared_ptr<Threads> threads)
      : threads_(std::move(threads)),
        ctype_(only_step(problem.passes[0]).ctype),
        temporaries_(problem.temporaries),
        workspace_bytes_(problem.workspace_bytes) {
    const KernelSet& kernels = kernel_set(isa);
    for (const Pass& pass : problem.passes) {
      executors_.emplace_back(problem, pass, kernels, threads_->count());
      for (const Step& step : pass.steps)
        name_ += (name_.empty() ? "" : "+") +
                 (step.body         ? step.body->name + "<" + ctype_name(step.ctype) + ">"
                  : step.converts() ? std::string(dtype_name(step.to))
                                    : std::string(step.scans ? "scan_" : "") + reduction_name(step.reduction) + "<" +
                                          ctype_name(step.ctype) + ">");
    }
    name_ += std::string("@") + isa->name;
  }

  void run(const Execution& e) const override {
    int64_t temporaries[kMostTemporaries] = {};
    const Binding binding = binding_of(e, temporaries);
    for (const PassExecutors& pass : executors_) pass.at(e.extents).execute(binding, *threads_);
  }
  void run_list(const Execution* items, size_t count) const override {
    std::vector<int64_t> temporaries(std::max(count * temporaries_.size(), kMostTemporaries));
    std::vector<Binding> bindings;
    bindings.reserve(count);
    for (size_t i = 0; i < count; ++i)
      bindings.push_back(binding_of(items[i], temporaries.data() + i * temporaries_.size()));
    for (const PassExecutors& pass : executors_) {
      size_t numel = 0;
      for (size_t i = 0; i < count; ++i) numel += pass.numel(items[i].extents);
      pass.of_numel(numel).execute_list(bindings, *threads_);
    }
  }
  void run_part(const Execution& e, const Part& p) const override {
    int64_t temporaries[kMostTemporaries] = {};
    executors_[p.phase].at(e.extents).execute_part(binding_of(e, temporaries), p.part, p.parts);
  }
  size_t num_parts(const int64_t* extents) const override {
    size_t most = 1;
    for (const PassExecutors& pass : executors_) most = std::max(most, pass.at(extents).num_parts(extents));
    return most;
  }
  size_t workspace_bytes(const int64_t* extents) const override {
    int64_t temporaries[kMostTemporaries];
    return temporaries_.empty() ? workspace_bytes_ : place_temporaries(temporaries_, extents, temporaries);
  }
  size_t num_passes() const override { return executors_.size(); }
  std::string kernel_name() const override { return name_; }
  std::string strategy() const override { return executors_[0].usual().strategy(); }
  std::string layout() const override { return layout_class_name(executors_[0].usual().layout()); }
  std::string cache_origin() const override { return "builtin"; }
  std::string source() const override {
    std::string text;
    for (size_t i = 0; i < executors_.size(); ++i) {
      if (executors_.size() > 1) text += "pass " + std::to_string(i) + "\n";
      text += executors_[i].usual().source();
    }
    return text;
  }
  Ctype compute_type() const override { return ctype_; }

 private:
  Binding binding_of(const Execution& e, int64_t* temporaries) const {
    if (!temporaries_.empty()) place_temporaries(temporaries_, e.extents, temporaries);
    return {e.inputs, e.outputs, e.numbers, e.workspace, temporaries, e.extents};
  }

  std::shared_ptr<Threads> threads_;
  std::vector<PassExecutors> executors_;
  std::string name_;
  Ctype ctype_;
  std::vector<Extent> temporaries_;  // open ones
  size_t workspace_bytes_;
};

// Threads are shared with executables, which may outlive the context.
struct CpuState : BackendState {
  std::string isa;  // "": the best one
  std::shared_ptr<Threads> threads;
};

class CpuBackend : public Backend {
 public:
  DLDeviceType device_type() const override { return kDLCPU; }
  int device_count() const override { return 1; }

  void describe(int, tileops_device_info* out) const override {
    out->device = DLDevice{kDLCPU, 0};
    std::snprintf(out->name, sizeof out->name, "%s", product_name().c_str());
    std::snprintf(out->arch, sizeof out->arch, "%s", isa_named("auto")->name);
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) out->memory_bytes = static_cast<uint64_t>(pages) * page;
    out->units = static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  }

  std::unique_ptr<BackendState> make_state(const tileops_context_options& user, const ContextOptions&) const override {
    auto state = std::make_unique<CpuState>();
    if (user.num_threads < 0) invalid("options: num_threads is negative (got %d)", user.num_threads);
    if (user.num_threads > kMostThreads)
      invalid("options: num_threads is too large (got %d, need at most %d)", user.num_threads, kMostThreads);
    int threads = user.num_threads;
    if (!threads)
      if (const auto n = env_count("TILEOPS_NUM_THREADS"))
        threads = static_cast<int>(*n > kMostThreads ? kMostThreads : *n);
    if (user.cpu_isa && *user.cpu_isa) {
      isa_named(state->isa = user.cpu_isa);
    } else if (const auto isa = env("TILEOPS_CPU_ISA")) {
      try {
        isa_named(*isa);
        state->isa = *isa;
      } catch (const Error& e) {  // the environment must not make a program fail
        log(TILEOPS_LOG_WARN, "TILEOPS_CPU_ISA=%s: %s; ignored", isa->c_str(), e.message.c_str());
      }
    }
    state->threads = std::make_shared<Threads>(threads);
    log(TILEOPS_LOG_INFO, "context: %d CPU threads", state->threads->count());
    return state;
  }

  void check(const Problem& problem, DLDevice, BackendState& state) override {
    const KernelSet& kernels = kernel_set(isa_named(static_cast<CpuState&>(state).isa));
    for (const Pass& pass : problem.passes) check_pass(problem, pass, kernels);
  }

  std::unique_ptr<Executable> prepare(const Problem& problem, DLDevice, BackendState& state) override {
    const CpuState& own = static_cast<CpuState&>(state);
    scratch_of_thread();  // so that an execute on this thread need not allocate it
    return std::make_unique<CpuExecutable>(problem, isa_named(own.isa), own.threads);
  }

  void check_stream(void* stream) const override {
    if (stream) invalid("stream: must be NULL for a CPU plan");
  }

  void* allocate(DLDevice, size_t bytes) override {
    void* p = std::aligned_alloc(64, (bytes + 63) / 64 * 64 + (bytes == 0 ? 64 : 0));
    if (!p) fail(TILEOPS_STATUS_OUT_OF_MEMORY, "out of memory (%zu bytes)", bytes);
    return p;
  }
  void release(DLDevice, void* memory) noexcept override { std::free(memory); }
  void* stream_create(DLDevice) override { return nullptr; }
  void stream_destroy(DLDevice, void* stream) override { check_stream(stream); }
  void stream_synchronize(DLDevice, void* stream) override { check_stream(stream); }
  void copy(DLDevice, void* to, const void* from, size_t bytes, bool, void*) override { std::memcpy(to, from, bytes); }

 private:
  static std::string product_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      const size_t colon = line.find(": ");
      if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "CPU";
  }
};

}  // namespace

Backend& cpu_backend() {
  static auto* backend = new CpuBackend;
  return *backend;
}

}  // namespace tileops::cpu
