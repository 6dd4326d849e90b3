// Names that clash: whatever operands, scalars, values and results are called, the canonical text means the expression,
// and no two expressions have one text.
#include <algorithm>
#include <map>
#include <random>

#include "clashing_names.h"
#include "expr/nodes/builder.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

// The canonical texts of all expressions made here.
class Texts {
 public:
  void take(const std::shared_ptr<const Graph>& graph) {
    ++taken;
    expect_round_trip(*graph);
    const auto& known = graphs_.emplace(graph->text, graph).first->second;
    EXPECT_EQ(difference(*known, *graph), "") << graph->text;
  }
  int taken = 0;

 private:
  std::map<std::string, std::shared_ptr<const Graph>> graphs_;
};

// Names are of few, so that they meet.
class Random {
 public:
  explicit Random(uint32_t seed) : random_(seed) {
    for (std::string& name : names_) name = kClashingNames[below(kNumClashingNames)];
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  std::string name() { return names_[below(kNames)]; }
  template <class T>
  T of(const std::vector<T>& list) {
    return list[static_cast<size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  static constexpr int kNames = 8;
  std::mt19937 random_;
  std::string names_[kNames];
};

// Operands, scalars, values and results in any order, as calls of the builder come.
std::shared_ptr<const Graph> built(Random r) {
  Builder b;
  std::vector<NodeHandle> values{b.operand(r.name())}, operands = values;
  const auto name = [&] { return r.below(8) ? r.name() : "v" + std::to_string(values.size()); };
  for (int i = 4 + r.below(8); i > 0 && !b.error(); --i) {
    switch (r.below(9)) {
      case 0: values.push_back(b.operand(name())), operands.push_back(values.back()); break;
      case 1: values.push_back(b.scalar(name(), Number::of(int64_t{1}))); break;
      case 2: values.push_back(b.constant(Number::of(r.below(2) - 0.5))); break;
      case 3: values.push_back(b.op(TILEOPS_OP_EXP, {{r.of(values)}})); break;
      case 4: values.push_back(b.op(TILEOPS_OP_ADD, {{r.of(values)}, {r.of(values)}})); break;
      case 5: values.push_back(b.op(TILEOPS_OP_CAST, {{r.of(values)}, {r.of(operands)}})); break;
      case 6: {
        const int64_t dtype = r.below(kNumDtypes);
        values.push_back(b.op(TILEOPS_OP_CAST, {{r.of(values)}}, {{TILEOPS_ATTR_DTYPE, Number::of(dtype)}}));
        break;
      }
      default: b.result(r.of(values), r.below(3) ? name() : std::string());
    }
  }
  b.result(r.of(values));
  try {
    return b.finish();
  } catch (const Error&) {
    return nullptr;
  }
}

std::shared_ptr<const Graph> parsed(Random r) {
  std::vector<std::string> values;
  const auto bind = [&] {  // a name that is free, if it is found
    std::string name = r.name();
    for (int i = 0; i < 8 && std::find(values.begin(), values.end(), name) != values.end(); ++i) name = r.name();
    values.push_back(name);
    return name;
  };
  std::string text = "(" + bind();
  for (int i = r.below(3); i > 0; --i) text += ", " + bind();
  for (int i = r.below(2); i > 0; --i) text += "; " + bind() + " = 2";
  text += ") -> { ";
  const auto value = [&] {
    switch (r.below(6)) {
      case 0: return "exp(" + r.of(values) + ")";
      case 1:
      case 2: return "cast(" + r.of(values) + ", " + (r.below(2) ? "float16" : r.below(2) ? "f16" : r.name()) + ")";
      case 3: return "gelu(" + r.of(values) + ", " + (r.below(2) ? "tanh" : "none") + ")";
      case 4: return "clamp(" + r.of(values) + ", max = " + r.of(values) + ")";
      default: return r.of(values);
    }
  };
  for (int i = 1 + r.below(5); i > 0; --i) {
    const std::string given = value();
    text += bind() + " = " + given + "; ";
  }
  for (int i = 1 + r.below(3); i > 0; --i)
    text += (r.below(2) ? r.of(values) : "(" + value() + ")") + (i > 1 ? ", " : "");
  try {
    return parse(text + " }");
  } catch (const Error&) {
    return nullptr;
  }
}

TEST(Names, OfTheBuilder) {
  Texts texts;
  for (uint32_t seed = 0; seed < 20000 && !testing::Test::HasFailure(); ++seed)
    if (const auto graph = built(Random(seed))) texts.take(graph);
  EXPECT_GT(texts.taken, 5000);
}

TEST(Names, OfTexts) {
  Texts texts;
  for (uint32_t seed = 0; seed < 20000 && !testing::Test::HasFailure(); ++seed)
    if (const auto graph = parsed(Random(seed))) texts.take(graph);
  EXPECT_GT(texts.taken, 5000);
}

// A result has its name before an operand or scalar asks for it.
TEST(Names, OfEarlierResults) {
  const auto after_result = [](const char* result, const char* operand, bool scalar) {
    Builder b;
    const NodeHandle x = b.operand("x");
    b.result(b.op(TILEOPS_OP_EXP, {{x}}), result);
    const NodeHandle w = scalar ? b.scalar(operand, Number::of(1.5)) : b.operand(operand);
    b.result(b.op(TILEOPS_OP_MUL, {{x}, {w}}));
    try {
      return b.finish()->text;
    } catch (const Error& e) {
      return "! " + e.message;
    }
  };
  for (const bool scalar : {false, true}) {
    EXPECT_EQ(after_result("w", "w", scalar), "! 'w' is bound twice: it is the name of result 0");
    EXPECT_EQ(after_result("y1", "y1", scalar), "! 'y1' is bound twice: it is the name of result 0");
  }
  // The usual names bind nothing.
  EXPECT_EQ(after_result("", "y0", false), "(x, y0) -> exp(x), x * y0");
  EXPECT_EQ(after_result("y0", "y1", true), "(x; y1 = 1.5) -> exp(x), x * y1");
}

// Operands hide names of dtypes, also under the name of a result; scalars and other values do not.
TEST(Names, OfDtypes) {
  EXPECT_EQ(canonical("(x) -> { f16 = x; f16, cast(x, float16) }"), "(x) -> { t0 = cast(x, f16); f16 = x; f16, (t0) }");
  EXPECT_EQ(canonical("(x) -> { f16 = x; f16, cast(x, f16) }"), "(x) -> { f16 = x; f16, cast(x, x) }");
  EXPECT_EQ(canonical("(x) -> { c = cast(x, bool); bool = x; bool, (exp(c)) }"),
            "(x) -> { t0 = cast(x, bool); bool = x; bool, exp(t0) }");
  EXPECT_EQ(canonical("(x, f16) -> cast(x, float16)"), "(x, f16) -> cast(x, float16)");
  EXPECT_EQ(canonical("(x, f16) -> { float16 = x; float16, cast(x, float16) }"),
            "(x, f16) -> { float16 = x; float16, cast(x, x) }");
  EXPECT_EQ(canonical("(x, f16) -> { c = cast(x, float16); float16 = x; float16, (c) }"),
            "(x, f16) -> { t0 = cast(x, float16); float16 = x; float16, (t0) }");
  EXPECT_EQ(canonical("(x; bool = 1) -> cast(x, bool) * bool"), "(x; bool = 1) -> cast(x, bool) * bool");
  EXPECT_EQ(canonical("(x) -> { f16 = exp(x); f16, cast(f16, f16) }"), "(x) -> { f16 = exp(x); f16, cast(f16, f16) }");
}

}  // namespace
}  // namespace tileops::expr
