package tileops

import (
	"runtime"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// FromDLPack takes a DLManagedTensorVersioned* of another library. The tensor owns it until
// [Tensor.Close]; where FromDLPack fails, its deleter has run. What is marked read-only can be an
// input only.
func FromDLPack(managed unsafe.Pointer) (*Tensor, error) {
	if managed == nil {
		return nil, invalid("FromDLPack", "managed", -1, "null")
	}
	if err := ready(); err != nil {
		return nil, err
	}
	t, err := readManaged(managed)
	if err != nil {
		capi.ManagedDelete(managed)
		return nil, err
	}
	t.owner = owner.New(owner.Tensor, func() { capi.ManagedDelete(managed) })
	return t, nil
}

func readManaged(managed unsafe.Pointer) (*Tensor, error) {
	if major := capi.ManagedMajor(managed); major != 1 {
		return nil, invalid("FromDLPack", "managed", -1, "wrong version of DLPack (got %d, need 1)", major)
	}
	m := capi.ManagedRead(managed)
	if m.Layout == nil {
		return nil, invalid("FromDLPack", "managed", -1,
			"no shape, or too many dimensions (need at most %d)", MaxNDim)
	}
	t := &Tensor{layout: m.Layout, readOnly: m.ReadOnly}
	t.raw = capi.Tensor{Layout: &m.Layout[0]}
	if t.DType() == Invalid || !m.Known {
		return nil, invalid("FromDLPack", "managed", -1,
			"no dtype of the library (got code %d, %d bits, %d lanes)", m.Layout[capi.DTypeCode], m.Layout[capi.DTypeBits], m.Lanes)
	}
	if count, err := elements("FromDLPack", t.Shape()); err != nil {
		return nil, err
	} else if count > 0 && t.Address() == 0 {
		return nil, invalid("FromDLPack", "managed", -1, "no memory for %d elements", count)
	}
	return t, nil
}

// DLPack gives the tensor to another library, as a DLManagedTensorVersioned* with no copy: a slice
// stays pinned, and memory that the tensor owns stays there, until that library calls the deleter,
// on any thread. A pointer that nobody takes goes back by [ReleaseDLPack].
func (t *Tensor) DLPack() (unsafe.Pointer, error) {
	if !t.valid() {
		return nil, closedError("Tensor.DLPack", "tensor", -1)
	}
	if t.spec {
		return nil, withoutMemory("Tensor.DLPack")
	}
	if err := ready(); err != nil {
		return nil, err
	}
	var held [1]*owner.Owner
	n := 0
	if !hold(t, held[:], &n) {
		return nil, closedError("Tensor.DLPack", "tensor", -1)
	}
	var pin runtime.Pinner
	if t.raw.Data != nil {
		pinned(&pin, t.raw.Data)
	}
	free := func() {
		pin.Unpin()
		release(held[:n])
		owner.Count(owner.Export, -1)
	}
	owner.Count(owner.Export, 1)
	managed := capi.ManagedNew(t.raw, t.readOnly, free)
	if managed == nil {
		free()
		err := invalid("Tensor.DLPack", "tensor", -1, "out of memory")
		err.Status = StatusOutOfMemory
		return nil, err
	}
	return managed, nil
}

// pinned pins memory of Go. A slice may be over other memory, which stays where it is: Go before 1.22 panics for that.
func pinned(pin *runtime.Pinner, data unsafe.Pointer) {
	defer func() { _ = recover() }()
	pin.Pin(data)
}

// ReleaseDLPack calls the deleter of a DLManagedTensorVersioned*.
func ReleaseDLPack(managed unsafe.Pointer) {
	if managed != nil {
		capi.ManagedDelete(managed)
	}
}
