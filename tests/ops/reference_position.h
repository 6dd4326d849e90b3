// References of the operators whose values depend on where an element is.
#ifndef TILEOPS_TESTS_OPS_REFERENCE_POSITION_H_
#define TILEOPS_TESTS_OPS_REFERENCE_POSITION_H_

#include "reference.h"

namespace optest {

Expected Rope(const Call& call);
std::vector<Expected> Dropout(const Call& call);  // values, and the mask if it is asked for
Expected Alibi(const Call& call);
Expected Sinusoidal(const Call& call);

// Largest finite value of a float dtype.
double MaxFinite(Dt t);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_REFERENCE_POSITION_H_
