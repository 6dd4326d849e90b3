// Exceptions: the library's messages with the names of the caller's arguments.
#ifndef TILEOPS_PYTHON_ERRORS_H
#define TILEOPS_PYTHON_ERRORS_H

#include <tileops/tileops.h>

#include <string>
#include <string_view>

#include "python.h"

namespace tileops_python {

class Program;

// Makes the classes of exceptions and adds them to the module.
void add_errors(PyObject* module);

// libtileops.InvalidArgument, which is a ValueError, for what the binding itself refuses.
PyObject* invalid_argument();

// Throws a Failure with what the library said last on this thread. `program` names its operands; NULL: none is
// concerned. Needs nothing of Python, and so no interpreter's lock.
[[noreturn]] void fail(tileops_status status, const Program* program);

inline void check(tileops_status status, const Program* program = nullptr) {
  if (status != TILEOPS_STATUS_OK) fail(status, program);
}

// Raises a SyntaxError that shows the place in a text that was just refused.
[[noreturn]] void raise_syntax(tileops_status status, std::string_view text);

}  // namespace tileops_python

#endif
