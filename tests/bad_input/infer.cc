// tileops_plan_infer: what results are before they exist, and calls that it refuses.
#include <algorithm>

#include "plan_test.h"

namespace bad_input {
namespace {

struct InferRow {
  const char *op, *operands, *attrs;  // the outputs are those that must be inferred
};

std::ostream& operator<<(std::ostream& s, const InferRow& row) {
  return s << row.op << " " << row.operands << " " << row.attrs;
}

const InferRow kRows[] = {
    {"exp", "f32[2,3] -> f32[2,3]", ""},
    {"exp", "i64[2,3] -> f32[2,3]", ""},
    {"exp", "bf16[] -> bf16[]", ""},
    {"abs", "i8[0,3] -> i8[0,3]", ""},
    {"add", "f32[2,1] f32[3] -> f32[2,3]", ""},
    {"add", "f16[4] bf16[4] -> f32[4]", ""},
    {"add", "i32[4] f16[] -> f16[4]", ""},
    {"add", "bf16[4]{2} f64[] -> bf16[4]", ""},
    {"add", "u8[0,4] i16[1,4] -> i16[0,4]", ""},
    {"div", "i32[4] i32[4] -> f32[4]", ""},
    {"div", "i32[4] i32[4] -> i32[4]", "rounding=1"},
    {"pow", "f32[3] -> f32[3]", "exponent=2"},
    {"eq", "f64[3,1] i8[2] -> bool[3,2]", ""},
    {"logical_not", "f32[3] -> bool[3]", ""},
    {"isnan", "f16[3] -> bool[3]", ""},
    {"where", "bool[5,1] i8[1,3] i32[3] -> i32[5,3]", ""},
    {"clamp", "f32[2,3] - f32[4,1,1] -> f32[4,2,3]", ""},
    {"masked_fill", "f16[3] bool[2,1] f64[] -> f16[2,3]", ""},
    {"nan_to_num", "dl(12/8/1)[3] -> dl(12/8/1)[3]", ""},
    {"prelu", "f32[2,3,4] f32[3] -> f32[2,3,4]", ""},
    {"prelu", "bf16[2,3] f32[3] -> f32[2,3]", ""},
    {"cast", "i64[3] -> i64[3]", ""},
    {"silu_and_mul", "bf16[4,6] -> bf16[4,3]", ""},
    {"silu_and_mul", "bf16[4,6] f32[6] -> f32[4,6]", ""},
    {"rope_neox", "f16[2,5,3,8] i32[2,5] -> f16[2,5,3,8]", ""},
    {"rope_longrope", "f32[5,8] f32[4] -> f32[5,8]", ""},
    {"dropout", "f32[7] -> f32[7] bool[7]", ""},
    {"alibi", "-> f32[4,5,6]", ""},
    {"alibi", "f32[4] -> bf16[4,5,6]", ""},
    {"sinusoidal", "-> f16[5,6]", ""},
};

class Infer : public testing::TestWithParam<InferRow> {};

TEST_P(Infer, IsThePlansResult) {
  const InferRow& row = GetParam();
  const Call call(row.op, row.operands, row.attrs);
  Desc desc(call);
  const bool any_shape = call.op == TILEOPS_OP_ALIBI || call.op == TILEOPS_OP_SINUSOIDAL;
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    SCOPED_TRACE(i);
    const Operand& want = call.outputs[i];
    tileops_plan_desc without = desc.desc;
    if (!any_shape) without.num_outputs = 0, without.outputs = nullptr;
    DLDataType dtype{};
    int32_t ndim = -1;
    int64_t shape[TILEOPS_MAX_NDIM];
    ASSERT_EQ(TILEOPS_STATUS_OK, tileops_plan_infer(&without, i, &dtype, &ndim, shape)) << tileops_last_error();
    EXPECT_EQ(want.dtype.code, dtype.code);
    EXPECT_EQ(want.dtype.bits, dtype.bits);
    EXPECT_EQ(want.shape, std::vector<int64_t>(shape, shape + std::max(ndim, 0)));
  }
  EXPECT_EQ(TILEOPS_STATUS_OK, tileops_plan_check(nullptr, &desc.desc)) << tileops_last_error();
}

INSTANTIATE_TEST_SUITE_P(, Infer, testing::ValuesIn(kRows), name_of_row<InferRow>);

// Outputs that are given do not count: neither their shape nor their dtype is the operator's own.
TEST(InferAllowed, OtherOutputs) {
  const Call call("add", "f32[2] f32[2] -> i8[5]", "");
  const Desc desc(call);
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  ASSERT_EQ(TILEOPS_STATUS_OK, tileops_plan_infer(&desc.desc, 0, &dtype, &ndim, shape));
  EXPECT_EQ(kDLFloat, dtype.code);
  EXPECT_EQ(1, ndim);
  EXPECT_EQ(2, shape[0]);
}

// Nor do those of later results.
TEST(InferAllowed, LaterOutputs) {
  const Call call("dropout", "f32[7] -> f32[7] f32[7]", "");  // a mask is bool
  Desc desc(call);
  EXPECT_EQ(TILEOPS_STATUS_UNSUPPORTED, tileops_plan_check(nullptr, &desc.desc));
  DLDataType dtype{};
  int32_t ndim = -1;
  int64_t shape[TILEOPS_MAX_NDIM];
  for (const size_t k : {0u, 1u})
    ASSERT_EQ(TILEOPS_STATUS_OK, tileops_plan_infer(&desc.desc, k, &dtype, &ndim, shape)) << tileops_last_error();
  EXPECT_EQ(kDLBool, dtype.code);
}

const PlanRow kRefused[] = {
    {"add", "f32[2] f32[3] ->", "", kInvalid,
     "inputs[1]: shape (3,) does not broadcast at axis 0 (got 3, need 1 or 2)"},
    {"add", "f32[2] ->", "", kInvalid, "num_inputs: wrong number for add (got 1, need 2)"},
    {"add", "i64[2] u64[2] ->", "", kUnsupported,
     "inputs[1]: b (uint64) and int64 have no common dtype; cast one of them"},
    {"gelu", "i32[2] ->", "", kUnsupported, "inputs[0]: gelu does not take this dtype (got int32, need a float)"},
    {"gelu", "f32[2] ->", "approximate=2", kInvalid,
     "attrs[0]: 'approximate' is not a choice (got 2, need 0 to 1 for none|tanh)"},
    {"mul", "f32[2^40,1]{0,0} f32[1,2^40]{0,0} ->", "", kInvalid,
     "outputs[0]: shape (1099511627776, 1099511627776) overflows 64-bit sizes"},
    {"silu_and_mul", "f32[3] ->", "", kInvalid,
     "inputs[0]: last dimension must be even to hold gate and value (got 3)"},
    {"rope_neox", "f32[8] ->", "", kInvalid, "inputs[0]: rope needs rank >= 2 (got 1)"},
    {"sinusoidal", "->", "", kInvalid, "outputs[0]: is absent, but says the shape of sinusoidal's result"},
};

class InferRefused : public testing::TestWithParam<PlanRow> {};

TEST_P(InferRefused, NothingIsWritten) {
  const PlanRow& row = GetParam();
  const Call call(row.op, row.operands, row.attrs);
  const Desc desc(call);
  DLDataType dtype{77, 77, 77};
  int32_t ndim = 77;
  int64_t shape[TILEOPS_MAX_NDIM] = {77};
  EXPECT_STREQ(tileops_status_name(row.status),
               tileops_status_name(tileops_plan_infer(&desc.desc, 0, &dtype, &ndim, shape)));
  EXPECT_EQ(std::string("tileops_plan_infer: ") + row.message, tileops_last_error());
  EXPECT_EQ(77, dtype.code);
  EXPECT_EQ(77, ndim);
  EXPECT_EQ(77, shape[0]);
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, InferRefused, testing::ValuesIn(kRefused), name_of_row<PlanRow>);

TEST(InferArguments, Pointers) {
  const Call call("exp", "f32[2] ->", "");
  const Desc desc(call);
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  const auto refused = [](tileops_status status, const char* message) {
    EXPECT_EQ(kInvalid, status);
    EXPECT_STREQ(message, tileops_last_error());
  };
  refused(tileops_plan_infer(nullptr, 0, &dtype, &ndim, shape), "tileops_plan_infer: desc: is NULL");
  refused(tileops_plan_infer(&desc.desc, 0, nullptr, &ndim, shape), "tileops_plan_infer: dtype: is NULL");
  refused(tileops_plan_infer(&desc.desc, 0, &dtype, nullptr, shape), "tileops_plan_infer: ndim: is NULL");
  refused(tileops_plan_infer(&desc.desc, 0, &dtype, &ndim, nullptr), "tileops_plan_infer: shape: is NULL");
  refused(tileops_plan_infer(&desc.desc, 1, &dtype, &ndim, shape),
          "tileops_plan_infer: output: exp has no such result (got 1, need 0 to 0)");
  refused(tileops_plan_infer(&desc.desc, SIZE_MAX, &dtype, &ndim, shape),
          "tileops_plan_infer: output: is out of range (got 18446744073709551615, need less than 16)");
}

}  // namespace
}  // namespace bad_input
