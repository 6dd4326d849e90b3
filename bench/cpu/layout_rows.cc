// Layouts that are not contiguous, and variants that the table does not show.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rows.h"

namespace tileops_bench {
namespace {

void add_layouts(DLDataType t, int64_t n, std::vector<Row>* rows) {
  const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  const int size = dtype_size(t);
  const Shape square{side, side};
  const auto add = [&](const char* op, const char* variant, Operand a, Operand b,
                       const Shape& shape) {
    rows->push_back({std::string(op) + ":" + variant + "/" + dtype_name(t),
                     {op, {std::move(a), std::move(b)}, {t, shape}}});
  };
  add("add", "row bias", {t, square}, {t, {side}}, square);
  add("mul", "row scale", {t, square}, {t, {side, 1}}, square);
  add("add", "scalar", {t, square}, {t, {1, 1}}, square);
  const int64_t inner = std::min<int64_t>(side, 512);
  const Shape cube{4, n / 4 / inner / (inner / 4), inner, inner / 4};
  add("add", "interleaved", {t, cube}, {t, {4, 1, inner, 1}}, cube);
  add("add", "outer", {t, {side, 1}}, {t, {1, side}}, square);
  add("add", "transposed", {t, square}, {t, square, {1, side}}, square);
  // Memory comes in lines, so the copy reads the elements between those taken as well.
  const Operand second{t, square, {4 * side, 2}, 4 * n, 2 * size};
  add("add", "every second", second, second, square);
}

}  // namespace

std::vector<Row> layout_rows(int64_t n) {
  std::vector<Row> rows;
  for (DLDataType t : {kF32, kBf16, kF16}) {
    add_layouts(t, n, &rows);
    for (double exponent : {2.0, 0.5, 2.5}) {
      char text[16];
      std::snprintf(text, sizeof text, "%g", exponent);
      rows.push_back({std::string("pow:") + text + "/" + dtype_name(t),
                      {"pow",
                       {Operand{t, {n}}},
                       {t, {n}},
                       {attr(TILEOPS_ATTR_EXPONENT, exponent)}}});
    }
    const int64_t inner = 4096;
    rows.push_back({std::string("silu_and_mul:two/") + dtype_name(t),
                    {"silu_and_mul",
                     {Operand{t, {n / inner, inner}}, Operand{t, {n / inner, inner}}},
                     {t, {n / inner, inner}}}});
    rows.push_back({std::string("gelu:tanh/") + dtype_name(t),
                    {"gelu", {Operand{t, {n}}}, {t, {n}},
                     {attr(TILEOPS_ATTR_APPROXIMATE, int64_t{1})}}});
  }
  const std::pair<DLDataType, DLDataType> casts[] = {{kF32, kBf16}, {kBf16, kF32}, {kF32, kF16},
                                                     {kF16, kF32}, {kBf16, kF16}, {kF32, kI32},
                                                     {kI32, kF32}};
  for (const auto& [from, to] : casts)
    rows.push_back({std::string("cast:") + dtype_name(to) + "/" + dtype_name(from),
                    {"cast", {Operand{from, {n}}}, {to, {n}}}});
  return rows;
}

}  // namespace tileops_bench
