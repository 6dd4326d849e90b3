#include "engines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace rowtest {
namespace {

using Rows = EngineRows;
using Values = EngineValues;

float RoundedTo(Dtype dtype, float v) { return static_cast<float>(Rounded(dtype, v)); }
float ToFp8(float v) { return RoundedTo(Dtype::e4m3fn, std::min(std::max(v, -448.0f), 448.0f)); }
float ToInt8(float v) { return std::min(std::max(std::nearbyint(v), -128.0f), 127.0f); }
float LargestOf(const Floats& x) {
  float most = 0;
  for (float v : x) most = std::max(most, std::fabs(v));
  return most;
}

void Append(const Floats& row, Floats* all) { all->insert(all->end(), row.begin(), row.end()); }

// 1 / sqrt(mean(x^2) + 1e-6): squares and their mean in float32, added exactly.
float ReciprocalRms(const Floats& x) {
  double sum = 0;
  for (float v : x) sum += v * v;
  const float mean = static_cast<float>(sum) / static_cast<float>(x.size());
  return static_cast<float>(1 / std::sqrt(static_cast<double>(mean + 1e-6f)));
}

// x + residual, rounded to the tensors' dtype before it is used, or after.
Floats WithResidual(const Rows& in, size_t r, bool rounded) {
  Floats h = in.Row(0, r);
  const Floats residual = in.Row(1, r);
  for (size_t i = 0; i < h.size(); ++i) h[i] = rounded ? in.Round(h[i] + residual[i]) : h[i] + residual[i];
  return h;
}

// Rounded before the weight, and with it: tensors of 16 bits are multiplied as such.
Floats NormedTwice(const Rows& in, const Floats& h, const Floats& weight) {
  const float r = ReciprocalRms(h);
  Floats n = h;
  for (size_t i = 0; i < n.size(); ++i) n[i] = in.Round(in.Round(n[i] * r) * weight[i]);
  return n;
}
// In float32, rounded once.
Floats NormedOnce(const Rows& in, const Floats& h, const Floats& weight) {
  const float r = ReciprocalRms(h);
  Floats n = h;
  for (size_t i = 0; i < n.size(); ++i) n[i] = in.Round(n[i] * r * weight[i]);
  return n;
}
Floats RoundedAll(const Rows& in, Floats x) {
  for (float& v : x) v = in.Round(v);
  return x;
}

using Norm = Floats (*)(const Rows&, const Floats&, const Floats&);
template <Norm norm>
Values NormOf(const Rows& in) {
  Values y(1);
  for (size_t r = 0; r < in.count(); ++r) Append(norm(in, in.Row(0, r), in.operands[1]), &y[0]);
  return y;
}
template <Norm norm, bool rounded>
Values NormOfSum(const Rows& in) {
  Values y(2);
  for (size_t r = 0; r < in.count(); ++r) {
    const Floats h = WithResidual(in, r, rounded);
    Append(norm(in, h, in.operands[2]), &y[0]);
    Append(RoundedAll(in, h), &y[1]);
  }
  return y;
}

// Quantisers of a row: codes to the first result, the scale to the second.
void Fp8Token(const Floats& x, Values* y) {
  const float scale = std::max(LargestOf(x) / 448.0f, 1.0f / (448.0f * 512.0f));
  for (float v : x) (*y)[0].push_back(ToFp8(v / scale));
  (*y)[1].push_back(scale);
}
void Int8Token(const Floats& x, Values* y) {
  const float most = LargestOf(x), inverse = most == 0 ? 0.0f : 127.0f / most;
  for (float v : x) (*y)[0].push_back(ToInt8(v * inverse));
  (*y)[1].push_back(most / 127.0f);
}
void Int8Fused(const Floats& x, Values* y) {
  const float scale = std::max(LargestOf(x) / 127.0f, std::numeric_limits<float>::epsilon()), inverse = 1.0f / scale;
  for (float v : x) (*y)[0].push_back(ToInt8(v * inverse));
  (*y)[1].push_back(scale);
}
void Int8Asymmetric(const Floats& x, Values* y) {
  const float least = *std::min_element(x.begin(), x.end()), most = *std::max_element(x.begin(), x.end());
  const float scale = (most - least) / 255.0f, zero = std::nearbyint(-128.0f - least / scale), inverse = 1.0f / scale;
  for (float v : x) (*y)[0].push_back(ToInt8(std::nearbyint(v * inverse) + zero));
  (*y)[1].push_back(scale);
  (*y)[2].push_back(zero);
}

using Quantiser = void (*)(const Floats&, Values*);
// Each row, or each group of neighbours in it.
template <Quantiser quantise, size_t group = 0>
Values OfRows(const Rows& in) {
  Values y(3);
  const size_t n = group ? group : in.length;
  for (auto at = in.operands[0].begin(); at != in.operands[0].end(); at += n) quantise({at, at + n}, &y);
  return y;
}
template <Quantiser quantise>
Values QuantisedNorm(const Rows& in) {
  Values y(2);
  for (size_t r = 0; r < in.count(); ++r) quantise(NormedTwice(in, in.Row(0, r), in.operands[1]), &y);
  return y;
}
// These kernels leave the sum unrounded, those of a static scale round it first.
template <Quantiser quantise>
Values QuantisedNormOfSum(const Rows& in) {
  Values y(3);
  for (size_t r = 0; r < in.count(); ++r) {
    const Floats h = WithResidual(in, r, false);
    quantise(NormedTwice(in, h, in.operands[2]), &y);
    Append(RoundedAll(in, h), &y[2]);
  }
  return y;
}
Values StaticNorm(const Rows& in) {
  Values y(1);
  for (size_t r = 0; r < in.count(); ++r)
    for (float v : NormedTwice(in, in.Row(0, r), in.operands[1])) y[0].push_back(ToFp8(v * (1.0f / in.operands[2][0])));
  return y;
}
Values StaticNormOfSum(const Rows& in) {
  Values y(2);
  for (size_t r = 0; r < in.count(); ++r) {
    const Floats h = WithResidual(in, r, true);
    for (float v : NormedTwice(in, h, in.operands[2])) y[0].push_back(ToFp8(v * (1.0f / in.operands[3][0])));
    Append(h, &y[1]);
  }
  return y;
}

void Fp8Group(const Floats& x, Values* y) {
  const float scale = std::max(LargestOf(x), 1e-10f) / 448.0f;
  for (float v : x) (*y)[0].push_back(ToFp8(v / scale));
  (*y)[1].push_back(scale);
}
// The power of two that is not below: the exponent, and one more where there are digits behind it.
float PowerAbove(float v) {
  int exponent = 0;
  return std::ldexp(1.0f, std::frexp(v, &exponent) == 0.5f ? exponent - 1 : exponent);
}
void Fp8GroupUe8m0(const Floats& x, Values* y) {
  const float scale = PowerAbove(std::max(LargestOf(x), 1e-4f) / 448.0f);
  for (float v : x) (*y)[0].push_back(ToFp8(v * (1.0f / scale)));
  (*y)[1].push_back(scale);
}
void Mxfp8(const Floats& x, Values* y) {
  const float most = LargestOf(x), scale = most == 0 ? 0x1p-127f : PowerAbove(most * (1.0f / 448.0f));
  for (float v : x) (*y)[0].push_back(ToFp8(v * (1.0f / scale)));
  (*y)[1].push_back(scale);
}
// OCP MX 1.0, 6.3: the scale is the largest power of two that is not above amax, by that of the largest element.
template <Dtype element, int largest_exponent>
void OcpBlock(const Floats& x, Values* y) {
  const float most = LargestOf(x);
  const float scale = most == 0 ? 0x1p-127f : std::ldexp(1.0f, std::ilogb(most) - largest_exponent);
  for (float v : x) (*y)[0].push_back(RoundedTo(element, v / scale));
  (*y)[1].push_back(scale);
}
void Q8Block(const Floats& x, Values* y) {
  const float d = LargestOf(x) / 127.0f, inverse = d == 0 ? 0.0f : 1.0f / d;
  for (float v : x) (*y)[0].push_back(std::round(v * inverse));
  (*y)[1].push_back(RoundedTo(Dtype::f16, d));
}
Values CurrentScaling(const Rows& in) {
  const float most = LargestOf(in.operands[0]);
  float scale = most == 0 ? 1.0f : 448.0f / most;
  if (std::isinf(scale)) scale = std::numeric_limits<float>::max();
  Values y(2);
  for (float v : in.operands[0]) y[0].push_back(ToFp8(v * scale));
  y[1].push_back(1.0f / scale);
  return y;
}
// Blocks of rows x columns: the elements of each, put where they were.
template <Quantiser quantise, size_t rows, size_t columns>
Values OfBlocks(const Rows& in) {
  Values y{Floats(in.operands[0].size()), {}};
  for (size_t r = 0; r < in.count(); r += rows)
    for (size_t c = 0; c < in.length; c += columns) {
      Floats block;
      Values of(2);
      for (size_t i = 0; i < rows * columns; ++i)
        block.push_back(in.operands[0][(r + i / columns) * in.length + c + i % columns]);
      quantise(block, &of);
      for (size_t i = 0; i < block.size(); ++i) y[0][(r + i / columns) * in.length + c + i % columns] = of[0][i];
      y[1].push_back(of[1][0]);
    }
  return y;
}
void Fp8Block(const Floats& x, Values* y) {
  const float scale = std::max(LargestOf(x), 1e-4f) / 448.0f;
  for (float v : x) (*y)[0].push_back(ToFp8(v * (1.0f / scale)));
  (*y)[1].push_back(scale);
}

const Engine kEngines[] = {
    {"rms_norm", "FlashInfer RMSNormKernel", NormOf<NormedOnce>},
    {"rms_norm_llama", "vLLM rms_norm_kernel; LlamaRMSNorm", NormOf<NormedTwice>},
    {"add_rms_norm", "FlashInfer FusedAddRMSNormKernel", NormOfSum<NormedOnce, false>},
    {"add_rms_norm_llama", "vLLM fused_add_rms_norm_kernel", NormOfSum<NormedTwice, true>},
    {"add_rms_norm_flaggems", "FlagGems skip_rms_norm_kernel", NormOfSum<NormedTwice, false>},
    {"rms_norm_fp8_static", "vLLM rms_norm_static_fp8_quant_kernel", StaticNorm},
    {"add_rms_norm_fp8_static", "vLLM fused_add_rms_norm_static_fp8_quant_kernel", StaticNormOfSum},
    {"rms_norm_fp8_token", "vLLM rms_norm_dynamic_per_token_quant_kernel", QuantisedNorm<Fp8Token>},
    {"add_rms_norm_fp8_token", "vLLM rms_norm_dynamic_per_token_quant_kernel", QuantisedNormOfSum<Fp8Token>},
    {"rms_norm_int8_token", "vLLM rms_norm_dynamic_per_token_quant_kernel", QuantisedNorm<Int8Fused>},
    {"add_rms_norm_int8_token", "vLLM rms_norm_dynamic_per_token_quant_kernel", QuantisedNormOfSum<Int8Fused>},
    {"fp8_te_current", "TransformerEngine compute_scale_from_amax", CurrentScaling},
    {"fp8_token", "vLLM dynamic_per_token_scaled_fp8_quant_kernel", OfRows<Fp8Token>},
    {"fp8_group", "vLLM per_token_group_quant_8bit_kernel", OfRows<Fp8Group, 128>},
    {"fp8_group_ue8m0", "DeepGEMM per_token_cast_to_fp8", OfRows<Fp8GroupUe8m0, 128>},
    {"fp8_block", "DeepGEMM per_block_cast_to_fp8", OfBlocks<Fp8Block, 128, 128>},
    {"mxfp8", "TransformerEngine cast_mxfp8", OfRows<Mxfp8, 32>},
    {"mxfp8_columns", "TransformerEngine cast_mxfp8", OfBlocks<Mxfp8, 32, 1>},
    {"mxfp8_ocp", "OCP MX 1.0", OfRows<OcpBlock<Dtype::e4m3fn, 8>, 32>},
    {"mxfp4", "OCP MX 1.0", OfRows<OcpBlock<Dtype::e2m1fn, 2>, 32>},
    {"int8_token", "vLLM dynamic_scaled_int8_quant_kernel", OfRows<Int8Token>},
    {"int8_token_asymmetric", "vLLM dynamic_scaled_int8_azp_quant_kernel", OfRows<Int8Asymmetric>, false},
    {"q8_0", "ggml quantize_row_q8_0_ref", OfRows<Q8Block, 32>},
};

}  // namespace

Floats EngineRows::Row(size_t operand, size_t r) const {
  const auto begin = operands[operand].begin() + static_cast<ptrdiff_t>(r * length);
  return {begin, begin + static_cast<ptrdiff_t>(length)};
}

float EngineRows::Round(float v) const { return RoundedTo(dtype, v); }

void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name << ": " << engine.source; }

const std::vector<Engine>& EngineTexts() {
  static const auto* all = new std::vector<Engine>(std::begin(kEngines), std::end(kEngines));
  return *all;
}

}  // namespace rowtest
