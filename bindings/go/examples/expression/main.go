// A gated activation with a residual in one pass over memory: from a text and built call by call, with
// a scalar that changes, and its gradient; and one by its name.
package main

import (
	"fmt"
	"log"

	tileops "github.com/libtileops/libtileops/bindings/go"
)

func main() {
	expr, err := tileops.ParseExpr("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")
	if err != nil {
		log.Fatal(err)
	}
	defer expr.Close()

	// The same, built; what is a function or an operator in a text is a method.
	b := tileops.NewBuilder()
	g, u, r := b.Operand("g"), b.Operand("u"), b.Operand("r")
	b.Result(g.Silu().Mul(u).Mul(b.Scalar("scale", 1.0)).Add(r))
	built := tileops.Must(b.Finish())
	defer built.Close()
	fmt.Println(built.String() == expr.String())

	y := make([]float32, 4)
	out := tileops.Must(tileops.Of(y, 2, 2))
	in := []*tileops.Tensor{
		tileops.Must(tileops.Of([]float32{-1, 0, 1, 2}, 2, 2)),
		tileops.Must(tileops.Of([]float32{2, 2})), // broadcast along the rows
		tileops.Scalar[float32](10),
	}

	// Made once, executed often; scalars come with each execute.
	plan, err := expr.NewPlan([]*tileops.Tensor{out}, in)
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()
	scalars, err := expr.Scalars(map[string]any{"scale": 0.5})
	if err != nil {
		log.Fatal(err)
	}
	if err := plan.ExecuteWith(scalars, out, in[0], in[1], in[2]); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", y)

	gradient := tileops.Must(expr.Gradient("g"))
	defer gradient.Close()
	fmt.Println(gradient.Info().Operands[3].Name, gradient.Info().Results)

	// Some 170 expressions have a name; NamedExprs lists them.
	swiglu := tileops.Must(tileops.NamedExpr("swiglu_residual"))
	defer swiglu.Close()
	fmt.Println(swiglu)

	// Errors show the place in the text.
	_, err = tileops.ParseExpr("(x) -> x * (1 + )")
	fmt.Println(err)
}
