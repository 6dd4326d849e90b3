// A call from Python: its arguments, memory for its results, the execute.
#ifndef TILEOPS_PYTHON_CALL_H
#define TILEOPS_PYTHON_CALL_H

#include <tileops/tileops.h>

#include <memory>

#include "plans.h"
#include "program.h"
#include "python.h"

namespace tileops_python {

// Calls a program with the arguments of a vectorcall. `fixed`: the plan, whose request the arguments have to fit; NULL:
// the one for these arguments.
Owned call(const Program& program, const Entry* fixed, PyObject* const* arguments, size_t nargsf, PyObject* keywords);

// The plan that such a call would have. `flags` of tileops_plan_desc.
std::shared_ptr<const Entry> plan_for(const Program& program, PyObject* const* arguments, size_t nargsf,
                                      PyObject* keywords, uint32_t flags);

}  // namespace tileops_python

#endif
