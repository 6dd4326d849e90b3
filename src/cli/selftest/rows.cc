// tileops selftest: texts with rows on small inputs, compared with what their definitions give in long double.
#include "cli/selftest/rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "cli/dtype.h"
#include "cli/expression.h"
#include "cli/selftest/reference.h"

namespace tileops::cli {
namespace {

using RowValues = std::vector<Real>;

// What a text gives for one row. Errors are counted in ulp of the larger of the value and `scale`: that of the terms,
// where they may cancel.
struct Wanted {
  RowValues values;
  Real scale = 0;
};

struct RowText {
  const char* name;
  const char* text;
  double ulp;  // bound for float32 results; exp(x - m) has half an ulp of x - m beside its own, up to 4
  Wanted (*wanted)(const RowValues& x);
  bool counts = false;  // places: int64
};

Real sum_of(const RowValues& x, Real (*f)(Real)) {
  Real sum = 0;
  for (const Real v : x) sum += f(v);
  return sum;
}
Real itself(Real v) { return v; }
Real magnitude(Real v) { return std::fabs(v); }
Real square(Real v) { return v * v; }
Real largest(const RowValues& x) { return *std::max_element(x.begin(), x.end()); }
Real count(const RowValues& x) { return static_cast<Real>(x.size()); }

Wanted each(const RowValues& x, Real (*f)(Real v, Real of_row), Real of_row) {
  Wanted wanted;
  for (const Real v : x) wanted.values.push_back(f(v, of_row));
  return wanted;
}

Wanted sum(const RowValues& x) { return {{sum_of(x, itself)}, sum_of(x, magnitude)}; }
Wanted mean(const RowValues& x) { return {{sum_of(x, itself) / count(x)}, sum_of(x, magnitude) / count(x)}; }
Wanted amax(const RowValues& x) { return {{largest(x)}}; }
Wanted argmax(const RowValues& x) { return {{static_cast<Real>(std::max_element(x.begin(), x.end()) - x.begin())}}; }
Wanted var(const RowValues& x) {
  const Real mean = sum_of(x, itself) / count(x);
  Real sum = 0;
  for (const Real v : x) sum += square(v - mean);
  return {{sum / count(x)}};
}
Wanted logsumexp(const RowValues& x) {
  const Real most = largest(x);
  Real sum = 0;
  for (const Real v : x) sum += std::exp(v - most);
  return {{most + std::log(sum)}, std::fabs(most)};
}
Wanted softmax(const RowValues& x) {
  const Real all = logsumexp(x).values[0];
  return each(x, [](Real v, Real lse) { return std::exp(v - lse); }, all);
}
Wanted rms_norm(const RowValues& x) {
  const Real root = std::sqrt(sum_of(x, square) / count(x) + static_cast<Real>(1e-6));
  return each(x, [](Real v, Real r) { return v / r; }, root);
}
Wanted cumsum(const RowValues& x) {
  Wanted wanted;
  Real sum = 0;
  for (const Real v : x) wanted.values.push_back(sum += v);
  wanted.scale = sum_of(x, magnitude);
  return wanted;
}
Wanted group_scale(const RowValues& x) {
  Wanted wanted;
  for (size_t i = 0; i < x.size(); ++i) {
    Real most = 0;
    for (size_t j = i / 32 * 32; j < std::min(x.size(), i / 32 * 32 + 32); ++j) most = std::max(most, std::fabs(x[j]));
    wanted.values.push_back(x[i] / most);
  }
  return wanted;
}
Wanted reversed(const RowValues& x) { return {{x.rbegin(), x.rend()}}; }

constexpr RowText kTexts[] = {
    {"sum", "(x) -> sum(x)", 1, sum},
    {"mean", "(x) -> mean(x)", 1, mean},
    {"amax", "(x) -> amax(x)", 0, amax},
    {"argmax", "(x) -> argmax(x)", 0, argmax, true},
    {"var", "(x) -> var(x)", 3, var},
    {"logsumexp", "(x) -> logsumexp(x)", 2, logsumexp},
    {"softmax", "(x) -> { e = exp(x - detach(amax(x)));  e / sum(e) }", 6.5, softmax},
    {"rms_norm", "(x) -> x * rsqrt(mean(x * x) + 1e-6)", 3, rms_norm},
    {"group_scale", "(x) -> x / spread(amax(abs(x), group = 32), x, group = 32)", 0.5, group_scale},
    {"cumsum", "(x) -> cumsum(x)", 1, cumsum},
    {"gather", "(x) -> gather(x, extent(x, -1) - 1 - index(x, -1))", 0, reversed},
};

// The same for the same arguments: of both signs, none 0, within [2^-4, 4).
std::vector<Real> random_values(size_t n, DLDataType dtype) {
  std::vector<Real> values(n);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bits = philox({static_cast<uint32_t>(i), 0, 0, 0}, {17, 4})[0];
    const Real v = std::ldexp(static_cast<Real>(1 + (bits >> 8) / 16777216.0), static_cast<int>(bits % 6) - 4);
    values[i] = rounded(dtype, (bits & 128) != 0 ? -v : v);
  }
  return values;
}

void run_row_case(const Context& context, const Stream& stream, DLDevice device, const RowText& row,
                  const Expression& text, DLDataType dtype, int64_t length, bool transposed, Outcome* outcome) {
  constexpr int64_t kRows = 5;
  const Shape shape = {kRows, length}, strides = transposed ? Shape{1, kRows} : Shape{length, 1};
  const auto address = [&](int64_t r, int64_t c) { return static_cast<size_t>(r * strides[0] + c * strides[1]); };
  const std::vector<Real> x = random_values(static_cast<size_t>(kRows * length), dtype);
  const auto size = static_cast<size_t>(item_size(dtype));
  std::vector<unsigned char> bytes(x.size() * size);
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t c = 0; c < length; ++c)
      encode(dtype, x[static_cast<size_t>(r * length + c)], &bytes[address(r, c) * size]);
  const Buffer input(context, device, dtype, {kRows * length});
  upload(context, stream, bytes.data(), input);
  const DLTensor in_tensor = view(input.tensor()->data, device, dtype, shape, strides.data());

