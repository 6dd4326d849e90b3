// Expressions as functors of transform(), against plans of the same texts on the GPU and, of the function that has the
// CPU's bits, against the library there. Without the command, which writes the functions, there are none.
#pragma once

#include "gpu_test.h"

#if TILEOPS_HAVE_EXPRESSIONS
#include "epilogue_exact.h"
#include "examples/expression_functor.h"
#endif

namespace examples {

#if TILEOPS_HAVE_EXPRESSIONS

struct exact_epilogue_functor {
  double scale;
  template <class... Packs>
  __device__ void packs(Packs&... x) const {
    epilogue_exact(scale, x...);
  }
};

inline const DLDataType kBf16 = {kDLBfloat, 16, 1};
template <class T>
tileops::View on_device(const Device<T>& x, DLDataType dtype, long long n) {
  return tileops::View(static_cast<void*>(x.get()), dtype, {n}, {}, tileops::cuda());
}
inline void epilogues(long long n, size_t shift) {
  const std::string where = " of " + std::to_string(n) + (shift ? ", bases that are not aligned" : "");
  const tileops::Expr text("(acc, bias; scale = 0.5) -> cast(gelu(acc + bias) * scale, bf16)");
  const auto size = static_cast<size_t>(n);
  Float acc = random_floats(size, 30);
  std::vector<bf16> bias = narrowed<bf16>(random_floats(size, 31)), want(size);
  const Device<float> dacc(acc, shift);
  const Device<bf16> dbias(bias, shift), out(size, shift), plan(size);
  MUST(transform(nullptr, n, out.get(), epilogue_functor{1.75}, dacc.get(), dbias.get()));
  tileops::run(text, {on_device(dacc, {kDLFloat, 32, 1}, n), on_device(dbias, kBf16, n)}, {on_device(plan, kBf16, n)},
               text.scalars({{"scale", 1.75}}));
  expect_bits("an expression as a functor, beside a plan," + where, out.read(), plan.read());
  MUST(transform(nullptr, n, out.get(), exact_epilogue_functor{1.75}, dacc.get(), dbias.get()));
  tileops::run(text, {of(acc, {n}), tileops::View(static_cast<void*>(bias.data()), kBf16, {n})},
               {tileops::View(static_cast<void*>(want.data()), kBf16, {n})}, text.scalars({{"scale", 1.75}}));
  expect_bits("a reproducible expression as a functor, beside the CPU," + where, out.read(), want);
}

inline void ranges_and_orders(long long n) {
  const auto size = static_cast<size_t>(n);
  const Float a = random_floats(size, 32), b = random_floats(size, 33);
  const Device<float> da(a), db(b), range(size);
  const Device<bool> more(size);
  MUST(transform(nullptr, n, outputs(range.get(), more.get()), range_and_order_functor{}, da.get(), db.get()));
  Float want;
  for (size_t i = 0; i < size; ++i) want.push_back(std::fmax(a[i], b[i]) - std::fmin(a[i], b[i]));
  expect_bits("an expression of two results as a functor", range.read(), want);
  std::vector<unsigned char> got(size), order;
  for (size_t i = 0; i < size; ++i) order.push_back(a[i] > b[i]);
  MUST(cudaMemcpy(got.data(), more.get(), size, cudaMemcpyDeviceToHost));
  expect_bits("its second result", got, order);
}

inline void expressions_as_functors() {
  for (const long long n : {1, 7, 8, 4096, 100003}) epilogues(n, 0);
  epilogues(4099, 1);
  ranges_and_orders(5001);
}

#else

inline void expressions_as_functors() {
  std::printf("skipped expressions as functors: the tileops command, which writes them, was not built\n");
}

#endif

}  // namespace examples
