// The expressions that the library knows by name, and those of them that are gradients.
#include <gtest/gtest.h>

#include "expr/gradient/gradient.h"
#include "expr/graph/text.h"
#include "expr/parse/named.h"
#include "expr/parse/parser.h"

namespace tileops::expr {
namespace {

TEST(Named, TextsParse) {
  for (size_t i = 0; i < kNumNamed; ++i) {
    SCOPED_TRACE(kNamed[i].name);
    const auto graph = find_named(kNamed[i].name);
    ASSERT_NE(graph, nullptr);
    EXPECT_EQ(parse(graph->text)->text, graph->text);
    EXPECT_EQ(find_named(kNamed[i].name), graph);
  }
  EXPECT_EQ(find_named("no_such_expression"), nullptr);
}

// All nodes but the sums of what was broadcast, which are none here.
size_t num_steps(const Graph& graph) {
  size_t n = 0;
  for (const Node& node : graph.nodes) n += !node.is(Kind::sum_to);
  return n;
}

// Rows of gradients have the texts of the table of derivatives: as many steps as the gradient of the forward text
// has, whose operands come in another order and with other names.
TEST(Named, GradientsAreThoseOfTheForwardText) {
  const struct {
    const char *name, *forward, *renamed;
    std::vector<int> operands;
  } cases[] = {
      {"silu_backward", "(x) -> silu(x)", "(x, grad_y0)", {0}},
      {"gelu_backward", "(x) -> gelu(x)", "(x, grad_y0)", {0}},
      {"gelu_tanh_backward", "(x) -> gelu(x, approximate = tanh)", "(x, grad_y0)", {0}},
      {"silu_and_mul_backward", "(gate, value) -> silu(gate) * value", "(gate, value, grad_y0)", {0, 1}},
      {"gelu_and_mul_backward", "(gate, value) -> gelu(gate) * value", "(gate, value, grad_y0)", {0, 1}},
      {"gelu_tanh_and_mul_backward",
       "(gate, value) -> gelu(gate, approximate = tanh) * value",
       "(gate, value, grad_y0)",
       {0, 1}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    std::string text;
    for (size_t i = 0; i < kNumNamed; ++i)
      if (std::string(kNamed[i].name) == c.name) text = kNamed[i].text;
    if (const size_t at = text.find("1.0 * "); at != std::string::npos) text.erase(at, 6);  // no step of floats
    text = c.renamed + (" " + text.substr(text.find("->")));
    for (size_t at = 0; (at = text.find("grad", at)) != std::string::npos; at += 7)
      if (text.compare(at, 7, "grad_y0") != 0) text.insert(at + 4, "_y0");
    const auto gradient_of = gradient(*parse(c.forward), c.operands);
    EXPECT_EQ(num_steps(*gradient_of), num_steps(*parse(text))) << gradient_of->text << "\n" << text;
  }
}

}  // namespace
}  // namespace tileops::expr
