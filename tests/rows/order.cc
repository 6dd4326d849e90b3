#include "order.h"

#include <cmath>
#include <utility>

#include "tileops/device/math/f32/log.h"
#include "tileops/device/math/functions/wide_exp.h"

namespace rowtest {
namespace {

constexpr size_t kGroup = 32;

// The tree as a counter: a node of 2^k leaves waits at k for its neighbour. What waits at the end goes up as it is.
template <class T, class Combine>
T Tree(const std::vector<T>& leaves, T nothing, const Combine& combine) {
  std::vector<T> waiting;
  for (size_t i = 0; i < leaves.size(); ++i) {
    T node = leaves[i];
    for (size_t n = i; n & 1; n >>= 1) {
      node = combine(waiting.back(), node);
      waiting.pop_back();
    }
    waiting.push_back(node);
  }
  if (waiting.empty()) return nothing;
  T result = waiting.back();
  for (size_t i = waiting.size() - 1; i-- > 0;) result = combine(waiting[i], result);
  return result;
}

template <class T, class Combine>
T Combined(const std::vector<T>& leaves, T nothing, Along along, const Combine& combine) {
  if (along == Along::rows) return Tree(leaves, nothing, combine);
  std::vector<T> groups;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i % kGroup == 0) groups.push_back(leaves[i]);
    else groups.back() = combine(groups.back(), leaves[i]);
  }
  return Tree(groups, nothing, combine);
}

std::vector<Parts> Leaves(const std::vector<float>& x) {
  std::vector<Parts> leaves;
  for (float v : x) leaves.push_back({v, 0});
  return leaves;
}

}  // namespace

Parts Added(Parts a, Parts b) {
  // What is lost in the sum (Knuth's TwoSum). Each operation is rounded to float.
  const float sum = a.high + b.high;
  const float of_b = sum - a.high, of_a = sum - of_b;
  const float lost_a = a.high - of_a, lost_b = b.high - of_b;
  const float lost = lost_a + lost_b, low = a.low + b.low;
  return {sum, low + lost};
}

float Finished(Parts sum) { return std::isfinite(sum.low) ? sum.high + sum.low : sum.high; }

float PlainSum(const std::vector<float>& x, Along along) {
  return Combined(x, 0.0f, along, [](float a, float b) { return a + b; });
}

Parts PartsOf(const std::vector<float>& x, Along along) { return Combined(Leaves(x), Parts{}, along, Added); }

float SumOf(const std::vector<float>& x, Along along) { return Finished(PartsOf(x, along)); }

float ProductOf(const std::vector<float>& x, Along along) {
  return Combined(x, 1.0f, along, [](float a, float b) { return a * b; });
}

float VarianceOf(const std::vector<float>& x, int correction, Along along) {
  if (x.empty()) return NAN;
  std::vector<float> deviations;
  std::vector<Parts> squares;
  for (float v : x) {
    const float d = v - x[0], square = d * d;
    deviations.push_back(d);
    squares.push_back({square, std::fma(d, d, -square)});
  }
  const Parts s1 = PartsOf(deviations, along), s2 = Combined(squares, Parts{}, along, Added);
  // S2 - S1^2 / N with what both lost, in float64, not below 0.
  const double n = static_cast<double>(x.size());
  const double first = static_cast<double>(s1.high) + s1.low, second = static_cast<double>(s2.high) + s2.low;
  double left = second - first * first / n;
  if (left < 0) left = 0;
  const double by = n - correction;
  return static_cast<float>(left / (by > 0 ? by : 0));
}

namespace {

// sum * 4^exponent.
struct Scaled {
  double sum, exponent;
};

// Both are floats; the smaller one is exact in a double beside the larger, or too small to count.
Scaled AddedScaled(Scaled a, Scaled b) {
  if (a.exponent < b.exponent) std::swap(a, b);
  const double apart = 2 * (a.exponent - b.exponent);
  const double rest = apart < 200 ? std::ldexp(b.sum, -static_cast<int>(apart)) : b.sum * 0;
  return {static_cast<float>(a.sum + rest), a.exponent};
}

}  // namespace

double LogSumExpOf(const std::vector<float>& x, Along along) {
  if (x.size() == 1) return x[0];
  std::vector<Scaled> leaves;
  float largest = -INFINITY;
  for (float v : x) {
    const auto e = tileops::device_detail::wide::exp(v);
    leaves.push_back({e.factor, e.exponent});
    if (v > largest) largest = v;
  }
  const Scaled s = Combined(leaves, Scaled{0, 0}, along, AddedScaled);
  if (std::isinf(largest)) return std::isnan(s.sum) ? NAN : largest;
  using namespace tileops::device_detail;
  return static_cast<double>(largest) + f32::log(static_cast<float>(s.sum) / wide::exp(largest).factor);
}

std::vector<float> CumulativeSum(const std::vector<float>& x) {
  std::vector<float> sums;
  for (size_t i = 0; i < x.size(); ++i)
    sums.push_back(SumOf(std::vector<float>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(i) + 1)));
  return sums;
}

}  // namespace rowtest
