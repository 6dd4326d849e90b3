#include "base/extent.h"

#include <numeric>
#include <utility>

#include "base/error.h"

namespace tileops {

int64_t Extent::refuse() const {
  throw OpenExtentError{{TILEOPS_STATUS_UNSUPPORTED, "is open, and this text needs its number"}, first_ - 1};
}

Extent Extent::product(const Extent& a, const Extent& b) {
  constexpr int64_t kMostFactor = int64_t{1} << 37;  // so that the number of typical extents is one of 64 bits
  int64_t factor;
  if (__builtin_mul_overflow(a.factor_, b.factor_, &factor) || factor > kMostFactor || factor < -kMostFactor)
    unsupported("an open extent is multiplied by more than 2^37");
  Extent e(factor);
  if (factor == 0) return e;
  const Extent &open = a.is_open() ? a : b, &other = a.is_open() ? b : a;
  if (other.is_open() && (open.second_ || other.second_ || other.group_ != 1 || open.group_ != 1))
    unsupported("this text multiplies more open extents than two");
  e.group_ = open.group_;
  e.per_group_ = open.per_group_;
  e.first_ = open.first_;
  e.second_ = other.is_open() ? other.first_ : open.second_;
  e.sort();
  return e;
}

Extent Extent::in_groups_of(int64_t group) const {
  if (!is_open()) return factor_ / group + (factor_ % group != 0);
  if (group_ != 1 || factor_ < 0) refuse();
  const int64_t common = std::gcd(factor_, group);
  if (group / common > INT32_MAX) refuse();
  Extent e = *this;
  e.group_ = static_cast<int32_t>(group / common);
  (e.group_ == 1 ? e.factor_ : e.per_group_) = factor_ / common;
  if (e.group_ != 1) e.factor_ = 1;
  return e;
}

void Extent::merge(int from, int to) {
  for (int16_t* number : {&first_, &second_}) {
    if (*number == from + 1) *number = static_cast<int16_t>(to + 1);
    else if (*number > from + 1 && *number <= kMostOpen) --*number;
  }
  sort();
}

void Extent::sort() {
  if (second_ && second_ < first_) std::swap(first_, second_);
}

bool must_equal(const Extent& a, const Extent& b) {
  const int m = a.open_number(), n = b.open_number();
  if (m >= 0 && n >= 0 && m != n) throw SameExtents{m, n};
  return a == b;
}

std::string Extent::text() const {
  if (!is_open()) return std::to_string(factor_);
  std::string open = "open " + std::to_string(first_ - 1);
  if (second_) open.append(" * open ").append(std::to_string(second_ - 1));
  const auto times = [](int64_t n, const std::string& what) {
    return n == 1 ? what : std::to_string(n).append(" * ").append(what);
  };
  if (group_ != 1) {
    std::string groups("ceil(");
    open = groups.append(times(per_group_, open)).append(" / ").append(std::to_string(group_)).append(")");
  }
  return times(factor_, open);
}

std::string shape_text(const Extent* shape, int ndim) {
  std::string s = "(";
  for (int i = 0; i < ndim; ++i) s += (i ? ", " : "") + shape[i].text();
  return s + (ndim == 1 ? ",)" : ")");
}

bool multiply(const Extent& a, const Extent& b, Extent* out) {
  int64_t n;
  if (__builtin_mul_overflow(a.divisor(), b.divisor(), &n)) return false;
  *out = a * b;
  return true;
}

}  // namespace tileops
