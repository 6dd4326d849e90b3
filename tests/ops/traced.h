// What an expression computes, node by node, with what each node may be off: an element is a range that holds every
// value that the library promises. Expressions are written in C++ over these; their texts are read by nobody here.
#ifndef TILEOPS_TESTS_OPS_TRACED_H_
#define TILEOPS_TESTS_OPS_TRACED_H_

#include <string>
#include <vector>

#include "reference.h"

namespace optest {

// Thrown where the bounds do not tell what comes out: both sides of a comparison overlap, an integer hangs on a float
// that is not known exactly. The caller then takes other operands.
struct Undecided {};

struct Range {
  Num lo, hi;  // the same number where it is known exactly; integers and bools always are
};

struct Traced {
  Dt dtype = Dt::kF32;  // the label; values of floats are in its compute type, unrounded otherwise
  bool number = false;  // a literal or a scalar: has the dtype of what is beside it
  std::vector<int64_t> shape;
  std::vector<Range> elements;  // row-major
};

// With nodes that may be off by 2^-20 relative, as they may where they reach results of 16 bits or fewer alone and
// nobody asked for reproducible results.
void SetLoose(bool loose);

Traced Operand(const Array& array);
Traced Number(double value);
Traced Number(int value);
// A number that the host computes from others: an ulp of f64 off at most.
Traced HostNumber(double value);

// An operator of the table, or fma, exp2, log2, logsigmoid.
Traced Apply(const std::string& function, const std::vector<Traced>& arguments, const Attrs& attrs = {});

Traced Cast(const Traced& x, Dt dtype, int64_t rounding = 0);
Traced Index(const Traced& x, int axis);
// The extent of an axis.
Traced Extent(const Traced& x, int axis);
Traced DropoutMask(const Traced& x, double p, uint64_t seed, uint64_t offset);
Traced Chunk(const Traced& x, int i, int n);
Traced Every(const Traced& x, int i, int n);
Traced Concat(const Traced& a, const Traced& b);
Traced Interleave(const Traced& a, const Traced& b);

// The operators of a text, so that both can be read side by side. Comparisons have their operator's name.
inline Traced operator+(const Traced& a, const Traced& b) { return Apply("add", {a, b}); }
inline Traced operator-(const Traced& a, const Traced& b) { return Apply("sub", {a, b}); }
inline Traced operator*(const Traced& a, const Traced& b) { return Apply("mul", {a, b}); }
inline Traced operator/(const Traced& a, const Traced& b) { return Apply("div", {a, b}); }
inline Traced operator%(const Traced& a, const Traced& b) { return Apply("remainder", {a, b}); }
inline Traced operator&(const Traced& a, const Traced& b) { return Apply("bitwise_and", {a, b}); }
inline Traced operator|(const Traced& a, const Traced& b) { return Apply("bitwise_or", {a, b}); }
inline Traced operator-(const Traced& a) { return Apply("neg", {a}); }
inline Traced operator~(const Traced& a) { return Apply("bitwise_not", {a}); }

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_TRACED_H_
