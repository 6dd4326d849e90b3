// The Python types that are called: Expr, Operator and Plan.
#ifndef TILEOPS_PYTHON_FUNCTIONS_H
#define TILEOPS_PYTHON_FUNCTIONS_H

#include "python.h"

namespace tileops_python {

void add_functions(PyObject* module);

// An Operator or a named Expr; NULL without an exception: there is none of that name.
Owned function_named(const char* name);

}  // namespace tileops_python

#endif
