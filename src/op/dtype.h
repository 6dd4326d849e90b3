// Storage dtypes and compute types, as tileops/dtypes.def lists them, and PyTorch's promotion of
// the former.
#pragma once

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tileops {

// Elements as they lie in memory.
enum class Dtype : uint8_t {
#define TILEOPS_DTYPE(id, ...) id,
#include <tileops/dtypes.def>
};
inline constexpr int kNumDtypes = 0
#define TILEOPS_DTYPE(...) +1
#include <tileops/dtypes.def>
    ;

// Types that bodies compute in. Narrow floats compute in f32.
enum class Ctype : uint8_t {
#define TILEOPS_CTYPE(id, type) id,
#include <tileops/dtypes.def>
};
inline constexpr int kNumCtypes = 0
#define TILEOPS_CTYPE(...) +1
#include <tileops/dtypes.def>
    ;

// Sets of dtypes, as in TILEOPS_DTYPES_*.
enum : uint32_t { kFloat = 1, kInt = 2, kBool = 4, kScale = 8, kPacked = 16 };

// Of one element or, of elements that share a byte, of as many as do (torch's float4_e2m1fn_x2).
bool dtype_from_dl(DLDataType dl, Dtype* out);
DLDataType dtype_to_dl(Dtype t);
const char* dtype_name(Dtype t);
const char* dtype_label(Dtype t);  // short: "bf16"
bool dtype_from_name(const std::string& name, Dtype* out);
// Bytes; of elements that share a byte 1. Offsets and strides "in bytes" of such a dtype count elements, as though each
// had a byte, and whoever makes an address of them divides by dtype_lanes (docs/adding.md).
size_t dtype_size(Dtype t);
int dtype_bits(Dtype t);                   // of one element
int dtype_lanes(Dtype t);                  // elements that share a byte, or 1
uint32_t dtype_set(Dtype t);               // one of those above, as operators name what they take
uint32_t dtype_category(Dtype t);          // what it counts as where it is taken: packed floats are floats
std::string dl_dtype_name(DLDataType dl);  // also for types that are not ours
inline bool is_float(Dtype t) { return dtype_category(t) == kFloat; }
inline bool is_scale(Dtype t) { return dtype_category(t) == kScale; }
inline bool is_packed(Dtype t) { return dtype_lanes(t) > 1; }
inline bool is_narrow_float(Dtype t) { return is_float(t) && dtype_size(t) < 4; }
inline bool is_fp8(Dtype t) { return is_float(t) && dtype_bits(t) == 8; }
bool is_signed_integer(Dtype t);
double dtype_max_finite(Dtype t);  // of a float dtype
int dtype_exponent_bits(Dtype t);  // of a float dtype
int dtype_fraction_bits(Dtype t);  // of a float dtype

Ctype compute_type(Dtype t);
Ctype bits_type(size_t element_size);  // unsigned integer of that size
size_t ctype_size(Ctype t);
inline bool is_floating(Ctype t) { return t == Ctype::f32 || t == Ctype::f64; }
const char* ctype_name(Ctype t);
Dtype ctype_dtype(Ctype t);

// The smallest dtype that both convert to by PyTorch's rules; where PyTorch has none (fp8 with
// other floats, unsigned wider than 8 bits with signed) the smallest that holds both ranges.
// False if there is none (uint64 with a signed integer).
bool promote(Dtype a, Dtype b, Dtype* out);

// What a value beyond the largest finite fp8 number becomes.
enum class Fp8Mode : uint8_t { saturate, nonsaturating };
inline Fp8Mode default_fp8_mode(Dtype t) { return t == Dtype::e4m3fn ? Fp8Mode::saturate : Fp8Mode::nonsaturating; }

}  // namespace tileops
