// The tests' own view of the dtypes: values of stored elements, and one rounding on the way back.
// Shares no code with the library; floats are rounded by MPFR.
#ifndef TILEOPS_TESTS_OPS_DTYPES_H_
#define TILEOPS_TESTS_OPS_DTYPES_H_

#include <dlpack/dlpack.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../accuracy/oracle.h"

namespace optest {

__extension__ typedef __int128 Int128;

enum class Dt {
  kF16,
  kBF16,
  kF32,
  kF64,
  kE4M3,
  kE5M2,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kBool,
  kE8M0,
  kE2M1
};
constexpr int kNumDt = 17;

struct DtInfo {
  const char* name;
  DLDataType dl;
  int size;             // bytes; of a packed dtype 1
  char kind;            // 'f', 'i', 'u', 'b', 's' (scale: powers of two), 'p' (packed: two floats in a byte)
  OracleFormat format;  // of floats, with the dtype's default overflow
};
const DtInfo& Info(Dt t);
inline bool IsFloat(Dt t) { return Info(t).kind == 'f'; }
inline bool IsScale(Dt t) { return Info(t).kind == 's'; }
inline bool IsPacked(Dt t) { return Info(t).kind == 'p'; }
inline bool IsInt(Dt t) { return Info(t).kind == 'i' || Info(t).kind == 'u'; }
inline bool IsNarrow(Dt t) { return IsFloat(t) && Info(t).size < 4; }
inline bool IsFp8(Dt t) { return IsFloat(t) && Info(t).size == 1; }
const std::vector<Dt>& AllDtypes();  // but packed ones, which have few layouts

// PyTorch's promotion, extended as the library documents it; false: no common dtype.
bool Promote(Dt a, Dt b, Dt* out);

// The type that values of this dtype are computed in.
Dt ComputeType(Dt t);

enum class Overflow { kDefault, kSaturate, kNonsaturating };
OracleFormat FormatOf(Dt t, Overflow overflow);

// The value of an element: a float (exact as double), an integer or a bool.
struct Num {
  bool is_float = false;
  double d = 0;
  Int128 i = 0;

  static Num Float(double v) { return {true, v, 0}; }
  static Num Integer(Int128 v) { return {false, 0, v}; }
  bool Truth() const { return is_float ? d != 0 || d != d : i != 0; }
};

Num Decode(Dt t, uint64_t bits);
// Converts once: nearest even; floats to integers truncate and saturate; integers wrap.
// `rounding` of scales: 0 nearest, 1 and 2 down, 3 up.
uint64_t Encode(const Num& value, Dt t, Overflow overflow = Overflow::kDefault, int64_t rounding = 0);
inline Num Convert(const Num& value, Dt t) { return Decode(t, Encode(value, t)); }
bool IsNanBits(Dt t, uint64_t bits);
std::string ToString(Dt t, uint64_t bits);

// log2 of the distance between neighbours of dtype t at this magnitude.
int UlpExponent(Dt t, long double magnitude);

// Every element is held as the low bits of a uint64_t.
uint64_t LoadBits(const void* p, int size);
void StoreBits(void* p, int size, uint64_t bits);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_DTYPES_H_
