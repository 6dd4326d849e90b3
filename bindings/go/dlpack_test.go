package tileops_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

// managed is the struct DLManagedTensorVersioned of 64-bit machines, for tests that damage one.
type managed struct {
	major, minor uint32
	context      unsafe.Pointer
	deleter      unsafe.Pointer
	flags        uint64
	data         unsafe.Pointer
	deviceType   int32
	deviceID     int32
	ndim         int32
	code, bits   uint8
	lanes        uint16
	shape        *int64
	strides      *int64
	byteOffset   uint64
}

// A slice goes out and comes back with no copy, and is let go when the last one is done with it.
func TestDLPackOfSlice(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	data := count(6)
	x := tileops.Must(tileops.Must(tileops.Of(data, 2, 3)).Transpose())
	out := tileops.Must(x.DLPack())
	if got := tileops.LiveHandles(); got.Exports != 1 {
		t.Errorf("got %+v", got)
	}
	back := tileops.Must(tileops.FromDLPack(out))
	if back.Address() != x.Address() || !slices.Equal(back.Shape(), []int{3, 2}) ||
		!slices.Equal(back.Strides(), []int{1, 3}) || back.DType() != tileops.I32 || back.Device() != tileops.CPU() {
		t.Errorf("got %v at %x, strides %v", back, back.Address(), back.Strides())
	}
	runtime.GC()
	if got := elements(t, back); !slices.Equal(got, []int32{0, 3, 1, 4, 2, 5}) {
		t.Errorf("got %v", got)
	}
	data[0] = 77
	if got := elements(t, back); got[0] != 77 {
		t.Errorf("a copy: got %v", got)
	}
	if err := back.Close(); err != nil {
		t.Error(err)
	}
	if got := tileops.LiveHandles(); got != (tileops.HandleCounts{}) {
		t.Errorf("got %+v", got)
	}
}

// A slice may be over memory of C, which nobody need pin.
func TestDLPackOfSliceOfC(t *testing.T) {
	owned := tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), 3))
	defer owned.Close()
	data := tileops.Must(tileops.Data[float32](owned))
	out, err := tileops.Must(tileops.Of(data[1:])).DLPack()
	if err != nil {
		t.Fatal(err)
	}
	back := tileops.Must(tileops.FromDLPack(out))
	if back.Address() != owned.Address()+4 {
		t.Errorf("got %x", back.Address())
	}
	back.Close()
}

// Memory that a tensor owns outlives its Close while another library has it.
func TestDLPackOfOwnedMemory(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	x := tileops.Must(tileops.Default().Alloc(tileops.I32, tileops.CPU(), 3))
	copy(tileops.Must(tileops.Data[int32](x)), []int32{5, 6, 7})
	out := tileops.Must(x.DLPack())
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	if _, err := x.DLPack(); !errors.Is(err, tileops.ErrClosed) {
		t.Errorf("got %v", err)
	}
	back := tileops.Must(tileops.FromDLPack(out))
	if got := elements(t, back); !slices.Equal(got, []int32{5, 6, 7}) {
		t.Errorf("got %v", got)
	}
	back.Close()
	if got := tileops.LiveHandles(); got != (tileops.HandleCounts{}) {
		t.Errorf("got %+v", got)
	}
	tileops.ReleaseDLPack(tileops.Must(of[int8](1).DLPack()))
	tileops.ReleaseDLPack(nil)
	if got := tileops.LiveHandles(); got != (tileops.HandleCounts{}) {
		t.Errorf("got %+v", got)
	}
}

// The deleter of what is refused has run, once.
func TestDLPackThatIsRefused(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	for _, test := range []struct {
		name, text string
		damage     func(m *managed)
	}{
		{"another major version", "wrong version of DLPack (got 2, need 1)", func(m *managed) { m.major = 2 }},
		{"two lanes", "2 lanes", func(m *managed) { m.lanes = 2 }},
		{"a bool of one bit", "code 6, 1 bits", func(m *managed) { m.code, m.bits = 6, 1 }},
		{"an unknown dtype", "code 5", func(m *managed) { m.code = 5 }},
		{"no data", "no memory for 6 elements", func(m *managed) { m.data = nil }},
		{"no shape", "no shape", func(m *managed) { m.shape = nil }},
		{"too many dimensions", "at most 32", func(m *managed) { m.ndim = 33 }},
		{"a negative number of dimensions", "at most 32", func(m *managed) { m.ndim = -1 }},
		{"a negative extent", "negative extent", func(m *managed) { *m.shape = -1 }},
		{"too many elements", "too many elements", func(m *managed) { *m.shape = 1 << 62 }},
	} {
		out := tileops.Must(tileops.Must(tileops.Of(make([]int16, 6), 2, 3)).DLPack())
		test.damage((*managed)(out))
		if _, err := tileops.FromDLPack(out); err == nil || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.text)
		}
		if got := tileops.LiveHandles(); got != (tileops.HandleCounts{}) {
			t.Errorf("%s: got %+v", test.name, got)
		}
	}
}

// What other libraries may send: no strides, an offset in bytes, a flag that forbids to write.
func TestDLPackForms(t *testing.T) {
	out := tileops.Must(tileops.Must(tileops.Of(count(6), 6)).DLPack())
	m := (*managed)(out)
	m.strides, m.byteOffset = nil, 8
	*m.shape = 4
	m.flags = 1
	x := tileops.Must(tileops.FromDLPack(out))
	defer x.Close()
	if got := elements(t, x); !slices.Equal(got, []int32{2, 3, 4, 5}) {
		t.Errorf("got %v", got)
	}
	err := tileops.Neg(x, tileops.Must(tileops.Of(count(4))))
	if err == nil || !strings.Contains(err.Error(), "outputs[0]: read-only") {
		t.Errorf("got %v", err)
	}
	if _, err := tileops.Data[int32](x); err == nil {
		t.Error("data that may be written of a read-only tensor")
	}
	// The flag goes with it to the next library.
	again := tileops.Must(x.DLPack())
	if (*managed)(again).flags != 1 {
		t.Errorf("got flags %d", (*managed)(again).flags)
	}
	tileops.ReleaseDLPack(again)

	if _, err := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 2)).DLPack(); err == nil {
		t.Error("a tensor without memory went out")
	}
	empty := tileops.Must(tileops.FromDLPack(tileops.Must(zeros(0).DLPack())))
	if empty.Len() != 0 {
		t.Errorf("got %v", empty)
	}
	empty.Close()
}

// Deleters may be called from many threads at once.
func TestDLPackFromManyGoroutines(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	inGoroutines(8, func(i int) {
		for n := 0; n < 200; n++ {
			x := tileops.Must(tileops.FromDLPack(tileops.Must(zeros(i + 1).DLPack())))
			if err := tileops.Exp(zeros(i+1), x); err != nil {
				t.Error(err)
			}
			x.Close()
		}
	})
	if got := tileops.LiveHandles(); got != (tileops.HandleCounts{}) {
		t.Errorf("got %+v", got)
	}
}
