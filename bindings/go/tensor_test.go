package tileops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

func count(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// elements reads a tensor through the library, in row-major order.
func elements(t *testing.T, x *tileops.Tensor) []int32 {
	t.Helper()
	y := make([]int32, x.Len())
	shape := x.Shape()
	if err := tileops.Cast(tileops.Must(tileops.Of(y, shape...)), x); err != nil {
		t.Fatal(err)
	}
	return y
}

// Each tensor is a view of 0, 1, 2, ... in a slice; the library reads what Go means.
func TestViews(t *testing.T) {
	data := count(24)
	whole := tileops.Must(tileops.Of(data, 2, 3, 4))
	step := func(x *tileops.Tensor, err error) *tileops.Tensor { t.Helper(); return tileops.Must(x, err) }
	view := func(l tileops.Layout) *tileops.Tensor { return tileops.Must(tileops.View(data, l)) }
	for _, test := range []struct {
		name  string
		x     *tileops.Tensor
		shape []int
		want  []int32
	}{
		{"row-major", view(tileops.Layout{Shape: []int{2, 2}, Offset: 3}), []int{2, 2}, []int32{3, 4, 5, 6}},
		{"column-major", view(tileops.Layout{Shape: []int{2, 3}, Strides: []int{1, 2}}), []int{2, 3}, []int32{0, 2, 4, 1, 3, 5}},
		{"reversed", view(tileops.Layout{Shape: []int{4}, Strides: []int{-1}, Offset: 23}), []int{4}, []int32{23, 22, 21, 20}},
		{"every other", view(tileops.Layout{Shape: []int{3}, Strides: []int{2}, Offset: 19}), []int{3}, []int32{19, 21, 23}},
		{"repeated", view(tileops.Layout{Shape: []int{2, 2}, Strides: []int{0, 1}, Offset: 5}), []int{2, 2}, []int32{5, 6, 5, 6}},
		{"an extent of 1 with any stride", view(tileops.Layout{Shape: []int{1, 2}, Strides: []int{999999, 1}}), []int{1, 2}, []int32{0, 1}},
		{"one element", view(tileops.Layout{Shape: []int{}, Offset: 7}), []int{}, []int32{7}},
		{"no element, at the end", view(tileops.Layout{Shape: []int{0}, Offset: 24}), []int{0}, []int32{}},
		{"transposed", step(whole.Transpose(2, 0, 1)), []int{4, 2, 3},
			[]int32{0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23}},
		{"sliced", step(step(whole.Slice(0, 1, 2, 1)).Slice(2, 0, 4, 3)), []int{1, 3, 2}, []int32{12, 15, 16, 19, 20, 23}},
		{"sliced down", step(step(whole.Slice(0, 0, 1, 1)).Slice(1, 2, -1, -2)), []int{1, 2, 4}, []int32{8, 9, 10, 11, 0, 1, 2, 3}},
		{"sliced to nothing", step(whole.Slice(1, 3, 3, 1)), []int{2, 0, 4}, []int32{}},
		{"sliced to one of a long step", step(step(whole.Slice(0, 0, 1, 1)).Slice(2, 3, 4, math.MaxInt)), []int{1, 3, 1}, []int32{3, 7, 11}},
		{"expanded", step(step(step(whole.Slice(0, 1, 2, 1)).Slice(1, 0, 1, 1)).Expand(2, 1, 2, 4)), []int{2, 1, 2, 4},
			[]int32{12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15}},
	} {
		if !slices.Equal(test.x.Shape(), test.shape) {
			t.Errorf("%s: got shape %v, want %v", test.name, test.x.Shape(), test.shape)
		} else if got := elements(t, test.x); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// Strided outputs are written where they lie, and nothing beside them.
func TestStridedOutput(t *testing.T) {
	data := make([]int32, 8)
	y := tileops.Must(tileops.View(data, tileops.Layout{Shape: []int{3}, Strides: []int{-2}, Offset: 6}))
	if err := tileops.Neg(y, tileops.Must(tileops.Of([]int32{1, 2, 3}))); err != nil {
		t.Fatal(err)
	}
	if want := []int32{0, 0, -3, 0, -2, 0, -1, 0}; !slices.Equal(data, want) {
		t.Errorf("got %v, want %v", data, want)
	}
}

// An operator works in place, and on slices of a struct that holds pointers beside them.
func TestInPlace(t *testing.T) {
	type record struct {
		next *record
		data [3]float64
		name *string
	}
	name := "x"
	r := &record{data: [3]float64{1, -2, 3}, name: &name}
	r.next = r
	x := tileops.Must(tileops.Of(r.data[:]))
	if err := tileops.Abs(x, x); err != nil || r.data != [3]float64{1, 2, 3} {
		t.Errorf("got %v, %v", r.data, err)
	}
}

func TestTensorOfPointer(t *testing.T) {
	memory := tileops.Must(tileops.Default().Alloc(tileops.I32, tileops.CPU(), 6))
	defer memory.Close()
	copy(tileops.Must(tileops.Data[int32](memory)), count(6))
	type devicePointer uintptr // as packages for CUDA have it
	for _, x := range []*tileops.Tensor{
		tileops.Must(tileops.FromPointer(memory.Address(), tileops.I32, tileops.CPU(), []int{2, 3}, nil)),
		tileops.Must(tileops.FromPointer(devicePointer(memory.Address()), tileops.I32, tileops.CPU(), []int{2, 3}, []int{3, 1})),
		tileops.Must(tileops.FromPointer(pointer(memory.Address()), tileops.I32, tileops.CPU(), []int{2, 3}, nil)),
	} {
		if got := elements(t, x); !slices.Equal(got, count(6)) || x.Address() != memory.Address() {
			t.Errorf("got %v", got)
		}
		part := tileops.Must(x.Slice(0, 1, 2, 1))
		if got := elements(t, part); !slices.Equal(got, []int32{3, 4, 5}) {
			t.Errorf("got %v", got)
		}
	}
	// A tensor on a device has its address and no data for Go.
	there := tileops.Must(tileops.FromPointer(uintptr(1<<30), tileops.F32, tileops.CUDA(1), []int{2}, nil))
	if there.String() != "float32[2] on cuda:1" || there.Address() != 1<<30 {
		t.Errorf("got %v at %x", there, there.Address())
	}
	if _, err := tileops.Data[float32](there); err == nil {
		t.Error("Data of a device's memory")
	}
}

func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// A plan of specifications runs on tensors of that shape.
func TestPlanOfSpecs(t *testing.T) {
	spec := tileops.Must(tileops.Spec(tileops.F16, tileops.CPU(), 2))
	plan := tileops.Must(tileops.NewPlan(tileops.OpMul, tensors{spec}, tensors{spec, spec}))
	defer plan.Close()
	x := []tileops.Float16{tileops.NewFloat16(1.5), tileops.NewFloat16(-2)}
	y := make([]tileops.Float16, 2)
	xt, yt := tileops.Must(tileops.Of(x)), tileops.Must(tileops.Of(y))
	if err := plan.Execute(yt, xt, xt); err != nil || y[0].Float32() != 2.25 || y[1].Float32() != 4 {
		t.Errorf("got %v, %v", y, err)
	}
	clear(y)
	if err := plan.ExecuteUnchecked(0, yt, xt, xt); err != nil || y[0].Float32() != 2.25 || y[1].Float32() != 4 {
		t.Errorf("unchecked: got %v, %v", y, err)
	}
}

// Absent outputs and inputs stay absent in a plan.
func TestPlanWithAbsentOperands(t *testing.T) {
	x, y, mask := of[float32](1, 2, 3, 4), make([]float32, 4), make([]bool, 4)
	for _, m := range []*tileops.Tensor{nil, tileops.Must(tileops.Of(mask))} {
		yt := tileops.Must(tileops.Of(y))
		plan := tileops.Must(tileops.NewPlan(tileops.OpDropout, tensors{yt, m}, tensors{x, nil}, tileops.WithP(0)))
		if err := plan.Execute(yt, m, x, nil); err != nil || fmt.Sprint(y) != "[1 2 3 4]" {
			t.Errorf("got %v, %v", y, err)
		}
		plan.Close()
	}
	if fmt.Sprint(mask) != "[true true true true]" {
		t.Errorf("got %v", mask)
	}
}

// Halves of another package are halves, once their dtype is said.
func TestOfBits(t *testing.T) {
	type half uint16
	one, sum := []half{0x3c00}, []half{0}
	x, y := tileops.Must(tileops.OfBits(one, tileops.F16)), tileops.Must(tileops.OfBits(sum, tileops.F16, 1))
	if err := tileops.Add(y, x, x); err != nil || sum[0] != 0x4000 {
		t.Errorf("1 + 1: got %#x, %v, want 0x4000", sum[0], err)
	}
}

// The zero Tensor and nil can be asked, and printed.
func TestZeroTensor(t *testing.T) {
	for _, x := range []*tileops.Tensor{nil, new(tileops.Tensor)} {
		if x.Shape() != nil || x.Strides() != nil || x.Len() != 0 || x.DType() != tileops.Invalid ||
			x.Device() != (tileops.Device{}) || x.Address() != 0 || x.String() != "no tensor" {
			t.Errorf("got %v", x)
		}
	}
}
