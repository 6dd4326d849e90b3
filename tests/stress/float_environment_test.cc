// Expressions and plans are made in the library's floating-point environment, whatever a program has set on its thread:
// under traps, other roundings and flushing of subnormal numbers the same texts, to the bit of each folded number, the
// same messages and frequencies, and the program's environment is the same after each call. Each environment is tried
// in a process of its own, where it meets tables that are made on first use. Operators on many elements are looked at
// in tests/ops/float_environment_test.cc.
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include "text_of_child.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace stress {
namespace {

// Rounding, traps and flushing, without the flags of what has happened.
unsigned long Environment() {
#if defined(__SSE2__)
  unsigned short x87;
  asm volatile("fnstcw %0" : "=m"(x87));
  return (_mm_getcsr() & ~0x3fu) | static_cast<unsigned long>(x87) << 32;
#elif defined(__aarch64__)
  unsigned long fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
#else
  return static_cast<unsigned long>(fegetround());
#endif
}

// What calls give, as text. Nothing is computed here: that would raise the signals itself.
class Calls {
 public:
  std::string all() {
    Tables();
    for (size_t i = 0; i < tileops_function_count(); ++i) Folded(tileops_function_at(i));
    for (const char* text : {"(x) -> x * 0.1 + 1e-310 + 1e-400 + 0.1 * 3.0 + 1e308 * 10.0 + 1.0 / 3.0 + 1.0 / 0.0",
                             "(x; s = 0.3, t = 1e-320) -> exp(x * s) + 2.0 ** 0.5 - s / t + gelu(x, tanh) ** 3.0",
                             "(x, w = 0.7) -> { h = clamp(x, -0.1, 1 / 3.0); h * w + sqrt(-1.0) + 5e-324 / 2.0, h }"})
      Text(text);
    for (size_t i = 0; i < tileops_expr_named_count(); ++i) {
      tileops_named_expr_info info = TILEOPS_NAMED_EXPR_INFO_INIT;
      Check(tileops_expr_named_at(i, &info));
      tileops_expr* expr = nullptr;
      Check(tileops_expr_named(info.name, &expr));
      Take(expr);
    }
    Generated();
    return all_;
  }

 private:
  void Check(int status) {
    all_ += std::to_string(status) + (status ? tileops_last_error() : "") + "\n";
    if (Environment() != environment_) all_ += "the environment is another\n";
  }

  void Number(const tileops_number& n) {
    uint64_t bits;
    std::memcpy(&bits, &n.value, sizeof bits);
    all_ += std::to_string(n.kind) + ":" + std::to_string(bits) + "\n";
  }

  void Take(tileops_expr* expr) {
    char text[4096];
    size_t size = sizeof text;
    Check(tileops_expr_text(expr, text, &size));
    all_ += std::string(text, size) + "\n";
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    Check(tileops_expr_describe(expr, &info));
    for (int i = 0; i < info.num_operands; ++i) Number(info.operands[i].default_value);
    for (int i = 0; i < info.num_scalars; ++i) Number(info.scalars[i].default_value);
    Check(tileops_expr_retain(expr));
    tileops_expr_destroy(expr);
    tileops_expr_destroy(expr);
    Check(0);
  }

  void Text(const char* text) {
    tileops_expr *expr = nullptr, *gradient = nullptr;
    Check(tileops_expr_parse(text, std::strlen(text), &expr));
    const int32_t operand = 0;
    Check(tileops_expr_gradient(expr, &operand, 1, &gradient));
    if (gradient) Take(gradient);
    Take(expr);
  }

  void Tables() {
    all_ += std::to_string(tileops_op_count()) + tileops_build_info();
    Check(static_cast<int>(tileops_op_from_name("gelu")));
    for (size_t i = 0; i < tileops_op_count(); ++i) {
      tileops_op_info info = TILEOPS_OP_INFO_INIT;
      Check(tileops_op_describe(tileops_op_at(i), &info));
      all_ += info.details;
    }
    Check(static_cast<int>(tileops_function_from_name("fma")));
  }

