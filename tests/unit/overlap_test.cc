// Overlap of strided tensors, against sets of addresses.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "problem/overlap.h"

namespace tileops {
namespace {

TensorSpec Tensor(std::initializer_list<int64_t> shape, std::initializer_list<int64_t> strides,
                  Dtype dtype = Dtype::f32) {
  TensorSpec t;
  t.present = true;
  t.dtype = dtype;
  t.ndim = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), t.shape);
  std::copy(strides.begin(), strides.end(), t.strides);
  for (int d = 0; d < t.ndim; ++d)
    if (t.shape[d] == 1) t.strides[d] = 0;
  return t;
}

// Bytes of the tensor, or false if two elements share one.
bool Bytes(const TensorSpec& t, int64_t address, std::set<int64_t>* bytes) {
  bool distinct = true;
  const int64_t size = static_cast<int64_t>(dtype_size(t.dtype));
  for (int64_t i = 0; i < t.numel(); ++i) {
    int64_t at = address, rest = i;
    for (int d = t.ndim - 1; d >= 0; --d) {
      at += rest % t.shape[d] * t.strides[d] * size;
      rest /= t.shape[d];
    }
    for (int64_t b = 0; b < size; ++b) distinct &= bytes->insert(at + b).second;
  }
  return distinct;
}

TensorSpec Random(std::mt19937* random) {
  const auto pick = [&](int lo, int hi) {
    return lo + static_cast<int>((*random)() % static_cast<unsigned>(hi - lo + 1));
  };
  TensorSpec t;
  t.present = true;
  t.dtype = pick(0, 1) ? Dtype::f32 : Dtype::i8;
  t.ndim = pick(0, 3);
  for (int d = 0; d < t.ndim; ++d) {
    t.shape[d] = pick(0, 9) ? pick(1, 4) : 0;
    t.strides[d] = t.shape[d] == 1 ? 0 : pick(-8, 8);
  }
  return t;
}

TEST(Overlap, WithItselfIsExactForSmallTensors) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const TensorSpec t = Random(&random);
    std::set<int64_t> bytes;
    ASSERT_EQ(self_overlaps(t), !Bytes(t, 0, &bytes)) << "round " << i;
  }
}

TEST(Overlap, RangeHoldsEveryByte) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    const TensorSpec t = Random(&random);
    std::set<int64_t> bytes;
    Bytes(t, 0, &bytes);
    const ByteRange r = byte_range(t);
    if (bytes.empty()) {
      EXPECT_EQ(r.begin, r.end);
    } else {
      ASSERT_EQ(r.begin, *bytes.begin());
      ASSERT_EQ(r.end, *bytes.rbegin() + 1);
    }
  }
}

// Never misses an overlap; may see one where there is none.
TEST(Overlap, OfTwoTensorsIsNeverMissed) {
  std::mt19937 random(4);
  int apart = 0, said_apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const TensorSpec a = Random(&random), b = Random(&random);
    const int64_t base = 1 << 20, other = base + static_cast<int64_t>(random() % 128) - 64;
    std::set<int64_t> in_a, in_b;
    Bytes(a, base, &in_a);
    Bytes(b, other, &in_b);
    bool shared = false;
    for (int64_t byte : in_a) shared |= in_b.count(byte) != 0;
    const bool said = overlaps(a, static_cast<uintptr_t>(base), b, static_cast<uintptr_t>(other));
    ASSERT_TRUE(said || !shared) << "round " << i;
    apart += !shared;
    said_apart += !said;
  }
  EXPECT_GT(said_apart, apart / 2);
}

TEST(Overlap, PartsOfOneMatrixAreApart) {
  const uintptr_t base = 1 << 20;
  const TensorSpec left = Tensor({8, 3}, {6, 1}), whole = Tensor({8, 6}, {6, 1});
  EXPECT_FALSE(overlaps(left, base, left, base + 12));  // halves of the columns
  EXPECT_TRUE(overlaps(left, base, left, base + 8));
  EXPECT_TRUE(overlaps(left, base, whole, base));
  const TensorSpec even = Tensor({24}, {2});
  EXPECT_FALSE(overlaps(even, base, even, base + 4));  // even and odd elements
  EXPECT_TRUE(overlaps(even, base, even, base + 8));
  const TensorSpec rows = Tensor({4, 6}, {12, 1});
  EXPECT_FALSE(overlaps(rows, base, rows, base + 24));  // even and odd rows
  const TensorSpec back = Tensor({8}, {-1});
  EXPECT_FALSE(overlaps(back, base, Tensor({8}, {1}), base + 4));
  EXPECT_TRUE(overlaps(back, base, Tensor({8}, {1}), base));
  EXPECT_FALSE(overlaps(Tensor({0, 4}, {4, 1}), base, whole, base));
}

TEST(Overlap, SameLayout) {
  const TensorSpec a = Tensor({2, 3}, {3, 1});
  EXPECT_TRUE(same_layout(a, Tensor({2, 3}, {3, 1}, Dtype::i32)));
  EXPECT_FALSE(same_layout(a, Tensor({2, 3}, {3, 1}, Dtype::f64)));
  EXPECT_FALSE(same_layout(a, Tensor({2, 3}, {1, 2})));
  EXPECT_FALSE(same_layout(a, Tensor({3, 2}, {3, 1})));
  EXPECT_TRUE(same_layout(Tensor({1, 3}, {9, 1}), Tensor({1, 3}, {5, 1})));
}

}  // namespace
}  // namespace tileops
