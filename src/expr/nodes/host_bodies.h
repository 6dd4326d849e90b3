// The bodies of functions, for numbers.
#pragma once

#include <cstddef>

#include "expr/graph/function.h"
#include "expr/graph/number.h"
#include "tileops/device/body.h"

namespace tileops::expr {

using device::AttrValue;

// A body in f64, i64 or bool, of its attributes and of what its operands load.
using HostBody = Number (*)(const AttrValue* attrs, const Number* loads);

// The function's first one that fits. It takes as many loads as it has operands, at most `num_loads`.
HostBody body_on_host(const Function& f, Number::Type type, const device::BodyChoice& choice, size_t num_loads);

}  // namespace tileops::expr
