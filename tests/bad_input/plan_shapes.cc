// Plans with wrong counts, dtypes, shapes or strides.
#include "plan_test.h"

namespace bad_input {
namespace {

// clang-format off: a row a line
const PlanRow kCounts[] = {
    {"exp", "-> f32[2]", "", kInvalid, "num_inputs: wrong number for exp (got 0, need 1)"},
    {"exp", "f32[2] f32[2] -> f32[2]", "", kInvalid, "num_inputs: wrong number for exp (got 2, need 1)"},
    {"add", "f32[2] -> f32[2]", "", kInvalid, "num_inputs: wrong number for add (got 1, need 2)"},
    {"clamp", "f32[2] f32[2] f32[2] f32[2] -> f32[2]", "", kInvalid, "num_inputs: wrong number for clamp (got 4, need 1 to 3)"},
    {"rope_longrope", "f32[4,8] -> f32[4,8]", "", kInvalid, "num_inputs: wrong number for rope_longrope (got 1, need 2 to 5)"},
    {"sinusoidal", "f32[2,4] -> f32[2,4]", "", kInvalid, "num_inputs: wrong number for sinusoidal (got 1, need 0)"},
    {"exp", "f32[2] ->", "", kInvalid, "num_outputs: wrong number for exp (got 0, need 1)"},
    {"exp", "f32[2] -> f32[2] f32[2]", "", kInvalid, "num_outputs: wrong number for exp (got 2, need 1)"},
    {"dropout", "f32[2] ->", "", kInvalid, "num_outputs: wrong number for dropout (got 0, need 1 to 2)"},
};

const PlanRow kDtypes[] = {
    {"exp", "dl(2/32/4)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=2, bits=32, lanes=4})"},
    {"exp", "dl(2/32/0)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=2, bits=32, lanes=0})"},
    {"exp", "dl(7/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=7, bits=8, lanes=1})"},
    {"exp", "dl(8/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=8, bits=8, lanes=1})"},
    {"exp", "dl(9/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=9, bits=8, lanes=1})"},
    {"exp", "dl(11/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=11, bits=8, lanes=1})"},
    {"exp", "dl(13/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=13, bits=8, lanes=1})"},
    {"exp", "dl(13/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=13, bits=8, lanes=1})"},
    {"exp", "dl(17/4/4)[2] -> f32[8]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=17, bits=4, lanes=4})"},
    {"exp", "dl(17/4/2)[2] -> f32[4]", "", kUnsupported, "inputs[0]: exp does not take this dtype (got float4_e2m1fn, need a float or an integer or bool)"},
    {"exp", "f32[4] -> dl(17/4/1)[4]", "", kUnsupported, "outputs[0]: exp does not give this dtype (got float4_e2m1fn; cast converts to it)"},
    {"cast", "f32[4] -> dl(17/4/2)[4]", "", kInvalid, "outputs[0]: shape is wrong (got (8,), need (4,))"},
    {"cast", "f32[2,3] -> dl(17/4/1)[2,3]", "", kInvalid, "outputs[0]: the last dimension of float4_e2m1fn must be even, since two elements share a byte (got shape (2, 3))"},
    {"cast", "dl(17/4/2)[2,2]{4,2} -> f32[2,4]", "", kInvalid, "inputs[0]: the last stride of float4_e2m1fn must be 1, since two elements share a byte (got strides (8, 4))"},
    {"exp", "dl(5/64/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=5, bits=64, lanes=1})"},
    {"exp", "dl(3/64/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=3, bits=64, lanes=1})"},
    {"exp", "dl(2/80/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=2, bits=80, lanes=1})"},
    {"exp", "dl(2/8/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=2, bits=8, lanes=1})"},
    {"exp", "dl(0/4/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=0, bits=4, lanes=1})"},
    {"exp", "dl(0/0/0)[2] -> f32[2]", "", kInvalid, "inputs[0]: is absent, but x of exp is not optional"},
    {"exp", "dl(6/1/1)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=6, bits=1, lanes=1})"},
    {"exp", "dl(255/255/65535)[2] -> f32[2]", "", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=255, bits=255, lanes=65535})"},
    {"exp", "f32[2] -> dl(5/64/1)[2]", "", kUnsupported, "outputs[0]: dtype is not supported (got DLDataType{code=5, bits=64, lanes=1})"},
    {"neg", "bool[2] -> bool[2]", "", kUnsupported, "inputs[0]: neg does not take this dtype (got bool, need a float or an integer)"},
    {"sub", "i32[2] bool[2] -> i32[2]", "", kUnsupported, "inputs[1]: sub does not take this dtype (got bool, need a float or an integer)"},
    {"bitwise_and", "i32[2] f32[2] -> i32[2]", "", kUnsupported, "inputs[1]: bitwise_and does not take this dtype (got float32, need an integer or bool)"},
    {"bitwise_not", "bf16[2] -> i32[2]", "", kUnsupported, "inputs[0]: bitwise_not does not take this dtype (got bfloat16, need an integer or bool)"},
    {"relu", "i32[2] -> i32[2]", "", kUnsupported, "inputs[0]: relu does not take this dtype (got int32, need a float)"},
    {"lerp", "f32[2] f32[2] i32[2] -> f32[2]", "", kUnsupported, "inputs[2]: lerp does not take this dtype (got int32, need a float)"},
    {"floor", "bool[2] -> bool[2]", "", kUnsupported, "inputs[0]: floor does not take this dtype (got bool, need a float or an integer)"},
    {"silu_and_mul", "i8[2,4] -> f32[2,2]", "", kUnsupported, "inputs[0]: silu_and_mul does not take this dtype (got int8, need a float)"},
    {"add", "u64[2] i64[2] -> i64[2]", "", kUnsupported, "inputs[1]: b (int64) and uint64 have no common dtype; cast one of them"},
    {"maximum", "i8[2] u64[2] -> i64[2]", "", kUnsupported, "inputs[1]: b (uint64) and int8 have no common dtype; cast one of them"},
    {"clamp", "u64[2] u64[2] i32[2] -> u64[2]", "", kUnsupported, "inputs[2]: max (int32) and uint64 have no common dtype; cast one of them"},
    {"where", "f32[2] f32[2] f32[2] -> f32[2]", "", kUnsupported, "inputs[0]: cond has the wrong dtype (got float32, need bool)"},
    {"where", "u8[2] f32[2] f32[2] -> f32[2]", "", kUnsupported, "inputs[0]: cond has the wrong dtype (got uint8, need bool)"},
    {"where", "bool[2] u64[2] i8[2] -> i64[2]", "", kUnsupported, "inputs[2]: y (int8) and uint64 have no common dtype; cast one of them"},
    {"masked_fill", "f32[2] i32[2] -> f32[2]", "value=1.0", kUnsupported, "inputs[1]: mask has the wrong dtype (got int32, need bool)"},
    {"div", "bool[2] bool[2] -> bool[2]", "rounding=1", kUnsupported, "inputs[0]: div with rounding does not take bool"},
    {"rope_neox", "f32[4,8] f32[4] -> f32[4,8]", "", kUnsupported, "inputs[1]: position_ids has the wrong dtype (got float32, need int32|int64)"},
    {"rope_neox", "f32[4,8] u32[4] -> f32[4,8]", "", kUnsupported, "inputs[1]: position_ids has the wrong dtype (got uint32, need int32|int64)"},
    {"rope_neox", "f32[4,8] - f16[4,4] f32[4,4] -> f32[4,8]", "", kUnsupported, "inputs[2]: cos has the wrong dtype (got float16, need float32)"},
    {"rope_neox", "f32[4,8] - f32[4,4] f64[4,4] -> f32[4,8]", "", kUnsupported, "inputs[3]: sin has the wrong dtype (got float64, need float32)"},
    {"rope_longrope", "f32[4,8] f64[4] -> f32[4,8]", "", kUnsupported, "inputs[1]: rescale_factors has the wrong dtype (got float64, need float32)"},
    {"rope_neox", "i32[4,8] -> f32[4,8]", "", kUnsupported, "inputs[0]: rope_neox does not take this dtype (got int32, need a float)"},
    {"dropout", "f32[2] i32[2] -> f32[2]", "", kUnsupported, "inputs[1]: seed_offset has the wrong dtype (got int32, need int64)"},
    {"dropout", "f32[2] u64[2] -> f32[2]", "", kUnsupported, "inputs[1]: seed_offset has the wrong dtype (got uint64, need int64)"},
    {"dropout", "f32[2] -> f32[2] u8[2]", "", kUnsupported, "outputs[1]: mask has the wrong dtype (got uint8, need bool)"},
    {"dropout", "i32[2] -> f32[2]", "", kUnsupported, "inputs[0]: dropout does not take this dtype (got int32, need a float)"},
    {"alibi", "f16[2] -> f32[2,3,3]", "", kUnsupported, "inputs[0]: slopes has the wrong dtype (got float16, need float32)"},
    {"alibi", "-> i32[2,3,3]", "", kUnsupported, "outputs[0]: alibi gives a float (got int32)"},
    {"sinusoidal", "-> bool[2,4]", "", kUnsupported, "outputs[0]: sinusoidal gives a float (got bool)"},
};

const PlanRow kShapes[] = {
    {"exp", "f32@2 -> f32[2,2]", "", kInvalid, "inputs[0]: shape is NULL (need 2 extents)"},
    {"exp", "f32[2,2] -> f32@2", "", kInvalid, "outputs[0]: shape is NULL (need 2 extents)"},
    {"exp", "f32@-1 -> f32[2]", "", kInvalid, "inputs[0]: ndim is out of range (got -1, need 0 to 32)"},
    {"exp", "f32@33 -> f32[2]", "", kInvalid, "inputs[0]: ndim is out of range (got 33, need 0 to 32)"},
    {"exp", "f32[2] -> f32@2147483647", "", kInvalid, "outputs[0]: ndim is out of range (got 2147483647, need 0 to 32)"},
    {"exp", "f32[-2] -> f32[2]", "", kInvalid, "inputs[0]: shape[0] is negative (got -2; TILEOPS_OPEN is -1)"},
    {"exp", "f32[2,-3] -> f32[2,3]", "", kInvalid, "inputs[0]: shape[1] is negative (got -3; TILEOPS_OPEN is -1)"},
    {"exp", "f32[2,3] -> f32[-2^63,3]", "", kInvalid, "outputs[0]: shape[0] is negative (got -9223372036854775808, which is TILEOPS_UP_TO(0), of which at least 1 is needed)"},
    {"exp", "f32[0,-2] -> f32[0,1]", "", kInvalid, "inputs[0]: shape[1] is negative (got -2; TILEOPS_OPEN is -1)"},
    {"add", "f32[3] f32[4] -> f32[4]", "", kInvalid, "inputs[1]: shape (4,) does not broadcast at axis 0 (got 4, need 1 or 3)"},
    {"add", "f32[2,3,4] f32[3,3,4] -> f32[3,3,4]", "", kInvalid, "inputs[1]: shape (3, 3, 4) does not broadcast at axis 0 (got 3, need 1 or 2)"},
    {"add", "f32[2,3,4] f32[2,2,4] -> f32[2,3,4]", "", kInvalid, "inputs[1]: shape (2, 2, 4) does not broadcast at axis 1 (got 2, need 1 or 3)"},
    {"add", "f32[2,3,4] f32[2,3,5] -> f32[2,3,5]", "", kInvalid, "inputs[1]: shape (2, 3, 5) does not broadcast at axis 2 (got 5, need 1 or 4)"},
    {"add", "f32[2,3,4] f32[3,3] -> f32[2,3,4]", "", kInvalid, "inputs[1]: shape (3, 3) does not broadcast at axis 1 (got 3, need 1 or 4)"},
    {"add", "f32[3] f32[0] -> f32[0]", "", kInvalid, "inputs[1]: shape (0,) does not broadcast at axis 0 (got 0, need 1 or 3)"},
    {"where", "bool[2,1] f32[2,3] f32[2,4] -> f32[2,4]", "", kInvalid, "inputs[2]: shape (2, 4) does not broadcast at axis 1 (got 4, need 1 or 3)"},
    {"where", "bool[3,1] f32[2,3] f32[2,3] -> f32[3,3]", "", kInvalid, "inputs[1]: shape (2, 3) does not broadcast at axis 0 (got 2, need 1 or 3)"},
    {"clamp", "f32[2,3] f32[2] -> f32[2,3]", "", kInvalid, "inputs[1]: shape (2,) does not broadcast at axis 0 (got 2, need 1 or 3)"},
    {"exp", "f32[2,3] -> f32[3,2]", "", kInvalid, "outputs[0]: shape is wrong (got (3, 2), need (2, 3))"},
    {"exp", "f32[2,3] -> f32[6]", "", kInvalid, "outputs[0]: shape is wrong (got (6,), need (2, 3))"},
    {"exp", "f32[2,3] -> f32[1,2,3]", "", kInvalid, "outputs[0]: shape is wrong (got (1, 2, 3), need (2, 3))"},
    {"exp", "f32[2] -> f32[]", "", kInvalid, "outputs[0]: shape is wrong (got (), need (2,))"},
    {"exp", "f32[] -> f32[1]", "", kInvalid, "outputs[0]: shape is wrong (got (1,), need ())"},
    {"exp", "f32[0] -> f32[1]", "", kInvalid, "outputs[0]: shape is wrong (got (1,), need (0,))"},
    {"add", "f32[2,1] f32[1,3] -> f32[2,1]", "", kInvalid, "outputs[0]: shape is wrong (got (2, 1), need (2, 3))"},
    {"add", "f32[1] f32[1] -> f32[4]", "", kInvalid, "outputs[0]: shape is wrong (got (4,), need (1,))"},
    {"eq", "f32[2,3] f32[3] -> bool[3]", "", kInvalid, "outputs[0]: shape is wrong (got (3,), need (2, 3))"},
    {"exp", "f32[2^31,2^31,2] -> f32[2]", "", kInvalid, "inputs[0]: shape (2147483648, 2147483648, 2) overflows 64-bit sizes"},
    {"exp", "f32[2^63-1] -> f32[2]", "", kInvalid, "inputs[0]: shape (9223372036854775807,) overflows 64-bit sizes"},
    {"exp", "f64[2^59,2] -> f64[2]", "", kInvalid, "inputs[0]: shape (576460752303423488, 2) overflows 64-bit sizes"},
    {"exp", "u8[2^62,2] -> f32[2]", "", kInvalid, "inputs[0]: shape (4611686018427387904, 2) overflows 64-bit sizes"},
    {"exp", "f32[2^32,2^32,2^32,2^32]{0,0,0,0} -> f32[2]", "", kInvalid, "inputs[0]: shape (4294967296, 4294967296, 4294967296, 4294967296) overflows 64-bit sizes"},
};

const PlanRow kStrides[] = {
    {"exp", "f32[2]{2^61} -> f32[2]", "", kInvalid, "inputs[0]: strides[0] overflows 64-bit addresses (got 2305843009213693952 for extent 2)"},
    {"exp", "f32[3]{2^62} -> f32[3]", "", kInvalid, "inputs[0]: strides[0] overflows 64-bit addresses (got 4611686018427387904 for extent 3)"},
    {"exp", "f32[2]{-2^63} -> f32[2]", "", kInvalid, "inputs[0]: strides[0] overflows 64-bit addresses (got -9223372036854775808 for extent 2)"},
    {"exp", "f32[2,2]{2^60,2^60} -> f32[2,2]", "", kInvalid, "inputs[0]: strides[1] overflows 64-bit addresses (got 1152921504606846976 for extent 2)"},
    {"exp", "f32[2] -> f32[2]{-2^62}", "", kInvalid, "outputs[0]: strides[0] overflows 64-bit addresses (got -4611686018427387904 for extent 2)"},
    {"exp", "f32[2] -> f32[2]{0}", "", kInvalid, "outputs[0]: two elements share an address (shape (2,), strides (0,))"},
    {"exp", "f32[2,3] -> f32[2,3]{0,1}", "", kInvalid, "outputs[0]: two elements share an address (shape (2, 3), strides (0, 1))"},
    {"exp", "f32[2,3] -> f32[2,3]{1,1}", "", kInvalid, "outputs[0]: two elements share an address (shape (2, 3), strides (1, 1))"},
    {"exp", "f32[3,4] -> f32[3,4]{3,2}", "", kInvalid, "outputs[0]: two elements share an address (shape (3, 4), strides (3, 2))"},
    {"exp", "f32[2,4] -> f32[2,4]{-3,1}", "", kInvalid, "outputs[0]: two elements share an address (shape (2, 4), strides (-3, 1))"},
    {"exp", "f32[2,2,2] -> f32[2,2,2]{4,2,-2}", "", kInvalid, "outputs[0]: two elements share an address (shape (2, 2, 2), strides (4, 2, -2))"},
    {"dropout", "f32[4] -> f32[4] bool[4]{0}", "", kInvalid, "outputs[1]: two elements share an address (shape (4,), strides (0,))"},
};

// clang-format on

class PlanCounts : public PlanTest {};
class PlanDtypes : public PlanTest {};
class PlanShapes : public PlanTest {};
class PlanStrides : public PlanTest {};
TEST_P(PlanCounts, Refused) { check(); }
TEST_P(PlanDtypes, Refused) { check(); }
TEST_P(PlanShapes, Refused) { check(); }
TEST_P(PlanStrides, Refused) { check(); }
INSTANTIATE_TEST_SUITE_P(, PlanCounts, testing::ValuesIn(kCounts), name_of_row<PlanRow>);
INSTANTIATE_TEST_SUITE_P(, PlanDtypes, testing::ValuesIn(kDtypes), name_of_row<PlanRow>);
INSTANTIATE_TEST_SUITE_P(, PlanShapes, testing::ValuesIn(kShapes), name_of_row<PlanRow>);
INSTANTIATE_TEST_SUITE_P(, PlanStrides, testing::ValuesIn(kStrides), name_of_row<PlanRow>);

}  // namespace
}  // namespace bad_input
