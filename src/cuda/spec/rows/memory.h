// What a row kernel's text has of loads: struct block_values and group_values, of what is there once a block or once a
// group; struct memory, of packs of elements and of values that are kept of them; and the functions that read these.
#pragma once

#include <functional>
#include <string>

#include "cuda/spec/rows/functions.h"

namespace tileops::cuda {

void write_structs(RowFunctions& t);
// The line that reads a load of blocks to `to`, "b->x", with its number.
std::string read_of_block(const RowFunctions& t, size_t load, const std::string& to);
// The functions read_block, read_groups, read_kept and renew_kept; of rows in shared memory stage_packs and
// read_staged.
void write_reads_before_stages(RowFunctions& t);
// A function that reads the packs of those loads. `given`: its parameters beside the place and the memory.
void write_read(RowFunctions& t, const std::string& name, const std::string& given,
                const std::function<bool(size_t)>& which, int indent);

}  // namespace tileops::cuda
