/* What the files of the shim share. */
#ifndef TILEOPS_GO_SHIM_PARTS_H
#define TILEOPS_GO_SHIM_PARTS_H

#include "shim.h"

/* The result of a call that has just returned, with the message of a failure. */
tileops_go_result tileops_go_result_of(tileops_status status, void* value);

DLDevice tileops_go_device_of(const int64_t* layout);

/* Elements of 4 bits are counted in pairs here, of which each has a byte. */
static inline uint16_t tileops_go_lanes(int64_t bits) { return bits > 0 && bits < 8 ? (uint16_t)(8 / bits) : 1; }
DLDataType tileops_go_dtype_of(const int64_t* layout);

/* Fills a layout, less its strides, with what the library says of a result. */
void tileops_go_fill_layout(DLDataType dtype, DLDevice device, int32_t ndim, const int64_t* shape, int64_t* layout);

/* Fills `out`, which borrows the extents for the time of the call; the library only reads them. NULL
 * for an absent operand. */
DLTensor* tileops_go_tensor_of(const tileops_go_tensor* t, DLTensor* out);

/* The same without memory; dtype.bits is 0 for an absent operand. */
void tileops_go_describe(const tileops_go_tensor* t, tileops_tensor_desc* out);

#endif
