package tileops_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

type tensors = []*tileops.Tensor

// wrongCall must fail with this status, argument and text, and not crash.
type wrongCall struct {
	name     string
	call     func() error
	status   tileops.Status
	cause    error  // that errors.Is finds as well, or nil
	argument string // that the error names
	index    int
	text     string // part of the message
}

var wrongCalls = []wrongCall{
	// Operands, as the library refuses them.
	{"wrong shape of the output", func() error { return tileops.Exp(zeros(3), zeros(2)) },
		tileops.StatusInvalidArgument, nil, "outputs", 0, "shape is wrong"},
	{"shapes that do not broadcast", func() error { return tileops.Add(zeros(6), zeros(2), zeros(3)) },
		tileops.StatusInvalidArgument, nil, "inputs", 1, "broadcast"},
	{"wrong dtype", func() error { return tileops.BitwiseNot(zeros(2), zeros(2)) },
		tileops.StatusUnsupported, nil, "inputs", 0, "float32"},
	{"wrong dtype of a fixed operand", func() error { return tileops.Where(zeros(2), zeros(2), zeros(2), zeros(2)) },
		tileops.StatusUnsupported, nil, "inputs", 0, "bool"},
	{"missing operand", func() error { return tileops.Add(zeros(2), zeros(2), nil) },
		tileops.StatusInvalidArgument, nil, "inputs", 1, ""},
	{"missing output", func() error { return tileops.Exp(nil, zeros(2)) },
		tileops.StatusInvalidArgument, nil, "outputs", 0, "is absent, but y of exp is not optional"},
	{"no operands", func() error { return tileops.Call("exp", nil, nil) },
		tileops.StatusInvalidArgument, nil, "num_inputs", -1, "got 0, need 1"},
	{"too many operands for the operator", func() error {
		return tileops.Call("exp", tensors{zeros(2)}, tensors{zeros(2), zeros(2)})
	}, tileops.StatusInvalidArgument, nil, "num_inputs", -1, "got 2, need 1"},
	{"too many operands for any operator", func() error {
		return tileops.Call("exp", tensors{zeros(2)}, make(tensors, 9))
	}, tileops.StatusInvalidArgument, nil, "inputs", -1, "need at most 8"},
	{"overlapping buffers", func() error {
		data := make([]float32, 5)
		return tileops.Exp(tileops.Must(tileops.Of(data[1:])), tileops.Must(tileops.Of(data[:4])))
	}, tileops.StatusInvalidArgument, nil, "outputs", 0, "overlap"},
	{"an output over itself", func() error {
		y := tileops.Must(tileops.View(make([]float32, 4), tileops.Layout{Shape: []int{4}, Strides: []int{0}}))
		return tileops.Exp(y, zeros(4))
	}, tileops.StatusInvalidArgument, nil, "outputs", 0, ""},
	{"a tensor without memory", func() error {
		return tileops.Exp(tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 2)), zeros(2))
	}, tileops.StatusInvalidArgument, nil, "outputs", 0, "NULL"},
	{"misaligned memory", func() error {
		var words [3]uint64
		address := uintptr(unsafe.Pointer(&words)) + 1
		x := tileops.Must(tileops.FromPointer(address, tileops.F32, tileops.CPU(), []int{2}, nil))
		return tileops.Exp(zeros(2), x)
	}, tileops.StatusInvalidArgument, nil, "inputs", 0, "align"},
	{"a device that is not there", func() error {
		_, err := tileops.Default().Alloc(tileops.F32, tileops.CUDA(99), 2)
		return err
	}, tileops.StatusNoDevice, nil, "device", -1, "no such device"},
	{"a kind of device that is not known", func() error {
		_, err := tileops.Default().Alloc(tileops.F32, tileops.Device{Type: 77}, 2)
		return err
	}, tileops.StatusNoDevice, nil, "device", -1, "got type 77"},
	{"a stream for the CPU", func() error { return tileops.Exp(zeros(2), zeros(2), tileops.WithStream(5)) },
		tileops.StatusInvalidArgument, nil, "stream", -1, ""},

	// Attributes.
	{"no such operator", func() error { return tileops.Call("no\x00ne", nil, nil) },
		tileops.StatusInvalidArgument, nil, "name", -1, "no such operator"},
	{"an operator of no number", func() error { return tileops.Op(32000).Call(tensors{zeros(2)}, tensors{zeros(2)}) },
		tileops.StatusInvalidArgument, nil, "op", -1, "32000"},
	{"an attribute of another operator", func() error { return tileops.Exp(zeros(2), zeros(2), tileops.WithAlpha(2)) },
		tileops.StatusInvalidArgument, nil, "attrs", 0, ""},
	{"no such attribute", func() error { return tileops.Exp(zeros(2), zeros(2), tileops.WithAttr("alpha", 2)) },
		tileops.StatusInvalidArgument, nil, "options", 0, "no such attribute"},
	{"no such choice", func() error {
		return tileops.Gelu(zeros(2), zeros(2), tileops.WithAttr("approximate", "sinh"))
	}, tileops.StatusInvalidArgument, nil, "options", 0, "need one of none, tanh"},
	{"a choice out of range", func() error { return tileops.Gelu(zeros(2), zeros(2), tileops.WithApproximate(7)) },
		tileops.StatusInvalidArgument, nil, "attrs", 0, "approximate"},
	{"an attribute out of range", func() error { return tileops.Dropout(zeros(2), nil, zeros(2), nil, tileops.WithP(2)) },
		tileops.StatusInvalidArgument, nil, "attrs", 0, "p"},
	{"an attribute of no number", func() error { return tileops.Add(zeros(2), zeros(2), zeros(2), tileops.WithAttr("alpha", []int{1})) },
		tileops.StatusInvalidArgument, nil, "options", 0, "no attribute's type"},
	{"a word for a number", func() error {
		return tileops.Add(zeros(2), zeros(2), zeros(2), tileops.WithAttr("alpha", "two"))
	}, tileops.StatusInvalidArgument, nil, "options", 0, `alpha: not a number (got "two")`},
	{"an attribute above int64", func() error {
		return tileops.Add(zeros(2), zeros(2), zeros(2), tileops.WithAttr("alpha", uint64(math.MaxUint64)))
	}, tileops.StatusInvalidArgument, nil, "options", 0, "alpha: too large (got 18446744073709551615"},
	{"bits of another size", func() error { _, err := tileops.OfBits([]uint16{0}, tileops.F8E5M2); return err },
		tileops.StatusInvalidArgument, nil, "dtype", -1, "got float8_e5m2 of 1 bytes, need 2"},
	{"bits of another number", func() error { _, err := tileops.OfBits([]uint16{0}, tileops.F16, 2); return err },
		tileops.StatusInvalidArgument, nil, "data", -1, "got 1, need 2"},
	{"an attribute twice", func() error {
		return tileops.Add(zeros(2), zeros(2), zeros(2), tileops.WithAlpha(2), tileops.WithAlpha(3))
	}, tileops.StatusInvalidArgument, nil, "attrs", 1, ""},
	{"too many attributes", func() error {
		return tileops.Add(zeros(2), zeros(2), zeros(2), make13()...)
	}, tileops.StatusInvalidArgument, nil, "options", 12, "need at most 12"},
	{"the zero option", func() error { return tileops.Exp(zeros(2), zeros(2), tileops.Option{}) },
		tileops.StatusInvalidArgument, nil, "options", 0, "zero Option"},

	// Tensors.
	{"a shape that the slice does not fill", func() error { _, err := tileops.Of(make([]float32, 5), 2, 3); return err },
		tileops.StatusInvalidArgument, nil, "data", -1, "got 5, need 6"},
	{"a negative extent", func() error { _, err := tileops.Of([]float32{}, 2, -3); return err },
		tileops.StatusInvalidArgument, nil, "shape", 1, "got -3"},
	{"more elements than there are", func() error {
		_, err := tileops.Spec(tileops.F32, tileops.CPU(), math.MaxInt, math.MaxInt)
		return err
	}, tileops.StatusInvalidArgument, nil, "shape", -1, "too many elements"},
	{"too many dimensions", func() error { _, err := tileops.Spec(tileops.F32, tileops.CPU(), make([]int, 33)...); return err },
		tileops.StatusInvalidArgument, nil, "shape", -1, "need at most 32"},
	{"no dtype", func() error { _, err := tileops.Spec(tileops.Invalid, tileops.CPU(), 1); return err },
		tileops.StatusInvalidArgument, nil, "dtype", -1, "invalid"},
	{"a view past the end", func() error { return view(10, tileops.Layout{Shape: []int{2, 3}, Strides: []int{6, 2}, Offset: 0}) },
		tileops.StatusInvalidArgument, nil, "layout", -1, "need 0 to 9"},
	{"a view before the start", func() error { return view(10, tileops.Layout{Shape: []int{3}, Strides: []int{-2}, Offset: 3}) },
		tileops.StatusInvalidArgument, nil, "layout", -1, "got elements -1 to 3"},
	{"a view with an offset outside", func() error { return view(10, tileops.Layout{Shape: []int{1}, Offset: 10}) },
		tileops.StatusInvalidArgument, nil, "layout", -1, "need 0 to 9"},
	{"a view with strides that overflow", func() error {
		return view(10, tileops.Layout{Shape: []int{3, 3}, Strides: []int{math.MaxInt, math.MinInt}})
	}, tileops.StatusInvalidArgument, nil, "layout", -1, "leave the slice"},
	{"a view with too few strides", func() error { return view(10, tileops.Layout{Shape: []int{2, 2}, Strides: []int{1}}) },
		tileops.StatusInvalidArgument, nil, "strides", -1, "got 1, need 2"},
	{"a null address", func() error {
		_, err := tileops.FromPointer(uintptr(0), tileops.F32, tileops.CUDA(0), []int{2}, nil)
		return err
	}, tileops.StatusInvalidArgument, nil, "address", -1, "null"},
	{"no permutation", func() error { _, err := zeros(2).Transpose(1); return err },
		tileops.StatusInvalidArgument, nil, "axes", 0, "no permutation"},
	{"a slice past the end", func() error { _, err := zeros(2).Slice(0, 1, 3, 1); return err },
		tileops.StatusInvalidArgument, nil, "range", -1, "need 0 to 2"},
	{"a step of 0", func() error { _, err := zeros(2).Slice(0, 0, 1, 0); return err },
		tileops.StatusInvalidArgument, nil, "range", -1, ""},
	{"a repeated extent that is not 1", func() error { _, err := zeros(2).Expand(4); return err },
		tileops.StatusInvalidArgument, nil, "shape", 0, "only extents of 1"},
	{"data of another dtype", func() error { _, err := tileops.Data[int32](zeros(2)); return err },
		tileops.StatusInvalidArgument, nil, "T", -1, "need float32"},
	{"data of a transposed tensor", func() error {
		_, err := tileops.Data[float32](tileops.Must(tileops.Must(tileops.Of(make([]float32, 6), 2, 3)).Transpose()))
		return err
	}, tileops.StatusInvalidArgument, nil, "tensor", -1, "not row-major"},
	{"no name of a dtype", func() error { _, err := tileops.ParseDType("float128"); return err },
		tileops.StatusInvalidArgument, nil, "name", -1, "float128"},
	{"no name of a device", func() error { _, err := tileops.ParseDevice("cuda:-1"); return err },
		tileops.StatusInvalidArgument, nil, "text", -1, "cuda:-1"},

	// Handles.
	{"a closed plan", func() error {
		plan := expPlan()
		plan.Close()
		return plan.Execute(zeros(2), zeros(2))
	}, tileops.StatusInvalidArgument, tileops.ErrClosed, "plan", -1, "closed"},
	{"a plan that is closed twice", func() error { plan := expPlan(); plan.Close(); return plan.Close() },
		tileops.StatusInvalidArgument, tileops.ErrClosed, "plan", -1, "closed"},
	{"a nil plan", func() error { return (*tileops.Plan)(nil).Execute() },
		tileops.StatusInvalidArgument, tileops.ErrClosed, "plan", -1, "closed"},
	{"the zero plan", func() error { _, err := new(tileops.Plan).Info(); return err },
		tileops.StatusInvalidArgument, tileops.ErrClosed, "plan", -1, "closed"},
	{"a closed context", func() error {
		ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{}))
		ctx.Close()
		return tileops.Exp(zeros(2), zeros(2), tileops.WithContext(ctx))
	}, tileops.StatusInvalidArgument, tileops.ErrClosed, "context", -1, "closed"},
	{"a nil context", func() error {
		_, err := tileops.NewPlan(tileops.OpExp, tensors{zeros(2)}, tensors{zeros(2)}, tileops.WithContext(nil))
		return err
	}, tileops.StatusInvalidArgument, tileops.ErrClosed, "context", -1, "closed"},
	{"the default context is closed", func() error { return tileops.Default().Close() },
		tileops.StatusInvalidArgument, nil, "context", -1, "never closed"},
	{"a closed tensor", func() error {
		x := tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), 2))
		x.Close()
		return tileops.Exp(zeros(2), x)
	}, tileops.StatusInvalidArgument, tileops.ErrClosed, "inputs", 0, "closed"},
	{"the zero tensor", func() error { return tileops.Exp(new(tileops.Tensor), zeros(2)) },
		tileops.StatusInvalidArgument, tileops.ErrClosed, "outputs", 0, "closed"},
	{"a closed stream", func() error {
		s := tileops.Must(tileops.Default().NewStream(tileops.CPU()))
		s.Close()
		return s.Synchronize()
	}, tileops.StatusInvalidArgument, tileops.ErrClosed, "stream", -1, "closed"},
	{"operands other than planned", func() error {
		plan := expPlan()
		defer plan.Close()
		return plan.Execute(zeros(3), zeros(3))
	}, tileops.StatusInvalidArgument, nil, "inputs", 0, "shape"},
	{"fewer operands than planned", func() error {
		plan := expPlan()
		defer plan.Close()
		return plan.Execute(zeros(2))
	}, tileops.StatusInvalidArgument, nil, "operands", -1, "need 1 outputs and 1 inputs"},

	{"tuning for the CPU", func() error {
		_, err := tileops.Default().Tune(tileops.OpExp, tensors{zeros(2)}, tensors{zeros(2)}, nil)
		return err
	}, tileops.StatusUnsupported, nil, "device", -1, ""},

	// Contexts and versions.
	{"an instruction set that does not exist", func() error {
		_, err := tileops.NewContext(tileops.ContextOptions{CPUISA: "mmx"})
		return err
	}, tileops.StatusInvalidArgument, nil, "cpu_isa", -1, "mmx"},
	{"a folder with a NUL", func() error {
		_, err := tileops.NewContext(tileops.ContextOptions{CacheDir: "a\x00b"})
		return err
	}, tileops.StatusInvalidArgument, nil, "CacheDir", -1, "NUL"},
	{"a negative number of threads", func() error {
		_, err := tileops.NewContext(tileops.ContextOptions{NumThreads: -1})
		return err
	}, tileops.StatusInvalidArgument, nil, "options", -1, "num_threads is negative"},
	{"a log level that does not exist", func() error { return tileops.SetLog(99, nil) },
		tileops.StatusInvalidArgument, nil, "level", -1, "99"},
	{"a library that is too old", func() error { return tileops.CheckVersion(200, 199) },
		tileops.StatusVersion, tileops.ErrVersion, "library", -1, "got 0.1.99, need 0.2.0"},
	{"a library of another major version", func() error { return tileops.CheckVersion(10000, 20000) },
		tileops.StatusVersion, tileops.ErrVersion, "library", -1, "got 2.0.0, need 1.0.0"},
	{"a library of another minor version before 1.0", func() error { return tileops.CheckVersion(100, 200) },
		tileops.StatusVersion, tileops.ErrVersion, "library", -1, "got 0.2.0, need 0.1.0"},
	{"null for DLPack", func() error { _, err := tileops.FromDLPack(nil); return err },
		tileops.StatusInvalidArgument, nil, "managed", -1, "null"},
}

