#include "arrays/dtypes.h"

#include <cstring>
#include <iterator>
#include <string>

namespace tileops_python {
namespace {

struct Dtype {
  DLDataType type;
  const char* name;
  const char* label;
};

const Dtype table[] = {
#define TILEOPS_DTYPE(id, device, name, label, code, bits, lanes, ...) {{code, bits, 1}, name, label},
#include "tileops/dtypes.def"
};

const Dtype* find(DLDataType type) {
  for (const Dtype& row : table)
    if (row.type.code == type.code && row.type.bits == type.bits) return &row;
  return nullptr;
}

// What NumPy's own types are called, of those in the table; others are of ml_dtypes.
bool numpy_has(DLDataType type) {
  return type.code == kDLBool || type.code == kDLInt || type.code == kDLUInt ||
         (type.code == kDLFloat && type.bits >= 16);
}

}  // namespace

const char* dtype_name(DLDataType type) {
  const Dtype* row = find(type);
  return row ? row->name : "?";
}

bool dtype_named(const char* name, DLDataType* type) {
  for (const Dtype& row : table) {
    if (std::strcmp(row.name, name) == 0 || std::strcmp(row.label, name) == 0) {
      *type = row.type;
      return true;
    }
  }
  return false;
}

DLDataType dtype_from(PyObject* object) {
  Owned text;
  if (PyUnicode_Check(object)) {
    text = Owned::share(object);
  } else {
    for (const char* attribute : {"name", "__name__"}) {
      text = Owned();
      if (PyObject* found = PyObject_GetAttrString(object, attribute)) text = Owned::of(found);
      else PyErr_Clear();
      if (text && PyUnicode_Check(text.get())) break;
      text = Owned();
    }
    if (!text) text = Owned::of(PyObject_Str(object));
  }
  const char* name = utf8(text.get());
  const char* dot = std::strrchr(name, '.');  // torch.float32
  DLDataType type;
  if (!dtype_named(dot ? dot + 1 : name, &type)) raise(PyExc_TypeError, "dtype: there is no element type %R", object);
  return type;
}

PyObject* numpy() {
  static PyObject* module = nullptr;
  if (!module) module = Owned::of(PyImport_ImportModule("numpy")).release();
  return module;
}

PyObject* numpy_dtype(DLDataType type) {
  static PyObject* made[std::size(table)] = {};
  const Dtype* row = find(type);
  if (!row) raise(PyExc_TypeError, "NumPy has no dtype of code %d and %d bits", int{type.code}, int{type.bits});
  if (type.bits < 8) {  // two elements in a byte; that of ml_dtypes has one
    static PyObject* bytes = nullptr;
    if (!bytes) bytes = Owned::of(PyObject_CallMethod(numpy(), "dtype", "s", "uint8")).release();
    return bytes;
  }
  PyObject*& dtype = made[row - table];
  if (!dtype) {
    Owned of;
    if (numpy_has(type)) {
      of = Owned::of(PyUnicode_FromString(row->name));
    } else {
      PyObject* module = PyImport_ImportModule("ml_dtypes");
      if (!module) {
        PyErr_Clear();
        raise(PyExc_ImportError, "a NumPy array of %s needs the package ml_dtypes", row->name);
      }
      Owned package = Owned::of(module);
      of = Owned::of(PyObject_GetAttrString(package.get(), row->name));
    }
    dtype = Owned::of(PyObject_CallMethod(numpy(), "dtype", "O", of.get())).release();
  }
  return dtype;
}

bool dtype_of_bytes(PyObject* dtype, DLDataType* type) {
  static PyObject* last = nullptr;  // dtypes of ml_dtypes are single objects, and most arrays have the same one
  static DLDataType last_type;
  if (dtype == last) {
    *type = last_type;
    return true;
  }
  Owned name = Owned::of(PyObject_GetAttrString(dtype, "name"));
  if (!dtype_named(utf8(name.get()), type) || type->bits < 8) return false;
  Py_INCREF(dtype);
  Py_XDECREF(last);
  last = dtype;
  last_type = *type;
  return true;
}

}  // namespace tileops_python
