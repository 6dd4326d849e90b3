// What passes of rows give: each value at every point of the space, reductions by the tree as docs/numerics.md has it.
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include "problem/analysis.h"
#include "random_rows.h"
#include "tileops/device/bodies.h"
#include "tileops/device/log_sum_exp.h"

namespace tileops::passes {
namespace {

// A value of a compute type that rows have, the others unused.
struct Scalar {
  float f32 = 0;
  double f64 = 0;
  device::i64 i64 = 0;
  bool boolean = false;
};
using Field = std::vector<Scalar>;  // by point of the space, row-major

Scalar read_as(Dtype dtype, const uint8_t* from, Ctype type) {
  using namespace device;
  Scalar s;
  const auto take = [&](auto x) {
    std::memcpy(&x, from, sizeof x);
    if (type == Ctype::f32) s.f32 = convert<float>(x);
    else if (type == Ctype::f64) s.f64 = convert<double>(x);
    else if (type == Ctype::boolean) s.boolean = convert<bool>(x);
    else s.i64 = convert<device::i64>(x);
  };
  switch (dtype) {
    case Dtype::f16: take(f16{}); break;
    case Dtype::bf16: take(bf16{}); break;
    case Dtype::f32: take(float{}); break;
    case Dtype::f64: take(double{}); break;
    case Dtype::i32: take(device::i32{}); break;
    case Dtype::i64: take(device::i64{}); break;
    case Dtype::boolean: take(bool8{}); break;
    default: throw std::logic_error("no dtype of the tests' rows");
  }
  return s;
}

void write_as(Dtype dtype, const Scalar& s, Ctype type, uint8_t* to) {
  using namespace device;
  const auto give = [&](auto like) {
    using S = decltype(like);
    const S x = type == Ctype::f32       ? convert<S>(s.f32)
                : type == Ctype::f64     ? convert<S>(s.f64)
                : type == Ctype::boolean ? convert<S>(s.boolean)
                                         : convert<S>(s.i64);
    std::memcpy(to, &x, sizeof x);
  };
  switch (dtype) {
    case Dtype::f16: give(f16{}); break;
    case Dtype::bf16: give(bf16{}); break;
    case Dtype::f32: give(float{}); break;
    case Dtype::f64: give(double{}); break;
    case Dtype::i32: give(device::i32{}); break;
    case Dtype::i64: give(device::i64{}); break;
    case Dtype::boolean: give(bool8{}); break;
    default: throw std::logic_error("no dtype of the tests' rows");
  }
}

template <class T>
T& member(Scalar* s) {
  if constexpr (device::same_v<T, float>) return s->f32;
  else return s->f64;
}

template <class T>
Scalar applied_to(const std::string& body, Scalar a, Scalar b) {
  using namespace device;
  Scalar r;
  const T x = member<T>(&a), y = member<T>(&b);
  T& z = member<T>(&r);
  if (body == "add") z = x + y;
  else if (body == "sub") z = x - y;
  else if (body == "mul") z = x * y;
  else if (body == "div") z = x / y;
  else if (body == "exp") z = op::exp<portable, T>(nullptr)(x);
  else if (body == "rsqrt") z = op::rsqrt<portable, T>(nullptr)(x);
  else if (body == "abs") z = std::fabs(x);
  else if (body == "gt") r.boolean = x > y;
  else throw std::logic_error("no body of the tests' rows: " + body);
  return r;
}

Scalar applied(const Step& step, const Scalar& a, const Scalar& b) {
  if (step.ctype == Ctype::f32) return applied_to<float>(step.body->name, a, b);
  if (step.ctype == Ctype::f64) return applied_to<double>(step.body->name, a, b);
  Scalar r;
  const uint64_t x = static_cast<uint64_t>(a.i64), y = static_cast<uint64_t>(b.i64);
  r.i64 = static_cast<device::i64>(step.body->name == "add" ? x + y : step.body->name == "mul" ? x * y : x - y);
  return r;
}

// ---- Reductions

template <class T>
struct Pair {
  T hi, lo;
};
template <class T>
Pair<T> pair_sum(Pair<T> a, Pair<T> b) {
  const T s = a.hi + b.hi, t = s - a.hi, e = (a.hi - (s - t)) + (b.hi - t);
  return {s, e + (a.lo + b.lo)};
}
template <class T>
double exact_of(Pair<T> p) {
  return std::isfinite(p.lo) ? static_cast<double>(p.hi) + static_cast<double>(p.lo) : static_cast<double>(p.hi);
}

// Leaves that are not there are skipped.
template <class S, class Merge>
std::optional<S> tree(const std::vector<std::optional<S>>& leaves, size_t first, size_t count, const Merge& merge) {
  if (first >= leaves.size()) return std::nullopt;
  if (count == 1) return leaves[first];
  const auto a = tree(leaves, first, count / 2, merge), b = tree(leaves, first + count / 2, count / 2, merge);
  return a && b ? merge(*a, *b) : a ? a : b;
}
template <class S, class Merge>
std::optional<S> all_of(std::vector<std::optional<S>> leaves, bool in_columns, const Merge& merge) {
  if (in_columns) {
    std::vector<std::optional<S>> groups((leaves.size() + 31) / 32);
    for (size_t i = 0; i < leaves.size(); ++i) {
      auto& g = groups[i / 32];
      if (leaves[i]) g = g ? merge(*g, *leaves[i]) : *leaves[i];
    }
    leaves = std::move(groups);
  }
  size_t count = 1;
  while (count < leaves.size()) count *= 2;
  return tree(leaves, 0, count, merge);
}

template <class T>
T reduced_floats(const Step& step, const std::vector<std::optional<T>>& x, device::i64* place) {
  using P = std::optional<Pair<T>>;
  const auto plain = [&](const auto& merge) { return all_of<T>(x, step.in_columns, merge); };
  switch (step.reduction) {
    case Reduction::sum: {
      if (!step.low_parts) return plain([](T a, T b) { return a + b; }).value_or(0);
      std::vector<P> pairs;
      for (const auto& v : x) pairs.push_back(v ? P({*v, 0}) : P());
      const P s = all_of<Pair<T>>(pairs, step.in_columns, pair_sum<T>);
      return !s ? 0 : std::isfinite(s->lo) ? s->hi + s->lo : s->hi;
    }
    case Reduction::prod: return plain([](T a, T b) { return a * b; }).value_or(1);
    default: break;
  }
  // Extremes: NaN before all others, +0 above -0; of equals the first one's place.
  const bool largest = step.reduction == Reduction::amax || step.reduction == Reduction::argmax;
  const bool of_places = step.reduction == Reduction::argmax || step.reduction == Reduction::argmin;
  const T none = largest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  std::optional<T> best;
  *place = -1;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!x[i]) continue;
    bool better = !best || (!std::isnan(*best) && (std::isnan(*x[i]) || (largest ? *x[i] > *best : *x[i] < *best)));
    if (best && !of_places && *best == *x[i] && std::signbit(*x[i]) != std::signbit(*best))
      better = std::signbit(*best) == largest;
    if (!better) continue;
    best = x[i];
    *place = static_cast<device::i64>(i);
  }
  return step.reduction == Reduction::first ? x.empty() ? 0 : *x[0] : best.value_or(none);
}

