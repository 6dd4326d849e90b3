// Results in the memory of operands: each pair of a result and an operand of one shape and element size, of every text,
// is right or refused with nothing written; and pairs that must be taken, or must be refused, are.
#include <gtest/gtest.h>

#include <set>

#include "not_yet.h"
#include "over.h"
#include "texts.h"

namespace rowtest {
namespace {

using Pair = std::pair<std::string, std::string>;  // "text.result", operand

// Read only through the result's own view outside of reductions: by the text alone.
const std::set<Pair>& Taken() {
  static const auto* pairs = new std::set<Pair>{
      {"rms_norm.y0", "x"},
      {"rms_norm_llama.y0", "x"},
      {"add_rms_norm.y0", "x"},
      {"add_rms_norm.y0", "residual"},
      {"add_rms_norm.h", "x"},
      {"add_rms_norm.h", "residual"},
      {"layer_norm.y0", "x"},
      {"l2_norm.y0", "x"},
      {"qk_norm.y0", "q"},
      {"qk_norm.y1", "k"},
      {"group_norm.y0", "x"},
      {"softmax.y0", "x"},
      {"softmax_causal.y0", "x"},
      {"softmax_columns.y0", "x"},
      {"log_softmax.y0", "x"},
      {"softmax_backward.y0", "grad"},
      {"found_inf.u", "grad"},
      {"ssm_step.n", "h"},
      {"muon_normalise.n", "m"},
      {"muon_normalise.y0", "m"},
      {"conv1d_step_parts.y1", "s"},
      {"adafactor.y0", "p"},
      {"sinkhorn.y0", "x"},
      {"batch_norm_training.y0", "x"},
      {"softmax_temperature.y0", "x"},
      {"residual_norm.r", "b"},
      {"cumsum.y0", "x"},
  };
  return *pairs;
}

const std::set<Pair>& Refused() {
  static const auto* pairs = new std::set<Pair>{{"cross_entropy_with_gradient.y1", "x"}, {"conv1d_step.n", "s"}};
  return *pairs;
}

TEST(InPlace, RightOrRefused) {
  std::set<Pair> taken, refused;
  for (const RowText& text : RowTexts()) {
    if (text.text.find("scatter") != std::string::npos) continue;
    const TextRun run(text.text, RandomOperands(text, 5), text.scalars);
    if (!Runs(run, text.name)) continue;
    const Target& target = Targets().front();
    const Results apart = run.On(target);
    ASSERT_EQ(apart.size(), text.results.size()) << text.text;
    for (size_t k = 0; k < text.results.size(); ++k)
      for (size_t i = 0; i < text.operands.size(); ++i) {
        const optest::Array &from = run.inputs()[i], &to = run.outputs()[k];
        if (from.shape != to.shape || optest::Info(from.dtype).size != optest::Info(to.dtype).size) continue;
        const Pair pair{text.name + "." + text.results[k].name, text.operands[i].name};
        const std::string what = pair.first + " in place of " + pair.second + ": " + text.text;
        std::vector<int> over(text.results.size(), -1);
        over[k] = static_cast<int>(i);
        Over call(run, target, over);
        if (call.outcome().status == TILEOPS_STATUS_OK) {
          exprtest::ExpectSame(run.outputs(), call.Read(), apart, what);
          taken.insert(pair);
          continue;
        }
        EXPECT_EQ(call.outcome().status, TILEOPS_STATUS_INVALID_ARGUMENT) << what << "\n" << call.outcome().why;
        EXPECT_EQ(call.OfOperand(i), from.bits) << what << ": was refused, and written";
        refused.insert(pair);
      }
  }
  for (const Pair& pair : Taken())
    EXPECT_FALSE(refused.count(pair)) << pair.first << " is refused in place of " << pair.second;
  for (const Pair& pair : Refused())
    EXPECT_FALSE(taken.count(pair)) << pair.first << " is taken in place of " << pair.second;
}

}  // namespace
}  // namespace rowtest
