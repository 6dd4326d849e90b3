// Lists of arrays by one call.
#ifndef TILEOPS_PYTHON_FOREACH_H
#define TILEOPS_PYTHON_FOREACH_H

#include "program.h"
#include "python.h"

namespace tileops_python {

// Calls a program for each element of lists: operands and `out` are lists, or one operand for all. What differs in
// extents alone is one execute of the library.
Owned call_for_each(const Program& program, PyObject* const* arguments, size_t nargsf, PyObject* keywords);

}  // namespace tileops_python

#endif
