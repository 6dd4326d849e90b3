// A call from Python: its arguments, memory for its results, the execute.
#ifndef TILEOPS_PYTHON_CALL_H
#define TILEOPS_PYTHON_CALL_H

#include <tileops/tileops.h>

#include <memory>

#include "plans.h"
#include "program.h"
#include "python.h"

namespace tileops_python {

// Calls that move less keep the interpreter's lock: to let it go and take it again costs as much as some thousand
// bytes.
constexpr uint64_t kLockedBytes = 256 << 10;

// Calls a program with the arguments of a vectorcall. `fixed`: the plan, whose request the arguments have to fit; NULL:
// the one for these arguments.
Owned call(const Program& program, const Entry* fixed, PyObject* const* arguments, size_t nargsf, PyObject* keywords);

// The plan that such a call would have. `flags` of tileops_plan_desc.
std::shared_ptr<const Entry> plan_for(const Program& program, PyObject* const* arguments, size_t nargsf,
                                      PyObject* keywords, uint32_t flags);

// The plan for a request, of those that the program keeps.
std::shared_ptr<const Entry> entry_of(const Program& program, const Request& request,
                                      PlanCache::Wanted wanted = PlanCache::Wanted::kAny);

}  // namespace tileops_python

#endif
