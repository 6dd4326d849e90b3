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

class Family;
class IgnoredExtents;
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

  tileops_plan* plan = nullptr;  // of an open one a reference for each of its entries
  bool is_open = false;
  DLDevice device = {kDLCPU, 0};
  int32_t num_extents = 0;  // that come with each execute, where the request has extents of TILEOPS_OPEN
  uint64_t workspace_bytes = 0, bytes_moved = 0;  // where all extents are known
  std::vector<Layout> results;
};

// Folders of prebuilt kernels, with ':' between them, that plans look in before the library's own; before the first
// plan.
void set_pack_dirs(const char* folders);

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

// The strides of a tensor; NULL where its elements lie row by row.
const int64_t* strides_of(const DLTensor& tensor);

// For the library; all 0 of what is absent.
tileops_tensor_desc describe(const DLTensor* tensor);

// All but the tensors, which the caller adds; without results.
tileops_plan_desc describe(const Program& program, const Request& request);

// That of all plans: the process's own, or, where there are folders of kernels, one that knows them. Lives as long as
// the process.
tileops_context* plan_context();

// Makes a plan, without looking for one that is there.
std::shared_ptr<const Entry> make_entry(const Program& program, const Request& request);

class PlanCache {
 public:
  PlanCache();
  ~PlanCache();
  // Which plan may serve a request: one for any batch, or none but for this request.
  enum class Wanted { kAny, kOwn };

  // The plan for a request, made if there is none. The reference holds as long as the caller keeps it.
  std::shared_ptr<const Entry> get(const Program& program, const Request& request, Wanted wanted = Wanted::kAny);

 private:
  // By a plan for more extents than the request's; NULL: it wants one of its own.
  std::shared_ptr<const Entry> of_families(const Program& program, const Request& request);
  // The family of a request; made if there is none.
  Family& family(const Request& request, const IgnoredExtents& ignored, int own_plans);

  // As many as a program in a loop over batch sizes may need; then all are dropped, and those in use made again by the
  // library's own cache, which is larger.
  static constexpr size_t kMost = 256;

  std::mutex mutex_;  // torch calls without the interpreter's lock
  std::map<std::string, std::shared_ptr<const Entry>, std::less<>> entries_;
  std::map<std::string, std::unique_ptr<Family>, std::less<>> families_;
  std::shared_ptr<const Entry> last_;
  std::string last_key_;
};

}  // namespace tileops_python

#endif
