// Texts with reductions, gathers and scatters that are refused for the operands and results that a plan is to have, or
// for what an execute is given. What is wrong with a text alone: rows.cc.
#include <cstring>

#include "plan_test.h"

namespace bad_input {
namespace {

// clang-format off: a row a line
struct RowPlan {
  const char *op, *operands;  // the text
  tileops_status status;
  int32_t offset;             // in the text; -1: it is about no place of it
  const char* message;        // the first line
};

std::ostream& operator<<(std::ostream& s, const RowPlan& row) { return s << row.op << " of " << row.operands; }

const RowPlan kPlans[] = {
    // axes and groups
    {"(x) -> sum(x, axis = -3)", "f32[4,6] -> f32[4,6]", kInvalid, 21, "sum: 'axis' is out of range for 2 dimensions (got -3)"},
    {"(x) -> sum(x, axis = (-2, -1))", "f32[4] -> f32[1]", kInvalid, 21, "sum: 'axis' is out of range for 1 dimensions (got (-2, -1))"},
    {"(x) -> amax(x, group = (2, 2))", "f32[4] -> f32[2]", kInvalid, 23, "amax: 'axis' is out of range for 1 dimensions (got (-2, -1))"},
    {"(x) -> argmax(x)", "f32[4,0] -> i64[4,1]", kInvalid, 14, "argmax: there are no elements in (4, 0)"},
    {"(x) -> argmin(x, axis = all)", "f32[0,4] -> i64[1,1]", kInvalid, 14, "argmin: there are no elements in (0, 4)"},
    {"(x) -> x / amax(x, group = 4)", "f32[4,6] -> f32[4,6]", kInvalid, 11, "div: argument 2: shape (4, 2) does not broadcast at axis 1 (got 2, need 1 or 6); what is in groups is brought back by spread(s, x, group = 4)"},
    {"(s, x) -> spread(s, x, group = 4)", "f32[4,3] f32[4,6] -> f32[4,6]", kInvalid, 17, "spread: 's' has 3 values along axis -1 where 2 are needed, for 6 elements in groups of 4"},
    {"(s, x) -> spread(s, x, group = 4)", "f32[2,4,2] f32[4,6] -> f32[4,6]", kInvalid, 17, "spread: 's' of shape (2, 4, 2) does not broadcast to (4, 6)"},
    {"(s, x) -> spread(s, x)", "f32[3] f32[4,6] -> f32[4,6]", kInvalid, 17, "spread: 's' of shape (3,) does not broadcast to (4, 6)"},
    {"(x, y) -> sum_to(x, y)", "f32[4,6] f32[4] -> f32[4]", kInvalid, 20, "sum_to: operand 'y' of shape (4,) does not broadcast to (4, 6)"},
    {"(x, y) -> concat(sum(x, group = 3), y)", "f32[4,6] f32[4,3] -> f32[4,9]", kInvalid, 36, "concat: argument 2: shape (4, 3) does not broadcast at axis 1 (got 3, need 1 or 2)"},
    // dtypes
    {"(x) -> sum(x)", "e8m0fnu[4] -> f32[1]", kUnsupported, 11, "sum does not take float8_e8m0fnu"},
    {"(x) -> mean(x)", "dl(5/64/1)[4] -> f32[1]", kUnsupported, -1, "inputs[0]: dtype is not supported (got DLDataType{code=5, bits=64, lanes=1})"},
    {"(x, i) -> gather(x, i)", "f32[4] f32[2] -> f32[2]", kInvalid, 20, "gather: an index is an integer (got float32)"},
    {"(x, i) -> gather(x, i)", "f32[4] bool[2] -> f32[2]", kInvalid, 20, "gather: an index is an integer (got bool)"},
    {"(x, i) -> scatter(x, i)", "f32[2] bool[2] -> f32[4]", kInvalid, 21, "scatter: an index is an integer (got bool)"},
    {"(x, y) -> sum_to(x, y)", "f32[4] i32[1] -> f32[1]", kInvalid, 20, "sum_to: operand 'y' is of int32, and only floats have gradients"},
    // results
    {"(x) -> sum(x)", "f32[4,6] -> f32[4]", kInvalid, -1, "outputs[0]: shape is wrong (got (4,), need (4, 1)) for the result 'y0'"},
    {"(x) -> sum(x)", "f32[4,6] -> f32[4,6]", kInvalid, -1, "outputs[0]: shape is wrong (got (4, 6), need (4, 1)) for the result 'y0'"},
    {"(x) -> sum(x, axis = all)", "f32[4,6] -> f32[]", kInvalid, -1, "outputs[0]: shape is wrong (got (), need (1, 1)) for the result 'y0'"},
    {"(x) -> amax(x, group = 4)", "f32[4,6] -> f32[4,1]", kInvalid, -1, "outputs[0]: shape is wrong (got (4, 1), need (4, 2)) for the result 'y0'"},
    {"(x) -> sum(x)", "f32[4,6] -> e8m0fnu[4,1]", kUnsupported, -1, "outputs[0]: only a cast gives this dtype (got float8_e8m0fnu, and the result 'y0' is float32)"},
    {"(x) -> { s = amax(x);  cast(x / s, i8), s }", "f32[4,6] -> i8[4,6] f32[4]", kInvalid, -1, "outputs[1]: shape is wrong (got (4,), need (4, 1)) for the result 's'"},
    {"(x) -> x, sum(x)", "f32[4,6] -> f32[4,6] f32[4,1]{0,0}", kInvalid, -1, "outputs[1]: two elements share an address (shape (4, 1), strides (0, 0))"},
    {"(x) -> tiled(x)", "u8[4,6] -> u8[4,6]", kInvalid, -1, "outputs[0]: shape is wrong (got (4, 6), need (1, 2, 32, 4, 4)) for the result 'y0'"},
    {"(x) -> tiled(x)", "u8[6] -> u8[6]", kInvalid, 13, "tiled: 's' needs two dimensions or more (got 1)"},
    {"(x) -> tiled(x, rows = 8)", "u8[4,6] -> u8[1,2,32,4,4]", kInvalid, -1, "outputs[0]: shape is wrong (got (1, 2, 32, 4, 4), need (1, 2, 8, 4)) for the result 'y0'"},
    // gathers and scatters
    {"(x, i) -> gather(x, i, axis = -3)", "f32[4,6] i64[2,6] -> f32[2,6]", kInvalid, 30, "gather: 'axis' is out of range for 2 dimensions (got -3)"},
    {"(x, i) -> gather(x, i)", "f32[4,6] i64[3,1] -> f32[3,1]", kInvalid, 20, "gather: argument 2: shape (3, 1) does not broadcast at axis 0 (got 3, need 1 or 4)"},
    {"(x, i, j) -> gather(x, i, j, axis = (-2, -1))", "f32[4,6] i64[2,1] i64[3,1] -> f32[3,1]", kInvalid, 26, "gather: argument 3: shape (3, 1) does not broadcast at axis 0 (got 3, need 1 or 2)"},
    {"(x, i) -> scatter(x, i)", "f32[2,6] i64[3,6] -> f32[2,9]", kInvalid, 21, "scatter: argument 2: shape (3, 6) does not broadcast at axis 0 (got 3, need 1 or 2)"},
    {"(x, i) -> scatter(x, i)", "f32[2,6] i64[2,6] -> f32[9]", kInvalid, -1, "outputs[0]: shape is wrong (got (9,), need (2, any)) for the result 'y0'"},
    {"(x, i) -> scatter(x, i)", "f32[2,6] i64[2,6] -> f32[3,9]", kInvalid, -1, "outputs[0]: shape is wrong (got (3, 9), need (2, any)) for the result 'y0'"},
    {"(x, m) -> store_if(x, m)", "f32[2,6] f32[2,6] -> f32[2,6]", kInvalid, 22, "store_if: 'm' takes bool (got float32)"},
    {"(x, m) -> store_if(x, m)", "f32[6] bool[2,6] -> f32[2,6]", kInvalid, 22, "store_if: 'm' of shape (2, 6) does not broadcast to (6,), the shape of 'v'"},
    {"(x, m) -> store_if(x, m)", "f32[2,6] bool[2,1] -> f32[4,6]", kInvalid, -1, "outputs[0]: shape is wrong (got (4, 6), need (2, 6)) for the result 'y0'"},
    {"(x, m) -> store_if(cast(x, e2m1fn), m)", "f32[2,6] bool[2,6] -> e2m1fn[2,3]", kUnsupported, -1, "outputs[0]: two elements of float4_e2m1fn share a byte, and are written together: an index of a scatter must be along another axis than the last, and the same along that, as a mask of store_if must be"},
    {"(x, i) -> scatter(x, i)", "f32[6] i64[6] -> f32[9]{0}", kInvalid, -1, "outputs[0]: two elements share an address (shape (9,), strides (0,))"},
    {"(x, i) -> scatter(x, i, axis = -2)", "f32[6] i64[6] -> f32[9]", kInvalid, 31, "scatter: 'axis' is out of range for 1 dimensions (got -2)"},
    {"(x, i) -> scatter_add(x, i)", "f32[2] i64[2] -> i64[9]", kUnsupported, 22, "scatter_add: 'v' takes integers or bool, whose sums do not depend on their order (got float32)"},
    {"(i) -> scatter_add(1.0, i)", "i64[2] -> i64[9]", kUnsupported, 19, "scatter_add: 'v' takes integers or bool, whose sums do not depend on their order (got float32)"},
    {"(i) -> scatter_add(1, i)", "i64[2] -> f32[9]", kUnsupported, -1, "outputs[0]: scatter_add adds up in int32, int64, uint32 or uint64 (got float32 for the result 'y0')"},
    {"(i) -> scatter_add(1, i)", "i64[2] -> u8[9]", kUnsupported, -1, "outputs[0]: scatter_add adds up in int32, int64, uint32 or uint64 (got uint8 for the result 'y0')"},
    {"(x, i) -> scatter_add(1, i)", "f32[2] f32[2] -> i64[9]", kInvalid, 25, "scatter_add: an index is an integer (got float32)"},
    {"(i) -> scatter_add(1, i)", "i64[2] -> i64[1,9]", kInvalid, -1, "outputs[0]: shape is wrong (got (1, 9), need (any,)) for the result 'y0'"},
    {"(i) -> scatter_add(1, i)", "i64[2] -> i64[9]{0}", kInvalid, -1, "outputs[0]: two elements share an address (shape (9,), strides (0,))"},
    {"(i) -> scatter(1.0, i)", "i64[] -> f32[]", kInvalid, 7, "scatter: there is no axis, since all values are of 0 dimensions"},
};
// Operands and results in the same memory, as in overlap.cc.
struct RowOverlap {
  const char *op, *operands;  // the text
  const char* message;        // after "tileops_execute: "; NULL: allowed
};

std::ostream& operator<<(std::ostream& s, const RowOverlap& row) { return s << row.op << " of " << row.operands; }

const RowOverlap kOverlaps[] = {
    {"(x) -> x / sum(x)", "f32[2,4]+0 -> f32[2,4]+4", "outputs[0]: overlaps inputs[0], and is not the same tensor"},
    {"(x) -> x / sum(x)", "f32[2,4]{1,2}+0 -> f32[2,4]+0", "outputs[0]: overlaps inputs[0], and is not the same tensor"},
    {"(x) -> sum(x)", "f32[2,4]+0 -> f32[2,1]+0", "outputs[0]: overlaps inputs[0], and is not the same tensor"},
    {"(x) -> sum(x, axis = -2)", "f32[2,4]+0 -> f32[1,4]+16", "outputs[0]: overlaps inputs[0], and is not the same tensor"},
    {"(x, w) -> x * rsqrt(mean(x * x)) * w", "f32[2,4] f32[4]+0 -> f32[2,4]+0", "outputs[0]: overlaps inputs[1], and is not the same tensor"},
    {"(x) -> amax(x, group = 2)", "f32[2,4]+0 -> f32[2,2]+24", "outputs[0]: overlaps inputs[0], and is not the same tensor"},
    {"(x) -> tiled(x)", "u8[32,4]+0 -> u8[1,1,32,4,4]+0", "outputs[0]: overlaps inputs[0], and is not the same tensor"},
    {"(x, i) -> gather(x, i)", "f32[4]+0 i64[4] -> f32[4]+0", "outputs[0]: overlaps inputs[0], and cannot be written in its place"},
    {"(x, i) -> gather(x, i) + x", "f32[4]+0 i64[4] -> f32[4]+0", "outputs[0]: overlaps inputs[0], and cannot be written in its place"},
    {"(x, i) -> gather(x, i)", "f32[4] i64[4]+0 -> f32[4]+0", "outputs[0]: overlaps inputs[1], and is not the same tensor"},
    {"(x, i) -> scatter(x, i)", "f32[4]+0 i64[4] -> f32[4]+0", "outputs[0]: overlaps inputs[0], and cannot be written in its place"},
    {"(i) -> scatter_add(1, i)", "i64[4]+0 -> i64[4]+0", "outputs[0]: overlaps inputs[0], and cannot be written in its place"},
    {"(x, i) -> scatter(x, i)", "f32[4] i64[4]+0 -> f32[8]+0", "outputs[0]: overlaps inputs[1], and is not the same tensor"},
    {"(x) -> x - 1, sum(x)", "f32[2,4] -> f32[2,4]+0 f32[2,1]+28", "outputs[1]: overlaps outputs[0]"},
    {"(x) -> x - 1, sum(x)", "f32[2,4]+0 -> f32[2,4] f32[2,1]+28", "outputs[1]: overlaps inputs[0], and is not the same tensor"},

    {"(x) -> x / sum(x)", "f32[2,4]+0 -> f32[2,4]+0", nullptr},
    {"(x) -> x - sum(x, axis = all), amax(x)", "f32[2,4]+0 -> f32[2,4]+0 f32[2,1]", nullptr},
    {"(x, y) -> x + sum(y, axis = -2)", "f32[2,4] f32[2,4]+0 -> f32[2,4]+0", nullptr},
    {"(x, g) -> g * x, sum(g * x, axis = -2)", "f32[2,4] f32[2,4]+0 -> f32[2,4]+0 f32[1,4]", nullptr},
};
// clang-format on

class RowPlans : public testing::TestWithParam<RowPlan> {};

TEST_P(RowPlans, Refused) {
  const RowPlan& row = GetParam();
  tileops_expr* expr = nullptr;
  ASSERT_EQ(TILEOPS_STATUS_OK, tileops_expr_parse(row.op, std::strlen(row.op), &expr)) << tileops_last_error();
  const Call call("add", row.operands, "");
  Desc desc(call);
  desc.desc.op = TILEOPS_OP_NONE;
  desc.desc.expr = expr;
  auto* plan = reinterpret_cast<tileops_plan*>(1);
  const std::string place = row.offset < 0 ? "" : "text: byte " + std::to_string(row.offset) + ": ";
  const auto expect = [&](const char* function, tileops_status status) {
    EXPECT_STREQ(tileops_status_name(row.status), tileops_status_name(status));
    EXPECT_EQ(row.offset, tileops_last_error_offset());
    const std::string error = tileops_last_error();
    EXPECT_EQ(function + (": " + place) + row.message, error.substr(0, error.find('\n')));
  };
  expect("tileops_plan_create", tileops_plan_create(nullptr, &desc.desc, &plan));
  EXPECT_EQ(nullptr, plan);
  expect("tileops_plan_check", tileops_plan_check(nullptr, &desc.desc));
  tileops_expr_destroy(expr);
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, RowPlans, testing::ValuesIn(kPlans),
                         [](const auto& info) { return row_name(info.index, "text"); });

class RowOverlaps : public testing::TestWithParam<RowOverlap> {};

TEST_P(RowOverlaps, RefusedOrSameAsApart) {
  const RowOverlap& row = GetParam();
  const Call call("add", row.operands, "");
  Execution run(call, row.op);
  const auto before = run.memory();
  const tileops_status status = run.execute();
  if (row.message) {
    EXPECT_STREQ("TILEOPS_STATUS_INVALID_ARGUMENT", tileops_status_name(status));
    EXPECT_EQ(std::string("tileops_execute: ") + row.message, tileops_last_error());
    EXPECT_EQ(before, run.memory());
  } else {
    ASSERT_EQ(TILEOPS_STATUS_OK, status) << tileops_last_error();
    Call apart = call;
    for (Operand& t : apart.inputs) t.offset = -1;
    for (Operand& t : apart.outputs) t.offset = -1;
    run.fill();
    Execution other(apart, row.op);
    for (size_t i = 0; i < run.in.size(); ++i)
      std::memcpy(other.in[i].data, run.in[i].data, static_cast<size_t>(call.inputs[i].high()));
    ASSERT_EQ(TILEOPS_STATUS_OK, other.execute()) << tileops_last_error();
    EXPECT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
    for (size_t i = 0; i < run.out.size(); ++i)
      EXPECT_EQ(other.bytes_of_output(i), run.bytes_of_output(i)) << "outputs[" << i << "]";
  }
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, RowOverlaps, testing::ValuesIn(kOverlaps),
                         [](const auto& info) { return row_name(info.index, "text"); });

}  // namespace
}  // namespace bad_input
