// The stages of passes of rows, what their functions need of others, and the layout of such a pass.
#include <gtest/gtest.h>

#include "../common/passes.h"
#include "problem/layout.h"
#include "problem/rows/needs.h"

namespace tileops {
namespace {

using passes::Builder;
using Steps = NumberSet;

size_t number(const Value& v) { return static_cast<size_t>(v.index); }

// exp(x - amax(x)) / sum(exp(x - amax(x))) over rows of 64.
struct Softmax {
  Builder b{{8, 64}};
  Value x, m, d, e, s, y;

  Softmax() {
    x = b.load(0, Dtype::f32);
    m = b.reduce(Reduction::amax, x, 1);
    d = b.apply(TILEOPS_OP_SUB, {x, m});
    e = b.apply(TILEOPS_OP_EXP, {d});
    s = b.reduce(Reduction::sum, e, 1);
    y = b.apply(TILEOPS_OP_DIV, {e, s});
    b.store(0, Dtype::f32, y);
  }
};

TEST(Stages, ReductionsFollowStages) {
  const Softmax f;
  const PassInfo info(f.b.pass);
  ASSERT_EQ(info.stages(), 3);
  EXPECT_EQ(reductions_behind(f.b.pass, info, 0, Level::block), std::vector<size_t>{number(f.m)});
  EXPECT_EQ(reductions_behind(f.b.pass, info, 1, Level::block), std::vector<size_t>{number(f.s)});
  EXPECT_TRUE(reductions_behind(f.b.pass, info, 1, Level::group).empty());
  EXPECT_EQ(info.of(f.m).level, Level::block);
  EXPECT_EQ(level_of_stored(f.b.pass, info, 0), Level::element);
}

TEST(Stages, FunctionsComputeWhatTheyAreNotGiven) {
  const Softmax f;
  const PassInfo info(f.b.pass);
  const std::vector<Needs> needs = needs_of_elements(f.b.pass, info, {});
  ASSERT_EQ(needs.size(), 4u);  // of three stages, behind the last of which nothing is reduced, and of the stores
  EXPECT_EQ(needs[0].steps, Steps{});
  EXPECT_EQ(needs[1].steps, (Steps{number(f.d), number(f.e)}));
  EXPECT_EQ(needs[1].given_steps, Steps{number(f.m)});
  EXPECT_EQ(needs[3].steps, (Steps{number(f.d), number(f.e), number(f.y)}));
  EXPECT_EQ(needs[3].given_steps, (Steps{number(f.m), number(f.s)}));
  EXPECT_EQ(computed_again(needs), (Steps{number(f.d), number(f.e)}));
  EXPECT_EQ(stages_of_loads(f.b.pass, needs), std::vector<uint64_t>{0b111});
}

TEST(Stages, WhatIsKeptIsNotComputedAgain) {
  const Softmax f;
  const PassInfo info(f.b.pass);
  Needing needing(f.b.pass, info, Level::element, 2, {number(f.e)});
  needing.stored(0);
  EXPECT_EQ(needing.needs().steps, Steps{number(f.y)});
  EXPECT_EQ(needing.needs().kept_steps, Steps{number(f.e)});
  EXPECT_TRUE(needing.needs().loads.empty());
}

// A rounding that looks at the operands needs them, whether or not the value is kept.
TEST(Stages, TestedRoundingsNeedOperands) {
  Builder b({8, 64});
  b.pass.row_rank = 1;
  const Value x = b.load(0, Dtype::bf16), e = b.apply(TILEOPS_OP_EXP, {x});
  b.store(0, Dtype::bf16, e);
  const PassInfo info(b.pass);
  ASSERT_EQ(rounding_of(b.pass, e, Dtype::bf16), Rounding::tested);
  Needing needing(b.pass, info, Level::element, 0, {number(e)});
  needing.stored(0);
  EXPECT_EQ(needing.needs().kept_steps, Steps{number(e)});
  EXPECT_EQ(needing.needs().rounded_steps, Steps{number(e)});
  EXPECT_EQ(needing.needs().loads, Steps{0});
}

TEST(Stages, ConversionsThatChangeNothingAreNoSteps) {
  Builder b({8, 64});
  b.pass.row_rank = 1;
  const Value x = b.load(0, Dtype::f32), same = b.convert(x, Dtype::f32), other = b.convert(x, Dtype::bf16);
  b.store(0, Dtype::f32, b.apply(TILEOPS_OP_ADD, {same, other}));
  const PassInfo info(b.pass);
  EXPECT_EQ(resolved(b.pass, info, same), x);
  EXPECT_EQ(resolved(b.pass, info, other), other);
}

// There is always an extent outside of blocks, one of groups where some are reduced, and one within them.
TEST(Stages, RowLayoutHasEachExtent) {
  Builder one({64});
  one.pass.row_rank = 1;
  one.store(0, Dtype::f32, one.apply(TILEOPS_OP_EXP, {one.load(0, Dtype::f32)}));
  const Layout of_one = row_layout(one.pass);
  EXPECT_EQ(of_one.extents, (std::vector<Extent>{1, 64}));
  EXPECT_EQ(of_one.outer(), 1u);
  EXPECT_EQ(of_one.loads[0], (std::vector<Extent>{0, 4}));

  Builder groups({8, 1, 64});  // one group of 64, beside a reduction of the row
  const Value x = groups.load(0, Dtype::f32);
  groups.store(0, Dtype::f32, groups.reduce(Reduction::amax, x, 2), {4, 0, 0});
  groups.store(1, Dtype::f32, groups.reduce(Reduction::amax, x, 1), {4, 4, 0});
  const Layout of_groups = row_layout(groups.pass);
  EXPECT_EQ(group_rank(groups.pass), 1u);
  EXPECT_EQ(of_groups.extents, (std::vector<Extent>{8, 1, 64}));
  EXPECT_EQ(of_groups.group_rank, 1u);
  EXPECT_EQ(of_groups.row_rank, 2u);
}

}  // namespace
}  // namespace tileops
