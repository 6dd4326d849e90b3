// Executions with arguments that differ from the plan. Nothing may be written.
#include <functional>

#include "plan_test.h"

namespace bad_input {
namespace {

struct ExecuteRow {
  const char *op, *operands, *attrs;
  const char* what;  // is changed
  std::function<void(Execution*)> change;
  const char* message;  // after "tileops_execute: "; the status is INVALID_ARGUMENT
};

std::ostream& operator<<(std::ostream& s, const ExecuteRow& row) {
  return s << row.op << " " << row.operands << " " << row.attrs << ": " << row.what;
}

int64_t kShape42[] = {4, 2}, kShape24[] = {2, 4}, kShape234[] = {2, 3, 1};
int64_t kShape2m3[] = {2, -3}, kStrides13[] = {1, 3}, kStrides62[] = {6, 2}, kStrides01[] = {0, 1};
int64_t kStridesNeg[] = {-3, 1};

// clang-format off: a row a line
#define CHANGE [](Execution * r)
#define ADD "add", "f32[2,3] f32[3] -> f32[2,3]", ""
const ExecuteRow kRows[] = {
    {ADD, "one input fewer", CHANGE { r->num_inputs = 1; }, "num_inputs: differs from the plan (got 1, need 2)"},
    {ADD, "one input more", CHANGE { r->num_inputs = 3; }, "num_inputs: differs from the plan (got 3, need 2)"},
    {ADD, "very many inputs", CHANGE { r->num_inputs = SIZE_MAX; }, "num_inputs: differs from the plan (got 4294967295, need 2)"},
    {ADD, "no outputs", CHANGE { r->num_outputs = 0; }, "num_outputs: differs from the plan (got 0, need 1)"},
    {ADD, "one output more", CHANGE { r->num_outputs = 2; }, "num_outputs: differs from the plan (got 2, need 1)"},
    {ADD, "first input NULL", CHANGE { r->inputs[0] = nullptr; }, "inputs[0]: is NULL"},
    {ADD, "second input NULL", CHANGE { r->inputs[1] = nullptr; }, "inputs[1]: is NULL"},
    {ADD, "output NULL", CHANGE { r->outputs[0] = nullptr; }, "outputs[0]: is NULL"},
    {ADD, "stream on CPU", CHANGE { r->stream = &r->in; }, "stream: must be NULL for a CPU plan"},

    {ADD, "input data NULL", CHANGE { r->in[1].data = nullptr; }, "inputs[1]: data is NULL"},
    {ADD, "output data NULL", CHANGE { r->out[0].data = nullptr; }, "outputs[0]: data is NULL"},
    {ADD, "input misaligned", CHANGE { r->in[0].byte_offset = 1; }, "inputs[0]: data + byte_offset is not aligned to an element (got address % 4 = 1, need 0)"},
    {ADD, "input misaligned by its data", CHANGE { r->in[1].data = static_cast<char*>(r->in[1].data) + 2; }, "inputs[1]: data + byte_offset is not aligned to an element (got address % 4 = 2, need 0)"},
    {ADD, "output misaligned", CHANGE { r->out[0].byte_offset = 3; }, "outputs[0]: data + byte_offset is not aligned to an element (got address % 4 = 3, need 0)"},

    {ADD, "input byte_offset wraps", CHANGE { r->in[0].byte_offset = UINT64_MAX - 3; }, "inputs[0]: data + byte_offset overflows 64-bit addresses (got byte_offset 18446744073709551612)"},
    {ADD, "output byte_offset wraps", CHANGE { r->out[0].byte_offset = UINT64_MAX - 3; }, "outputs[0]: data + byte_offset overflows 64-bit addresses (got byte_offset 18446744073709551612)"},

    {ADD, "input on a second CPU", CHANGE { r->in[0].device = DLDevice{kDLCPU, 1}; }, "inputs[0]: is on another device (got type 1 id 1, need type 1 id 0)"},
    {ADD, "output on a second CPU", CHANGE { r->out[0].device = DLDevice{kDLCPU, 1}; }, "outputs[0]: is on another device (got type 1 id 1, need type 1 id 0)"},
    {ADD, "input on CUDA", CHANGE { r->in[0].device = DLDevice{kDLCUDA, 0}; }, "inputs[0]: is on another device (got type 2 id 0, need type 1 id 0)"},
    {ADD, "output on CUDA", CHANGE { r->out[0].device = DLDevice{kDLCUDA, 1}; }, "outputs[0]: is on another device (got type 2 id 1, need type 1 id 0)"},
    {ADD, "input on no device", CHANGE { r->in[1].device = DLDevice{static_cast<DLDeviceType>(0), 0}; }, "inputs[1]: is on another device (got type 0 id 0, need type 1 id 0)"},

    {ADD, "input dtype float64", CHANGE { r->in[0].dtype.bits = 64; }, "inputs[0]: dtype differs from the plan (got float64, need float32)"},
    {ADD, "input dtype int32", CHANGE { r->in[1].dtype.code = 0; }, "inputs[1]: dtype differs from the plan (got int32, need float32)"},
    {ADD, "input lanes 4", CHANGE { r->in[0].dtype.lanes = 4; }, "inputs[0]: dtype differs from the plan (got DLDataType{code=2, bits=32, lanes=4}, need float32)"},
    {ADD, "output dtype bfloat16", CHANGE { r->out[0].dtype = {4, 16, 1}; }, "outputs[0]: dtype differs from the plan (got bfloat16, need float32)"},
    {ADD, "output dtype unknown", CHANGE { r->out[0].dtype = {99, 1, 0}; }, "outputs[0]: dtype differs from the plan (got DLDataType{code=99, bits=1, lanes=0}, need float32)"},

    {ADD, "input ndim 1", CHANGE { r->in[0].ndim = 1; }, "inputs[0]: shape differs from the plan (got (2,), need (2, 3))"},
    {ADD, "input ndim 3", CHANGE { r->in[0].ndim = 3, r->in[0].shape = kShape234; }, "inputs[0]: shape differs from the plan (got (2, 3, 1), need (2, 3))"},
    {ADD, "input ndim -1", CHANGE { r->in[0].ndim = -1; }, "inputs[0]: shape differs from the plan (got an unreadable shape, need (2, 3))"},
    {ADD, "input ndim 1000000", CHANGE { r->in[0].ndim = 1000000; }, "inputs[0]: shape differs from the plan (got an unreadable shape, need (2, 3))"},
    {ADD, "input shape NULL", CHANGE { r->in[1].shape = nullptr; }, "inputs[1]: shape differs from the plan (got an unreadable shape, need (3,))"},
    {ADD, "output shape NULL", CHANGE { r->out[0].shape = nullptr; }, "outputs[0]: shape differs from the plan (got an unreadable shape, need (2, 3))"},
    {ADD, "input axis 0 of another extent", CHANGE { r->in[0].shape = kShape42; }, "inputs[0]: shape differs from the plan (got (4, 2), need (2, 3))"},
    {ADD, "input axis 1 of another extent", CHANGE { r->in[0].shape = kShape24; }, "inputs[0]: shape differs from the plan (got (2, 4), need (2, 3))"},
    {ADD, "output axis 1 of another extent", CHANGE { r->out[0].shape = kShape24; }, "outputs[0]: shape differs from the plan (got (2, 4), need (2, 3))"},
    {ADD, "negative extent", CHANGE { r->in[0].shape = kShape2m3; }, "inputs[0]: shape differs from the plan (got (2, -3), need (2, 3))"},

    {ADD, "input transposed", CHANGE { r->in[0].strides = kStrides13; }, "inputs[0]: strides[1] differ from the plan (got (1, 3), need (3, 1))"},
    {ADD, "input padded", CHANGE { r->in[0].strides = kStrides62; }, "inputs[0]: strides[1] differ from the plan (got (6, 2), need (3, 1))"},
    {ADD, "input upside down", CHANGE { r->in[0].strides = kStridesNeg; }, "inputs[0]: strides[0] differ from the plan (got (-3, 1), need (3, 1))"},
    {ADD, "output stride 0", CHANGE { r->out[0].strides = kStrides01; }, "outputs[0]: strides[0] differ from the plan (got (0, 1), need (3, 1))"},
    {"exp", "f32[2,3]{1,2} -> f32[2,3]", "", "strided when planned, row-major now", CHANGE { r->in[0].strides = nullptr; }, "inputs[0]: strides[1] differ from the plan (got row-major, need (1, 2))"},

    {"clamp", "f32[2] - f32[] -> f32[2]", "", "an input that was absent", CHANGE { r->inputs[1] = &r->in[0]; }, "inputs[1]: must be NULL, since it was absent when planned"},
    {"clamp", "f32[2] - f32[] -> f32[2]", "", "an input absent that was not", CHANGE { r->inputs[2] = nullptr; }, "inputs[2]: is NULL"},
    {"dropout", "f32[2] i64[2] -> f32[2] bool[2]", "", "no mask", CHANGE { r->outputs[1] = nullptr; }, "outputs[1]: is NULL"},
    {"dropout", "f32[2] i64[2] -> f32[2] bool[2]", "", "seed_offset misaligned", CHANGE { r->in[1].byte_offset = 4; }, "inputs[1]: data + byte_offset is not aligned to an element (got address % 8 = 4, need 0)"},
    {"rope_neox", "f32[4,8] i32[4] -> f32[4,8]", "", "position_ids of the other integer", CHANGE { r->in[1].dtype.bits = 64; }, "inputs[1]: dtype differs from the plan (got int64, need int32)"},
    {"rope_neox", "f32[4,8] - f32[4,4] f32[4,4] -> f32[4,8]", "", "sin NULL", CHANGE { r->inputs[3] = nullptr; }, "inputs[3]: is NULL"},
};

// clang-format on

class Execute : public testing::TestWithParam<ExecuteRow> {};

TEST_P(Execute, Refused) {
  const ExecuteRow& row = GetParam();
  const Call call(row.op, row.operands, row.attrs);
  Execution run(call);
  ASSERT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
  run.fill();
  const auto in = run.in, out = run.out;
  const auto inputs = run.inputs;
  const auto outputs = run.outputs;
  const auto before = run.memory();
  row.change(&run);
  EXPECT_STREQ("TILEOPS_STATUS_INVALID_ARGUMENT", tileops_status_name(run.execute()));
  EXPECT_EQ(std::string("tileops_execute: ") + row.message, tileops_last_error());
  EXPECT_EQ(before, run.memory());

  run.in = in;
  run.out = out;
  run.inputs = inputs;
  run.outputs = outputs;
  run.num_inputs = inputs.size();
  run.num_outputs = outputs.size();
  run.stream = nullptr;
  EXPECT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
  EXPECT_NE(before, run.memory());
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, Execute, testing::ValuesIn(kRows), name_of_row<ExecuteRow>);

// An empty tensor needs no memory, and its strides mean nothing.
TEST(ExecuteAllowed, EmptyTensors) {
  for (const char* operands :
       {"f32[0] -> f32[0]", "f32[0,3,4] -> f32[0,3,4]", "f32[3,0,4] -> f32[3,0,4]", "f32[3,4,0] -> f32[3,4,0]"}) {
    SCOPED_TRACE(operands);
    const Call call("exp", operands, "");
    Execution run(call);
    EXPECT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
    run.in[0].data = run.out[0].data = nullptr;
    EXPECT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
    int64_t strides[] = {9, 7, 5};
    run.in[0].strides = strides;
    EXPECT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
  }
}

// The strides of size-1 dimensions are ignored.
TEST(ExecuteAllowed, StridesOfSizeOne) {
  const Call call("exp", "f32[1,3] -> f32[1,3]", "");
  Execution run(call);
  int64_t strides[] = {INT64_MIN, 1};
  run.in[0].strides = run.out[0].strides = strides;
  EXPECT_EQ(TILEOPS_STATUS_OK, run.execute()) << tileops_last_error();
}

}  // namespace
}  // namespace bad_input
