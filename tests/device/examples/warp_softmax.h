// Softmax of the rows of a 16 x 64 tile that a warp has as accumulators of mma, as between the two products of an
// attention: (x) -> { m = amax(x);  e = exp(x - m);  e / sum(e) }, step by step with the library's bits.
#include <tileops/device/tile.h>
#include <tileops/device/tile/operators.h>

namespace examples {
using namespace tileops::device;

extern "C" __global__ void warp_softmax(const float* from, float* to) {
  using Layout = accumulator_layout<16, 64>;
  const int lane = thread_in<Layout>();
  float acc[8][4];  // as mma leaves them
  const auto x = as_tile<Layout>(acc);
#pragma unroll
  for (int i = 0; i < Layout::elements; ++i) x.v[i] = from[Layout::row(lane, i) * 64 + Layout::column(lane, i)];
  apply<op::sub, bit_exact>(x, row_max(x), x);
  apply<op::exp, bit_exact>(x);
  apply<op::div, bit_exact>(x, row_sum_with_low_parts(x), x);
#pragma unroll
  for (int i = 0; i < Layout::elements; ++i) to[Layout::row(lane, i) * 64 + Layout::column(lane, i)] = x.v[i];
}

}  // namespace examples
