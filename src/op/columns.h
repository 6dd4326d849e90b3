// Words that the rows of the tables use for their columns `dtypes` and `compute` (tileops/ops.def, functions.def), and
// the C++ types of compute types. No inline code: kernels of every instruction set include it.
#pragma once

#include "op/dtype.h"
#include "tileops/device/body.h"

namespace tileops {

// How the type that the body runs in follows from the operands.
enum class Compute {
  promote,   // the promoted dtype's compute type
  to_float,  // the same, integers and bool as float32
  truth,     // operands read as bool
  bits,      // bits kept where no operand needs conversion, else promote
  quotient,  // to_float, but promote where the attribute `rounding` is given
  source,    // the input's own; the result may be any dtype
};

// Sets of dtypes.
namespace columns {
constexpr uint32_t F = kFloat, I = kInt, B = kBool, S = kScale, P = kPacked;
constexpr uint32_t FI = F | I, IB = I | B, FIB = F | I | B, FIBS = FIB | S, FIBSP = FIBS | P;
}  // namespace columns

// ctype_of<float>::value is Ctype::f32.
namespace ctypes {
using namespace device;
template <class T>
struct ctype_of;
#define TILEOPS_CTYPE(id, type)               \
  template <>                                 \
  struct ctype_of<type> {                     \
    static constexpr Ctype value = Ctype::id; \
  };
#include <tileops/dtypes.def>
}  // namespace ctypes
using ctypes::ctype_of;

}  // namespace tileops
