// What CPU plans say of themselves (TILEOPS_PLAN_SOURCE): every executor something, a program each instruction.
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <regex>
#include <string>
#include <vector>

namespace tileops {
namespace {

constexpr DLDataType kF32{kDLFloat, 32, 1}, kF16{kDLFloat, 16, 1}, kBf16{kDLBfloat, 16, 1}, kI64{kDLInt, 64, 1};
using Extents = std::vector<int64_t>;

struct Tensor {
  DLDataType dtype;
  Extents shape, strides;  // none: row-major
  operator tileops_tensor_desc() const {
    return {dtype, static_cast<int32_t>(shape.size()), shape.data(), strides.empty() ? nullptr : strides.data()};
  }
};

struct Told {
  std::string strategy, source;
};

Told Tell(tileops_plan_desc desc, const std::vector<Tensor>& in, const std::vector<Tensor>& out) {
  const std::vector<tileops_tensor_desc> inputs(in.begin(), in.end()), outputs(out.begin(), out.end());
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.num_outputs = static_cast<int32_t>(outputs.size());
  desc.inputs = inputs.data();
  desc.outputs = outputs.data();
  tileops_context* context = nullptr;
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 1;
  EXPECT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_OK);
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create(context, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
  const auto query = [plan](tileops_plan_prop prop) {
    size_t size = 0;
    tileops_plan_query(plan, prop, nullptr, &size);
    std::string text(size, '\0');
    EXPECT_EQ(tileops_plan_query(plan, prop, text.data(), &size), TILEOPS_STATUS_OK);
    text.pop_back();
    return text;
  };
  Told told{query(TILEOPS_PLAN_STRATEGY), query(TILEOPS_PLAN_SOURCE)};
  tileops_plan_destroy(plan);
  tileops_context_destroy(context);
  return told;
}

Told Operator(tileops_op op, const std::vector<Tensor>& in, const Tensor& out) {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op;
  return Tell(desc, in, {out});
}

std::string Expression(const std::string& text, const std::vector<Tensor>& in, const std::vector<Tensor>& out) {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  tileops_expr* expr = nullptr;
  EXPECT_EQ(tileops_expr_parse(text.data(), text.size(), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
  desc.expr = expr;
  const std::string source = Tell(desc, in, out).source;
  tileops_expr_destroy(expr);
  return source;
}

void ExpectMatch(const std::string& source, const std::string& pattern) {
  EXPECT_TRUE(std::regex_search(source, std::regex(pattern))) << source << "\nlacks " << pattern;
}

TEST(CpuSource, EveryExecutor) {
  const Extents n{1000}, matrix{64, 512}, turned{1, 64};
  const auto expect = [](const Told& told, const char* strategy, const std::string& pattern) {
    EXPECT_EQ(told.strategy, strategy) << told.source;
    ExpectMatch(told.source, pattern);
    EXPECT_EQ(told.source.back(), '\n');
  };
  expect(Operator(TILEOPS_OP_EXP, {{kF32, n, {}}}, {kF32, n, {}}), "direct",
         "^direct: .*\n  output 0 f32 <- exp\\(input 0 f32\\) +; in f32\n$");
  expect(Operator(TILEOPS_OP_MUL, {{kBf16, n, {}}, {kBf16, n, {}}}, {kBf16, n, {}}), "half",
         "^direct: .*\n  output 0 bf16 <- mul\\(input 0 bf16, input 1 bf16\\) +; in f32, half loop: .*\n$");
  expect(Operator(TILEOPS_OP_MUL, {{kF32, matrix, {}}, {kF32, matrix, {1, 0}}}, {kF32, matrix, {}}), "rows",
         "^rows: .*own loop.*\n  output 0 f32 <- mul\\(");
  expect(Operator(TILEOPS_OP_POW, {{kF32, matrix, {}}, {kF32, matrix, {1, 0}}}, {kF32, matrix, {}}), "rows",
         "^rows: .*one row.*\n  output 0 f32 <- pow\\(");
  expect(Operator(TILEOPS_OP_MUL, {{kF32, matrix, {}}, {kF32, matrix, turned}}, {kF32, matrix, {}}), "tile",
         "^block: .*\n  load     input 0 f32 .*\n  load     input 1 f32 .*strided.*\n  compute  mul +;.*\n"
         "  store    output 0 f32 .*\n$");
  expect(Operator(TILEOPS_OP_EXP, {{kF32, n, {}}}, {kBf16, n, {}}), "block",
         "^block: .*\n.*\n  compute  exp .*\n  store    output 0 bf16 +; .*\n$");
  expect(Operator(TILEOPS_OP_EXP, {{{kDLFloat8_e4m3fn, 8, 1}, n, {}}}, {kF32, n, {}}), "table",
         "^table: .* 256 results.*\n  output 0 f32 <- exp\\(input 0 e4m3fn\\)");
  expect(Operator(TILEOPS_OP_CAST, {{kF32, n, {}}}, {kF16, n, {}}), "convert",
         "^convert: .*\n  output 0 f16 <- \\w+\\(input 0 f32\\)");
}

TEST(CpuSource, Program) {
  const Tensor f32{kF32, {16, 1024}, {}}, bf16{kBf16, {16, 1024}, {}};
  EXPECT_EQ(Expression("(g, u, r) -> silu(g) * u + r", {bf16, bf16, bf16}, {bf16}),
            R"(program: 16 tiles of 1024 elements; values in 4 slots of 4160 bytes
 0  load     s0 bf16 <- input 0 bf16         ; where it lies in memory
 1  compute  s1 f32 <- silu(s0)              ; in f32, inner: a short form, within 2^-20
 2  load     s0 bf16 <- input 1 bf16         ; where it lies in memory
 3  load     s2 bf16 <- input 2 bf16         ; where it lies in memory
 4  compute  s3 bf16 <- mul+add(s1, s0, s2)  ; in f32, mixed: converts 16-bit floats in registers; written to memory
 5  store    output 0 bf16 <- s3             ; there already
)");
  // What an operator rounds with a test, or a conversion, is so here.
  const std::string rounded = Expression("(x, y) -> cast(exp(x), f16) * y", {f32, f32}, {f32});
  ExpectMatch(rounded, "convert +s\\d f32 <- s\\d +; to f16 and back, rounded with a test");
  ExpectMatch(rounded, "compute +s\\d f32 <- mul\\(s\\d, s\\d\\) +; in f32.*written to memory");
  ExpectMatch(rounded, "store +output 0 f32 <- s\\d +; there already");
  // Operands that are repeated, lie apart or are no memory; two passes.
  const Tensor matrix{kF32, {64, 32}, {}}, row{kF32, {1, 32}, {}}, indices{kI64, {64, 32}, {}};
  const std::string layouts = Expression("(x, y; s = 2.0) -> x * s + y, index(x, -1) * 2, y + 1", {matrix, row},
                                         {matrix, indices, row});
  ExpectMatch(layouts, "^pass 0\nprogram: ");
  ExpectMatch(layouts, "\npass 1\n");
  ExpectMatch(layouts, "input 1 f32 +; one row repeated, copied");
  ExpectMatch(layouts, "index i64 +; the index of each element");
  ExpectMatch(layouts, "number 0 f64 +; one value repeated, converted");
  // Comparisons of indices, which another program makes where numbers are large.
  const std::string mask = Expression("(x; past = 0) -> where(index(x, -1) <= index(x, -2) + past, x, 0)", {f32},
                                      {f32});
  ExpectMatch(mask, "\nwhere one of the numbers 0 is 2\\^62 or more, instead\nprogram: ");
}

}  // namespace
}  // namespace tileops
