// The stages of a pass of rows. A step that reduces needs all that it takes before it gives anything, and whoever
// shares a block has to meet at one that scans. So a block's elements are gone through again and again:
//
//   (x) -> { m = amax(x);  e = exp(x - m);  e / sum(e) }
//
//   stage 0    amax of x is behind it
//   stage 1    the sum of exp(x - m) is behind it
//   stage 2    is the last one: e / sum is stored
//
// A value is of the stage in which it can be computed (ValueInfo::stage), and of a level: there once a block, once a
// group in it, or of each element. Both backends compute a pass by functions, one after the other: what a stage has
// once a block, then what it has once a group; then, of each element, what is taken by the reductions and scans behind
// the stage; and, with the last stage, what is stored. What a function needs of others is told in needs.h.
#pragma once

#include <vector>

#include "problem/analysis.h"

namespace tileops {

// How many of a block's extents, the outer ones, number the groups that rows are cut into: those that reductions of
// groups leave. 0: there are no such.
size_t group_rank(const Pass& pass);

// Along which extents a view goes; and what is stored, whose place may change less often than its value does.
Level level_of(const Pass& pass, const View& view);
Level level_of_stored(const Pass& pass, const PassInfo& info, size_t store);

// The steps that reduce groups, or blocks, behind a stage; and those that scan there.
std::vector<size_t> reductions_behind(const Pass& pass, const PassInfo& info, int stage, Level of);
std::vector<size_t> scans_behind(const Pass& pass, const PassInfo& info, int stage);
bool has_scans(const Pass& pass);

// Is what follows a stage the first element of each block, and nothing else?
bool takes_first_alone(const Pass& pass, const PassInfo& info, int stage);

// Is it a sum, product or variance of floats, whose bits depend on the order of its elements? Does a pass have such a
// one of elements in columns (Step::in_columns)?
bool depends_on_order(const Step& step);
bool is_in_columns(const Pass& pass);

// Does it add up what blocks have for some of its stores? Then it takes them in their row-major order.
bool sums_blocks(const Pass& pass);

// Has it no element to store? A block without elements has the results of its reductions all the same.
bool stores_nothing(const Pass& pass);

// A load whose place indices say; and one of elements whose indices are there once a block, so that it can be read as
// other loads are when their stage is reached.
bool is_gathered(const Pass& pass, size_t load);
bool is_gathered_in_blocks(const Pass& pass, const PassInfo& info, size_t load);

}  // namespace tileops
