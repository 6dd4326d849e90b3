// e^x as factor * 4^exponent against MPFR, for numbers of every size.
#include "tileops/device/math/functions/wide_exp.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tileops {
namespace {

namespace wide = device_detail::wide;

// By how much factor * 4^exponent is off, relatively: log(factor) + 2 log(2) exponent - x.
template <class T>
double ErrorAt(T x, const wide::exp_of<T>& e) {
  mpfr_t sum, term;
  mpfr_inits2(400, sum, term, static_cast<mpfr_ptr>(nullptr));
  mpfr_const_log2(sum, MPFR_RNDN);
  mpfr_mul_d(sum, sum, 2 * static_cast<double>(e.exponent), MPFR_RNDN);
  mpfr_set_d(term, static_cast<double>(e.factor), MPFR_RNDN);
  mpfr_log(term, term, MPFR_RNDN);
  mpfr_add(sum, sum, term, MPFR_RNDN);
  mpfr_sub_d(sum, sum, static_cast<double>(x), MPFR_RNDN);
  const double error = mpfr_get_d(sum, MPFR_RNDN);
  mpfr_clears(sum, term, static_cast<mpfr_ptr>(nullptr));
  return std::fabs(error);
}

template <class T>
T RandomOf(std::mt19937_64& random, T largest) {
  std::uniform_real_distribution<double> size(std::log2(1e-6), std::log2(static_cast<double>(largest)));
  const T x = static_cast<T>(std::exp2(size(random)));
  return random() % 2 ? x : -x;
}

// The largest errors, in units of the last place of 1, below the bounds `near` and `far`.
template <class T>
void Check(double near_bound, double far_bound) {
  using b = wide::bounds<T>;
  const double ulp = static_cast<double>(std::numeric_limits<T>::epsilon());
  std::mt19937_64 random(7);
  double near = 0, far = 0;
  for (int i = 0; i < 100000; ++i) {
    const T x = RandomOf<T>(random, b::near);
    const wide::exp_of<T> e = wide::exp(x), same = wide::exp_near(x);
    ASSERT_EQ(e.factor, same.factor) << x;
    ASSERT_EQ(e.exponent, same.exponent) << x;
    ASSERT_TRUE(e.factor >= T(0.69) && e.factor <= T(1.44)) << x << ": " << e.factor;
    ASSERT_EQ(2 * e.exponent, std::rint(2 * e.exponent)) << x;
    near = std::max(near, ErrorAt(x, e) / ulp);
  }
  for (int i = 0; i < 100000; ++i) {
    const T x = std::copysign(
        static_cast<T>(std::exp2(std::uniform_real_distribution<double>(
            std::log2(static_cast<double>(b::near)), std::log2(static_cast<double>(b::far)))(random))),
        random() % 2 ? T(1) : T(-1));
    if (std::fabs(x) < b::far) far = std::max(far, ErrorAt(x, wide::exp(x)) / ulp);
  }
  EXPECT_LE(near, near_bound);
  EXPECT_LE(far, far_bound);
  ::testing::Test::RecordProperty("near", std::to_string(near));
  ::testing::Test::RecordProperty("far", std::to_string(far));
}

TEST(WideExp, IsWithinItsBounds) {
  Check<float>(0.7, 13);
  Check<double>(0.6, 13);
}

template <class T>
class WideExpOf : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(WideExpOf, Floats);

// A larger number has no smaller exponent, also where factors make up for its digits.
TYPED_TEST(WideExpOf, ExponentsGrow) {
  using T = TypeParam;
  std::mt19937_64 random(11);
  std::vector<T> x;
  for (int i = 0; i < 100000; ++i) x.push_back(RandomOf<T>(random, std::numeric_limits<T>::max()));
  std::sort(x.begin(), x.end());
  for (size_t i = 1; i < x.size(); ++i)
    ASSERT_LE(wide::exp(x[i - 1]).exponent, wide::exp(x[i]).exponent) << x[i - 1] << " and " << x[i];
}

TYPED_TEST(WideExpOf, WhatIsNoNumber) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(wide::exp(-inf).factor, T(0));
  EXPECT_EQ(wide::exp(inf).exponent, inf);
  EXPECT_TRUE(std::isnan(wide::exp(nan).factor));
  EXPECT_EQ(wide::exp(nan).exponent, -inf);
  EXPECT_EQ(wide::exp(T(0)).factor, T(1));
  EXPECT_EQ(wide::exp(T(0)).exponent, T(0));
}

TYPED_TEST(WideExpOf, PowersOfFour) {
  using T = TypeParam;
  using power = wide::power_of_four<T>;
  for (T d = 0; d > wide::bounds<T>::least; d -= T(0.5))
    ASSERT_EQ(power::of(d), static_cast<T>(std::exp2(2 * static_cast<double>(d)))) << d;
  EXPECT_EQ(power::of(wide::bounds<T>::least), T(0));
}

}  // namespace
}  // namespace tileops
