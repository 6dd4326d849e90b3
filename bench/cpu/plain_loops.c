/* LOOPS is the table's name. Without -ffast-math loops over elements become vectors, and sums, maxima and calls of
 * expf, erff and logf stay one after the other; with it all become vectors. */
#include "plain_loops.h"

#include <math.h>

static void rms_norm(const float* restrict x, const float* restrict weight, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    float squares = 0;
    for (size_t i = 0; i < n; ++i) squares += x[i] * x[i];
    const float scale = 1 / sqrtf(squares / (float)n + 1e-6f);
    for (size_t i = 0; i < n; ++i) y[i] = x[i] * scale * weight[i];
  }
}

static void add_rms_norm(const float* restrict x, const float* restrict residual, const float* restrict weight,
                         float* restrict y, float* restrict h, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, residual += n, y += n, h += n) {
    float squares = 0;
    for (size_t i = 0; i < n; ++i) {
      h[i] = x[i] + residual[i];
      squares += h[i] * h[i];
    }
    const float scale = 1 / sqrtf(squares / (float)n + 1e-6f);
    for (size_t i = 0; i < n; ++i) y[i] = h[i] * scale * weight[i];
  }
}

static void layer_norm(const float* restrict x, const float* restrict weight, const float* restrict bias,
                       float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; ++i) sum += x[i];
    const float mean = sum / (float)n;
    for (size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float scale = 1 / sqrtf(squares / (float)n + 1e-5f);
    for (size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
  }
}

static void l2_norm(const float* restrict x, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    float squares = 0;
    for (size_t i = 0; i < n; ++i) squares += x[i] * x[i];
    const float scale = 1 / fmaxf(sqrtf(squares), 1e-12f);
    for (size_t i = 0; i < n; ++i) y[i] = x[i] * scale;
  }
}

static float largest(const float* x, size_t n) {
  float most = x[0];
  for (size_t i = 1; i < n; ++i) most = x[i] > most ? x[i] : most;
  return most;
}

static float sum_of_exp(const float* x, size_t n, float most) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += expf(x[i] - most);
  return sum;
}

static void softmax_of_row(const float* restrict x, float* restrict y, size_t n) {
  const float most = largest(x, n);
  float sum = 0;
  for (size_t i = 0; i < n; ++i) {
    y[i] = expf(x[i] - most);
    sum += y[i];
  }
  const float scale = 1 / sum;
  for (size_t i = 0; i < n; ++i) y[i] *= scale;
}

static void softmax(const float* restrict x, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r) softmax_of_row(x + r * n, y + r * n, n);
}

static void softmax_causal(const float* restrict x, size_t past, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    const size_t seen = r + past + 1 < n ? r + past + 1 : n;
    softmax_of_row(x, y, seen);
    for (size_t i = seen; i < n; ++i) y[i] = 0;
  }
}

static void log_softmax(const float* restrict x, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    const float most = largest(x, n), log_sum = logf(sum_of_exp(x, n, most));
    for (size_t i = 0; i < n; ++i) y[i] = x[i] - most - log_sum;
  }
}

static void cross_entropy(const float* restrict x, const int64_t* label, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n) {
    const float most = largest(x, n);
    y[r] = label[r] == -100 ? 0 : logf(sum_of_exp(x, n, most)) - (x[label[r]] - most);
  }
}

static void swiglu_packed(const float* restrict x, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += 2 * n, y += n)
    for (size_t i = 0; i < n; ++i) y[i] = x[i] / (1 + expf(-x[i])) * x[n + i];
}

static void bias_gelu(const float* restrict x, const float* restrict bias, float* restrict y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n)
    for (size_t i = 0; i < n; ++i) {
      const float h = x[i] + bias[i];
      y[i] = 0.5f * h * (1 + erff(h * 0.70710678f));
    }
}

const struct PlainLoops LOOPS = {rms_norm,       add_rms_norm, layer_norm,    l2_norm,       softmax,
                                 softmax_causal, log_softmax,  cross_entropy, swiglu_packed, bias_gelu};
