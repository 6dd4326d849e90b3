// The GPU gives the CPU's bits: all inputs of the 8- and 16-bit floats for operators of one operand,
// all pairs of the 8-bit ones and many of the others for those of more. NaN equals NaN.
#include <cstring>
#include <random>

#include "device.h"

namespace gputest {
namespace {

struct Case {
  tileops_op op;
  std::vector<Attr> attrs;
  const char* note;
};

bool IsNan(DLDataType t, uint64_t bits) {
  switch (t.code) {
    case 10: return (bits & 0x7f) == 0x7f;
    case 12: return (bits & 0x7f) > 0x7c;
    case kDLBfloat: return (bits & 0x7fff) > 0x7f80;
    case kDLFloat:
      if (t.bits == 16) return (bits & 0x7fff) > 0x7c00;
      if (t.bits == 32) return (bits & 0x7fffffff) > 0x7f800000;
      return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default: return false;
  }
}

uint64_t Bits(const std::vector<uint8_t>& bytes, size_t i, size_t size) {
  uint64_t v = 0;
  std::memcpy(&v, &bytes[i * size], size);
  return v;
}

// Runs the same call on both devices and compares.
void Compare(const Case& c, const std::vector<DLDataType>& in, DLDataType out, int64_t n,
             const std::vector<std::vector<uint8_t>>& inputs, uint32_t flags) {
  std::vector<uint8_t> results[2];
  std::string kernel;
  for (int side = 0; side < 2; ++side) {
    const DLDevice device = side ? Gpu() : Cpu();
    std::vector<std::unique_ptr<Tensor>> x;
    std::vector<const DLTensor*> x_dl;
    for (size_t k = 0; k < inputs.size(); ++k) {
      x.push_back(std::make_unique<Tensor>(device, in[k], std::vector<int64_t>{n}));
      x.back()->Upload(inputs[k].data());
      x_dl.push_back(x.back()->dl());
    }
    Tensor y(device, out, {n});
    DLTensor* outs[] = {y.dl()};
    const Plan plan(c.op, x_dl, {y.dl()}, c.attrs, flags);
    MUST(plan.status());
    MUST(tileops_execute(plan.get(), x_dl.data(), x_dl.size(), outs, 1, nullptr));
    results[side].resize(y.bytes());
    y.Download(results[side].data());
    kernel = plan.Text(TILEOPS_PLAN_KERNEL_NAME);
  }
  const size_t size = out.bits / 8;
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t want = Bits(results[0], static_cast<size_t>(i), size);
    const uint64_t got = Bits(results[1], static_cast<size_t>(i), size);
    if (got == want || (IsNan(out, got) && IsNan(out, want))) continue;
    if (wrong++ < 3) {
      std::string operands;
      for (size_t k = 0; k < inputs.size(); ++k) {
        char text[32];
        std::snprintf(text, sizeof text, " %llx",
                      static_cast<unsigned long long>(Bits(inputs[k], static_cast<size_t>(i), in[k].bits / 8)));
        operands += text;
      }
      ADD_FAILURE() << c.note << " " << Name(in[0]) << " [" << i << "] of" << std::hex << operands << ": got " << got
                    << ", CPU " << want << "  " << kernel;
    }
  }
  if (wrong) ADD_FAILURE() << c.note << " " << Name(in[0]) << ": " << wrong << " of " << n;
}

std::vector<Case> CasesOf(size_t operands) {
  std::vector<Case> cases;
  for (size_t i = 0; i < tileops_op_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    if (tileops_op_describe(tileops_op_at(i), &info) != TILEOPS_STATUS_OK) continue;
    const std::string category = info.category;
    const bool own_rule = category == "rope" || category == "dropout" || category == "position" ||
                          info.op == TILEOPS_OP_PRELU || category == "fused_gated";
    if (own_rule || !(info.dtypes & TILEOPS_DTYPES_FLOAT)) continue;
    if (info.op == TILEOPS_OP_CLAMP || info.op == TILEOPS_OP_MASKED_FILL || info.op == TILEOPS_OP_WHERE ||
        info.op == TILEOPS_OP_LERP || info.op == TILEOPS_OP_CAST)
      continue;
    const size_t wanted = info.op == TILEOPS_OP_POW ? 2 : static_cast<size_t>(info.min_inputs);
    if (wanted == operands) cases.push_back({info.op, {}, info.name});
  }
  if (operands == 1) {
    cases.push_back({TILEOPS_OP_GELU, {{TILEOPS_ATTR_APPROXIMATE, 1}}, "gelu tanh"});
    cases.push_back({TILEOPS_OP_CLAMP, {{TILEOPS_ATTR_MIN, -0.3}, {TILEOPS_ATTR_MAX, 0.7}}, "clamp"});
    cases.push_back({TILEOPS_OP_ELU, {{TILEOPS_ATTR_ALPHA, 1.7}}, "elu 1.7"});
    cases.push_back({TILEOPS_OP_SOFTPLUS, {{TILEOPS_ATTR_BETA, 2}, {TILEOPS_ATTR_THRESHOLD, 5}}, "softplus 2"});
    cases.push_back({TILEOPS_OP_ROUND, {{TILEOPS_ATTR_DECIMALS, 2}}, "round 2"});
    for (double e : {0.5, 2.0, 3.0, -0.5, -1.0, -2.0, 2.5})
      cases.push_back({TILEOPS_OP_POW, {{TILEOPS_ATTR_EXPONENT, e}}, "pow scalar"});
  } else {
    cases.push_back({TILEOPS_OP_ADD, {{TILEOPS_ATTR_ALPHA, 0.7}}, "add alpha"});
    cases.push_back({TILEOPS_OP_LERP, {{TILEOPS_ATTR_WEIGHT, 0.3}}, "lerp 0.3"});
    cases.push_back({TILEOPS_OP_DIV, {{TILEOPS_ATTR_ROUNDING, 1}}, "div trunc"});
    cases.push_back({TILEOPS_OP_SILU_AND_MUL, {}, "silu_and_mul"});
    cases.push_back({TILEOPS_OP_GELU_AND_MUL, {}, "gelu_and_mul"});
    cases.push_back({TILEOPS_OP_GELU_TANH_AND_MUL, {}, "gelu_tanh_and_mul"});
  }
  return cases;
}

DLDataType ResultOf(tileops_op op, DLDataType t) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  tileops_op_describe(op, &info);
  return std::string(info.result) == "bool" ? kBool : t;
}

