// y = e4m3fn(gelu(a b^T + bias)): a warp computes 16 x 32 elements by mma m16n8k16 of bfloat16 and takes them to 8 bits
// while they are in its registers. a is [m, k] and b [n, k], bfloat16; bias [n], bfloat16; y [m, n]; m a multiple of
// 16, n of 32, k of 16. Block (x, y) of one warp computes columns from 32 x and rows from 16 y on. `sums`, if it is
// not null, gets a b^T as float32.
#include <tileops/device/cuda.h>
#include <tileops/device/tile.h>
#include <tileops/device/tile/operators.h>

namespace examples {
using namespace tileops::device;

static __device__ __forceinline__ void mma_m16n8k16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <class Policy>
static __device__ __forceinline__ void mma_epilogue_by(const bf16* a, const bf16* b, const bf16* bias, e4m3fn_sat* y,
                                                       float* sums, int n, int k) {
  using Layout = accumulator_layout<16, 32>;
  const int lane = thread_in<Layout>(), row = static_cast<int>(blockIdx.y) * 16,
            column = static_cast<int>(blockIdx.x) * 32;
  float acc[4][4] = {};
  for (int at = 0; at < k; at += 16) {
    unsigned x[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      x[i] = load<bf16, 2>(a + static_cast<long long>(row + lane / 4 + 8 * (i % 2)) * k + at + lane % 4 * 2 +
                           8 * (i / 2))
                 .w[0];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      unsigned z[2];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        z[i] =
            load<bf16, 2>(b + static_cast<long long>(column + 8 * j + lane / 4) * k + at + lane % 4 * 2 + 8 * i).w[0];
      mma_m16n8k16(acc[j], x, z);
    }
  }
  const auto tile = as_tile<Layout>(acc);
  const auto place = [&](int i) {
    return static_cast<long long>(row + Layout::row(lane, i)) * n + column + Layout::column(lane, i);
  };
  if (sums != nullptr)
#pragma unroll
    for (int i = 0; i < Layout::elements; ++i) sums[place(i)] = tile.v[i];

  apply<op::add, bit_exact>(tile, load_row_vector<Layout>(bias + column, lane), tile);
  apply<op::gelu, Policy>(tile);
  const packed<e4m3fn_sat, 16> out = narrow<e4m3fn_sat>(tile.v);
#pragma unroll
  for (int i = 0; i < Layout::elements; i += 2) {  // two neighbours at a time
    const unsigned word = out.w[i / 4] >> (8 * (i % 4));
    const packed<e4m3fn_sat, 2> two = {{static_cast<unsigned char>(word), static_cast<unsigned char>(word >> 8)}};
    store(y + place(i), two);
  }
}

// With the library's bits, and as an epilogue would rather have it: within 2^-20 before it is rounded to 8 bits.
extern "C" __global__ void mma_epilogue_bit_exact(const bf16* a, const bf16* b, const bf16* bias, e4m3fn_sat* y,
                                                  float* sums, int n, int k) {
  mma_epilogue_by<bit_exact>(a, b, bias, y, sums, n, k);
}
extern "C" __global__ void mma_epilogue(const bf16* a, const bf16* b, const bf16* bias, e4m3fn_sat* y, float* sums,
                                        int n, int k) {
  mma_epilogue_by<within_2_20>(a, b, bias, y, sums, n, k);
}

}  // namespace examples
