// What every operator computes, element by element and slowly: float values from the MPFR oracle,
// integers in 128 bits, positions and random bits from code of their own.
#ifndef TILEOPS_TESTS_OPS_REFERENCE_H_
#define TILEOPS_TESTS_OPS_REFERENCE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "op_rows.h"

namespace optest {

// A tensor without a memory layout: elements in row-major order.
struct Array {
  bool present = true;
  Dt dtype = Dt::kF32;
  std::vector<int64_t> shape;
  std::vector<uint64_t> bits;

  int64_t NumElements() const {
    int64_t n = 1;
    for (int64_t e : shape) n *= e;
    return n;
  }
};

// An expected element. `exact` is the unrounded value where there is one (float results).
struct Want {
  uint64_t bits = 0;
  long double exact = 0;
  double slack = 0;   // absolute error allowed besides `ulp`; infinite: any value
  bool known = true;  // false: this operator has no reference (yet)
};

// An expected output.
struct Expected {
  std::vector<Want> elements;
  double ulp = 0;           // 0: the bits must be equal (NaN: any NaN)
  Dt ulp_dtype = Dt::kF32;  // whose ulp that is
  bool nan_bits = false;    // NaN payloads must be equal too
};

struct Call {
  const OpRow* row = nullptr;
  std::vector<Array> inputs;
  std::vector<Array> outputs;  // dtype and shape; bits unused
  Attrs attrs;
};

// Type that the body computes in. False if the operator does not take these dtypes.
bool ComputeDtype(const Call& call, Dt* promoted, Dt* compute);

// Shape of output 0 of an elementwise call. False if the inputs do not broadcast.
bool BroadcastShape(const std::vector<Array>& inputs, std::vector<int64_t>* shape);

// One Expected per output. Results are remembered between calls for equal scalars.
std::vector<Expected> Reference(const Call& call);

// Philox4x32-10 as published.
struct Words {
  uint32_t w[4];
};
Words Philox(uint64_t key, uint64_t counter_low, uint64_t counter_high);

// One application of an elementwise operator to values of the compute type.
class Scalar {
 public:
  Scalar(const OpRow& row, const Attrs& attrs, Dt compute, Dt out);
  const Want& operator()(const Num* args, int count);
  double ulp() const { return ulp_; }
  Dt ulp_dtype() const { return ulp_dtype_; }

 private:
  struct Key {
    uint64_t a, b, c;
    bool operator==(const Key& o) const { return a == o.a && b == o.b && c == o.c; }
  };
  struct Hash {
    size_t operator()(const Key& k) const {
      uint64_t h = k.a * 0x9E3779B97F4A7C15u ^ (k.b + 0x7F4A7C15u) * 0xC2B2AE3D27D4EB4Fu ^
                   (k.c + 0x165667B1u) * 0xD6E8FEB86659FD93u;
      return h ^ (h >> 29);
    }
  };
  Want Evaluate(const Num* args, int count) const;
  Want FloatResult(const double* in, int count) const;
  void AdjustGated(const double* in, Want* want) const;

  const OpRow& row_;
  Dt compute_, out_;
  Attrs attrs_;
  OracleAttrs oracle_;
  Overflow overflow_ = Overflow::kDefault;
  double ulp_ = 0;
  Dt ulp_dtype_ = Dt::kF32;
  std::unordered_map<Key, Want, Hash> known_;
};

// Finishes a float result: rounds it to the compute type where that is no wider than the output,
// and to the output.
Want FinishFloat(mpfr_t exact, Dt compute, Dt out, Overflow overflow);

// Tolerance of a float operator with this bound in its row.
void SetTolerance(const OpRow& row, Dt compute, Dt out, double* ulp, Dt* ulp_dtype);

Overflow OverflowOf(const Attrs& attrs);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_REFERENCE_H_
