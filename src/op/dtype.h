// Storage dtypes, compute types, and PyTorch's promotion of the former.
#pragma once

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tileops {

// Elements as they lie in memory.
enum class Dtype : uint8_t {
  f16, bf16, f32, f64, e4m3fn, e5m2, i8, i16, i32, i64, u8, u16, u32, u64, boolean,
};
inline constexpr int kNumDtypes = 15;

// Types that bodies compute in. Narrow floats compute in f32.
enum class Ctype : uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };
inline constexpr int kNumCtypes = 11;

// Sets of dtypes, as in TILEOPS_DTYPES_*.
enum : uint32_t { kFloat = 1, kInt = 2, kBool = 4 };

bool dtype_from_dl(DLDataType dl, Dtype* out);
DLDataType dtype_to_dl(Dtype t);
const char* dtype_name(Dtype t);
bool dtype_from_name(const std::string& name, Dtype* out);
size_t dtype_size(Dtype t);
uint32_t dtype_category(Dtype t);
std::string dl_dtype_name(DLDataType dl);  // also for types that are not ours
inline bool is_float(Dtype t) { return dtype_category(t) == kFloat; }
inline bool is_narrow_float(Dtype t) { return is_float(t) && dtype_size(t) < 4; }
inline bool is_fp8(Dtype t) { return t == Dtype::e4m3fn || t == Dtype::e5m2; }
double dtype_max_finite(Dtype t);  // of a float dtype

Ctype compute_type(Dtype t);
Ctype bits_type(size_t element_size);  // unsigned integer of that size
size_t ctype_size(Ctype t);
const char* ctype_name(Ctype t);
Dtype ctype_dtype(Ctype t);

// The smallest dtype that both convert to by PyTorch's rules; where PyTorch has none (fp8 with
// other floats, unsigned wider than 8 bits with signed) the smallest that holds both ranges.
// False if there is none (uint64 with a signed integer).
bool promote(Dtype a, Dtype b, Dtype* out);

// What a value beyond the largest finite fp8 number becomes.
enum class Fp8Mode : uint8_t { saturate, nonsaturating };

}  // namespace tileops
