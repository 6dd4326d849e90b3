#include "cli/selftest/cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/operation.h"

namespace tileops::cli {
namespace {

// SplitMix64: small, and the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  Real uniform() { return static_cast<Real>(next() >> 11) * 0x1p-53L; }

 private:
  uint64_t state_;
};

std::vector<Real> special_values(DLDataType dtype) {
  const Real inf = std::numeric_limits<Real>::infinity();
  std::vector<Real> list = {
      0, -0.0L, 1, -1, 0.5L, -3, 3, inf, -inf, std::numeric_limits<Real>::quiet_NaN(), ulp(dtype, 0), -ulp(dtype, 0)};
  return list;
}

Array random_array(DLDataType dtype, const Shape& shape, Real lo, Real hi, bool specials, Random* random,
                   size_t operand) {
  Array array{dtype, shape, std::vector<Real>(static_cast<size_t>(num_elements(shape)))};
  const std::vector<Real> special = special_values(dtype);
  for (size_t i = 0; i < array.values.size(); ++i) {
    Real& v = array.values[i];
    const Real u = random->uniform();
    if (dtype == kBool) {
      v = u < 0.5L;
    } else if (!is_float(dtype)) {
      const Real low = std::max(lo, int_min(dtype)), high = std::min(hi, int_max(dtype));
      v = std::floor(low + u * (high - low + 1));
      if (specials && i % 17 == operand) v = i % 2 == 0 ? int_min(dtype) : int_max(dtype);
      if (specials && i % 17 == operand + 4) v = 0;
    } else if (random->next() % 4 == 0) {  // every order of magnitude down to 2^-20
      v = std::exp2(-20 * u) * hi * (lo < 0 && random->next() % 2 == 0 ? -1 : 1);
    } else {
      v = lo + u * (hi - lo);
    }
    // Another spacing for each operand, so that specials meet each other and ordinary values.
    if (is_float(dtype) && specials && i % (11 + 2 * operand) == 0) {
      v = special[i / (11 + 2 * operand) % special.size()];
    }
    v = rounded(dtype, v);
  }
  return array;
}

Array values(DLDataType dtype, std::vector<Real> values) {
  return {dtype, {static_cast<int64_t>(values.size())}, std::move(values)};
}

bool is_given(const Variant& variant, const char* name) {
  const auto names = split(variant.optional, ' ');
  return std::find(names.begin(), names.end(), name) != names.end();
}

void fill_attrs(const tileops_op_info& op, const Variant& variant, DLDataType compute, Attrs* attrs) {
  const std::vector<tileops_attr> given = attrs_of(op, variant);
  for (int i = 0; i < op.num_attrs; ++i) {
    const tileops_attr_info& info = op.attrs[i];
    bool has = info.has_default != 0;
    double real = info.default_value.f64;
    int64_t integer = info.default_value.i64;
    for (const tileops_attr& attr : given) {
      if (attr.key != info.key) continue;
      has = true;
      real = attr.value.f64;
      integer = attr.value.i64;
    }
    if (!has) continue;
    if (info.kind == TILEOPS_ATTR_I64) {
      attrs->integers[info.name] = integer;
    } else {
      // Parameters of frequencies are used at plan time, in full precision.
      const bool operand = compute == kF32 && std::string(op.category) != "rope" &&
                           std::string(op.category) != "position";
      attrs->reals[info.name] = operand ? static_cast<float>(real) : real;
    }
  }
}

constexpr int64_t kHeadDim = 16, kSequence = 11;

Shape main_shape(const tileops_op_info& op) {
  const std::string category = op.category, name = op.name;
  if (category == "rope") return {2, kSequence, 3, kHeadDim};
  if (name == "prelu") return {5, 7, 31};
  if (name == "alibi") return {12, 9, 31};
  if (name == "sinusoidal") return {37, 24};
  return {23, 46};
}

// Operands that are neither broadcast nor drawn at random; values empty if there is no such rule.
Array special_operand(const tileops_op_info& op, int index, const Problem& p, DLDataType dtype, Random* random) {
  const std::string name = op.inputs[index].name, category = op.category;
  Array none{dtype, {}, {}};
  if (name == "position_ids") {
    std::vector<Real> ids;
    for (int64_t i = 0; i < kSequence; ++i) ids.push_back(static_cast<Real>(i * 7 % 19));
    return values(random->next() % 2 == 0 ? kI32 : kI64, ids);
  }
  if (category == "rope" && (name == "cos" || name == "sin")) {
    const int64_t dim = p.attrs.has("rotary_dim") ? p.attrs.integer("rotary_dim") : kHeadDim;
    return random_array(kF32, {19, dim / 2}, -1, 1, false, random, 0);
  }
  if (name == "rescale_factors") return random_array(kF32, {kHeadDim / 2}, 1, 4, false, random, 0);
  if (name == "seed_offset") return values(kI64, {123456789012345.0L, 5});
  if (name == "slopes") return random_array(kF32, {p.shape[0]}, 0, 1, false, random, 0);
  if (name == "weight" && std::string(op.name) == "prelu") {
    const int64_t axis = p.attrs.integer("axis");
    const Shape shape = axis == 0 ? Shape{} : axis == 1 ? Shape{7} : Shape{31};
    return random_array(dtype, shape, -2, 2, false, random, 0);
  }
  if (name == "value" && std::string(op.name) == "masked_fill") {
    return random_array(dtype, {}, 1, 9, false, random, 0);
  }
  return none;
}

}  // namespace

