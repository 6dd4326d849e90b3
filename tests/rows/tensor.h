// What the reference of rows computes with: numbers in long double, and how far each may be off.
#ifndef TILEOPS_TESTS_ROWS_TENSOR_H_
#define TILEOPS_TESTS_ROWS_TENSOR_H_

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "cli/dtype.h"
#include "op/dtype.h"

namespace rowtest {

using Real = long double;  // holds every value of every dtype
using Shape = std::vector<int64_t>;
using tileops::Dtype;
constexpr Real kInf = std::numeric_limits<Real>::infinity();

constexpr size_t kMaxRank = 8;
using Index = std::array<int64_t, kMaxRank>;  // one number an axis

// A value of an expression in row-major order. An execute that keeps every promise is off by `errors` at most, before
// the result is rounded to its dtype; infinite: anything goes.
struct Tensor {
  Dtype dtype = Dtype::f32;  // the label
  Shape shape;
  std::vector<Real> values, errors;

  bool is_float() const { return tileops::is_float(dtype) || tileops::is_scale(dtype); }
};

int64_t Count(const Shape& shape);
Tensor Empty(Dtype dtype, const Shape& shape);  // zeros
Tensor Of(Dtype dtype, const Shape& shape, const std::vector<Real>& values);

// Calls use(index, i) for each element of a shape in row-major order, i counts them.
template <class F>
void ForEach(const Shape& shape, const F& use) {
  Index index{};
  const int64_t count = Count(shape);
  for (int64_t i = 0; i < count; ++i) {
    use(index, static_cast<size_t>(i));
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

// Which element of a shape an index of its own rank is.
size_t At(const Shape& shape, const Index& index);
// Which element of `from`, broadcast, stands at an index of a result of `rank` axes.
size_t BroadcastAt(const Shape& from, const Index& index, size_t rank);

// A value rounded to a dtype as a cast does it, and back. `rounding` of scales: 0 nearest, 2 down, 3 up.
Real Rounded(Dtype dtype, Real value, int rounding = 0,
             tileops::cli::Fp8Overflow overflow = tileops::cli::Fp8Overflow::kDefault);
// The element's bits.
uint64_t Code(Dtype dtype, Real value);
Real Decode(Dtype dtype, uint64_t code);
Real UlpOf(Dtype dtype, Real value);

// An integer as its dtype wraps it; of bool, whether it is not 0.
__extension__ using Wide = __int128;
Real Wrapped(Dtype dtype, Wide value);

// What a float of the compute type is: infinite beyond its range, 0 below it. Digits stay.
Real InRange(Dtype compute, Real value);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_TENSOR_H_
