//go:build cgo

package capi

// #include "shim.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// ManagedMajor is the major version of DLPack that a managed tensor follows; nothing else of it may
// be read unless that is 1.
func ManagedMajor(managed unsafe.Pointer) int { return int(C.tileops_go_managed_major(managed)) }

// ManagedRead reads a managed tensor of major version 1. Its layout is a copy, with strides; it is
// nil if the number of dimensions or a pointer makes no sense.
func ManagedRead(managed unsafe.Pointer) Managed {
	t := C.tileops_go_managed_tensor(managed)
	m := Managed{
		Lanes:    int(t.dtype.lanes),
		ReadOnly: C.tileops_go_managed_flags(managed)&C.DLPACK_FLAG_BITMASK_READ_ONLY != 0,
	}
	n := int(t.ndim)
	if n < 0 || n > MaxNDim || n > 0 && t.shape == nil {
		return m
	}
	m.Layout = make([]int64, Words+2*n)
	m.Layout[NDim] = int64(n)
	m.Layout[DTypeCode], m.Layout[DTypeBits] = int64(t.dtype.code), int64(t.dtype.bits)
	m.Layout[Address] = int64(uintptr(t.data) + uintptr(t.byte_offset))
	m.Layout[DeviceType], m.Layout[DeviceID] = int64(t.device.device_type), int64(t.device.device_id)
	shape, strides := m.Layout[Words:Words+n], m.Layout[Words+n:]
	for i, extent := range unsafe.Slice(t.shape, n) {
		shape[i] = int64(extent)
	}
	m.Known = m.Lanes == 1
	unit := int64(1)
	if t.dtype.bits == 4 { // counted in pairs here
		m.Known = n > 0 && (m.Lanes == 2 || m.Lanes == 1 && shape[n-1]%2 == 0)
		if m.Known && m.Lanes == 1 {
			unit = 2
			shape[n-1] /= unit
		}
	}
	if t.strides == nil { // row-major, before DLPack 1.2
		for i, step := n-1, int64(1); i >= 0; i-- {
			strides[i] = step
			step *= shape[i]
		}
		return m
	}
	for i, stride := range unsafe.Slice(t.strides, n) {
		if strides[i] = int64(stride); i < n-1 {
			strides[i] /= unit
		}
	}
	return m
}

// ManagedDelete calls the deleter, if there is one.
func ManagedDelete(managed unsafe.Pointer) { C.tileops_go_managed_delete(managed) }

// ManagedNew makes a managed tensor about t, whose memory stays where it is until the deleter, on
// any thread, calls release. It is nil if there is no memory.
func ManagedNew(t Tensor, readOnly bool, release func()) unsafe.Pointer {
	var flags C.uint64_t
	if readOnly {
		flags |= C.DLPACK_FLAG_BITMASK_READ_ONLY
	}
	owner := cgo.NewHandle(release)
	managed := C.tileops_go_managed_new(tensor(t), flags, C.uintptr_t(owner))
	if managed == nil {
		owner.Delete()
	}
	return managed
}

//export tileopsGoRelease
func tileopsGoRelease(owner C.uintptr_t) {
	handle := cgo.Handle(owner)
	release := handle.Value().(func())
	handle.Delete()
	release()
}
