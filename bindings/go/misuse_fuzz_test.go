package tileops_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
)

// junk are values of each type that functions take, right ones and wrong ones.
type junk map[reflect.Type][]any

func (j junk) add(values ...any) {
	for _, v := range values {
		j[reflect.TypeOf(v)] = append(j[reflect.TypeOf(v)], v)
	}
}

// newJunk makes handles that are open, closed, nil and zero. Streams and devices are those of the CPU, or of nobody.
func newJunk() junk {
	j := junk{}
	alloc := func() *tileops.Tensor { return tileops.Must(tileops.Default().Alloc(tileops.F32, tileops.CPU(), 2)) }
	gone, open := alloc(), zeros(2)
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{NumThreads: 1}))
	plan, expr := expPlan(), tileops.Must(tileops.ParseExpr("(x) -> x"))
	stream := tileops.Must(tileops.Default().NewStream(tileops.CPU()))
	for _, c := range []interface{ Close() error }{gone, ctx, plan, expr, stream} {
		c.Close()
	}
	scaledExpr, scaledPlan := scaled()
	dropout, _, mask, _ := masked(true)
	b := tileops.NewBuilder()
	j.add((*tileops.Tensor)(nil), new(tileops.Tensor), gone, alloc(), open, zeros(0), mask, spec(2), spec(0, 3), spec(math.MaxInt32, 1<<30),
		tileops.Scalar(int8(1)), tileops.Must(tileops.Of(make([]float32, 6), 2, 3)),
		tileops.Must(tileops.Must(tileops.Of(make([]float32, 6), 2, 3)).Transpose()), tileops.Must(zeros(1).Expand(2, 2)))
	j.add((*tileops.Context)(nil), new(tileops.Context), ctx, tileops.Default())
	j.add((*tileops.Plan)(nil), new(tileops.Plan), plan, expPlan(), scaledPlan, dropout)
	j.add((*tileops.Expr)(nil), new(tileops.Expr), expr, scaledExpr, tileops.Must(tileops.ParseExpr("(x, w = 1) -> x * w, x")))
	j.add((*tileops.Builder)(nil), new(tileops.Builder), b)
	j.add(tileops.Node{}, b.Operand("x"), new(tileops.Builder).Operand("x"), (*tileops.Builder)(nil).Operand("x"), b.Apply(0, nil))
	space := tileops.Must(tileops.NewWorkspace(tileops.CPU(), 64))
	j.add((*tileops.Workspace)(nil), new(tileops.Workspace), space, space)
	j.add((*tileops.OwnedStream)(nil), new(tileops.OwnedStream), stream, tileops.Must(tileops.Default().NewStream(tileops.CPU())))
	j.add(tileops.Op(0), tileops.OpExp, tileops.OpAdd, tileops.OpDropout, tileops.OpGelu, tileops.OpChunk, tileops.Op(-1), tileops.Op(math.MaxInt32))
	j.add(tileops.Option{}, tileops.WithAlpha(2), tileops.WithAttr("", nil), tileops.WithAttr("alpha", uint64(math.MaxUint64)),
		tileops.WithAttr("approximate", "tanh"), tileops.WithContext(nil), tileops.WithContext(ctx), tileops.WithStream(0), tileops.WithStream(7),
		tileops.WithReproducible(), tileops.WithoutPlanCache(), tileops.WithoutJIT())
	j.add(tileops.Number{}, tileops.Num(1), tileops.Num(0.5), tileops.Num(true), tileops.Num(math.NaN()))
	j.add(tileops.Invalid, tileops.F32, tileops.Bool, tileops.F16, tileops.DType(200))
	j.add(tileops.CPU(), tileops.Device{}, tileops.Device{Type: 77, Index: -1}, tileops.Device{Type: tileops.DeviceCPU, Index: 1 << 40})
	j.add(tileops.Stream(0), tileops.Stream(7))
	j.add(tileops.AddressItem{}, tileops.AddressItem{Extents: []int{2}, Addresses: []uintptr{0, 0}}, tileops.AddressItem{Extents: []int{-1, 1 << 62}})
	j.add("", "x", "exp", "scale", "scale n", "\x00", "x\x00", "(x) -> exp(x)", "(x) ->", "adamw", "float32", "cpu:9", "cuda:", strings.Repeat("(", 9999))
	j.add(0, 1, -1, 2, 3, math.MaxInt, math.MinInt)
	j.add(true, false, 0.5, math.Inf(1), int64(7), uint32(0), uint32(64), float32(1), uint8(3), uint16(3), []float32(nil), make([]float32, 6), []uint16{1, 2})
	j.add(unsafe.Pointer(nil), uintptr(0), tileops.Layout{}, tileops.Layout{Shape: []int{2, 3}, Strides: []int{math.MinInt, 1}, Offset: 1},
		tileops.Layout{Shape: []int{3}, Strides: []int{-2}, Offset: 4}, tileops.Layout{Shape: []int{-1}}, tileops.Layout{Offset: math.MaxInt})
	j.add(tileops.ContextOptions{NumThreads: -1}, tileops.ContextOptions{CPUISA: "mmx"}, tileops.ContextOptions{CacheDir: "\x00"},
		tileops.ContextOptions{Cache: 99})
	j.add((func(tileops.TuneProgress) bool)(nil))
	j.add(tileops.Pool(nil), pools["in order"], tileops.Pool(func(int, func(int)) {}),
		tileops.Pool(func(parts int, work func(int)) { work(parts); work(-1) }))
	return j
}

