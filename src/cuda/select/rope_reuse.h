// RoPE: sines and cosines serve the heads of a position (kernels/turn.h).
#pragma once

#include <vector>

#include "plan/layout.h"
#include "cuda/select/reach.h"
#include "cuda/select/spec.h"
#include "cuda/tuning/tuning.h"

namespace tileops::cuda {

// The dimension along which only the first two operands of a turning body and its results vary, if there is one, how
// many packs of it a thread takes, and whether threads share what is the same.
void choose_turn(const Pass& pass, const Layout& layout, size_t direct, const Tuning& tuning,
                 std::vector<Operand>* operands, KernelSpec* spec);

}  // namespace tileops::cuda
