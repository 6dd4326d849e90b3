// Dtypes by name, their promotion, and single values of them. Written apart from the library's own
// code on purpose: selftest would prove little if it shared the conversions it checks.
#ifndef TILEOPS_CLI_DTYPE_H_
#define TILEOPS_CLI_DTYPE_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"

namespace tileops::cli {

inline bool operator==(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool operator!=(DLDataType a, DLDataType b) { return !(a == b); }

struct DtypeRow {
  const char* name;       // "f16"
  const char* long_name;  // "float16", as NumPy and PyTorch say
  DLDataType dtype;
  char category;    // F, I, B, S, P, as in tileops/dtypes.def
  const char* npy;  // descr of a .npy file
};

inline constexpr DLDataType kF16{kDLFloat, 16, 1}, kF32{kDLFloat, 32, 1}, kF64{kDLFloat, 64, 1};
inline constexpr DLDataType kBF16{kDLBfloat, 16, 1}, kBool{kDLBool, 8, 1}, kU8{kDLUInt, 8, 1};
inline constexpr DLDataType kE4M3{kDLFloat8_e4m3fn, 8, 1}, kE5M2{kDLFloat8_e5m2, 8, 1};
inline constexpr DLDataType kE8M0{14, 8, 1};  // a power of two
inline constexpr DLDataType kE2M1{17, 4, 1};  // two in a byte
inline constexpr DLDataType kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1};

const std::vector<DtypeRow>& all_dtypes();
std::string dtype_name(DLDataType dtype);
std::string dtype_list();                                           // "f16, bf16, ..."
DLDataType parse_dtype(const std::string& text, const char* what);  // throws UsageError
std::vector<DLDataType> dtypes_of(uint32_t set);                    // TILEOPS_DTYPES_* bits

// Of 4 bits two elements share a byte.
inline bool is_packed(DLDataType dtype) { return dtype.bits < 8; }
// Bytes of an element, and of those that share a byte; in .npy files each has one.
inline int item_size(DLDataType dtype) { return is_packed(dtype) ? 1 : dtype.bits / 8; }
inline size_t bytes_of(DLDataType dtype, int64_t elements) {
  return (static_cast<size_t>(elements) * dtype.bits + 7) / 8;
}
// Elements of a byte each to those that share bytes, in place, and back in memory that has room for them.
void pack(unsigned char* elements, size_t n);
void unpack(unsigned char* elements, size_t n);
bool is_float(DLDataType dtype);  // scales and packed floats, too
bool is_int(DLDataType dtype);

// An operand's dtype, and whether it is 0-d, as promotion sees it.
struct PromotionOperand {
  DLDataType dtype;
  bool zero_dim;
};

// PyTorch's result_type. Where PyTorch has none (fp8 formats, wide unsigned integers) the smallest
// dtype that holds both ranges; nothing if there is none either.
std::optional<DLDataType> promote(const std::vector<PromotionOperand>& operands);

// One element as a number; a packed one has a byte of its own. long double holds every value of every dtype exactly
// (64-bit mantissa).
long double decode(DLDataType dtype, const void* element);

enum class Fp8Overflow { kDefault, kSaturate, kNonsaturating };

// Rounds once, to nearest even. Integers saturate and truncate, as `cast` does.
void encode(DLDataType dtype, long double value, void* element, Fp8Overflow overflow = Fp8Overflow::kDefault);

// The value after storing it.
long double rounded(DLDataType dtype, long double value, Fp8Overflow overflow = Fp8Overflow::kDefault);

// Distance between neighbouring values of a float dtype at `value`; 1 for integers.
long double ulp(DLDataType dtype, long double value);

// Range of an integer dtype.
long double int_min(DLDataType dtype);
long double int_max(DLDataType dtype);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_DTYPE_H_
