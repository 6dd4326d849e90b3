//go:build race

package tileops

import (
	"runtime"
	"unsafe"
)

// annotate tells the race detector, which does not see what C does, that a call reads the inputs and
// writes the outputs: those elements that they have in slices of Go, and no others between them.
func annotate(outputs, inputs []*Tensor) {
	for _, t := range inputs {
		t.visit(func(p unsafe.Pointer, size int) { runtime.RaceReadRange(p, size) })
	}
	for _, t := range outputs {
		t.visit(func(p unsafe.Pointer, size int) { runtime.RaceWriteRange(p, size) })
	}
}

// visit calls f for pieces of memory without gaps that make up the tensor.
func (t *Tensor) visit(f func(p unsafe.Pointer, size int)) {
	if !t.valid() || t.raw.Data == nil || t.Len() == 0 {
		return
	}
	size := t.DType().Size()
	run, last := 1, t.ndim() // elements of a piece, and the dimensions outside of it
	for ; last > 0 && (t.shape()[last-1] == 1 || t.strides()[last-1] == int64(run)); last-- {
		run *= int(t.shape()[last-1])
	}
	var walk func(p unsafe.Pointer, axis int)
	walk = func(p unsafe.Pointer, axis int) {
		if axis == last {
			f(p, run*size)
			return
		}
		extent, stride := t.shape()[axis], t.strides()[axis]
		if stride == 0 {
			extent = 1 // the same memory again
		}
		for i := int64(0); i < extent; i++ {
			walk(unsafe.Add(p, i*stride*int64(size)), axis+1)
		}
	}
	walk(t.raw.Data, 0)
}
