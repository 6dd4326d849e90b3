package tileops_test

import (
	"fmt"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

func addOperands(n int) (y, a, b *tileops.Tensor) {
	tensor := func() *tileops.Tensor { return tileops.Must(tileops.Of(make([]float32, n))) }
	return tensor(), tensor(), tensor()
}

// BenchmarkExecute is one execute of a plan. ns-over-C is what it takes more than the same loop in
// C.
func BenchmarkExecute(b *testing.B) {
	for _, n := range []int{1, 1 << 10, 1 << 16, 1 << 20} {
		b.Run(fmt.Sprintf("add/float32/%d", n), func(b *testing.B) {
			y, x, z := addOperands(n)
			plan := tileops.Must(tileops.NewPlan(tileops.OpAdd, []*tileops.Tensor{y}, []*tileops.Tensor{x, z}))
			defer plan.Close()
			b.SetBytes(int64(12 * n))
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				if err := plan.Execute(y, x, z); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			direct := plan.TimeAdd(n, b.N)
			if direct < 0 {
				b.Fatal("the C loop failed")
			}
			b.ReportMetric(float64((b.Elapsed()-direct).Nanoseconds())/float64(b.N), "ns-over-C/op")
		})
	}
}

// BenchmarkCall is the typed function, with its look-up of the plan.
func BenchmarkCall(b *testing.B) {
	y, x, z := addOperands(1)
	b.SetBytes(12)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if err := tileops.Add(y, x, z, tileops.WithAlpha(2)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExprCall is a call of an expression with a scalar.
func BenchmarkExprCall(b *testing.B) {
	y, x, z := addOperands(1)
	expr := tileops.Must(tileops.ParseExpr("(x, z; a = 1.0) -> x + z * a"))
	defer expr.Close()
	scalars := []tileops.Number{tileops.Num(2.0)}
	b.SetBytes(12)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if err := expr.CallWith(scalars, tensors{y}, tensors{x, z}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParallel is one plan from many goroutines.
func BenchmarkParallel(b *testing.B) {
	y, x, z := addOperands(1)
	plan := tileops.Must(tileops.NewPlan(tileops.OpAdd, []*tileops.Tensor{y}, []*tileops.Tensor{x, z}))
	defer plan.Close()
	b.SetBytes(12)
	b.RunParallel(func(pb *testing.PB) {
		y, _, _ := addOperands(1)
		for pb.Next() {
			if err := plan.Execute(y, x, z); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
