// Operands that are gathered and results that are scattered within an expression: how each is reached, and that the
// text compiles.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/choose.h"
#include "requests.h"

namespace tileops::cuda {
namespace {

using requests::Operand;
using requests::ProblemOf;

std::vector<Choice> Chosen(const std::string& text, const std::vector<Operand>& operands, uint32_t flags = 0) {
  const Problem p = ProblemOf(text, operands, flags);
  std::vector<Choice> all;
  for (size_t i = 0; i < p.passes.size(); ++i)
    all.push_back(choose_pass(p, i, make_layout(p.passes[i]), {90, UseTables::yes, {}}));
  return all;
}

void ExpectCompiles(const std::string& text, const std::vector<Operand>& operands, uint32_t flags = 0) {
  SCOPED_TRACE(text);
  std::string last;
  try {
    for (const Choice& c : Chosen(text, operands, flags)) {
      last = c.kernel.text;
      EXPECT_EQ(c.arguments.words.size(), static_cast<size_t>(ArgumentLayout::of(c.spec).words()));
      if (!Nvrtc::get().available()) continue;
      EXPECT_FALSE(Nvrtc::get().compile(full_source(c.kernel), c.kernel.name, 90).image.empty());
    }
  } catch (const Error& e) {
    ADD_FAILURE() << e.message << "\n" << last;
  }
}

const char kEmbedding[] = "(t, i) -> gather(t, i, axis = -2) * 2";
const char kCrossEntropy[] = "(x, label) -> logsumexp(x) - gather(x, label)";
const char kNormalised[] = "(t, i) -> { h = gather(t, i, axis = -2); d = h - mean(h); d * rsqrt(mean(d * d) + 1e-5) }";

// Rows that an index chooses are read in vectors; elements of which each has its own index one by one.
TEST(Gather, InOnePieceOrNot) {
  const Operand table{Dtype::bf16, {1000, 128}}, id{Dtype::i32, {64, 1}};
  const Choice rows = Chosen(kEmbedding, {table, id})[0];
  EXPECT_EQ(rows.spec.access.loads[1].pattern, AccessPattern::gathered_row) << rows.kernel.name;
  EXPECT_EQ(rows.spec.traversal.order, TraversalOrder::rows);
  EXPECT_EQ(rows.spec.traversal.vec, 8);
  const KernelSpec along = Chosen("(t, i) -> gather(t, i)", {table, {Dtype::i64, {1000, 64}}})[0].spec;
  EXPECT_EQ(along.access.loads[1].pattern, AccessPattern::gathered);
  const Choice normalised = Chosen(kNormalised, {table, id})[0];
  EXPECT_EQ(normalised.spec.access.loads[1].pattern, AccessPattern::gathered_row) << normalised.kernel.name;
  EXPECT_EQ(normalised.spec.traversal.vec, 8);
}

// A spec knows nothing of extents: they are words of the argument block.
TEST(Gather, StridesAndExtentsAreWords) {
  const Operand id{Dtype::i64, {64, 1}};
  const auto few = Chosen(kEmbedding, {{Dtype::f32, {1000, 128}}, id}),
             many = Chosen(kEmbedding, {{Dtype::f32, {2000, 256}}, id});
  EXPECT_EQ(few[0].kernel.text, many[0].kernel.text);
  const auto words = [](const Choice& c) {
    const ArgumentLayout at = ArgumentLayout::of(c.spec);
    const auto word = [&](int i) { return c.arguments.words[static_cast<size_t>(at.attr(c.spec.compute.attrs - i))]; };
    return std::vector<uint64_t>{word(2), word(1)};
  };
  EXPECT_EQ(words(few[0]), (std::vector<uint64_t>{512, 1000}));
  EXPECT_EQ(words(many[0]), (std::vector<uint64_t>{1024, 2000}));
}

TEST(Gather, PlainPassesCompile) {
  const Operand table{Dtype::bf16, {1000, 128}}, id{Dtype::i64, {64, 1}};
  ExpectCompiles(kEmbedding, {table, id});
  ExpectCompiles(kEmbedding, {{Dtype::bf16, {1000, 77}}, id});
  ExpectCompiles("(t, i) -> gather(t, i)", {{Dtype::f64, {64, 128}}, {Dtype::i64, {64, 9}}});
  ExpectCompiles("(t, i) -> exp(gather(t, i)) + gather(t, i + 1)", {table, {Dtype::i16, {1000, 64}}});
  ExpectCompiles("(c, p, i) -> gather(c, gather(p, i), i % 16, axis = (-4, -2))",
                 {{Dtype::e4m3fn, {7, 2, 16, 64}}, {Dtype::i32, {5, 1, 1, 9}}, {Dtype::i64, {5, 1, 1, 1}}});
  ExpectCompiles("(v, i) -> scatter(v, i, axis = -2)", {table, {Dtype::i64, {1000, 1}}});
  ExpectCompiles("(v, i) -> scatter(cast(v * 2, e4m3fn), i), v + 1", {table, {Dtype::u8, {1000, 128}}});
  ExpectCompiles("(i) -> scatter_add(1, i)", {{Dtype::i64, {100000}}});
  ExpectCompiles("(v, i, j) -> scatter_add(v, i, j, axis = (-2, -1)), v + 1",
                 {{Dtype::boolean, {1000, 64}}, {Dtype::u8, {1000, 64}}, {Dtype::i32, {1000, 1}}});
  ExpectCompiles("(s) -> tiled(s)", {{Dtype::u8, {300, 10}}});
  ExpectCompiles("(x, i) -> gather(x, i)", {{Dtype::boolean, {30}}, {Dtype::i64, {7}}});
}

TEST(Gather, RowsCompile) {
  const Operand x{Dtype::bf16, {6, 1000}}, label{Dtype::i64, {6, 1}}, table{Dtype::bf16, {1000, 128}};
  ExpectCompiles(kCrossEntropy, {x, label});
  ExpectCompiles(kCrossEntropy, {{Dtype::bf16, {6, 200000}}, label});
  ExpectCompiles(kCrossEntropy, {x, label}, TILEOPS_PLAN_REPRODUCIBLE);
  ExpectCompiles("(x) -> { i = argmax(x); sigmoid(gather(x, i)), cast(i, i32) }", {x});
  for (const int64_t length : {128, 77, 300000}) {
    const Operand rows{Dtype::bf16, {1000, length}};
    ExpectCompiles(kNormalised, {rows, label});
    ExpectCompiles("(t, x) -> { i = argmax(x); h = gather(t, i, axis = -2); h / sum(h) + x }",
                   {rows, {Dtype::f32, {6, length}}});
  }
  ExpectCompiles("(x, i) -> { e = exp(gather(x, i)); e / sum(e) }", {x, {Dtype::i32, {6, 300}}});
  ExpectCompiles("(k, slot) -> { s = amax(abs(k)); scatter(cast(k / s, e4m3fn), slot, axis = -3), "
                 "scatter(s, slot, axis = -3) }",
                 {{Dtype::bf16, {6, 2, 64}}, {Dtype::i64, {6, 1, 1}}});
  ExpectCompiles("(x, t, i) -> { m = amax(x, group = 32); spread(m * gather(t, i), x, group = 32) + x + sum(x) }",
                 {{Dtype::f32, {6, 256}}, {Dtype::f32, {6, 8}}, {Dtype::i64, {6, 8}}});
  ExpectCompiles("(x, i) -> { m = amax(x, group = 32); scatter(m, i), x / spread(m, x, group = 32) }",
                 {{Dtype::f32, {6, 256}}, {Dtype::i64, {6, 8}}});
  ExpectCompiles("(x, i) -> scatter_add(sum(x > 0), argmax(x), axis = -2), scatter_add(x > 0, i), x / sum(x)",
                 {x, {Dtype::i32, {6, 1000}}});
  ExpectCompiles("(x, i) -> { m = sum(x > 0, group = 32); scatter_add(m, i), x / spread(m, x, group = 32) }",
                 {{Dtype::f32, {6, 256}}, {Dtype::i64, {6, 8}}});
}

// Rows, and blocks, that a mask leaves out end before anything else of them is read: kernels ask the mask first, where
// it has one value for each.
TEST(Gather, MasksLeaveRowsOut) {
  const auto asks_first = [](const char* text, const std::vector<Operand>& operands) {
    ExpectCompiles(text, operands);
    for (const Choice& c : Chosen(text, operands))
      if (c.kernel.text.find("bool is_open(") == std::string::npos) return false;
    return true;
  };
  const Operand mask{Dtype::boolean, {1000, 1}}, expert{Dtype::i32, {1000, 1}}, count{Dtype::i64, {1}};
  for (const int64_t length : {128, 77, 4096, 300000}) {
    const Operand x{Dtype::bf16, {1000, length}};
    EXPECT_TRUE(asks_first("(g, u, m) -> store_if(silu(g) * u, m)", {x, x, mask}));
    EXPECT_TRUE(asks_first("(x, n) -> store_if(x * 2, index(x, -2) < n)", {x, count}));
    EXPECT_TRUE(asks_first("(x, e) -> scatter(x, where(e >= 0, index(x, -2), -1), axis = -2)", {x, expert}));
    EXPECT_TRUE(asks_first("(x, e) -> { r = rsqrt(mean(x * x) + 1e-6); store_if(x * r, e >= 0), store_if(r, e >= 0) }",
                           {x, expert}));
    EXPECT_TRUE(asks_first("(x, n) -> { p = exp(x - amax(x)); store_if(p / sum(p), index(x, -2) < n) }", {x, count}));
    EXPECT_TRUE(asks_first("(x, e) -> store_if(cumsum(x), e >= 0)", {x, expert}));
    EXPECT_FALSE(asks_first("(x, n) -> store_if(x * 2, index(x, -1) < n)", {x, count}));
    EXPECT_FALSE(asks_first("(x, e) -> store_if(x / sum(x), e >= 0), x", {x, expert}));
    EXPECT_FALSE(asks_first("(x) -> { s = sum(x); store_if(x / s, s > 0) }", {x}));
  }
  const Operand page{Dtype::i64, {1000, 1}};
  EXPECT_TRUE(asks_first("(t, i) -> store_if(gather(t, i, axis = -2), gather(i, i % 7, axis = -2) >= 0)",
                         {{Dtype::f32, {50, 128}}, page}));
  asks_first("(x, m) -> { s = amax(abs(x), group = 32); store_if(s, m), store_if(x / spread(s, x, group = 32), m) }",
             {{Dtype::f32, {1000, 256}}, mask});
}

}  // namespace
}  // namespace tileops::cuda
