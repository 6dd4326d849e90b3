// SPDX-License-Identifier: Apache-2.0
// C++17 over tileops.h: ownership, exceptions and tensors from pointers. Header only: it adds
// nothing to the library's ABI, and everything in it can be mixed with the C functions.
//
//   std::vector<float> x(n), y(n);
//   tileops::Plan gelu(tileops::op("gelu"), {tileops::View(x.data(), {n})},
//                      {tileops::View(y.data(), {n})}, {tileops::attr("approximate", 1)});
//   gelu.execute({tileops::View(x.data(), {n})}, {tileops::View(y.data(), {n})});
//
// Several operators at once are an expression, from a text or built with operators:
//
//   tileops::Expr expr("(g, u, r) -> silu(g) * u + r");
//   tileops::run(expr, {g, u, r}, {y});
//
// Shapes, operands, scalars and names come in braces, or from any range, array or string. Operands in a call are not
// copied; lists that are kept (Inputs, Outputs) copy views, not memory.
//
// Failures are thrown as tileops::Error, which carries the status and the library's message.
// Threads: as in tileops.h; an object of these classes is as shareable as the handle inside it.
#ifndef TILEOPS_TILEOPS_HPP
#define TILEOPS_TILEOPS_HPP

#include "tileops/hpp/arguments.hpp"
#include "tileops/hpp/builder.hpp"
#include "tileops/hpp/context.hpp"
#include "tileops/hpp/dims.hpp"
#include "tileops/hpp/dtype.hpp"
#include "tileops/hpp/error.hpp"
#include "tileops/hpp/expression.hpp"
#include "tileops/hpp/list.hpp"
#include "tileops/hpp/number.hpp"
#include "tileops/hpp/operands.hpp"
#include "tileops/hpp/operator.hpp"
#include "tileops/hpp/plan.hpp"
#include "tileops/hpp/rows.hpp"
#include "tileops/hpp/tensor.hpp"
#include "tileops/hpp/workspace.hpp"
#include "tileops/tileops.h"

#endif
