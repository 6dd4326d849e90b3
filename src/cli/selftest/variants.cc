// The ways to call each operator that are worth testing.
#include "cli/dtype.h"
#include "cli/operation.h"
#include "cli/selftest/cases.h"

namespace tileops::cli {
namespace {

constexpr uint32_t kB = TILEOPS_DTYPES_BOOL, kI = TILEOPS_DTYPES_INT;

// Operators that are not here are tried once, with all defaults and no optional operand.
const Variant kVariants[] = {
    {"exp"},
    {"exp", "", "", 0, kBF16},
    {"round"},
    {"round", "decimals=1", "", kI},
    {"round", "decimals=-1", "", kI},
    {"add"},
    {"add", "alpha=2", "", kB},
    {"add", "alpha=-0.75", "", kI | kB},
    {"add", "", "", kI | kB, kE4M3},
    {"add", "fp8_overflow=nonsaturating", "", kI | kB, kE4M3},
    {"add", "fp8_overflow=saturate", "", kI | kB, kE5M2},
    {"sub"},
    {"sub", "alpha=3"},
    {"div"},
    {"div", "rounding=trunc", "", kB},
    {"div", "rounding=floor", "", kB},
    {"pow", "", "b"},
    {"pow", "exponent=0.5", "", kI},
    {"pow", "exponent=2"},
    {"pow", "exponent=3"},
    {"pow", "exponent=-0.5", "", kI},
    {"pow", "exponent=-1", "", kI},
    {"pow", "exponent=-2", "", kI},
    {"pow", "exponent=1.75", "", kI},
    {"lerp"},
    {"lerp", "weight=0.25"},
    {"lerp", "weight=1"},
    {"lerp", "", "weight"},
    {"gelu"},
    {"gelu", "approximate=tanh"},
    {"leaky_relu"},
    {"leaky_relu", "negative_slope=-0.5"},
    {"elu"},
    {"elu", "alpha=1.75"},
    {"hardtanh"},
    {"hardtanh", "min_val=-0.5 max_val=1.5"},
    {"softplus"},
    {"softplus", "beta=2 threshold=4"},
    {"prelu"},
    {"prelu", "axis=-1"},
    {"prelu", "axis=0"},
    {"silu_and_mul"},
    {"silu_and_mul", "", "value"},
    {"gelu_and_mul"},
    {"gelu_and_mul", "", "value"},
    {"gelu_tanh_and_mul"},
    {"gelu_tanh_and_mul", "", "value"},
    {"clamp", "min=-3 max=20"},
    {"clamp", "min=5"},
    {"clamp", "max=5"},
    {"clamp", "", "min max"},
    {"clamp", "max=30", "min"},
    {"clamp", "", "max"},
    {"masked_fill", "value=7"},
    {"masked_fill", "", "value"},
    {"nan_to_num"},
    {"nan_to_num", "nan=2 posinf=5 neginf=-6"},
    {"rope_neox"},
    {"rope_neox", "offset=1000 rotary_dim=10"},
    {"rope_neox", "", "position_ids"},
    {"rope_neox", "", "cos sin"},
    {"rope_neox", "seq_axis=1 base=500000", "position_ids cos sin"},
    {"rope_neox", "interleaved=1 seq_axis=-2"},
    {"rope_non_neox"},
    {"rope_non_neox", "rotary_dim=8 offset=3"},
    {"rope_non_neox", "", "position_ids cos sin"},
    {"rope_llama31"},
    {"rope_llama31", "base=500000 offset=9000 interleaved=1"},
    {"rope_llama31", "scale_factor=4 original_max_position=256", "position_ids"},
    {"rope_yarn"},
    {"rope_yarn", "scale_factor=4 attn_factor=1.25 offset=5000"},
    {"rope_yarn", "original_max_position=512 beta_fast=16 beta_slow=2", "position_ids"},
    {"rope_longrope"},
    {"rope_longrope", "max_position=4096 offset=77"},
    {"rope_longrope", "max_position=4096", "position_ids"},
    {"rope_longrope", "", "cos sin"},
    {"dropout", "seed=42"},
    {"dropout", "p=0.125 seed=-7 offset=3"},
    {"dropout", "p=0 seed=1"},
    {"dropout", "p=1 seed=1"},
    {"dropout", "training=0"},
    {"dropout", "p=0.25", "seed_offset"},
    {"alibi"},
    {"alibi", "causal=1 offset=5"},
    {"alibi", "slopes=geometric"},
    {"alibi", "", "slopes"},
    {"sinusoidal"},
    {"sinusoidal", "layout=halves offset=100 base=500"},
    {"cast"},
    {"cast", "", "", 0, kF16},
    {"cast", "", "", 0, kBF16},
    {"cast", "", "", 0, kF32},
    {"cast", "", "", 0, kF64},
    {"cast", "", "", 0, kE4M3},
    {"cast", "", "", 0, kE5M2},
    {"cast", "", "", 0, {kDLInt, 8, 1}},
    {"cast", "", "", 0, {kDLInt, 16, 1}},
    {"cast", "", "", 0, kI32},
    {"cast", "", "", 0, kI64},
    {"cast", "", "", 0, kU8},
    {"cast", "", "", 0, {kDLUInt, 16, 1}},
    {"cast", "", "", 0, {kDLUInt, 32, 1}},
    {"cast", "", "", 0, {kDLUInt, 64, 1}},
    {"cast", "", "", 0, kBool},
};

}  // namespace

std::vector<Variant> variants_of(const tileops_op_info& op) {
  std::vector<Variant> list;
  for (const Variant& variant : kVariants) {
    if (std::string(variant.op) == op.name) list.push_back(variant);
  }
  if (list.empty()) list.push_back({op.name});
  return list;
}

std::vector<tileops_attr> attrs_of(const tileops_op_info& op, const Variant& variant) {
  std::vector<std::string> texts;
  for (const std::string& text : split(variant.attrs, ' ')) {
    if (!text.empty()) texts.push_back(text);
  }
  return parse_attrs(op, texts);
}

}  // namespace tileops::cli
