#include "reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rowtest {
namespace {

// The elements of one set.
struct Set {
  std::vector<Real> x, errors;
  bool columns = false;  // the last axis is not among the reduced ones
};

struct Entry {
  Real value = 0, error = 0;
};

// A sum whose own error is far below that of long double's last digits.
struct Exact {
  Real high = 0, low = 0;
  void Add(Real v) {
    const Real s = high + v;
    low += std::fabs(high) >= std::fabs(v) ? (high - s) + v : (v - s) + high;
    high = s;
  }
  Real value() const { return std::isfinite(low) ? high + low : high; }
};

Real Unit(Dtype dtype) { return dtype == Dtype::f64 ? 0x1p-53L : 0x1p-24L; }

// How many additions an element goes through, at most.
Real Depth(const Set& set) {
  const Real n = static_cast<Real>(set.x.size());
  if (set.columns) return n <= 32 ? n - 1 : 31 + std::ceil(std::log2(n / 32));
  return std::ceil(std::log2(std::max(n, 1.0L)));
}

Entry FloatSum(const Set& set, Dtype dtype, Sum how) {
  Exact sum, magnitudes, errors;
  for (size_t i = 0; i < set.x.size(); ++i) {
    sum.Add(set.x[i]);
    magnitudes.Add(std::fabs(set.x[i]));
    errors.Add(set.errors[i]);
  }
  const Real n = static_cast<Real>(set.x.size()), unit = Unit(dtype), depth = Depth(set);
  const Real value = set.x.empty() ? 0 : sum.value();
  const Real own = how == Sum::plain ? depth * unit * magnitudes.value()
                                     : 2 * unit * std::fabs(value) + depth * depth * unit * unit * magnitudes.value();
  return {value, n > 1 ? own + errors.value() : errors.value()};
}

Entry IntegerSum(const Set& set, Dtype dtype) {
  Wide sum = 0;
  for (Real v : set.x) sum += static_cast<Wide>(v);
  return {Wrapped(dtype, sum), 0};
}

Entry Product(const Set& set, Dtype dtype, bool integers) {
  if (integers) {
    uint64_t p = 1;
    for (Real v : set.x) p *= static_cast<uint64_t>(static_cast<Wide>(v));
    return {Wrapped(dtype, static_cast<Wide>(p)), 0};
  }
  Real p = 1, relative = 0;
  for (size_t i = 0; i < set.x.size(); ++i) {
    p *= set.x[i];
    if (set.errors[i] > 0) relative += set.x[i] != 0 ? set.errors[i] / std::fabs(set.x[i]) : kInf;
  }
  relative += static_cast<Real>(set.x.size()) * Unit(dtype);
  return {p, p == 0 || !std::isfinite(p) ? 0 : std::fabs(p) * relative};
}

Entry Variance(const Set& set, Dtype dtype, int64_t correction) {
  const Real n = static_cast<Real>(set.x.size());
  const Entry sum = FloatSum(set, dtype, Sum::low_parts);
  const Real mean = sum.value / n;
  Exact squares, errors;
  for (size_t i = 0; i < set.x.size(); ++i) {
    const Real d = set.x[i] - mean;
    squares.Add(d * d);
    errors.Add(2 * std::fabs(d) * set.errors[i]);
  }
  const Real by = std::max(n - static_cast<Real>(correction), 0.0L);
  const Real value = squares.value() / by;
  for (Real v : set.x)  // deviations from the first element are beyond the range: infinite, or what that leaves
    if (std::isfinite(v) && std::isinf(InRange(dtype == Dtype::f64 ? Dtype::f64 : Dtype::f32, v - set.x[0])))
      return {value, kInf};
  return {value, errors.value() / by + 8 * Unit(dtype) * std::fabs(value)};
}

// Each exponential is within 2 units, and they are added plainly; what an element is off by counts by its share.
Entry LogSumExp(const Set& set, Dtype dtype) {
  Real largest = -kInf;
  for (Real v : set.x)
    if (std::isnan(v)) return {v, 0};
    else largest = std::max(largest, v);
  if (std::isinf(largest)) return {largest, 0};
  Exact sum, errors;
  for (size_t i = 0; i < set.x.size(); ++i) {
    const Real e = std::exp(set.x[i] - largest);
    sum.Add(e);
    errors.Add(e > 0 ? e * set.errors[i] : 0);
  }
  const Real log = std::log(sum.value()), value = largest + log, unit = Unit(dtype);
  const Real own = set.x.size() > 1 ? 5 + Depth(set) + 2 * log : 0;
  return {value, unit * (std::fabs(value) + own) + errors.value() / sum.value()};
}

// Is a more extreme than b? NaN is the most extreme; +0 is larger than -0.
bool Beyond(Real a, Real b, bool least) {
  if (std::isnan(b)) return false;
  if (std::isnan(a)) return true;
  if (a == 0 && b == 0) return least ? std::signbit(a) && !std::signbit(b) : !std::signbit(a) && std::signbit(b);
  return least ? a < b : a > b;
}

Entry Extreme(const Set& set, Real empty, bool least) {
  Entry best{empty, 0};
  for (size_t i = 0; i < set.x.size(); ++i) {
    if (i == 0 || Beyond(set.x[i], best.value, least)) best.value = set.x[i];
    best.error = std::max(best.error, set.errors[i]);
  }
  return best;
}

Entry Argument(const Set& set, bool least) {
  size_t best = 0;
  for (size_t i = 1; i < set.x.size(); ++i)  // equal zeros count as equal
    if (!(set.x[i] == set.x[best]) && Beyond(set.x[i], set.x[best], least)) best = i;
  bool sure = true;
  for (size_t i = 0; i < set.x.size(); ++i) {
    const Real reach = set.errors[i] + set.errors[best];
    sure &= i == best || !(reach > 0) || !(std::fabs(set.x[i] - set.x[best]) <= reach);
  }
  return {static_cast<Real>(best), sure ? 0 : kInf};
}

Entry Truth(const Set& set, bool all) {
  bool any = false, each = true;
  for (Real v : set.x) (v != 0 ? any : each) = v != 0;
  return {static_cast<Real>(all ? each : any), 0};
}

Real Identity(const Tensor& x, bool least) {
  if (x.is_float()) return least ? kInf : -kInf;
  const DLDataType dl = tileops::dtype_to_dl(x.dtype);
  return least ? tileops::cli::int_max(dl) : tileops::cli::int_min(dl);
}

Entry ReduceSet(const std::string& name, const Tensor& x, const Set& set, int64_t correction, Dtype dtype, Sum how) {
  const bool integers = !x.is_float();
  if (name == "sum") return integers ? IntegerSum(set, dtype) : FloatSum(set, dtype, how);
  if (name == "prod") return Product(set, dtype, integers);
  if (name == "mean") {
    const Real n = static_cast<Real>(set.x.size()), unit = Unit(dtype);
    Entry sum = FloatSum(set, dtype, how);
    if (integers) sum.error = unit * std::fabs(sum.value);  // the sum in int64 becomes a float
    return {sum.value / n, sum.error / n + unit * std::fabs(sum.value / n)};
  }
  if (name == "var") return Variance(set, dtype, correction);
  if (name == "logsumexp") return LogSumExp(set, dtype);
  if (name == "amax" || name == "amin") return Extreme(set, Identity(x, name == "amin"), name == "amin");
  if (name == "argmax" || name == "argmin") return Argument(set, name == "argmin");
  return Truth(set, name == "all");
}

Dtype ComputeOf(Dtype dtype) { return dtype == Dtype::f64 ? Dtype::f64 : Dtype::f32; }

void Put(Tensor* y, size_t at, const Entry& entry) {
  const bool is_float = y->is_float();
  y->values[at] = is_float ? InRange(ComputeOf(y->dtype), entry.value) : entry.value;
  y->errors[at] = entry.error;
}

}  // namespace

