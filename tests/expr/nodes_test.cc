// Nodes of an expression, as tileops_expr_node tells them: what reads them and calls a builder for each makes the same
// expression.
#include <tileops/tileops.h>

#include <regex>

#include "expr/parse/named.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

std::string text_of(const tileops_expr* expr) {
  size_t size = 0;
  EXPECT_EQ(tileops_expr_text(expr, nullptr, &size), TILEOPS_STATUS_OK) << tileops_last_error();
  std::string text(size, '\0');
  EXPECT_EQ(tileops_expr_text(expr, text.data(), &size), TILEOPS_STATUS_OK) << tileops_last_error();
  text.pop_back();
  return text;
}

// Calls a builder for each node. "" after a reported failure.
std::string built_again(const tileops_expr* expr) {
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  EXPECT_EQ(tileops_expr_describe(expr, &info), TILEOPS_STATUS_OK);
  tileops_builder* builder = nullptr;
  EXPECT_EQ(tileops_builder_create(&builder), TILEOPS_STATUS_OK);
  std::vector<tileops_node> operands, scalars, made{0};
  for (int32_t i = 0; i < info.num_operands; ++i) {
    const tileops_expr_operand_info& o = info.operands[i];
    operands.push_back(tileops_build_operand(builder, o.name, o.optional ? &o.default_value : nullptr));
  }
  for (int32_t i = 0; i < info.num_scalars; ++i)
    scalars.push_back(tileops_build_scalar(builder, info.scalars[i].name, info.scalars[i].default_value));
  for (tileops_node node = 1; node <= info.num_listed_nodes; ++node) {
    tileops_node_info n = TILEOPS_NODE_INFO_INIT;
    EXPECT_EQ(tileops_expr_node(expr, node, &n), TILEOPS_STATUS_OK) << tileops_last_error();
    std::vector<tileops_node> arguments;
    for (int32_t i = 0; i < n.num_arguments; ++i) {
      EXPECT_LT(n.arguments[i], node) << "arguments come first";
      arguments.push_back(made[static_cast<size_t>(n.arguments[i])]);
    }
    switch (n.kind) {
      case TILEOPS_NODE_OPERAND: made.push_back(operands[static_cast<size_t>(n.index)]); break;
      case TILEOPS_NODE_SCALAR: made.push_back(scalars[static_cast<size_t>(n.index)]); break;
      case TILEOPS_NODE_CONSTANT: made.push_back(tileops_build_constant(builder, n.value)); break;
      default:
        EXPECT_EQ(n.kind, TILEOPS_NODE_FUNCTION);
        made.push_back(tileops_build_op(builder, n.function, arguments.data(), arguments.size(), n.attrs,
                                        static_cast<size_t>(n.num_attrs)));
    }
  }
  for (int32_t i = 0; i < info.num_results; ++i)
    tileops_build_result(builder, made[static_cast<size_t>(tileops_expr_result(expr, static_cast<size_t>(i)))],
                         info.results[i]);
  tileops_expr* again = nullptr;
  const tileops_status status = tileops_builder_finish(builder, &again);
  tileops_builder_destroy(builder);
  EXPECT_EQ(status, TILEOPS_STATUS_OK) << tileops_last_error();
  const std::string text = status == TILEOPS_STATUS_OK ? text_of(again) : "";
  tileops_expr_destroy(again);
  return text;
}

tileops_expr* parsed(const std::string& text) {
  tileops_expr* expr = nullptr;
  EXPECT_EQ(tileops_expr_parse(text.data(), text.size(), &expr), TILEOPS_STATUS_OK) << text << tileops_last_error();
  return expr;
}

}  // namespace

void expect_built_again(const std::string& text) {
  tileops_expr* expr = parsed(text);
  EXPECT_EQ(built_again(expr), text);
  tileops_expr_destroy(expr);
}

namespace {

// Shapes are said in a text, and are no nodes.
std::string without_shapes(const std::string& text) {
  static const std::regex shape("\\[[^\\]]*\\]");
  return std::regex_replace(text, shape, "");
}

TEST(Nodes, OfNamedTextsMakeThemAgain) {
  for (size_t i = 0; i < kNumNamed; ++i) {
    const Named& named = kNamed[i];
    SCOPED_TRACE(named.name);
    tileops_expr* expr = parsed(named.text);
    tileops_expr* plain = parsed(without_shapes(text_of(expr)));
    EXPECT_EQ(built_again(expr), text_of(plain));
    tileops_expr_destroy(plain);
    tileops_expr_destroy(expr);
  }
}

TEST(Nodes, SayWhatTheyAre) {
  tileops_expr* expr = parsed("(x, y = 1.5; s = 2) -> { a = silu(x) + 2.0; a, cast(sum(a * s, axis = -2), bf16) - y }");
  tileops_expr_info all = TILEOPS_EXPR_INFO_INIT;
  ASSERT_EQ(tileops_expr_describe(expr, &all), TILEOPS_STATUS_OK);
  std::string text;
  for (tileops_node i = 1; i <= all.num_listed_nodes; ++i) {
    tileops_node_info n = TILEOPS_NODE_INFO_INIT;
    ASSERT_EQ(tileops_expr_node(expr, i, &n), TILEOPS_STATUS_OK);
    const auto is = [&](int32_t kind) { return n.kind == kind; };
    text += std::to_string(i) + ":";
    if (is(TILEOPS_NODE_OPERAND) || is(TILEOPS_NODE_SCALAR))
      text += (is(TILEOPS_NODE_OPERAND) ? all.operands : all.scalars)[n.index].name;
    if (is(TILEOPS_NODE_CONSTANT)) text += strf("%g", n.value.value.f64);
    if (is(TILEOPS_NODE_FUNCTION)) text += find_function(n.function)->name;
    for (int32_t k = 0; k < n.num_arguments; ++k) text += " " + std::to_string(n.arguments[k]);
    for (int32_t k = 0; k < n.num_attrs; ++k)
      text += strf(" %d=%lld", n.attrs[k].key, static_cast<long long>(n.attrs[k].value.i64));
    text += "; ";
  }
  const std::string dtype = strf(" %d=%d", TILEOPS_ATTR_DTYPE, kDLBfloat * 256 + 16),
                    axes = strf(" %d=2", TILEOPS_ATTR_AXES);
  EXPECT_EQ(text, "1:x; 2:silu 1; 3:2; 4:add 2 3; 5:s; 6:mul 4 5; 7:sum 6" + axes + "; 8:cast 7" + dtype +
                      "; 9:y; 10:sub 8 9; ");
  EXPECT_EQ(tileops_expr_result(expr, 0), 4);
  EXPECT_EQ(tileops_expr_result(expr, 1), 10);
  EXPECT_EQ(tileops_expr_result(expr, 2), 0);
  EXPECT_STREQ(tileops_last_error(), "tileops_expr_result: i: is out of range (got 2, need less than 2)");
  tileops_node_info n = TILEOPS_NODE_INFO_INIT;
  EXPECT_EQ(tileops_expr_node(expr, 0, &n), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(tileops_last_error(), "tileops_expr_node: node: is out of range (got 0, need 1 to 10)");
  EXPECT_EQ(tileops_expr_node(expr, 11, &n), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(tileops_expr_node(nullptr, 1, &n), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(tileops_expr_node(expr, 1, nullptr), TILEOPS_STATUS_INVALID_ARGUMENT);
  tileops_expr_destroy(expr);
}

}  // namespace
}  // namespace tileops::expr
