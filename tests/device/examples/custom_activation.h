// An activation of one's own as a kernel: the square of relu, of float16 or any other float. A factory that reads its
// scale from memory, where another kernel may have put it.
#include <tileops/device/cuda.h>
#include <tileops/device/transform.h>

namespace examples {
using namespace tileops::device;

struct squared_relu {
  __device__ float operator()(float x) const {
    const float y = x > 0.0f ? x : x != x ? x : 0.0f;
    return y * y;
  }
};

struct scaled {
  float by;
  __device__ float operator()(float x) const { return x * by; }
};
struct scaled_by_memory {
  const float* by;
  __device__ scaled make() const { return {*by}; }
};

// Two float16 numbers at a time.
struct add_halves {
  __device__ float operator()(float x, float y) const { return x + y; }
  __device__ pair_of<f16> apply2(pair_of<f16> x, pair_of<f16> y) const {
    pair_of<f16> sum;
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum.w[0]) : "r"(x.w[0]), "r"(y.w[0]));
    return sum;
  }
};

// A thread's whole pack at once, by operators of the library.
struct gelu_times {
  template <int N>
  __device__ void arrays(const float (&x)[N], const float (&y)[N], float (&z)[N]) const {
    apply<op::gelu, bit_exact>(x, z);
    apply<op::mul, bit_exact>(z, y, z);
  }
};

struct sum_and_order {
  __device__ results<float, bool> operator()(float x, float y, float z, int w) const {
    return {(x + y) + (z + static_cast<float>(w)), x < y};
  }
};

}  // namespace examples
