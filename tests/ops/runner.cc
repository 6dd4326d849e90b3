#include "runner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace optest {
namespace {

constexpr int kMostReports = 5;  // of one call

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string s = "(";
  for (size_t d = 0; d < shape.size(); ++d) s += (d ? ", " : "") + std::to_string(shape[d]);
  return s + ")";
}

std::string Describe(const Call& call, const Placement& placement) {
  std::ostringstream s;
  s << call.row->name;
  for (const Attr& a : call.attrs) s << " " << a.name << "=" << a.d;
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    const Array& a = call.inputs[k];
    if (!a.present) s << "\n  input " << k << ": absent";
    else
      s << "\n  input " << k << ": " << Info(a.dtype).name << " " << ShapeText(a.shape) << " "
        << LayoutName(At(placement.inputs, k));
  }
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    const Array& a = call.outputs[k];
    s << "\n  output " << k << ": " << Info(a.dtype).name << " " << ShapeText(a.shape) << " ";
    if (k == 0 && placement.in_place >= 0) s << "in place of input " << placement.in_place;
    else s << LayoutName(At(placement.outputs, k));
  }
  return s.str();
}

std::string IndexText(int64_t i, const std::vector<int64_t>& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = i % shape[d];
    i /= shape[d];
  }
  return ShapeText(index);
}

// Operands of element i, where that is easy to say.
std::string OperandText(const Call& call, int64_t i) {
  std::string s;
  for (const Array& a : call.inputs) {
    if (!a.present) continue;
    if (a.shape == call.outputs[0].shape) s += "  " + ToString(a.dtype, a.bits[static_cast<size_t>(i)]);
    else if (a.bits.size() == 1) s += "  " + ToString(a.dtype, a.bits[0]);
    else if (call.row->rule == "gated" && call.inputs.size() == 1) {
      const int64_t half = call.outputs[0].shape.back(), row = i / half * 2 * half + i % half;
      s += "  " + ToString(a.dtype, a.bits[static_cast<size_t>(row)]) + "  " +
           ToString(a.dtype, a.bits[static_cast<size_t>(row + half)]);
    } else s += "  ?";
  }
  return s;
}

}  // namespace

int64_t Scaled(int64_t n) {
  static const double scale = [] {
    const char* text = std::getenv("TILEOPS_TEST_SCALE");
    const double v = text ? std::atof(text) : 1.0;
    return v > 0 && v <= 1 ? v : 1.0;
  }();
  const int64_t scaled = static_cast<int64_t>(static_cast<double>(n) * scale);
  return scaled < 1 ? 1 : scaled;
}

bool Matches(const Expected& expected, const Want& want, Dt dtype, uint64_t got, double* ulp) {
  *ulp = 0;
  if (got == want.bits) return true;
  if (std::isinf(want.slack)) return true;
  *ulp = HUGE_VAL;
  if (expected.nan_bits || !IsFloat(dtype)) return false;
  if (IsNanBits(dtype, want.bits) || IsNanBits(dtype, got)) return IsNanBits(dtype, want.bits) && IsNanBits(dtype, got);
  const long double value = Decode(dtype, got).d;
  const long double error = std::fabs(value - want.exact);
  const long double unit = std::ldexp(1.0L, UlpExponent(expected.ulp_dtype, want.exact));
  *ulp = static_cast<double>(error / unit);
  if (expected.ulp == 0 && want.slack == 0) return false;
  if (!std::isfinite(value) || !std::isfinite(want.exact)) return false;
  if (value == 0 && Decode(dtype, want.bits).d == 0 && want.slack == 0) return false;  // the sign
  return error <= expected.ulp * unit + want.slack;
}

Results Execute(const Target& target, const Call& call, const Placement& placement) {
  const std::string where = "on " + target.name + ": " + Describe(call, placement);
  const Placed placed(target, call.inputs, call.outputs, placement);
  const auto& in = placed.inputs();
  const auto& out = placed.outputs();
  const std::vector<tileops_attr> attrs = ToC(call.attrs);

  // Operators without inputs learn the device from the output, hence plan_create_like.
  tileops_plan* plan = nullptr;
  tileops_status status = tileops_plan_create_like(target.context, call.row->op, in.data(), in.size(), out.data(),
                                                   out.size(), attrs.data(), attrs.size(), &plan);
  if (status == TILEOPS_STATUS_OK)
    status = tileops_execute(plan, in.data(), in.size(), out.data(), out.size(), target.stream);
  tileops_plan_destroy(plan);
  if (status != TILEOPS_STATUS_OK) {
    ADD_FAILURE() << where << "\n  " << tileops_last_error();
    return {};
  }
  placed.ExpectUnchanged(call.inputs, where, 4096);
  return placed.Read(where);
}

void CheckAgainst(const Call& call, const Placement& placement, const std::vector<Expected>& expected) {
  for (const Target& target : Targets()) {
    const auto results = Execute(target, call, placement);
    if (results.empty()) return;
    for (size_t k = 0; k < results.size(); ++k) {
      const Dt dtype = call.outputs[k].dtype;
      const auto& elements = expected[k].elements;
      ASSERT_EQ(results[k].size(), elements.size()) << Describe(call, placement);
      int64_t wrong = 0;
      std::ostringstream text;
      for (size_t i = 0; i < elements.size(); ++i) {
        double ulp;
        if (Matches(expected[k], elements[i], dtype, results[k][i], &ulp)) continue;
        if (wrong++ >= kMostReports) continue;
        const int64_t at = static_cast<int64_t>(i);
        text << "\n  [" << k << "] at " << IndexText(at, call.outputs[k].shape) << " of" << OperandText(call, at)
             << "\n      got  " << ToString(dtype, results[k][i]) << "\n      want "
             << ToString(dtype, elements[i].bits) << "  " << ulp << " ulp of " << Info(expected[k].ulp_dtype).name
             << ", at most " << expected[k].ulp;
      }
      if (wrong) {
        ADD_FAILURE() << "on " << target.name << ": " << Describe(call, placement) << "\n  " << wrong << " of "
                      << elements.size() << " elements are wrong:" << text.str();
      }
    }
  }
}

void Check(const Call& call, const Placement& placement) {
  std::vector<Expected> expected = Reference(call);
  // An operator that the oracle does not know is at least the same in every layout and on every
  // target: the reference is then its dense result on the plainest target.
  for (const Expected& e : expected) {
    for (const Want& w : e.elements) {
      if (w.known) continue;
      const auto dense = Execute(Targets().back(), call, Placement{});
      for (size_t k = 0; k < dense.size(); ++k) {
        expected[k].ulp = 0;
        for (size_t i = 0; i < dense[k].size(); ++i) {
          expected[k].elements[i] = Want{};
          expected[k].elements[i].bits = dense[k][i];
        }
      }
      return CheckAgainst(call, placement, expected);
    }
  }
  CheckAgainst(call, placement, expected);
}

Call OfEqualRows(Call call) {
  for (Array& a : call.inputs) {
    if (!a.present || a.shape.empty()) continue;
    for (size_t i = 0, row = static_cast<size_t>(a.shape.back()); i < a.bits.size(); ++i)
      a.bits[i] = a.bits[i - i % row];
  }
  return call;
}

}  // namespace optest
