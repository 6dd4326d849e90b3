// A part of the text of a kernel: what goes between memory and the steps, operand by operand and result
// by result. Templates over lists of them would say the same in fewer lines, and take NVRTC a fifth of the whole
// compile.
#pragma once

#include <cstdint>
#include <string>

#include "cuda/spec/spec.h"

namespace tileops::cuda {

// `struct transfers`, which device/cuda/kernel/elementwise.h says what it is for.
std::string transfers_text(const KernelSpec& spec);

// Bits of the views of which a pack in rows must be aligned to be straight: of loads alone where packs that are not are
// read and go on together with others, of all views else.
uint64_t pieces_of(const KernelSpec& spec);
uint64_t views_in_one_piece(const KernelSpec& spec);

}  // namespace tileops::cuda
