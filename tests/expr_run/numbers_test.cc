// Numbers beside tensors: literals, scalars and extents in the place of operands and of attributes, of integers too.
#include <cmath>

#include "expression.h"

namespace exprtest {
namespace {

struct NumberCase {
  const char* text;
  std::vector<Array> inputs;
  std::vector<tileops_number> scalars;
  std::vector<double> want;
};

Array Of(Dt dtype, const std::vector<double>& values) {
  return Values(dtype, {static_cast<int64_t>(values.size())}, values);
}
Array Mask(const std::vector<double>& values) { return Of(Dt::kBool, values); }
Array ZeroDim(Dt dtype, double value) { return Values(dtype, {}, {value}); }
tileops_number I(int64_t v) { return tileops_number_i64(v); }
tileops_number F(double v) { return tileops_number_f64(v); }

double ValueOf(Dt dtype, uint64_t bits) {
  const Num n = Decode(dtype, bits);
  return n.is_float ? n.d : static_cast<double>(n.i);
}

// On every target.
void ExpectNumbers(const NumberCase& row) {
  SCOPED_TRACE(row.text);
  const Expr expr{std::string(row.text)};
  Job job;
  job.expr = expr.get();
  job.inputs = row.inputs;
  job.scalars = row.scalars;
  ASSERT_TRUE(InferOutputs(&job, 1));
  for (const Target& target : Targets()) {
    const Results got = RunJob(target, job);
    ASSERT_EQ(got.size(), 1u);
    ASSERT_EQ(got[0].size(), row.want.size());
    for (size_t i = 0; i < row.want.size(); ++i)
      EXPECT_EQ(ValueOf(job.outputs[0].dtype, got[0][i]), row.want[i]) << "on " << target.name << ", element " << i;
  }
}

TEST(Numbers, FillIntegers) {
  const Array x = Of(Dt::kI32, {5, 6, 7}), m = Mask({1, 0, 1});
  const NumberCase rows[] = {
      {"(x, m; s = 3) -> masked_fill(x, m, s)", {x, m}, {}, {3, 6, 3}},
      {"(x, m; s = 3) -> masked_fill(x, m, s)", {x, m}, {I(-9)}, {-9, 6, -9}},
      {"(x, m; s = 3) -> masked_fill(x, m, s * 2 + 1)", {x, m}, {I(4)}, {9, 6, 9}},
      {"(x, m) -> masked_fill(x, m, extent(x, -1))", {x, m}, {}, {3, 6, 3}},
      {"(x, m; s = 3) -> masked_fill(x + 1, m, s)", {x, m}, {}, {3, 7, 3}},
      {"(x, m; s = 3) -> masked_fill(x, m, s)", {Of(Dt::kU8, {5, 6, 7}), m}, {I(255)}, {255, 6, 255}},
      {"(x, m; s = 3) -> masked_fill(x, m, s)", {Of(Dt::kU64, {5, 6, 7}), m}, {I(77)}, {77, 6, 77}},
      {"(x, m; s = 3) -> masked_fill(x, m, s)",
       {Of(Dt::kI64, {5, 6, 7}), m},
       {I(int64_t{1} << 60)},
       {0x1p60, 6, 0x1p60}},
      {"(x, m; s = 1) -> masked_fill(x, m, s)", {Mask({0, 0, 1}), m}, {}, {1, 0, 1}},
      {"(x, m; s = 3.5) -> masked_fill(x, m, s)", {Of(Dt::kBF16, {5, 6, 7}), m}, {}, {3.5, 6, 3.5}},
      {"(x, m; s = 3) -> masked_fill(x, m, s)", {Of(Dt::kF16, {5, 6, 7}), m}, {}, {3, 6, 3}},
      {"(x, m; s = 0.1) -> masked_fill(x, m, s)", {Of(Dt::kF64, {5, 6, 7}), m}, {}, {0.1, 6, 0.1}},
  };
  for (const NumberCase& row : rows) ExpectNumbers(row);
}

TEST(Numbers, BoundIntegers) {
  const Array x = Of(Dt::kI32, {-8, 3, 9}), lo = Of(Dt::kI32, {-5, 4, 0});
  const Array bytes = Of(Dt::kU8, {0, 100, 255}), least = Of(Dt::kU8, {7, 7, 7});
  const NumberCase rows[] = {
      {"(x, lo; hi = 7) -> clamp(x, lo, hi)", {x, lo}, {}, {-5, 4, 7}},
      {"(x, hi; lo = -6) -> clamp(x, lo, hi)", {x, lo}, {}, {-6, 3, 0}},
      {"(x, lo) -> clamp(x, lo, extent(x, -1))", {x, lo}, {}, {-5, 3, 3}},
      {"(x, lo) -> clamp(x, lo, 7)", {x, lo}, {}, {-5, 4, 7}},
      {"(x; lo = 0, hi = 7) -> clamp(x, lo, hi)", {x}, {}, {0, 3, 7}},
      {"(x; hi = 7) -> clamp(x, max = hi)", {x}, {I(2)}, {-8, 2, 2}},
      // Bounds beyond the dtype bound nothing.
      {"(x, lo; hi = 7) -> clamp(x, lo, hi)", {bytes, least}, {I(300)}, {7, 100, 255}},
      {"(x, hi; lo = 7) -> clamp(x, lo, hi)", {bytes, least}, {I(-300)}, {0, 7, 7}},
      {"(x; lo = 7, hi = 9) -> clamp(x, lo, hi)", {bytes}, {I(-300), I(1 << 20)}, {0, 100, 255}},
      {"(x, lo; hi = 7) -> clamp(x, lo, hi)", {Of(Dt::kI64, {-8, 3, 9}), Of(Dt::kI64, {-5, 4, 0})}, {}, {-5, 4, 7}},
      {"(x, lo; hi = 0.5) -> clamp(x, lo, hi)",
       {Of(Dt::kBF16, {-8, 0.25, 9}), Of(Dt::kBF16, {-5, 0, 0})},
       {},
       {-5, 0.25, 0.5}},
  };
  for (const NumberCase& row : rows) ExpectNumbers(row);
}

TEST(Numbers, OtherAttributesOfIntegers) {
  const Array x = Of(Dt::kI32, {-3, 2, 5}), y = Of(Dt::kI32, {1, 2, 3}), bytes = Of(Dt::kU8, {250, 2, 5});
  const NumberCase rows[] = {
      {"(x, y; a = 3) -> add(x, y, alpha = a)", {x, y}, {I(-2)}, {-5, -2, -1}},
      {"(x, y; a = 3) -> sub(x, y, alpha = a)", {x, y}, {}, {-6, -4, -4}},
      {"(x, y; a = 3) -> add(x, y, alpha = a)", {bytes, Of(Dt::kU8, {1, 2, 3})}, {I(-1)}, {249, 0, 2}},
      {"(x; e = 2) -> x ** e", {x}, {}, {9, 4, 25}},
      {"(x; e = 2) -> x ** e", {x}, {I(3)}, {-27, 8, 125}},
      {"(x; e = 2) -> x ** e", {Of(Dt::kI8, {1, -1, 0})}, {I(int64_t{1} << 40)}, {1, 1, 0}},
      {"(x) -> nan_to_num(x, 7)", {x}, {}, {-3, 2, 5}},
      {"(x; s = 7) -> nan_to_num(x, s)", {x}, {}, {-3, 2, 5}},
      {"(x; s = 7) -> nan_to_num(x, s)", {Of(Dt::kF32, {NAN, 2, 5})}, {}, {7, 2, 5}},
  };
  for (const NumberCase& row : rows) ExpectNumbers(row);
}

// A float among integers gives float32, also in the place of an attribute.
TEST(Numbers, FloatExponentsOfIntegers) {
  const Array x = Of(Dt::kI32, {1, -2, 4});
  const NumberCase rows[] = {
      {"(x) -> x ** -2.0", {x}, {}, {1, 0.25, 0.0625}},
      {"(x) -> x ** 2.0", {x}, {}, {1, 4, 16}},
      {"(x) -> x ** -1.0", {Of(Dt::kU8, {1, 2, 4})}, {}, {1, 0.5, 0.25}},
      {"(x; e = 2.0) -> x ** e", {x}, {F(-1)}, {1, -0.5, 0.25}},
      {"(x) -> (x + 1) ** 0.5", {Of(Dt::kI16, {3, 8, 15})}, {}, {2, 3, 4}},
      {"(x) -> x ** -2", {x}, {}, {1, 0, 0}},  // of integers an integer
  };
  for (const NumberCase& row : rows) ExpectNumbers(row);
}

// What is compared with an operand or a cast is rounded as that is; with a value on its way it is not.
TEST(Numbers, ComparedWithNarrowFloats) {
  for (const Dt dtype : {Dt::kBF16, Dt::kF16, Dt::kE4M3, Dt::kE5M2}) {
    const Array x = Of(dtype, {0.1, -0.3, 7});
    const double tenth = ValueOf(dtype, x.bits[0]);
    const NumberCase rows[] = {
        {"(x) -> x == 0.1", {x}, {}, {1, 0, 0}},
        {"(x) -> 0.1 == x", {x}, {}, {1, 0, 0}},
        {"(x) -> x <= 0.1", {x}, {}, {1, 1, 0}},
        {"(x) -> x < 0.1", {x}, {}, {0, 1, 0}},
        {"(x; s = 0.1) -> x == s", {x}, {}, {1, 0, 0}},
        {"(x; s = 0.0) -> x != s", {x}, {F(-0.3)}, {1, 0, 1}},
        {"(x, t) -> x == t", {x, ZeroDim(Dt::kF32, 0.1)}, {}, {1, 0, 0}},
        {"(x, t) -> t >= x", {x, ZeroDim(Dt::kF64, 0.1)}, {}, {1, 1, 0}},
        {"(x) -> x * 1 == 0.1", {x}, {}, {tenth == 0.1f ? 1.0 : 0.0, 0, 0}},
        {"(x, y) -> cast(x, y) == 0.1", {Of(Dt::kF32, {0.1, -0.3, 7}), x}, {}, {1, 0, 0}},
    };
    for (const NumberCase& row : rows) ExpectNumbers(row);
  }
  // -10000 is no number of bfloat16.
  ExpectNumbers({"(x) -> where(x == -10000.0, 0, x)", {Of(Dt::kBF16, {-10000, 2})}, {}, {0, 2}});
  ExpectNumbers({"(x) -> x == 0.1", {Of(Dt::kF32, {0.1, 0.2})}, {}, {1, 0}});
}

// The operator itself, and a text of it.
TEST(Numbers, ZeroDimOperandsOfComparisons) {
  for (const char* name : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    for (const Dt dtype : {Dt::kBF16, Dt::kF16, Dt::kE5M2}) {
      for (const Dt other : {Dt::kF32, Dt::kF64}) {
        Call call;
        call.row = &RowOf(name);
        call.inputs = {Of(dtype, {0.1, -0.3, 7, 0.25}), ZeroDim(other, 0.1)};
        call.outputs = {Values(Dt::kBool, {4}, {0, 0, 0, 0})};
        Call rounded = call;
        rounded.inputs[1] = ZeroDim(dtype, 0.1);
        for (const Target& target : Targets()) {
          const Results want = optest::Execute(target, rounded, Placement{});
          EXPECT_EQ(optest::Execute(target, call, Placement{}), want) << name << " on " << target.name;
          const Results text = RunText(std::string("(a, b) -> ") + name + "(a, b)", call.inputs);
          EXPECT_EQ(text, want) << name << ", as a text";
        }
      }
    }
  }
}

// Rounded once: the sum of a product and a number far smaller lies beside a tie of the dtype, on which float32 lies.
TEST(Numbers, FmaOfNarrowFloatsIsRoundedOnce) {
  for (const Dt dtype : {Dt::kBF16, Dt::kF16, Dt::kE4M3, Dt::kE5M2}) {
    const size_t n = 40000;
    Array a = Random(dtype, {static_cast<int64_t>(n)}, 1), b = Random(dtype, {static_cast<int64_t>(n)}, 2);
    Array c = Random(dtype, {static_cast<int64_t>(n)}, 3);
    std::vector<double> want(n);
    for (size_t i = 0; i < n; ++i) {
      const double exponent = -static_cast<double>(i % 40);
      c.bits[i] = Encode(Num::Float(std::ldexp(ValueOf(dtype, c.bits[i]), static_cast<int>(exponent))), dtype);
      // Each has so few bits that the sum is exact in long double.
      const long double exact = static_cast<long double>(ValueOf(dtype, a.bits[i])) * ValueOf(dtype, b.bits[i]) +
                                ValueOf(dtype, c.bits[i]);
      double odd = static_cast<double>(exact);
      if (odd != exact && (std::fmod(std::ldexp(std::fabs(odd), 52 - std::ilogb(odd)), 2) == 0))
        odd = std::nextafter(odd, exact > odd ? HUGE_VAL : -HUGE_VAL);
      want[i] = ValueOf(dtype, Encode(Num::Float(odd), dtype));
    }
    ExpectNumbers({"(a, b, c) -> fma(a, b, c)", {a, b, c}, {}, want});
    // With other readers of the value, which take it as it is.
    const Results both = RunText("(a, b, c) -> { y = fma(a, b, c); y, cast(y * 0, f32) }", {a, b, c});
    ASSERT_EQ(both.size(), 2u);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(ValueOf(dtype, both[0][i]), want[i]) << i;
  }
  ExpectNumbers({"(a, b, c) -> fma(a, b, c)",
                 {Of(Dt::kBF16, {9}), Of(Dt::kBF16, {29.0 / 256}), Of(Dt::kBF16, {0x1p-40})},
                 {},
                 {1.0234375}});
}

}  // namespace
}  // namespace exprtest
