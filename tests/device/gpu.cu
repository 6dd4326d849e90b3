// The examples on a GPU: what they compute has the bits of the library, on the CPU, which are those of its reproducible
// plans everywhere. And transform() on all kinds of operands. Exit status 77, saying so, without a GPU.
#include <memory>

#if TILEOPS_HAVE_CUTLASS
#include <cutlass/array.h>
#else
#include "examples/cutlass_array.h"
#endif
#if TILEOPS_HAVE_CUB
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#endif

#include "examples/block_softmax.h"
#include "examples/cub_functor.h"
#include "examples/custom_activation.h"
#include "examples/cutlass_functor.h"
#include "examples/mma_epilogue.h"
#include "examples/sqrt_tile.h"
#include "examples/warp_softmax.h"
#include "gpu_arrays.h"
#include "gpu_expressions.h"
#include "gpu_gated.h"
#include "gpu_narrowing.h"
#include "gpu_test.h"

namespace examples {

using namespace tileops::device;

void sqrt_of_a_tile() {
  Float x = random_floats(256, 1);
  for (float& v : x) v = std::fabs(v);
  const Device<float> in(x), out(256);
  examples::sqrt_tile<<<1, 32>>>(in.get(), out.get());
  MUST(cudaGetLastError());
  expect_bits("sqrt_tile", out.read(), library("(x) -> sqrt(x)", x, {32, 8}));
}

// Step by step, as the examples do it; so no step is joined with another.
Float softmax(const Float& x, long long rows, long long columns) {
  Float m(static_cast<size_t>(rows)), s(m.size()), e(x.size()), y(x.size());
  Float from = x;
  tileops::run(tileops::Expr("(x) -> amax(x)"), {of(from, {rows, columns})}, {of(m, {rows, 1})});
  tileops::run(tileops::Expr("(x, m) -> x - m"), {of(from, {rows, columns}), of(m, {rows, 1})},
               {of(e, {rows, columns})});
  e = library("(x) -> exp(x)", e, {rows, columns});
  tileops::run(tileops::Expr("(x) -> sum(x)"), {of(e, {rows, columns})}, {of(s, {rows, 1})});
  tileops::run(tileops::Expr("(x, s) -> x / s"), {of(e, {rows, columns}), of(s, {rows, 1})}, {of(y, {rows, columns})});
  return y;
}
void softmax_of_a_tile(const char* name, void (*kernel)(const float*, float*), unsigned threads, long long rows,
                       long long columns) {
  const Float x = random_floats(static_cast<size_t>(rows * columns), 2);
  const Device<float> in(x), out(x.size());
  kernel<<<1, threads>>>(in.get(), out.get());
  MUST(cudaGetLastError());
  expect_bits(name, out.read(), softmax(x, rows, columns));
}

void epilogue_of_mma() {
  constexpr int m = 48, n = 96, k = 64;
  const auto a = narrowed<bf16>(random_floats(m * k, 3, 1.0f)), b = narrowed<bf16>(random_floats(n * k, 4, 1.0f));
  const auto bias = narrowed<bf16>(random_floats(n, 5));
  const Device<bf16> da(a), db(b), dbias(bias);
  const Device<e4m3fn_sat> exact(m * n), close(m * n);
  const Device<float> sums(m * n);
  examples::mma_epilogue_bit_exact<<<dim3(n / 32, m / 16), 32>>>(da.get(), db.get(), dbias.get(), exact.get(),
                                                                 sums.get(), n, k);
  MUST(cudaGetLastError());
  examples::mma_epilogue<<<dim3(n / 32, m / 16), 32>>>(da.get(), db.get(), dbias.get(), close.get(), nullptr, n, k);
  MUST(cudaGetLastError());
  Float acc = sums.read(), wide, sum(m * n);
  for (const bf16 x : bias) wide.push_back(widen(x));
  tileops::run(tileops::Expr("(acc, bias) -> acc + bias"), {of(acc, {m, n}), of(wide, {n})}, {of(sum, {m, n})});
  const Float y = library("(x) -> gelu(x)", sum, {m, n});
  expect_bits("mma_epilogue, bit_exact", exact.read(), narrowed<e4m3fn_sat>(y));
  // Within 2^-20 before rounding: at most the neighbouring number, and that seldom.
  size_t apart = 0, far = 0;
  const auto got = close.read(), want = narrowed<e4m3fn_sat>(y);
  for (size_t i = 0; i < got.size(); ++i) {
    const int distance = std::abs(static_cast<int>(got[i].bits) - static_cast<int>(want[i].bits));
    apart += distance != 0;
    far += distance > 1;
  }
  const bool ok = far == 0 && apart <= got.size() / 1000;
  failures += !ok;
  std::printf("%s mma_epilogue, within_2_20: %zu of %zu results are the neighbouring number, %zu farther\n",
              ok ? "ok" : "FAILED", apart, got.size(), far);
  // And the product: sums in another order, so within a bound.
  double most = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double s = 0, magnitude = 0;
      for (int l = 0; l < k; ++l) {
        const double p = static_cast<double>(widen(a[i * k + l])) * widen(b[j * k + l]);
        s += p, magnitude += std::fabs(p);
      }
      most = std::fmax(most, std::fabs(acc[i * n + j] - s) / magnitude);
    }
  failures += !(most < 1e-5);
  std::printf("%s mma_epilogue: the product is within %.1e of its terms\n", most < 1e-5 ? "ok" : "FAILED", most);
}

