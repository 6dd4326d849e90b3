// Workloads from the operator table alone: a new operator needs nothing here.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "rows.h"

namespace tileops_bench {
namespace {

constexpr int64_t kHead = 128, kHeads = 16, kInner = 4096, kChannels = 64, kAlibiHeads = 16,
                  kSinusoidalWidth = 512;

// Shape of the output in which the operator is commonly used.
Shape common_shape(const std::string& name, const std::string& category, int64_t n) {
  const auto rows = [n](int64_t inner) { return std::max<int64_t>(n / inner, 1); };
  if (category == "rope") return {1, rows(kHeads * kHead), kHeads, kHead};
  if (category == "fused_gated") return {rows(kInner), kInner};
  if (name == "prelu") return {rows(kChannels), kChannels};
  if (name == "sinusoidal") return {rows(kSinusoidalWidth), kSinusoidalWidth};
  if (name == "alibi") {
    const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(n / kAlibiHeads)));
    return {kAlibiHeads, side, side};
  }
  return {n};
}

DLDataType fixed_dtype(const char* text) {
  if (!std::strncmp(text, "bool", 4)) return kBool;
  return !std::strncmp(text, "float32", 7) ? kF32 : kI32;
}

DLDataType result_dtype(const tileops_op_info& info, DLDataType dtype) {
  const bool is_float = dtype.code == kDLFloat || dtype.code == kDLBfloat;
  if (!std::strcmp(info.result, "bool")) return kBool;
  if (!std::strcmp(info.result, "promoted_float") && !is_float) return kF32;
  return dtype;
}

Shape input_shape(const tileops_operand_info& operand, const std::string& name,
                  const std::string& category, int index, const Shape& output) {
  Shape shape = output;
  if (category == "fused_gated") shape.back() *= 2;
  if (name == "prelu" && index == 1) shape = {kChannels};
  if (!std::strcmp(operand.name, "rescale_factors")) shape = {output.back() / 2};
  return shape;
}

Workload workload(const tileops_op_info& info, DLDataType dtype, int64_t n) {
  const std::string name = info.name, category = info.category;
  Workload w;
  w.op = name;
  w.output = {result_dtype(info, dtype), common_shape(name, category, n)};
  for (int i = 0; i < info.max_inputs; ++i) {
    const tileops_operand_info& operand = info.inputs[i];
    if (operand.optional && name != "pow") continue;  // pow without its exponent is no operator
    const DLDataType type = operand.dtype ? fixed_dtype(operand.dtype) : dtype;
    w.inputs.resize(static_cast<size_t>(i) + 1);
    w.inputs.back() = Operand{type, input_shape(operand, name, category, i, w.output.shape)};
  }
  if (name == "clamp") w.attrs = {attr(TILEOPS_ATTR_MIN, -50.0), attr(TILEOPS_ATTR_MAX, 50.0)};
  if (name == "masked_fill") w.attrs = {attr(TILEOPS_ATTR_VALUE, -1.0)};
  return w;
}

}  // namespace

std::vector<Row> table_rows(int64_t n) {
  std::vector<Row> rows;
  for (size_t i = 0; i < tileops_op_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    check(tileops_op_describe(tileops_op_at(i), &info));
    const std::pair<DLDataType, uint32_t> dtypes[] = {{kF32, TILEOPS_DTYPES_FLOAT},
                                                      {kBf16, TILEOPS_DTYPES_FLOAT},
                                                      {kF16, TILEOPS_DTYPES_FLOAT},
                                                      {kI32, TILEOPS_DTYPES_INT},
                                                      {kBool, TILEOPS_DTYPES_BOOL}};
    for (const auto& [dtype, set] : dtypes) {
      if (!(info.dtypes & set)) continue;
      rows.push_back({std::string(info.name) + "/" + dtype_name(dtype), workload(info, dtype, n)});
    }
  }
  return rows;
}

std::vector<Row> isa_rows(int64_t n) {
  std::vector<Row> rows;
  for (const char* isa : {"baseline", "avx2", "avx512", "avx512vbmi"}) {
    for (const char* op : {"add", "exp", "gelu", "pow", "silu_and_mul", "rope_neox"}) {
      tileops_op_info info = TILEOPS_OP_INFO_INIT;
      if (tileops_op_describe(tileops_op_from_name(op), &info) != TILEOPS_STATUS_OK) continue;
      for (DLDataType dtype : {kF32, kBf16})
        rows.push_back({std::string(op) + ":" + isa + "/" + dtype_name(dtype),
                        workload(info, dtype, n), isa});
    }
  }
  return rows;
}

}  // namespace tileops_bench
