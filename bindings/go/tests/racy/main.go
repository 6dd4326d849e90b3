// Racy writes a slice in one goroutine while a call reads it in another, which the race detector must
// find; with an argument the two use different columns of one matrix, which it must not.
package main

import (
	"os"
	"sync"

	tileops "github.com/libtileops/libtileops/bindings/go"
)

func main() {
	const rows = 64
	matrix := make([]float32, 2*rows)
	column := tileops.Must(tileops.View(matrix, tileops.Layout{Shape: []int{rows}, Strides: []int{2}}))
	y := tileops.Must(tileops.Of(make([]float32, rows)))
	written := len(os.Args) - 1 // the column that is written
	var both sync.WaitGroup
	both.Add(2)
	go func() {
		defer both.Done()
		if err := tileops.Exp(y, column); err != nil {
			panic(err)
		}
	}()
	go func() {
		defer both.Done()
		for i := 0; i < rows; i++ {
			matrix[2*i+written] = 1
		}
	}()
	both.Wait()
}
