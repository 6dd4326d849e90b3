// What the CPU computes as one step of two: the bits are those of both, one after the other.
#include "expression.h"

namespace exprtest {
namespace {

// What is between the two operators is a result of its own here, so that each is a step.
std::string Apart(const std::string& first, const std::string& second) {
  return "(a, b, c) -> { t = " + first + "; " + second + ", t }";
}
std::string Together(const std::string& first, const std::string& second) {
  return "(a, b, c) -> { t = " + first + "; " + second + " }";
}

// All results; of the first one the dtype is chosen.
Results RunFirst(const std::string& text, const std::vector<Array>& inputs, size_t results, Dt first_result,
                 const Target& target, Array* first) {
  const Expr expr(text);
  Job job;
  job.expr = expr.get();
  job.inputs = inputs;
  if (!job.expr || !InferOutputs(&job, results)) return {};
  job.outputs[0].dtype = first_result;
  *first = job.outputs[0];
  return RunJob(target, job);
}

TEST(Pairs, HaveTheBitsOfBothSteps) {
  const Shape all{9, 301};
  const std::vector<std::vector<Shape>> shapes = {
      {{1500}, {1500}, {1500}}, {all, {301}, {9, 1}}, {{9, 1}, all, {}}, {{3}, {3}, {3}}};
  uint64_t seed = 0;
  for (const char* first : {"a + b", "a - b", "a * b"}) {
    for (const char* second : {"t + c", "c + t", "t - c", "c - t", "t * c", "c * t", "fma(c, a, t)", "-t + c"}) {
      for (const Dt dtype : {Dt::kF32, Dt::kBF16, Dt::kF16}) {
        for (const std::vector<Shape>& s : shapes) {
          std::vector<Array> inputs;
          for (const Shape& shape : s) inputs.push_back(Fill(dtype, shape, -100, 100, ++seed));
          for (const Dt result : {Dt::kF32, dtype})
            for (const Target& target : Targets()) {
              Array out;
              const Results want = RunFirst(Apart(first, second), inputs, 2, result, target, &out);
              const Results got = RunFirst(Together(first, second), inputs, 1, result, target, &out);
              ASSERT_TRUE(want.size() == 2 && got.size() == 1);
              ExpectSame({out}, {got[0]}, {want[0]}, Together(first, second) + " on " + target.name);
              if (HasFailure()) return;
            }
        }
      }
    }
  }
}

// Results that bypass the cache, of rows that end within a line and of one row.
TEST(Pairs, PastTheCache) {
  const int64_t rows = 2100, cols = 2005;
  for (const std::vector<Shape>& s :
       {std::vector<Shape>{{rows, cols}, {cols}, {rows, cols}}, std::vector<Shape>{{rows * cols}, {rows * cols}, {}}}) {
    std::vector<Array> inputs;
    for (const Shape& shape : s) inputs.push_back(Fill(Dt::kBF16, shape, -100, 100, inputs.size()));
    Array out;
    const Target& target = Targets().front();
    const Results wide = RunFirst(Apart("a * b", "t + c"), inputs, 2, Dt::kF32, target, &out);
    const Results narrow = RunFirst(Together("a * b", "t + c"), inputs, 1, Dt::kBF16, target, &out);
    ASSERT_TRUE(wide.size() == 2 && narrow.size() == 1);
    size_t wrong = 0;
    for (size_t i = 0; i < wide[0].size(); ++i)
      wrong += !SameBits(Dt::kBF16, narrow[0][i], Encode(Decode(Dt::kF32, wide[0][i]), Dt::kBF16));
    EXPECT_EQ(wrong, 0u);
  }
}

}  // namespace
}  // namespace exprtest
