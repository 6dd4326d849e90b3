// The library's gelu as an activation of CUTLASS epilogues, for instance of LinearCombinationGeneric or as the
// operation of a node Sm90Compute: a functor of fragments. Needs <cutlass/array.h>.
#include <tileops/device/cuda.h>

namespace examples {
using namespace tileops::device;

template <class T>
struct Gelu {
  static const bool kIsHeavy = true;
  __device__ T operator()(const T& x) const {
    float v[1] = {static_cast<float>(x)};
    apply<op::gelu, bounded>(v);
    return static_cast<T>(v[0]);
  }
};
template <int N>
struct Gelu<cutlass::Array<float, N>> {
  static const bool kIsHeavy = true;
  __device__ cutlass::Array<float, N> operator()(const cutlass::Array<float, N>& x) const {
    cutlass::Array<float, N> y = x;
    apply<op::gelu, bounded>(*reinterpret_cast<float (*)[N]>(y.raw_data()));
    return y;
  }
};

template <template <class> class Activation>
__global__ void cutlass_activation(const float* from, float* to) {
  using Fragment = cutlass::Array<float, 8>;
  Fragment x;
  for (int i = 0; i < 8; ++i) x[i] = from[threadIdx.x * 8 + i];
  const Fragment y = Activation<Fragment>{}(x);
  for (int i = 0; i < 8; ++i) to[threadIdx.x * 8 + i] = y[i];
}

}  // namespace examples
