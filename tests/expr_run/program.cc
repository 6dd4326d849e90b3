#include "program.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "call_text.h"

namespace exprtest {
namespace {

std::string NodeName(const Program& p, int node) {
  const Node& n = p.nodes[static_cast<size_t>(node)];
  return n.operand >= 0 ? std::string(1, static_cast<char>('a' + n.operand)) : "n" + std::to_string(node);
}

std::string ArgumentText(const Program& p, const Argument& a) {
  return a.of == Argument::Of::none ? "" : a.of == Argument::Of::node ? NodeName(p, a.node) : a.number.text;
}

std::string NodeText(const Program& p, const Node& n) {
  if (!n.row) {
    const char* const modes[] = {", fp8_overflow = saturate", ", fp8_overflow = nonsaturating"};
    return "cast(" + ArgumentText(p, n.arguments[0]) + ", " + Label(n.dtype) +
           (n.overflow < 0 ? "" : modes[n.overflow]) + ")";
  }
  std::vector<std::string> arguments;
  for (const Argument& a : n.arguments) arguments.push_back(ArgumentText(p, a));
  std::string text = CallText(*n.row, arguments, n.attrs);
  for (const auto& [name, number] : n.scalars) {
    text.pop_back();
    text += ", " + name + " = " + number.text + ")";
  }
  return text;
}

tileops_number NumberOf(const Number& n) {
  return n.integer ? tileops_number_i64(static_cast<int64_t>(n.value)) : tileops_number_f64(n.value);
}

int Rank(Dt t) { return IsFloat(t) ? 2 : t == Dt::kBool ? 0 : 1; }

}  // namespace

std::string Program::Text() const {
  std::string text = "(";
  for (size_t i = 0; i < operands.size(); ++i) text += (i ? ", " : "") + std::string(1, static_cast<char>('a' + i));
  for (size_t i = 0; i < scalars.size(); ++i)
    text += (i ? ", " : "; ") + scalars[i].name + " = " + NumberText(scalars[i].usual, scalars[i].integer);
  text += ") -> { ";
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].operand < 0)
      text += NodeName(*this, static_cast<int>(i)) + " = " + NodeText(*this, nodes[i]) + ";\n  ";
  for (size_t k = 0; k < results.size(); ++k) text += (k ? ", " : "") + NodeName(*this, results[k]);
  return text + " }";
}

const tileops_expr* Program::Build() const {
  if (!scalars.empty()) return nullptr;
  tileops_builder* b = nullptr;
  if (tileops_builder_create(&b) != TILEOPS_STATUS_OK) return nullptr;
  std::vector<tileops_node> handles;
  for (const Node& n : nodes) {
    if (n.operand >= 0) {
      handles.push_back(tileops_build_operand(b, NodeName(*this, static_cast<int>(handles.size())).c_str(), nullptr));
      continue;
    }
    std::vector<tileops_node> arguments;
    for (const Argument& a : n.arguments)
      arguments.push_back(a.of == Argument::Of::none   ? 0
                          : a.of == Argument::Of::node ? handles[static_cast<size_t>(a.node)]
                                                       : tileops_build_constant(b, NumberOf(a.number)));
    std::vector<tileops_attr> attrs = ToC(n.attrs);
    if (!n.row) {
      const DLDataType dl = Info(n.dtype).dl;
      attrs = {tileops_attr_i64(TILEOPS_ATTR_DTYPE, dl.code * 256 + dl.bits)};
      if (n.overflow >= 0) attrs.push_back(tileops_attr_i64(TILEOPS_ATTR_FP8_OVERFLOW, n.overflow));
    }
    handles.push_back(tileops_build_op(b, n.row ? n.row->op : TILEOPS_OP_CAST, arguments.data(), arguments.size(),
                                       attrs.data(), attrs.size()));
  }
  for (const int r : results) tileops_build_result(b, handles[static_cast<size_t>(r)], NodeName(*this, r).c_str());
  tileops_expr* expr = nullptr;
  if (tileops_builder_finish(b, &expr) != TILEOPS_STATUS_OK) ADD_FAILURE() << Text() << "\n" << tileops_last_error();
  tileops_builder_destroy(b);
  return expr;
}

