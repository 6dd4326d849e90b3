#include "cuda/spec/spec.h"

#include <algorithm>

#include "cuda/kernels/common/activation_range.h"

namespace tileops::cuda {

int num_strides(const std::vector<int>& slots) {
  return slots.empty() ? 0 : *std::max_element(slots.begin(), slots.end()) + 1;
}

ArgumentLayout ArgumentLayout::of(const KernelSpec& spec) {
  return {spec.access.views(), spec.traversal.dims, spec.compute.attrs, spec.access.stride_slots, spec.has_rows()};
}

int activation_table_bytes(Dtype gate) {
  return static_cast<int>((gate == Dtype::bf16 ? kernels::kBf16Activations : kernels::kF16Activations).bytes());
}

int shared_bytes_of(const KernelSpec& spec) {
  const TraversalSpec& t = spec.traversal;
  switch (t.kernel_template) {
    case Template::lookup_halves:
    case Template::lookup_pairs: return 65536 * t.result_bytes;
    case Template::rows:
    case Template::columns: return t.row.staged * t.row.packs * t.threads * t.row.staged_bytes;
    case Template::activation_table: return activation_table_bytes(spec.access.loads[0].dtype);
    default: return 0;
  }
}

}  // namespace tileops::cuda
