// A problem without numbers, run by two threads of the CPU backend.
#pragma once

#include <vector>

#include "cpu/backend.h"
#include "plan/context.h"

namespace tileops {

inline void run_on_cpu(const Problem& problem, const std::vector<const void*>& in, const std::vector<void*>& out) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 2;
  Backend& backend = cpu::cpu_backend();
  const DLDevice device{kDLCPU, 0};
  const auto state = backend.make_state(options, {});
  backend.check(problem, device, *state);
  backend.prepare(problem, device, *state)->run({in.data(), out.data()});
}

}  // namespace tileops