Job Program::ToJob(const tileops_expr* expr) const {
  Job job;
  job.expr = expr;
  job.inputs = operands;
  for (size_t k = 0; k < results.size(); ++k) {
    Array out;
    out.dtype = result_dtypes[k];
    out.shape = nodes[static_cast<size_t>(results[k])].shape;
    job.outputs.push_back(out);
  }
  for (const Scalar0& s : scalars)
    job.scalars.push_back(s.integer ? tileops_number_i64(static_cast<int64_t>(s.value)) : tileops_number_f64(s.value));
  return job;
}

bool CallOf(const Program& program, const Node& node, Call* call) {
  call->row = node.row;
  call->attrs = node.attrs;
  call->inputs.clear();
  call->outputs.assign(1, Array{});
  bool tensor = false;
  Dt promoted = Dt::kBool;
  const auto is_free = [&](size_t k) {
    return node.row->inputs[k].fixed.empty() && !(node.row->rule == "masked_fill" && k == 2);
  };
  for (size_t k = 0; k < node.arguments.size(); ++k) {
    const Argument& a = node.arguments[k];
    Array operand;
    operand.present = a.of != Argument::Of::none;
    if (a.of == Argument::Of::node) {
      operand.dtype = program.nodes[static_cast<size_t>(a.node)].dtype;
      operand.shape = program.nodes[static_cast<size_t>(a.node)].shape;
      const bool accepted = node.row->inputs[k].fixed.empty() ? node.row->Accepts(operand.dtype)
                                                              : operand.dtype == node.row->inputs[k].fixed[0];
      if (!accepted) return false;
      if (node.row->rule == "masked_fill" && k == 2 && !operand.shape.empty()) return false;
      tensor = tensor || is_free(k);
    }
    call->inputs.push_back(operand);
  }
  if (!tensor) return false;
  // A number has the dtype of the tensors beside it, unless it is of a higher category.
  Call tensors = *call;
  for (size_t k = 0; k < node.arguments.size(); ++k)
    if (node.arguments[k].of == Argument::Of::number) tensors.inputs[k].present = false;
  Dt compute;
  if (!ComputeDtype(tensors, &promoted, &compute)) return false;
  for (size_t k = 0; k < node.arguments.size(); ++k) {
    if (node.arguments[k].of != Argument::Of::number) continue;
    const Number& n = node.arguments[k].number;
    Array& operand = call->inputs[k];
    operand.shape.clear();
    const Dt own = n.integer ? Dt::kI64 : Dt::kF32;
    operand.dtype = Rank(own) > Rank(promoted) ? own : promoted;
    if (!node.row->Accepts(operand.dtype)) return false;
    operand.bits = {
        Encode(n.integer ? Num::Integer(static_cast<Int128>(n.value)) : Num::Float(n.value), operand.dtype)};
    // A literal that its type does not hold is an error.
    if (n.integer && Decode(operand.dtype, operand.bits[0]).i != static_cast<Int128>(n.value) && IsInt(operand.dtype))
      return false;
  }
  while (!call->inputs.empty() && !call->inputs.back().present) call->inputs.pop_back();
  if (!DefaultOutput(call)) return false;
  // The label is settled. The value of a number is never rounded to a narrow dtype, unless it is compared: what that
  // does not hold is float32. Tensors of no dimensions would be promoted to that, where a number promotes none.
  const bool promotes = std::none_of(tensors.inputs.begin(), tensors.inputs.end(),
                                     [](const Array& a) { return a.present && !a.shape.empty(); });
  for (size_t k = 0; k < call->inputs.size(); ++k) {
    Array& operand = call->inputs[k];
    if (node.arguments[k].of != Argument::Of::number || !IsNarrow(operand.dtype)) continue;
    const double value = node.arguments[k].number.value;
    if (Decode(operand.dtype, operand.bits[0]).d == value) continue;
    if (promotes && node.row->category == "comparison") continue;
    if (promotes && node.row->name == "nextafter") return false;
    operand.dtype = Dt::kF32;
    operand.bits = {Encode(Num::Float(value), Dt::kF32)};
  }
  std::vector<Array> spread = call->inputs;
  if (node.row->rule == "masked_fill") spread.resize(2);
  return BroadcastShape(spread, &call->outputs[0].shape);
}

}  // namespace exprtest
