package tileops_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// Pools that run parts in other orders and on other goroutines.
var pools = map[string]tileops.Pool{
	"in order": func(parts int, work func(int)) {
		for part := 0; part < parts; part++ {
			work(part)
		}
	},
	"backwards": func(parts int, work func(int)) {
		for part := parts - 1; part >= 0; part-- {
			work(part)
		}
	},
	"goroutines": func(parts int, work func(int)) {
		var all sync.WaitGroup
		for part := 0; part < parts; part++ {
			all.Add(1)
			go func(part int) { defer all.Done(); work(part) }(part)
		}
		all.Wait()
	},
	"three workers": func(parts int, work func(int)) {
		queue := make(chan int)
		var all sync.WaitGroup
		for i := 0; i < 3; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for part := range queue {
					work(part)
				}
			}()
		}
		for part := 0; part < parts; part++ {
			queue <- part
		}
		close(queue)
		all.Wait()
	},
}

func TestExecuteParts(t *testing.T) {
	const rows, columns = 517, 1000
	x := make([]float32, rows*columns)
	for i := range x {
		x[i] = float32(i%97)/16 + 1
	}
	// One phase; and two, of which one leaves sums in a workspace; with scalars.
	for text, shape := range map[string][]int{
		"(x; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e) }": {rows, columns},
		"(x; s = 1.5) -> x * s / sum(x) / sum(x, axis = -2)":           {rows, columns},
	} {
		expr, err := tileops.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		defer expr.Close()
		whole, parts := make([]float32, shape[0]*shape[1]), make([]float32, shape[0]*shape[1])
		in, out := tileops.Must(tileops.Of(x, rows, columns)), tileops.Must(tileops.Of(whole, shape...))
		plan, err := expr.NewPlan([]*tileops.Tensor{out}, []*tileops.Tensor{in})
		if err != nil {
			t.Fatal(err)
		}
		defer plan.Close()
		scalars := []tileops.Number{tileops.Num(0.25)}
		if err := plan.ExecuteWith(scalars, out, in); err != nil {
			t.Fatal(err)
		}
		for name, pool := range pools {
			most := 0
			counted := func(parts int, work func(int)) { most = max(most, parts); pool(parts, work) }
			clear(parts)
			if err := plan.ExecuteParts(counted, scalars, tileops.Must(tileops.Of(parts, shape...)), in); err != nil {
				t.Errorf("%s, %s: %v", text, name, err)
			}
			if !slices.Equal(whole, parts) {
				t.Errorf("%s, %s: other results", text, name)
			}
			if most < 4 {
				t.Errorf("%s: half a million elements in %d parts", text, most)
			}
		}
	}
}

func TestExecutePartsRefuses(t *testing.T) {
	plan := expPlan()
	x, y := zeros(2), zeros(2)
	inOrder := pools["in order"]
	for said, call := range map[string]func() error{
		"pool: nil":                 func() error { return plan.ExecuteParts(nil, nil, y, x) },
		"operands: wrong number":    func() error { return plan.ExecuteParts(inOrder, nil, y) },
		"num_scalars":               func() error { return plan.ExecuteParts(inOrder, []tileops.Number{tileops.Num(1.0)}, y, x) },
		"shape differs":             func() error { return plan.ExecuteParts(inOrder, nil, y, zeros(3)) },
		"part: is out of range":     func() error { return plan.ExecuteParts(func(n int, work func(int)) { work(n) }, nil, y, x) },
		"plan: closed, or not made": func() error { return (*tileops.Plan)(nil).ExecuteParts(inOrder, nil, y, x) },
	} {
		err := call()
		var failed *tileops.Error
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), said) {
			t.Errorf("got %v, want %q", err, said)
		}
	}
}
