//go:build cgo

package capi

// #include "shim.h"
import "C"

import "unsafe"

// PlanExtent says where open extent i of a plan stands, and the most that it may be.
func PlanExtent(plan Plan, i int) (input, axis int, most int64, failed *Failure) {
	var n, d C.int32_t
	var bound C.int64_t
	f := failure(C.tileops_go_plan_extent((*C.tileops_plan)(plan), C.size_t(i), &n, &d, &bound))
	return int(n), int(d), int64(bound), f
}

// PlanAt says what an execute is at these extents.
func PlanAt(plan Plan, extents []int64) (PlanFacts, *Failure) {
	var c C.tileops_plan_facts
	f := failure(C.tileops_go_plan_at(C.uintptr_t(uintptr(plan)), (*C.int64_t)(unsafe.SliceData(extents)),
		C.size_t(len(extents)), &c))
	return PlanFacts{
		Phases: int(c.phases), Parts: int(c.parts), Way: int(c.way),
		WorkspaceBytes: uint64(c.workspace_bytes), BytesMoved: uint64(c.bytes_moved),
	}, f
}

// PlanResult gives the layout of a result at these extents, less its strides.
func PlanResult(plan Plan, extents []int64, output int) ([Words + MaxNDim]int64, *Failure) {
	var layout [Words + MaxNDim]int64
	f := failure(C.tileops_go_plan_result(C.uintptr_t(uintptr(plan)), (*C.int64_t)(unsafe.SliceData(extents)),
		C.size_t(len(extents)), C.size_t(output), (*C.int64_t)(&layout[0])))
	return layout, f
}

// ExecuteAddresses runs a plan on addresses of memory that is not Go's: those of so many outputs, then those of the inputs.
func ExecuteAddresses(plan Plan, outputs int, addresses []uintptr, extents []int64, scalars []Number, space Space,
	stream uintptr) *Failure {
	counts := C.tileops_go_counts{C.uint32_t(outputs), C.uint32_t(len(addresses) - outputs), C.uint32_t(len(extents)),
		C.uint32_t(len(scalars))}
	return failure(C.tileops_go_execute_addresses(C.uintptr_t(uintptr(plan)),
		(*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(addresses))), (*C.int64_t)(unsafe.SliceData(extents)),
		(*C.tileops_number)(unsafe.Pointer(unsafe.SliceData(scalars))), counts, C.uintptr_t(space.Address),
		C.uint64_t(space.Bytes), C.uintptr_t(stream)))
}
