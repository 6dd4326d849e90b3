// A warp takes the square root of a 32 x 8 tile, of which lane i has row i.
#include <tileops/device/tile.h>
#include <tileops/device/tile/operators.h>

namespace examples {
using namespace tileops::device;

extern "C" __global__ void sqrt_tile(const float* from, float* to) {
  using Layout = row_per_lane_layout<8>;
  const int lane = thread_in<Layout>();
  tile<float, Layout> x;
#pragma unroll
  for (int i = 0; i < Layout::elements; ++i) x.v[i] = from[Layout::row(lane, i) * 8 + Layout::column(lane, i)];
  apply<op::sqrt, bit_exact>(x);
#pragma unroll
  for (int i = 0; i < Layout::elements; ++i) to[Layout::row(lane, i) * 8 + Layout::column(lane, i)] = x.v[i];
}

}  // namespace examples
