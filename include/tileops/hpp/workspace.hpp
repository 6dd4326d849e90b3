// SPDX-License-Identifier: Apache-2.0
// What an execute works in besides its operands.
#ifndef TILEOPS_HPP_WORKSPACE_HPP
#define TILEOPS_HPP_WORKSPACE_HPP

#include <cstddef>
#include <cstdint>

#include "tileops/hpp/error.hpp"
#include "tileops/hpp/tensor.hpp"

namespace tileops {
inline namespace TILEOPS_CXX_NAMESPACE {

// Memory for what a plan leaves from one pass for later ones, such as sums along all axes. Most plans need none.
//
//   const tileops::ManagedTensor memory = plan.allocate_workspace();  // once; plan.workspace_bytes() of them
//   plan.execute_with(in, out, scalars, stream, memory);              // as often as wanted
//
// Size       at least Plan::workspace_bytes(), which does not change; one that is larger serves as well, so that plans
//            may have one together, one after the other
// Place      on the plan's device, the first byte at a multiple of 64; what it holds before does not matter
// Lifetime   it belongs to an execute until that has ended: on the CPU when the call returns, on CUDA when the stream
//            has come so far. A captured graph works in it each time that it is launched
// Sharing    executes at the same time need one each. Those that one thread enqueues on one stream run one after the
//            other, and may share one; of several threads on one stream the passes may mix, and so they may not
//
// It owns nothing. None at all is right where the plan needs none, and where its context keeps one for each plan
// (tileops_context_options.keep_workspace).
struct Workspace {
  Workspace() = default;
  Workspace(void* memory, uint64_t size) : data(memory), bytes(size) {}
  // All of a tensor, which must be row-major as allocate_workspace() gives it.
  Workspace(const ManagedTensor& tensor) {
    const DLTensor* t = tensor.get();
    if (!t) return;
    bytes = static_cast<uint64_t>(t->dtype.bits) * t->dtype.lanes / 8;
    for (int32_t d = 0; d < t->ndim; ++d) bytes *= static_cast<uint64_t>(t->shape[d]);
    data = static_cast<char*>(t->data) + t->byte_offset;
  }
  Workspace(const ManagedTensor&& tensor) = delete;  // gone before the work is done

  void* data = nullptr;
  uint64_t bytes = 0;
};

}  // namespace TILEOPS_CXX_NAMESPACE
}  // namespace tileops

#endif
