#include "cuda/steps/type_names.h"

namespace tileops::cuda {

const char* compute_name(Ctype t) {
  static const char* const names[] = {
#define TILEOPS_CTYPE(id, type) #type,
#include <tileops/dtypes.def>
  };
  return names[static_cast<int>(t)];
}

const char* storage_name(Dtype dtype) {
  static const char* const names[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  #storage,
#include <tileops/dtypes.def>
  };
  return names[static_cast<int>(dtype)];
}

const char* destination_name(Dtype dtype, Fp8Mode mode) {
  static const char* const saturating_names[] = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  #saturating,
#include <tileops/dtypes.def>
  };
  return mode == Fp8Mode::saturate ? saturating_names[static_cast<int>(dtype)] : storage_name(dtype);
}

}  // namespace tileops::cuda
