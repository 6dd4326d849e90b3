// Operators in double, vectorised: exact up to kFastError of the result, which decides all but a
// few roundings to f32 and narrower dtypes. Inputs are f32 or narrower.
#ifndef TILEOPS_TESTS_ACCURACY_FAST_REFERENCE_H
#define TILEOPS_TESTS_ACCURACY_FAST_REFERENCE_H

#include <cstddef>
#include <string>

// Relative. libm's functions are good to 2^-50; exponentials amplify the error of their argument by
// its size, up to 200 where an f32 result is not 0 yet.
constexpr double kFastError = 0x1p-42;

struct FastAttrs {
  double k0, k1;
};

using FastReference = void (*)(const double* x, const double* y, const FastAttrs& attrs, double* out, size_t n);

// NULL if the operator has none.
FastReference fast_reference(const std::string& name);

#endif