// What is a double, whatever the elements are: variances, and sums before they are rounded.
template <class T>
double reduced_to_double(const Step& step, const std::vector<std::optional<T>>& x, size_t n) {
  using P = std::optional<Pair<T>>;
  std::vector<P> sums, squares;
  for (const auto& v : x) {
    sums.push_back(v ? P({*v, 0}) : P());
    squares.push_back(v ? P({*v * *v, std::fma(*v, *v, -(*v * *v))}) : P());
  }
  if (n == 0) return step.reduction == Reduction::variance ? std::numeric_limits<double>::quiet_NaN() : 0;
  const double s = exact_of(*all_of<Pair<T>>(sums, step.in_columns, pair_sum<T>));
  if (step.reduction != Reduction::variance) return s;
  const double least = exact_of(*all_of<Pair<T>>(squares, step.in_columns, pair_sum<T>)) -
                       s * s / static_cast<double>(n);
  return least < 0 ? 0 : least;
}

// The formula of e^x is the library's (device/math/functions/wide_exp.h), and the logarithm's.
template <class T>
double log_sum_exp_of(const Step& step, const std::vector<std::optional<T>>& x) {
  using Acc = device_detail::reductions::log_sum_exp<T>;
  using S = typename Acc::template state<T>;
  std::vector<std::optional<S>> leaves;
  for (const auto& v : x) leaves.push_back(v ? std::optional<S>(Acc::of(*v)) : std::nullopt);
  const auto merge = [](S a, S b) {
    if (a.exponent < b.exponent) std::swap(a, b);
    const T apart = 2 * (a.exponent - b.exponent);
    const T rest = apart < T(120) ? std::ldexp(b.sum, -static_cast<int>(apart)) : b.sum * 0;
    return S{a.sum + rest, a.exponent, a.largest > b.largest ? a.largest : b.largest};
  };
  return Acc::finish(all_of<S>(leaves, step.in_columns, merge).value_or(Acc::identity()));
}