  std::vector<Wanted> wanted;
  for (int64_t r = 0; r < kRows; ++r)
    wanted.push_back(row.wanted(RowValues(x.begin() + r * length, x.begin() + (r + 1) * length)));
  const size_t width = wanted[0].values.size();
  const DLDataType result = row.counts ? DLDataType{kDLInt, 64, 1} : kF32;
  const Buffer output(context, device, result, {kRows, static_cast<int64_t>(width)});
  const DLTensor* in = &in_tensor;
  DLTensor* out = output.tensor();
  const std::string what = dtype_name(dtype) + " " + shape_text(shape) + (transposed ? " transposed" : "");
  ++outcome->cases;
  tileops_plan* handle = nullptr;
  tileops_status status = tileops_plan_create_like_expr(context.get(), text.get(), &in, 1, &out, 1, &handle);
  if (status == TILEOPS_STATUS_OK) {
    const Plan plan(handle);
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = args.num_outputs = 1, args.inputs = &in, args.outputs = &out, args.stream = stream.get();
    const Buffer workspace = plan.workspace(context, device, &args);
    status = tileops_execute_with(handle, &args);
    stream.synchronize();
  }
  if (status != TILEOPS_STATUS_OK) {
    outcome->failures.push_back(what + ": " + tileops_last_error());
    return;
  }
  const auto result_size = static_cast<size_t>(item_size(result));
  std::vector<unsigned char> got(static_cast<size_t>(kRows) * width * result_size);
  download(context, stream, output, got.data());
  double worst = 0;
  std::string text_of_worst;
  for (size_t i = 0; i < static_cast<size_t>(kRows) * width; ++i) {
    const Wanted& of_row = wanted[i / width];
    const Real want = of_row.values[i % width], value = decode(result, &got[i * result_size]);
    const Real unit = row.counts ? Real{1} : ulp(kF32, std::max(std::fabs(want), of_row.scale));
    const double error = std::isfinite(value) ? static_cast<double>(std::fabs(value - want) / unit) : INFINITY;
    if (!(error > worst)) continue;
    worst = error;
    char line[128];
    std::snprintf(line, sizeof line, "worst at (%zu, %zu): got %.9Lg, want %.9Lg", i / width, i % width, value, want);
    text_of_worst = line;
  }
  outcome->elements += x.size();
  outcome->max_ulp = std::max(outcome->max_ulp, worst);
  if (worst > row.ulp + (row.ulp > 0 ? 1e-9 : 0)) outcome->failures.push_back(what + ": " + text_of_worst);
}

}  // namespace

size_t row_text_count() { return std::size(kTexts); }
const char* row_text_name(size_t i) { return kTexts[i].name; }

Outcome test_row_text(const Context& context, const Stream& stream, DLDevice device, size_t i, bool sample) {
  const RowText& row = kTexts[i];
  const Expression text = Expression::parse(row.text);
  Outcome outcome;
  for (const DLDataType dtype : {kF32, kBF16}) {
    if (sample && !(dtype == kF32)) continue;
    outcome.dtypes.push_back(dtype_name(dtype));
    for (const int64_t length : {1, 7, 100, 1000, 4099}) {
      if (sample && length != 1000) continue;
      for (const bool transposed : {false, true})
        if (!sample || !transposed)
          run_row_case(context, stream, device, row, text, dtype, length, transposed, &outcome);
    }
  }
  return outcome;
}

}  // namespace tileops::cli
