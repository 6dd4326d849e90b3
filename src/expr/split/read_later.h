// Results that may be written over an operand which a later pass reads.
#pragma once

#include "expr/split/needs.h"
#include "expr/split/split.h"

namespace tileops::expr {

// Moves them to `maps`, the passes that come last: such a result is stored when nothing reads the operand any more.
void move_what_is_read_later(const Request& request, const Inference& inference, const Needs& needs, Split* split,
                             std::vector<PassPlan>* maps);

}  // namespace tileops::expr
