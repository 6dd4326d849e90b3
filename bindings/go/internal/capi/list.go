//go:build cgo

package capi

// #include "shim.h"
import "C"

import "unsafe"

func (i Items) list(scalars []Number) C.tileops_go_list {
	return C.tileops_go_list{C.size_t(i.Count), C.uint32_t(i.Outputs), C.uint32_t(i.Inputs), C.uint32_t(i.Extents),
		C.uint32_t(len(scalars))}
}

// ExecuteList runs a plan for all items. The layouts are those of all operands, one behind the other, with the addresses
// of memory that stays where it is; Absent is that of an absent one. The spaces are the bytes of each item's workspace,
// which lie one behind the other as well.
func ExecuteList(plan Plan, items Items, layouts []int64, spaces []uint64, scalars []Number, workspace, stream uintptr) *Failure {
	return failure(C.tileops_go_execute_list(C.uintptr_t(uintptr(plan)), (*C.int64_t)(unsafe.SliceData(layouts)),
		(*C.uint64_t)(unsafe.SliceData(spaces)), (*C.tileops_number)(unsafe.Pointer(unsafe.SliceData(scalars))),
		items.list(scalars), C.uintptr_t(workspace), C.uintptr_t(stream)))
}

// ExecuteListAddresses is ExecuteList on addresses of memory that is not Go's.
func ExecuteListAddresses(plan Plan, items Items, addresses []uintptr, extents []int64, spaces []uint64, scalars []Number,
	workspace, stream uintptr) *Failure {
	return failure(C.tileops_go_execute_list_addresses(C.uintptr_t(uintptr(plan)),
		(*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(addresses))), (*C.int64_t)(unsafe.SliceData(extents)),
		(*C.uint64_t)(unsafe.SliceData(spaces)), (*C.tileops_number)(unsafe.Pointer(unsafe.SliceData(scalars))),
		items.list(scalars), C.uintptr_t(workspace), C.uintptr_t(stream)))
}
