// Dtype promotion against the table of torch.promote_types, and the pairs that PyTorch has not.
#include <gtest/gtest.h>

#include "op/dtype.h"

namespace tileops {
namespace {

constexpr Dtype u1 = Dtype::u8, i1 = Dtype::i8, i2 = Dtype::i16, i4 = Dtype::i32, i8 = Dtype::i64, f2 = Dtype::f16,
                f4 = Dtype::f32, f8 = Dtype::f64, b1 = Dtype::boolean, bf = Dtype::bf16;

constexpr Dtype kOrder[10] = {u1, i1, i2, i4, i8, f2, f4, f8, b1, bf};
// c10/core/ScalarType.cpp, promoteTypes.
constexpr Dtype kTorch[10][10] = {
    /*        u1  i1  i2  i4  i8  f2  f4  f8  b1  bf */
    /* u1 */ {u1, i2, i2, i4, i8, f2, f4, f8, u1, bf},
    /* i1 */ {i2, i1, i2, i4, i8, f2, f4, f8, i1, bf},
    /* i2 */ {i2, i2, i2, i4, i8, f2, f4, f8, i2, bf},
    /* i4 */ {i4, i4, i4, i4, i8, f2, f4, f8, i4, bf},
    /* i8 */ {i8, i8, i8, i8, i8, f2, f4, f8, i8, bf},
    /* f2 */ {f2, f2, f2, f2, f2, f2, f4, f8, f2, f4},
    /* f4 */ {f4, f4, f4, f4, f4, f4, f4, f8, f4, f4},
    /* f8 */ {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8},
    /* b1 */ {u1, i1, i2, i4, i8, f2, f4, f8, b1, bf},
    /* bf */ {bf, bf, bf, bf, bf, f4, f4, f8, bf, bf},
};

TEST(Promote, IsThatOfPyTorch) {
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b) {
      Dtype got;
      ASSERT_TRUE(promote(kOrder[a], kOrder[b], &got));
      EXPECT_STREQ(dtype_name(got), dtype_name(kTorch[a][b]))
          << dtype_name(kOrder[a]) << " with " << dtype_name(kOrder[b]);
    }
  }
}

TEST(Promote, Extensions) {
  const struct {
    Dtype a, b, want;
  } rows[] = {
      {Dtype::e4m3fn, Dtype::e5m2, Dtype::f16},
      {Dtype::e4m3fn, Dtype::f16, Dtype::f16},
      {Dtype::e4m3fn, Dtype::bf16, Dtype::bf16},
      {Dtype::e5m2, Dtype::f32, Dtype::f32},
      {Dtype::e5m2, Dtype::f64, Dtype::f64},
      {Dtype::e5m2, Dtype::i64, Dtype::e5m2},
      {Dtype::e4m3fn, Dtype::boolean, Dtype::e4m3fn},
      {Dtype::u16, Dtype::u8, Dtype::u16},
      {Dtype::u16, Dtype::i8, Dtype::i32},
      {Dtype::u16, Dtype::i16, Dtype::i32},
      {Dtype::u16, Dtype::i32, Dtype::i32},
      {Dtype::u32, Dtype::i32, Dtype::i64},
      {Dtype::u32, Dtype::i64, Dtype::i64},
      {Dtype::u32, Dtype::u16, Dtype::u32},
      {Dtype::u64, Dtype::u32, Dtype::u64},
      {Dtype::u64, Dtype::boolean, Dtype::u64},
      {Dtype::u64, Dtype::f16, Dtype::f16},
      {Dtype::e2m1fn, Dtype::e2m1fn, Dtype::e2m1fn},
      {Dtype::e2m1fn, Dtype::e4m3fn, Dtype::e4m3fn},
      {Dtype::e2m1fn, Dtype::bf16, Dtype::bf16},
      {Dtype::e2m1fn, Dtype::i64, Dtype::e2m1fn},
  };
  for (const auto& row : rows) {
    Dtype got;
    ASSERT_TRUE(promote(row.a, row.b, &got));
    EXPECT_STREQ(dtype_name(got), dtype_name(row.want)) << dtype_name(row.a);
    ASSERT_TRUE(promote(row.b, row.a, &got));
    EXPECT_STREQ(dtype_name(got), dtype_name(row.want)) << dtype_name(row.b);
  }
  for (Dtype s : {Dtype::i8, Dtype::i16, Dtype::i32, Dtype::i64}) {
    Dtype got;
    EXPECT_FALSE(promote(Dtype::u64, s, &got)) << dtype_name(s);
    EXPECT_FALSE(promote(s, Dtype::u64, &got)) << dtype_name(s);
  }
}

TEST(Dtypes, RoundTripThroughDlpackAndNames) {
  for (int i = 0; i < kNumDtypes; ++i) {
    const Dtype t = static_cast<Dtype>(i);
    Dtype back;
    ASSERT_TRUE(dtype_from_dl(dtype_to_dl(t), &back));
    EXPECT_EQ(back, t);
    ASSERT_TRUE(dtype_from_name(dtype_name(t), &back));
    EXPECT_EQ(back, t);
    EXPECT_EQ(static_cast<int>(dtype_size(t)) * 8, dtype_to_dl(t).bits * dtype_lanes(t));
  }
  Dtype t;
  EXPECT_FALSE(dtype_from_dl(DLDataType{kDLFloat, 32, 4}, &t));  // a vector
  EXPECT_FALSE(dtype_from_dl(DLDataType{kDLInt, 4, 1}, &t));
  ASSERT_TRUE(dtype_from_dl(DLDataType{17, 4, 2}, &t));  // pairs
  EXPECT_EQ(t, Dtype::e2m1fn);
  EXPECT_FALSE(dtype_from_dl(DLDataType{17, 4, 4}, &t));
  EXPECT_FALSE(dtype_from_dl(DLDataType{kDLComplex, 64, 1}, &t));
  EXPECT_FALSE(dtype_from_name("float", &t));
  EXPECT_EQ(dl_dtype_name(DLDataType{kDLComplex, 64, 1}), "DLDataType{code=5, bits=64, lanes=1}");
}

}  // namespace
}  // namespace tileops
