// Plans that break a rule of their operator.
#include "plan_test.h"

namespace bad_input {
namespace {

// clang-format off: a row a line
const PlanRow kOps[] = {
    {"prelu", "f32[2,3] f32[4] -> f32[2,3]", "", kInvalid, "inputs[1]: weight's length differs from axis 1 of inputs[0] (got 4, need 3)"},
    {"prelu", "f32[2,3] f32[3] -> f32[2,3]", "axis=0", kInvalid, "inputs[1]: weight's length differs from axis 0 of inputs[0] (got 3, need 2)"},
    {"prelu", "f32[2,3] f32[2,3] -> f32[2,3]", "", kInvalid, "inputs[1]: weight must be 0-d or 1-d (got 2 dimensions)"},
    {"prelu", "f32[2,3] f32[3] -> f32[2,3]", "axis=2", kInvalid, "attrs[0]: 'axis' is out of range for 2 dimensions (got 2)"},
    {"prelu", "f32[2,3] f32[3] -> f32[2,3]", "axis=-3", kInvalid, "attrs[0]: 'axis' is out of range for 2 dimensions (got -3)"},
    {"prelu", "f32[3] f32[3] -> f32[3]", "", kInvalid, "attrs: 'axis' is out of range for 1 dimensions (got 1)"},
    {"prelu", "f32[2,3] -> f32[2,3]", "", kInvalid, "num_inputs: wrong number for prelu (got 1, need 2)"},

    {"silu_and_mul", "f32[2,5] -> f32[2,2]", "", kInvalid, "inputs[0]: last dimension must be even to hold gate and value (got 5)"},
    {"gelu_and_mul", "f32[] -> f32[]", "", kInvalid, "inputs[0]: packed gate and value need at least one dimension (got 0-d)"},
    {"silu_and_mul", "f32[2,6] -> f32[2,6]", "", kInvalid, "outputs[0]: shape is wrong (got (2, 6), need (2, 3))"},
    {"gelu_tanh_and_mul", "f32[2,3] f32[2,4] -> f32[2,3]", "", kInvalid, "inputs[1]: shape (2, 4) does not broadcast at axis 1 (got 4, need 1 or 3)"},
    {"silu_and_mul", "f32[2,4] f32[2,4] -> f32[2,2]", "", kInvalid, "outputs[0]: shape is wrong (got (2, 2), need (2, 4))"},

    {"exp", "e8m0fnu[2] -> f32[2]", "", kUnsupported, "inputs[0]: exp does not take this dtype (got float8_e8m0fnu, need a float or an integer or bool)"},
    {"exp", "f32[2] -> e8m0fnu[2]", "", kUnsupported, "outputs[0]: exp does not give this dtype (got float8_e8m0fnu; cast converts to it)"},
    {"mul", "f32[2] e8m0fnu[2] -> f32[2]", "", kUnsupported, "inputs[1]: mul does not take this dtype (got float8_e8m0fnu, need a float or an integer or bool)"},
    {"where", "bool[2] e8m0fnu[2] e8m0fnu[2] -> e8m0fnu[2]", "", kUnsupported, "outputs[0]: where does not give this dtype (got float8_e8m0fnu; cast converts to it)"},
    {"where", "bool[2] e8m0fnu[2] f32[2] -> f32[2]", "", kUnsupported, "inputs[1]: where does not take this dtype (got float8_e8m0fnu, need a float or an integer or bool)"},
    {"isnan", "e8m0fnu[2] -> bool[2]", "", kUnsupported, "inputs[0]: isnan does not take this dtype (got float8_e8m0fnu, need a float or an integer or bool)"},
    {"masked_fill", "f32[2] bool[2] e8m0fnu[] -> f32[2]", "", kUnsupported, "inputs[2]: masked_fill does not take this dtype (got float8_e8m0fnu, need a float or an integer or bool)"},
    {"rope_neox", "e8m0fnu[4,8] -> f32[4,8]", "", kUnsupported, "inputs[0]: rope_neox does not take this dtype (got float8_e8m0fnu, need a float)"},
    {"alibi", "-> e8m0fnu[2,3,3]", "", kUnsupported, "outputs[0]: alibi does not give this dtype (got float8_e8m0fnu; cast converts to it)"},
    {"cast", "f32[2] -> f16[2]", "rounding=3", kInvalid, "attrs[0]: 'rounding' is for results of float8_e8m0fnu (got float16)"},
    {"cast", "f32[2] -> e8m0fnu[2]", "rounding=4", kInvalid, "attrs[0]: 'rounding' is not a choice (got 4, need 0 to 3 for none|trunc|floor|up)"},
    {"div", "f32[2] f32[2] -> f32[2]", "rounding=3", kInvalid, "attrs[0]: 'rounding' is not a choice (got 3, need 0 to 2 for none|trunc|floor)"},

    {"masked_fill", "f32[2] bool[2] f32[1] -> f32[2]", "", kInvalid, "inputs[2]: value must be 0-d (got 1 dimensions)"},
    {"masked_fill", "f32[2,3] bool[2,2] -> f32[2,3]", "value=1.0", kInvalid, "inputs[1]: shape (2, 2) does not broadcast at axis 1 (got 2, need 1 or 3)"},

    {"dropout", "f32[4] -> f32[3]", "", kInvalid, "outputs[0]: shape is wrong (got (3,), need (4,))"},
    {"dropout", "f32[4] -> f32[4] bool[3]", "", kInvalid, "outputs[1]: shape is wrong (got (3,), need (4,))"},
    {"dropout", "f32[4] i64[3] -> f32[4]", "", kInvalid, "inputs[1]: seed_offset must have shape (2,) (got (3,))"},
    {"dropout", "f32[4] i64[1,2] -> f32[4]", "", kInvalid, "inputs[1]: seed_offset must have shape (2,) (got (1, 2))"},
    {"dropout", "f32[4] i64[] -> f32[4]", "", kInvalid, "inputs[1]: seed_offset must have shape (2,) (got ())"},

    {"alibi", "-> f32[3,3]", "", kInvalid, "outputs[0]: alibi gives (heads, queries, keys) (got 2 dimensions)"},
    {"alibi", "-> f32[1,2,3,3]", "", kInvalid, "outputs[0]: alibi gives (heads, queries, keys) (got 4 dimensions)"},
    {"alibi", "f32[3] -> f32[2,3,3]", "", kInvalid, "inputs[0]: slopes must have shape (2,) (got (3,))"},
    {"alibi", "f32[2,1] -> f32[2,3,3]", "", kInvalid, "inputs[0]: slopes must have shape (2,) (got (2, 1))"},

    {"sinusoidal", "-> f32[2,5]", "", kInvalid, "outputs[0]: sinusoidal gives (positions, D) with D even (got (2, 5))"},
    {"sinusoidal", "-> f32[4]", "", kInvalid, "outputs[0]: sinusoidal gives (positions, D) with D even (got (4,))"},
    {"sinusoidal", "-> f32[1,2,4]", "", kInvalid, "outputs[0]: sinusoidal gives (positions, D) with D even (got (1, 2, 4))"},

    {"rope_neox", "f32[8] -> f32[8]", "", kInvalid, "inputs[0]: rope needs rank >= 2 (got 1)"},
    {"rope_neox", "f32[] -> f32[]", "", kInvalid, "inputs[0]: rope needs rank >= 2 (got 0)"},
    {"rope_neox", "f32[4,7] -> f32[4,7]", "", kInvalid, "inputs[0]: last dimension must be even (got 7)"},
    {"rope_non_neox", "f32[4,8] -> f32[4,4]", "", kInvalid, "outputs[0]: shape is wrong (got (4, 4), need (4, 8))"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "rotary_dim=3", kInvalid, "attrs[0]: 'rotary_dim' must be even and at most the head dimension (got 3 of 8)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "rotary_dim=10", kInvalid, "attrs[0]: 'rotary_dim' must be even and at most the head dimension (got 10 of 8)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "rotary_dim=-2", kInvalid, "attrs[0]: 'rotary_dim' must be even and at most the head dimension (got -2 of 8)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "rotary_dim=-2^63", kInvalid, "attrs[0]: 'rotary_dim' must be even and at most the head dimension (got -9223372036854775808 of 8)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "seq_axis=1", kInvalid, "attrs[0]: 'seq_axis' must not be the last dimension (got 1)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "seq_axis=-1", kInvalid, "attrs[0]: 'seq_axis' must not be the last dimension (got -1)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "seq_axis=2", kInvalid, "attrs[0]: 'seq_axis' is out of range for 2 dimensions (got 2)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "seq_axis=-3", kInvalid, "attrs[0]: 'seq_axis' is out of range for 2 dimensions (got -3)"},
    {"rope_neox", "f32[4,8] -> f32[4,8]", "seq_axis=2^63-1", kInvalid, "attrs[0]: 'seq_axis' is out of range for 2 dimensions (got 9223372036854775807)"},
    {"rope_neox", "f32[4,8] - f32[4,4] -> f32[4,8]", "", kInvalid, "inputs[3]: cos and sin must be given together"},
    {"rope_neox", "f32[4,8] - - f32[4,4] -> f32[4,8]", "", kInvalid, "inputs[2]: cos and sin must be given together"},
    {"rope_longrope", "f32[4,8] f32[4] - - f32[4,4] -> f32[4,8]", "", kInvalid, "inputs[3]: cos and sin must be given together"},
    {"rope_neox", "f32[4,8] - f32[4,8] f32[4,4] -> f32[4,8]", "", kInvalid, "inputs[2]: cos has the wrong shape (got (4, 8), need (positions, 4) with positions >= 4)"},
    {"rope_neox", "f32[4,8] - f32[4,4] f32[4,3] -> f32[4,8]", "", kInvalid, "inputs[3]: sin has the wrong shape (got (4, 3), need (positions, 4) with positions >= 4)"},
    {"rope_neox", "f32[4,8] - f32[3,4] f32[4,4] -> f32[4,8]", "", kInvalid, "inputs[2]: cos has the wrong shape (got (3, 4), need (positions, 4) with positions >= 4)"},
    {"rope_neox", "f32[4,8] - f32[4,4] f32[4,4] -> f32[4,8]", "offset=1", kInvalid, "inputs[2]: cos has the wrong shape (got (4, 4), need (positions, 4) with positions >= 5)"},
    {"rope_neox", "f32[4,8] - f32[4,4] f32[4,4] -> f32[4,8]", "offset=-1", kInvalid, "attrs[0]: 'offset' is negative, which the rows of cos and sin cannot be (got -1)"},
    {"rope_neox", "f32[4,8] - f32[16] f32[16] -> f32[4,8]", "", kInvalid, "inputs[2]: cos has the wrong shape (got (16,), need (positions, 4) with positions >= 4)"},
    {"rope_neox", "f32[4,8] - f32[4,4] f32[4,4] -> f32[4,8]", "rotary_dim=4", kInvalid, "inputs[2]: cos has the wrong shape (got (4, 4), need (positions, 2) with positions >= 4)"},
    {"rope_neox", "f32[4,8] i32[3] -> f32[4,8]", "", kInvalid, "inputs[1]: position_ids has the wrong shape (got (3,), need (4,))"},
    {"rope_neox", "f32[4,8] i32[1,4] -> f32[4,8]", "", kInvalid, "inputs[1]: position_ids has the wrong shape (got (1, 4), need (4,))"},
    {"rope_neox", "f32[4,8] i64[] -> f32[4,8]", "", kInvalid, "inputs[1]: position_ids has the wrong shape (got (), need (4,))"},
    {"rope_neox", "f32[2,4,1,8] i64[3,4] -> f32[2,4,1,8]", "", kInvalid, "inputs[1]: position_ids has the wrong shape (got (3, 4), need (4,) or (2, 4))"},
    {"rope_neox", "f32[2,4,1,8] i64[2] -> f32[2,4,1,8]", "", kInvalid, "inputs[1]: position_ids has the wrong shape (got (2,), need (4,) or (2, 4))"},
    {"rope_neox", "f32[2,4,1,8] i64[2,5] -> f32[2,4,1,8]", "", kInvalid, "inputs[1]: position_ids has the wrong shape (got (2, 5), need (4,) or (2, 4))"},
    {"rope_longrope", "f32[4,8] - -> f32[4,8]", "", kInvalid, "inputs[1]: is absent, but rescale_factors of rope_longrope is not optional"},
    {"rope_longrope", "f32[4,8] f32[8] -> f32[4,8]", "", kInvalid, "inputs[1]: rescale_factors has the wrong shape (got (8,), need (4,))"},
    {"rope_longrope", "f32[4,8] f32[1,4] -> f32[4,8]", "", kInvalid, "inputs[1]: rescale_factors has the wrong shape (got (1, 4), need (4,))"},
    {"rope_longrope", "f32[4,8] f32[4] -> f32[4,8]", "rotary_dim=4", kInvalid, "inputs[1]: rescale_factors has the wrong shape (got (4,), need (2,))"},
    {"rope_llama31", "f32[4,8] -> f32[4,8]", "low_freq_factor=4.0 high_freq_factor=1.0", kInvalid, "attrs[0]: 'low_freq_factor' must be below 'high_freq_factor' (got 4 and 1)"},
    {"rope_llama31", "f32[4,8] -> f32[4,8]", "low_freq_factor=4.0", kInvalid, "attrs[0]: 'low_freq_factor' must be below 'high_freq_factor' (got 4 and 4)"},
    // tables that would be too large to make, with elements and without
    {"alibi", "-> f32[2^40,1,1]", "", kInvalid, "outputs[0]: shape[0] is too large (got 1099511627776, need at most 16777216)"},
    {"alibi", "-> f32[2^25,1,1]", "", kInvalid, "outputs[0]: shape[0] is too large (got 33554432, need at most 16777216)"},
    {"sinusoidal", "-> f32[1,2^60]", "", kInvalid, "outputs[0]: shape[1] is too large (got 1152921504606846976, need at most 16777216)"},
    {"rope_neox", "f32[1,2^40] -> f32[1,2^40]", "", kInvalid, "inputs[0]: last dimension is too large (got 1099511627776, need at most 16777216)"},

    {"rope_yarn", "f32[4,8] -> f32[4,8]", "base=1.0", kInvalid, "attrs[0]: 'base' must be above 1 for rope_yarn (got 1)"},
};

// clang-format on

class PlanOps : public PlanTest {};
TEST_P(PlanOps, Refused) { check(); }
INSTANTIATE_TEST_SUITE_P(, PlanOps, testing::ValuesIn(kOps), name_of_row<PlanRow>);

}  // namespace
}  // namespace bad_input
