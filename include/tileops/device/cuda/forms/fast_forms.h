// SPDX-License-Identifier: Apache-2.0
// Fast forms of heavy bodies of one operand and of the gated ones, for 16-bit results; see fast.h.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_FAST_FORMS_H
#define TILEOPS_DEVICE_CUDA_FORMS_FAST_FORMS_H

#include "../math/fast_math.h"
#include "fast.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// Most of those named as rare lie so close to a tie that no constants were found with which f32 can tell.
TILEOPS_FAST_FROM(exp, 8, 8, 0, 1, -87.0f, -65504.0f, approx::exp_form<S>(x, approx::by<S>(0x1.8p-26f, -0.0f)))
TILEOPS_FAST_BUT(log, 12, 12, 0, 0, x < 0x1p-126f, (x == 0x1.834p-10f) | (x == 0x1.144p+9f), approx::log_form(x))
TILEOPS_FAST_BUT(log1p, 12, 40, 0, 0, false, (x == 0x1.80cp-8f) | (x == 0x1.0f8p+1f), approx::log1p_form<S>(x))
TILEOPS_FAST_BUT(expm1, 16, 32, 0, 0, x < -87.0f, (x < -65504.0f) | (x == 0x1.6ap-11f), approx::expm1_form<S>(x))
TILEOPS_FAST_BUT(erf, 12, 64, 0, 0, false, approx::abs(x) == 0x1.b7p-3f, approx::erf_form<S>(x))
TILEOPS_FAST(rsqrt, 4, 4, 0, 0, approx::rsqrt(x))
TILEOPS_FAST_FROM(sigmoid, 72, 16, 0, 2, -87.0f, approx::kAll, approx::sigmoid_form<S>(x))
TILEOPS_FAST_FROM(silu, 72, 20, 1, 0, -87.0f, -65504.0f, approx::silu_form<S>(x))
TILEOPS_FAST(gelu, 80, 14, 1, 0, approx::gelu_form<S>(x))
TILEOPS_FAST_FROM(gelu_tanh, 100, 24, 1, 1, -10.0f, -65504.0f, approx::gelu_tanh_form(x))
TILEOPS_FAST_FROM(mish, 76, 40, 0, 0, -87.0f, -65504.0f, approx::mish_form<S>(x))

// Beyond the range of the reduction, which f16 does not leave.
#define TILEOPS_FAST_TRIG(name)                                                                      \
  template <class S>                                                                                 \
  struct name<fast<S>, float> : body {                                                               \
    using body::body;                                                                                \
    static constexpr u32 ulp = bound_of<S>({12, 140, 0, 0});                                         \
    static __device__ __forceinline__ bool rare(float x) {                                           \
      return fast<S>::wide_range && !(approx::abs(x) <= f32::kTrigFastMax);                          \
    }                                                                                                \
    static __device__ __forceinline__ float slow(float x) { return x; }                              \
    __device__ __forceinline__ float operator()(float x) const { return approx::name##_form<S>(x); } \
  };
TILEOPS_FAST_TRIG(sin)
TILEOPS_FAST_TRIG(cos)

// The instruction alone will do for bf16 where it was tried.
template <class S>
struct tanh<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<S>({24, 24, 0, 0});
  __device__ __forceinline__ float operator()(float x) const {
    return kSwept && fast<S>::wide_range ? approx::tanh(x) : approx::tanh_form(x);
  }
};

template <class S>
struct elu<fast<S>, float> : body {
  float alpha;
  static constexpr u32 ulp = 6;
  __device__ __forceinline__ explicit elu(const AttrValue* a) : alpha(static_cast<float>(a[0].f64)) {}
  // alpha times 0 must be 0, not -0, and nothing subnormal.
  __device__ __forceinline__ bool rare(float) const { return !(alpha <= 0x1p64f) | !(alpha >= 0x1p-64f); }
  __device__ __forceinline__ float slow(float x) const { return x; }
  __device__ __forceinline__ float operator()(float x) const {
    return fma(alpha, approx::expm1_left(::fminf(x, 0.0f)), approx::max_nan(x, -0.0f));
  }
};

template <class S>
struct elu_one<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<S>({8, 8, 0, 0});
  __device__ __forceinline__ float operator()(float x) const {
    const float log2e = approx::by<S>(approx::kLog2e, 0x1.715474p+0f);
    return approx::expm1_left(::fminf(x, 0.0f), log2e) + approx::max_nan(x, -0.0f);
  }
};

template <class S>
struct selu<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<S>({6, 6, 0, 0});
  __device__ __forceinline__ float operator()(float x) const {
    using k = selu_constants<float>;
    return fma(k::scale_alpha, approx::expm1_left(::fminf(x, 0.0f)), k::scale * approx::max_nan(x, -0.0f));
  }
};

