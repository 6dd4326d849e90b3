// A server's step: one plan for any batch. Requests come and go, the number of rows is another one with each step, and
// nothing is planned then; goroutines share the plan.
package main

import (
	"fmt"
	"log"
	"sync"

	tileops "github.com/libtileops/libtileops/bindings/go"
)

const most, columns = 512, 1024

func filled(n int, value func(i int) float32) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = value(i)
	}
	return list
}

// serve has memory once, and says how many rows it computed, and the last batch.
func serve(plan *tileops.Plan, worker int) (string, error) {
	x := filled(most*columns, func(i int) float32 { return float32(i % 5) })
	r := filled(most*columns, func(int) float32 { return 1 })
	w := tileops.Must(tileops.Of(filled(columns, func(int) float32 { return 2 })))
	sum, y := make([]float32, most*columns), make([]float32, most*columns)
	rows := func(list []float32, batch int) *tileops.Tensor {
		return tileops.Must(tileops.Of(list[:batch*columns], batch, columns))
	}
	done, batch := 0, worker
	for step := 0; step < 100; step++ {
		batch = (batch*37 + step) % (most + 1) // requests that came and went; there may be none
		err := plan.Execute(rows(sum, batch), rows(y, batch), rows(x, batch), rows(r, batch), w)
		if err != nil {
			return "", err
		}
		done += batch
	}
	for i, v := range sum[:batch*columns] {
		if v != x[i]+1 {
			return "", fmt.Errorf("element %d is %g", i, v)
		}
	}
	return fmt.Sprintf("worker %d: %d rows by one plan, %d of them last", worker, done, batch), nil
}

func main() {
	expr, err := tileops.ParseExpr("(x[.., n], r[.., n], w[n]) -> { y = x + r;  y, rms_norm(y, w) }")
	if err != nil {
		log.Fatal(err)
	}
	defer expr.Close()
	// Rows are open, up to as many as the memory has; that those of x, r and the results are as many, the text says.
	rows := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), tileops.UpTo(most), columns))
	w := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), columns))
	plan, err := expr.NewPlan([]*tileops.Tensor{rows, rows}, []*tileops.Tensor{rows, rows, w})
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()

	var all sync.WaitGroup
	said := make([]string, 4)
	for i := range said {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			text, err := serve(plan, i+1)
			if err != nil {
				log.Fatal(err)
			}
			said[i] = text
		}(i)
	}
	all.Wait()
	for _, text := range said {
		fmt.Println(text)
	}
	result := tileops.Must(plan.Result(1, 7))
	fmt.Printf("a result of 7 rows: %v, %d bytes moved\n", result.Shape(), tileops.Must(plan.At(7)).BytesMoved)
}
