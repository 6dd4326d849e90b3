// Blocks of a pass of rows that lie side by side in memory, as the columns of a matrix do.
#pragma once

#include "problem/layout.h"

namespace tileops::cpu {

// Do elements of neighbouring blocks share bytes of a result? They lie along the last extent outside of the block.
bool packs_blocks(const Pass& pass, const Layout& layout);

// Does it pay to take some elements of several blocks at a time, and is there a kernel of each reduction that does?
bool goes_by_columns(const Pass& pass, const Layout& layout);

// Have the columns of one matrix so few elements that they are taken together with those of the next ones, along the
// last but one extent outside of the block?
bool joins_matrices(const Pass& pass, const Layout& layout);

}  // namespace tileops::cpu
