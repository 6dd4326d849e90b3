// Named texts say the shapes of all their operands, and nothing else is taken: of the operands of the folder `named`,
// one extent after the other is another one.
#include <gtest/gtest.h>

#include "base/error.h"
#include "expr/infer/infer.h"
#include "expr/parse/named.h"
#include "problem/request.h"
#include "texts.h"

namespace rowtest {
namespace {

using tileops::expr::Graph;
using tileops::expr::SaidExtent;
using tileops::expr::SaidShape;

TEST(NamedShapes, AreSaidOfEveryOperand) {
  for (size_t i = 0; i < tileops::expr::kNumNamed; ++i) {
    const tileops::expr::Named& named = tileops::expr::kNamed[i];
    const std::string text = named.text, signature = text.substr(0, text.find(" -> "));
    for (const tileops::expr::Operand& o : tileops::expr::find_named(named.name)->operands)
      EXPECT_NE((signature + " ").find(o.name + "["), std::string::npos) << named.name << ": " << o.name;
    EXPECT_EQ(std::string(named.doc).find(" -> "), std::string::npos) << named.name << ": shapes are in the text";
  }
}

// What an operand of these shapes is refused with, or "".
std::string Refusal(const std::shared_ptr<const Graph>& graph, const std::vector<tileops::TensorSpec>& operands) {
  try {
    tileops::expr::infer(graph, operands);
  } catch (const tileops::Error& e) {
    return e.message.substr(0, e.message.find('\n'));
  }
  return "";
}

// Is the extent a number, or one that another operand has too?
bool IsFixed(const Graph& graph, const SaidShape& shape, const SaidExtent& d) {
  if (d.name < 0) return d.number >= 0;
  for (const SaidShape& other : graph.shapes)
    for (const SaidExtent& e : other.dims)
      if (other.operand >= 0 && other.operand != shape.operand && e.name == d.name && d.group == 1 && e.group == 1)
        return true;
  return false;
}

TEST(NamedShapes, OthersAreRefused) {
  size_t tried = 0;
  for (const RowText& text : RowTexts()) {
    if (!text.named) continue;
    SCOPED_TRACE(text.name);
    const std::shared_ptr<const Graph> graph = tileops::expr::find_named(text.name);
    std::vector<tileops::TensorSpec> operands;
    for (const Tensor& t : RandomOperands(text, 1)) {
      tileops::TensorSpec spec;
      tileops::read_tensor(
          {tileops::dtype_to_dl(t.dtype), static_cast<int32_t>(t.shape.size()), t.shape.data(), nullptr}, "operand",
          &spec);
      operands.push_back(spec);
    }
    ASSERT_EQ(Refusal(graph, operands), "");
    for (const SaidShape& shape : graph->shapes) {
      if (static_cast<size_t>(shape.operand) >= operands.size()) continue;
      for (size_t k = 1; k <= shape.dims.size(); ++k) {
        if (!IsFixed(*graph, shape, shape.dims[shape.dims.size() - k])) continue;
        std::vector<tileops::TensorSpec> others = operands;
        tileops::TensorSpec& t = others[static_cast<size_t>(shape.operand)];
        t.shape[t.ndim - static_cast<int>(k)] *= 2;
        const std::string refusal = Refusal(graph, others);
        EXPECT_NE(refusal.find(", the text says "), std::string::npos) << shape.of << " at -" << k << ": " << refusal;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 100u);
}

}  // namespace
}  // namespace rowtest