  // A function of numbers, each one that it may take, is a number in the text.
  void Folded(tileops_op op) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    Check(tileops_function_describe(op, &info));
    const tileops_number numbers[] = {
        tileops_number_f64(0.1),       tileops_number_f64(-3.7),      tileops_number_f64(0.0),
        tileops_number_f64(1e308),     tileops_number_f64(5e-324),    tileops_number_f64(-1e-310),
        tileops_number_f64(NAN),       tileops_number_f64(-INFINITY), tileops_number_i64(0),
        tileops_number_i64(INT64_MIN), tileops_number_i64(-1),        tileops_number_bool(1)};
    for (const tileops_number& a : numbers) {
      for (const tileops_number& b : numbers) {
        tileops_builder* builder = nullptr;
        Check(tileops_builder_create(&builder));
        tileops_node nodes[4] = {tileops_build_constant(builder, a), tileops_build_constant(builder, b),
                                 tileops_build_constant(builder, tileops_number_f64(0.3)),
                                 tileops_build_scalar(builder, "s", tileops_number_f64(0.7))};
        Check(0);
        tileops_build_operand(builder, "x", &a);
        const tileops_attr attr = tileops_attr_f64(info.num_attrs > 0 ? info.attrs[0].key : 0, 0.1);
        const size_t count = static_cast<size_t>(info.min_inputs < 4 ? info.min_inputs : 4);
        const tileops_node made = tileops_build_op(builder, op, nodes, count, &attr, b.kind == TILEOPS_NUMBER_BOOL);
        Check(made);
        tileops_build_result(builder, made, nullptr);
        tileops_expr* expr = nullptr;
        Check(tileops_builder_finish(builder, &expr));
        if (expr) Take(expr);
        tileops_builder_destroy(builder);
      }
    }
  }

  // Operators with frequencies or slopes, which are computed when they are planned.
  void Generated() {
    int64_t shape[] = {1, 4, 2, 32};
    static uint32_t x[256], y[256];
    for (uint32_t& v : x) v = 0x3f8ccccd;  // 1.1
    const DLTensor in{x, {kDLCPU, 0}, 4, {kDLFloat, 32, 1}, shape, nullptr, 0};
    const DLTensor* ins[] = {&in};
    DLTensor out = in;
    DLTensor* outs[] = {&out};
    out.data = y;
    for (const tileops_op op : {TILEOPS_OP_ROPE_NEOX, TILEOPS_OP_ROPE_LLAMA31, TILEOPS_OP_ROPE_YARN, TILEOPS_OP_ALIBI,
                                TILEOPS_OP_SINUSOIDAL}) {
      const bool reads = op != TILEOPS_OP_ALIBI && op != TILEOPS_OP_SINUSOIDAL;
      out.ndim = op == TILEOPS_OP_SINUSOIDAL ? 2 : op == TILEOPS_OP_ALIBI ? 3 : 4;
      out.shape = shape + 4 - out.ndim;
      tileops_plan* plan = nullptr;
      Check(tileops_plan_create_like(nullptr, op, ins, reads, outs, 1, nullptr, 0, &plan));
      if (!plan) all_ += "there is no plan\n";
      Check(tileops_execute(plan, ins, reads, outs, 1, nullptr));
      for (const uint32_t v : y) all_ += std::to_string(v) + " ";
      tileops_plan_destroy(plan);
    }
  }

  const unsigned long environment_ = Environment();
  std::string all_;
};

// What calls give in a process in which `set` was called.
std::string InChild(const std::function<void()>& set) {
  return text_of_child([&] {
    fenv_t usual;
    fegetenv(&usual);
    set();
    const std::string all = Calls().all();
    fesetenv(&usual);
    return all;
  });
}

void ExpectNothingChanges(const std::function<void()>& set) {
  const std::string want = InChild([] {}), got = InChild(set);
  EXPECT_GT(want.size(), 100000u);
  for (const char* wrong : {"the environment is another", "there is no plan"})
    EXPECT_EQ(want.find(wrong), std::string::npos) << wrong;
  if (got == want) return;
  size_t at = 0;
  while (at < got.size() && at < want.size() && got[at] == want[at]) ++at;
  at = at < 200 ? 0 : at - 200;
  ADD_FAILURE() << "got ..." << got.substr(at, 400) << "\nneed ..." << want.substr(at, 400);
}

TEST(FloatEnvironment, Rounding) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) ExpectNothingChanges([mode] { fesetround(mode); });
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST(FloatEnvironment, Traps) {
  ExpectNothingChanges([] {
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
  });
}
#endif

#if defined(__SSE2__)
TEST(FloatEnvironment, Flushing) {
  ExpectNothingChanges([] { _mm_setcsr(_mm_getcsr() | 0x8040); });
}

// The precision of long double, as some programs set it.
TEST(FloatEnvironment, Precision) {
  ExpectNothingChanges([] {
    const unsigned short single = 0x007f;
    asm volatile("fldcw %0" : : "m"(single));
  });
}
#endif

}  // namespace
}  // namespace stress
