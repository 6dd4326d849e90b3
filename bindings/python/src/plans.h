// Plans of one expression or operator, kept by what they were made for.
#ifndef TILEOPS_PYTHON_PLANS_H
#define TILEOPS_PYTHON_PLANS_H

#include <tileops/tileops.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "python.h"

namespace tileops_python {

class Program;

// A result before there is memory for it. Row-major.
struct Layout {
  DLDataType dtype = {};
  int32_t ndim = 0;
  int64_t shape[TILEOPS_MAX_NDIM] = {};
};

// Numbers as a tuple.
Owned tuple_of(const int64_t* values, int count);

// A plan and what a call has to know of it. Never changes, and has nothing of Python: it may end in a thread of
// torch's.
struct Entry {
  Entry() = default;
  Entry(const Entry&) = delete;
  ~Entry() { tileops_plan_destroy(plan); }

  tileops_plan* plan = nullptr;
  DLDevice device = {kDLCPU, 0};
  uint64_t workspace_bytes = 0;
  uint64_t bytes_moved = 0;
  std::vector<Layout> results;
};

// What a plan is made for.
struct Request {
  const DLTensor* const* inputs;  // NULL: absent
  int num_inputs;
  DLTensor* const* outputs;  // NULL: not given, made as the plan says
  int num_outputs;
  const tileops_attr* attrs = nullptr;
  int num_attrs = 0;
  uint32_t flags = 0;
  const DLDataType* dtype = nullptr;  // of the first result; NULL: what follows
  const int64_t* shape = nullptr;     // of the first result, where no operand says it
  int ndim = 0;

  // The device of the first tensor that does not lie in host memory; the CPU if all of them do.
  DLDevice device() const;
};

class PlanCache {
 public:
  // The plan for a request, made if there is none. The reference holds as long as the caller keeps it.
  std::shared_ptr<const Entry> get(const Program& program, const Request& request);

 private:
  // As many as a program in a loop over batch sizes may need; then all are dropped, and those in use made again by the
  // library's own cache, which is larger.
  static constexpr size_t kMost = 256;

  std::mutex mutex_;  // torch calls without the interpreter's lock
  std::map<std::string, std::shared_ptr<const Entry>, std::less<>> entries_;
  std::shared_ptr<const Entry> last_;
  std::string last_key_;
};

}  // namespace tileops_python

#endif
