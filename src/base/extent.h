// A number of elements, or of bytes from one to the next. Of a plan whose shapes are numbers it is a number. Of a plan
// with open extents (TILEOPS_OPEN) it may be a multiple of one or two of these, which each execute brings.
//
// Whoever needs the number itself asks for it by conversion, which throws UNSUPPORTED where it is open: what was not
// thought through for open extents refuses them, and never computes with a number of another execute.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace tileops {

class Extent {
  template <class I>
  using IfInteger = std::enable_if_t<std::is_integral_v<I>, int>;

 public:
  constexpr Extent() = default;
  template <class I, IfInteger<I> = 0>
  constexpr Extent(I n) : factor_(static_cast<int64_t>(n)) {}
  // Open extent number `c` of the plan, below kMostOpen.
  static constexpr Extent open(int c) {
    Extent e(1);
    e.first_ = static_cast<int16_t>(c + 1);
    return e;
  }
  // An open extent of a result, until the text has said which it is.
  static constexpr Extent of_result() { return open(kMostOpen); }
  // Open extent `from` is the one of number `to`, and those behind it have the numbers before theirs.
  void merge(int from, int to);

  constexpr bool is_open() const { return first_ != 0; }
  // Is it an open extent of the plan as it is? Then which one; else -1.
  constexpr int open_number() const { return factor_ == 1 && second_ == 0 && group_ == 1 ? first_ - 1 : -1; }
  constexpr operator int64_t() const { return is_open() ? refuse() : factor_; }
  // For the open extents of an execute. It wraps where 63 bits are too few: Plan::check_extents refuses those.
  int64_t at(const int64_t* extents) const {
    if (!is_open()) return factor_;
    const int64_t n = wrapping(extents[first_ - 1], second_ ? extents[second_ - 1] : 1);
    return wrapping(factor_, group_ == 1 ? n : groups(wrapping(per_group_, n), group_));
  }
  // Where a choice is to be made that no result depends on: as if each open extent was large, and none like others.
  int64_t typical() const { return is_open() ? at(kTypical) : factor_; }
  // A number that it is a multiple of, whatever its open extents are. How often open extent `c` is a factor of it.
  constexpr int64_t divisor() const { return factor_; }
  constexpr int uses(int c) const { return (first_ == c + 1) + (second_ == c + 1); }
  // In groups of so many, of which the last one may be short: how many these are.
  Extent in_groups_of(int64_t group) const;

  friend constexpr bool operator==(const Extent& a, const Extent& b) {
    return a.factor_ == b.factor_ && a.first_ == b.first_ && a.second_ == b.second_ && a.group_ == b.group_ &&
           a.per_group_ == b.per_group_;
  }
  friend constexpr bool operator!=(const Extent& a, const Extent& b) { return !(a == b); }
  template <class I, IfInteger<I> = 0>
  friend constexpr bool operator==(const Extent& a, I n) {
    return a == Extent(n);
  }
  template <class I, IfInteger<I> = 0>
  friend constexpr bool operator!=(const Extent& a, I n) {
    return !(a == n);
  }
  template <class I, IfInteger<I> = 0>
  friend constexpr bool operator==(I n, const Extent& a) {
    return a == n;
  }
  template <class I, IfInteger<I> = 0>
  friend constexpr bool operator!=(I n, const Extent& a) {
    return !(a == n);
  }

  friend Extent operator*(const Extent& a, const Extent& b) {
    return a.is_open() || b.is_open() ? product(a, b) : Extent(a.factor_ * b.factor_);
  }
  template <class I, IfInteger<I> = 0>
  friend Extent operator*(const Extent& a, I n) {
    return a * Extent(n);
  }
  template <class I, IfInteger<I> = 0>
  friend Extent operator*(I n, const Extent& a) {
    return Extent(n) * a;
  }
  Extent& operator*=(const Extent& b) { return *this = *this * b; }
  // An open one by a divisor alone.
  Extent& operator/=(int64_t n) {
    if (is_open() && factor_ % n != 0) refuse();
    factor_ /= n;
    return *this;
  }
  Extent& operator-=(int64_t n) { return *this = int64_t{*this} - n; }
  friend Extent operator-(const Extent& a) { return a * int64_t{-1}; }

  // "4096", or "3 * open 0".
  std::string text() const;

  static constexpr int kMostOpen = 16;
  // What open extents are taken for, by number: primes, so that none is equal to another extent by chance.
  static constexpr int64_t kTypical[kMostOpen + 1] = {4099, 4111, 4127, 4129, 4133, 4139, 4153, 4157, 4159,
                                                      4177, 4201, 4211, 4217, 4219, 4229, 4231, 4241};

 private:
  [[noreturn]] int64_t refuse() const;
  static constexpr int64_t wrapping(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
  // A short last group is one of them.
  static constexpr int64_t groups(int64_t n, int64_t group) { return n / group + (n % group > 0); }
  static Extent product(const Extent& a, const Extent& b);
  void sort();

  // factor * ceil(per_group * open extents / group). No bytes between these: plans are found by them all.
  int64_t factor_ = 0;
  int64_t per_group_ = 1;
  int32_t group_ = 1;
  int16_t first_ = 0, second_ = 0;  // numbers of open extents, from 1 on, the smaller one first; 0: none
};

// Thrown where a text makes two open extents of a request equal: then these are one (lower/open.h), and it begins anew.
struct SameExtents {
  int first, second;
};
// Are extents equal that have to be? Open ones become equal.
bool must_equal(const Extent& a, const Extent& b);

// "(2, open 0)", for messages.
std::string shape_text(const Extent* shape, int ndim);

// Sets `out` to a b; false if that is a number beyond 64 bits.
bool multiply(const Extent& a, const Extent& b, Extent* out);

}  // namespace tileops
