// Expressions in tileops.hpp: texts, names, builders with operators, plans, scalars, gradients, lifetimes, threads.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <tileops/tileops.hpp>

#include "expect.h"

namespace {

using tileops::attr;
using tileops::ConstView;
using tileops::Expr;
using tileops::ExprBuilder;
using tileops::Node;
using tileops::Number;
using tileops::Plan;
using tileops::View;

static_assert(!std::is_copy_constructible_v<Expr> && std::is_nothrow_move_constructible_v<Expr>);
static_assert(!std::is_copy_constructible_v<ExprBuilder> && std::is_copy_constructible_v<Node>);
static_assert(!std::is_convertible_v<std::string, Number> && std::is_convertible_v<int, Number>);

template <class F>
tileops::Error thrown(F&& call) {
  try {
    call();
  } catch (const tileops::Error& error) {
    return error;
  }
  return tileops::Error(TILEOPS_STATUS_OK, "");
}
bool has(const tileops::Error& error, const char* text) { return std::strstr(error.what(), text) != nullptr; }

void texts() {
  const Expr expr("(x, r, w = 1; eps = 1e-6, n = 2) -> { h = x + r;  h * rsqrt(h * h + eps) * w ** n,  h }");
  const tileops_expr_info info = expr.describe();
  EXPECT(info.num_operands == 3 && info.min_operands == 2 && info.num_scalars == 2 && info.num_results == 2);
  EXPECT(info.operands[2].optional && info.operands[2].default_value.value.i64 == 1);
  EXPECT(!std::strcmp(info.scalars[0].name, "eps") && info.scalars[0].default_value.value.f64 == 1e-6);
  EXPECT(!std::strcmp(info.results[0], "y0") && !std::strcmp(info.results[1], "h"));
  EXPECT(Expr(expr.text()).text() == expr.text());
  const std::vector<tileops_node_info> nodes = expr.nodes();
  EXPECT(nodes.size() == static_cast<size_t>(info.num_listed_nodes) && nodes[0].kind == TILEOPS_NODE_OPERAND);
  const tileops_node h = expr.result_nodes().at(1);
  EXPECT(nodes[static_cast<size_t>(h) - 1].function == TILEOPS_OP_ADD);

  EXPECT(thrown([] { Expr("(x) -> sillu(x)"); }).offset() == 7);
  EXPECT(has(thrown([] { Expr("(x) -> sillu(x)"); }), "is 'silu' meant?"));
  EXPECT(thrown([] { Expr("(x) -> x +"); }).offset() == 10);
  EXPECT(thrown([] { Expr("(x) -> prelu(x, x)"); }).status() == TILEOPS_STATUS_UNSUPPORTED);
  EXPECT(thrown([] { tileops::op("no such"); }).offset() == -1);
  EXPECT(thrown([] { Expr().text(); }).status() == TILEOPS_STATUS_INVALID_ARGUMENT);
}

void named() {
  const std::vector<tileops_named_expr_info> all = tileops::named_expressions();
  EXPECT(all.size() > 30);
  for (const tileops_named_expr_info& info : all) {
    EXPECT(tileops::named_expression(info.name).text() == Expr(info.text).text());
    EXPECT(info.doc[0] != '\0');
  }
  const float gate[2] = {0, 1}, up[2] = {2, 3}, residual[2] = {10, 20};
  float y[2] = {};
  tileops::run(tileops::named_expression("swiglu_residual"),
               {ConstView(gate, {2}), ConstView(up, {2}), ConstView(residual, {2})}, {View(y, {2})});
  EXPECT(y[0] == 10 && std::fabs(y[1] - (3 / (1 + std::exp(-1.0)) + 20)) < 1e-5);
  const tileops::Error unknown = thrown([] { tileops::named_expression("no_such"); });
  EXPECT(unknown.status() == TILEOPS_STATUS_INVALID_ARGUMENT && has(unknown, "there is no expression 'no_such'"));
  EXPECT(has(thrown([] { tileops::named_expression(nullptr); }), "name: is NULL"));
}

template <class F>
std::string built(F&& build) {
  ExprBuilder b;
  build(b);
  return b.finish().text();
}

// Texts as parts of what is built, and operands that are not of their shapes.
void parts() {
  const Expr norm = tileops::named_expression("add_rms_norm"), softmax = tileops::named_expression("softmax");
  const Expr own("(a, b = 2; s = 1.0) -> a * b + s");
  EXPECT(built([&](ExprBuilder& b) {
           const Node x = b.operand("x"), r = b.operand("r");
           const tileops::Called sum = norm(x, r, tileops::absent, 1e-5);
           EXPECT(sum.size() == 2);
           b.result(silu(softmax(sum[0])) + own(x, 3));
           b.result(sum[1], "h");
         }) == Expr("(x, r) -> { y, h = add_rms_norm(x, r, eps = 1e-5); silu(softmax(y)) + (x * 3 + 1.0), h }").text());
  EXPECT(built([&](ExprBuilder& b) { b.result(b.call(own, {b.operand("x"), 4, b.scalar("s", 0.5)})); }) ==
         Expr("(x; s = 0.5) -> x * 4 + s").text());
  // Of several results none is the value, and there is no third one.
  EXPECT(has(thrown([&] { built([&](ExprBuilder& b) { b.result(norm(b.operand("x"), 1)); }); }), "is no node of this"));
  EXPECT(
      has(thrown([&] { built([&](ExprBuilder& b) { b.result(norm(b.operand("x"), 1)[2]); }); }), "is no node of this"));
  const struct {
    const char *name, *said;
    std::vector<int64_t> x, y;
  } wrong[] = {{"cross_entropy", "label: extent -1 is 8, the text says 1: label[..b, 1]", {8, 16}, {8}},
               {"cross_entropy_mean", "label: extent -1 is 8, the text says 1: label[..b, 1]", {8, 16}, {8}},
               {"token_logprob", "label: its leading extents are (1, 8), the text says (8)", {8, 16}, {1, 8, 1}},
               {"mse", "target: its leading extents are (4), the text says (4, 1): target[..b]", {4, 1}, {4}},
               {"bce_logits", "target: its leading extents are (4, 1), the text says (4): target[..b]", {4}, {4, 1}}};
  const float x[128] = {};
  const int64_t label[8] = {};
  float y[64] = {};
  for (const auto& w : wrong) {
    const bool labels = w.said[0] == 'l';
    EXPECT(has(thrown([&] {
                 tileops::run(tileops::named_expression(w.name),
                              {ConstView(x, w.x), labels ? ConstView(label, w.y) : ConstView(x, w.y)}, {View(y, {8})});
               }),
               w.said));
  }
}

void builders() {
  EXPECT(built([](ExprBuilder& b) {
           const Node x = b.operand("x"), w = b.operand("w", 1), s = b.scalar("s", 0.5), n = b.scalar("n", 3);
           b.result(2.0 * x + w - 1 / (x % 3.0) * -s);
           b.result((1 - n) * x, "out");
           b.result(x, "x");
         }) ==
         Expr("(x, w = 1; s = 0.5, n = 3) -> { out = (1 - n) * x; 2.0 * x + w - 1 / (x % 3.0) * -s, out, x }").text());
  EXPECT(built([](ExprBuilder& b) {
           const Node x = b.operand("x"), y = b.operand("y");
           b.result((x < 0) & ~((y >= x) | true));
           b.result(clamp(maximum(where(x == y, x, y), 1), tileops::absent, 2.5));
           b.result(cast(cast(fma(chunk(x, 0, 2), y, 1.0), tileops::bfloat16), x));
           b.result(index(x, -1) * extent(x, -2) + cast(dropout_mask(x, 0.5, 1, 2), tileops::int32));
           b.result(concat(every(x, 0, 2), every(x, 1, 2), every(y, 0, 2)));
           b.result(where(1 != x, y == 3, 2 <= y));
         }) == Expr("(x, y) -> (x < 0) & ~((y >= x) | true), clamp(maximum(where(x == y, x, y), 1), max = 2.5),"
                    "cast(cast(fma(chunk(x, 0, 2), y, 1.0), bf16), x),"
                    "index(x, -1) * extent(x, -2) + cast(dropout_mask(x, 0.5, 1, 2), i32),"
                    "concat(every(x, 0, 2), every(x, 1, 2), every(y, 0, 2)), where(1 != x, y == 3, 2 <= y)")
                   .text());
  EXPECT(built([](ExprBuilder& b) {
           const Node x = b.operand("x"), alpha = b.scalar("alpha", 2.0);
           b.result(gelu(x, attr(tileops::op("gelu"), "approximate", "tanh")));
           b.result(b.apply(tileops::op("leaky_relu"), {x}, {attr("negative_slope", 0.2)}));
           b.result(add(x, x, alpha));
           b.result(cast(x, tileops::float8_e8m0fnu, attr("rounding", TILEOPS_ROUNDING_UP)));
           b.result(b.constant(2) * b.constant(1.5) + x);
         }) == Expr("(x; alpha = 2.0) -> gelu(x, tanh), leaky_relu(x, 0.2), add(x, x, alpha),"
                    "cast(x, e8m0fnu, rounding = up), 2 * 1.5 + x")
                   .text());
}

// Every function that the library has can be called here, and the others tell why not.
void functions() {
  ExprBuilder b;
  const Node x = b.operand("x");
  std::vector<std::string> named;
#define TILEOPS_OP(id, NAME, name, ...) \
  name(x);                              \
  named.push_back(#name);
#define TILEOPS_FUNCTION TILEOPS_OP
#include <tileops/functions.def>
#include <tileops/ops.def>
#undef TILEOPS_FUNCTION
#undef TILEOPS_OP
  EXPECT(named.size() > tileops_function_count() && tileops_function_count() >= 60);
  for (size_t i = 0; i < tileops_function_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    EXPECT(tileops_function_describe(tileops_function_at(i), &info) == TILEOPS_STATUS_OK);
    bool found = false;
    for (const std::string& name : named) found = found || name == info.name;
    if (!found) std::fprintf(stderr, "no function %s\n", info.name), ++failures;
  }
}

void wrong_calls() {
  const auto refused = [](auto&& build) { return thrown([&] { built(build); }); };
  EXPECT(has(refused([](ExprBuilder&) {}), "results: there are none"));
  EXPECT(has(refused([](ExprBuilder& b) { b.result(exp(b.operand("2x"))); }), "'2x' is no name"));
  EXPECT(has(refused([](ExprBuilder& b) { b.result(b.operand(nullptr)); }), "name: is NULL"));
  EXPECT(has(refused([](ExprBuilder& b) { b.result(b.scalar("s", true)); }), "scalar 's' is bool"));
  EXPECT(has(refused([](ExprBuilder& b) { b.result(exp(b.operand("x"), 1, 2, 3)); }), "exp takes at most 1 argument"));
  EXPECT(has(refused([](ExprBuilder& b) { b.result(maximum(b.operand("x"), tileops::float32)); }), "'dtype'"));
  EXPECT(has(refused([](ExprBuilder& b) { b.result(prelu(b.operand("x"), 1)); }), "where(x > 0, x, weight * x)"));
  ExprBuilder other;
  const Node x = other.operand("x");
  EXPECT(has(refused([&](ExprBuilder& b) { b.result(b.operand("x") + x); }), "argument 2 is no node of this builder"));
  EXPECT(has(refused([&](ExprBuilder& b) { b.result(x); }), "result 0: is no node of this builder"));
}

void plans() {
  const float x[4] = {1, 2, 3, 4}, mask[2] = {0.5f, -0.5f};
  double h[4] = {};
  bool over[4] = {};
  const ConstView in(x, {2, 2}), add(mask, {2});
  View out(h, {2, 2}), bools(over, {2, 2});
  const Expr expr("(x, mask = 0; a = 2.0, n = 0) -> { h = x * a + mask + n; h, h > 3 }");
  const Plan plan(expr, {in, add}, {out, bools});
  plan.execute({in, add}, {out, bools});
  EXPECT(h[0] == 2.5 && h[3] == 7.5 && !over[0] && over[1]);
  plan.execute_with({in, add}, {out, bools}, {10.0});
  EXPECT(h[0] == 10.5 && h[3] == 39.5);
  plan.execute_with({in, add}, {out, bools}, {Number(), 1});
  EXPECT(h[0] == 3.5 && h[3] == 8.5);
  plan.execute_with({in, add}, {out, bools}, expr.scalars({{"n", 2}}));
  EXPECT(h[0] == 4.5 && h[3] == 9.5);
  tileops::run(expr, {in}, {out, bools}, expr.scalars({{"n", -1}, {"a", 1.0}}));
  EXPECT(h[0] == 0 && h[3] == 3 && !over[3]);
  EXPECT(has(thrown([&] { plan.execute_with({in, add}, {out, bools}, {1.0, 2.5}); }), "'n'"));
  EXPECT(has(thrown([&] { plan.execute_with({in, add}, {out, bools}, {1.0, 2, 3}); }), "num_scalars"));
  EXPECT(has(thrown([&] { expr.scalars({{"b", 1}}); }), "no scalar named b"));
  EXPECT(has(thrown([&] { expr.scalars({{"n", 1}, {"n", 1}}); }), "given twice: n"));

  const tileops::ResultInfo first = tileops::infer(expr, {in, add}), second = tileops::infer(expr, {in, add}, 1);
  EXPECT(first.shape == tileops::Dims({2, 2}) && first.dtype.code == kDLFloat && second.dtype.code == kDLBool);
  EXPECT(thrown([&] { tileops::infer(expr, {in, ConstView(x, {3})}); }).offset() == 47);

  // By a descriptor, with flags; the plan outlives the expression.
  const int64_t shape[1] = {2};
  const tileops_tensor_desc described{tileops::float32, 1, shape, nullptr};
  Expr square("(x) -> x * x");
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &described;
  desc.flags = TILEOPS_PLAN_REPRODUCIBLE;
  desc.expr = square;
  const Plan early(desc);
  square = Expr();
  float y[2] = {};
  early.execute({ConstView(x, {2})}, {View(y, {2})});
  EXPECT(y[0] == 1 && y[1] == 4);
}

void many_operands() {
  std::string names, sums;
  std::vector<ConstView> in;
  std::vector<View> out;
  std::vector<float> x(33), y(16);
  for (size_t i = 0; i < 32; ++i) {
    x[i] = static_cast<float>(i);
    names += (i ? ", x" : "x") + std::to_string(i);
    if (i % 2) sums += (i > 1 ? ", x" : "x") + std::to_string(i - 1) + " + x" + std::to_string(i);
    in.emplace_back(&x[i], tileops::Dims{1});
  }
  for (float& v : y) out.emplace_back(&v, tileops::Dims{1});
  const Expr expr("(" + names + ") -> " + sums);
  tileops::run(expr, in, out);
  for (size_t i = 0; i < 16; ++i) EXPECT(y[i] == static_cast<float>(4 * i + 1));
  in.emplace_back(&x[32], tileops::Dims{1});
  EXPECT(has(thrown([&] { tileops::run(expr, in, out); }), "got 33"));
}

void gradients() {
  const Expr expr("(x, w; a = 3.0) -> a * x * x * w"), gradient = expr.gradient({"x"});
  EXPECT(gradient.describe().num_operands == 3 && !std::strcmp(gradient.describe().results[0], "grad_x"));
  const float x[2] = {1, -2}, w[2] = {0.5f, 1}, g[2] = {1, 10};
  float y[2] = {};
  tileops::run(gradient, {ConstView(x, {2}), ConstView(w, {2}), ConstView(g, {2})}, {View(y, {2})});
  EXPECT(y[0] == 3 && y[1] == -120);
  EXPECT(has(thrown([&] { expr.gradient({"v"}); }), "no operand named v"));
  EXPECT(thrown([&] { expr.gradient({"x", "x"}); }).status() == TILEOPS_STATUS_INVALID_ARGUMENT);
}

void threads() {
  const Expr expr("(x; a = 1.0) -> x * a + 1");
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  const Plan plan(expr, {ConstView(x, {3})}, {View(y, {3})});
  std::vector<std::thread> all;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    all.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        float own[3] = {};
        const Expr shared = expr.retain();
        plan.execute_with({ConstView(x, {3})}, {View(own, {3})}, shared.scalars({{"a", static_cast<double>(i)}}));
        wrong[t] += own[2] != static_cast<float>(3 * i + 1);
        // Errors belong to their thread.
        const std::string text = std::string(t, ' ') + "(x) -> nope(x)";
        wrong[t] += thrown([&] { Expr e(text); }).offset() != static_cast<int32_t>(t) + 7;
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  for (int n : wrong) EXPECT(n == 0);
}

}  // namespace

int hpp_expr_test() {
  try {
    texts();
    named();
    builders();
    parts();
    functions();
    wrong_calls();
    plans();
    many_operands();
    gradients();
    threads();
  } catch (const tileops::Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.status_name(), error.what());
    return 1;
  }
  return failures != 0;
}
