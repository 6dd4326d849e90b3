// What rows of the table of references are made of: functions of numbers, and operators that take attributes.
#ifndef TILEOPS_CLI_SELFTEST_REFERENCE_FUNCTIONS_H_
#define TILEOPS_CLI_SELFTEST_REFERENCE_FUNCTIONS_H_

#include <limits>

#include "cli/selftest/reference.h"

namespace tileops::cli::reference {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

Real sigmoid(Real x);
Real gate(Real x, Real factor);
Real silu(Real x);
Real gelu(Real x);
Real gelu_tanh(Real x);
Real sinc(Real x);
Real erfinv(Real x);
Real tanhshrink(Real x);
Real clamp(Real x, Real lo, Real hi);
Real maximum(Real a, Real b);
Real minimum(Real a, Real b);
Real remainder(Real a, Real b);
Cell floor_divide(Real a, Real b, DLDataType compute);
Cell div(const Element& e, const Problem& p);
Wide wrapping_product(Wide a, Wide b);
Wide floor_div(Wide a, Wide b);
Wide int_pow(Wide a, Wide b);
Cell round(const Element& e, const Problem& p);
Cell lerp(const Element& e, const Problem& p);
Cell clamp_op(const Element& e, const Problem& p);
Cell nextafter(const Element& e, const Problem& p);
Cell nan_to_num(const Element& e, const Problem& p);
Cell cast(const Element& e, const Problem& p);
Cell add_scaled(const Element& e, const Problem& p, Real sign);

}  // namespace tileops::cli::reference

#endif  // TILEOPS_CLI_SELFTEST_REFERENCE_FUNCTIONS_H_