Scalar reduced(const Step& step, const std::vector<std::optional<Scalar>>& x) {
  Scalar r;
  size_t n = 0;
  std::vector<std::optional<float>> f32;
  std::vector<std::optional<double>> f64;
  for (const auto& v : x) {
    n += v.has_value();
    f32.push_back(v ? std::optional<float>(v->f32) : std::nullopt);
    f64.push_back(v ? std::optional<double>(v->f64) : std::nullopt);
  }
  if (step.reduction == Reduction::log_sum_exp) {
    r.f64 = step.ctype == Ctype::f32 ? log_sum_exp_of(step, f32) : log_sum_exp_of(step, f64);
    return r;
  }
  if (step.reduction == Reduction::variance || step.reduction == Reduction::sum_wide) {
    r.f64 = step.ctype == Ctype::f32 ? reduced_to_double(step, f32, n) : reduced_to_double(step, f64, n);
    return r;
  }
  device::i64 place = 0;
  if (step.ctype == Ctype::f32) r.f32 = reduced_floats(step, f32, &place);
  if (step.ctype == Ctype::f64) r.f64 = reduced_floats(step, f64, &place);
  if (is_floating(step.ctype)) {
    if (step.reduction == Reduction::argmax || step.reduction == Reduction::argmin) r.i64 = place;
    return r;
  }
  if (step.ctype == Ctype::boolean) {
    r.boolean = step.reduction == Reduction::all;
    for (const auto& v : x)
      if (v) r.boolean = step.reduction == Reduction::all ? r.boolean && v->boolean : r.boolean || v->boolean;
    return r;
  }
  uint64_t all = step.reduction == Reduction::prod ? 1 : 0;
  bool any = false;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!x[i]) continue;
    const device::i64 v = x[i]->i64;
    const uint64_t u = static_cast<uint64_t>(v);
    const device::i64 so_far = static_cast<device::i64>(all);
    const bool larger = step.reduction == Reduction::amax || step.reduction == Reduction::argmax;
    const bool better = !any || (larger ? v > so_far : v < so_far);
    if (step.reduction == Reduction::sum) all += u;
    else if (step.reduction == Reduction::prod) all *= u;
    else if (step.reduction == Reduction::first ? i == 0 : better) {
      all = u;
      place = static_cast<device::i64>(i);
    }
    any = true;
  }
  r.i64 = static_cast<device::i64>(all);
  if (step.reduction == Reduction::argmax || step.reduction == Reduction::argmin) r.i64 = place;
  return r;
}

class Evaluation {
 public:
  explicit Evaluation(const RandomPass& pass)
      : pass_(pass.builder.pass), inputs_(pass.inputs), numbers_(pass.numbers), info_(pass_) {
    for (const int64_t e : pass_.extents) points_ *= static_cast<size_t>(e);
  }

  std::vector<Bytes> run(const std::vector<RandomPass::Output>& outputs, uint8_t unwritten) {
    loads_.resize(pass_.loads.size());
    for (const Step& step : pass_.steps) {
      for (const Value& v : step.arguments) need(v);
      steps_.push_back(result(step));
    }
    for (const Value& v : pass_.stored) need(v);
    std::vector<Bytes> memory;
    for (const RandomPass::Output& o : outputs)
      memory.push_back(o.in_place_of < 0 ? Bytes(o.bytes, unwritten) : inputs_[static_cast<size_t>(o.in_place_of)]);
    for (size_t k = 0; k < pass_.stores.size(); ++k) {
      const View& v = pass_.stores[k];
      for (size_t p = 0; p < points_; ++p) {
        int64_t at = v.offset + offset(v, p);
        if (exists(p) && add_indices(v, p, &at))
          write_as(v.dtype, of(pass_.stored[k])[p], info_.of(pass_.stored[k]).type,
                   memory[static_cast<size_t>(v.slot)].data() + at);
      }
    }
    return memory;
  }

 private:
  Shape index(size_t point) const {
    Shape at(pass_.extents.size());
    for (size_t d = at.size(); d-- > 0; point /= static_cast<size_t>(pass_.extents[d]))
      at[d] = static_cast<int64_t>(point % static_cast<size_t>(pass_.extents[d]));
    return at;
  }
  bool exists(size_t point) const {
    const Pass::ShortGroup& cut = pass_.short_group;
    if (!cut.limit) return true;
    const Shape at = index(point);
    return at[cut.group] * pass_.extents[cut.within] + at[cut.within] < cut.limit;
  }
  int64_t offset(const View& v, size_t point) const {
    const Shape at = index(point);
    int64_t sum = 0;
    for (size_t d = 0; d < at.size(); ++d) sum += at[d] * v.strides[d];
    return sum;
  }
  const Field& of(const Value& v) const {
    return v.kind == Value::Kind::load ? loads_[static_cast<size_t>(v.index)] : steps_[static_cast<size_t>(v.index)];
  }
  Ctype type(const Value& v) const { return info_.of(v).type; }

