#include "cli/selftest/reference.h"

namespace tileops::cli {
namespace {

// Integers wrap to the dtype they are computed or stored in.
Real wrap(DLDataType dtype, Wide value) {
  if (dtype == kBool) return value != 0;
  const Wide modulus = Wide{1} << dtype.bits;
  Wide low = value & (modulus - 1);
  if (dtype.code == kDLInt && (low >> (dtype.bits - 1)) != 0) low -= modulus;
  return static_cast<Real>(low);
}

}  // namespace

size_t broadcast_index(const Shape& from, const Shape& result, size_t index) {
  int64_t rest = static_cast<int64_t>(index), at = 0, stride = 1;
  for (size_t k = 0; k < from.size(); ++k) {
    const int64_t extent = result[result.size() - 1 - k], mine = from[from.size() - 1 - k];
    if (mine != 1) at += rest % extent * stride;
    rest /= extent;
    stride *= mine;
  }
  return static_cast<size_t>(at);
}

std::vector<Cells> expected(const Reference& reference, const Problem& p) {
  if (reference.tensor != nullptr) return reference.tensor(p);
  Cells cells(static_cast<size_t>(num_elements(p.shape)));
  const bool integer = !is_float(p.compute);
  for (size_t index = 0; index < cells.size(); ++index) {
    Element e;
    for (size_t k = 0; k < p.inputs.size(); ++k) {
      if (!p.inputs[k]) continue;
      e.has[k] = true;
      e.x[k] = p.inputs[k]->values[broadcast_index(p.inputs[k]->shape, p.shape, index)];
      // Operands are converted to the compute type first (64-bit integers to float32, say).
      if (!integer) e.x[k] = rounded(p.compute, e.x[k]);
    }
    Cell& cell = cells[index];
    if (integer && reference.i != nullptr) {
      std::array<Wide, 4> wide{};
      for (size_t k = 0; k < wide.size(); ++k) wide[k] = static_cast<Wide>(e.x[k]);
      cell.value = wrap(p.compute, reference.i(wide, p));
    } else {
      cell = reference.f(e, p);
    }
    if (is_int(p.result) && integer) cell.value = wrap(p.result, static_cast<Wide>(cell.value));
  }
  return {cells};
}

}  // namespace tileops::cli
