#include "texts.h"

namespace opentest {

std::vector<Text> TextsOfRows(int64_t n) {
  // (rows, n), (rows, n), (n)
  const auto of_rows = [n](const Extents& e) { return std::vector<Shape>{{e[0], n}, {e[0], n}, {n}}; };
  const auto of_columns = [n](const Extents& e) { return std::vector<Shape>{{e[0], n}, {e[0], 1}, {1, 1}}; };
  const std::vector<DLDataType> f32(3, kF32), bf16(3, kBf16);
  return {
      {"(x, u, w) -> silu(x) * u + w", 1, of_rows, f32},
      {"(x, u, w) -> silu(x) * u + w", 1, of_rows, bf16},
      {"(x, u, w) -> cast(x * w, i32), maximum(x, u)", 1, of_rows, {kBf16, kF32, kBf16}},
      {"(x, u, w) -> { y = x + u; y, y * rsqrt(mean(y * y) + 1e-6) * w }", 1, of_rows, bf16},
      {"(x, u, w) -> softmax(x * w) + u", 1, of_rows, f32},
      {"(x, u, w) -> cumsum(x) * u * w", 1, of_rows, f32},
      {"(x, u, w) -> sum(x * u, axis = -2) * w", 1, of_rows, f32},
      {"(x, u, w) -> { d = x - u * w; mean(d * d, axis = (-2, -1)) }", 1, of_rows, bf16},
      {"(x, u, w) -> x * rsqrt(mean(x * x) + 1e-6) * w, sum(x * u, axis = -2)", 1, of_rows, f32},
      {"(x, u, w) -> chunk(x, i = 0, n = 2) * silu(chunk(x, i = 1, n = 2)) + sum(u) + sum(w)", 1, of_rows, f32},
      {"(x, s, t) -> store_if(x * s + t, s > 0)", 1, of_columns, f32},
      {"(x, s, t) -> store_if(x / (sum(abs(x)) + 1), s > t), sum(x)", 1, of_columns, f32},
      {"(x, i, t) -> gather(x, i + t, axis = -2)",
       1,
       [n](const Extents& e) { return std::vector<Shape>{{6, n}, {e[0], 1}, {1, 1}}; },
       {kBf16, kI64, kI64}},
      {"(x, m, w) -> where(m, x, 7) & w", 1, of_rows, {kU8, kBool, kU8}},
  };
}

}  // namespace opentest