  // Loads that are gathered are there when steps have their indices.
  void need(const Value& v) {
    if (v.kind == Value::Kind::load && loads_[static_cast<size_t>(v.index)].empty())
      loads_[static_cast<size_t>(v.index)] = load(static_cast<size_t>(v.index));
  }
  bool add_indices(const View& v, size_t point, int64_t* at) const {
    for (const View::Index& index : v.indices) {
      const int64_t id = of(index.value)[point].i64;
      if (id < 0 || id >= index.extent) return false;
      *at += id * index.stride;
    }
    return true;
  }

  Field load(size_t i) const {
    const View& v = pass_.loads[i];
    const Ctype as = info_.of({Value::Kind::load, static_cast<int>(i), 0}).type;
    Field f(points_);
    for (size_t p = 0; p < points_; ++p) {
      if (!exists(p)) continue;
      if (v.kind == ViewKind::index) {
        const int64_t at = v.offset + offset(v, p);
        f[p] = {static_cast<float>(at), static_cast<double>(at), at, at != 0};
      } else if (v.kind == ViewKind::number) {
        f[p] = read_as(v.dtype, reinterpret_cast<const uint8_t*>(&numbers_[static_cast<size_t>(v.slot)]), as);
      } else {
        int64_t at = v.offset + offset(v, p);
        const float outside = v.zero_outside || !is_floating(as) ? 0 : std::numeric_limits<float>::quiet_NaN();
        if (add_indices(v, p, &at)) f[p] = read_as(v.dtype, inputs_[static_cast<size_t>(v.slot)].data() + at, as);
        else f[p] = {outside, outside, 0, false};
      }
    }
    return f;
  }

  Field result(const Step& step) const {
    Field f(points_);
    if (step.scans) {
      scan(step, &f);
      return f;
    }
    if (step.reduces()) {
      size_t elements = 1;
      for (size_t d = pass_.extents.size() - step.rank; d < pass_.extents.size(); ++d)
        elements *= static_cast<size_t>(pass_.extents[d]);
      for (size_t first = 0; first < points_; first += elements) {
        std::vector<std::optional<Scalar>> x(elements);
        for (size_t e = 0; e < elements; ++e)
          if (exists(first + e)) x[e] = of(step.arguments[0])[first + e];
        const Scalar r = reduced(step, x);
        for (size_t e = 0; e < elements; ++e) f[first + e] = r;
      }
      return f;
    }
    for (size_t p = 0; p < points_; ++p) {
      if (!exists(p)) continue;
      const Scalar a = of(step.arguments[0])[p];
      if (step.body) {
        f[p] = applied(step, a, step.arguments.size() > 1 ? of(step.arguments[1])[p] : Scalar{});
      } else {
        uint8_t bytes[8];
        write_as(step.to, a, type(step.arguments[0]), bytes);
        f[p] = read_as(step.to, bytes, compute_type(step.to));
      }
    }
    return f;
  }

  // Each element is the reduction of those up to it.
  void scan(const Step& step, Field* f) const {
    size_t elements = 1;
    for (size_t d = pass_.extents.size() - step.rank; d < pass_.extents.size(); ++d)
      elements *= static_cast<size_t>(pass_.extents[d]);
    for (size_t first = 0; first < points_; first += elements) {
      std::vector<std::optional<Scalar>> x;
      for (size_t e = 0; e < elements; ++e) {
        if (!exists(first + e)) continue;
        if (step.exclusive) (*f)[first + e] = reduced(step, x);
        x.push_back(of(step.arguments[0])[first + e]);
        if (!step.exclusive) (*f)[first + e] = reduced(step, x);
      }
    }
  }

  const Pass& pass_;
  const std::vector<Bytes>& inputs_;
  const std::vector<AttrValue>& numbers_;
  const PassInfo info_;
  size_t points_ = 1;
  std::vector<Field> loads_, steps_;
};

}  // namespace

std::vector<Bytes> expected_of_rows(const RandomPass& pass, uint8_t unwritten) {
  return Evaluation(pass).run(pass.outputs, unwritten);
}

Bytes elements_of(Dtype dtype, const std::vector<double>& numbers) {
  const size_t size = dtype_size(dtype);
  Bytes bytes(numbers.size() * size);
  for (size_t i = 0; i < numbers.size(); ++i) put_number(dtype, numbers[i], &bytes[i * size]);
  return bytes;
}

}  // namespace tileops::passes
