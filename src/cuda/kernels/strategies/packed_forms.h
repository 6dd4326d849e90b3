// Light bodies of 8-bit floats and bools, four elements at a time in words, and of f16 where that saves conversions.
// Two e4m3 or e5m2 numbers fit into a pair of f16 ones exactly, and there the sum of two, rounded to f16's 11 bits,
// rounds as the exact one does: 11 >= 2 * 4 + 2 (Figueroa). A product of two e4m3 numbers is exact; one of two e5m2
// numbers is not where it is subnormal, so that it has no form here.
#ifndef TILEOPS_KERNELS_PACKED_FORMS_H
#define TILEOPS_KERNELS_PACKED_FORMS_H

#include "cuda/kernels/core/operator_step.h"
#include "tileops/device/cuda/kernel/fetch.h"

namespace tileops {
namespace kernels {
namespace packed {

// Two f16 numbers, the first in the low half.
struct halves {
  u32 bits;
};

#define TILEOPS_ON_HALVES(name, instruction)                                   \
  TILEOPS_DEVICE halves name(halves a, halves b) {                             \
    halves y;                                                                  \
    asm(instruction " %0, %1, %2;" : "=r"(y.bits) : "r"(a.bits), "r"(b.bits)); \
    return y;                                                                  \
  }
TILEOPS_ON_HALVES(add, "add.rn.f16x2")
TILEOPS_ON_HALVES(sub, "sub.rn.f16x2")
TILEOPS_ON_HALVES(mul, "mul.rn.f16x2")
TILEOPS_ON_HALVES(maximum, "max.NaN.f16x2")
TILEOPS_ON_HALVES(minimum, "min.NaN.f16x2")
#undef TILEOPS_ON_HALVES

// All ones in a half where it holds.
#define TILEOPS_ON_HALVES(name, instruction)                                        \
  TILEOPS_DEVICE u32 name(halves a, halves b) {                                     \
    u32 y;                                                                          \
    asm(instruction ".u32.f16x2 %0, %1, %2;" : "=r"(y) : "r"(a.bits), "r"(b.bits)); \
    return y;                                                                       \
  }
TILEOPS_ON_HALVES(eq, "set.eq")
TILEOPS_ON_HALVES(ne, "set.neu")
TILEOPS_ON_HALVES(gt, "set.gt")
TILEOPS_ON_HALVES(lt, "set.lt")
TILEOPS_ON_HALVES(ge, "set.ge")
TILEOPS_ON_HALVES(le, "set.le")
#undef TILEOPS_ON_HALVES

template <class S>
TILEOPS_DEVICE halves widen(u16 two) {
  halves y;
  if constexpr (is_e4m3_v<S>) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(y.bits) : "h"(two));
  else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(y.bits) : "h"(two));
  return y;
}

// The even bytes of two words.
TILEOPS_DEVICE u32 even_bytes(u32 a, u32 b) { return __byte_perm(a, b, 0x6420); }

// Four results. The instruction saturates; the code of an overflow is the next one (narrow.h).
template <class S>
TILEOPS_DEVICE u32 narrow(halves a, halves b) {
  u16 low, high;
  if constexpr (is_e4m3_v<S>) {
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(low) : "r"(a.bits));
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(high) : "r"(b.bits));
  } else {
    asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(low) : "r"(a.bits));
    asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(high) : "r"(b.bits));
  }
  const u32 word = low | static_cast<u32>(high) << 16;
  if constexpr (saturates_v<S>) return word;
  const halves ma{a.bits & 0x7fff7fffu}, mb{b.bits & 0x7fff7fffu};
  u32 over;
  if constexpr (is_e4m3_v<S>) {
    constexpr halves limit{0x5f405f40u};  // 464
    over = even_bytes(gt(ma, limit), gt(mb, limit));
  } else {
    constexpr halves limit{0x7b807b80u};  // 61440
    over = even_bytes(ge(ma, limit), ge(mb, limit));
  }
  return word + (over & 0x01010101u);
}

// One where the byte, its highest bit apart, is not 0.
TILEOPS_DEVICE u32 truth(u32 word) { return (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) >> 7) & 0x01010101u; }

