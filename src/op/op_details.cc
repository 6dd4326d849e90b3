#include "op/op_details.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "base/split.h"

namespace tileops {
namespace {

struct Text {
  const char *text = "", *accuracy = "", *source = "";
};

Text text_of(Lowering lowering) {
  switch (lowering) {
#define TILEOPS_RULE_DETAILS(rule, text, accuracy, source) \
  case Lowering::rule: return {text, accuracy, source};
#define TILEOPS_OPERAND_DETAILS(rule, operand, text)
#define TILEOPS_OP_DETAILS(NAME, text, accuracy, source)
#include <tileops/ops/details.def>
#undef TILEOPS_RULE_DETAILS
#undef TILEOPS_OP_DETAILS
    default: return {};
  }
}

Text text_of(tileops_op op) {
  switch (op) {
#define TILEOPS_RULE_DETAILS(rule, text, accuracy, source)
#define TILEOPS_OP_DETAILS(NAME, text, accuracy, source) \
  case TILEOPS_OP_##NAME: return {text, accuracy, source};
#include <tileops/ops/details.def>
#undef TILEOPS_RULE_DETAILS
#undef TILEOPS_OP_DETAILS
#undef TILEOPS_OPERAND_DETAILS
    default: return {};
  }
}

// What an operand's shape must be, or NULL if the table does not say.
const char* shape_of(Lowering lowering, const std::string& operand) {
  constexpr struct {
    Lowering lowering;
    const char *operand, *text;
  } kRows[] = {
#define TILEOPS_RULE_DETAILS(rule, text, accuracy, source)
#define TILEOPS_OPERAND_DETAILS(rule, operand, text) {Lowering::rule, #operand, text},
#define TILEOPS_OP_DETAILS(NAME, text, accuracy, source)
#include <tileops/ops/details.def>
#undef TILEOPS_RULE_DETAILS
#undef TILEOPS_OPERAND_DETAILS
#undef TILEOPS_OP_DETAILS
  };
  for (const auto& row : kRows)
    if (row.lowering == lowering && row.operand == operand) return row.text;
  return nullptr;
}

// The shortest text that reads back as this number, with a point in every locale.
std::string number_text(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// "a, b or c".
std::string either(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

// The words of a list such as "a|b|c".
std::vector<std::string> words_of(std::string_view text) {
  const std::vector<std::string_view> words = split(text, '|');
  return {words.begin(), words.end()};
}

std::string kinds(uint32_t set) {
  std::vector<std::string> words;
  if (set & kFloat) words.push_back("float");
  if (set & kInt) words.push_back("integer");
  if (set & kBool) words.push_back("bool");
  if (set & kScale) words.push_back("scale");
  if (set & kPacked) words.push_back("packed");
  return either(words);
}

// Inputs whose dtypes are promoted with each other.
size_t num_promoted(const OpSpec& op) {
  return static_cast<size_t>(
      std::count_if(op.inputs.begin(), op.inputs.end(), [](const OperandSpec& in) { return in.fixed.empty(); }));
}

std::string operands_text(const OpSpec& op) {
  std::string text = "Operands and their shapes:";
  const auto add = [&](const OperandSpec& operand, const std::string& dtypes, const char* shape) {
    const char* own = shape_of(op.lowering, operand.name);
    text += "\n- " + operand.name + " (" + dtypes + (operand.optional ? "; optional" : "") +
            "): " + (own ? own : shape);
    if (operand.fallback != TILEOPS_ATTR_NONE)
      text += std::string("; the attribute ") + attr_name(operand.fallback) + " stands in for it";
    text += ".";
  };
  const bool one = op.inputs.size() == 1;
  for (const OperandSpec& in : op.inputs)
    add(in, in.fixed.empty() ? kinds(op.dtypes) : either(words_of(in.fixed_text)),
        one ? "any shape" : "any shape that broadcasts with the others, as in NumPy");
  for (size_t i = 0; i < op.outputs.size(); ++i)
    add(op.outputs[i], i == 0 ? "result" : "second result, bool",
        one ? "the shape of the input" : "the shape that the inputs broadcast to");
  return text;
}

std::string attr_text(const tileops_attr_info& attr) {
  const bool integer = attr.kind == TILEOPS_ATTR_I64;
  std::string kind = integer ? "integer" : "number", value = number_text(attr.default_value.f64);
  if (integer) value = std::to_string(attr.default_value.i64);
  if (attr.choices) {
    std::vector<std::string> words = words_of(attr.choices);
    if (attr.has_default) value = words[attr.default_value.i64];
    for (size_t i = 0; i < words.size(); ++i) words[i] += " = " + std::to_string(i);
    kind = either(words);
  } else if (std::isfinite(attr.min_value)) {
    const std::string low = number_text(attr.min_value), high = number_text(attr.max_value);
    kind += integer && attr.min_value == 0 && attr.max_value == 1 ? " 0 or 1" : " from " + low + " to " + high;
  }
  return std::string("\n- ") + attr.name + " (" + kind + "; " + (attr.has_default ? "default " + value : "optional") +
         "): " + attr.doc + ".";
}

std::string dtypes_text(const OpSpec& op) {
  const size_t promoted = num_promoted(op);
  if (promoted == 0) return "Dtypes: the output may be of any float dtype.";
  std::string text = "Dtypes: ";
  const std::string first = op.inputs[op.inputs[0].fixed.empty() ? 0 : 1].name;
  if (op.compute == Compute::truth) {
    text += "numbers count as true where they are not zero; NaN is true. The result is bool";
  } else if (op.compute == Compute::source) {
    text += "any dtype to any other";
  } else {
    if (promoted > 1 && op.lowering != Lowering::masked_fill)
      text += "operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by "
              "its kind alone; float16 with bfloat16 gives float32). ";
    const std::string own = promoted > 1 && op.lowering != Lowering::masked_fill ? "the promoted dtype"
                                                                                 : "the dtype of " + first;
    text += text.back() == ' ' && text.size() > std::strlen("Dtypes: ") ? "The" : "the";
    text += op.bool_result ? " result is bool" : " result has " + own;
    if (op.compute == Compute::to_float) text += ", float32 for integers and bool";
    if (op.compute == Compute::quotient) text += ", float32 for integers and bool unless a rounding is asked for";
    if (op.compute == Compute::bits) text += "; what needs no conversion keeps its bits, also those of NaN";
  }
  text += ". ";
  if (op.bool_result) return text + "An output of another dtype gets 0 and 1.";
  const std::string result = op.compute == Compute::source ? "The value" : "For an output of another dtype it";
  return text + result +
         " is converted once: to a float by rounding to nearest even, to an integer toward zero "
         "with saturation (NaN gives 0), to bool by being other than 0.";
}

std::string accuracy_text(const OpSpec& op, const Text& own, const Text& rule) {
  if (op.bool_result || !(op.dtypes & kFloat)) return "";
  std::string text = *own.accuracy ? own.accuracy : rule.accuracy;
  if (text.empty() && op.ulp == 0) {
    text = "float results are the exact value, rounded once.";
  } else if (text.empty()) {
    text = "a float32 result is within {ulp} ulp of the exact one, a float64 result within 2 ulp. 8- "
           "and 16-bit results of operands of their own dtype are the exact value, rounded once.";
  }
  if (const size_t at = text.find("{ulp}"); at != std::string::npos)
    text.replace(at, std::strlen("{ulp}"), std::to_string(op.ulp));
  return "Accuracy: " + text;
}

std::string compose(const OpSpec& op) {
  const Text own = text_of(op.op), rule = text_of(op.lowering);
  std::string all;
  const auto paragraph = [&all](const std::string& text) {
    if (!text.empty()) all += (all.empty() ? "" : "\n\n") + text;
  };
  paragraph(rule.text);
  paragraph(own.text);
  paragraph(operands_text(op));
  std::string attrs;
  for (const tileops_attr_info& attr : op.attr_infos) attrs += attr_text(attr);
  if (!attrs.empty()) paragraph("Attributes:" + attrs);
  paragraph(dtypes_text(op));
  paragraph(accuracy_text(op, own, rule));
  std::string source = own.source;
  if (*rule.source) source += (source.empty() ? "" : " ") + std::string(rule.source);
  if (!source.empty()) paragraph("Source: " + source);
  return all;
}

}  // namespace

const char* op_details(const OpSpec& op) {
  // Made when it is first asked for, and leaked like the table.
  static const auto* texts = [] {
    auto* all = new std::map<tileops_op, std::string>;
    for (const auto& spec : op_table()) (*all)[spec->op] = compose(*spec);
    return all;
  }();
  const auto found = texts->find(op.op);
  return found == texts->end() ? "" : found->second.c_str();
}

}  // namespace tileops
