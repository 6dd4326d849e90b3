// The float dtypes as bit patterns: decoding and rounding that are fast enough for 2^32 of them.
// oracle.h does the same for MPFR numbers; formats_agree() compares the two.
#ifndef TILEOPS_TESTS_ACCURACY_FORMATS_H
#define TILEOPS_TESTS_ACCURACY_FORMATS_H

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>

#include "oracle.h"

struct Format {
  const char* name;
  DLDataType dl;
  OracleFormat oracle;
  size_t size;
  int exponent_bits, mantissa_bits;
  uint64_t largest;   // code of the largest finite number
  uint64_t overflow;  // code of what is beyond it, as the dtype's default says

  bool narrow() const { return size < 4; }
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint64_t sign_bit() const { return uint64_t{1} << (exponent_bits + mantissa_bits); }
  bool is_nan(uint64_t code) const { return (code & (sign_bit() - 1)) > nan_above; }
  uint64_t nan_above;  // codes above it, sign removed, are NaN
};

// f16 bf16 e4m3fn e5m2 f32 f64; NULL for any other name.
const Format* find_format(const char* name);

double decode(const Format& format, uint64_t code);
void decode(const Format& format, const uint64_t* codes, double* values, size_t n);

// The codes as elements in memory.
void pack(const Format& format, const uint64_t* codes, void* elements, size_t n);

// Nearest, ties to even. NaN is the positive quiet one.
uint64_t encode(const Format& format, double value);

// Distance of two neighbours around a finite value.
double ulp_of(const Format& format, double value);

// Compares decode() and encode() with the oracle's on all codes and all ties between neighbours.
bool formats_agree();

#endif
