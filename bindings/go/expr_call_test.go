package tileops_test

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// Calls find their plan by the expression, the operands and the flags; scalars are no part of it.
func TestExprCalls(t *testing.T) {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{}))
	defer ctx.Close()
	axpy, other := parse(t, "(x, y = 1; a = 2.0) -> a * x + y"), parse(t, "(x, y = 1; a = 3.0) -> a * x + y")
	z := make([]float32, 4)
	x, y := []float32{1, -2, 3, 5}, []float32{10, 20, 30, 40}
	square := func(data []float32, strides ...int) *tileops.Tensor {
		return tileops.Must(tileops.View(data, tileops.Layout{Shape: []int{2, 2}, Strides: strides}))
	}
	with := func(options ...tileops.Option) []tileops.Option { return append(options, tileops.WithContext(ctx)) }
	half := tileops.Must(axpy.Scalars(map[string]any{"a": 0.5}))
	calls := []struct {
		name string
		run  func() error
		want []float32
	}{
		{"first", func() error { return axpy.Call(tensors{square(z)}, tensors{square(x), square(y)}, with()...) }, []float32{12, 16, 36, 50}},
		{"another expression", func() error { return other.Call(tensors{square(z)}, tensors{square(x), square(y)}, with()...) },
			[]float32{13, 14, 39, 55}},
		{"strides", func() error { return axpy.Call(tensors{square(z)}, tensors{square(x), square(y, 1, 2)}, with()...) },
			[]float32{12, 26, 26, 50}},
		{"shape", func() error { return axpy.Call(tensors{of4(z)}, tensors{of4(x), of4(y)}, with()...) }, []float32{12, 16, 36, 50}},
		{"dtype", func() error { return axpy.Call(tensors{of4(z)}, tensors{of4(x), of[int8](1, 1, 1, 1)}, with()...) },
			[]float32{3, -3, 7, 11}},
		{"absent", func() error { return axpy.Call(tensors{of4(z)}, tensors{of4(x), nil}, with()...) }, []float32{3, -3, 7, 11}},
		{"left off", func() error { return axpy.Call(tensors{of4(z)}, tensors{of4(x)}, with()...) }, []float32{3, -3, 7, 11}},
		{"flag", func() error {
			return axpy.Call(tensors{of4(z)}, tensors{of4(x), of4(y)}, with(tileops.WithReproducible())...)
		}, []float32{12, 16, 36, 50}},
		{"an operator", func() error { return tileops.Add(of4(z), of4(x), of4(y), with()...) }, []float32{11, 18, 33, 45}},
	}
	for round := 0; round < 2; round++ {
		for _, c := range calls {
			clear(z)
			if err := c.run(); err != nil || !slices.Equal(z, c.want) {
				t.Errorf("%s: got %v, %v, want %v", c.name, z, err, c.want)
			}
		}
		err := axpy.CallWith(half, tensors{of4(z)}, tensors{of4(x), of4(y)}, with()...)
		if err != nil || !slices.Equal(z, []float32{10.5, 19, 31.5, 42.5}) {
			t.Errorf("got %v, %v", z, err)
		}
		if got := tileops.PlansOf(ctx); got != len(calls) {
			t.Errorf("round %d: got %d plans, want %d", round, got, len(calls))
		}
	}
	if got := tileops.Must(ctx.CacheStats()); got.PlanHits+got.PlanMisses != uint64(len(calls)) {
		t.Errorf("the library was asked again: %+v", got)
	}
	// Without a cache nothing is kept, neither here nor there.
	kept := tileops.CachedPlans()
	err := axpy.CallWith(half, tensors{of4(z)}, tensors{of4(x), of4(y)}, with(tileops.WithoutPlanCache())...)
	if err != nil || z[3] != 42.5 || tileops.PlansOf(ctx) != len(calls) || tileops.CachedPlans() > kept {
		t.Errorf("got %v, %v, %d plans", z, err, tileops.PlansOf(ctx))
	}
}

func of4(data []float32) *tileops.Tensor { return tileops.Must(tileops.Of(data)) }

// Several results, over operands where that may be, as AdamW has them; refused where they overlap otherwise.
func TestExprCallInPlace(t *testing.T) {
	adamw := tileops.Must(tileops.NamedExpr("adamw"))
	defer adamw.Close()
	state := func() []tensors {
		p, g, m, v := of[float32](1, 2), of[float32](0.5, -1), of[float32](3, -4), of[float32](0.25, 8)
		return []tensors{{p, m, v}, {p, g, m, v}}
	}
	apart, within := state(), state()
	results := tensors{zeros(2), zeros(2), zeros(2)}
	if err := errors.Join(adamw.Call(results, apart[1]), adamw.Call(within[0], within[1])); err != nil {
		t.Fatal(err)
	}
	for i := range results {
		got, want := tileops.Must(tileops.Data[float32](within[0][i])), tileops.Must(tileops.Data[float32](results[i]))
		if !slices.Equal(got, want) {
			t.Errorf("result %d: got %v, want %v", i, got, want)
		}
	}
	// Each operand is the tensor that was given for it, whatever is written where.
	swapped := state()
	if err := adamw.Call(tensors{swapped[1][2], swapped[1][0], swapped[1][3]}, swapped[1]); err != nil {
		t.Fatal(err)
	}
	for i, operand := range []int{2, 0, 3} {
		got, want := tileops.Must(tileops.Data[float32](swapped[1][operand])), tileops.Must(tileops.Data[float32](results[i]))
		if !slices.Equal(got, want) {
			t.Errorf("result %d over operand %d: got %v, want %v", i, operand, got, want)
		}
	}
	next, data := parse(t, "(x) -> x + 1"), make([]float32, 5)
	if err := next.Call(tensors{of4(data[1:])}, tensors{of4(data[:4])}); !errors.Is(err, tileops.StatusInvalidArgument) {
		t.Errorf("got %v", err)
	}
}

// Calls of one expression and of many, in a small cache that is cleared now and then, while expressions are closed.
func TestExprCallsFromManyGoroutines(t *testing.T) {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{PlanCapacity: 8}))
	defer ctx.Close()
	shared := parse(t, "(x; a = 1.0) -> x * a + 1")
	inGoroutines(8, func(g int) {
		own := tileops.Must(tileops.ParseExpr("(x) -> x + " + itoa(g)))
		for i := 0; i < 300; i++ {
			n := (g+i)%12 + 1
			x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
			x[n-1] = float32(i)
			in := tensors{of4(x)}
			err := errors.Join(shared.CallWith([]tileops.Number{tileops.Num(float64(g))}, tensors{of4(y)}, in, tileops.WithContext(ctx)),
				own.Call(tensors{of4(z)}, in, tileops.WithContext(ctx)))
			if err != nil || y[n-1] != float32(i*g+1) || z[n-1] != float32(i+g) {
				t.Errorf("got %v, %v, %v", y, z, err)
				return
			}
			if i%100 == 99 {
				err := errors.Join(ctx.ClearCache(tileops.CachePlans), own.Close())
				if err != nil || !errors.Is(own.Call(tensors{of4(z)}, in), tileops.ErrClosed) {
					t.Errorf("got %v", err)
				}
				own = tileops.Must(tileops.ParseExpr("(x) -> x + " + itoa(g)))
				runtime.GC()
			}
		}
		own.Close()
	})
}
