// Hello adds two numbers with the library, and says why it cannot.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/libtileops/libtileops/bindings/go"
)

func run() error {
	ctx, err := tileops.NewContext(tileops.ContextOptions{})
	if err != nil {
		return err
	}
	defer ctx.Close()
	sum := []float32{0}
	y, one, two := tileops.Must(tileops.Of(sum)), tileops.Scalar[float32](1), tileops.Must(tileops.Of([]float32{2}))
	if err := tileops.Add(y, one, two, tileops.WithContext(ctx)); err != nil {
		return err
	}
	fmt.Println("libtileops", tileops.Version(), "says that 1 + 2 =", sum[0])
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		fmt.Fprintln(os.Stderr, "errors.Is(err, tileops.ErrVersion):", errors.Is(err, tileops.ErrVersion))
		os.Exit(1)
	}
}
