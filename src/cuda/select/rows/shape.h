// What the choice of a kernel of rows asks of a pass: its blocks, their groups and elements, and where operands lie in
// them. Found once; the plan (plan.h) is made from it.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/select/stages.h"
#include "problem/rows/needs.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {

class RowShape {
 public:
  // Throws Error(UNSUPPORTED) for what there is no kernel of.
  RowShape(const Problem& problem, const Pass& pass, const PassInfo& info, const std::optional<Way>& way);

  const Problem& problem;
  const Pass& pass;
  const PassInfo& info;
  const Layout layout;
  const std::vector<Level> levels;  // of the operands
  const Operands operands;          // with the pattern that kernels/rows/transfer.h reads and writes them by
  const std::optional<Way> way;     // where extents are open
  const int64_t blocks;             // how many, or as many as are usual in the way
  const Extent groups, inner;       // groups of a block; elements of a group, or of a block

  size_t outer() const { return layout.outer(); }
  size_t inner_dim() const { return outer() + layout.group_rank; }
  bool has_open_blocks() const { return groups.is_open() || inner.is_open(); }
  const Operand& operand(size_t i) const { return operands.direct[i]; }
  size_t num_operands() const { return operands.direct.size(); }

  // Is it read and written element by element? Sums of blocks are not, nor what steps gather one by one.
  bool is_element(size_t i) const;
  bool is_sum_of_blocks(size_t i) const { return operand(i).view->sum_of_blocks.has_value(); }
  // Is a load taken by the last stage alone? And do stages before it need it, or is there no other?
  bool is_of_last_stage(size_t load) const { return stages_of_load_[load] == uint64_t{1} << (info.stages() - 1); }
  bool is_there_early(size_t load) const { return info.stages() == 1 || !is_of_last_stage(load); }
  // Bytes of the loads of one element that have to be there from the first stage on, or of all.
  int64_t load_bytes(bool all) const;
  bool puts_elements() const;
  // Bytes of a node of what is reduced of blocks, all stages together: each has its own in shared memory.
  int64_t node_bytes() const;
  // The same of what is scanned.
  int64_t scanned_bytes() const;

  // Are rows so short, and so many, that a thread has one of its own, in packs of so many elements? Neighbouring
  // threads do not read neighbouring packs then, which counts where these are wide and rows are longer than a sector.
  bool has_short_rows(int64_t vec, const ChooseOptions& options, const Tuning& tuning) const;

  // Packs of so many elements lie within rows, or groups of them; and each is aligned.
  bool has_packs_within(int64_t vec) const;
  bool has_aligned_packs(int64_t vec) const;

  // Are the elements that a load gathers neighbours along that dimension, with the same indices?
  bool gathers_along(size_t d, size_t load) const;
  // Are more bytes one after the other along the last extent that numbers blocks than within blocks?
  bool lies_in_columns() const;
  // Blocks of plain elements, or parts of them, that lie so; 1: they do not.
  int64_t blocks_beside() const;
  const Extent& column_stride(const Operand& o) const { return o.strides[outer() - 1]; }
  // Do elements of neighbouring blocks share bytes of a result?
  bool stores_columns_in_packs() const;

  // Do bytes within a block need 64 bits?
  bool is_wide() const;

 private:
  // Are there more along this dimension than within blocks?
  bool lies_along(size_t d) const;

  std::vector<uint64_t> stages_of_load_;
};

}  // namespace tileops::cuda
