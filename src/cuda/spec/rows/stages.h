// What a row kernel's text has of stages: a struct each, with what the stage computes once a block or once a group,
// what it reads of elements, and what it reduces and scans; and what is added up over blocks behind all of them.
#pragma once

#include "cuda/spec/rows/functions.h"

namespace tileops::cuda {

void write_stage(RowFunctions& t, int stage);
// By kernels/rows/sums_of_blocks.h.
void write_sums_of_blocks(RowFunctions& t);

}  // namespace tileops::cuda
