// Element types by the names that Python's libraries give them.
#ifndef TILEOPS_PYTHON_DTYPES_H
#define TILEOPS_PYTHON_DTYPES_H

#include <tileops/tileops.h>

#include "python.h"

namespace tileops_python {

inline bool same(DLDataType a, DLDataType b) { return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes; }

// "float32" of the table; "?" for types that it has not.
const char* dtype_name(DLDataType type);

// By name ("float32") or label ("f32"); false for what the table has not.
bool dtype_named(const char* name, DLDataType* type);

// What a caller gives for a dtype: a string, or anything that is called so: numpy.float32, a numpy.dtype,
// torch.float32, ml_dtypes.bfloat16.
DLDataType dtype_from(PyObject* object);

// NumPy's dtype, of the package ml_dtypes where NumPy has none. Borrowed.
PyObject* numpy_dtype(DLDataType type);

// The element type of a numpy.dtype that NumPy itself knows only as bytes: one of ml_dtypes. False: it is none.
bool dtype_of_bytes(PyObject* numpy_dtype, DLDataType* type);

// The module numpy, which is imported when it is first needed. Borrowed.
PyObject* numpy();

}  // namespace tileops_python

#endif
