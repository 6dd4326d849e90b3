// What dropout's kernels take of its attributes, prepared, in words after them: kernels/position_forms.h.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/select/spec.h"

namespace tileops::cuda {

// 0 of other kernels, and of those that take the attributes alone.
int num_dropout_words(const KernelSpec& spec);
std::vector<uint64_t> dropout_words(const Pass& pass, const KernelSpec& spec);

}  // namespace tileops::cuda
