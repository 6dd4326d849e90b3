// SPDX-License-Identifier: Apache-2.0
// Tiles in the registers of several threads: who has which element, functors over them with operands that are the same
// along rows or columns, and reductions along rows. docs/device.md has examples.
#ifndef TILEOPS_DEVICE_TILE_H
#define TILEOPS_DEVICE_TILE_H

#include "dialect.h"
#if TILEOPS_DEVICE_CPLUSPLUS

#include "tile/apply.h"
#include "tile/layout.h"
#include "tile/own_layout.h"
#include "tile/reduce.h"

#endif

#endif
