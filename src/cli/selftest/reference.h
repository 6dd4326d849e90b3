// What every operator should give, computed in long double from the published definitions, without
// any of the library's code. An operator without a row here fails `tileops selftest`.
//
// Not the vectors that tests/ops/make_vectors.cc writes for the bindings: they would be a generated file of 0.7 MB (0.1
// compressed) that is installed or compiled in, made where there is MPFR, anew for each operator; they hold the
// library's own results, so that of float32 and float64 twice the bound would have to pass; and they have 12 elements a
// case, 28 thousand in all. These references check 6.8 million in four layouts against the bound itself, in some
// seconds.
#ifndef TILEOPS_CLI_SELFTEST_REFERENCE_H_
#define TILEOPS_CLI_SELFTEST_REFERENCE_H_

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/dtype.h"

namespace tileops::cli {

using Real = long double;
__extension__ using Wide = __int128;  // holds every sum and product of 64-bit integers

// Values in row-major order; each is exactly representable in dtype.
struct Array {
  DLDataType dtype;
  Shape shape;
  std::vector<Real> values;
};

// Attributes by name with defaults filled in; an absent one is not in the map. Real attributes are
// rounded to the compute type first, as an operand would be.
struct Attrs {
  std::map<std::string, double> reals;
  std::map<std::string, int64_t> integers;

  bool has(const std::string& name) const { return reals.count(name) + integers.count(name) > 0; }
  Real num(const std::string& name) const { return reals.at(name); }
  int64_t integer(const std::string& name) const { return integers.at(name); }
};

struct Problem {
  std::vector<std::optional<Array>> inputs;
  Attrs attrs;
  Shape shape;          // of the outputs
  DLDataType promoted;  // of the inputs
  DLDataType compute;   // f32, f64, or an integer dtype or bool
  DLDataType result;    // of output 0
  int num_outputs = 1;
};

// An expected element.
struct Cell {
  Real value = 0;
  Real scale = 0;         // errors are counted in ulp of max(|value|, scale): terms that may cancel
  bool skip = false;      // both neighbours are right, such as a tie that the inputs' rounding decides
  bool any_zero = false;  // the sign of a zero is not specified
  Real slack = 0;         // absolute error allowed beyond the bound in ulp
};

struct Element {
  std::array<Real, 4> x{};
  std::array<bool, 4> has{};
};

using FloatFn = Cell (*)(const Element& e, const Problem& p);
using IntFn = Wide (*)(const std::array<Wide, 4>& x, const Problem& p);  // the result wraps
using Cells = std::vector<Cell>;
using TensorFn = std::vector<Cells> (*)(const Problem& p);  // a vector for each output

struct Reference {
  double ulp;           // bound for float32 and float64; 0: correctly rounded
  double lo, hi;        // range of inputs
  FloatFn f = nullptr;  // element by element, inputs broadcast; also for integers unless `i` is given
  IntFn i = nullptr;
  TensorFn tensor = nullptr;  // instead, for values that depend on the position
};

const Reference* find_reference(const std::string& name);
std::vector<Cells> expected(const Reference& reference, const Problem& problem);

// Row-major index in an operand of shape `from` of the element `index` of a result.
size_t broadcast_index(const Shape& from, const Shape& result, size_t index);

// Values that depend on the position (reference_position.cc).
std::vector<Cells> rope_reference(const Problem& p, const std::string& variant);
std::vector<Cells> dropout_reference(const Problem& p);
std::vector<Cells> alibi_reference(const Problem& p);
std::vector<Cells> sinusoidal_reference(const Problem& p);
std::vector<Cells> prelu_reference(const Problem& p);
std::vector<Cells> gated_reference(const Problem& p, FloatFn activation);

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3).
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_REFERENCE_H_
