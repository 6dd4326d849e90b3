// Operators of one to three operands, with attributes, in place and not, conversions, all forms of a policy.
#include <tileops/device/cuda.h>
using namespace tileops::device;
static_assert(form_of<op::relu, within_2_20>::is<bit_exact>, "");
static_assert(form_of<op::gelu, within_2_20>::is<within_2_20>, "");
static_assert(form_of<op::log, within_2_20>::is<bounded>, "");
template <class T>
__device__ void operators(T* y, const T* x) {
  T v[4], u[4];
  for (int i = 0; i < 4; ++i) {
    v[i] = x[i];
    u[i] = x[i + 4];
  }
  apply<op::gelu, bounded>(v);
  apply<op::pow, bit_exact>(v, u, u);
  apply<op::hardtanh, within_2_20>(u, -1, 1);
  apply<op::div, within_2_20>(u, v, u);
  for (int i = 0; i < 4; ++i) y[i] = u[i];
}
extern "C" __global__ void of_float(float* y, const float* x) { operators(y, x); }
extern "C" __global__ void of_double(double* y, const double* x) { operators(y, x); }
extern "C" __global__ void of_integers(int* y, const int* x) {
  int v[2] = {x[0], x[1]};
  apply<op::floor_divide, bounded>(v, v, v);
  y[0] = v[0];
}

extern "C" __global__ void conversions(float* y, const float* x, unsigned* w) {
  float v[8], u[8];
  for (int i = 0; i < 8; ++i) {
    v[i] = x[i];
    u[i] = x[i + 8];
  }
  apply<op::gelu, bounded>(v);
  apply<op::leaky_relu, bit_exact>(v, 0.01);
  apply<op::round_decimals, bit_exact>(v, 2);
  apply<op::silu_and_mul, within_2_20>(v, u, u);
  apply<op::fused_multiply_add, bounded>(u, v, u, v);
  bool c[8];
  apply<op::gt, bounded>(u, v, c);
  apply<op::where, bounded>(c, u, v, u);
  for (int i = 0; i < 8; ++i) y[i] = u[i];
  auto p = narrow<e4m3fn_sat>(u);
  store<e4m3fn_sat, 8>(w, p);
  float q[8];
  widen(load<bf16, 8>(w), q);
  apply<op::relu, within_2_20>(q, v);
  for (int i = 0; i < 8; ++i) y[i + 8] = v[i];
  float three[3] = {x[0], x[1], x[2]};  // one by one, of types that say how overflows are rounded
  widen(narrow<e4m3fn_sat>(three), three);
  widen(narrow<e5m2_sat>(three), three);
  y[16] = three[2];
}

// Floats of another library, by the trait.
struct other_half {
  unsigned short bits;
};
template <>
struct tileops::device::element_of<other_half> {
  using type = tileops::device::f16;
};
extern "C" __global__ void of_others(other_half* y, const float* x) {
  other_half h[5];
  float v[5];
  for (int i = 0; i < 5; ++i) h[i] = y[i], v[i] = x[i];
  apply<op::gelu, within_2_20>(h);
  apply<op::add, bounded>(h, v, h);
  apply<op::mul, bounded>(h, h, v);
  store<other_half, 5>(y, narrow<other_half>(v));
  widen(load<other_half, 5>(y), v);
  store<bf16, 5>(y + 8, narrow<bf16>(h));
  for (int i = 0; i < 5; ++i) y[16 + i] = h[i];
}
