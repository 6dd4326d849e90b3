#include "op/reduction.h"

#include <cstddef>

namespace tileops {

const char* reduction_name(Reduction r) {
  static constexpr const char* kNames[] = {"none",
                                           "sum",
                                           "prod",
                                           "amax",
                                           "amin",
                                           "any",
                                           "all",
                                           "argmax",
                                           "argmin",
                                           "first",
                                           "variance",
                                           "sum_high",
                                           "sum_low",
                                           "sum_pair",
                                           "squares_pair",
                                           "sum_of_pairs",
                                           "sum_wide",
                                           "sum_of_pairs_wide",
                                           "log_sum_exp",
                                           "log_sum_exp_above",
                                           "log_sum_exp_pair",
                                           "log_sum_exp_of_pairs"};
  return kNames[static_cast<size_t>(r)];
}

}  // namespace tileops
