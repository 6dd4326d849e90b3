// Bytes become calls of the builder of the C API, and what they build is planned and executed.
#pragma once

#include "case.h"

namespace fuzz {

// Aborts with a message if something is not as it must be. Returns whether a plan was executed.
bool expression(Bytes* bytes);

}  // namespace fuzz
