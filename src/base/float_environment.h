// The floating-point environment that the library computes in: rounding to nearest even, subnormal numbers kept, no
// traps. A program may have set another one on its threads; every piece of work sets the library's and then restores
// the program's.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace tileops {

// In a scope, on the calling thread. A thread that already has the usual environment keeps its exception flags as they
// are raised, as with any function of the C library; in another environment no flag is raised.
class FloatEnvironment {
 public:
#if defined(__SSE2__)
  // x86 has two: that of SSE, and that of the x87, which computes long double and which the C library's printf looks
  // at.
  FloatEnvironment() : saved_(_mm_getcsr()), changed_((saved_ & ~kFlags) != kUsual) {
    if (__builtin_expect(changed_, 0)) set(kUsual);
    unsigned short control;
    asm volatile("fnstcw %0" : "=m"(control) : : "memory");
    x87_changed_ = (control & kX87Parts) != kX87Usual;
    if (__builtin_expect(x87_changed_, 0))
      asm volatile("fnstenv %0\n\tfldcw %1" : "=m"(x87_) : "m"(kX87Usual) : "memory");
  }
  ~FloatEnvironment() {
    if (__builtin_expect(changed_, 0)) set(saved_);
    if (__builtin_expect(x87_changed_, 0)) asm volatile("fldenv %0" : : "m"(x87_) : "memory");
  }

 private:
  // The clobber keeps computations from being moved across.
  static void set(unsigned mxcsr) { asm volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory"); }
  static constexpr unsigned kFlags = 0x3f, kUsual = 0x1f80;
  // Traps masked, 64 bits of fraction, to nearest.
  static constexpr unsigned short kX87Parts = 0x0f3f, kX87Usual = 0x033f;
  unsigned saved_;
  unsigned x87_[7];
  bool x87_changed_;
#elif defined(__aarch64__)
  FloatEnvironment() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    changed_ = saved_ != 0;
    if (__builtin_expect(changed_, 0)) set(0);
  }
  ~FloatEnvironment() {
    if (__builtin_expect(changed_, 0)) set(saved_);
  }

 private:
  static void set(unsigned long long fpcr) { asm volatile("msr fpcr, %0" : : "r"(fpcr) : "memory"); }
  unsigned long long saved_;
#else
  FloatEnvironment() : changed_(true) {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
  bool changed_;

 public:
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;
};

}  // namespace tileops
