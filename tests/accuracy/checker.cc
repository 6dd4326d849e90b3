#include "checker.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "clones.h"

namespace {

// The nearest f32 values of both ends of the interval that holds the exact result, where they are
// one; the others are marked, by a NaN code that encode() does not give.
constexpr uint64_t kUndecided = ~uint64_t{0};

CLONES void round_to_f32(const double* v, uint64_t* codes, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float low = static_cast<float>(v[i] * (1 - kFastError));
    const float high = static_cast<float>(v[i] * (1 + kFastError));
    uint32_t a, b;
    std::memcpy(&a, &low, 4);
    std::memcpy(&b, &high, 4);
    codes[i] = a == b ? a : kUndecided;
  }
}

// Bit patterns of one element size, sign and largest code that is no NaN.
template <class T>
struct Codes {
  T sign, nan_above;
  bool nan(T code) const { return static_cast<T>(code & static_cast<T>(~sign)) > nan_above; }
  bool differ(T a, T b) const { return (a != b) & !(nan(a) & nan(b)); }
};

// How many of a differ from b.
template <class T, class U>
[[gnu::always_inline]] inline uint64_t count(Codes<T> codes, const T* a, const U* b, size_t n) {
  uint32_t wrong = 0;
  for (size_t i = 0; i < n; ++i) wrong += codes.differ(a[i], static_cast<T>(b[i]));
  return wrong;
}
#define COUNT(T)                                                                              \
  CLONES uint64_t count_wrong(Codes<T> codes, const T* got, const uint64_t* want, size_t n) { \
    return count(codes, got, want, n);                                                        \
  }                                                                                           \
  CLONES uint64_t count_apart(Codes<T> codes, const T* got, const T* other, size_t n) {       \
    return count(codes, got, other, n);                                                       \
  }
COUNT(uint8_t)
COUNT(uint16_t)
COUNT(uint32_t)
COUNT(uint64_t)

}  // namespace

Checker::Checker(const Case& c, const Format& format, bool use_fast, size_t variants, size_t show)
    : case_(c),
      format_(format),
      attrs_(c.oracle_attrs(format.size == 8)),
      fast_attrs_(c.fast_attrs(format.size == 8)),
      fast_(use_fast && format.size < 8 ? c.fast : nullptr),
      show_(show),
      stats_(variants) {
  mpfr_init2(exact_, kOraclePrecision);
}

Checker::~Checker() { mpfr_clear(exact_); }

void Checker::evaluate(size_t i) {
  const double in[2] = {x_[i], y_[i]};
  if (!case_.exact(in, attrs_, exact_)) {
    std::fprintf(stderr, "the oracle does not know %s\n", case_.op.c_str());
    std::exit(2);
  }
}

void Checker::references(size_t n, const std::vector<uint64_t>* codes) {
  x_.resize(n);
  y_.resize(n);
  reference_.resize(n);
  want_.resize(n);
  decode(format_, codes[0].data(), x_.data(), n);
  if (case_.arity > 1) decode(format_, codes[1].data(), y_.data(), n);
  if (fast_) {
    fast_(x_.data(), y_.data(), fast_attrs_, reference_.data(), n);
    if (format_.size == 4) {
      round_to_f32(reference_.data(), want_.data(), n);
    } else {
      for (size_t i = 0; i < n; ++i) {
        const uint64_t low = encode(format_, reference_[i] * (1 - kFastError));
        want_[i] = low == encode(format_, reference_[i] * (1 + kFastError)) ? low : kUndecided;
      }
    }
  } else {
    std::fill(want_.begin(), want_.end(), kUndecided);
  }
  for (size_t i = 0; i < n; ++i) {
    if (want_[i] != kUndecided) continue;
    evaluate(i);
    want_[i] = oracle_encode(exact_, format_.oracle);
    if (!fast_) reference_[i] = mpfr_get_d(exact_, MPFR_RNDN);
  }
}

// Counts one result that is not the one wanted. MPFR has the last word on a new maximum.
void Checker::record(Stats* s, size_t i, const std::vector<uint64_t>* codes, uint64_t got) {
  Finding f;
  f.in[0] = codes[0][i];
  f.in[1] = case_.arity > 1 ? codes[1][i] : 0;
  f.got = got;
  f.want = want_[i];
  if (s->shown.size() < show_) s->shown.push_back(f);
  ++s->differing;
  const double g = decode(format_, got), w = decode(format_, f.want), r = reference_[i];
  const bool bad = std::isnan(g) != std::isnan(w) || (std::isinf(r) && g != r) || (g == 0 && w == 0);
  if (bad) {
    f.ulp = INFINITY;
    if (s->bad++ == 0) s->first_bad = f;
    return;
  }
  if (std::isfinite(g) && std::isfinite(r) && format_.size < 8 && std::fabs(g - r) / ulp_of(format_, r) < s->max_ulp) {
    return;
  }
  evaluate(i);
  f.ulp = ulp_error(exact_, g, format_.oracle);
  if (f.ulp > s->max_ulp || s->differing - s->bad == 1) {
    s->max_ulp = f.ulp;
    s->worst = f;
  }
}

template <class T>
void Checker::compare(size_t n, const std::vector<uint64_t>* codes, const void* const* got) {
  const Codes<T> kind{static_cast<T>(format_.sign_bit()), static_cast<T>(format_.nan_above)};
  for (size_t v = 0; v < stats_.size(); ++v) {
    const T* g = static_cast<const T*>(got[v]);
    stats_[v].inputs += n;
    if (v > 0) disagreements_ += count_apart(kind, g, static_cast<const T*>(got[0]), n);
    if (count_wrong(kind, g, want_.data(), n) == 0) continue;
    for (size_t i = 0; i < n; ++i) {
      if (kind.differ(g[i], static_cast<T>(want_[i]))) record(&stats_[v], i, codes, g[i]);
    }
  }
}

void Checker::block(size_t n, const std::vector<uint64_t>* codes, const void* const* got) {
  references(n, codes);
  switch (format_.size) {
    case 1: return compare<uint8_t>(n, codes, got);
    case 2: return compare<uint16_t>(n, codes, got);
    case 4: return compare<uint32_t>(n, codes, got);
    default: return compare<uint64_t>(n, codes, got);
  }
}
