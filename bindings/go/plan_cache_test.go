package tileops_test

import (
	"runtime"
	"testing"
	"time"

	tileops "github.com/libtileops/libtileops/bindings/go"
)

// What makes a call another one: each has its own plan, and its own result, twice in turn.
func TestCallsThatDiffer(t *testing.T) {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{}))
	defer ctx.Close()
	with := func(options ...tileops.Option) []tileops.Option { return append(options, tileops.WithContext(ctx)) }
	a, b, row := []float32{1, -2, 3, 5}, []float32{10, 20, 30, 40}, []float32{0, 0, 0, 0}
	two := func(data []float32, strides ...int) *tileops.Tensor {
		return tileops.Must(tileops.View(data, tileops.Layout{Shape: []int{2, 2}, Strides: strides}))
	}
	y := func(strides ...int) *tileops.Tensor { return two(row, strides...) }
	calls := []struct {
		name string
		run  func() error
		want [4]float32
	}{
		{"add", func() error { return tileops.Add(y(), two(a), two(b), with()...) }, [4]float32{11, 18, 33, 45}},
		{"operator", func() error { return tileops.Sub(y(), two(a), two(b), with()...) }, [4]float32{-9, -22, -27, -35}},
		{"attribute", func() error { return tileops.Add(y(), two(a), two(b), with(tileops.WithAlpha(2))...) },
			[4]float32{21, 38, 63, 85}},
		{"its value", func() error { return tileops.Add(y(), two(a), two(b), with(tileops.WithAlpha(-1))...) },
			[4]float32{-9, -22, -27, -35}},
		{"strides of an input", func() error { return tileops.Add(y(), two(a), two(b, 1, 2), with()...) },
			[4]float32{11, 28, 23, 45}},
		{"strides of the output", func() error { return tileops.Add(y(1, 2), two(a), two(b), with()...) },
			[4]float32{11, 33, 18, 45}},
		{"shape", func() error { return tileops.Add(tileops.Must(tileops.Of(row)), of(a...), of(b...), with()...) },
			[4]float32{11, 18, 33, 45}},
		{"dtype", func() error {
			return tileops.Add(y(), two(a), tileops.Must(tileops.Of([]int8{1, 1, 1, 1}, 2, 2)), with()...)
		},
			[4]float32{2, -1, 4, 6}},
		{"flag", func() error { return tileops.Add(y(), two(a), two(b), with(tileops.WithReproducible())...) },
			[4]float32{11, 18, 33, 45}},
		{"absent input", func() error { return tileops.Clamp(y(), two(a), nil, tileops.Scalar(float32(2)), with()...) },
			[4]float32{1, -2, 2, 2}},
		{"the other absent", func() error { return tileops.Clamp(y(), two(a), tileops.Scalar(float32(2)), nil, with()...) },
			[4]float32{2, 2, 3, 5}},
	}
	for round := 0; round < 2; round++ {
		for _, c := range calls {
			clear(row)
			if err := c.run(); err != nil || [4]float32(row) != c.want {
				t.Errorf("%s: got %v, %v, want %v", c.name, row, err, c.want)
			}
		}
		if got := tileops.PlansOf(ctx); got != len(calls) {
			t.Errorf("round %d: got %d plans, want %d", round, got, len(calls))
		}
	}
	if got := tileops.Must(ctx.CacheStats()); got.PlanHits+got.PlanMisses != uint64(len(calls)) {
		t.Errorf("the library was asked again: %+v", got)
	}
}

// No more plans are kept than the context may have; the rest are freed.
func TestPlanCapacity(t *testing.T) {
	waitForCached := func(most int) {
		t.Helper()
		for i := 0; i < 2000 && tileops.CachedPlans() > most; i++ {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if got := tileops.CachedPlans(); got > most {
			t.Errorf("got %d plans, want at most %d", got, most)
		}
	}
	waitForCached(tileops.PlansOf(tileops.Default())) // those of contexts of other tests
	before := tileops.PlansOf(tileops.Default())
	for _, capacity := range []uint32{1, 3, 9, 1000} {
		ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{PlanCapacity: capacity}))
		for n := 1; n <= 400; n++ {
			if err := tileops.Neg(zeros(n), zeros(n), tileops.WithContext(ctx)); err != nil {
				t.Fatal(err)
			}
		}
		if got := tileops.PlansOf(ctx); got < 1 || got > min(int(capacity), 256) {
			t.Errorf("capacity %d: %d plans", capacity, got)
		}
		waitForCached(before + tileops.PlansOf(ctx))
		ctx.Close()
	}
	waitForCached(before)

	t.Setenv("TILEOPS_PLAN_CAPACITY", "0")
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{}))
	defer ctx.Close()
	for i := 0; i < 2; i++ {
		if err := tileops.Neg(zeros(1), zeros(1), tileops.WithContext(ctx)); err != nil || tileops.PlansOf(ctx) != 0 {
			t.Errorf("got %v, %d plans", err, tileops.PlansOf(ctx))
		}
	}
}

// Many goroutines fill, use and clear one small cache at once.
func TestPlanCacheFromManyGoroutines(t *testing.T) {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{PlanCapacity: 8}))
	defer ctx.Close()
	inGoroutines(8, func(g int) {
		for i := 0; i < 400; i++ {
			n := (g+i)%20 + 1
			x, y := make([]float32, n), make([]float32, n)
			x[n-1] = float32(i)
			if err := tileops.Neg(tileops.Must(tileops.Of(y)), tileops.Must(tileops.Of(x)), tileops.WithContext(ctx)); err != nil ||
				y[n-1] != -float32(i) {
				t.Errorf("got %v, %v", y, err)
				return
			}
			if i%100 == 99 {
				if err := ctx.ClearCache(tileops.CachePlans); err != nil {
					t.Error(err)
				}
				runtime.GC()
			}
		}
	})
}