const char* layout_name(Layout layout) {
  switch (layout) {
    case Layout::kContiguous: return "contiguous";
    case Layout::kBroadcast: return "broadcast";
    case Layout::kTransposed: return "transposed";
    default: return "reversed";
  }
}

Problem make_problem(const tileops_op_info& op, const Variant& variant, DLDataType dtype, Layout layout,
                     const Reference& reference) {
  Random random(static_cast<uint64_t>(op.op) * 1000 + dtype.code * 100 + dtype.bits);
  const std::string category = op.category, name = op.name;
  Problem p;
  p.num_outputs = op.max_outputs;
  p.shape = main_shape(op);
  // prelu's weight and RoPE's tables depend on integer attributes; reals follow below.
  fill_attrs(op, variant, kF64, &p.attrs);

  int broadcast = 0;
  for (int i = 0; i < op.max_inputs; ++i) {
    p.inputs.emplace_back();
    const tileops_operand_info& operand = op.inputs[i];
    if (operand.optional && !is_given(variant, operand.name)) continue;
    Array array = special_operand(op, i, p, dtype, &random);
    if (array.values.empty()) {
      const DLDataType type = operand.dtype != nullptr ? parse_dtype(split(operand.dtype, '|')[0], "operand") : dtype;
      Shape shape = p.shape;
      const bool packed = category == "fused_gated" && !is_given(variant, "value");
      if (packed) shape.back() *= 2;
      const bool fixed = packed || category == "rope" || category == "dropout" || name == "prelu";
      // (46), (23, 46), (23, 1), ...: inner, none, outer.
      if (layout == Layout::kBroadcast && !fixed && op.max_inputs > 1) {
        if (broadcast % 3 == 0) shape.erase(shape.begin());
        if (broadcast % 3 == 2) shape.back() = 1;
        ++broadcast;
      }
      // Products of infinities and cancelling sums have values of their own in rotations.
      const bool specials = category != "rope" && !packed && category != "fused_gated" && name != "lerp" &&
                            name != "prelu" && name != "dropout";
      array = random_array(type, shape, reference.lo, reference.hi, specials, &random, static_cast<size_t>(i));
    }
    p.inputs.back() = std::move(array);
  }

  OperandTypes types;
  for (const auto& input : p.inputs) {
    types.push_back(input ? std::optional<OperandType>({input->dtype, input->shape}) : std::nullopt);
  }
  while (!types.empty() && !types.back()) {
    types.pop_back();
    p.inputs.pop_back();
  }
  if (const auto shape = result_shape(op, types)) p.shape = *shape;
  // Operators without an input are computed in the type of their output.
  const bool source = category != "position";
  p.promoted = source ? promoted_dtype(op, types).value_or(kF32) : dtype;
  p.result = source ? result_dtype(op, types, attrs_of(op, variant)) : dtype;
  if (std::string(op.result) == "promoted_float") {
    p.compute = is_float(p.result) ? (p.result == kF64 ? kF64 : kF32) : p.result;
  } else {
    p.compute = is_float(p.promoted) ? (p.promoted == kF64 ? kF64 : kF32) : p.promoted;
  }
  if (variant.result.bits != 0) p.result = variant.result;
  p.attrs = {};
  fill_attrs(op, variant, p.compute, &p.attrs);
  return p;
}

}  // namespace tileops::cli
