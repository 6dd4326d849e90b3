#include "cli/operation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cli/dtype.h"
#include "cli/number.h"

namespace tileops::cli {

int attr_index(const tileops_op_info& op, const std::string& name) {
  for (int i = 0; i < op.num_attrs; ++i) {
    if (name == op.attrs[i].name) return i;
  }
  return -1;
}

tileops_attr parse_attr(const tileops_op_info& op, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError("--attr: need NAME=VALUE, got '" + text + "'");
  }
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  const int index = attr_index(op, name);
  if (index < 0) {
    std::string known;
    for (int i = 0; i < op.num_attrs; ++i) known += std::string(i > 0 ? ", " : "") + op.attrs[i].name;
    throw UsageError(std::string("--attr: ") + op.name + " has no attribute '" + name + "' (" +
                     (known.empty() ? "it has none" : "it has " + known) + ")");
  }
  const tileops_attr_info& info = op.attrs[index];
  const std::string what = "--attr " + name;
  tileops_attr attr{};
  attr.key = info.key;
  attr.kind = info.kind;
  if (info.choices != nullptr) {
    const std::vector<std::string> choices = split(info.choices, '|');
    const auto it = std::find(choices.begin(), choices.end(), value);
    if (it != choices.end()) {
      attr.value.i64 = it - choices.begin();
    } else if (value.size() == 1 && value[0] >= '0' && static_cast<size_t>(value[0] - '0') < choices.size()) {
      attr.value.i64 = value[0] - '0';
    } else {
      throw UsageError(what + ": got '" + value + "', need one of " + info.choices);
    }
    return attr;
  }
  double number = 0;
  if (info.kind == TILEOPS_ATTR_I64) {
    // Without a range all 64 bits count (seed, offset), and may be written as unsigned, too.
    const bool bounded = std::isfinite(info.min_value) || std::isfinite(info.max_value);
    attr.value.i64 = bounded ? parse_int(value, what) : parse_bits(value, what);
    number = static_cast<double>(attr.value.i64);
  } else {
    attr.value.f64 = number = parse_double(value, what);
  }
  if (number < info.min_value || number > info.max_value) {
    char range[80];
    std::snprintf(range, sizeof(range), "%g to %g", info.min_value, info.max_value);
    throw UsageError(what + ": " + value + " is out of range (need " + range + ")");
  }
  return attr;
}

std::vector<tileops_attr> parse_attrs(const tileops_op_info& op, const std::vector<std::string>& texts) {
  std::vector<tileops_attr> attrs;
  for (const std::string& text : texts) {
    attrs.push_back(parse_attr(op, text));
    for (size_t i = 0; i + 1 < attrs.size(); ++i) {
      if (attrs[i].key == attrs.back().key) throw UsageError("--attr: given twice: " + text);
    }
  }
  return attrs;
}

std::optional<DLDataType> promoted_dtype(const tileops_op_info& op, const OperandTypes& inputs) {
  std::vector<PromotionOperand> operands;
  for (size_t i = 0; i < inputs.size() && i < static_cast<size_t>(op.max_inputs); ++i) {
    if (!inputs[i] || op.inputs[i].dtype != nullptr) continue;
    // The value of masked_fill takes x's dtype, whatever its own.
    if (std::strcmp(op.name, "masked_fill") == 0 && i > 0) continue;
    operands.push_back({inputs[i]->dtype, inputs[i]->shape.empty()});
  }
  if (operands.empty()) return kF32;
  return promote(operands);
}

DLDataType result_dtype(const tileops_op_info& op, const OperandTypes& inputs, const std::vector<tileops_attr>& attrs) {
  const std::string result = op.result;
  if (result == "bool") return kBool;
  const std::optional<DLDataType> promoted = promoted_dtype(op, inputs);
  // Without a common dtype the library refuses the plan and says why; any dtype will do here.
  if (!promoted) return kF32;
  if (result != "promoted_float" || is_float(*promoted)) return *promoted;
  // Integers divided with rounding stay integers.
  const int rounding = attr_index(op, "rounding");
  for (const tileops_attr& attr : attrs) {
    if (rounding >= 0 && attr.key == op.attrs[rounding].key && attr.value.i64 != 0) {
      return *promoted;
    }
  }
  return kF32;
}

std::optional<Shape> result_shape(const tileops_op_info& op, const OperandTypes& inputs) {
  const std::string category = op.category, name = op.name;
  const auto present = static_cast<size_t>(
      std::count_if(inputs.begin(), inputs.end(), [](const auto& input) { return !!input; }));
  if (category == "position" || inputs.empty() || !inputs[0]) return std::nullopt;
  if (category == "rope" || category == "dropout" || name == "prelu") return inputs[0]->shape;
  if (category == "fused_gated" && present == 1) {
    Shape shape = inputs[0]->shape;
    if (!shape.empty()) shape.back() /= 2;  // an odd one is for the library to refuse
    return shape;
  }
  Shape shape;
  for (const std::optional<OperandType>& input : inputs) {
    if (!input) continue;
    const Shape& other = input->shape;
    if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
    for (size_t k = 0; k < other.size(); ++k) {
      int64_t& extent = shape[shape.size() - 1 - k];
      const int64_t mine = other[other.size() - 1 - k];
      if (extent == 1) {
        extent = mine;
      } else if (mine != 1 && mine != extent) {
        throw RunError("inputs do not broadcast: " + shape_text(other) + " does not fit " + shape_text(shape));
      }
    }
  }
  return shape;
}

}  // namespace tileops::cli
