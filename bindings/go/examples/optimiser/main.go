// A step of AdamW over all parameters of a model by one call: on a GPU one launch for some hundreds of them.
package main

import (
	"fmt"
	"log"
	"math"

	tileops "github.com/libtileops/libtileops/bindings/go"
)

const adamW = `(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {
  n = lerp(m, g, 1 - b1);  q = v * b2 + g * g * (1 - b2);
  p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }`

// parameter has its gradient and its moments beside it, all of one length.
type parameter struct{ p, g, m, v []float32 }

// model has parameters of many lengths, one of which is empty.
func model() []parameter {
	var all []parameter
	for _, size := range []int{96, 1, 7, 0, 64, 65, 1000, 3, 96, 96, 17, 31, 4096, 5, 128, 2, 33, 12, 70000, 8} {
		x := parameter{make([]float32, size), make([]float32, size), make([]float32, size), make([]float32, size)}
		for i := range x.p {
			x.p[i], x.g[i] = float32(i%7)-3, float32(i%5)-2
		}
		all = append(all, x)
	}
	return all
}

// item has what a step writes, p, m and v where they are, and then what it reads.
func (x parameter) item() []*tileops.Tensor {
	of := func(list []float32) *tileops.Tensor { return tileops.Must(tileops.Of(list)) }
	p, g, m, v := of(x.p), of(x.g), of(x.m), of(x.v)
	return []*tileops.Tensor{p, m, v, p, g, m, v}
}

// plainStep is the same step as a loop.
func (x parameter) plainStep(lr float64, t int) {
	for i := range x.p {
		g := float64(x.g[i])
		m := 0.9*float64(x.m[i]) + 0.1*g
		v := 0.999*float64(x.v[i]) + 0.001*g*g
		step := m / (1 - math.Pow(0.9, float64(t))) / (math.Sqrt(v/(1-math.Pow(0.999, float64(t)))) + 1e-8)
		x.p[i] = float32(float64(x.p[i])*(1-lr*0.01) - lr*step)
		x.m[i], x.v[i] = float32(m), float32(v)
	}
}

func main() {
	expr, err := tileops.ParseExpr(adamW)
	if err != nil {
		log.Fatal(err)
	}
	defer expr.Close()
	// One plan for parameters of any length.
	x := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), tileops.Open))
	plan, err := expr.NewPlan([]*tileops.Tensor{x, x, x}, []*tileops.Tensor{x, x, x, x}, tileops.WithList())
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()

	trained, plain := model(), model()
	var items [][]*tileops.Tensor
	for _, x := range trained {
		items = append(items, x.item())
	}
	for t := 1; t <= 10; t++ {
		lr := 0.01 * float64(11-t)
		scalars := tileops.Must(expr.Scalars(map[string]any{"lr": lr, "t": t}))
		if err := plan.ExecuteList(0, scalars, items...); err != nil {
			log.Fatal(err)
		}
		for _, x := range plain {
			x.plainStep(lr, t)
		}
	}
	for k, x := range trained {
		for i, p := range x.p {
			if math.Abs(float64(p-plain[k].p[i])) > 1e-5 {
				log.Fatalf("element %d of parameter %d is %g, and %g by a loop", i, k, p, plain[k].p[i])
			}
		}
	}
	fmt.Printf("%d tensors by one call a step, as a plain loop has them\n", len(items))
}
