// One execute of an expression on tensors in memory, with a workspace of the caller's where the plan needs one.
#ifndef TILEOPS_TESTS_ROWS_EXECUTE_H_
#define TILEOPS_TESTS_ROWS_EXECUTE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../ops/placed.h"

namespace rowtest {

struct PlanDeleter {
  void operator()(tileops_plan* plan) const { tileops_plan_destroy(plan); }
};
using Plan = std::unique_ptr<tileops_plan, PlanDeleter>;

// NULL, and the status with the library's words, if there is none.
struct Outcome {
  tileops_status status = TILEOPS_STATUS_OK;
  std::string why;
};
Plan MakePlan(const optest::Target& target, const tileops_expr* expr, const std::vector<const DLTensor*>& inputs,
              const std::vector<DLTensor*>& outputs, uint32_t flags, Outcome* outcome);

// For the extents that open ones have in these operands.
uint64_t WorkspaceBytes(const tileops_plan* plan, const std::vector<const DLTensor*>& inputs = {});

// The workspace has a pattern before, and so has the memory behind it, which must still be there afterwards.
Outcome Execute(const optest::Target& target, const tileops_plan* plan, const std::vector<const DLTensor*>& inputs,
                const std::vector<DLTensor*>& outputs, const std::vector<tileops_number>& scalars);

// All at once, by tileops_execute_list.
Outcome ExecuteList(const optest::Target& target, const tileops_plan* plan,
                    const std::vector<std::unique_ptr<optest::Placed>>& items,
                    const std::vector<tileops_number>& scalars);

// Runs work(part) once for each part, in the order and on the threads that it likes.
using Pool = std::function<void(uint32_t parts, const std::function<void(uint32_t)>& work)>;

// The same by tileops_execute_part, phase after phase.
Outcome ExecuteInParts(const optest::Target& target, const tileops_plan* plan,
                       const std::vector<const DLTensor*>& inputs, const std::vector<DLTensor*>& outputs,
                       const std::vector<tileops_number>& scalars, uint32_t parts, const Pool& pool);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_EXECUTE_H_
