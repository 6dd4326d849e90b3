// The builder: what it makes, and each way to misuse it.
#include <cmath>
#include <functional>

#include "expr/nodes/builder.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

const Function& fn(const char* name) { return *find_function(name); }

TEST(Builder, MakesWhatTheTextMeans) {
  Builder b;
  const NodeHandle x = b.operand("x"), w = b.operand("w", Number::of(int64_t{1}));
  const NodeHandle s = b.scalar("s", Number::of(0.5));
  const NodeHandle h = b.op(TILEOPS_OP_ADD, {{x}, {w}});
  EXPECT_GT(x, 0);
  EXPECT_EQ(b.op(TILEOPS_OP_ADD, {{x}, {w}}), h);
  const NodeHandle two = b.constant(Number::of(int64_t{2}));
  const NodeHandle square = b.op(TILEOPS_OP_POW, {{h}, {two}});
  EXPECT_EQ(b.op(TILEOPS_OP_POW, {{h}}, {{TILEOPS_ATTR_EXPONENT, Number::of(2.0)}}), square);
  const NodeHandle tanh = b.op(TILEOPS_OP_GELU, {{square}}, {{TILEOPS_ATTR_APPROXIMATE, Number::of(int64_t{1})}});
  const NodeHandle cast = b.op(TILEOPS_OP_CAST, {{tanh}},
                               {{TILEOPS_ATTR_DTYPE, Number::of(static_cast<int64_t>(Dtype::bf16))}});
  const NodeHandle bounded = b.op(TILEOPS_OP_CLAMP, {{cast}, {0}, {s}});  // an empty place
  EXPECT_TRUE(b.result(bounded));
  EXPECT_TRUE(b.result(h, "h"));
  EXPECT_EQ(b.op(TILEOPS_OP_CLAMP, {{cast}}, {{TILEOPS_ATTR_EXPONENT, Number::of(2.0)}}), 0);
  Builder again;
  EXPECT_EQ(b.error()->message, "clamp has no attribute 'exponent' (key 10)");
}

TEST(Builder, TextOfWhatItMakes) {
  Builder b;
  const NodeHandle x = b.operand("x"), s = b.scalar("s", Number::of(0.5));
  const NodeHandle y = b.op(fn("clamp"), {{x}, {0}, {s}});
  b.result(b.op(fn("cast"), {{y}, {x}}), "out");
  b.result(b.op(fn("chunk"), {{x}, {b.constant(Number::of(int64_t{0}))}, {b.constant(Number::of(int64_t{2}))}}));
  const auto graph = b.finish();
  EXPECT_EQ(graph->text, "(x; s = 0.5) -> { out = cast(clamp(x, max = s), x); out, chunk(x, 0, 2) }");
  expect_round_trip(*graph);
  EXPECT_THROW(b.finish(), Error);
  EXPECT_EQ(b.operand("late"), 0);
  EXPECT_EQ(b.error()->message, "builder: is finished");
}

struct Misuse {
  const char* message;
  std::function<void(Builder*, NodeHandle)> calls;
};