std::vector<int64_t> GroupSizes(const Shape& shape, const RowAttrs& attrs) {
  std::vector<int64_t> sizes(shape.size(), 1);
  uint64_t groups = attrs.group;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (!(attrs.axes >> k & 1)) continue;
    const size_t d = shape.size() - 1 - k;
    const int64_t group = static_cast<int64_t>(groups & 0xffffffff);
    sizes[d] = attrs.group != 0 ? group : std::max<int64_t>(shape[d], 1);
    groups >>= 32;
  }
  return sizes;
}

Sets SetsOf(const Shape& shape, const RowAttrs& attrs) {
  const std::vector<int64_t> sizes = GroupSizes(shape, attrs);
  Sets sets;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool reduced = attrs.axes >> (shape.size() - 1 - d) & 1;
    sets.shape.push_back(reduced && attrs.group == 0 ? 1 : (shape[d] + sizes[d] - 1) / sizes[d]);
  }
  sets.members.resize(static_cast<size_t>(Count(sets.shape)));
  ForEach(shape, [&](Index index, size_t i) {
    for (size_t d = 0; d < shape.size(); ++d) index[d] /= sizes[d];
    sets.members[At(sets.shape, index)].push_back(i);
  });
  return sets;
}

bool IsReduction(const std::string& name) {
  static const char* const names[] = {"sum", "mean", "amax",      "amin",   "prod",  "any",
                                      "all", "var",  "logsumexp", "argmax", "argmin"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool IsScan(const std::string& name) { return name.size() > 3 && name.compare(0, 3, "cum") == 0; }

Tensor Reduce(const std::string& name, const Tensor& x, const RowAttrs& attrs, Dtype dtype, Sum how) {
  const Sets sets = SetsOf(x.shape, attrs);
  Tensor y = Empty(dtype, sets.shape);
  // Extents of 1 at the end do not count.
  size_t last = 0;
  while (last + 1 < x.shape.size() && x.shape[x.shape.size() - 1 - last] == 1) ++last;
  for (size_t i = 0; i < sets.members.size(); ++i) {
    Set set;
    set.columns = !(attrs.axes >> last & 1);
    for (size_t at : sets.members[i]) {
      set.x.push_back(x.values[at]);
      set.errors.push_back(x.errors[at]);
    }
    Put(&y, i, ReduceSet(name, x, set, attrs.correction, dtype, how));
  }
  return y;
}

Tensor Scan(const std::string& name, const Tensor& x, const RowAttrs& attrs, Dtype dtype, Sum how) {
  static const std::pair<const char*, const char*> kinds[] = {
      {"cumsum", "sum"}, {"cumprod", "prod"}, {"cummax", "amax"}, {"cummin", "amin"}};
  std::string reduction;
  for (const auto& [scan, of] : kinds)
    if (name == scan) reduction = of;
  Tensor y = Empty(dtype, x.shape);
  for (std::vector<size_t> members : SetsOf(x.shape, attrs).members) {
    if (attrs.reverse) std::reverse(members.begin(), members.end());
    Set set;
    for (size_t at : members) {
      if (attrs.exclusive) Put(&y, at, ReduceSet(reduction, x, set, 0, dtype, how));
      set.x.push_back(x.values[at]);
      set.errors.push_back(x.errors[at]);
      if (!attrs.exclusive) Put(&y, at, ReduceSet(reduction, x, set, 0, dtype, how));
    }
  }
  return y;
}

}  // namespace rowtest