// max(x, 0) + log1p(exp(-|beta x|)) / beta.
template <class S>
struct softplus<fast<S>, float> : body {
  float beta, threshold, inverse;
  static constexpr u32 ulp = 20;  // 17 with what ex2 may be off, tiny results the most
  __device__ __forceinline__ explicit softplus(const AttrValue* a)
      : beta(static_cast<float>(a[0].f64)), threshold(static_cast<float>(a[1].f64)), inverse(1.0f / beta) {}
  __device__ __forceinline__ bool rare(float x) const {
    return !(beta >= 0x1p-64f) | !(beta <= 0x1p64f) | (beta * x < -11.0f);
  }
  __device__ __forceinline__ float slow(float x) const { return x; }
  __device__ __forceinline__ float operator()(float x) const {
    const float y = beta * x;
    const float e = approx::exp(-approx::abs(y));
    const float value = fma(e * approx::log1p_ratio(e), inverse, x > 0.0f ? x : 0.0f);
    return approx::if_above(product_beyond(x, beta, threshold), 0.0f, x, value);
  }
};

template <class S>
struct softplus_one<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<S>({72, 20, 0, 0});
  static __device__ __forceinline__ bool rare(float x) { return fast<S>::wide_range ? x < -87.0f : x == 0x1.db8p-6f; }
  static __device__ __forceinline__ float slow(float x) { return x; }
  __device__ __forceinline__ float operator()(float x) const {
    const float e = approx::exp2_ftz(fma(approx::abs(x), -approx::kLog2e, approx::by<S>(-0.0f, 0x1.cp-23f)));
    return fma(e, approx::log1p_ratio(e), x > 0.0f ? x : 0.0f);
  }
};

// act(gate) * value. There is no table of pairs, whose bound could be found by trying: these are the errors.
#define TILEOPS_FAST_GATED(name, bound_bf16, bound_f16, tail_bf16, tail_f16, activation)                            \
  template <class S>                                                                                                \
  struct name<fast<S>, float> : body {                                                                              \
    using body::body;                                                                                               \
    static constexpr u32 ulp = fast<S>::wide_range ? bound_bf16 : bound_f16;                                        \
    static constexpr float tail = fast<S>::wide_range ? tail_bf16 : tail_f16;                                       \
    static __device__ __forceinline__ bool rare(float gate, float) {                                                \
      const bool tiny = (approx::abs(gate) < 0x1p-100f) & (gate != 0.0f);                                           \
      return (gate < tail) | (fast<S>::wide_range & tiny);                                                          \
    }                                                                                                               \
    static __device__ __forceinline__ float slow(float gate, float) { return gate; }                                \
    __device__ __forceinline__ float operator()(float gate, float value) const { return activation(gate) * value; } \
  };
TILEOPS_FAST_GATED(silu_and_mul, 10, 5, -11.0f, -80.0f, approx::silu_gate<S>)
TILEOPS_FAST_GATED(gelu_and_mul, 14, 6, -6.5f, -12.0f, approx::gelu_gate<S>)
TILEOPS_FAST_GATED(gelu_tanh_and_mul, 8, 8, -6.2f, -6.2f, approx::gelu_tanh_gate)

// The gates' activations in f64, of which a table is made: what is too close to a tie in f32 is such an
// entry times the value. (Infinity less a hair would be NaN.) Where the activation underflows the sign of a product
// with infinity is left.
#define TILEOPS_GATE(name, activation)                                      \
  template <class P, class T>                                               \
  struct name : body {                                                      \
    using body::body;                                                       \
    __device__ __forceinline__ T operator()(T x) const {                    \
      const T y = activation<P, T>()(x);                                    \
      const bool lost = (y == T(0)) & (x < T(0)) & (x > -limits<T>::inf()); \
      return x == limits<T>::inf() ? x : lost ? T(-0x1p-1074) : y;          \
    }                                                                       \
  };
TILEOPS_GATE(silu_gate, silu)
TILEOPS_GATE(gelu_gate, gelu)
TILEOPS_GATE(gelu_tanh_gate, gelu_tanh)

// (x + 3) / 6 in f16 and x (x + 3) / 6, of which no result of all 65536 is rounded wrongly: with the last sum of
// hardswish rounded upwards, f32's subnormal numbers included. So they take no longer than a copy.
template <>
struct hardsigmoid<fast<f16>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<f16>({0, 2, 0, 0});
  __device__ __forceinline__ float operator()(float x) const {
    const float d = approx::max_nan(x, -3.0f) + 3.0f;
    return approx::min_nan(d * (1.0f / 6.0f), 1.0f);
  }
};
struct hardswish_once : body {
  using body::body;
  static constexpr u32 ulp = 0;
  __device__ __forceinline__ float operator()(float x) const {
    const float c = approx::max_nan(x, -3.0f);
    const float y = approx::min_nan(__fmaf_ru(c * (1.0f / 6.0f), c, 0.5f * c), approx::abs(c));
    return device_detail::copysign(y, x);
  }
};
template <>
struct hardswish<fast<f16>, float> : hardswish_once {
  using hardswish_once::hardswish_once;
};
template <>
struct hardswish<fast<bf16>, float> : hardswish_once {
  using hardswish_once::hardswish_once;
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif
