// The forms for values inside an expression (src/cpu/simd/inner.h) against the C library's double functions, over a
// sample of all f32 operands: within 2^-20 of the exact value, or 2^-140; and the same bits with every instruction set.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "cpu/kernel.h"
#include "op/op_table.h"

namespace tileops::cpu {
namespace {

using Function = double (*)(double);

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double Gelu(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }
double GeluTanh(double x) { return x * Sigmoid(1.5957691216057307118 * (x + 0.044715 * x * x * x)); }
double Mish(double x) { return x * std::tanh(std::log1p(std::exp(x))); }

// By operator and body.
const std::map<std::string, Function> kExact = {
    {"exp 0", [](double x) { return std::exp(x); }},
    {"tanh 0", [](double x) { return std::tanh(x); }},
    {"sigmoid 0", Sigmoid},
    {"silu 0", [](double x) { return x * Sigmoid(x); }},
    {"gelu 0", GeluTanh},  // the body for `tanh` comes first
    {"gelu 1", Gelu},
    {"mish 0", Mish},
};

struct Entry {
  std::string name;
  Kernel kernel;
};

DenseFn InnerOf(const Entry& e) { return e.kernel.find(Loop::inner)->fn.dense; }

std::vector<Entry> KernelsOf(const IsaKernels& isa) {
  std::vector<Entry> found;
  isa.add_kernels({[](void* user, const Kernel& k) {
                     if (!k.find(Loop::inner)) return;
                     const OpSpec* op = find_op(static_cast<tileops_op>(k.op));
                     const std::string name = op ? op->name : "?";
                     static_cast<std::vector<Entry>*>(user)->push_back({name + " " + std::to_string(k.body), k});
                   },
                   &found});
  return found;
}

uint32_t Bits(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
float Number(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

std::vector<float> Apply(DenseFn fn, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  const AttrValue attrs[4] = {};
  const void* in[] = {x.data()};
  void* out[] = {y.data()};
  fn(in, out, x.size(), attrs, {});
  return y;
}

std::vector<float> Inner(DenseFn fn, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  const void* in[] = {x.data()};
  void* out[] = {y.data()};
  const Elements floats[2] = {};
  fn(in, out, x.size(), nullptr, {false, floats});
  return y;
}

// Every n-th number; all exponents with few digits; and many in the ranges where results leave the normal numbers, or
// become 0, 1 or the operand.
std::vector<float> Operands() {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4099) x.push_back(Number(static_cast<uint32_t>(bits)));
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 0x10000)
    for (const int beside : {-1, 0, 1})
      x.push_back(Number(static_cast<uint32_t>(bits) + static_cast<uint32_t>(beside)));
  for (const float at :
       {-110.0f, -104.0f, -97.0f, -88.0f, -14.5f, -13.6f, -10.9f, -10.5f, -8.6f, -8.2f,    -1.0f, -0.34f,
        0.34f,   1.0f,    6.5f,   8.2f,   8.6f,   14.5f,  20.0f,  30.0f,  88.0f, 88.7228f, 89.0f})
    for (int k = -2000; k <= 2000; ++k) x.push_back(at + static_cast<float>(k) * std::fabs(at) * 0x1p-15f);
  return x;
}

// Is y good enough for the exact value?
bool IsWithinBound(float y, double exact) {
  if (std::isnan(exact)) return std::isnan(y);
  const double slack = 0x1p-20 * std::fabs(exact) + 0x1p-140;
  if (std::isinf(y)) return std::fabs(exact) + slack >= FLT_MAX && std::signbit(y) == std::signbit(exact);
  return std::fabs(static_cast<double>(y) - exact) <= slack;
}

TEST(CpuInner, WithinTheBoundForEveryKindOfOperand) {
  const std::vector<float> x = Operands();
  std::map<std::string, std::vector<float>> first;
  int count;
  const IsaKernels* const* isas = usable_isas(&count);
  for (int i = 0; i < count; ++i) {
    const std::vector<Entry> kernels = KernelsOf(*isas[i]);
    EXPECT_EQ(kernels.size(), kExact.size()) << isas[i]->name;
    for (const Entry& e : kernels) {
      ASSERT_TRUE(kExact.count(e.name)) << e.name << " has no reference";
      const std::vector<float> y = Inner(InnerOf(e), x);
      double worst = 0;
      int wrong = 0;
      for (size_t k = 0; k < x.size(); ++k) {
        if (!std::isfinite(x[k])) continue;
        const double exact = kExact.at(e.name)(x[k]);
        if (std::fabs(exact) > 0x1p-115 && std::isfinite(y[k]))
          worst = std::max(worst, std::fabs(static_cast<double>(y[k]) / exact - 1));
        if (!IsWithinBound(y[k], exact) && ++wrong <= 3)
          ADD_FAILURE() << isas[i]->name << ", " << e.name << "(" << x[k] << "): got " << y[k] << ", exactly " << exact;
      }
      EXPECT_EQ(wrong, 0) << isas[i]->name << ", " << e.name << ", of " << x.size();
      RecordProperty(std::string(isas[i]->name) + "." + e.name, std::to_string(worst * 0x1p20));
      std::vector<float>& other = first[e.name];
      if (other.empty()) other = y;
      for (size_t k = 0; k < x.size(); ++k)
        ASSERT_TRUE(Bits(other[k]) == Bits(y[k]) || (std::isnan(other[k]) && std::isnan(y[k])))
            << isas[i]->name << ", " << e.name << "(" << x[k] << "): " << y[k] << " and " << other[k];
    }
  }
}

// Zeros, infinities and NaN give exactly what the operator gives; and no result is beyond a bound of the function.
TEST(CpuInner, SpecialValuesAndLimits) {
  const std::vector<float> special = {0.0f, -0.0f, HUGE_VALF, -HUGE_VALF, NAN, -NAN}, all = Operands();
  int count;
  const IsaKernels* const* isas = usable_isas(&count);
  for (int i = 0; i < count; ++i) {
    for (const Entry& e : KernelsOf(*isas[i])) {
      SCOPED_TRACE(std::string(isas[i]->name) + ", " + e.name);
      const std::vector<float> y = Inner(InnerOf(e), special),
                               want = Apply(e.kernel.find(Loop::dense)->fn.dense, special);
      for (size_t k = 0; k < special.size(); ++k) {
        if (std::isnan(want[k])) EXPECT_TRUE(std::isnan(y[k])) << special[k];
        else EXPECT_EQ(Bits(y[k]), Bits(want[k])) << special[k] << ": got " << y[k] << ", not " << want[k];
      }
      const double least = e.name == "tanh 0" ? -1 : e.name == "sigmoid 0" || e.name == "exp 0" ? 0 : -HUGE_VAL;
      const double most = e.name == "tanh 0" || e.name == "sigmoid 0" ? 1 : HUGE_VAL;
      for (const float v : Inner(InnerOf(e), all)) EXPECT_FALSE(v < least || v > most) << v;
    }
  }
}

}  // namespace
}  // namespace tileops::cpu
