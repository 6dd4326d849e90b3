#include "program.h"

#include <cstdio>
#include <cstring>

#include "errors.h"

namespace tileops_python {
namespace {

// A number as Python writes it.
std::string shown(double value) {
  Owned number = Owned::of(PyFloat_FromDouble(value));
  Owned text = Owned::of(PyObject_Repr(number.get()));
  return utf8(text.get());
}

std::string shown(const tileops_number& n) {
  return n.kind == TILEOPS_NUMBER_F64 ? shown(n.value.f64) : std::to_string(n.value.i64);
}

// The i-th name of "none|tanh"; "" behind the last.
std::string_view choice(std::string_view choices, int64_t i) {
  for (; i > 0; --i) {
    const size_t bar = choices.find('|');
    if (bar == std::string_view::npos) return {};
    choices.remove_prefix(bar + 1);
  }
  return choices.substr(0, choices.find('|'));
}

std::string shown_default(const tileops_attr_info& attribute) {
  if (!attribute.has_default) return "None";
  if (attribute.choices) return "'" + std::string(choice(attribute.choices, attribute.default_value.i64)) + "'";
  return attribute.kind == TILEOPS_ATTR_F64 ? shown(attribute.default_value.f64)
                                            : std::to_string(attribute.default_value.i64);
}

// Does a result keep elements that are not stored?
bool stores_parts_of(const tileops_expr* expr, const tileops_expr_info& info) {
  for (tileops_node node = 1; node <= info.num_listed_nodes; ++node) {
    tileops_node_info read = TILEOPS_NODE_INFO_INIT;
    check(tileops_expr_node(expr, node, &read));
    if (read.function == TILEOPS_OP_SCATTER || read.function == TILEOPS_OP_STORE_IF) return true;
  }
  return false;
}

}  // namespace

std::string text_of(const tileops_expr* expr) {
  size_t size = 0;
  check(tileops_expr_text(expr, nullptr, &size));
  std::string text(size, '\0');
  check(tileops_expr_text(expr, text.data(), &size));
  text.resize(size - 1);
  return text;
}

bool number_of(PyObject* value, tileops_number* number) {
  if (PyBool_Check(value)) {
    *number = tileops_number_bool(value == Py_True);
    return true;
  }
  if (PyFloat_Check(value)) {
    *number = tileops_number_f64(PyFloat_AsDouble(value));
    return true;
  }
  if (PyIndex_Check(value)) {  // also NumPy's integers
    Owned integer = Owned::of(PyNumber_Index(value));
    *number = tileops_number_i64(PyLong_AsLongLong(integer.get()));
    if (number->value.i64 == -1 && PyErr_Occurred()) throw PythonError{};
    return true;
  }
  const double real = PyFloat_AsDouble(value);
  if (real == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return false;
  }
  *number = tileops_number_f64(real);
  return true;
}

std::shared_ptr<Program> Program::parse(std::string_view text) {
  tileops_expr* expr = nullptr;
  if (const tileops_status status = tileops_expr_parse(text.data(), text.size(), &expr)) raise_syntax(status, text);
  return of_expr(expr, "expr", "");
}

std::shared_ptr<Program> Program::of_expr(const tileops_expr* owned, std::string name, std::string doc) {
  std::shared_ptr<Program> made(new Program);
  made->expr_ = owned;
  made->name_ = std::move(name);
  made->doc_ = std::move(doc);
  tileops_expr_info& info = made->expr_info_;
  check(tileops_expr_describe(owned, &info));
  for (int i = 0; i < info.num_operands; ++i) made->operands_.emplace_back(info.operands[i].name);
  for (int i = 0; i < info.num_scalars; ++i) made->numbers_.emplace_back(info.scalars[i].name);
  for (int i = 0; i < info.num_results; ++i) made->results_.emplace_back(info.results[i]);
  made->min_operands_ = info.min_operands;
  made->min_results_ = info.num_results;
  made->stores_parts_ = stores_parts_of(owned, info);
  if (made->doc_.empty()) made->doc_ = text_of(owned);
  return made;
}

std::shared_ptr<Program> Program::of_operator(tileops_op op) {
  std::shared_ptr<Program> made(new Program);
  tileops_op_info& info = made->info_;
  check(tileops_op_describe(op, &info));
  made->name_ = info.name;
  made->doc_ = std::string(info.doc) + ".\n\n" + info.details;
  for (int i = 0; i < info.max_inputs; ++i) made->operands_.emplace_back(info.inputs[i].name);
  for (int i = 0; i < info.num_attrs; ++i) made->numbers_.emplace_back(info.attrs[i].name);
  for (int i = 0; i < info.max_outputs; ++i) made->results_.emplace_back(info.outputs[i].name);
  made->min_operands_ = info.min_inputs;
  made->min_results_ = info.min_outputs;
  return made;
}

Program::~Program() { tileops_expr_destroy(expr_); }

bool Program::is_optional(size_t operand) const {
  return expr_ ? expr_info_.operands[operand].optional : info_.inputs[operand].optional;
}

tileops_attr Program::attribute(size_t i, PyObject* value) const {
  const tileops_attr_info& info = info_.attrs[i];
  if (PyUnicode_Check(value)) {
    if (!info.choices) raise(PyExc_TypeError, "%s: %s: is a number (got %R)", name_.c_str(), info.name, value);
    const std::string_view given = utf8(value);
    for (int64_t k = 0; !choice(info.choices, k).empty(); ++k)
      if (choice(info.choices, k) == given) return tileops_attr_i64(info.key, k);
    raise(invalid_argument(), "%s: %s: is one of %s (got %R)", name_.c_str(), info.name, info.choices, value);
  }
  tileops_number number;
  if (!number_of(value, &number))
    raise(PyExc_TypeError, "%s: %s: is a number (got %R)", name_.c_str(), info.name, value);
  return number.kind == TILEOPS_NUMBER_F64 ? tileops_attr_f64(info.key, number.value.f64)
                                           : tileops_attr_i64(info.key, number.value.i64);
}

std::string Program::signature() const {
  std::string s = name_ + "(";
  for (size_t i = 0; i < operands_.size(); ++i)
    s += (i ? ", " : "") + operands_[i].text + (is_optional(i) ? "=None" : "");
  s += operands_.empty() ? "*" : ", *";
  for (size_t i = 0; i < numbers_.size(); ++i) {
    bool operand = false;  // clamp's bounds are both: one parameter
    for (const Name& name : operands_) operand |= name.text == numbers_[i].text;
    if (operand) continue;
    s += ", " + numbers_[i].text + "=";
    s += expr_ ? shown(expr_info_.scalars[i].default_value) : shown_default(info_.attrs[i]);
  }
  if (!expr_ && min_operands_ == 0) s += ", shape=None";
  if (static_cast<int>(results_.size()) > min_results_) s += ", results=" + std::to_string(min_results_);
  return s + ", out=None, dtype=None, stream=None)";
}

}  // namespace tileops_python
