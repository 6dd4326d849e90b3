#include "on_cuda.h"

#include "base/error.h"
#include "cuda/select/choose.h"
#include "expr/lower/formula.h"
#include "lower/lower.h"
#include "problem/layout.h"
#include "problem/request.h"

namespace rowtest {

std::string WhyNotOnCuda(const TextRun& run) {
  using namespace tileops;
  const auto descs_of = [](const std::vector<optest::Array>& arrays) {
    std::vector<tileops_tensor_desc> list;
    for (const optest::Array& a : arrays) {
      tileops_tensor_desc d{};
      if (a.present) d = {optest::Info(a.dtype).dl, static_cast<int32_t>(a.shape.size()), a.shape.data(), nullptr};
      list.push_back(d);
    }
    return list;
  };
  const std::vector<tileops_tensor_desc> inputs = descs_of(run.inputs()), outputs = descs_of(run.outputs());
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  desc.num_outputs = static_cast<int32_t>(outputs.size());
  desc.outputs = outputs.data();
  try {
    const Problem problem = lower(make_request(desc, Outputs::needed, expr::make_formula(expr::parse(run.text()))));
    for (size_t i = 0; i < problem.passes.size(); ++i)
      cuda::choose_pass(problem, i, make_layout(problem.passes[i]), {90, cuda::UseTables::yes, {}});
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

}  // namespace rowtest
