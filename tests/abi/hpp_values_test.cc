// Values that enter through tileops.hpp: numbers, extents, names; from whichever type of C++.
#include <tileops/tileops.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"

namespace {

using tileops::attr;
using tileops::Dims;
using tileops::Expr;
using tileops::ExprBuilder;
using tileops::Node;
using tileops::Number;
using tileops::Scalars;

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max(), kBeyond = uint64_t{1} << 63;

// An INVALID_ARGUMENT that names what was given.
template <class F>
bool refused(F&& call, const char* got) {
  try {
    call();
  } catch (const tileops::Error& error) {
    const bool told = error.status() == TILEOPS_STATUS_INVALID_ARGUMENT && std::strstr(error.what(), got);
    if (!told) std::fprintf(stderr, "another message: %s\n", error.what());
    return told;
  }
  return false;
}

template <class T>
bool is_i64(T value, int64_t want) {
  const tileops_number n = Number(value);
  return n.kind == TILEOPS_NUMBER_I64 && n.value.i64 == want;
}
template <class T>
bool is_f64(T value, double want) {
  const tileops_number n = Number(value);
  return n.kind == TILEOPS_NUMBER_F64 && n.value.f64 == want;
}

void numbers() {
  EXPECT(is_i64(int8_t{-3}, -3) && is_i64(uint8_t{200}, 200) && is_i64(int16_t{-300}, -300) &&
         is_i64(uint16_t{60000}, 60000) && is_i64(-5, -5) && is_i64(4000000000u, 4000000000) && is_i64(-5l, -5));
  EXPECT(is_i64('a', 97) && is_i64(static_cast<signed char>(-1), -1) && is_i64(L'a', 97));
  EXPECT(is_i64(INT64_MIN, INT64_MIN) && is_i64(kBeyond - 1, INT64_MAX) && is_i64(9223372036854775807ull, INT64_MAX));
  EXPECT(Number(true).number.kind == TILEOPS_NUMBER_BOOL && Number(true).number.value.i64 == 1);
  EXPECT(is_f64(1.5f, 1.5) && is_f64(0.1, 0.1) && is_f64(0.25l, 0.25));
  EXPECT(is_f64(std::numeric_limits<long double>::infinity(), std::numeric_limits<double>::infinity()));
  EXPECT(is_f64(static_cast<long double>(std::numeric_limits<double>::max()), std::numeric_limits<double>::max()));

  const auto wraps = [](auto&& call) { return refused(call, "18446744073709551615"); };
  EXPECT(refused([] { Number n(kBeyond); }, "tileops::Number: the integer is beyond int64 (got 9223372036854775808, "
                                            "need at most 9223372036854775807)"));
  EXPECT(wraps([] { Number n(kMost); }));
  EXPECT(wraps([] { Scalars s{1, kMost}; }));
  EXPECT(wraps([] { Scalars s(std::vector<unsigned long long>{kMost}); }));
  EXPECT(wraps([] { attr("alpha", kMost); }));
  EXPECT(wraps([] { attr(TILEOPS_ATTR_OFFSET, kMost); }));
  enum class Wide : uint64_t { most = kMost };
  EXPECT(wraps([] { attr(TILEOPS_ATTR_ROUNDING, Wide::most); }));
  EXPECT(attr("seed", kMost).value.i64 == -1);  // a pattern of 64 bits
  EXPECT(attr("alpha", kBeyond - 1).value.i64 == INT64_MAX);
  const Expr scaled("(x; n = 1) -> x * n");
  EXPECT(wraps([&] { scaled.scalars({{"n", kMost}}); }));

  ExprBuilder b;
  const Node x = b.operand("x");
  EXPECT(wraps([&] { return x + kMost; }) && wraps([&] { return kMost + x; }) && wraps([&] { return x < kMost; }) &&
         wraps([&] { return kMost == x; }) && wraps([&] { return x & kMost; }));
  EXPECT(wraps([&] { maximum(x, kMost); }) && wraps([&] { maximum(kMost, x); }) &&
         wraps([&] { clamp(x, tileops::absent, kMost); }) && wraps([&] { fma(x, 2, kMost); }));
  EXPECT(wraps([&] { b.constant(kMost); }) && wraps([&] { b.scalar("s", kMost); }) &&
         wraps([&] { b.operand("y", kMost); }) && wraps([&] { b.apply(tileops::op("add"), {x, kMost}); }));
  if constexpr (std::numeric_limits<long double>::max_exponent > std::numeric_limits<double>::max_exponent) {
    EXPECT(refused([&] { x * 1e400l; }, "1e+400") && refused([] { attr("alpha", -1e400l); }, "-1e+400"));
  }
  b.result(x + 1);  // what was thrown left nothing behind
  EXPECT(b.finish().text() == Expr("(x) -> x + 1").text());
}

void extents() {
  const size_t n = 2;
  const uint16_t m = 3;
  enum { kFour = 4 };
  const Dims want{2, 3, 4};
  EXPECT(Dims({n, m, kFour}) == want && (Dims{n, 3, 4l} == want));
  float data[24] = {};
  const std::vector<size_t> of_sizes{2, 3, 4};
  const std::array<int, 3> of_ints{2, 3, 4};
  const std::list<short> of_shorts{2, 3, 4};
  const int64_t of_array[] = {2, 3, 4};
  EXPECT(Dims(of_sizes) == want && Dims(of_ints) == want && Dims(of_shorts) == want && Dims(of_array) == want);
  EXPECT(Dims(of_sizes.data(), 3) == want && Dims(std::vector<int64_t>()).size() == 0);
  const tileops::View view(data, {n, m, kFour}, {n * 6, kFour, 1}), ranged(data, of_sizes, of_ints), one(data, {n});
  EXPECT(view.get()->shape[0] == 2 && view.get()->strides[0] == 12 && ranged.get()->shape[2] == 4 &&
         ranged.get()->strides[2] == 4 && one.get()->ndim == 1);
  const tileops::ManagedTensor owned(tileops::float32, {n, n});
  EXPECT(owned.get()->shape[1] == 2);
  EXPECT(refused([] { Dims{2, kMost}; }, "tileops::Dims: the integer is beyond int64 (got 18446744073709551615"));
  EXPECT(refused([] { Dims d(std::vector<size_t>{kMost}); }, "18446744073709551615"));
  EXPECT(refused([] { Dims d(std::vector<size_t>(40, 1)); }, "got 40"));
  EXPECT((Dims{-1, 0} == Dims(std::array<int64_t, 2>{-1, 0})));
}

// In either place, or any.
void number_first() {
  ExprBuilder b;
  const Node x = b.operand("x"), y = b.operand("y");
  b.result(maximum(0, x) + pow(2.0, x) + fma(2, 3.0, x) + lerp(1.0, x, 0.5));
  b.result(where(true, x, y));
  b.result(where(x < y, 1.0, y));
  b.result(clamp(1.5, x, y));
  b.result(floor_divide(7, x) + remainder(7, x) + sub(1, x) + div(1, x));
  b.result(bitwise_xor(1, cast(x, tileops::int32)));
  EXPECT(b.finish().text() == Expr("(x, y) -> maximum(0, x) + pow(2.0, x) + fma(2, 3.0, x) + lerp(1.0, x, 0.5), "
                                   "where(true, x, y), where(x < y, 1.0, y), clamp(1.5, x, y), "
                                   "floor_divide(7, x) + remainder(7, x) + sub(1, x) + div(1, x),"
                                   "bitwise_xor(1, cast(x, i32))")
                                  .text());
}

void names() {
  const std::string_view all = "alpha,gelu,approximate,tanh,x,w,s,out,softcap";  // no name in it ends with NUL
  const std::string_view alpha = all.substr(0, 5), gelu = all.substr(6, 4), approximate = all.substr(11, 11),
                         tanh = all.substr(23, 4), x = all.substr(28, 1), w = all.substr(30, 1), s = all.substr(32, 1),
                         out = all.substr(34, 3), softcap = all.substr(38);
  EXPECT(attr(alpha, 2).key == TILEOPS_ATTR_ALPHA && attr(std::string(alpha), 2).key == TILEOPS_ATTR_ALPHA);
  EXPECT(attr(tileops::op(gelu), approximate, tanh).value.i64 == TILEOPS_APPROXIMATE_TANH);
  EXPECT(tileops::named_expression(softcap).text() == tileops::named_expression("softcap").text());
  ExprBuilder b;
  const Node operand = b.operand(x), weight = b.operand(w, 1), scale = b.scalar(s, 2.0);
  b.result(operand * weight * scale, out);
  const Expr expr = b.finish();
  EXPECT(expr.text() == Expr("(x, w = 1; s = 2.0) -> { out = x * w * s; out }").text());

  EXPECT(expr.gradient(std::vector<std::string>{"x"}).text() == expr.gradient({x}).text());
  const Scalars by_map = expr.scalars(std::map<std::string, double>{{"s", 0.5}});
  const std::vector<std::pair<const char*, Number>> pairs{{"s", 0.5}};
  const Scalars by_pairs = expr.scalars(pairs), braces = expr.scalars({{s, 0.5}});
  EXPECT(by_map.data()->value.f64 == 0.5 && by_pairs.data()->value.f64 == 0.5 && braces.data()->value.f64 == 0.5);

  ExprBuilder many;
  std::vector<Node> nodes{many.operand("a"), many.operand("b")};
  many.result(many.apply(tileops::op("add"), nodes));
  EXPECT(many.finish().text() == Expr("(a, b) -> a + b").text());

  using namespace std::string_view_literals;
  EXPECT(refused([] { tileops::op("add\0x"sv); }, "NUL") && refused([] { attr("alpha\0x"sv, 1); }, "after 'alpha'"));
  EXPECT(refused([&] { ExprBuilder().operand("x\0y"sv); }, "NUL"));
  EXPECT(refused([] { tileops::op(nullptr); }, "NULL") && refused([] { tileops::named_expression(nullptr); }, "NULL"));
  const char* null = nullptr;
  EXPECT(refused([&] { Expr expr_of_null(null); }, "expected '('"));
}

}  // namespace

int hpp_values_test() {
  numbers();
  extents();
  number_first();
  names();
  return failures != 0;
}
