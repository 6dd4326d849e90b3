// FlashInfer's norms of bfloat16 for bench/rows/peers.py, which builds this with nvcc where it finds the package's headers.
// Functions return cudaError_t; rows are contiguous, add norms in place: x becomes the result, the residual the sum.
#include <cstdint>

#include <flashinfer/norm.cuh>

namespace fi = flashinfer::norm;
using Bf16 = __nv_bfloat16;
using Fp8 = __nv_fp8_e4m3;

constexpr float kEps = 1e-6f;

extern "C" int flashinfer_rms_norm(void* x, void* weight, void* y, uint32_t rows, uint32_t columns, void* stream) {
  return fi::RMSNorm(static_cast<Bf16*>(x), static_cast<Bf16*>(weight), static_cast<Bf16*>(y), rows, columns, columns, columns, kEps,
                       false, static_cast<cudaStream_t>(stream));
}

extern "C" int flashinfer_add_rms_norm(void* x, void* residual, void* weight, uint32_t rows, uint32_t columns, void* stream) {
  return fi::FusedAddRMSNorm(static_cast<Bf16*>(x), static_cast<Bf16*>(residual), static_cast<Bf16*>(weight), rows, columns, columns,
                               columns, kEps, false, static_cast<cudaStream_t>(stream));
}

extern "C" int flashinfer_add_rms_norm_fp8(void* x, void* residual, void* weight, void* y, void* scale, uint32_t rows, uint32_t columns,
                                           void* stream) {
  return fi::FusedAddRMSNormQuant(static_cast<Bf16*>(x), static_cast<Bf16*>(residual), static_cast<Bf16*>(weight),
                                    static_cast<Fp8*>(y), rows, columns, columns, columns, columns, static_cast<float*>(scale), kEps,
                                    false, static_cast<cudaStream_t>(stream));
}
