//go:build refused

// What the compiler must refuse: these types could be integers or halves. run.sh types builds it.
package main

import "github.com/libtileops/libtileops/bindings/go"

type half uint16

type derived tileops.Float16

type eight uint8

func main() {
	tileops.Of([]half{0x3c00})
	tileops.Of([]derived{0x3c00})
	tileops.Scalar(eight(1))
}