func zeros(n int) *tileops.Tensor { return tileops.Must(tileops.Of(make([]float32, n))) }

func view(n int, l tileops.Layout) error {
	_, err := tileops.View(make([]float32, n), l)
	return err
}

func expPlan() *tileops.Plan {
	return tileops.Must(tileops.NewPlan(tileops.OpExp, tensors{zeros(2)}, tensors{zeros(2)}))
}

func make13() (list []tileops.Option) {
	for i := 0; i < 13; i++ {
		list = append(list, tileops.WithAlpha(1))
	}
	return list
}

func TestWrongCalls(t *testing.T) {
	for _, test := range append(wrongCalls, wrongArguments...) {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			err := test.call()
			var e *tileops.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, not an Error", err)
			}
			if !errors.Is(err, test.status) || e.Status != test.status {
				t.Errorf("got %v, want %v: %v", e.Status, test.status, err)
			}
			if test.cause != nil && !errors.Is(err, test.cause) {
				t.Errorf("not %v: %v", test.cause, err)
			}
			if e.Argument != test.argument || e.Index != test.index {
				t.Errorf("got argument %s[%d], want %s[%d]: %v", e.Argument, e.Index, test.argument, test.index, err)
			}
			if !strings.Contains(err.Error(), test.text) || !strings.HasPrefix(err.Error(), "tileops: ") || e.Func == "" {
				t.Errorf("no %q in %v (of %s)", test.text, err, e.Func)
			}
		})
	}
}

func TestVersionsThatFit(t *testing.T) {
	for _, v := range [][2]uint32{{100, 100}, {100, 101}, {10000, 10000}, {10000, 10203}} {
		if err := tileops.CheckVersion(v[0], v[1]); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// Status, message and argument come from the call that failed, whatever other goroutines do at the
// time.
func TestErrorsOfManyGoroutines(t *testing.T) {
	inGoroutines(16, func(i int) {
		for n := 0; n < 200; n++ {
			err := tileops.Exp(zeros(i+3), zeros(2))
			want := "(got (" + itoa(i+3) + ",), need (2,))"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
				return
			}
		}
	})
}
