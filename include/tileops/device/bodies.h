// SPDX-License-Identifier: Apache-2.0
// All bodies.
#ifndef TILEOPS_DEVICE_BODIES_H
#define TILEOPS_DEVICE_BODIES_H

#include "body_list.h"
#include "math/common/policy.h"
#include "ops/activation.h"
#include "ops/binary_arith.h"
#include "ops/comparison.h"
#include "ops/functions.h"
#include "ops/position.h"
#include "ops/special.h"
#include "ops/unary_math.h"

#endif
