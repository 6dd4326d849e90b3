// The scans of a pass of rows, by phase: what is known of each lies in the thread's memory while the phase goes through
// a block.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/program/machine.h"
#include "cpu/reduce.h"
#include "cpu/rows/phases.h"

namespace tileops::cpu {

class Scans {
 public:
  // Throws Error(UNSUPPORTED) where there is no kernel of one. `columns`: as Phases::columns.
  Scans(const Problem& problem, const std::vector<Phase>& phases, const IsaKernels& isa, bool columns);

  // Bytes of what all scans of a phase know, of the phase that needs most.
  size_t bytes(size_t rows, size_t cols) const;

  // Before the first element of a block, or of the block's `cols` columns.
  void begin(size_t phase, uint8_t* states, size_t rows, size_t cols) const;
  // The values of a tile and its results. `rows_are_blocks`: each row of it is one, or a part of one; else they are all
  // of the block that was begun.
  void feed(size_t phase, size_t scan, uint8_t* states, size_t block_rows, size_t block_cols, bool rows_are_blocks,
            const void* values, const Place& place, void* results) const;

 private:
  struct One {
    ScanKernel kernel;
  };
  size_t bytes_of(const One& scan, size_t rows, size_t cols) const;
  uint8_t* state(size_t phase, size_t scan, uint8_t* states, size_t rows, size_t cols) const;

  std::vector<std::vector<One>> scans_;  // by phase
  bool columns_;
};

}  // namespace tileops::cpu
