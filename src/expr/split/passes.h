// Which pass a reduction or a scan joins, and what passes have.
#pragma once

#include "expr/split/split.h"

namespace tileops::expr {

// Whatever reads an operand broadcast runs before what may be written over it (in_place.h).
bool runs_before(const PassPlan& a, const PassPlan& b);

// Is it what the pass has: of an element, of a group or of a block?
bool has_shape(const PassPlan& p, const std::vector<Extent>& shape);

// Is it a pass that reduces nothing (Needs::own_pass)?
bool brings_groups_back(const PassPlan& p);

// The shape of what a pass leaves that reduces its blocks in parts: the parts lie along an axis before all others, and
// reduced axes have one element.
std::vector<Extent> shape_of_parts(const PassPlan& p);

// Is there a pass, from the one of that number on, that has such blocks, whole or in groups, from the front on?
bool has_pass(const std::vector<PassPlan>& passes, size_t from, const std::vector<Extent>& shape, const Blocking& over);

// The number of a pass, from the one of that number on, which may be a new one:
// that has such blocks, whole or in parts,
int pass_with(size_t from, const std::vector<Extent>& shape, const Blocking& over, std::vector<PassPlan>* passes,
              int64_t split_elements = 0, bool mirrored = false);
// whose blocks, whole or in parts, are those of the scan and nothing else, and go its way,
int pass_of_scan(size_t from, const std::vector<Extent>& shape, const Blocking& over, bool reverse,
                 int64_t split_elements, std::vector<PassPlan>* passes);
// whose blocks a reduction takes instead of their elements (Needs::may_reduce_blocks); -1: there is none,
int pass_of_parts(const Inference& inference, int node, size_t from, std::vector<PassPlan>* passes);
// or whose blocks are the last axes; -1: there should be none.
int pass_of_blocks(const Inference& inference, size_t from, const std::vector<Extent>& shape, size_t axes,
                   std::vector<PassPlan>* passes);

// Gives a result to a pass of its shape that reduces nothing. `splits_packed_bytes`: Needs.
void add_map(Target&& t, bool splits_packed_bytes, std::vector<PassPlan>* maps);

}  // namespace tileops::expr
