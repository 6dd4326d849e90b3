#include "expression.h"

#include <cstdlib>
#include <memory>
#include <random>
#include <sstream>

namespace exprtest {
namespace {

tileops_tensor_desc DescOf(const DLTensor* t) {
  tileops_tensor_desc d{};
  if (t) d = {t->dtype, t->ndim, t->shape, t->strides};
  return d;
}

}  // namespace

Expr::Expr(const std::string& text) {
  tileops_expr* made = nullptr;
  if (tileops_expr_parse(text.data(), text.size(), &made) != TILEOPS_STATUS_OK)
    ADD_FAILURE() << text << "\n" << tileops_last_error();
  handle_ = made;
}

std::string Expr::text() const {
  size_t size = 0;
  if (tileops_expr_text(handle_, nullptr, &size) != TILEOPS_STATUS_OK) return "";
  std::string text(size, '\0');
  tileops_expr_text(handle_, &text[0], &size);
  text.pop_back();  // NUL
  return text;
}

const tileops_expr* Gradient(const Expr& expr, const std::vector<int32_t>& operands) {
  tileops_expr* made = nullptr;
  if (tileops_expr_gradient(expr.get(), operands.data(), operands.size(), &made) != TILEOPS_STATUS_OK)
    ADD_FAILURE() << expr.text() << "\n" << tileops_last_error();
  return made;
}

bool InferOutputs(Job* job, size_t count) {
  std::vector<DLTensor> tensors;
  std::vector<tileops_tensor_desc> descs;
  for (const Array& a : job->inputs) {
    tileops_tensor_desc d{};
    if (a.present) d = {Info(a.dtype).dl, static_cast<int32_t>(a.shape.size()), a.shape.data(), nullptr};
    descs.push_back(d);
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = job->expr;
  desc.num_inputs = static_cast<int32_t>(descs.size());
  desc.inputs = descs.data();
  job->outputs.clear();
  for (size_t i = 0; i < count; ++i) {
    DLDataType dl;
    int32_t ndim;
    int64_t shape[TILEOPS_MAX_NDIM];
    if (tileops_plan_infer(&desc, i, &dl, &ndim, shape) != TILEOPS_STATUS_OK) {
      ADD_FAILURE() << tileops_last_error();
      return false;
    }
    Array out;
    for (Dt t : AllDtypes())
      if (Info(t).dl.code == dl.code && Info(t).dl.bits == dl.bits) out.dtype = t;
    out.shape.assign(shape, shape + ndim);
    job->outputs.push_back(out);
  }
  return true;
}

Results RunJob(const Target& target, const Job& job, const Placement& placement) {
  const std::string where = "on " + target.name + ", in place of " + std::to_string(placement.in_place);
  const Placed placed(target, job.inputs, job.outputs, placement);
  std::vector<tileops_tensor_desc> in, out;
  for (const DLTensor* t : placed.inputs()) in.push_back(DescOf(t));
  for (const DLTensor* t : placed.outputs()) out.push_back(DescOf(t));
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = target.device;
  desc.expr = job.expr;
  desc.flags = job.flags;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.inputs = in.data();
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.outputs = out.data();
  tileops_plan* plan = nullptr;
  tileops_status status = tileops_plan_create(target.context, &desc, &plan);
  if (status == TILEOPS_STATUS_OK) {
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.inputs = placed.inputs().data();
    args.num_inputs = static_cast<uint32_t>(in.size());
    args.outputs = placed.outputs().data();
    args.num_outputs = static_cast<uint32_t>(out.size());
    args.scalars = job.scalars.data();
    args.num_scalars = static_cast<uint32_t>(job.scalars.size());
    args.stream = target.stream;
    status = tileops_execute_with(plan, &args);
  }
  tileops_plan_destroy(plan);
  if (status != TILEOPS_STATUS_OK) {
    ADD_FAILURE() << where << "\n  " << tileops_last_error();
    return {};
  }
  placed.ExpectUnchanged(job.inputs, where);
  return placed.Read(where);
}

Results RunText(const std::string& text, const std::vector<Array>& inputs, const std::vector<tileops_number>& scalars) {
  const Expr expr(text);
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  if (!expr.get() || tileops_expr_describe(expr.get(), &info) != TILEOPS_STATUS_OK) return {};
  Job job;
  job.expr = expr.get();
  job.inputs = inputs;
  job.scalars = scalars;
  if (!InferOutputs(&job, static_cast<size_t>(info.num_results))) return {};
  return RunJob(Targets().front(), job);
}

bool SameBits(Dt dtype, uint64_t a, uint64_t b, bool nan_bits) {
  return a == b || (!nan_bits && IsFloat(dtype) && IsNanBits(dtype, a) && IsNanBits(dtype, b));
}

void ExpectSame(const std::vector<Array>& outputs, const Results& got, const Results& want, const std::string& what,
                bool nan_bits) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(got[k].size(), want[k].size()) << what;
    const Dt dtype = outputs[k].dtype;
    int wrong = 0;
    std::ostringstream text;
    for (size_t i = 0; i < got[k].size(); ++i) {
      if (SameBits(dtype, got[k][i], want[k][i], nan_bits) || wrong++ >= 4) continue;
      text << "\n  element " << i << ": got " << ToString(dtype, got[k][i]) << ", want " << ToString(dtype, want[k][i]);
    }
    EXPECT_EQ(wrong, 0) << what << "\n  result " << k << ", " << Info(dtype).name << text.str();
  }
}

Array Values(Dt dtype, const Shape& shape, const std::vector<double>& values) {
  Array a;
  a.dtype = dtype;
  a.shape = shape;
  for (int64_t i = 0; i < a.NumElements(); ++i)
    a.bits.push_back(Encode(Num::Float(values[static_cast<size_t>(i) % values.size()]), dtype));
  return a;
}

Array Random(Dt dtype, const Shape& shape, uint64_t seed, double lo, double hi) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(lo, hi);
  Array a;
  a.dtype = dtype;
  a.shape = shape;
  for (int64_t i = 0; i < a.NumElements(); ++i) a.bits.push_back(Encode(Num::Float(uniform(random)), dtype));
  return a;
}

bool Long() {
  static const bool is_long = std::getenv("TILEOPS_TEST_LONG") != nullptr;
  return is_long;
}

}  // namespace exprtest
