// Operands in the same memory: what is refused, and what is allowed and must then give the same
// bytes as memory apart. `+N` is the distance of element 0 from the start of the shared memory.
#include "plan_test.h"

namespace bad_input {
namespace {

struct OverlapRow {
  const char *op, *operands, *attrs;
  const char* message;  // after "tileops_execute: "; NULL: allowed
};

std::ostream& operator<<(std::ostream& s, const OverlapRow& row) {
  return s << row.op << " " << row.operands << " " << row.attrs;
}

// clang-format off: a row a line
#define OVER_INPUT(o, i) "outputs[" #o "]: overlaps inputs[" #i "], and is not the same tensor"
const OverlapRow kRows[] = {
    // refused: shifted
    {"exp", "f32[8]+0 -> f32[8]+4", "", OVER_INPUT(0, 0)},
    {"exp", "f32[8]+4 -> f32[8]+0", "", OVER_INPUT(0, 0)},
    {"exp", "f32[8]+28 -> f32[8]+0", "", OVER_INPUT(0, 0)},
    {"exp", "f32[8]+0 -> f32[8]+28", "", OVER_INPUT(0, 0)},
    {"add", "f32[8] f32[8]+8 -> f32[8]+0", "", OVER_INPUT(0, 1)},
    {"add", "f32[8]+0 f32[8]+16 -> f32[8]+16", "", OVER_INPUT(0, 0)},
    {"where", "bool[16]+0 f32[16] f32[16] -> f32[16]+12", "", OVER_INPUT(0, 0)},
    // refused: same address, another layout
    {"exp", "f32[2,3]{1,2}+0 -> f32[2,3]+0", "", OVER_INPUT(0, 0)},
    {"exp", "f32[3]{2}+0 -> f32[3]+0", "", OVER_INPUT(0, 0)},
    {"exp", "f32[4]{-1}+12 -> f32[4]+0", "", OVER_INPUT(0, 0)},
    {"add", "f32[2,3] f32[3]+0 -> f32[2,3]+0", "", OVER_INPUT(0, 1)},
    {"add", "f32[2,3] f32[]+0 -> f32[2,3]+0", "", OVER_INPUT(0, 1)},
    {"add", "f32[2,3] f32[1]+20 -> f32[2,3]+0", "", OVER_INPUT(0, 1)},
    {"add", "f32[2,3] f32[2,3]{0,1}+0 -> f32[2,3]+0", "", OVER_INPUT(0, 1)},
    // refused: same address, another element size
    {"cast", "f32[4]+0 -> f16[4]+0", "", OVER_INPUT(0, 0)},
    {"cast", "f16[4]+0 -> f32[4]+0", "", OVER_INPUT(0, 0)},
    {"eq", "f32[4]+0 f32[4] -> bool[4]+0", "", OVER_INPUT(0, 0)},
    // refused: operands that are read more than once
    {"silu_and_mul", "f32[2,6]+0 -> f32[2,3]+0", "", OVER_INPUT(0, 0)},
    {"silu_and_mul", "f32[2,6]+0 -> f32[2,3]{6,1}+0", "", OVER_INPUT(0, 0)},
    {"prelu", "f32[2,3] f32[3]+12 -> f32[2,3]+0", "", OVER_INPUT(0, 1)},
    {"masked_fill", "f32[4] bool[4] f32[]+0 -> f32[4]+0", "", OVER_INPUT(0, 2)},
    {"rope_neox", "f32[4,8] i32[4]+0 -> f32[4,8]+0", "", OVER_INPUT(0, 1)},
    {"rope_neox", "f32[4,8] - f32[4,4]+64 f32[4,4] -> f32[4,8]+0", "", OVER_INPUT(0, 2)},
    {"dropout", "f32[8] i64[2]+0 -> f32[8]+0", "", OVER_INPUT(0, 1)},
    {"dropout", "f64[2] i64[2]+0 -> f64[2]+0", "", "outputs[0]: overlaps inputs[1], and cannot be written in its place"},
    {"alibi", "f32[2]+0 -> f32[2,3,3]+0", "", OVER_INPUT(0, 0)},
    {"rope_longrope", "f32[4,8] f32[4]+0 -> f32[4,8]+8", "", OVER_INPUT(0, 1)},
    // refused: two outputs
    {"dropout", "f32[4] -> f32[4]+0 bool[4]+0", "", "outputs[1]: overlaps outputs[0]"},
    {"dropout", "f32[4] -> f32[4]+0 bool[4]+15", "", "outputs[1]: overlaps outputs[0]"},
    {"dropout", "e4m3fn[4] -> e4m3fn[4]+0 bool[4]+0", "", "outputs[1]: overlaps outputs[0]"},
    {"dropout", "f32[4]+0 -> f32[4] bool[4]+4", "", OVER_INPUT(1, 0)},
    // refused: lattices that meet
    {"exp", "f32[4]{2}+0 -> f32[4]{3}+4", "", OVER_INPUT(0, 0)},
    {"exp", "f32[2,3]{8,1}+0 -> f32[2,3]{8,1}+8", "", OVER_INPUT(0, 0)},

    // allowed: in place
    {"exp", "f32[8]+0 -> f32[8]+0", "", nullptr},
    {"exp", "f32[2,3]{1,2}+0 -> f32[2,3]{1,2}+0", "", nullptr},
    {"neg", "f32[4]{-2}+24 -> f32[4]{-2}+24", "", nullptr},
    {"cast", "f32[4]+0 -> i32[4]+0", "", nullptr},
    {"add", "f32[8]+0 f32[8] -> f32[8]+0", "", nullptr},
    {"add", "f32[8] f32[8]+0 -> f32[8]+0", "", nullptr},
    {"add", "f32[8]+0 f32[8]+0 -> f32[8]+0", "", nullptr},
    {"add", "f32[2,3]+0 f32[3] -> f32[2,3]+0", "", nullptr},
    {"where", "bool[8]+0 bool[8] bool[8] -> bool[8]+0", "", nullptr},
    {"rope_neox", "f32[4,8]+0 -> f32[4,8]+0", "", nullptr},
    {"rope_non_neox", "f32[4,8]+0 -> f32[4,8]+0", "rotary_dim=4", nullptr},
    {"silu_and_mul", "f32[2,3]+0 f32[2,3] -> f32[2,3]+0", "", nullptr},
    {"dropout", "f32[8]+0 -> f32[8]+0 bool[8]", "", nullptr},
    {"prelu", "f32[2,3]+0 f32[3] -> f32[2,3]+0", "", nullptr},
    // allowed: side by side, and one between the elements of the other
    {"exp", "f32[4]+0 -> f32[4]+16", "", nullptr},
    {"exp", "f32[4]+16 -> f32[4]+0", "", nullptr},
    {"exp", "f32[4]{2}+0 -> f32[4]{2}+4", "", nullptr},
    {"exp", "f32[4]{2}+4 -> f32[4]{2}+0", "", nullptr},
    {"exp", "f32[3,2]{4,1}+0 -> f32[3,2]{4,1}+8", "", nullptr},
    {"add", "f32[3,2]{6,1}+0 f32[3,2]{6,1}+8 -> f32[3,2]{6,1}+16", "", nullptr},
    {"silu_and_mul", "f32[3,2]{4,1}+0 f32[3,2]{4,1}+8 -> f32[3,2]", "", nullptr},
    {"exp", "f32[4]{-2}+24 -> f32[4]{2}+4", "", nullptr},
    {"cast", "f16[4]{4}+0 -> f32[4]{2}+4", "", nullptr},
    {"dropout", "f32[4] -> f32[4]{2}+0 bool[4]{8}+4", "", nullptr},
    {"add", "f32[4]+0 f32[4]+8 -> f32[4]+24", "", nullptr},
    {"exp", "f32[0]+0 -> f32[0]+0", "", nullptr},
    {"exp", "f32[3,4] -> f32[3,4]{2,3}+0", "", nullptr},
};

// clang-format on

class Overlap : public testing::TestWithParam<OverlapRow> {};

TEST_P(Overlap, RefusedOrSameAsApart) {
  const OverlapRow& row = GetParam();
  Call call(row.op, row.operands, row.attrs);
  Execution run(call);
  const auto before = run.memory();
  const tileops_status status = run.execute();
  if (row.message) {
    EXPECT_STREQ("TILEOPS_STATUS_INVALID_ARGUMENT", tileops_status_name(status));
    EXPECT_EQ(std::string("tileops_execute: ") + row.message, tileops_last_error());
    EXPECT_EQ(before, run.memory());
    EXPECT_STREQ(nullptr, still_works());
    return;
  }
  ASSERT_EQ(TILEOPS_STATUS_OK, status) << tileops_last_error();

  // The same inputs, each output in memory of its own.
  run.fill();
  Call apart = call;
  for (Operand& t : apart.outputs) t.offset = -1;
  Execution other(apart);
  for (size_t i = 0; i < other.in.size(); ++i) other.in[i].data = run.in[i].data;
  ASSERT_EQ(TILEOPS_STATUS_OK, other.execute()) << tileops_last_error();
  EXPECT_EQ(TILEOPS_STATUS_OK, run.execute());
  for (size_t i = 0; i < run.out.size(); ++i)
    EXPECT_EQ(other.bytes_of_output(i), run.bytes_of_output(i)) << "outputs[" << i << "]";
}

INSTANTIATE_TEST_SUITE_P(, Overlap, testing::ValuesIn(kRows), name_of_row<OverlapRow>);

}  // namespace
}  // namespace bad_input
