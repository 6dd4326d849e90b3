#include "cli/selftest/outcome.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/dtype.h"

namespace tileops::cli {
namespace {

std::string value_text(Real value) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.9Lg", value);
  return text;
}

// Distance in ulp; infinity for a wrong kind of value.
double error_in_ulps(const Cell& want, Real got, DLDataType dtype, Fp8Overflow overflow) {
  if (want.skip) return 0;
  const Real nearest = rounded(dtype, want.value, overflow);
  if (std::isnan(nearest)) return std::isnan(got) ? 0 : INFINITY;
  if (got == nearest) {
    const bool sign = std::signbit(got) == std::signbit(nearest);
    if (got == 0 && is_float(dtype) && !sign && !want.any_zero) return INFINITY;
    if (!std::isfinite(want.value) || !is_float(dtype)) return 0;
  } else if (!is_float(dtype) || !std::isfinite(got) || !std::isfinite(nearest)) {
    return INFINITY;
  }
  if (std::isinf(got)) return 0;
  // A value that saturated is right, however far it is from the exact one.
  if (got == nearest && dtype.bits == 8 && std::fabs(want.value) > std::fabs(got)) return 0.5;
  const Real scale = std::max(std::fabs(want.value), want.scale);
  const Real error = std::max(std::fabs(got - want.value) - want.slack, Real{0});
  return static_cast<double>(error / ulp(dtype, scale));
}

double bound(const Reference& reference, DLDataType dtype) {
  if (!is_float(dtype)) return 0;
  const double wide = std::max(reference.ulp, 0.5);
  if (dtype == kF32 || dtype == kF64) return wide + 1e-9;
  return 0.5 + 0.001 * wide;  // computed in float32, rounded once
}

}  // namespace

void compare(const Problem& p, const Reference& reference, const Cells& want, const std::vector<unsigned char>& bytes,
             DLDataType dtype, const std::string& what, Outcome* outcome) {
  const std::string name = "fp8_overflow";
  Fp8Overflow overflow = Fp8Overflow::kDefault;
  if (p.attrs.has(name)) {
    overflow = p.attrs.integer(name) == 0 ? Fp8Overflow::kSaturate : Fp8Overflow::kNonsaturating;
  }
  size_t wrong = 0, worst = 0;
  double worst_error = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    const Real got = decode(dtype, &bytes[i * static_cast<size_t>(item_size(dtype))]);
    const double error = error_in_ulps(want[i], got, dtype, overflow);
    if (error <= bound(reference, dtype)) {
      outcome->max_ulp = std::max(outcome->max_ulp, error);
      continue;
    }
    ++wrong;
    if (error > worst_error) {
      worst_error = error;
      worst = i;
    }
  }
  if (wrong != 0) {
    const Real got = decode(dtype, &bytes[worst * static_cast<size_t>(item_size(dtype))]);
    std::string text = what + ": " + std::to_string(wrong) + " wrong, worst at " + std::to_string(worst) + ": got " +
                       value_text(got) + ", want " + value_text(want[worst].value);
    if (std::isfinite(worst_error)) text += " (" + value_text(worst_error) + " ulp)";
    for (const auto& input : p.inputs) {
      if (input && num_elements(input->shape) != 0 && input->shape.size() <= p.shape.size() &&
          (input->shape == p.shape || reference.tensor == nullptr)) {
        text += ", x " + value_text(input->values[broadcast_index(input->shape, p.shape, worst)]);
      }
    }
    outcome->failures.push_back(text);
  }
  outcome->elements += want.size();
}

}  // namespace tileops::cli