// form<Body, S>: does the body have one for storage S, and its four results in storage R.
template <class Body, class S>
struct form {
  static constexpr bool exists = false;
};

#define TILEOPS_PACKED_FLOAT(name, condition)                                                             \
  template <class P, class S>                                                                             \
  struct form<op::name<P, float>, S> {                                                                    \
    static constexpr bool exists = is_fp8_v<S> && (condition), truths = false;                            \
    template <class R>                                                                                    \
    TILEOPS_DEVICE u32 word(u32 a, u32 b) {                                                               \
      const halves low = name(widen<S>(static_cast<u16>(a)), widen<S>(static_cast<u16>(b)));              \
      const halves high = name(widen<S>(static_cast<u16>(a >> 16)), widen<S>(static_cast<u16>(b >> 16))); \
      return narrow<R>(low, high);                                                                        \
    }                                                                                                     \
  };
TILEOPS_PACKED_FLOAT(add, true)
TILEOPS_PACKED_FLOAT(sub, true)
TILEOPS_PACKED_FLOAT(mul, is_e4m3_v<S>)
TILEOPS_PACKED_FLOAT(maximum, true)
TILEOPS_PACKED_FLOAT(minimum, true)
#undef TILEOPS_PACKED_FLOAT

#define TILEOPS_PACKED_TRUTH(name)                                                                     \
  template <class P, class S>                                                                          \
  struct form<op::name<P, float>, S> {                                                                 \
    static constexpr bool exists = is_fp8_v<S>, truths = true;                                         \
    template <class>                                                                                   \
    TILEOPS_DEVICE u32 word(u32 a, u32 b) {                                                            \
      const u32 low = name(widen<S>(static_cast<u16>(a)), widen<S>(static_cast<u16>(b)));              \
      const u32 high = name(widen<S>(static_cast<u16>(a >> 16)), widen<S>(static_cast<u16>(b >> 16))); \
      return even_bytes(low, high) & 0x01010101u;                                                      \
    }                                                                                                  \
  };
TILEOPS_PACKED_TRUTH(eq)
TILEOPS_PACKED_TRUTH(ne)
TILEOPS_PACKED_TRUTH(gt)
TILEOPS_PACKED_TRUTH(lt)
TILEOPS_PACKED_TRUTH(ge)
TILEOPS_PACKED_TRUTH(le)
#undef TILEOPS_PACKED_TRUTH

template <class P, class T, class S>
struct form<op::logical_and<P, T>, S> {
  static constexpr bool exists = is_fp8_v<S>, truths = true;
  template <class>
  TILEOPS_DEVICE u32 word(u32 a, u32 b) {
    return truth(a) & truth(b);
  }
};
template <class P, class T, class S>
struct form<op::logical_or<P, T>, S> {
  static constexpr bool exists = is_fp8_v<S>, truths = true;
  template <class>
  TILEOPS_DEVICE u32 word(u32 a, u32 b) {
    return truth(a | b);
  }
};
template <class P, class T, class S>
struct form<op::logical_not<P, T>, S> {
  static constexpr bool exists = is_fp8_v<S>, truths = true;
  template <class>
  TILEOPS_DEVICE u32 word(u32 a) {
    return truth(a) ^ 0x01010101u;
  }
};