// value is one of a type: one of its values, or a list or a map of them, or, where anything may come, of any.
func (j junk) value(g netRandom, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	if list := j[t]; len(list) > 0 && (t.Kind() != reflect.Slice || g.chance(80)) {
		return reflect.ValueOf(list[g.Intn(len(list))])
	}
	switch t.Kind() {
	case reflect.Slice:
		if n := pick(g, 0, 0, 1, 1, 2, 2, 3, 9, 40); g.chance(90) {
			v = reflect.MakeSlice(t, n, n)
			for i := 0; i < n; i++ {
				v.Index(i).Set(j.value(g, t.Elem()))
			}
		}
	case reflect.Map:
		if g.chance(80) {
			v = reflect.MakeMap(t)
			for i := g.Intn(3); i > 0; i-- {
				v.SetMapIndex(j.value(g, t.Key()), j.value(g, t.Elem()))
			}
		}
	case reflect.Interface:
		if g.chance(85) {
			types := []any{tileops.Node{}, tileops.F32, 0, 0.5, true, "", tileops.Number{}, (*tileops.Tensor)(nil), uint8(0)}
			v.Set(j.value(g, reflect.TypeOf(pick(g, types...))))
		}
	default:
		panic(fmt.Sprintf("no junk of %v", t))
	}
	return v
}

// functions are those of the package that make something of arguments; generic ones for some types. Operators' own
// functions hand over to Op.Call.
var functions = map[string]any{
	"NewContext": tileops.NewContext, "NewPlan": tileops.NewPlan, "Call": tileops.Call, "ParseExpr": tileops.ParseExpr,
	"NamedExpr": tileops.NamedExpr, "OpByName": tileops.OpByName, "ParseDType": tileops.ParseDType, "ParseDevice": tileops.ParseDevice,
	"Spec": tileops.Spec, "Of": tileops.Of[float32], "OfBits": tileops.OfBits[uint16], "View": tileops.View[float32],
	"Data float32": tileops.Data[float32], "Data bool": tileops.Data[bool], "FromPointer": tileops.FromPointer[uintptr],
	"FromDLPack": tileops.FromDLPack, "ReleaseDLPack": tileops.ReleaseDLPack, "Num": tileops.Num[float64], "WithAttr": tileops.WithAttr,
	"WithContext": tileops.WithContext, "Scalar": tileops.Scalar[uint8], "Add": tileops.Add, "Dropout": tileops.Dropout, "Alibi": tileops.Alibi,
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// promised are methods whose arguments are the caller's promise, and one that only benchmarks see.
var promised = map[string]bool{"Plan.ExecuteUnchecked": true, "Plan.TimeAdd": true}

// TestJunk calls every function and method with junk, again and again: none panics, and errors are Errors that name
// the function. TILEOPS_FUZZ_SECONDS goes on for so long.
func TestJunk(t *testing.T) {
	j := newJunk()
	type callable struct {
		name string
		f    func(g netRandom) reflect.Value
	}
	var all []callable
	for _, name := range sortedKeys(functions) {
		f := reflect.ValueOf(functions[name])
		all = append(all, callable{name, func(netRandom) reflect.Value { return f }})
	}
	for _, of := range []any{(*tileops.Context)(nil), (*tileops.Plan)(nil), (*tileops.Expr)(nil), (*tileops.Builder)(nil), tileops.Node{},
		(*tileops.Tensor)(nil), (*tileops.Workspace)(nil), (*tileops.OwnedStream)(nil), tileops.Op(0), tileops.F32, tileops.CPU(), tileops.Stream(0)} {
		of := reflect.TypeOf(of)
		for i := 0; i < of.NumMethod(); i++ {
			i, name := i, strings.TrimPrefix(strings.TrimPrefix(of.String(), "*"), "tileops.")+"."+of.Method(i).Name
			if !promised[name] {
				all = append(all, callable{name, func(g netRandom) reflect.Value { return j.value(g, of).Method(i) }})
			}
		}
	}
	failures, successes := 0, 0
	deadline := fuzzDeadline()
	for seed := int64(0); seed < 20000 || time.Now().Before(deadline); seed++ {
		if seed%2000 == 1999 {
			j = newJunk() // what was closed meanwhile is open again
		}
		g := netRandom{rand.New(rand.NewSource(seed))}
		c := all[g.Intn(len(all))]
		f := c.f(g)
		err := callWithJunk(g, j, f, c.name)
		var e *tileops.Error
		switch {
		case err == nil:
			successes++
		case !errors.As(err, &e) || e.Func == "" || e.Status == tileops.StatusOK || e.Status == tileops.StatusInternal || e.Message == "":
			t.Errorf("seed %d: %s: got %v", seed, c.name, err)
		default:
			failures++
		}
	}
	if failures < 3000 || successes < 3000 {
		t.Errorf("%d failures and %d successes try too little", failures, successes)
	}
	t.Logf("%d functions, %d failures, %d successes", len(all), failures, successes)
}

// callWithJunk gives the error of a call, and a panic as one that is no Error.
func callWithJunk(g netRandom, j junk, f reflect.Value, name string) (err error) {
	var in []reflect.Value
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v, of %v", r, in)
		}
	}()
	for i := 0; i < f.Type().NumIn(); i++ {
		in = append(in, j.value(g, f.Type().In(i)))
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	for _, out := range call(in) {
		switch v := out.Interface().(type) {
		case error:
			err = v
		case unsafe.Pointer: // of DLPack
			tileops.ReleaseDLPack(v)
		}
	}
	return err
}
