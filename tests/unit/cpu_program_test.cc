// Passes of several steps on the CPU: the bits of the same steps one by one, each by a pass of its
// own.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "../common/passes.h"
#include "run_on_cpu.h"

namespace tileops {
namespace {

using Shape = std::vector<Extent>;
using Bytes = std::vector<uint8_t>;

struct Program : passes::Builder {
  using Builder::Builder;
  void run(const std::vector<const void*>& in, const std::vector<void*>& out) const { run_on_cpu(problem(), in, out); }
  size_t numel() const {
    size_t n = 1;
    for (int64_t extent : shape) n *= static_cast<size_t>(extent);
    return n;
  }
};

std::vector<float> Random(size_t n, unsigned seed) {
  std::mt19937 bits(seed);
  std::uniform_real_distribution<float> in_range(-4, 4);
  std::vector<float> v(n);
  for (float& x : v) x = in_range(bits);
  return v;
}

// One operator on dense f32 operands, its result of `dtype`.
Bytes Alone(tileops_op op, const std::vector<const void*>& in, const Shape& shape, Dtype from = Dtype::f32,
            Dtype to = Dtype::f32) {
  Program p(shape);
  std::vector<Value> arguments;
  for (size_t i = 0; i < in.size(); ++i) arguments.push_back(p.load(static_cast<int>(i), from));
  p.store(0, to, p.apply(op, arguments));
  Bytes y(p.numel() * dtype_size(to));
  p.run(in, {y.data()});
  return y;
}

Bytes BytesOf(const std::vector<float>& v) {
  Bytes b(v.size() * sizeof(float));
  std::memcpy(b.data(), v.data(), b.size());
  return b;
}

TEST(CpuProgram, ChainOfDenseOperands) {
  for (const int64_t n : {1, 15, 1024, 5000, 100003}) {
    const Shape shape{n};
    const auto x = Random(static_cast<size_t>(n), 1), y = Random(x.size(), 2), r = Random(x.size(), 3);
    Program p(shape);
    const Value product = p.apply(TILEOPS_OP_MUL, {p.load(0, Dtype::f32), p.load(1, Dtype::f32)});
    p.store(0, Dtype::f32, p.apply(TILEOPS_OP_MAXIMUM, {p.apply(TILEOPS_OP_EXP, {product}), p.load(2, Dtype::f32)}));
    std::vector<float> got(x.size());
    p.run({x.data(), y.data(), r.data()}, {got.data()});
    const Bytes xy = Alone(TILEOPS_OP_MUL, {x.data(), y.data()}, shape);
    const Bytes e = Alone(TILEOPS_OP_EXP, {xy.data()}, shape);
    EXPECT_EQ(BytesOf(got), Alone(TILEOPS_OP_MAXIMUM, {e.data(), r.data()}, shape)) << n;
  }
}

TEST(CpuProgram, BroadcastAndTransposedOperands) {
  const Shape shape{70, 90};
  const auto x = Random(6300, 1), row = Random(90, 2), turned = Random(6300, 3);
  Program p(shape);
  const Value product = p.apply(TILEOPS_OP_MUL, {p.load(0, Dtype::f32), p.load(1, Dtype::f32, {0, 4})});
  p.store(0, Dtype::f32, p.apply(TILEOPS_OP_MINIMUM, {product, p.load(2, Dtype::f32, {4, 280})}));
  std::vector<float> got(6300), rows(6300), upright(6300);
  p.run({x.data(), row.data(), turned.data()}, {got.data()});
  for (size_t i = 0; i < 6300; ++i) {
    rows[i] = row[i % 90];
    upright[i] = turned[i % 90 * 70 + i / 90];
  }
  const Bytes xr = Alone(TILEOPS_OP_MUL, {x.data(), rows.data()}, shape);
  EXPECT_EQ(BytesOf(got), Alone(TILEOPS_OP_MINIMUM, {xr.data(), upright.data()}, shape));
}

// An intermediate result that is stored and used, an operand that is stored as it is, and bools.
TEST(CpuProgram, SeveralStores) {
  const Shape shape{3000};
  const auto x = Random(3000, 1), y = Random(3000, 2);
  Program p(shape);
  const Value a = p.load(0, Dtype::f32), b = p.load(1, Dtype::f32);
  const Value less = p.apply(TILEOPS_OP_LT, {a, b});
  const Value product = p.apply(TILEOPS_OP_MUL, {a, b});
  const Value negative = p.apply(TILEOPS_OP_NEG, {product});
  p.store(0, Dtype::f32, product);
  p.store(1, Dtype::boolean, less);
  p.store(2, Dtype::f32, b);
  p.store(3, Dtype::f32, negative);
  std::vector<float> out0(3000), out2(3000), out3(3000);
  Bytes out1(3000);
  p.run({x.data(), y.data()}, {out0.data(), out1.data(), out2.data(), out3.data()});
  for (size_t i = 0; i < 3000; ++i) {
    ASSERT_EQ(out0[i], x[i] * y[i]);
    ASSERT_EQ(out1[i], x[i] < y[i] ? 1 : 0);
    ASSERT_EQ(out2[i], y[i]);
    ASSERT_EQ(out3[i], -(x[i] * y[i]));
  }
}

// The last step writes to an operand's memory, which other stores still need: as it is, and for
// results that are computed again in f64 where rounding is in doubt.
TEST(CpuProgram, InPlace) {
  auto x = Random(200000, 1);
  const auto before = x;
  const Shape shape{200000};
  std::vector<float> kept(x.size());
  Bytes narrow(x.size() * 2);
  Program p(shape);
  const Value a = p.load(0, Dtype::f32), e = p.apply(TILEOPS_OP_EXP, {a});
  p.store(0, Dtype::f32, p.apply(TILEOPS_OP_NEG, {e}));
  p.store(1, Dtype::f32, a);
  p.store(2, Dtype::f16, e);
  p.run({x.data()}, {x.data(), kept.data(), narrow.data()});
  EXPECT_EQ(kept, before);
  EXPECT_EQ(narrow, Alone(TILEOPS_OP_EXP, {before.data()}, shape, Dtype::f32, Dtype::f16));
  const Bytes wide = Alone(TILEOPS_OP_EXP, {before.data()}, shape);
  EXPECT_EQ(BytesOf(x), Alone(TILEOPS_OP_NEG, {wide.data()}, shape));
}

// Results whose operands are all loads round as the operator does; others once, as they are.
TEST(CpuProgram, RoundingOf16BitResults) {
  const Shape shape{65536};
  std::vector<uint16_t> x(65536), y(65536);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<uint16_t>(i);
    y[i] = static_cast<uint16_t>(i * 40503u);
  }
  for (const Dtype t : {Dtype::f16, Dtype::bf16}) {
    Program p(shape);
    const Value a = p.load(0, t), b = p.load(1, t);
    const Value sigmoid = p.apply(TILEOPS_OP_SIGMOID, {a});
    const Value product = p.apply(TILEOPS_OP_MUL, {sigmoid, b});
    p.store(0, t, sigmoid);
    p.store(1, t, product);
    Bytes got0(x.size() * 2), got1(x.size() * 2);
    p.run({x.data(), y.data()}, {got0.data(), got1.data()});
    EXPECT_EQ(got0, Alone(TILEOPS_OP_SIGMOID, {x.data()}, shape, t, t)) << dtype_name(t);
    const Bytes wide = Alone(TILEOPS_OP_CAST, {x.data()}, shape, t);
    const Bytes wide_y = Alone(TILEOPS_OP_CAST, {y.data()}, shape, t);
    const Bytes s = Alone(TILEOPS_OP_SIGMOID, {wide.data()}, shape);
    const Bytes sy = Alone(TILEOPS_OP_MUL, {s.data(), wide_y.data()}, shape);
    EXPECT_EQ(got1, Alone(TILEOPS_OP_CAST, {sy.data()}, shape, Dtype::f32, t)) << dtype_name(t);
  }
}

// Slots are used again.
TEST(CpuProgram, LongChain) {
  const auto x = Random(5000, 1);
  Program p({5000});
  const Value a = p.load(0, Dtype::f32);
  Value v = a;
  for (int i = 0; i < 100; ++i) v = p.apply(TILEOPS_OP_MAXIMUM, {p.apply(TILEOPS_OP_NEG, {v}), a});
  p.store(0, Dtype::f32, v);
  std::vector<float> got(5000);
  p.run({x.data()}, {got.data()});
  for (size_t i = 0; i < x.size(); ++i) {
    float want = x[i];
    for (int k = 0; k < 100; ++k) want = std::max(-want, x[i]);
    ASSERT_EQ(got[i], want);
  }
}

// Results that bypass the cache.
TEST(CpuProgram, LargeResults) {
  const size_t n = (size_t{9} << 20) / 4;
  const auto x = Random(n, 1), y = Random(n, 2);
  Program p({static_cast<int64_t>(n)});
  const Value product = p.apply(TILEOPS_OP_MUL, {p.load(0, Dtype::f32), p.load(1, Dtype::f32)});
  p.store(0, Dtype::f32, product);
  p.store(1, Dtype::f32, p.apply(TILEOPS_OP_NEG, {product}));
  std::vector<float> got(n), negative(n);
  p.run({x.data(), y.data()}, {got.data(), negative.data()});
  for (size_t i = 0; i < n; ++i) {
    ASSERT_EQ(got[i], x[i] * y[i]);
    ASSERT_EQ(negative[i], -got[i]);
  }
}

// A product and a sum are one step, which runs on memory without blocks: lengths beside those of vectors, blocks and
// tiles, results past the cache, memory on no line's start, in place.
TEST(CpuProgram, OneStepOnMemory) {
  for (const size_t n :
       {size_t{1}, size_t{31}, size_t{1025}, size_t{16385}, size_t{100003}, (size_t{9} << 20) / 4 + 7}) {
    const auto x = Random(n + 1, 1), y = Random(n, 2);
    auto z = Random(n + 3, 3);
    const auto before = z;
    Program p({static_cast<int64_t>(n)});
    const Value product = p.apply(TILEOPS_OP_MUL, {p.load(0, Dtype::f32), p.load(1, Dtype::f32)});
    p.store(0, Dtype::f32, p.apply(TILEOPS_OP_ADD, {product, p.load(2, Dtype::f32)}));
    p.run({x.data() + 1, y.data(), z.data() + 2}, {z.data() + 2});
    for (size_t i = 0; i < z.size(); ++i) {
      const bool inside = i >= 2 && i < n + 2;
      const volatile float xy = inside ? x[i - 1] * y[i - 2] : 0.0f;  // rounded
      ASSERT_EQ(z[i], inside ? xy + before[i] : before[i]) << n << " elements, " << i;
    }
  }
}

// More values at a time than a tile of full size has room for.
TEST(CpuProgram, ManyValuesAtATime) {
  Program p({5000});
  const Value a = p.load(0, Dtype::f32);
  std::vector<Value> values{a};
  for (int i = 0; i < 120; ++i)
    values.push_back(p.apply(TILEOPS_OP_MAXIMUM, {p.apply(TILEOPS_OP_NEG, {values.back()}), a}));
  Value v = values[0];
  for (const Value& other : values) v = p.apply(TILEOPS_OP_MINIMUM, {v, other});
  p.store(0, Dtype::f32, v);
  const auto x = Random(5000, 1);
  std::vector<float> y(5000);
  p.run({x.data()}, {y.data()});
  for (size_t i = 0; i < x.size(); ++i) {
    float value = x[i], want = x[i];
    for (int k = 0; k < 120; ++k) want = std::min(want, value = std::max(-value, x[i]));
    ASSERT_EQ(y[i], want);
  }
}

// Conversions between steps are rounded as the results of operators are.
TEST(CpuProgram, Conversions) {
  const Shape shape{3000};
  const auto x = Random(3000, 1), u = Random(3000, 2);
  for (const Dtype t : {Dtype::f16, Dtype::bf16, Dtype::e4m3fn, Dtype::i32, Dtype::f32}) {
    Program p(shape);
    const Value a = p.load(0, Dtype::f32), b = p.load(1, Dtype::f32);
    const Value s = p.convert(p.apply(TILEOPS_OP_EXP, {a}), t);
    const Value wide = t == Dtype::i32 ? p.convert(s, Dtype::f32) : s;
    p.store(0, t, p.convert(p.apply(TILEOPS_OP_MUL, {wide, b}), t));
    Bytes got(x.size() * dtype_size(t));
    p.run({x.data(), u.data()}, {got.data()});
    const Bytes rounded = Alone(TILEOPS_OP_EXP, {x.data()}, shape, Dtype::f32, t);
    const Bytes back = Alone(TILEOPS_OP_CAST, {rounded.data()}, shape, t, Dtype::f32);
    EXPECT_EQ(got, Alone(TILEOPS_OP_MUL, {back.data(), u.data()}, shape, Dtype::f32, t)) << dtype_name(t);
  }
}

}  // namespace
}  // namespace tileops
