// Expressions: wrong calls, wrong texts, wrong plans of them; each with its exact message, texts with their place.
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#include "plan_test.h"
#include "wrong_texts.h"

namespace bad_input {
namespace {

struct ExprRow {
  const char* op;    // the function
  const char* what;  // is wrong
  tileops_status status;
  const char* message;  // after "<function>: "
  std::function<tileops_status()> call;
};

std::ostream& operator<<(std::ostream& s, const ExprRow& row) { return s << row.op << ": " << row.what; }

constexpr DLDataType kF32{2, 32, 1};

tileops_expr* parsed(const char* text) {
  tileops_expr* expr = nullptr;
  EXPECT_EQ(TILEOPS_STATUS_OK, tileops_expr_parse(text, std::strlen(text), &expr)) << tileops_last_error();
  return expr;
}

tileops_expr* dead_expr() {
  tileops_expr* expr = parsed("(x) -> x + 1");
  tileops_expr_destroy(expr);
  tileops_expr_destroy(expr);  // ignored
  return expr;
}

// What happens between create and finish; the first error is told then, and there is no expression.
tileops_status build(const std::function<void(tileops_builder*, tileops_node)>& calls) {
  tileops_builder* b = nullptr;
  tileops_builder_create(&b);
  const tileops_node x = tileops_build_operand(b, "x", nullptr);
  calls(b, x);
  auto* out = reinterpret_cast<tileops_expr*>(1);
  const tileops_status status = tileops_builder_finish(b, &out);
  EXPECT_EQ(nullptr, out);
  // It sticks.
  EXPECT_EQ(0, tileops_build_operand(b, "later", nullptr));
  EXPECT_EQ(0, tileops_build_constant(b, tileops_number_i64(1)));
  tileops_builder_destroy(b);
  return status;
}

// op(arguments), and what it gives as the result.
tileops_status applied(tileops_op op, const std::vector<int>& arguments, const std::vector<tileops_attr>& attrs = {}) {
  return build([&](tileops_builder* b, tileops_node x) {
    std::vector<tileops_node> nodes;
    for (const int a : arguments) nodes.push_back(a == 1 ? x : a);
    tileops_build_result(b, tileops_build_op(b, op, nodes.data(), nodes.size(), attrs.data(), attrs.size()), nullptr);
  });
}

// The expression that the library knows by that name.
tileops_expr* Named(const char* name) {
  tileops_expr* expr = nullptr;
  EXPECT_EQ(TILEOPS_STATUS_OK, tileops_expr_named(name, &expr));
  return expr;
}

// A named text of arguments as `applied` has them, and what it gives as the result.
tileops_status called(const char* name, const std::vector<int>& arguments, bool with_results = true) {
  return build([&](tileops_builder* b, tileops_node x) {
    tileops_expr* expr = Named(name);
    std::vector<tileops_node> nodes;
    for (const int a : arguments) nodes.push_back(a == 1 ? x : a);
    tileops_node results[TILEOPS_MAX_EXPR_OUTPUTS] = {7};
    tileops_build_expr(b, expr, nodes.data(), nodes.size(), with_results ? results : nullptr);
    if (with_results && nodes.size() <= 2) {
      EXPECT_EQ(0, results[0]);
    }
    tileops_expr_destroy(expr);
  });
}

// A plan of a text with "f32[2,3] -> f32[2,3]" as bad_input writes operands, one part changed.
tileops_status plan(
    const char* text, const char* operands,
    const std::function<void(tileops_plan_desc*)>& change = [](tileops_plan_desc*) {}) {
  tileops_expr* expr = parsed(text);
  const Call call("add", operands, "");
  Desc desc(call);
  desc.desc.op = TILEOPS_OP_NONE;
  desc.desc.expr = expr;
  change(&desc.desc);
  auto* out = reinterpret_cast<tileops_plan*>(1);
  const tileops_status checked = tileops_plan_check(nullptr, &desc.desc);
  const tileops_status status = tileops_plan_create(nullptr, &desc.desc, &out);
  EXPECT_EQ(checked, status);
  EXPECT_EQ(nullptr, out);
  tileops_expr_destroy(expr);
  return status;
}

// An execute of (x, w = 2; s = 1.5, n = 3) -> x * w * s + n on f32[4], one part changed; nothing may be written.
using Run = std::function<tileops_status(const tileops_plan*, const tileops_execute_args*)>;
tileops_status execute(const std::function<void(tileops_execute_args*)>& change, bool live = true,
                       const Run& run = tileops_execute_with) {
  tileops_expr* expr = parsed("(x, w = 2; s = 1.5, n = 3) -> x * w * s + n");
  float x[4] = {1, 2, 3, 4}, y[4] = {7, 7, 7, 7};
  int64_t shape[] = {4};
  DLTensor in{x, {kDLCPU, 0}, 1, kF32, shape, nullptr, 0}, out = in;
  out.data = y;
  const DLTensor* ins[] = {&in};
  DLTensor* outs[] = {&out};
  tileops_plan* p = nullptr;
  EXPECT_EQ(TILEOPS_STATUS_OK, tileops_plan_create_like_expr(nullptr, expr, ins, 1, outs, 1, &p))
      << tileops_last_error();
  tileops_expr_destroy(expr);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.inputs = ins;
  args.outputs = outs;
  change(&args);
  if (!live) tileops_plan_destroy(p);
  const tileops_status status = run(p, &args);
  if (live) tileops_plan_destroy(p);
  for (const float v : y) EXPECT_EQ(7, v);
  return status;
}

// A part of that execute.
tileops_status execute_part(
    uint32_t phase, uint32_t part, uint32_t parts,
    const std::function<void(tileops_execute_args*)>& change = [](auto*) {}, bool live = true) {
  return execute(change, live, [=](const tileops_plan* p, const tileops_execute_args* args) {
    return tileops_execute_part(p, args, phase, part, parts);
  });
}

// Addresses of one operand and of one result, whose contents do not matter.
float g_operand[4], g_result[4];
const void* const kOneOperand[] = {g_operand};
void* const kOneResult[] = {g_result};
void by_address(tileops_execute_args* args) {
  args->inputs = nullptr;
  args->outputs = nullptr;
  args->input_ptrs = kOneOperand;
  args->output_ptrs = kOneResult;
}

template <class T>
struct Newer {
  T known;
  char more[16] = {};
  explicit Newer(T value) : known(value) {
    known.struct_size = sizeof *this;
    more[15] = 1;
  }
};

tileops_number kind(int32_t k) {
  tileops_number n = tileops_number_i64(1);
  n.kind = k;
  return n;
}

const char kOk[] = "(x) -> x + 1";

// clang-format off: a row a line
const ExprRow kRows[] = {
    {"tileops_expr_parse", "out NULL", kInvalid, "out: is NULL", [] { return tileops_expr_parse(kOk, sizeof kOk - 1, nullptr); }},
    {"tileops_expr_parse", "text NULL", kInvalid, "text: is NULL", [] { tileops_expr* e; return tileops_expr_parse(nullptr, 3, &e); }},
    {"tileops_expr_retain", "NULL", kInvalid, "expr: is NULL", [] { return tileops_expr_retain(nullptr); }},
    {"tileops_expr_retain", "destroyed", kInvalid, "expr: is not a live expression (already destroyed?)", [] { return tileops_expr_retain(dead_expr()); }},
    {"tileops_expr_named", "name NULL", kInvalid, "name: is NULL", [] { tileops_expr* e; return tileops_expr_named(nullptr, &e); }},
    {"tileops_expr_named", "unknown", kInvalid, "name: there is no expression 'no_such'", [] { tileops_expr* e; return tileops_expr_named("no_such", &e); }},
    {"tileops_expr_named", "out NULL", kInvalid, "out: is NULL", [] { return tileops_expr_named("adamw", nullptr); }},
    {"tileops_expr_named_at", "info NULL", kInvalid, "info: is NULL", [] { return tileops_expr_named_at(0, nullptr); }},
    {"tileops_expr_describe", "NULL", kInvalid, "expr: is NULL", [] { tileops_expr_info i = TILEOPS_EXPR_INFO_INIT; return tileops_expr_describe(nullptr, &i); }},
    {"tileops_expr_describe", "destroyed", kInvalid, "expr: is not a live expression (already destroyed?)", [] { tileops_expr_info i = TILEOPS_EXPR_INFO_INIT; return tileops_expr_describe(dead_expr(), &i); }},
    {"tileops_expr_node", "NULL", kInvalid, "expr: is NULL", [] { tileops_node_info i = TILEOPS_NODE_INFO_INIT; return tileops_expr_node(nullptr, 1, &i); }},
    {"tileops_expr_node", "destroyed", kInvalid, "expr: is not a live expression (already destroyed?)", [] { tileops_node_info i = TILEOPS_NODE_INFO_INIT; return tileops_expr_node(dead_expr(), 1, &i); }},
    {"tileops_expr_node", "info NULL", kInvalid, "info: is NULL", [] { tileops_expr* e = parsed(kOk); auto s = tileops_expr_node(e, 1, nullptr); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_node", "struct_size 0", kInvalid, "info: struct_size is too small (got 0, need sizeof(struct), at least 8)", [] { tileops_expr* e = parsed(kOk); tileops_node_info i{}; auto s = tileops_expr_node(e, 1, &i); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_describe", "info NULL", kInvalid, "info: is NULL", [] { tileops_expr* e = parsed(kOk); auto s = tileops_expr_describe(e, nullptr); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_describe", "struct_size 0", kInvalid, "info: struct_size is too small (got 0, need sizeof(struct), at least 8)", [] { tileops_expr* e = parsed(kOk); tileops_expr_info i{}; auto s = tileops_expr_describe(e, &i); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_describe", "newer struct", TILEOPS_STATUS_VERSION, "info: struct_size is larger than this library's and the rest is not zero (got 72, know 56)", [] { tileops_expr* e = parsed(kOk); Newer<tileops_expr_info> n(TILEOPS_EXPR_INFO_INIT); auto s = tileops_expr_describe(e, &n.known); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_text", "destroyed", kInvalid, "expr: is not a live expression (already destroyed?)", [] { size_t n = 0; return tileops_expr_text(dead_expr(), nullptr, &n); }},
    {"tileops_expr_text", "size NULL", kInvalid, "size: is NULL", [] { tileops_expr* e = parsed(kOk); auto s = tileops_expr_text(e, nullptr, nullptr); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_text", "no room for the NUL", TILEOPS_STATUS_BUFFER_TOO_SMALL, "buf: is too small (got 12 bytes, need 13)", [] { tileops_expr* e = parsed(kOk); char b[12]; size_t n = 12; auto s = tileops_expr_text(e, b, &n); EXPECT_EQ(13u, n); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_gradient", "out NULL", kInvalid, "out: is NULL", [] { int32_t i = 0; tileops_expr* e = parsed(kOk); auto s = tileops_expr_gradient(e, &i, 1, nullptr); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_gradient", "destroyed", kInvalid, "expr: is not a live expression (already destroyed?)", [] { int32_t i = 0; tileops_expr* g; return tileops_expr_gradient(dead_expr(), &i, 1, &g); }},
    {"tileops_expr_gradient", "operands NULL", kInvalid, "operands: is NULL", [] { tileops_expr *e = parsed(kOk), *g; auto s = tileops_expr_gradient(e, nullptr, 1, &g); EXPECT_EQ(nullptr, g); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_gradient", "more than there are", kInvalid, "num_operands: the expression has fewer (got 2, need at most 1)", [] { int32_t i[] = {0, 0}; tileops_expr *e = parsed(kOk), *g; auto s = tileops_expr_gradient(e, i, 2, &g); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_gradient", "index -1", kInvalid, "operands[0]: the expression has no such operand (got -1, need 0 to 0)", [] { int32_t i = -1; tileops_expr *e = parsed(kOk), *g; auto s = tileops_expr_gradient(e, &i, 1, &g); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_gradient", "twice", kInvalid, "operands[1]: is given twice (got 0)", [] { int32_t i[] = {0, 0}; tileops_expr *e = parsed("(x, y) -> x * y"), *g; auto s = tileops_expr_gradient(e, i, 2, &g); tileops_expr_destroy(e); return s; }},
    {"tileops_expr_gradient", "none", kInvalid, "num_operands: is 0 (need at least 1)", [] { tileops_expr *e = parsed(kOk), *g; auto s = tileops_expr_gradient(e, nullptr, 0, &g); tileops_expr_destroy(e); return s; }},

    {"tileops_builder_create", "out NULL", kInvalid, "out: is NULL", [] { return tileops_builder_create(nullptr); }},
    {"tileops_builder_finish", "builder NULL", kInvalid, "builder: is NULL", [] { tileops_expr* e; return tileops_builder_finish(nullptr, &e); }},
    {"tileops_builder_finish", "out NULL", kInvalid, "out: is NULL", [] { tileops_builder* b; tileops_builder_create(&b); auto s = tileops_builder_finish(b, nullptr); tileops_builder_destroy(b); return s; }},
    {"tileops_builder_finish", "no results", kInvalid, "results: there are none", [] { return build([](auto*, auto) {}); }},
    {"tileops_builder_finish", "name of an operand NULL", kInvalid, "tileops_build_operand: name: is NULL", [] { return build([](auto* b, auto) { EXPECT_EQ(0, tileops_build_operand(b, nullptr, nullptr)); }); }},
    {"tileops_builder_finish", "empty name", kInvalid, "tileops_build_operand: '' is no name", [] { return build([](auto* b, auto) { tileops_build_operand(b, "", nullptr); }); }},
    {"tileops_builder_finish", "name with a blank", kInvalid, "tileops_build_operand: 'a b' is no name", [] { return build([](auto* b, auto) { tileops_build_operand(b, "a b", nullptr); }); }},
    {"tileops_builder_finish", "reserved name", kInvalid, "tileops_build_operand: 'nan' is no name", [] { return build([](auto* b, auto) { tileops_build_operand(b, "nan", nullptr); }); }},
    {"tileops_builder_finish", "a name twice", kInvalid, "tileops_build_scalar: 'x' is bound twice", [] { return build([](auto* b, auto) { tileops_build_scalar(b, "x", tileops_number_i64(1)); }); }},
    {"tileops_builder_finish", "scalar of bool", kInvalid, "tileops_build_scalar: scalar 's' is bool (need an integer or a float)", [] { return build([](auto* b, auto) { tileops_build_scalar(b, "s", tileops_number_bool(1)); }); }},
    {"tileops_builder_finish", "scalar without a default", kInvalid, "tileops_build_scalar: value: has an unknown kind (got 0, need TILEOPS_NUMBER_F64, _I64 or _BOOL)", [] { return build([](auto* b, auto) { tileops_build_scalar(b, "s", kind(0)); }); }},
    {"tileops_builder_finish", "name of a scalar NULL", kInvalid, "tileops_build_scalar: name: is NULL", [] { return build([](auto* b, auto) { tileops_build_scalar(b, nullptr, tileops_number_i64(1)); }); }},
    {"tileops_builder_finish", "constant of kind 4", kInvalid, "tileops_build_constant: value: has an unknown kind (got 4, need TILEOPS_NUMBER_F64, _I64 or _BOOL)", [] { return build([](auto* b, auto) { tileops_build_constant(b, kind(4)); }); }},
    {"tileops_builder_finish", "default of kind -1", kInvalid, "tileops_build_operand: value: has an unknown kind (got -1, need TILEOPS_NUMBER_F64, _I64 or _BOOL)", [] { return build([](auto* b, auto) { const tileops_number n = kind(-1); tileops_build_operand(b, "w", &n); }); }},
    {"tileops_builder_finish", "result of no node", kInvalid, "tileops_build_result: result 0: is no node of this builder (got 0)", [] { return build([](auto* b, auto) { tileops_build_result(b, 0, nullptr); }); }},
    {"tileops_builder_finish", "result of a later node", kInvalid, "tileops_build_result: result 0: is no node of this builder (got 7)", [] { return build([](auto* b, auto) { tileops_build_result(b, 7, nullptr); }); }},
    {"tileops_builder_finish", "result of node -1", kInvalid, "tileops_build_result: result 0: is no node of this builder (got -1)", [] { return build([](auto* b, auto) { tileops_build_result(b, -1, nullptr); }); }},
    {"tileops_builder_finish", "two results of a name", kInvalid, "tileops_build_result: results 0 and 1 are both 'y'", [] { return build([](auto* b, auto x) { tileops_build_result(b, x, "y"); tileops_build_result(b, x, "y"); }); }},
    {"tileops_builder_finish", "a result's name for an operand", kInvalid, "tileops_build_operand: 'w' is bound twice: it is the name of result 0", [] { return build([](auto* b, auto x) { tileops_build_result(b, x, "w"); tileops_build_operand(b, "w", nullptr); }); }},
    {"tileops_builder_finish", "a result's name for a scalar", kInvalid, "tileops_build_scalar: 'w' is bound twice: it is the name of result 0", [] { return build([](auto* b, auto x) { tileops_build_result(b, x, "w"); tileops_build_scalar(b, "w", tileops_number_i64(1)); }); }},
    {"tileops_builder_finish", "an operand's name for a result", kInvalid, "tileops_build_result: result 'w' has the name of an operand or scalar and is another value", [] { return build([](auto* b, auto x) { tileops_build_operand(b, "w", nullptr); tileops_build_result(b, x, "w"); }); }},
    {"tileops_builder_finish", "the first call that failed", kInvalid, "tileops_build_op: exp: 'x' is missing", [] { return build([](auto* b, auto) { tileops_build_op(b, TILEOPS_OP_EXP, nullptr, 0, nullptr, 0); tileops_build_operand(b, "", nullptr); }); }},
    {"tileops_builder_finish", "no results, and a call after that", kInvalid, "results: there are none", [] { return build([](auto* b, auto x) { tileops_expr* e; EXPECT_EQ(kInvalid, tileops_builder_finish(b, &e)); tileops_build_result(b, x, nullptr); }); }},
    {"tileops_builder_finish", "two names of a dtype", kInvalid, "cast: 'f16' and 'float16' are operands", [] { return build([](auto* b, auto x) { tileops_build_operand(b, "f16", nullptr); tileops_build_operand(b, "float16", nullptr); const tileops_attr a = tileops_attr_i64(TILEOPS_ATTR_DTYPE, kDLFloat * 256 + 16); tileops_build_result(b, tileops_build_op(b, TILEOPS_OP_CAST, &x, 1, &a, 1), nullptr); }); }},
    {"tileops_builder_finish", "4097 functions", kInvalid, "tileops_build_op: an expression has at most 256 nodes, and 4096 with those that no result needs", [] { return build([](auto* b, auto x) { for (int i = 0; i < 5000; ++i) x = tileops_build_op(b, TILEOPS_OP_EXP, &x, 1, nullptr, 0); }); }},
    {"tileops_builder_finish", "257 functions that a result needs", kInvalid, "an expression has at most 256 nodes (got 257)", [] { return build([](auto* b, auto x) { for (int i = 0; i < 257; ++i) x = tileops_build_op(b, TILEOPS_OP_EXP, &x, 1, nullptr, 0); tileops_build_result(b, x, nullptr); }); }},
    {"tileops_builder_finish", "a text NULL", kInvalid, "tileops_build_expr: expr: is NULL", [] { return build([](auto* b, auto x) { tileops_node y; tileops_build_expr(b, nullptr, &x, 1, &y); }); }},
    {"tileops_builder_finish", "a text that is gone", kInvalid, "tileops_build_expr: expr: is not a live expression (already destroyed?)", [] { return build([](auto* b, auto x) { tileops_node y; tileops_expr* gone = Named("softcap"); tileops_expr_destroy(gone); tileops_build_expr(b, gone, &x, 1, &y); }); }},
    {"tileops_builder_finish", "results of a text NULL", kInvalid, "tileops_build_expr: results: is NULL", [] { return called("softcap", {1}, false); }},
    {"tileops_builder_finish", "a text's arguments NULL", kInvalid, "tileops_build_expr: arguments: is NULL", [] { return build([](auto* b, auto) { tileops_node y; tileops_expr* e = Named("softcap"); tileops_build_expr(b, e, nullptr, 1, &y); tileops_expr_destroy(e); }); }},
    {"tileops_builder_finish", "too many arguments of a text", kInvalid, "tileops_build_expr: num_arguments: is too large (got 3, need at most 2)", [] { return called("softcap", {1, 0, 0}); }},
    {"tileops_builder_finish", "a text without its operand", kInvalid, "tileops_build_expr: expr: 'x' is missing", [] { return called("softcap", {0}); }},
    {"tileops_builder_finish", "a text of a node that is none", kInvalid, "tileops_build_expr: expr: argument 1 is no node of this builder (got 77)", [] { return called("softcap", {77}); }},
    {"tileops_builder_finish", "a tensor for a text's scalar", kInvalid, "tileops_build_expr: expr: 'cap' takes a number (got a tensor)", [] { return called("softcap", {1, 1}); }},
    {"tileops_builder_finish", "a node below 0 for a text", kInvalid, "tileops_build_expr: expr: argument 2 is no node of this builder (got -1)", [] { return called("softcap", {1, -1}); }},
    {"tileops_builder_finish", "unknown function", kInvalid, "tileops_build_op: op: unknown function (got 32767)", [] { return applied(TILEOPS_OP_RESERVED_MAX, {1}); }},
    {"tileops_builder_finish", "function 0", kInvalid, "tileops_build_op: op: unknown function (got 0)", [] { return applied(TILEOPS_OP_NONE, {1}); }},
    {"tileops_builder_finish", "function -5", kInvalid, "tileops_build_op: op: unknown function (got -5)", [] { return applied(-5, {1}); }},
    {"tileops_builder_finish", "operator that maps no elements", kUnsupported, "tileops_build_op: rope_neox: is no function of single elements: it is executed as an operator alone", [] { return applied(TILEOPS_OP_ROPE_NEOX, {1}); }},
    {"tileops_builder_finish", "reduction of nothing", kInvalid, "tileops_build_op: sum: 'x' is missing", [] { return applied(TILEOPS_OP_SUM, {0}); }},
    {"tileops_builder_finish", "an argument too few", kInvalid, "tileops_build_op: add: 'b' is missing", [] { return applied(TILEOPS_OP_ADD, {1}); }},
    {"tileops_builder_finish", "no arguments", kInvalid, "tileops_build_op: exp: 'x' is missing", [] { return applied(TILEOPS_OP_EXP, {}); }},
    {"tileops_builder_finish", "an argument too many", kInvalid, "tileops_build_op: exp: 'fp8_overflow' takes a number (got a tensor)", [] { return applied(TILEOPS_OP_EXP, {1, 1}); }},
    {"tileops_builder_finish", "arguments NULL", kInvalid, "tileops_build_op: arguments: is NULL", [] { return build([](auto* b, auto) { tileops_build_op(b, TILEOPS_OP_EXP, nullptr, 1, nullptr, 0); }); }},
    {"tileops_builder_finish", "attrs NULL", kInvalid, "tileops_build_op: attrs: is NULL", [] { return build([](auto* b, auto x) { tileops_build_op(b, TILEOPS_OP_EXP, &x, 1, nullptr, 1); }); }},
    {"tileops_builder_finish", "21 arguments", kInvalid, "tileops_build_op: num_arguments: is too large (got 21, need at most 20)", [] { return applied(TILEOPS_OP_CONCAT, std::vector<int>(21, 1)); }},
    {"tileops_builder_finish", "13 attributes", kInvalid, "tileops_build_op: num_attrs: is too large (got 13, need at most 12)", [] { return applied(TILEOPS_OP_EXP, {1}, std::vector<tileops_attr>(13)); }},
    {"tileops_builder_finish", "node of the future", kInvalid, "tileops_build_op: exp: argument 1 is no node of this builder (got 9)", [] { return applied(TILEOPS_OP_EXP, {9}); }},
    {"tileops_builder_finish", "negative node", kInvalid, "tileops_build_op: exp: argument 1 is no node of this builder (got -3)", [] { return applied(TILEOPS_OP_EXP, {-3}); }},
    {"tileops_builder_finish", "attribute of another", kInvalid, "tileops_build_op: exp has no attribute 'alpha' (key 1)", [] { return applied(TILEOPS_OP_EXP, {1}, {tileops_attr_f64(TILEOPS_ATTR_ALPHA, 1)}); }},
    {"tileops_builder_finish", "unknown attribute", kInvalid, "tileops_build_op: exp has no attribute '?' (key 99)", [] { return applied(TILEOPS_OP_EXP, {1}, {tileops_attr_f64(99, 1)}); }},
    {"tileops_builder_finish", "attribute twice", kInvalid, "tileops_build_op: add: 'alpha' is given twice", [] { return applied(TILEOPS_OP_ADD, {1, 1}, {tileops_attr_f64(TILEOPS_ATTR_ALPHA, 1), tileops_attr_f64(TILEOPS_ATTR_ALPHA, 2)}); }},
    {"tileops_builder_finish", "kind of an attribute", kInvalid, "tileops_build_op: attrs[0]: has an unknown kind (got 9, need TILEOPS_ATTR_F64 or TILEOPS_ATTR_I64)", [] { tileops_attr a = tileops_attr_f64(TILEOPS_ATTR_ALPHA, 1); a.kind = 9; return applied(TILEOPS_OP_ADD, {1, 1}, {a}); }},
    {"tileops_builder_finish", "choice out of range", kInvalid, "tileops_build_op: gelu: 'approximate' is not a choice (got 2, need 0 to 1 for none|tanh)", [] { return applied(TILEOPS_OP_GELU, {1}, {tileops_attr_i64(TILEOPS_ATTR_APPROXIMATE, 2)}); }},
    {"tileops_builder_finish", "dtype that is none", kInvalid, "tileops_build_op: attrs: 'dtype' is no dtype (got 1297, need DLPack's code * 256 + bits)", [] { return applied(TILEOPS_OP_CAST, {1}, {tileops_attr_i64(TILEOPS_ATTR_DTYPE, 5 * 256 + 17)}); }},
    {"tileops_builder_finish", "dtype negative", kInvalid, "tileops_build_op: attrs: 'dtype' is no dtype (got -1, need DLPack's code * 256 + bits)", [] { return applied(TILEOPS_OP_CAST, {1}, {tileops_attr_i64(TILEOPS_ATTR_DTYPE, -1)}); }},
    {"tileops_builder_finish", "dtype beyond 16 bits", kInvalid, "tileops_build_op: attrs: 'dtype' is no dtype (got 66080, need DLPack's code * 256 + bits)", [] { return applied(TILEOPS_OP_CAST, {1}, {tileops_attr_i64(TILEOPS_ATTR_DTYPE, 65536 + 2 * 256 + 32)}); }},
    {"tileops_builder_finish", "dtype as a float", kInvalid, "tileops_build_op: attrs: 'dtype' is no dtype (got 2, need DLPack's code * 256 + bits)", [] { return applied(TILEOPS_OP_CAST, {1}, {tileops_attr_f64(TILEOPS_ATTR_DTYPE, 2)}); }},
    {"tileops_builder_finish", "no dtype", kInvalid, "tileops_build_op: cast: 'dtype' is missing", [] { return applied(TILEOPS_OP_CAST, {1}); }},
    {"tileops_builder_finish", "finished before", kInvalid, "builder: is finished", [] { tileops_builder* b; tileops_builder_create(&b); const tileops_node x = tileops_build_operand(b, "x", nullptr); tileops_build_result(b, x, nullptr); tileops_expr* e; EXPECT_EQ(TILEOPS_STATUS_OK, tileops_builder_finish(b, &e)); tileops_expr_destroy(e); auto s = tileops_builder_finish(b, &e); EXPECT_EQ(nullptr, e); tileops_builder_destroy(b); return s; }},
    {"tileops_function_describe", "unknown", kInvalid, "function: unknown (got 0)", [] { tileops_op_info i = TILEOPS_OP_INFO_INIT; return tileops_function_describe(0, &i); }},
    {"tileops_function_describe", "out NULL", kInvalid, "info: is NULL", [] { return tileops_function_describe(TILEOPS_OP_FMA, nullptr); }},

    {"tileops_plan_create", "an operator beside it", kInvalid, "op: is given beside expr (got 201, need TILEOPS_OP_NONE)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->op = TILEOPS_OP_ADD; }); }},
    {"tileops_plan_create", "attributes", kInvalid, "num_attrs: an expression has none (got 1)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->num_attrs = 1; }); }},
    {"tileops_plan_create", "no operands", kInvalid, "num_inputs: wrong number for the expression (got 0, need 1)", [] { return plan(kOk, "-> f32[2]"); }},
    {"tileops_plan_create", "an operand too many", kInvalid, "num_inputs: wrong number for the expression (got 3, need 1 to 2)", [] { return plan("(x, w = 1) -> x * w", "f32[2] f32[2] f32[2] -> f32[2]"); }},
    {"tileops_plan_create", "33 operands", kInvalid, "num_inputs: is out of range (got 33, need 0 to 32)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->num_inputs = 33; }); }},
    {"tileops_plan_create", "operands INT_MIN", kInvalid, "num_inputs: is out of range (got -2147483648, need 0 to 32)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->num_inputs = INT_MIN; }); }},
    {"tileops_plan_create", "17 results", kInvalid, "num_outputs: is out of range (got 17, need 0 to 16)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->num_outputs = 17; }); }},
    {"tileops_plan_create", "a result too few", kInvalid, "num_outputs: wrong number for the expression (got 1, need 2)", [] { return plan("(x) -> x, -x", "f32[2] -> f32[2]"); }},
    {"tileops_plan_create", "operands NULL", kInvalid, "inputs: is NULL (need 1 descriptors)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->inputs = nullptr; }); }},
    {"tileops_plan_create", "results NULL", kInvalid, "outputs: is NULL (need 1 descriptors)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->outputs = nullptr; }); }},
    {"tileops_plan_create", "an operand absent", kInvalid, "inputs[0]: is absent, but operand 'x' has no default", [] { return plan("(x, w = 1) -> x * w", "- f32[2] -> f32[2]"); }},
    {"tileops_plan_create", "a result absent", kInvalid, "outputs[1]: is absent, but is a result of the expression, 'y1'", [] { return plan("(x) -> x, -x", "f32[2] -> f32[2] -"); }},
    {"tileops_plan_create", "shape of a result", kInvalid, "outputs[0]: shape is wrong (got (3,), need (2,)) for the result 'y0'", [] { return plan(kOk, "f32[2] -> f32[3]"); }},
    {"tileops_plan_create", "a result is broadcast", kInvalid, "outputs[1]: shape is wrong (got (2, 3), need (3,)) for the result 'y1'", [] { return plan("(x, w) -> x * w, w + 1", "f32[2,3] f32[3] -> f32[2,3] f32[2,3]"); }},
    {"tileops_plan_create", "complex operand", kUnsupported, "inputs[0]: dtype is not supported (got DLDataType{code=5, bits=64, lanes=1})", [] { return plan(kOk, "dl(5/64/1)[2] -> f32[2]"); }},
    {"tileops_plan_create", "scales", kUnsupported, "outputs[0]: only a cast gives this dtype (got float8_e8m0fnu, and the result 'y0' is float32)", [] { return plan(kOk, "f32[2] -> e8m0fnu[2]"); }},
    {"tileops_plan_create", "result with stride 0", kInvalid, "outputs[0]: two elements share an address (shape (2,), strides (0,))", [] { return plan(kOk, "f32[2] -> f32[2]{0}"); }},
    {"tileops_plan_create", "expression destroyed", kInvalid, "expr: is not a live expression (already destroyed?)", [] { return plan(kOk, "f32[2] -> f32[2]", [](auto* d) { d->expr = dead_expr(); }); }},
    {"tileops_plan_create_like_expr", "out NULL", kInvalid, "out: is NULL", [] { return tileops_plan_create_like_expr(nullptr, nullptr, nullptr, 0, nullptr, 0, nullptr); }},
    {"tileops_plan_create_like_expr", "expression NULL", kInvalid, "expr: is NULL", [] { tileops_plan* p; return tileops_plan_create_like_expr(nullptr, nullptr, nullptr, 0, nullptr, 0, &p); }},
    {"tileops_plan_create_like_expr", "33 operands", kInvalid, "num_inputs: is too large (got 33, need at most 32)", [] { tileops_plan* p; tileops_expr* e = parsed(kOk); auto s = tileops_plan_create_like_expr(nullptr, e, nullptr, 33, nullptr, 0, &p); tileops_expr_destroy(e); return s; }},
    {"tileops_plan_create_like_expr", "17 results", kInvalid, "num_outputs: is too large (got 17, need at most 16)", [] { tileops_plan* p; tileops_expr* e = parsed(kOk); auto s = tileops_plan_create_like_expr(nullptr, e, nullptr, 0, nullptr, 17, &p); tileops_expr_destroy(e); return s; }},

    {"tileops_execute_with", "args NULL", kInvalid, "args: is NULL", [] { return tileops_execute_with(nullptr, nullptr); }},
    {"tileops_execute_with", "plan destroyed", kInvalid, "plan: is not a live plan (already destroyed?)", [] { return execute([](auto*) {}, false); }},
    {"tileops_execute_with", "struct_size 0", kInvalid, "args: struct_size is too small (got 0, need sizeof(struct), at least 8)", [] { return execute([](auto* a) { a->struct_size = 0; }); }},
    {"tileops_execute_with", "struct_size absurd", TILEOPS_STATUS_VERSION, "args: struct_size is larger than this library's and the rest is not zero (got 4294967288, know 96)", [] { return execute([](auto* a) { a->struct_size = 4294967288u; }); }},
    {"tileops_execute_with", "scalars NULL", kInvalid, "scalars: is NULL", [] { return execute([](auto* a) { a->num_scalars = 1; }); }},
    {"tileops_execute_with", "a scalar too many", kInvalid, "num_scalars: the expression has fewer (got 3, need at most 2)", [] { static const tileops_number s[3] = {}; return execute([](auto* a) { a->num_scalars = 3, a->scalars = s; }); }},
    {"tileops_execute_with", "scalars UINT32_MAX", kInvalid, "num_scalars: is too large (got 4294967295, need at most 32)", [] { static const tileops_number s[3] = {}; return execute([](auto* a) { a->num_scalars = UINT32_MAX, a->scalars = s; }); }},
    {"tileops_execute_with", "half an integer", kInvalid, "scalars[1]: 'n' must be an integer (got 0.5)", [] { static const tileops_number s[] = {{}, tileops_number_f64(0.5)}; return execute([](auto* a) { a->num_scalars = 2, a->scalars = s; }); }},
    {"tileops_execute_with", "bool for a scalar", kInvalid, "scalars[0]: 's' takes no bool (need a float or an integer)", [] { static const tileops_number s[] = {tileops_number_bool(1)}; return execute([](auto* a) { a->num_scalars = 1, a->scalars = s; }); }},
    {"tileops_execute_with", "kind of a scalar", kInvalid, "scalars[0]: 's' has an unknown kind (got 7, need a float or an integer)", [] { static const tileops_number s[] = {kind(7)}; return execute([](auto* a) { a->num_scalars = 1, a->scalars = s; }); }},
    {"tileops_execute_with", "inputs NULL", kInvalid, "inputs: is NULL", [] { return execute([](auto* a) { a->inputs = nullptr; }); }},
    {"tileops_execute_with", "outputs NULL", kInvalid, "outputs: is NULL", [] { return execute([](auto* a) { a->outputs = nullptr; }); }},
    {"tileops_execute_with", "no inputs", kInvalid, "num_inputs: differs from the plan (got 0, need 1)", [] { return execute([](auto* a) { a->num_inputs = 0; }); }},
    {"tileops_execute_with", "outputs UINT32_MAX", kInvalid, "num_outputs: differs from the plan (got 4294967295, need 1)", [] { return execute([](auto* a) { a->num_outputs = UINT32_MAX; }); }},
    {"tileops_execute_with", "workspace NULL", kInvalid, "workspace: is NULL (8 bytes)", [] { return execute([](auto* a) { a->workspace_bytes = 8; }); }},
    {"tileops_execute_with", "tensors and addresses", kInvalid, "inputs: is not NULL, and input_ptrs is not either: an execute takes tensors or addresses", [] { return execute([](auto* a) { a->input_ptrs = kOneOperand, a->output_ptrs = kOneResult; }); }},
    {"tileops_execute_with", "tensors in, addresses out", kInvalid, "outputs: is not NULL, and output_ptrs is not either: an execute takes tensors or addresses", [] { return execute([](auto* a) { a->inputs = nullptr, a->output_ptrs = kOneResult; }); }},
    {"tileops_execute_with", "input_ptrs NULL", kInvalid, "input_ptrs: is NULL", [] { return execute([](auto* a) { a->inputs = nullptr, a->outputs = nullptr, a->output_ptrs = kOneResult; }); }},
    {"tileops_execute_with", "output_ptrs NULL", kInvalid, "output_ptrs: is NULL", [] { return execute([](auto* a) { a->inputs = nullptr, a->outputs = nullptr, a->input_ptrs = kOneOperand; }); }},
    {"tileops_execute_with", "address of an input NULL", kInvalid, "input_ptrs[0]: is NULL", [] { static const void* const none[] = {nullptr}; return execute([](auto* a) { by_address(a), a->input_ptrs = none; }); }},
    {"tileops_execute_with", "address of an output NULL", kInvalid, "output_ptrs[0]: is NULL", [] { static void* const none[] = {nullptr}; return execute([](auto* a) { by_address(a), a->output_ptrs = none; }); }},
    {"tileops_execute_with", "addresses, one too many", kInvalid, "num_inputs: differs from the plan (got 2, need 1)", [] { return execute([](auto* a) { by_address(a), a->num_inputs = 2; }); }},
    {"tileops_execute_with", "addresses, half an integer", kInvalid, "scalars[1]: 'n' must be an integer (got 0.5)", [] { static const tileops_number s[] = {{}, tileops_number_f64(0.5)}; return execute([](auto* a) { by_address(a), a->num_scalars = 2, a->scalars = s; }); }},
    {"tileops_execute_with", "addresses, workspace beside 64 bytes", kInvalid, "workspace: is not aligned (got address % 64 = 1, need 0)", [] { alignas(64) static char memory[128]; return execute([](auto* a) { by_address(a), a->workspace = memory + 1, a->workspace_bytes = 64; }); }},
    {"tileops_execute_with", "stream on the CPU", kInvalid, "stream: must be NULL for a CPU plan", [] { return execute([](auto* a) { a->stream = a; }); }},
    {"tileops_execute_part", "args NULL", kInvalid, "args: is NULL", [] { return tileops_execute_part(nullptr, nullptr, 0, 0, 1); }},
    {"tileops_execute_part", "plan NULL", kInvalid, "plan: is NULL", [] { static const tileops_execute_args a = TILEOPS_EXECUTE_ARGS_INIT; return tileops_execute_part(nullptr, &a, 0, 0, 1); }},
    {"tileops_execute_part", "plan destroyed", kInvalid, "plan: is not a live plan (already destroyed?)", [] { return execute_part(0, 0, 1, [](auto*) {}, false); }},
    {"tileops_execute_part", "phase beyond the last", kInvalid, "phase: is out of range (got 1, need less than the plan's 1)", [] { return execute_part(1, 0, 1); }},
    {"tileops_execute_part", "phase UINT32_MAX", kInvalid, "phase: is out of range (got 4294967295, need less than the plan's 1)", [] { return execute_part(UINT32_MAX, 0, 1); }},
    {"tileops_execute_part", "no parts", kInvalid, "parts: is 0 (part 3)", [] { return execute_part(0, 3, 0); }},
    {"tileops_execute_part", "part beyond the last", kInvalid, "part: is out of range (got 4, need less than parts, 4)", [] { return execute_part(0, 4, 4); }},
    {"tileops_execute_part", "part UINT32_MAX", kInvalid, "part: is out of range (got 4294967295, need less than parts, 4294967295)", [] { return execute_part(0, UINT32_MAX, UINT32_MAX); }},
    {"tileops_execute_part", "inputs NULL", kInvalid, "inputs: is NULL", [] { return execute_part(0, 1, 2, [](auto* a) { a->inputs = nullptr; }); }},
    {"tileops_execute_part", "outputs UINT32_MAX", kInvalid, "num_outputs: differs from the plan (got 4294967295, need 1)", [] { return execute_part(0, 1, 2, [](auto* a) { a->num_outputs = UINT32_MAX; }); }},
    {"tileops_execute_part", "half an integer", kInvalid, "scalars[1]: 'n' must be an integer (got 0.5)", [] { static const tileops_number s[] = {{}, tileops_number_f64(0.5)}; return execute_part(0, 1, 2, [](auto* a) { a->num_scalars = 2, a->scalars = s; }); }},
    {"tileops_execute_part", "stream", kInvalid, "stream: must be NULL for a CPU plan", [] { return execute_part(0, 0, 1, [](auto* a) { a->stream = a; }); }},
};

// What is wrong with a text for these operands, and at which place in the text.
struct PlaceRow {
  const char *op, *operands;  // the text
  tileops_status status;
  int32_t offset;
  const char* message;  // the first line
};

std::ostream& operator<<(std::ostream& s, const PlaceRow& row) { return s << row.op << " of " << row.operands; }

const PlaceRow kPlaces[] = {
    {"(x, y) -> exp(x) + y", "f32[2] f32[3] -> f32[2]", kInvalid, 19, "add: argument 2: shape (3,) does not broadcast at axis 0 (got 3, need 1 or 2)"},
    {"(x) -> gelu(x) * 2", "i32[2] -> i32[2]", kUnsupported, 12, "gelu: argument 1: gelu does not take this dtype (got int32, need a float)"},
    {"(x, y) -> exp(x - y)", "i64[2] u64[2] -> f32[2]", kUnsupported, 18, "sub: argument 2: b (uint64) and int64 have no common dtype; cast one of them"},
    {"(x) -> x + 300", "u8[2] -> u8[2]", kInvalid, 11, "add: 300 is out of range for uint8"},
    {"(x) -> 1 + x * -200", "i8[2] -> i8[2]", kInvalid, 15, "mul: -200 is out of range for int8"},
    {"(x) -> chunk(x, 0, 2)", "f32[3] -> f32[1]", kInvalid, 7, "chunk: the last dimension must be divisible by 2 (got 3)"},
    {"(x) -> every(x, 0, 2)", "f32[] -> f32[]", kInvalid, 7, "every: a 0-d operand has no parts"},
    {"(x) -> x * index(x, -3)", "f32[2,3] -> f32[2,3]", kInvalid, 20, "index: 'axis' is out of range for 2 dimensions (got -3)"},
    {"(x) -> concat(x, x)", "f32[] -> f32[2]", kInvalid, 7, "concat: 0-d values cannot be joined"},
    {"(x, m) -> where(m, x, 0)", "f32[2] f32[2] -> f32[2]", kUnsupported, 16, "where: argument 1: cond has the wrong dtype (got float32, need bool)"},
    {"(x, w = 1) -> cast(x, w)", "f32[2] - -> f32[2]", kInvalid, 22, "cast: 'dtype' takes a dtype or an operand that is there (got a number)"},
    {"(x) -> round(x, 15)", "f32[2] -> f32[2]", kInvalid, 16, "round: 'decimals' is out of range for floats of at most 32 bits (got 15, need -10 to 10)"},
    {"(x) -> cast(x, f16, rounding = up)", "f32[2] -> f16[2]", kInvalid, 31, "cast: 'rounding' is for results of float8_e8m0fnu (got float16)"},
    {"(x; s = 0.5) -> add(x, x, s)", "i32[2] -> i32[2]", kInvalid, 26, "add: 'alpha' is a float, and add computes in int32 here"},
};
// clang-format on

class ExprCalls : public testing::TestWithParam<ExprRow> {};

TEST_P(ExprCalls, Refused) {
  const ExprRow& row = GetParam();
  EXPECT_STREQ(tileops_status_name(row.status), tileops_status_name(row.call()));
  const std::string error = tileops_last_error();
  EXPECT_EQ(std::string(row.op) + ": " + row.message, error.substr(0, error.find('\n')));
  EXPECT_EQ(-1, tileops_last_error_offset());
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, ExprCalls, testing::ValuesIn(kRows), name_of_row<ExprRow>);

TEST(ExprTexts, EachHasItsPlaceAndMessage) {
  for (const WrongText& w : kWrongTexts) {
    SCOPED_TRACE(w.text);
    auto* expr = reinterpret_cast<tileops_expr*>(1);
    EXPECT_EQ(w.status, tileops_expr_parse(w.text, std::strlen(w.text), &expr));
    EXPECT_EQ(nullptr, expr);
    EXPECT_EQ(w.offset, tileops_last_error_offset());
    const std::string error = tileops_last_error(), place = "text: byte " + std::to_string(w.offset) + ": ";
    EXPECT_EQ("tileops_expr_parse: " + place + w.message, error.substr(0, error.find('\n')));
  }
  // An error that is about no text takes the place away; success leaves it.
  EXPECT_EQ(kInvalid, tileops_plan_retain(nullptr));
  EXPECT_EQ(-1, tileops_last_error_offset());
  EXPECT_STREQ(nullptr, still_works());
}

class ExprPlaces : public testing::TestWithParam<PlaceRow> {};

// What is wrong with operands is told at the place of the text as well, by whoever looks.
TEST_P(ExprPlaces, OfOperands) {
  const PlaceRow& row = GetParam();
  tileops_expr* expr = parsed(row.op);
  const Call call("add", row.operands, "");
  Desc desc(call);
  desc.desc.op = TILEOPS_OP_NONE;
  desc.desc.expr = expr;
  tileops_plan* plan = nullptr;
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  for (const auto& [function, status] :
       {std::pair<const char*, tileops_status>{"tileops_plan_check", tileops_plan_check(nullptr, &desc.desc)},
        {"tileops_plan_create", tileops_plan_create(nullptr, &desc.desc, &plan)}}) {
    EXPECT_STREQ(tileops_status_name(row.status), tileops_status_name(status)) << function;
    EXPECT_EQ(row.offset, tileops_last_error_offset());
    const std::string error = tileops_last_error(), place = "text: byte " + std::to_string(row.offset) + ": ";
    EXPECT_EQ("tileops_plan_create: " + place + row.message, error.substr(0, error.find('\n')));
  }
  EXPECT_EQ(nullptr, plan);
  tileops_plan_infer(&desc.desc, 0, &dtype, &ndim, shape);
  tileops_expr_destroy(expr);
  EXPECT_STREQ(nullptr, still_works());
}

INSTANTIATE_TEST_SUITE_P(, ExprPlaces, testing::ValuesIn(kPlaces),
                         [](const auto& info) { return row_name(info.index, "text"); });

// Nothing is read of a text whose length cannot be: here there are 8 bytes of it before a page that may not be touched.
TEST(ExprTexts, LengthBeyondTheText) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* memory = static_cast<char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(MAP_FAILED, static_cast<void*>(memory));
  ASSERT_EQ(0, mprotect(memory + page, page, PROT_NONE));
  char* text = memory + page - 8;
  std::memcpy(text, "(x) -> x", 8);
  for (const size_t length : {SIZE_MAX, SIZE_MAX / 2, size_t{65537}}) {
    auto* expr = reinterpret_cast<tileops_expr*>(1);
    EXPECT_EQ(kInvalid, tileops_expr_parse(text, length, &expr));
    EXPECT_EQ(nullptr, expr);
    EXPECT_EQ(65536, tileops_last_error_offset());
    EXPECT_EQ(
        "tileops_expr_parse: text: byte 65536: a text has at most 65536 bytes (got " + std::to_string(length) + ")",
        std::string(tileops_last_error()));
  }
  munmap(memory, 2 * page);
}

// Functions without a status.
TEST(ExprText, NullIsIgnored) {
  tileops_expr_destroy(nullptr);
  tileops_builder_destroy(nullptr);
  EXPECT_EQ(0, tileops_build_operand(nullptr, "x", nullptr));
  EXPECT_EQ(0, tileops_build_scalar(nullptr, "x", tileops_number_i64(1)));
  EXPECT_EQ(0, tileops_build_constant(nullptr, tileops_number_i64(1)));
  EXPECT_EQ(0, tileops_build_op(nullptr, TILEOPS_OP_EXP, nullptr, 0, nullptr, 0));
  tileops_build_result(nullptr, 1, nullptr);
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_function_at(tileops_function_count()));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_function_from_name(nullptr));
  EXPECT_EQ(TILEOPS_OP_NONE, tileops_function_from_name("nothing"));
  EXPECT_STREQ(nullptr, still_works());
}

}  // namespace
}  // namespace bad_input
