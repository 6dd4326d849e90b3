#include "nodes.h"

#include <string_view>

#include "arrays/dtypes.h"
#include "errors.h"

namespace tileops_python {
namespace {

Owned number(const tileops_number& n) {
  switch (n.kind) {
    case TILEOPS_NUMBER_F64: return Owned::of(PyFloat_FromDouble(n.value.f64));
    case TILEOPS_NUMBER_BOOL: return Owned::of(PyBool_FromLong(n.value.i64 != 0));
    default: return Owned::of(PyLong_FromLongLong(n.value.i64));
  }
}

// The axes of a set, from the end: (-1, -2); None for all of them.
Owned axes(int64_t set) {
  if ((set & 0xffffffff) == 0xffffffff) return Owned::share(Py_None);
  Owned list = Owned::of(PyList_New(0));
  for (int k = 0; k < TILEOPS_MAX_NDIM; ++k) {
    if (!(set >> k & 1)) continue;
    Owned axis = Owned::of(PyLong_FromLong(-1 - k));
    if (PyList_Append(list.get(), axis.get())) throw PythonError{};
  }
  return Owned::of(PyList_AsTuple(list.get()));
}

Owned choice(std::string_view choices, int64_t i) {
  for (; i > 0; --i) choices.remove_prefix(choices.find('|') + 1);
  choices = choices.substr(0, choices.find('|'));
  return Owned::of(PyUnicode_FromStringAndSize(choices.data(), static_cast<Py_ssize_t>(choices.size())));
}

Owned value(const tileops_attr& attr, const tileops_attr_info* info) {
  if (attr.key == TILEOPS_ATTR_AXES) return axes(attr.value.i64);
  if (attr.key == TILEOPS_ATTR_DTYPE) {
    const auto code = static_cast<uint8_t>(attr.value.i64 >> 8), bits = static_cast<uint8_t>(attr.value.i64 & 0xff);
    return Owned::of(PyUnicode_FromString(dtype_name({code, bits, 1})));
  }
  if (attr.kind == TILEOPS_ATTR_F64) return Owned::of(PyFloat_FromDouble(attr.value.f64));
  if (info && info->choices) return choice(info->choices, attr.value.i64);
  return Owned::of(PyLong_FromLongLong(attr.value.i64));
}

void put(Owned& dict, const char* name, const Owned& item) {
  if (PyDict_SetItemString(dict.get(), name, item.get())) throw PythonError{};
}

Owned function(const tileops_node_info& node) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  check(tileops_function_describe(node.function, &info));
  Owned arguments = Owned::of(PyList_New(0)), attributes = Owned::of(PyDict_New()), numbers = Owned::of(PyDict_New());
  for (int i = 0; i < node.num_arguments; ++i) {
    Owned place = Owned::of(PyLong_FromLong(node.arguments[i] - 1));
    if (i < info.max_inputs) {
      if (PyList_Append(arguments.get(), place.get())) throw PythonError{};
    } else if (node.arguments[i]) {
      put(numbers, info.attrs[i - info.max_inputs].name, place);
    }
  }
  for (int i = 0; i < node.num_attrs; ++i) {
    const tileops_attr& attr = node.attrs[i];
    const tileops_attr_info* known = nullptr;
    for (int k = 0; k < info.num_attrs; ++k)
      if (info.attrs[k].key == attr.key) known = &info.attrs[k];
    const char* name = attr.key == TILEOPS_ATTR_DTYPE ? "dtype" : known ? known->name : "axes";
    put(attributes, name, value(attr, known));
  }
  Owned tuple = Owned::of(PyList_AsTuple(arguments.get()));
  return Owned::of(Py_BuildValue("(sOOO)", info.name, tuple.get(), attributes.get(), numbers.get()));
}

Owned one(const tileops_node_info& node) {
  switch (node.kind) {
    case TILEOPS_NODE_OPERAND: return Owned::of(Py_BuildValue("(si)", "operand", node.index));
    case TILEOPS_NODE_SCALAR: return Owned::of(Py_BuildValue("(si)", "scalar", node.index));
    case TILEOPS_NODE_CONSTANT: return Owned::of(Py_BuildValue("(sO)", "constant", number(node.value).get()));
    default: return function(node);
  }
}

}  // namespace

Owned nodes_of(const Program& program) {
  const tileops_expr_info& info = program.expr_info();
  Owned nodes = Owned::of(PyTuple_New(info.num_listed_nodes)), results = Owned::of(PyTuple_New(info.num_results));
  for (int i = 0; i < info.num_listed_nodes; ++i) {
    tileops_node_info node = TILEOPS_NODE_INFO_INIT;
    check(tileops_expr_node(program.expr(), i + 1, &node), &program);
    if (PyTuple_SetItem(nodes.get(), i, one(node).release())) throw PythonError{};
  }
  for (int i = 0; i < info.num_results; ++i) {
    const tileops_node place = tileops_expr_result(program.expr(), static_cast<size_t>(i));
    if (PyTuple_SetItem(results.get(), i, PyLong_FromLong(place - 1))) throw PythonError{};
  }
  return Owned::of(PyTuple_Pack(2, nodes.get(), results.get()));
}

}  // namespace tileops_python
