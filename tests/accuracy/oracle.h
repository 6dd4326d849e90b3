// The exact value of every float op of the library, from MPFR, and its rounding to each dtype.
//
// An op is evaluated from double inputs and double attributes, all taken as exact numbers (the
// caller converts f16, f32... inputs, and rounds an attribute to the compute type first if that is
// what the kernel sees). The result has kOraclePrecision bits and is rounded to odd: a value that
// had to be cut has its last bit set, so rounding it a second time, to any dtype, gives what
// rounding the exact value once would have given.
//
// Special values follow PyTorch and C99 Annex F. Where a formula read literally gives inf * 0 at
// -inf (gelu, silu, mish, hardswish) the oracle returns the limit, -0.
#ifndef TILEOPS_TESTS_ACCURACY_ORACLE_H
#define TILEOPS_TESTS_ACCURACY_ORACLE_H

#include <mpfr.h>

#include <cstdint>

constexpr mpfr_prec_t kOraclePrecision = 200;

// Attributes with the defaults of the op table. weight is lerp's; min and max are clamp's.
struct OracleAttrs {
  double alpha = 1.0;
  double beta = 1.0;
  double threshold = 20.0;
  double negative_slope = 0.01;
  double min_val = -1.0;  // hardtanh
  double max_val = 1.0;
  bool has_min = false;  // clamp
  bool has_max = false;
  double min = 0.0;
  double max = 0.0;
  bool approximate_tanh = false;                             // gelu
  int decimals = 0;                                          // round
  double weight = 0.5;                                       // lerp, when there is no third input
  enum Rounding { kNone, kTrunc, kFloor } rounding = kNone;  // div
  double nan = 0.0;                                          // nan_to_num
  double posinf = 1.7976931348623157e308;
  double neginf = -1.7976931348623157e308;
  double p = 0.5;  // dropout, the value of a kept element

  // rope and sinusoidal
  enum Rope { kPlain, kLlama31, kYarn, kLongrope } rope = kPlain;
  int dim = 128;  // rotary_dim, or D of sinusoidal
  double base = 10000.0;
  double scale_factor = 8.0;  // llama31
  double low_freq_factor = 1.0;
  double high_freq_factor = 4.0;
  double original_max_position = 0.0;  // 0: the variant's default, 8192 for llama31, else 4096
  double scale = 16.0;                 // yarn
  double beta_fast = 32.0;
  double beta_slow = 1.0;
  double attn_factor = 1.0;
  double max_position = 0.0;    // longrope: amplitude 1 unless above original_max_position
  double rescale_factor = 1.0;  // longrope: the operand's element for this pair

  // Sets a numeric attribute by the name that the op table uses; false if there is none.
  bool Set(const char* name, double value);
  // The same for approximate = none | tanh and rounding = none | trunc | floor.
  bool Set(const char* name, const char* value);
};

// Evaluates `op`, whose name is that of the op table, on in[0..nin). False if the op is unknown or
// has a wrong number of inputs. out must be initialised; its precision becomes kOraclePrecision.
//
// Inputs: one per tensor operand, in the order of the op table. prelu: x, weight. lerp: a, b and
// optionally the weight. clamp: x and optionally min, max. silu_and_mul etc.: gate, value.
// rope_cos, rope_sin: position, pair index. rope_frequency: pair index. sinusoidal: position,
// column. alibi: row, column, slope. dropout: x, for an element that is kept.
bool oracle_eval(const char* op, const double* in, int nin, const OracleAttrs& attrs, mpfr_t out);

enum class OracleFormat {
  kF64,
  kF32,
  kF16,
  kBF16,
  kE4M3FN,               // saturating, the default of the dtype
  kE4M3FNNonsaturating,  // overflow and infinity become NaN
  kE5M2,                 // nonsaturating, the default of the dtype
  kE5M2Saturating,
};

// f64, f32, f16, bf16, e4m3fn, e4m3fn_nonsaturating, e5m2, e5m2_saturating.
bool oracle_format_from_name(const char* name, OracleFormat* format);

// The value rounded once, nearest even, subnormals and overflow as the dtype has them.
double oracle_round(mpfr_t exact, OracleFormat format);

// The same as a bit pattern of the dtype (NaN is the positive quiet one).
uint64_t oracle_encode(mpfr_t exact, OracleFormat format);

// The value of a bit pattern.
double oracle_decode(uint64_t bits, OracleFormat format);

// 2^k, the distance of two neighbours of the dtype around the value (subnormals: the least one).
double oracle_ulp(mpfr_t exact, OracleFormat format);

// |got - exact| / ulp(exact). 0 when got is what oracle_round gives, for special values too;
// infinite when only one of the two is NaN or truly infinite, or a zero has the wrong neighbour. An
// overflow of a finite exact value counts as the first number beyond the range. The sign of a zero
// is not looked at.
double ulp_error(mpfr_t exact, double got, OracleFormat format);

#endif
