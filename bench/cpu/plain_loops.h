/* What users write by hand where they have no library: texts of rows of float32 as plain loops. Sums are of float, one
 * element after the other as far as the source says; exp, erf and log are those of the C library. plain_loops.c is
 * compiled twice, with -O3 -march=native and with -ffast-math besides. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define RESTRICT
#else
#define RESTRICT restrict
#endif

#define FROM const float* RESTRICT
#define TO float* RESTRICT
struct PlainLoops {
  void (*rms_norm)(FROM x, FROM weight, TO y, size_t rows, size_t n);
  /* h: the sum, which is normalised. */
  void (*add_rms_norm)(FROM x, FROM residual, FROM weight, TO y, TO h, size_t rows, size_t n);
  void (*layer_norm)(FROM x, FROM weight, FROM bias, TO y, size_t rows, size_t n);
  void (*l2_norm)(FROM x, TO y, size_t rows, size_t n);
  void (*softmax)(FROM x, TO y, size_t rows, size_t n);
  /* Row i sees the elements up to number i + past. */
  void (*softmax_causal)(FROM x, size_t past, TO y, size_t rows, size_t n);
  void (*log_softmax)(FROM x, TO y, size_t rows, size_t n);
  /* One result a row. */
  void (*cross_entropy)(FROM x, const int64_t* label, TO y, size_t rows, size_t n);
  /* Rows of x have 2 n elements, the gate's first. */
  void (*swiglu_packed)(FROM x, TO y, size_t rows, size_t n);
  void (*bias_gelu)(FROM x, FROM bias, TO y, size_t rows, size_t n);
};
#undef FROM
#undef TO
#undef RESTRICT

extern const struct PlainLoops plain_loops, fast_loops;

#ifdef __cplusplus
}
#endif
