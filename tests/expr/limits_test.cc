// Each limit: the most that is taken, and the error of one more, which says the figure.
#include <functional>

#include "expr/nodes/builder.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

std::string repeated(int n, const std::function<std::string(int)>& part, const char* between = "") {
  std::string s;
  for (int i = 0; i < n; ++i) s += (i ? between : "") + part(i);
  return s;
}

void expect_limit(const std::function<std::string(int)>& text, int most, const std::string& message) {
  EXPECT_EQ(canonical(text(most)).find("! "), std::string::npos) << canonical(text(most));
  const std::string error = canonical(text(most + 1));
  EXPECT_NE(error.find(message), std::string::npos) << error;
  EXPECT_EQ(error.substr(0, 12), "! text: byte");
}

TEST(Limits, OperandsScalarsResults) {
  const auto names = [](int n, const char* suffix) {
    return repeated(n, [&](int i) { return "v" + std::to_string(i) + suffix; }, ", ");
  };
  expect_limit([&](int n) { return "(" + names(n, "") + ") -> v0"; }, 32, ": an expression has at most 32 operands");
  expect_limit([&](int n) { return "(x; " + names(n, " = 1") + ") -> v0"; }, 32,
               ": an expression has at most 32 scalars");
  expect_limit([&](int n) { return "(x) -> " + repeated(n, [](int i) { return "x + " + std::to_string(i); }, ", "); },
               16, ": an expression has at most 16 results");
}

TEST(Limits, Nodes) {
  expect_limit([](int n) { return "(x) -> x" + repeated(n, [](int i) { return " + " + std::to_string(i + 1); }); }, 256,
               ": an expression has at most 256 nodes");
  // What is folded, or there already, is no further node.
  EXPECT_EQ(canonical("(x) -> x + (0" + repeated(1000, [](int) { return " + 1"; }) + ")"), "(x) -> x + 1000");
  EXPECT_EQ(
      canonical("(x) -> { " + repeated(1000, [](int i) { return "a" + std::to_string(i) + " = x + 1; "; }) + "a0 }"),
      "(x) -> { a0 = x + 1; a0 }");
}

TEST(Limits, Nesting) {
  const char* message = ": nested deeper than 100";
  expect_limit([](int n) { return "(x) -> " + std::string(n, '(') + "x" + std::string(n, ')'); }, 100, message);
  expect_limit([](int n) { return "(x) -> " + std::string(n, '~') + "x"; }, 100, message);
  expect_limit([](int n) { return "(x) -> " + repeated(n, [](int) { return "exp("; }) + "x" + std::string(n, ')'); },
               100, message);
  expect_limit([](int n) { return "(x) -> x" + repeated(n, [](int) { return " ** x"; }); }, 100, message);
  // Far beyond it.
  for (const char* part : {"(", "-", "exp(", "x ** "}) {
    const std::string error = canonical("(x) -> " + repeated(10000, [&](int) { return part; }));
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

TEST(Limits, Text) {
  const std::string text = "(x) -> x";
  EXPECT_EQ(canonical(text + std::string((64 << 10) - text.size(), ' ')), text);
  const std::string error = canonical(text + std::string((64 << 10) + 1 - text.size(), ' '));
  EXPECT_EQ(error, "! text: byte 65536: a text has at most 65536 bytes (got 65537)");
  // The canonical text has its blanks, and may be too long itself.
  const std::string long_name(9359, 'n');
  const std::string tight = "(" + long_name + ")->" +
                            repeated(6, [&](int i) { return long_name + "+" + std::to_string(i); }, ",");
  EXPECT_EQ(canonical(tight), "! text: byte 65534: the canonical text has more than 65536 bytes (got 65553)");
  const std::string name((64 << 10) - 11, 'n');
  EXPECT_EQ(canonical("(" + name + ") -> 1"), "(" + name + ") -> 1");
}

// A builder's chain is longer than a text could nest: its text has locals instead.
TEST(Limits, DeepGraphsHaveText) {
  for (const char* f : {"exp", "neg", "bitwise_not"}) {
    Builder b;
    NodeHandle node = b.operand("x");
    for (int i = 0; i < 256; ++i) node = b.op(*find_function(f), {{node}});
    ASSERT_TRUE(b.result(node));
    const auto graph = b.finish();
    EXPECT_EQ(count(*graph).nodes, 256);
    expect_round_trip(*graph);
  }
  Builder powers;
  NodeHandle node = powers.operand("x");
  const NodeHandle x = node;
  for (int i = 0; i < 256; ++i) node = powers.op(*find_function("pow"), {{x}, {node}});
  powers.result(node);
  expect_round_trip(*powers.finish());
}

// Functions that a result needs are counted, in texts as in builders; all that are built have a limit of their own.
TEST(Limits, BuilderNodes) {
  for (const int built : {300, 4096, 4097}) {
    Builder b;
    const NodeHandle x = b.operand("x");
    NodeHandle node = x;
    for (int i = 0; i < built; ++i) node = b.op(*find_function("exp"), {{node}});
    b.result(x);
    if (built <= 4096) {
      EXPECT_EQ(b.finish()->text, "(x) -> (x)");
    } else {
      EXPECT_EQ(node, 0);
      EXPECT_THROW(b.finish(), Error);
      EXPECT_EQ(b.error()->message, "an expression has at most 256 nodes, and 4096 with those that no result needs");
    }
  }
  const auto with_dead = [](int n) {
    return "(x) -> { " +
           repeated(n, [](int i) { return "a" + std::to_string(i) + " = x + " + std::to_string(i) + "; "; }) + "a0 }";
  };
  EXPECT_EQ(canonical(with_dead(1000)), "(x) -> { a0 = x + 0; a0 }");
  Builder b;
  NodeHandle node = b.operand("x");
  for (int i = 0; i < 300; ++i) node = b.op(*find_function("exp"), {{node}});
  b.result(node);
  EXPECT_THROW(b.finish(), Error);
  EXPECT_EQ(b.error()->message, "an expression has at most 256 nodes (got 300)");
}

}  // namespace
}  // namespace tileops::expr
