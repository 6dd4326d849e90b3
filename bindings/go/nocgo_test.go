//go:build !cgo && tileops_nocgo

package tileops_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

// With the tag tileops_nocgo the package compiles without cgo, its tensors work, and what needs the library says what to do.
func TestNoCgo(t *testing.T) {
	x := tileops.Must(tileops.Of([]float32{1, 2}, 2, 1))
	_, context := tileops.NewContext(tileops.ContextOptions{})
	_, plan := tileops.NewPlan(tileops.OpExp, tensors{x}, tensors{x})
	_, devices := tileops.Devices()
	_, alloc := tileops.Default().Alloc(tileops.F32, tileops.CPU(), 2)
	_, dlpack := x.DLPack()
	_, parsed := tileops.ParseExpr("(x) -> x")
	_, named := tileops.NamedExpr("adamw")
	_, built := tileops.NewBuilder().Finish()
	for _, err := range []error{context, plan, devices, alloc, dlpack, parsed, named, built, tileops.Exp(x, x), tileops.Call("exp", nil, nil)} {
		if !errors.Is(err, tileops.ErrNoCgo) || !strings.Contains(err.Error(), "set CGO_ENABLED=1") {
			t.Errorf("got %v", err)
		}
	}
	if tileops.Ops() != nil || tileops.NamedExprs() != nil || tileops.Version() != "none" {
		t.Errorf("got %v, %v", tileops.Ops(), tileops.Version())
	}
}
