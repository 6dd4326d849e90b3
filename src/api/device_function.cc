// Expressions as functions for CUDA code of the user's own.
#include <string>

#include "api/function_name.h"
#include "api/guard.h"
#include "api/handles.h"
#include "lower/lower.h"
#include "problem/request.h"
#ifdef TILEOPS_HAVE_CUDA
#include "cuda/spec/device_function.h"
#endif

namespace tileops::api {
namespace {

// The request of a descriptor without outputs has those that the expression gives by itself.
Request completed_request(tileops_plan_desc desc, const tileops_expr& expr) {
  tileops_tensor_desc outputs[kMaxOutputs];
  TensorSpec results[kMaxOutputs];
  int64_t shapes[kMaxOutputs][TILEOPS_MAX_NDIM];
  if (desc.num_outputs == 0) {
    const Request open = make_request(desc, Outputs::optional, expr.formula);
    const size_t count = expr.formula->num_results();
    for (size_t k = 0; k < count; ++k) {
      results[k] = infer_result(open, static_cast<int>(k));
      std::copy_n(results[k].shape, results[k].ndim, shapes[k]);
      outputs[k] = {dtype_to_dl(results[k].dtype), results[k].ndim, shapes[k], nullptr};
    }
    desc.num_outputs = static_cast<int32_t>(count);
    desc.outputs = outputs;
  }
  return make_request(desc, Outputs::needed, expr.formula);
}

#ifdef TILEOPS_HAVE_CUDA
std::string text_of_device_function(const Request& request, const tileops_expr& expr, const char* name,
                                    bool reproducible) {
  cuda::FunctionNames names{name, expr.graph->text, {}, {}, {}};
  for (const auto& o : expr.description.operands) names.operands.emplace_back(o.name);
  for (const auto& s : expr.description.scalars) names.scalars.emplace_back(s.name);
  for (const char* r : expr.description.results) names.results.emplace_back(r);
  return cuda::device_function(lower(request), names, reproducible);
}
#else
std::string text_of_device_function(const Request&, const tileops_expr&, const char*, bool) {
  unsupported("expr: this build of the library has no CUDA backend");
}
#endif

}  // namespace
}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_plan_device_function(const tileops_plan_desc* given, const char* name, char* buf, size_t* size) {
  return guard("tileops_plan_device_function", [&] {
    if (!given) invalid("desc: is NULL");
    if (!name) invalid("name: is NULL");
    if (!size) invalid("size: is NULL");
    require_function_name(name);
    const tileops_plan_desc desc = read_struct(given, "desc");
    if (!desc.expr) invalid("desc.expr: is NULL; operators are in tileops/device/cuda.h");
    const tileops_expr& expr = expr_of(desc.expr);
    const std::string text = text_of_device_function(completed_request(desc, expr), expr, name,
                                                     (desc.flags & TILEOPS_PLAN_REPRODUCIBLE) != 0);
    write_bytes(text.c_str(), text.size() + 1, buf, size);
  });
}
