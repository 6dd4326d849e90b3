package tileops

import (
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// derive is a tensor over the same memory, and with the same owner, whose layout may be changed.
func (t *Tensor) derive(ndim int) *Tensor {
	d := *t
	d.layout = make([]int64, capi.Words+2*ndim)
	copy(d.layout, t.layout[:capi.Words])
	d.layout[capi.NDim] = int64(ndim)
	d.raw.Layout = &d.layout[0]
	return &d
}

// advance moves element 0, by a number of elements that stays within the memory.
func (t *Tensor) advance(elements int64) {
	offset := elements * int64(t.DType().Size())
	if t.raw.Data != nil {
		t.raw.Data = unsafe.Add(t.raw.Data, offset)
	} else if !t.spec {
		t.layout[capi.Address] += offset
	}
}

// Transpose is a view with the dimensions in the order of axes; without axes, in reverse.
func (t *Tensor) Transpose(axes ...int) (*Tensor, error) {
	if !t.valid() {
		return nil, closedError("Transpose", "tensor", -1)
	}
	if err := t.refuseOpen("Transpose"); err != nil {
		return nil, err
	}
	n := t.ndim()
	if axes == nil {
		for i := n - 1; i >= 0; i-- {
			axes = append(axes, i)
		}
	}
	if len(axes) != n {
		return nil, invalid("Transpose", "axes", -1, "wrong number (got %d, need %d)", len(axes), n)
	}
	d, seen := t.derive(n), make([]bool, n)
	for i, axis := range axes {
		if axis < 0 || axis >= n || seen[axis] {
			return nil, invalid("Transpose", "axes", i, "no permutation (got %v)", axes)
		}
		seen[axis] = true
		d.shape()[i], d.strides()[i] = t.shape()[axis], t.strides()[axis]
	}
	return d, nil
}

// Slice is a view of the indices start, start+step, ... before stop along an axis. With a negative
// step they go down, and stop may be -1.
func (t *Tensor) Slice(axis, start, stop, step int) (*Tensor, error) {
	if !t.valid() {
		return nil, closedError("Slice", "tensor", -1)
	}
	if err := t.refuseOpen("Slice"); err != nil {
		return nil, err
	}
	n := t.ndim()
	if axis < 0 || axis >= n {
		return nil, invalid("Slice", "axis", -1, "out of range (got %d, need less than %d)", axis, n)
	}
	extent, count := int(t.shape()[axis]), 0
	switch {
	case step > 0 && start >= 0 && start <= stop && stop <= extent:
		if start < stop {
			count = 1 + (stop-start-1)/step
		}
	case step < 0 && stop >= -1 && stop <= start && start < extent:
		if stop < start {
			count = 1 - (start-stop-1)/step
		}
	default:
		return nil, invalid("Slice", "range", -1, "not within the axis (got %d to %d by %d, need 0 to %d)",
			start, stop, step, extent)
	}
	d := t.derive(n)
	copy(d.layout, t.layout)
	d.shape()[axis] = int64(count)
	if count > 1 {
		d.strides()[axis] = t.strides()[axis] * int64(step)
	}
	if d.Len() > 0 {
		d.advance(int64(start) * t.strides()[axis])
	}
	return d, nil
}

// Expand is a view that repeats extents of 1, and adds dimensions in front, without memory of its
// own. As an input this needs no Expand: operands are broadcast anyway.
func (t *Tensor) Expand(shape ...int) (*Tensor, error) {
	if !t.valid() {
		return nil, closedError("Expand", "tensor", -1)
	}
	if err := t.refuseOpen("Expand"); err != nil {
		return nil, err
	}
	n, added := t.ndim(), len(shape)-t.ndim()
	if added < 0 || len(shape) > MaxNDim {
		return nil, invalid("Expand", "shape", -1, "wrong number of dimensions (got %d, need %d to %d)",
			len(shape), n, MaxNDim)
	}
	if _, err := elements("Expand", shape); err != nil {
		return nil, err
	}
	d := t.derive(len(shape))
	for i, extent := range shape {
		d.shape()[i] = int64(extent)
		if i < added {
			continue
		}
		if have := t.shape()[i-added]; have == int64(extent) {
			d.strides()[i] = t.strides()[i-added]
		} else if have != 1 {
			return nil, invalid("Expand", "shape", i, "only extents of 1 repeat (got %d for %d)", extent, have)
		}
	}
	return d, nil
}

// Data is the memory of a row-major tensor on the CPU as a slice. For a tensor that owns its memory
// the slice is valid until [Tensor.Close], and does not keep the tensor alive.
func Data[T Element](t *Tensor) ([]T, error) {
	if !t.valid() || t.owner != nil && t.owner.Closed() {
		return nil, closedError("Data", "tensor", -1)
	}
	if t.spec {
		return nil, withoutMemory("Data")
	}
	if got, need := DTypeOf[T](), t.DType(); got != need {
		return nil, invalid("Data", "T", -1, "wrong dtype (got %v, need %v)", got, need)
	}
	if t.Device() != CPU() {
		return nil, invalid("Data", "tensor", -1, "not in host memory (got %v); Context.Copy it first",
			t.Device())
	}
	if t.readOnly {
		return nil, invalid("Data", "tensor", -1, "read-only")
	}
	step := int64(1)
	for i := t.ndim() - 1; i >= 0; i-- {
		if t.shape()[i] != 1 && t.strides()[i] != step {
			return nil, invalid("Data", "tensor", -1, "not row-major (got strides %v for shape %v)", t.Strides(),
				t.Shape())
		}
		step *= t.shape()[i]
	}
	if t.raw.Data != nil {
		return unsafe.Slice((*T)(t.raw.Data), t.Len()), nil
	}
	if room := uint64(^uintptr(0) - t.Address()); uint64(t.Len()) > room/uint64(t.DType().Size()) {
		return nil, invalid("Data", "tensor", -1, "ends beyond all addresses (got %d elements at %#x)", t.Len(), t.Address())
	}
	return unsafe.Slice((*T)(capi.Foreign(t.Address())), t.Len()), nil
}
