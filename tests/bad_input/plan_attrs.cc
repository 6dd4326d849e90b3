// Plans with wrong attributes: unknown, of another operator, of the wrong kind, out of range.
#include "plan_test.h"

namespace bad_input {
namespace {

// clang-format off: a row a line
const PlanRow kAttrs[] = {
    // which
    {"add", "f32[2] f32[2] -> f32[2]", "#0=1", kInvalid, "attrs[0]: add has no attribute '?' (key 0)"},
    {"add", "f32[2] f32[2] -> f32[2]", "#-1=1", kInvalid, "attrs[0]: add has no attribute '?' (key -1)"},
    {"add", "f32[2] f32[2] -> f32[2]", "#999=1", kInvalid, "attrs[0]: add has no attribute '?' (key 999)"},
    {"add", "f32[2] f32[2] -> f32[2]", "#32767=1", kInvalid, "attrs[0]: add has no attribute '?' (key 32767)"},
    {"add", "f32[2] f32[2] -> f32[2]", "beta=1.0", kInvalid, "attrs[0]: add has no attribute 'beta' (key 2)"},
    {"add", "f32[2] f32[2] -> f32[2]", "alpha=2.0 axis=0", kInvalid, "attrs[1]: add has no attribute 'axis' (key 12)"},
    {"exp", "f32[2] -> f32[2]", "alpha=1.0", kInvalid, "attrs[0]: exp has no attribute 'alpha' (key 1)"},
    {"eq", "f32[2] f32[2] -> bool[2]", "fp8_overflow=0", kInvalid, "attrs[0]: eq has no attribute 'fp8_overflow' (key 38)"},
    {"sinusoidal", "-> f32[2,4]", "seq_axis=0", kInvalid, "attrs[0]: sinusoidal has no attribute 'seq_axis' (key 19)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "scale_factor=8.0", kInvalid, "attrs[0]: rope_neox has no attribute 'scale_factor' (key 24)"},
    {"add", "f32[2] f32[2] -> f32[2]", "alpha=1.0 alpha=1.0", kInvalid, "attrs[1]: 'alpha' is given twice"},
    {"softplus", "f32[2] -> f32[2]", "beta=1.0 threshold=3.0 beta=2.0", kInvalid, "attrs[2]: 'beta' is given twice"},
    // kind
    {"add", "f32[2] f32[2] -> f32[2]", "alpha:0=1", kInvalid, "attrs[0]: 'alpha' has an unknown kind (got 0, need TILEOPS_ATTR_F64 or TILEOPS_ATTR_I64)"},
    {"add", "f32[2] f32[2] -> f32[2]", "alpha:3=1", kInvalid, "attrs[0]: 'alpha' has an unknown kind (got 3, need TILEOPS_ATTR_F64 or TILEOPS_ATTR_I64)"},
    {"add", "f32[2] f32[2] -> f32[2]", "alpha:-1=1", kInvalid, "attrs[0]: 'alpha' has an unknown kind (got -1, need TILEOPS_ATTR_F64 or TILEOPS_ATTR_I64)"},
    {"add", "f32[2] f32[2] -> f32[2]", "alpha=2^63-1", kInvalid, "attrs[0]: 'alpha' does not convert to a double exactly (got 9223372036854775807)"},
    {"prelu", "f32[2,3] f32[3] -> f32[2,3]", "axis=0.5", kInvalid, "attrs[0]: 'axis' must be an integer (got 0.5)"},
    {"prelu", "f32[2,3] f32[3] -> f32[2,3]", "axis=nan", kInvalid, "attrs[0]: 'axis' must be an integer (got nan)"},
    {"dropout", "f32[2] -> f32[2]", "seed=inf", kInvalid, "attrs[0]: 'seed' must be an integer (got inf)"},
    {"dropout", "f32[2] -> f32[2]", "p=0.5 seed=1.e300", kInvalid, "attrs[1]: 'seed' must be an integer (got 1e+300)"},
    {"round", "f32[2] -> f32[2]", "decimals=1.5", kInvalid, "attrs[0]: 'decimals' must be an integer (got 1.5)"},
    // choices
    {"gelu", "f32[2] -> f32[2]", "approximate=2", kInvalid, "attrs[0]: 'approximate' is not a choice (got 2, need 0 to 1 for none|tanh)"},
    {"gelu", "f32[2] -> f32[2]", "approximate=-1", kInvalid, "attrs[0]: 'approximate' is not a choice (got -1, need 0 to 1 for none|tanh)"},
    {"gelu", "f32[2] -> f32[2]", "approximate=0.5", kInvalid, "attrs[0]: 'approximate' must be an integer (got 0.5)"},
    {"div", "f32[2] f32[2] -> f32[2]", "rounding=3", kInvalid, "attrs[0]: 'rounding' is not a choice (got 3, need 0 to 2 for none|trunc|floor)"},
    {"exp", "f32[2] -> e4m3fn[2]", "fp8_overflow=2", kInvalid, "attrs[0]: 'fp8_overflow' is not a choice (got 2, need 0 to 1 for saturate|nonsaturating)"},
    {"alibi", "-> f32[2,3,3]", "slopes=2", kInvalid, "attrs[0]: 'slopes' is not a choice (got 2, need 0 to 1 for paper|geometric)"},
    {"sinusoidal", "-> f32[2,4]", "layout=7", kInvalid, "attrs[0]: 'layout' is not a choice (got 7, need 0 to 1 for interleaved|halves)"},
    // range
    {"dropout", "f32[2] -> f32[2]", "p=-0.001", kInvalid, "attrs[0]: 'p' is out of range (got -0.001, need 0 to 1)"},
    {"dropout", "f32[2] -> f32[2]", "p=1.5", kInvalid, "attrs[0]: 'p' is out of range (got 1.5, need 0 to 1)"},
    {"dropout", "f32[2] -> f32[2]", "p=nan", kInvalid, "attrs[0]: 'p' is out of range (got nan, need 0 to 1)"},
    {"dropout", "f32[2] -> f32[2]", "p=2", kInvalid, "attrs[0]: 'p' is out of range (got 2, need 0 to 1)"},
    {"dropout", "f32[2] -> f32[2]", "training=2", kInvalid, "attrs[0]: 'training' is out of range (got 2, need 0 to 1)"},
    {"alibi", "-> f32[2,3,3]", "offset=4611686018427387904", kInvalid, "attrs[0]: 'offset' is out of range (got 4.611686018e+18, need -4e+18 to 4e+18)"},
    {"alibi", "-> f32[2,3,3]", "causal=-1", kInvalid, "attrs[0]: 'causal' is out of range (got -1, need 0 to 1)"},
    {"round", "f32[2] -> f32[2]", "decimals=39", kInvalid, "attrs[0]: 'decimals' is out of range (got 39, need -22 to 22)"},
    {"round", "f32[2] -> f32[2]", "decimals=11", kInvalid, "attrs[0]: 'decimals' is out of range for floats of at most 32 bits (got 11, need -10 to 10)"},
    {"sinusoidal", "-> f32[2,4]", "base=0.5", kInvalid, "attrs[0]: 'base' is out of range (got 0.5, need 1 to 1e+300)"},
    {"sinusoidal", "-> f32[2,4]", "base=inf", kInvalid, "attrs[0]: 'base' is out of range (got inf, need 1 to 1e+300)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "base=nan", kInvalid, "attrs[0]: 'base' is out of range (got nan, need 1 to 1e+300)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "base=-10000.0", kInvalid, "attrs[0]: 'base' is out of range (got -10000, need 1 to 1e+300)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "interleaved=2", kInvalid, "attrs[0]: 'interleaved' is out of range (got 2, need 0 to 1)"},
    {"rope_llama31", "f32[4,8] -> f32[4,8]", "scale_factor=0.0", kInvalid, "attrs[0]: 'scale_factor' is out of range (got 0, need 1e-300 to 1e+300)"},
    {"rope_llama31", "f32[4,8] -> f32[4,8]", "low_freq_factor=nan", kInvalid, "attrs[0]: 'low_freq_factor' is out of range (got nan, need 1e-300 to 1e+300)"},
    {"rope_llama31", "f32[4,8] -> f32[4,8]", "high_freq_factor=-1.0", kInvalid, "attrs[0]: 'high_freq_factor' is out of range (got -1, need 1e-300 to 1e+300)"},
    {"rope_yarn", "f32[4,8] -> f32[4,8]", "original_max_position=0", kInvalid, "attrs[0]: 'original_max_position' is out of range (got 0, need 1 to 4294967296)"},
    {"rope_yarn", "f32[4,8] -> f32[4,8]", "beta_fast=0.0", kInvalid, "attrs[0]: 'beta_fast' is out of range (got 0, need 1e-300 to 1e+300)"},
    {"rope_yarn", "f32[4,8] -> f32[4,8]", "beta_slow=inf", kInvalid, "attrs[0]: 'beta_slow' is out of range (got inf, need 1e-300 to 1e+300)"},
    {"rope_longrope", "f32[4,8] f32[4] -> f32[4,8]", "max_position=-5", kInvalid, "attrs[0]: 'max_position' is out of range (got -5, need 1 to 4294967296)"},
    {"rope_yarn", "f32[4,8] -> f32[4,8]", "attn_factor=nan", kInvalid, "attrs[0]: 'attn_factor' must be finite (got nan)"},
    {"rope_yarn", "f32[4,8] -> f32[4,8]", "attn_factor=inf", kInvalid, "attrs[0]: 'attn_factor' must be finite (got inf)"},
    // against the dtype
    {"add", "i32[2] i32[2] -> i32[2]", "alpha=0.5", kInvalid, "attrs[0]: 'alpha' must be an integer for int32 (got 0.5)"},
    {"add", "i32[2] i32[2] -> i32[2]", "alpha=nan", kInvalid, "attrs[0]: 'alpha' must be an integer for int32 (got nan)"},
    {"add", "i32[2] i32[2] -> i32[2]", "alpha=inf", kInvalid, "attrs[0]: 'alpha' must be an integer for int32 (got inf)"},
    {"sub", "i8[2] i8[2] -> i8[2]", "alpha=1.e30", kInvalid, "attrs[0]: 'alpha' is out of range for int8 (got 1e+30)"},
    {"sub", "i8[2] i8[2] -> i8[2]", "alpha=300", kInvalid, "attrs[0]: 'alpha' is out of range for int8 (got 300)"},
    {"clamp", "i32[2] -> i32[2]", "min=0.5", kInvalid, "attrs[0]: 'min' must be an integer for int32 (got 0.5)"},
    {"clamp", "i32[2] -> i32[2]", "max=nan", kInvalid, "attrs[0]: 'max' must be an integer for int32 (got nan)"},
    {"pow", "i32[2] -> i32[2]", "exponent=0.5", kInvalid, "attrs[0]: 'exponent' must be an integer for int32 (got 0.5)"},
    {"masked_fill", "i32[2] bool[2] -> i32[2]", "value=0.5", kInvalid, "attrs[0]: 'value' must be an integer for int32 (got 0.5)"},
    {"masked_fill", "i32[2] bool[2] -> i32[2]", "value=nan", kInvalid, "attrs[0]: 'value' must be an integer for int32 (got nan)"},
    {"masked_fill", "i32[2] bool[2] -> i32[2]", "value=inf", kInvalid, "attrs[0]: 'value' must be an integer for int32 (got inf)"},
    {"masked_fill", "i8[2] bool[2] -> i8[2]", "value=300", kInvalid, "attrs[0]: 'value' is out of range for int8 (got 300)"},
    {"pow", "u8[2] -> u8[2]", "exponent=1.0e30", kInvalid, "attrs[0]: 'exponent' is out of range for uint8 (got 1e+30)"},
    {"pow", "i8[2] -> i8[2]", "exponent=nan", kInvalid, "attrs[0]: 'exponent' must be an integer for int8 (got nan)"},
    // and an operand in its place
    {"clamp", "f32[2] -> f32[2]", "", kInvalid, "attrs: clamp needs 'min', 'max' or both, as operand or attribute"},
    {"clamp", "f32[2] - - -> f32[2]", "", kInvalid, "attrs: clamp needs 'min', 'max' or both, as operand or attribute"},
    {"clamp", "f32[2] f32[2] -> f32[2]", "min=0.0", kInvalid, "attrs[0]: 'min' is given both as attribute and as inputs[1]"},
    {"clamp", "f32[2] - f32[2] -> f32[2]", "max=0.0", kInvalid, "attrs[0]: 'max' is given both as attribute and as inputs[2]"},
    {"pow", "f32[2] -> f32[2]", "", kInvalid, "inputs[1]: b is absent and attribute 'exponent' is not given"},
    {"pow", "f32[2] - -> f32[2]", "", kInvalid, "inputs[1]: b is absent and attribute 'exponent' is not given"},
    {"pow", "f32[2] f32[2] -> f32[2]", "exponent=2.0", kInvalid, "attrs[0]: 'exponent' is given both as attribute and as inputs[1]"},
    {"lerp", "f32[2] f32[2] f32[2] -> f32[2]", "weight=0.5", kInvalid, "attrs[0]: 'weight' is given both as attribute and as inputs[2]"},
    {"masked_fill", "f32[2] bool[2] -> f32[2]", "", kInvalid, "inputs[2]: value is absent and attribute 'value' is not given"},
    {"masked_fill", "f32[2] bool[2] f32[] -> f32[2]", "value=1.0", kInvalid, "attrs[0]: 'value' is given both as attribute and as inputs[2]"},
    {"dropout", "f32[2] i64[2] -> f32[2]", "seed=1", kInvalid, "attrs[0]: 'seed' is given both as attribute and as inputs[1]"},
    {"dropout", "f32[2] i64[2] -> f32[2]", "offset=1", kInvalid, "attrs[0]: 'offset' is given both as attribute and as inputs[1]"},
    {"alibi", "f32[2] -> f32[2,3,3]", "slopes=1", kInvalid, "attrs[0]: 'slopes' is given both as attribute and as inputs[0]"},
    {"rope_neox", "f32[4,8] i32[4] -> f32[4,8]", "offset=1", kInvalid, "attrs[0]: 'offset' is given both as attribute and as inputs[1]"},
};

// clang-format on

class PlanAttrs : public PlanTest {};
TEST_P(PlanAttrs, Refused) { check(); }
INSTANTIATE_TEST_SUITE_P(, PlanAttrs, testing::ValuesIn(kAttrs), name_of_row<PlanRow>);

}  // namespace
}  // namespace bad_input
