// The arguments of a call from Python.
#ifndef TILEOPS_PYTHON_ARGUMENTS_H
#define TILEOPS_PYTHON_ARGUMENTS_H

#include <tileops/tileops.h>

#include <vector>

#include "arrays/dtypes.h"
#include "errors.h"
#include "program.h"
#include "python.h"

namespace tileops_python {

// What a caller gave, by its places. Borrowed.
class Arguments {
 public:
  Arguments(const Program& program, PyObject* const* arguments, size_t nargsf, PyObject* keywords) : program_(program) {
    const auto given = static_cast<size_t>(PyVectorcall_NARGS(static_cast<size_t>(nargsf)));
    const size_t most = program.operands().size();
    if (given > most) raise(PyExc_TypeError, "%s: takes %zu operands (got %zu)", name(), most, given);
    for (size_t i = 0; i < given; ++i) set_operand(i, arguments[i]);
    const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t i = 0; i < named; ++i)
      set_named(PyTuple_GetItem(keywords, i), arguments[given + static_cast<size_t>(i)]);
    for (size_t i = 0; i < most; ++i)
      if (!operands[i] && !program.is_optional(i))
        raise(PyExc_TypeError, "%s: %s: is missing", name(), program.operands()[i].text.c_str());
    count = static_cast<int>(most);
    while (count > program.min_operands() && !operands[count - 1]) --count;
  }

  PyObject* operands[TILEOPS_MAX_EXPR_INPUTS] = {};
  int count = 0;  // of the operands; those behind are absent
  tileops_number scalars[TILEOPS_MAX_EXPR_SCALARS];
  int num_scalars = 0;
  tileops_attr attrs[TILEOPS_MAX_ATTRS];
  int num_attrs = 0;
  PyObject* out = nullptr;
  DLDataType dtype;
  bool has_dtype = false;
  int64_t shape[TILEOPS_MAX_NDIM];
  int ndim = -1;        // -1: none given
  int num_results = 0;  // 0: not said
  void* stream = nullptr;
  bool has_stream = false;

 private:
  const char* name() const { return program_.name().c_str(); }

  void set_operand(size_t i, PyObject* value) {
    if (value == Py_None) return;
    if (operands[i]) raise(PyExc_TypeError, "%s: %s: is given twice", name(), program_.operands()[i].text.c_str());
    // A bound of clamp, say, is an attribute where it is a number.
    if (!program_.expr() && (PyFloat_Check(value) || PyLong_Check(value) || PyUnicode_Check(value))) {
      for (size_t k = 0; k < program_.numbers().size(); ++k)
        if (program_.numbers()[k].object == program_.operands()[i].object) return set_attribute(k, value);
    }
    operands[i] = value;
  }

  void set_attribute(size_t i, PyObject* value) {
    if (value == Py_None) return;
    attrs[num_attrs++] = program_.attribute(i, value);
  }

  void set_scalar(size_t i, PyObject* value) {
    while (num_scalars <= static_cast<int>(i)) scalars[num_scalars++] = tileops_number{};
    if (!number_of(value, &scalars[i]))
      raise(PyExc_TypeError, "%s: %s: is a number (got %R)", name(), program_.numbers()[i].text.c_str(), value);
  }

  void set_named(PyObject* keyword, PyObject* value) {
    if (set_known(keyword, value)) return;
    Py_INCREF(keyword);  // the rare one that is not interned, of a call with **
    PyUnicode_InternInPlace(&keyword);
    const Owned name_of = Owned::of(keyword);
    if (!set_known(keyword, value)) raise(PyExc_TypeError, "%s: there is no argument %R", name(), keyword);
  }

  // An argument by its interned name; those of the program come before the binding's own.
  bool set_known(PyObject* keyword, PyObject* value) {
    static PyObject* const out_name = interned("out");
    static PyObject* const dtype_name = interned("dtype");
    static PyObject* const stream_name = interned("stream");
    static PyObject* const shape_name = interned("shape");
    static PyObject* const results_name = interned("results");
    const std::vector<Name>&operands = program_.operands(), &numbers = program_.numbers();
    for (size_t i = 0; i < operands.size(); ++i)
      if (operands[i].object == keyword) return set_operand(i, value), true;
    for (size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i].object == keyword) return program_.expr() ? set_scalar(i, value) : set_attribute(i, value), true;
    if (keyword == out_name) out = value == Py_None ? nullptr : value;
    else if (keyword == dtype_name) set_dtype(value);
    else if (keyword == stream_name) set_stream(value);
    else if (keyword == shape_name && program_.min_operands() == 0) set_shape(value);
    else if (keyword == results_name) set_results(value);
    else return false;
    return true;
  }

  void set_dtype(PyObject* value) {
    if (value == Py_None) return;
    dtype = dtype_from(value);
    has_dtype = true;
  }

  void set_stream(PyObject* value) {
    if (value == Py_None) return;
    stream = PyLong_AsVoidPtr(value);
    if (!stream && PyErr_Occurred()) throw PythonError{};
    has_stream = true;
  }

  void set_shape(PyObject* value) {
    if (value == Py_None) return;
    ndim = 0;
    const Py_ssize_t extents = PySequence_Size(value);
    if (extents < 0) throw PythonError{};
    if (extents > TILEOPS_MAX_NDIM) raise(invalid_argument(), "%s: shape: has more than 32 dimensions", name());
    for (; ndim < extents; ++ndim) {
      Owned item = Owned::of(PySequence_GetItem(value, ndim));
      shape[ndim] = PyLong_AsLongLong(item.get());
      if (shape[ndim] == -1 && PyErr_Occurred()) throw PythonError{};
    }
  }

  void set_results(PyObject* value) {
    num_results = static_cast<int>(PyLong_AsLong(value));
    if (PyErr_Occurred()) throw PythonError{};
    const int most = static_cast<int>(program_.results().size());
    if (num_results < program_.min_results() || num_results > most)
      raise(invalid_argument(), "%s: results: there are %d to %d (got %d)", name(), program_.min_results(), most,
            num_results);
  }

  const Program& program_;
};

}  // namespace tileops_python

#endif
