// The library's gelu as a functor of CUB: cub::DeviceTransform::Transform(cuda::std::make_tuple(x), y, n,
// GeluOfOne<bounded>{}, stream).
#include <tileops/device/cuda.h>

namespace examples {
using namespace tileops::device;

template <class Policy>
struct GeluOfOne {
  __device__ float operator()(float x) const {
    float v[1] = {x};
    apply<op::gelu, Policy>(v);
    return v[0];
  }
};

}  // namespace examples