class Equality : public ::testing::TestWithParam<int> {
 protected:
  DLDataType dtype() const {
    const DLDataType list[] = {kBf16, kF16, kE4m3, kE5m2, kF32};
    return list[GetParam()];
  }
  bool eight() const { return dtype().bits == 8; }
};

std::vector<uint8_t> Random(size_t bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> v((bytes + 7) / 8 * 8);
  for (size_t i = 0; i < v.size(); i += 8) {
    const uint64_t r = random();
    std::memcpy(&v[i], &r, 8);
  }
  v.resize(bytes);
  return v;
}

// All codes, but of f32 a sample, with the plan flag that asks for the CPU's bits.
TEST_P(Equality, OneOperand) {
  TILEOPS_NEEDS_GPU();
  const bool single = dtype().bits == 32;
  // More than all codes: there is an end that fills no vector, and of 8 bits enough for the table.
  const int64_t n = single ? int64_t{1} << 20 : 65536 + 37;
  const size_t size = dtype().bits / 8;
  std::vector<uint8_t> x = Random(static_cast<size_t>(n) * size, 7);
  for (int64_t i = 0; i < n && !single; ++i) std::memcpy(&x[static_cast<size_t>(i) * size], &i, size);
  for (const Case& c : CasesOf(1))
    Compare(c, {dtype()}, ResultOf(c.op, dtype()), n, {x}, single ? TILEOPS_PLAN_REPRODUCIBLE : 0);
}

TEST_P(Equality, TwoOperands) {
  TILEOPS_NEEDS_GPU();
  const int64_t n = eight() ? 65536 : int64_t{1} << 20;
  const size_t size = dtype().bits / 8;
  std::vector<uint8_t> a = Random(static_cast<size_t>(n) * size, 1), b = Random(static_cast<size_t>(n) * size, 2);
  if (eight()) {
    for (int64_t i = 0; i < n; ++i) {
      a[static_cast<size_t>(i)] = static_cast<uint8_t>(i >> 8);
      b[static_cast<size_t>(i)] = static_cast<uint8_t>(i);
    }
  }
  for (const Case& c : CasesOf(2))
    Compare(c, {dtype(), dtype()}, ResultOf(c.op, dtype()), n, {a, b},
            dtype().bits == 32 ? TILEOPS_PLAN_REPRODUCIBLE : 0);
}

TEST_P(Equality, ThreeOperands) {
  TILEOPS_NEEDS_GPU();
  const size_t n = (size_t{1} << 20) + 5, bytes = n * (dtype().bits / 8);
  const std::vector<std::vector<uint8_t>> x{Random(bytes, 8), Random(bytes, 9), Random(bytes, 10)};
  for (const tileops_op op : {TILEOPS_OP_LERP, TILEOPS_OP_CLAMP})
    Compare({op, {}, op == TILEOPS_OP_LERP ? "lerp" : "clamp"}, {dtype(), dtype(), dtype()}, dtype(),
            static_cast<int64_t>(n), x, dtype().bits == 32 ? TILEOPS_PLAN_REPRODUCIBLE : 0);
}

// So many that activations are kept in shared memory, with an end that fills no pack.
TEST(Large, GatedHalves) {
  TILEOPS_NEEDS_GPU();
  const int64_t n = (int64_t{4} << 20) + 3;
  for (const DLDataType t : {kBf16, kF16}) {
    const std::vector<uint8_t> gate = Random(static_cast<size_t>(n) * 2, 3),
                               value = Random(static_cast<size_t>(n) * 2, 4);
    for (const Case& c : CasesOf(2))
      if (std::string(c.note).find("_and_mul") != std::string::npos) Compare(c, {t, t}, t, n, {gate, value}, 0);
  }
}

// So many that pairs are looked up.
TEST(Large, PairsOfBytes) {
  TILEOPS_NEEDS_GPU();
  const size_t n = (size_t{4} << 20) + 3;
  for (const DLDataType t : {kE4m3, kE5m2}) {
    const std::vector<uint8_t> a = Random(n, 5), b = Random(n, 6);
    for (const Case& c : CasesOf(2))
      if (c.op == TILEOPS_OP_POW || c.op == TILEOPS_OP_DIV || c.op == TILEOPS_OP_FLOOR_DIVIDE ||
          c.op == TILEOPS_OP_REMAINDER)
        Compare(c, {t, t}, t, static_cast<int64_t>(n), {a, b}, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Equality, ::testing::Range(0, 5));

}  // namespace
}  // namespace gputest
