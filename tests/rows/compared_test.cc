// Integers compared with numbers that their dtype does not hold: these are never equal, but less or greater.
#include <gtest/gtest.h>

#include <cmath>

#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

template <class A, class B>
std::vector<Real> Comparisons(A x, B t) {
  return {Real(x == t), Real(x != t), Real(x < t), Real(x <= t), Real(x > t), Real(x >= t), Real(t < x), Real(t >= x)};
}

constexpr const char* kAll = "x == t, x != t, x < t, x <= t, x > t, x >= t, t < x, t >= x";

TEST(Compared, IntegersWithAnyNumber) {
  const Dtype dtypes[] = {Dtype::i8, Dtype::u8, Dtype::i16, Dtype::u16, Dtype::i32, Dtype::u32, Dtype::i64, Dtype::u64};
  const int64_t numbers[] = {0,         -1,        -100,      127,       128,   -129,      255,
                             256,       1000,      -40000,    65535,     65536, INT32_MAX, INT32_MIN,
                             1LL << 31, 1LL << 32, INT64_MAX, INT64_MIN, 7};
  for (const Dtype dtype : dtypes) {
    const int bits = static_cast<int>(8 * tileops::dtype_size(dtype));
    const bool is_signed = tileops::is_signed_integer(dtype);
    const Real most = is_signed ? std::ldexp(1.0L, bits - 1) - 1 : std::ldexp(1.0L, bits) - 1;
    const std::vector<Real> values{is_signed ? -most - 1 : 0, 0, 1, 7, 100, most - 1, most};
    const Tensor x = Of(dtype, {static_cast<int64_t>(values.size())}, values);
    for (const int64_t t : numbers)
      for (const bool scalar : {false, true}) {
        const std::string number = std::to_string(t);
        if (!scalar && t == INT64_MIN) continue;  // no literal
        std::string all = kAll;
        for (size_t at; !scalar && (at = all.find('t')) != std::string::npos;) all.replace(at, 1, "(" + number + ")");
        std::map<std::string, tileops::expr::Number> scalars;
        if (scalar) scalars["t"] = tileops::expr::Number::of(t);
        const TextRun run(std::string(scalar ? "(x; t = 0) -> " : "(x) -> ") + all, {x}, scalars);
        ASSERT_EQ(run.state(), State::runs) << tileops::dtype_name(dtype) << " " << number << ": " << run.why();
        for (const Target& target : Targets()) {
          const Results got = run.On(target);
          ASSERT_EQ(got.size(), 8u);
          for (size_t i = 0; i < values.size(); ++i) {
            const std::vector<Real> want = Comparisons(values[i], Real(t));
            for (size_t k = 0; k < 8; ++k)
              EXPECT_EQ(got[k][i] != 0, want[k] != 0)
                  << run.text() << ": " << static_cast<double>(values[i]) << " of " << tileops::dtype_name(dtype)
                  << " and " << number << ", result " << k << " on " << target.name;
          }
        }
      }
  }
}

// Labels of any integer dtype, beside -100 for those that are left out.
TEST(Compared, LabelsOfEveryDtype) {
  const Tensor x = RandomTensor(Dtype::f32, {5, 9}, 3);
  Results first;
  for (const Dtype dtype :
       {Dtype::i64, Dtype::i32, Dtype::i16, Dtype::i8, Dtype::u8, Dtype::u16, Dtype::u32, Dtype::u64}) {
    const TextRun run(NamedText("cross_entropy"), {x, Of(dtype, {5, 1}, {0, 8, 3, 1, 7})});
    ASSERT_EQ(run.state(), State::runs) << tileops::dtype_name(dtype) << ": " << run.why();
    const Results got = run.On(Targets().front());
    if (first.empty()) first = got;
    EXPECT_EQ(got, first) << tileops::dtype_name(dtype);
  }
}

}  // namespace
}  // namespace rowtest
