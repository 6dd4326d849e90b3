// Bodies of device/ops/functions.h, of which none has a form; one of them is made of dropout, which has.
#pragma once

#include "cpu/forms/position.h"
#include "tileops/device/ops/functions.h"
