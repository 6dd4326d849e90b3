// Softmax of the rows of a 32 x 256 tile that eight warps of a block have as accumulators of mma, two below each other
// and four side by side: a row lies in four warps, which meet in shared memory. Step by step with the library's bits.
#include <tileops/device/tile.h>
#include <tileops/device/tile/operators.h>

namespace examples {
using namespace tileops::device;

extern "C" __global__ void __launch_bounds__(256) block_softmax(const float* from, float* to) {
  using Layout = block_layout<accumulator_layout<16, 64>, 2, 4>;
  __shared__ row_parts<Layout> parts;
  const int thread = thread_in<Layout>();
  tile<float, Layout> x;
#pragma unroll
  for (int i = 0; i < Layout::elements; ++i)
    x.v[i] = from[Layout::row(thread, i) * Layout::columns + Layout::column(thread, i)];
  apply<op::sub, bit_exact>(x, row_max(x, parts), x);
  apply<op::exp, bit_exact>(x);
  apply<op::div, bit_exact>(x, row_sum_with_low_parts(x, parts), x);
#pragma unroll
  for (int i = 0; i < Layout::elements; ++i)
    to[Layout::row(thread, i) * Layout::columns + Layout::column(thread, i)] = x.v[i];
}

}  // namespace examples
