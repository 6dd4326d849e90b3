// Kernels that look all results up (kernels/lookup.h, lookup_halves.h, lookup_pairs.h) and know no body.
#pragma once

#include <optional>

#include "cuda/select/choose.h"

namespace tileops::cuda {

// Of a pass that such a kernel is asked for or suits. Throws Error(UNSUPPORTED) where it is asked for and there is
// none, Error(INVALID_ARGUMENT) for numbers that it cannot have.
std::optional<Choice> choose_table(const Problem& problem, const Pass& pass, const Layout& layout, const Wish& wish);

}  // namespace tileops::cuda
