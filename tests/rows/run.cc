#include "run.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "../ops/placed.h"
#include "execute.h"

namespace rowtest {
namespace {

using optest::Array;
using optest::Dt;
using tileops::expr::Number;

constexpr size_t kMostLookedAt = 100000;  // elements of operands that must be as before

tileops_number ToC(const Number& n) {
  return n.type == Number::Type::f64 ? tileops_number_f64(n.f64) : tileops_number_i64(n.i64);
}

std::string Text(const tileops_expr* expr) {
  size_t size = 0;
  if (tileops_expr_text(expr, nullptr, &size) != TILEOPS_STATUS_OK) return "";
  std::string text(size, '\0');
  tileops_expr_text(expr, text.data(), &size);
  text.pop_back();  // NUL
  return text;
}

tileops_tensor_desc DescOf(const Array& a) {
  return {optest::Info(a.dtype).dl, static_cast<int32_t>(a.shape.size()), a.shape.data(), nullptr};
}

}  // namespace

bool DtOf(Dtype dtype, Dt* out) {
  const DLDataType dl = tileops::dtype_to_dl(dtype);
  for (int t = 0; t < optest::kNumDt; ++t) {
    *out = static_cast<Dt>(t);
    if (optest::Info(*out).dl.code == dl.code && optest::Info(*out).dl.bits == dl.bits) return true;
  }
  return false;
}

Array ToArray(const Tensor& t) {
  Array a;
  DtOf(t.dtype, &a.dtype);
  a.shape = t.shape;
  for (Real v : t.values) a.bits.push_back(Code(t.dtype, v));
  return a;
}

tileops_expr* GradientOf(const std::string& text, const std::vector<int32_t>& with_respect_to, std::string* why) {
  tileops_expr *expr = nullptr, *gradient = nullptr;
  tileops_status status = tileops_expr_parse(text.data(), text.size(), &expr);
  if (status == TILEOPS_STATUS_OK)
    status = tileops_expr_gradient(expr, with_respect_to.data(), with_respect_to.size(), &gradient);
  if (status != TILEOPS_STATUS_OK) *why = tileops_last_error();
  tileops_expr_destroy(expr);
  return gradient;
}

TextRun::TextRun(const std::string& text, const std::vector<Tensor>& operands,
                 const std::map<std::string, Number>& scalars, const std::vector<Tensor>& outputs)
    : text_(text), operands_(operands) {
  const tileops_status status = tileops_expr_parse(text.data(), text.size(), &expr_);
  if (status != TILEOPS_STATUS_OK) {
    Stop(status, "parse");
    return;
  }
  const std::shared_ptr<const tileops::expr::Graph> graph = tileops::expr::parse(text);
  for (const tileops::expr::Scalar& s : graph->scalars) {
    const auto given = scalars.find(s.name);
    scalars_.push_back(given == scalars.end() ? s.value : given->second);
  }
  Prepare(outputs);
}

TextRun::TextRun(const tileops_expr* expr, const std::vector<Tensor>& operands,
                 const std::vector<tileops_number>& scalars)
    : text_(Text(expr)), operands_(operands), expr_(const_cast<tileops_expr*>(expr)) {
  job_.scalars = scalars;
  Prepare({});
}

void TextRun::Stop(tileops_status status, const std::string& what) {
  why_ = what + ": " + tileops_last_error();
  state_ = status == TILEOPS_STATUS_UNSUPPORTED ? State::not_yet : State::refused;
}

void TextRun::Prepare(const std::vector<Tensor>& outputs) {
  job_.expr = expr_;
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  if (tileops_expr_describe(expr_, &info) == TILEOPS_STATUS_OK && operands_.empty() && info.min_operands > 0) {
    state_ = State::not_yet;
    why_ = "the library does not have the dtype of an operand";
    return;
  }
  for (const Tensor& t : operands_) {
    job_.inputs.push_back(ToArray(t));
    Dt dtype;
    if (DtOf(t.dtype, &dtype)) continue;
    state_ = State::not_yet;
    why_ = "the tests do not have the dtype of an operand";
    return;
  }
  for (const Number& n : scalars_) job_.scalars.push_back(ToC(n));
  for (const Tensor& t : outputs) job_.outputs.push_back(ToArray(t));
  before_ = outputs;
  const tileops_status status = Infer();
  if (status != TILEOPS_STATUS_OK) Stop(status, "plan");
}

// Finds dtypes and shapes of the outputs and asks whether there would be a plan.
tileops_status TextRun::Infer() {
  std::vector<tileops_tensor_desc> in, out;
  for (const Array& a : job_.inputs) in.push_back(DescOf(a));
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr_;
  desc.device = Targets().front().device;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.inputs = in.data();
  tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
  tileops_status status = tileops_expr_describe(expr_, &info);
  for (size_t i = 0; status == TILEOPS_STATUS_OK && before_.empty() && i < static_cast<size_t>(info.num_results); ++i) {
    DLDataType dl;
    int32_t ndim;
    int64_t shape[TILEOPS_MAX_NDIM];
    status = tileops_plan_infer(&desc, i, &dl, &ndim, shape);
    if (status != TILEOPS_STATUS_OK) break;
    Dtype dtype;
    Array a;
    tileops::dtype_from_dl(dl, &dtype);
    if (!DtOf(dtype, &a.dtype)) return TILEOPS_STATUS_UNSUPPORTED;
    a.shape.assign(shape, shape + ndim);
    job_.outputs.push_back(a);
  }
  if (status != TILEOPS_STATUS_OK) return status;
  for (const Array& a : job_.outputs) out.push_back(DescOf(a));
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.outputs = out.data();
  return tileops_plan_check(Targets().front().context, &desc);
}

std::vector<Tensor> TextRun::Expected() const {
  return Evaluate(InferText(text_, operands_), operands_, scalars_, before_);
}

Results TextRun::On(const Target& target, const Placement& placement, uint32_t flags) const {
  const std::string where = text_ + "\n  on " + target.name;
  const optest::Placed placed(target, job_.inputs, job_.outputs, placement);
  Outcome outcome;
  const Plan plan = MakePlan(target, expr_, placed.inputs(), placed.outputs(), flags, &outcome);
  if (plan) outcome = Execute(target, plan.get(), placed.inputs(), placed.outputs(), job_.scalars);
  if (outcome.status != TILEOPS_STATUS_OK) {
    ADD_FAILURE() << where << "\n  " << outcome.why;
    return {};
  }
  Results results = placed.Read(where);
  placed.ExpectUnchanged(job_.inputs, where, kMostLookedAt);
  return results;
}

Comparison Compare(const Tensor& want, Dt dt, const std::vector<uint64_t>& got) {
  Comparison c;
  Dtype dtype = Dtype::f32;
  tileops::dtype_from_dl(optest::Info(dt).dl, &dtype);
  c.elements = got.size();
  for (size_t i = 0; i < got.size(); ++i) {
    const Real value = want.values[i], error = want.errors[i], have = Decode(dtype, got[i]);
    if (std::isinf(error)) {
      ++c.unknown;
      continue;
    }
    const Real exact = Rounded(dtype, value), least = Rounded(dtype, value - error),
               most = Rounded(dtype, value + error);
    const bool equal = have == exact || (std::isnan(have) && std::isnan(exact));
    c.other_codes += !equal;
    if (std::isfinite(have) && std::isfinite(value))
      c.worst = std::max(c.worst, std::fabs(have - value) / UlpOf(dtype, value));
    if (equal || (have >= least && have <= most)) continue;
    if (c.wrong++ > 0) continue;
    std::ostringstream text;
    text.precision(12);
    text << "element " << i << ": got " << have << ", want " << value << " within " << error << " (" << least << " to "
         << most << ")";
    c.first_wrong = text.str();
  }
  return c;
}

void ExpectClose(const std::vector<Tensor>& want, const std::vector<Array>& outputs, const Results& got,
                 const std::string& what, size_t unknown_one_in) {
  ASSERT_EQ(want.size(), got.size()) << what;
  for (size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(want[k].shape, outputs[k].shape) << what << ", result " << k;
    ASSERT_EQ(want[k].values.size(), got[k].size()) << what << ", result " << k;
    const Comparison c = Compare(want[k], outputs[k].dtype, got[k]);
    EXPECT_EQ(c.wrong, 0u) << what << ", result " << k << " of " << optest::Info(outputs[k].dtype).name << ", "
                           << c.elements << " elements, " << c.worst << " ulp at worst\n  " << c.first_wrong;
    EXPECT_LE(c.unknown, c.elements / unknown_one_in) << what << ", result " << k << ": too few elements are known";
    if (optest::Info(outputs[k].dtype).size == 1) {
      EXPECT_LE(c.other_codes, 1 + c.elements / 125) << what << ", result " << k << ": too many codes are others";
    }
  }
}

}  // namespace rowtest