// 1 in each byte that is not 0: a bool may be any of them.
TILEOPS_DEVICE u32 any_bit(u32 word) { return ((((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) >> 7) & 0x01010101u; }
TILEOPS_DEVICE u32 chosen(u32 condition, u32 a, u32 b) {
  const u32 first = any_bit(condition) * 0xffu;
  return any_bit((a & first) | (b & ~first));
}
template <class P>
struct form<op::where<P, bool>, bool8> {
  static constexpr bool exists = true, truths = true;
  template <class>
  TILEOPS_DEVICE u32 word(u32 condition, u32 a, u32 b) {
    return chosen(condition, a, b);
  }
};
template <class P>
struct form<op::masked_fill<P, bool>, bool8> {
  static constexpr bool exists = true, truths = true;
  template <class>
  TILEOPS_DEVICE u32 word(u32 a, u32 mask, u32 value) {
    return chosen(mask, value, a);
  }
};

// Bounds that are tensors: of f16 too, two elements a word.
TILEOPS_DEVICE halves clamped(halves x, halves lo, halves hi) {
  const u32 below = lt(x, lo);
  const halves y{(lo.bits & below) | (x.bits & ~below)};
  const u32 above = gt(y, hi);
  const u32 z = (hi.bits & above) | (y.bits & ~above);
  return {z | ((ne(lo, lo) | ne(hi, hi)) & 0x7fff7fffu)};  // NaN where a bound is
}
template <class P, class S>
struct form<op::clamp<P, float>, S> {
  static constexpr bool exists = is_fp8_v<S> || same_v<S, f16>, truths = false;
  template <class R>
  TILEOPS_DEVICE u32 word(u32 a, u32 b, u32 c) {
    if constexpr (same_v<S, f16>) {
      return clamped({a}, {b}, {c}).bits;
    } else {
      const auto half = [&](int shift) {
        return clamped(widen<S>(static_cast<u16>(a >> shift)), widen<S>(static_cast<u16>(b >> shift)),
                       widen<S>(static_cast<u16>(c >> shift)));
      };
      return narrow<R>(half(0), half(16));
    }
  }
};

// Gated forms: gates' activations from a table in shared memory, rounded to odd in 20 bits, so that their
// product with the 4 bits of a value is exact in f32 and rounds as the exact one: so it is for all 65536
// pairs of each dtype, tried on a CPU. (Rounded to nearest, up to 1 240 of them go wrong.)
TILEOPS_DEVICE float* gate_table() {
  __shared__ float table[256];
  return table;
}
TILEOPS_DEVICE void fill_gate_table(u64 doubles) {
  for (u32 i = threadIdx.x; i < 256u; i += blockDim.x) {
    const double gate = reinterpret_cast<const double*>(doubles)[i];
    const u32 bits = to_bits(round_to_odd(gate));
    const u32 odd = (bits & ~0xfu) | ((bits & 0xfu) != 0u ? 0x10u : 0u);
    gate_table()[i] = gate - gate == 0.0 ? from_bits(odd) : static_cast<float>(gate);
  }
  __syncthreads();
}
TILEOPS_DEVICE float gate_at(u32 word, int byte) {
  const u32 place = byte == 0 ? word << 2 : word >> (8 * byte - 2);
  return *reinterpret_cast<const float*>(reinterpret_cast<const char*>(gate_table()) + (place & 0x3fcu));
}

#define TILEOPS_PACKED_GATED(name)                                                                \
  template <class P, class S>                                                                     \
  struct form<op::name<P, float>, S> {                                                            \
    static constexpr bool exists = is_fp8_v<S>, truths = false, has_table = true;                 \
    template <class R>                                                                            \
    TILEOPS_DEVICE u32 word(u32 a, u32 b) {                                                       \
      float v[4];                                                                                 \
      widen_fp8x2<S>(static_cast<u16>(b), &v[0], &v[1]);                                          \
      widen_fp8x2<S>(static_cast<u16>(b >> 16), &v[2], &v[3]);                                    \
      return narrow_fp8x2<R>(gate_at(a, 0) * v[0], gate_at(a, 1) * v[1]) |                        \
             static_cast<u32>(narrow_fp8x2<R>(gate_at(a, 2) * v[2], gate_at(a, 3) * v[3])) << 16; \
    }                                                                                             \
  };
TILEOPS_PACKED_GATED(silu_and_mul)
TILEOPS_PACKED_GATED(gelu_and_mul)
TILEOPS_PACKED_GATED(gelu_tanh_and_mul)
#undef TILEOPS_PACKED_GATED

template <class F, class = void>
inline constexpr bool has_table_v = false;
template <class F>
inline constexpr bool has_table_v<F, void_of<decltype(F::has_table)>> = true;

}  // namespace packed
}  // namespace kernels
}  // namespace tileops

#endif