TEST(Builder, Misuse) {
  const auto i64 = [](int64_t v) { return Number::of(v); };
  const Misuse rows[] = {
      {"results: there are none", [](Builder*, NodeHandle) {}},
      {"op: unknown function (got 9999)", [](Builder* b, NodeHandle x) { b->op(9999, {{x}}); }},
      {"op: unknown function (got 0)", [](Builder* b, NodeHandle x) { b->op(TILEOPS_OP_NONE, {{x}}); }},
      {"exp: argument 1 is no node of this builder (got 7)", [](Builder* b, NodeHandle) { b->op(fn("exp"), {{7}}); }},
      {"exp: argument 1 is no node of this builder (got -1)", [](Builder* b, NodeHandle) { b->op(fn("exp"), {{-1}}); }},
      {"exp: 'x' is missing", [](Builder* b, NodeHandle) { b->op(fn("exp"), {{0}}); }},
      {"exp: 'x' is missing", [](Builder* b, NodeHandle) { b->op(fn("exp"), {}); }},
      {"exp takes at most 1 argument (got 3)", [](Builder* b, NodeHandle x) { b->op(fn("exp"), {{x}, {x}, {x}}); }},
      {"concat takes 2 to 8 arguments (got 0)", [](Builder* b, NodeHandle) { b->op(fn("concat"), {}); }},
      {"gather takes 2 to 5 arguments (got 1)", [](Builder* b, NodeHandle x) { b->op(fn("gather"), {{x}}); }},
      {"concat: argument 2 is missing", [](Builder* b, NodeHandle x) { b->op(fn("concat"), {{x}, {0}}); }},
      {"concat has no attribute 'axis' (key 12)",
       [&](Builder* b, NodeHandle x) { b->op(fn("concat"), {{x}, {x}}, {{TILEOPS_ATTR_AXIS, i64(-1)}}); }},
      {"exp has no attribute '?' (key 777)",
       [&](Builder* b, NodeHandle x) { b->op(fn("exp"), {{x}}, {{777, i64(1)}}); }},
      {"gelu: 'approximate' is given twice",
       [&](Builder* b, NodeHandle x) {
         b->op(fn("gelu"), {{x}}, {{TILEOPS_ATTR_APPROXIMATE, i64(1)}, {TILEOPS_ATTR_APPROXIMATE, i64(0)}});
       }},
      {"gelu: 'approximate' is not a choice (got 2, need 0 to 1 for none|tanh)",
       [&](Builder* b, NodeHandle x) { b->op(fn("gelu"), {{x}}, {{TILEOPS_ATTR_APPROXIMATE, i64(2)}}); }},
      {"lerp: 'weight' is given twice",
       [](Builder* b, NodeHandle x) { b->op(fn("lerp"), {{x}, {x}, {x}}, {{TILEOPS_ATTR_WEIGHT, Number::of(0.5)}}); }},
      {"add: 'alpha' does not convert to a double exactly (got 9007199254740993)",
       [&](Builder* b, NodeHandle x) { b->op(fn("add"), {{x}, {x}}, {{TILEOPS_ATTR_ALPHA, i64(9007199254740993)}}); }},
      {"add: 'alpha' takes a number (got a tensor)",
       [](Builder* b, NodeHandle x) { b->op(fn("add"), {{x}, {x}, {x}}); }},
      {"round: 'decimals' must be a constant",
       [&](Builder* b, NodeHandle x) { b->op(fn("round"), {{x}, {b->scalar("s", i64(1))}}); }},
      {"cast: 'dtype' is out of range (got 99, need -1 to 16)",
       [&](Builder* b, NodeHandle x) { b->op(fn("cast"), {{x}}, {{TILEOPS_ATTR_DTYPE, i64(99)}}); }},
      {"cast: 'dtype' is missing",
       [&](Builder* b, NodeHandle x) { b->op(fn("cast"), {{x}}, {{TILEOPS_ATTR_DTYPE, i64(-1)}}); }},
      {"cast: 'dtype' takes a dtype or an operand that is there (got a number)",
       [&](Builder* b, NodeHandle x) { b->op(fn("cast"), {{x}, {b->constant(i64(2))}}); }},
      {"prelu: is no function of single elements: write where(x > 0, x, weight * x)",
       [](Builder* b, NodeHandle x) { b->op(TILEOPS_OP_PRELU, {{x}, {x}}); }},
      {"'x' is bound twice", [](Builder* b, NodeHandle) { b->operand("x"); }},
      {"'x' is bound twice", [&](Builder* b, NodeHandle) { b->scalar("x", i64(1)); }},
      {"'' is no name", [](Builder* b, NodeHandle) { b->operand(""); }},
      {"'2x' is no name", [](Builder* b, NodeHandle) { b->operand("2x"); }},
      {"'a b' is no name", [](Builder* b, NodeHandle) { b->operand("a b"); }},
      {"'nan' is no name", [](Builder* b, NodeHandle) { b->operand("nan"); }},
      {"'true' is no name", [](Builder* b, NodeHandle x) { b->result(x, "true"); }},
      {"scalar 's' is bool (need an integer or a float)",
       [](Builder* b, NodeHandle) { b->scalar("s", Number::of(true)); }},
      {"result 0: is no node of this builder (got 0)", [](Builder* b, NodeHandle) { b->result(0); }},
      {"result 1: is no node of this builder (got 5)", [](Builder* b, NodeHandle x) { b->result(x), b->result(5); }},
      {"results 0 and 1 are both 'y'", [](Builder* b, NodeHandle x) { b->result(x, "y"), b->result(x, "y"); }},
      {"result 'x' has the name of an operand or scalar and is another value",
       [](Builder* b, NodeHandle x) { b->result(b->op(fn("exp"), {{x}}), "x"); }},
      {"cast: 'bool' and 'bool' are operands",
       [](Builder* b, NodeHandle x) {
         b->operand("bool");
         b->result(b->op(fn("cast"), {{x}}, {{TILEOPS_ATTR_DTYPE, Number::of(static_cast<int64_t>(Dtype::boolean))}}));
       }},
  };
  for (const Misuse& row : rows) {
    SCOPED_TRACE(row.message);
    Builder b;
    const NodeHandle x = b.operand("x");
    row.calls(&b, x);
    // The first error sticks: nothing after it counts, and finish tells it.
    if (b.error()) {
      EXPECT_EQ(b.constant(Number::of(int64_t{1})), 0);
      EXPECT_FALSE(b.result(x, "later"));
      EXPECT_EQ(b.op(9998, {}), 0);
    }
    try {
      b.finish();
      ADD_FAILURE() << "is taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.message, row.message);
      EXPECT_NE(e.status, TILEOPS_STATUS_INTERNAL);
    }
  }
}

TEST(Functions, Table) {
  for (const Function& f : function_table()) {
    SCOPED_TRACE(f.name);
    EXPECT_EQ(find_function(f.name), &f);
    EXPECT_EQ(find_function(f.id), &f);
    EXPECT_TRUE(is_name(f.name));
    EXPECT_NE(f.doc, nullptr);
    EXPECT_LE(f.positional, f.parameters.size());
    if (f.kind == Kind::refused) continue;
    EXPECT_FALSE(f.slots().empty());
    for (size_t i = 0; i < f.parameters.size(); ++i)
      EXPECT_EQ(f.find_parameter(f.parameters[i].name), static_cast<int>(i));
  }
  EXPECT_EQ(find_function("no such function"), nullptr);
}

}  // namespace
}  // namespace tileops::expr
