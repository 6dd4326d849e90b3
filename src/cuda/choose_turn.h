// RoPE: sines and cosines serve the heads of a position (kernels/turn.h).
#pragma once

#include <vector>

#include "core/layout.h"
#include "cuda/reach.h"
#include "cuda/spec.h"
#include "cuda/tuning.h"

namespace tileops::cuda {

// The dimension along which only the first two operands of a turning body and its results vary, if there is one, how
// many packs of it a thread takes, and whether threads share what is the same.
void choose_turn(const Pass& pass, const Layout& layout, size_t direct, const Tuning& tuning,
                 std::vector<Operand>* operands, KernelSpec* spec);

}  // namespace tileops::cuda
