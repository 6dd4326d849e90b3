// Open extents of a request, each of which is its own until the text has said which are equal.
#pragma once

#include "problem/problem.h"

namespace tileops {

// Makes those equal that the text makes equal, and gives results the extents that they have. Throws Error. Nothing
// where no extent is open.
void settle_open_extents(Request* request);

}  // namespace tileops
