// Memory for results, of the library that the operands are of.
#ifndef TILEOPS_PYTHON_RESULTS_H
#define TILEOPS_PYTHON_RESULTS_H

#include <tileops/tileops.h>

#include "arrays/operands.h"
#include "plans.h"
#include "python.h"

namespace tileops_python {

// A result while it is computed.
struct Result {
  Owned object;     // what the caller gets, or what is handed over to their library when it is computed
  DLTensor tensor;  // row-major, as the plan has it
};

// Makes arrays like the first operand that is one; NumPy's where there is none.
class ResultMaker {
 public:
  // `example` may be NULL. `place` is for messages.
  ResultMaker(const ArrayType* type, PyObject* example, const char* function);

  Result make(const Layout& layout, DLDevice device) const;

  // The array of a result that is computed, or will be on `stream`.
  Owned finish(Result&& result, void* stream) const;

  // The current stream of the library that made the operands (torch, CuPy ..), if it tells that; else NULL.
  void* stream(DLDevice device) const;

 private:
  Way way_;
  const DLPackExchangeAPI* api_;
  const char* function_;
  Owned from_dlpack_;
};

// Memory of a GPU by the library that `example` is of, whose allocator does not give it to others before the stream has
// done its work; without an object where no memory is needed or that has no allocator.
Result device_memory(uint64_t bytes, DLDevice device, const ArrayType* type, PyObject* example, const char* function);

// Memory beside the operands, during one execute on an entry's device.
class Workspace {
 public:
  Workspace(const Entry& entry, uint64_t bytes, void* stream);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  bool own_ = false;                            // of the host, and freed at the end
  DLManagedTensorVersioned* device_ = nullptr;  // of another device
  void* stream_;
};

// The type of what hands a result over to another library.
void add_handover(PyObject* module);

}  // namespace tileops_python

#endif
