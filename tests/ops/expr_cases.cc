#include "expr_cases.h"

#include <cmath>

namespace optest {
namespace {

using V = const std::vector<Traced>&;
using R = std::vector<Traced>;

constexpr Dt F16 = Dt::kF16, BF16 = Dt::kBF16, F32 = Dt::kF32, F64 = Dt::kF64, I8 = Dt::kI8, U8 = Dt::kU8,
             I32 = Dt::kI32, I64 = Dt::kI64, E4M3 = Dt::kE4M3, E5M2 = Dt::kE5M2, E8M0 = Dt::kE8M0, BOOL = Dt::kBool;

Traced Where(const Traced& c, const Traced& x, const Traced& y) { return Apply("where", {c, x, y}); }
Traced Fma(const Traced& a, const Traced& b, const Traced& c) { return Apply("fma", {a, b, c}); }

R Gated(V v) { return {Apply("silu", {v[0]}) * v[1] + v[2]}; }

R Causal(V v, const Traced& mask, double scale, int past) {
  const Traced& x = v[0];
  const Traced seen = Apply("le", {Index(x, -1), Index(x, -2) + Number(past)});
  return {Where(seen, x * Number(scale) + mask, Number(-HUGE_VAL))};
}

R AdamW(V v) {
  const double lr = 0.002, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 3;
  const Traced &p = v[0], &g = v[1], &m = v[2], &s = v[3];
  const Traced n = Apply("lerp", {m, g, HostNumber(1 - b1)});
  const Traced q = s * Number(b2) + g * g * HostNumber(1 - b2);
  const Traced root = Apply("sqrt", {q / HostNumber(1 - std::pow(b2, t))});
  return {p * HostNumber(1 - lr * wd) - HostNumber(lr / (1 - std::pow(b1, t))) * n / (root + Number(eps)), n, q};
}

R Dropped(V v) {
  const double p = 0.25;
  const Traced h = Apply("gelu", {v[0] + v[1]}), k = DropoutMask(h, p, 42, 3);
  return {Where(k, h / HostNumber(1 - p), Number(0)) + v[2], k};
}

R ClampedGate(V v) {
  const double alpha = 1.702, limit = 7;
  const Traced g = Apply("minimum", {Every(v[0], 0, 2), Number(limit)});
  const Traced u = Apply("clamp", {Every(v[0], 1, 2), Number(-limit), Number(limit)});
  return {g * Apply("sigmoid", {Number(alpha) * g}) * (u + Number(1))};
}

R Rotated(V v) {
  const Traced a = Chunk(v[0], 0, 2), b = Chunk(v[0], 1, 2);
  return {Concat(Fma(a, v[1], -(b * v[2])), Fma(b, v[1], a * v[2]))};
}

}  // namespace

const std::vector<ExprCase>& ExprCases() {
  static const auto* all = new std::vector<ExprCase>{
      {"(g, u, r) -> silu(g) * u + r", {{BF16, {3, 8}}, {BF16, {3, 8}}, {BF16, {3, 8}}}, {}, Gated},
      {"(g, u, r) -> silu(g) * u + r", {{F32, {3, 8}}, {F32, {3, 1}}, {F32, {8}}}, {}, Gated},
      {"(x, r, w = 1; eps = 1e-6) -> { h = x + r;  h * rsqrt(h * h + eps) * w,  h }",
       {{F16, {2, 6}}, {F16, {2, 6}}, {F16, {}, 1, 1, false, false}},
       {},
       [](V v) -> R {
         const Traced h = v[0] + v[1];
         return {h * Apply("rsqrt", {h * h + Number(1e-6)}) * Number(1), h};
       }},
      {"(x, r, w = 1; eps = 1e-6) -> { h = x + r;  h * rsqrt(h * h + eps) * w,  h }",
       {{F32, {2, 6}}, {F32, {2, 6}}, {F32, {6}, 0.5, 2}},
       {{"eps", 0.5}},
       [](V v) -> R {
         const Traced h = v[0] + v[1];
         return {h * Apply("rsqrt", {h * h + Number(0.5)}) * v[2], h};
       }},
      {"(x, b, r; p = 0.1, seed = 0, offset = 0) -> { h = gelu(x + b); k = dropout_mask(h, p, seed, offset);\n"
       "   where(k, h / (1 - p), 0) + r, k }",
       {{F16, {4, 6}}, {F16, {6}}, {F16, {4, 6}}},
       {{"p", 0.25}, {"seed", 42}, {"offset", 3}},
       Dropped},
      {"(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> { n = lerp(m, g, 1 - b1);\n"
       "   q = v * b2 + g * g * (1 - b2);\n"
       "   p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }",
       {{F32, {2, 9}, 0.5, 2}, {BF16, {2, 9}, 0.1, 1}, {F32, {2, 9}, 0.1, 1}, {F32, {2, 9}, 0.1, 1}},
       {{"lr", 0.002}, {"t", 3}},
       AdamW},
      {"(x; alpha = 1.702, limit = 7.0) -> { g = minimum(every(x, 0, 2), limit);\n"
       "   u = clamp(every(x, 1, 2), -limit, limit);  g * sigmoid(alpha * g) * (u + 1) }",
       {{BF16, {2, 16}, -9, 9}},
       {},
       ClampedGate},
      {"(x, cos, sin) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat(fma(a, cos, -(b * sin)), fma(b, cos, a * "
       "sin)) }",
       {{F32, {2, 3, 8}}, {F32, {3, 4}, -1, 1}, {F32, {3, 4}, -1, 1}},
       {},
       Rotated},
      {"(x, mask = 0; scale = 1.0, past = 0) -> where(index(x, -1) <= index(x, -2) + past, x * scale + mask, -inf)",
       {{F32, {2, 4, 6}}},
       {{"scale", 0.125}, {"past", 2}},
       [](V v) { return Causal(v, Number(0), 0.125, 2); }},
      {"(x, mask = 0; scale = 1.0, past = 0) -> where(index(x, -1) <= index(x, -2) + past, x * scale + mask, -inf)",
       {{BF16, {2, 4, 6}}, {BF16, {4, 6}}},
       {},
       [](V v) { return Causal(v, v[1], 1, 0); }},
      {"(x, s) -> cast(x / s, e4m3fn), s  # quantise by scales of rows",
       {{BF16, {3, 8}, -300, 300, true}, {F32, {3, 1}, 0.5, 2}},
       {},
       [](V v) -> R { return {Cast(v[0] / v[1], E4M3), v[1]}; }},
      {"(x, a) -> { s = cast(a / 448, e8m0fnu, rounding = up); cast(x / s, e4m3fn), s }",
       {{BF16, {3, 8}}, {F32, {3, 1}, 1, 3}},
       {},
       [](V v) -> R {
         const Traced s = Cast(v[1] / Number(448), E8M0, 3);
         return {Cast(v[0] / s, E4M3), s};
       }},
      {"(q, s; zero = 0) -> (cast(q, i32) - zero) * s",
       {{I8, {3, 8}, -128, 127}, {F16, {3, 1}, 0.001, 0.1}},
       {{"zero", -7}},
       [](V v) -> R { return {(Cast(v[0], I32) - Number(-7)) * v[1]}; }},
      {"(x, s) -> x * s",
       {{E5M2, {2, 8}, -3, 3, true}, {E8M0, {2, 1}, 0.1, 8}},
       {},
       [](V v) -> R { return {v[0] * v[1]}; }},
      {"(a, b) -> a // b, a % b, a / b, -a",
       {{I32, {3, 5}, -100, 100, true}, {I32, {5}, 1, 12}},
       {},
       [](V v) -> R { return {Apply("floor_divide", {v[0], v[1]}), v[0] % v[1], v[0] / v[1], -v[0]}; }},
      {"(a, b) -> (a & b) | ~a, a & 15",
       {{U8, {20}, 0, 100, true}, {U8, {20}, 0, 100, true}},
       {},
       [](V v) -> R { return {(v[0] & v[1]) | ~v[0], v[0] & Number(15)}; }},
      {"(x, on) -> (x > 0) & on, (x < 1) == (x >= -1), where(isnan(x), 0, x)",
       {{F16, {24}, -2, 2, true}, {BOOL, {24}}},
       {},
       [](V v) -> R {
         const Traced& x = v[0];
         return {Apply("gt", {x, Number(0)}) & v[1],
                 Apply("eq", {Apply("lt", {x, Number(1)}), Apply("ge", {x, Number(-1)})}),
                 Where(Apply("isnan", {x}), Number(0), x)};
       }},
      {"(x, y) -> cast(cast(x * y, bf16) + y, bf16)",
       {{BF16, {2, 12}, -3, 3, true}, {BF16, {2, 12}, -3, 3, true}},
       {},
       [](V v) -> R { return {Cast(Cast(v[0] * v[1], BF16) + v[1], BF16)}; }},
      {"(x, y; a = 0.5) -> exp(-a * x) * cos(y), x ** 2 + sqrt(abs(y))",
       {{F64, {3, 4}}, {F64, {4}}},
       {{"a", 0.3}},
       [](V v) -> R {
         return {Apply("exp", {Number(-0.3) * v[0]}) * Apply("cos", {v[1]}),
                 Apply("pow", {v[0], Number(2)}) + Apply("sqrt", {Apply("abs", {v[1]})})};
       }},
      {"(x; n = 3) -> x + n, n * 2, index(x, -1) * extent(x, -2)",
       {{I64, {2, 5}, -1000, 1000, true}},
       {{"n", 40}},
       [](V v) -> R {
         Traced twice = Number(80);
         twice.number = false;
         return {v[0] + Number(40), twice, Index(v[0], -1) * Extent(v[0], -2)};
       }},
      {"(a, b) -> { s = a + b;  s, a * 2, tanh(b) }",
       {{F32, {3, 1}}, {BF16, {4}}},
       {},
       [](V v) -> R { return {v[0] + v[1], v[0] * Number(2), Apply("tanh", {v[1]})}; }},
      {"(a, b) -> interleave(exp2(a), log2(b))",
       {{F32, {2, 6}}, {F32, {2, 6}, 0.1, 9}},
       {},
       [](V v) -> R { return {Interleave(Apply("exp2", {v[0]}), Apply("log2", {v[1]}))}; }},
      {"(x, w) -> lerp(x, 1, w), gelu(x, approximate = tanh)",
       {{BF16, {2, 8}, 1, 3}, {F32, {}, 0.2, 0.8}},
       {},
       [](V v) -> R { return {Apply("lerp", {v[0], Number(1), v[1]}), Apply("gelu", {v[0]}, {{"approximate", 1}})}; }},
  };
  return *all;
}

}  // namespace optest