// Every length from none to some packs, and long ones; every mix of bases that are aligned and that are not.
void transform_of(int n, unsigned shifts) {
  const auto shift = [&](unsigned i) -> size_t { return shifts >> i & 1; };
  const size_t size = static_cast<size_t>(n);
  const std::string where = " of " + std::to_string(n) + ", bases " + std::to_string(shifts);
  const Float x = random_floats(size, 10), y = random_floats(size, 11), z = random_floats(size, 12);
  std::vector<int> w(size);
  for (size_t i = 0; i < size; ++i) w[i] = static_cast<int>(i * 7919 % 1000) - 500;
  const auto hx = narrowed<f16>(x), hy = narrowed<f16>(y);
  const Device<float> dx(x, shift(0)), dy(y, shift(1)), dz(z, shift(2)), one(Float{0.75f}), out(size, shift(3));
  const Device<int> dw(w, shift(3));
  const Device<bool> less(size, shift(1));
  const Device<f16> dhx(hx, shift(0)), dhy(hy, shift(1)), half(size, shift(2));
  const Device<bf16> brain(size, shift(3));
  const auto check = [&](const char* name, const auto& got, const auto& want) {
    if (n < 3 || failures || std::memcmp(got.data(), want.data(), want.size() * sizeof want[0]) != 0)
      expect_bits(name + where, got, want);
  };

  MUST(transform(nullptr, n, half.get(), examples::squared_relu{}, dhx.get()));
  std::vector<f16> h;
  for (const f16 v : hx) {
    const float r = widen(v) > 0.0f ? widen(v) : 0.0f;
    h.push_back(narrow<f16>(r * r));
  }
  check("squared_relu", half.read(), h);

  MUST(transform(nullptr, n, half.get(), examples::add_halves{}, dhx.get(), dhy.get()));
  for (size_t i = 0; i < size; ++i) h[i] = narrow<f16>(widen(hx[i]) + widen(hy[i]));
  check("add_halves", half.read(), h);

  MUST(transform(nullptr, n, brain.get(), examples::scaled_by_memory{one.get()}, dx.get()));
  std::vector<bf16> b;
  for (const float v : x) b.push_back(narrow<bf16>(v * 0.75f));
  check("scaled_by_memory", brain.read(), b);

  MUST(transform(nullptr, n, outputs(out.get(), less.get()), examples::sum_and_order{}, dx.get(), dy.get(), dz.get(),
                 dw.get()));
  Float sums;
  for (size_t i = 0; i < size; ++i) sums.push_back((x[i] + y[i]) + (z[i] + static_cast<float>(w[i])));
  check("sum_and_order", out.read(), sums);
  // No vector of bool has data().
  const std::unique_ptr<bool[]> got(new bool[size + 1]);
  MUST(cudaMemcpy(got.get(), less.get(), size, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < size; ++i)
    if (got[i] != (x[i] < y[i])) {
      ++failures;
      std::printf("FAILED sum_and_order%s: element %zu of the second result\n", where.c_str(), i);
      break;
    }

  if (n == 0) return;
  MUST(transform<2>(nullptr, n, out.get(), examples::gelu_times{}, dx.get(), dy.get()));
  Float g = library("(x) -> gelu(x)", x, {n});
  for (size_t i = 0; i < size; ++i) g[i] *= y[i];
  check("gelu_times", out.read(), g);

  // A body of the library, in place.
  MUST(transform(nullptr, n, dx.get(), form_of<op::tanh, bit_exact>::body{}, dx.get()));
  check("tanh in place", dx.read(), library("(x) -> tanh(x)", x, {n}));
}

void refusals() {
  float* aligned = nullptr;
  MUST(cudaMalloc(&aligned, 64));
  auto* odd = reinterpret_cast<float*>(reinterpret_cast<char*>(aligned) + 2);
  const examples::squared_relu f;
  const bool ok = transform(nullptr, -1, aligned, f, aligned) == cudaErrorInvalidValue &&
                  transform(nullptr, 4, aligned, f, static_cast<const float*>(nullptr)) == cudaErrorInvalidValue &&
                  transform(nullptr, 4, aligned, f, odd) == cudaErrorMisalignedAddress &&
                  transform(nullptr, 0, aligned, f, aligned) == cudaSuccess;
  failures += !ok;
  std::printf("%s what transform refuses\n", ok ? "ok" : "FAILED");
  MUST(cudaFree(aligned));
}

void adapters() {
  const Float x = random_floats(32 * 8, 20);
  const Device<float> in(x), cutlass(x.size()), out(x.size());
  examples::cutlass_activation<Gelu><<<1, 32>>>(in.get(), cutlass.get());
  MUST(cudaGetLastError());
  MUST(transform(nullptr, 32 * 8, out.get(), form_of<op::gelu, bounded>::body{}, in.get()));
  expect_bits(TILEOPS_HAVE_CUTLASS ? "a functor of CUTLASS" : "a functor of CUTLASS's interface (no CUTLASS here)",
              cutlass.read(), out.read());
#if TILEOPS_HAVE_CUB
  const Device<float> cub(x.size());
  MUST(cub::DeviceTransform::Transform(cuda::std::make_tuple(in.get()), cub.get(), 32 * 8,
                                       examples::GeluOfOne<bit_exact>{}));
  expect_bits("a functor of CUB", cub.read(), library("(x) -> gelu(x)", x, {32, 8}));
#else
  std::printf("skipped a functor of CUB: no CUB where this was built\n");
#endif
}

}  // namespace examples

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device on this machine\n");
    return 77;
  }
  using namespace examples;
  sqrt_of_a_tile();
  softmax_of_a_tile("warp_softmax", warp_softmax, 32, 16, 64);
  softmax_of_a_tile("block_softmax", block_softmax, 256, 32, 256);
  softmax_of_a_tile("softmax_behind_producer", softmax_behind_producer, 96, 16, 64);
  epilogue_of_mma();
  arrays_and_elements();
  for (int n = 0; n <= 40; ++n) transform_of(n, 0);
  for (unsigned shifts = 1; shifts < 16; ++shifts) transform_of(37, shifts);
  for (const int n : {4096, 100003, 9000001}) transform_of(n, 0), transform_of(n, 5);
  refusals();
  adapters();
  narrowing_of_all_floats();
  gated_operators();
  expressions_as_functors();
  std::printf("%s\n", failures ? "FAILED" : "all passed");
  return failures != 0;
}
