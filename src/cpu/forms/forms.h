// All forms: a translation unit that misses one would compile the same body otherwise than the next.
#pragma once

#include "cpu/forms/activation.h"
#include "cpu/forms/binary_arith.h"
#include "cpu/forms/position.h"
#include "cpu/forms/special.h"
#include "cpu/forms/unary_math.h"
