package tileops_test

import (
	"errors"
	"fmt"

	"github.com/libtileops/libtileops/bindings/go"
)

// An operator on slices, with b broadcast along the rows.
func Example() {
	a := []float32{1, 2, 3, 4, 5, 6}
	b := []float32{10, 20, 30}
	y := make([]float32, 6)
	err := tileops.Add(tileops.Must(tileops.Of(y, 2, 3)), tileops.Must(tileops.Of(a, 2, 3)), tileops.Must(tileops.Of(b)))
	fmt.Println(y, err)
	// Output: [11 22 33 14 25 36] <nil>
}

// A plan is made once and executed often.
func ExamplePlan() {
	x, y := make([]float32, 3), make([]float32, 3)
	in, out := tileops.Must(tileops.Of(x)), tileops.Must(tileops.Of(y))
	plan, err := tileops.NewPlan(tileops.OpLeakyRelu, []*tileops.Tensor{out}, []*tileops.Tensor{in},
		tileops.WithNegativeSlope(0.5))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer plan.Close()
	for step := float32(1); step <= 2; step++ {
		x[0], x[1], x[2] = -step, 0, step
		if err := plan.Execute(out, in); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(y)
	}
	// Output:
	// [-0.5 0 1]
	// [-1 0 2]
}

// Operators by name, for programs that learn them at run time.
func ExampleCall() {
	y := make([]float64, 2)
	err := tileops.Call("div", []*tileops.Tensor{tileops.Must(tileops.Of(y))},
		[]*tileops.Tensor{tileops.Must(tileops.Of([]float64{7, -7})), tileops.Scalar(2.0)},
		tileops.WithAttr("rounding", "floor"))
	fmt.Println(y, err)
	// Output: [3 -4] <nil>
}

// A column of a row-major matrix, read and written where it lies.
func ExampleView() {
	matrix := []float32{
		1, -2, 3,
		4, -5, 6,
	}
	column := tileops.Must(tileops.View(matrix, tileops.Layout{Shape: []int{2}, Strides: []int{3}, Offset: 1}))
	err := tileops.Abs(column, column)
	fmt.Println(matrix, err)
	// Output: [1 2 3 4 5 6] <nil>
}

// Halves are computed in float32 and rounded once.
// A context with options of its own, in which a call runs.
func ExampleContext() {
	ctx := tileops.Must(tileops.NewContext(tileops.ContextOptions{NumThreads: 2}))
	defer ctx.Close()
	x := tileops.Must(tileops.Of([]tileops.Float16{tileops.NewFloat16(1.5), tileops.NewFloat16(-2)}))
	values := make([]tileops.Float16, 2)
	if err := tileops.Relu(tileops.Must(tileops.Of(values)), x, tileops.WithContext(ctx)); err != nil {
		panic(err)
	}
	fmt.Println(values[0].Float32(), values[1].Float32())
	// Output: 1.5 0
}

func ExampleFloat16() {
	x := []tileops.Float16{tileops.NewFloat16(0.5), tileops.NewFloat16(-3)}
	y := make([]tileops.Float16, 2)
	err := tileops.Gelu(tileops.Must(tileops.Of(y)), tileops.Must(tileops.Of(x)))
	fmt.Println(y[0].Float32(), y[1].Float32(), err)
	// Output: 0.34570312 -0.0040512085 <nil>
}

// An error has the status, the argument and a message that says what is needed.
func ExampleError() {
	y, x := tileops.Must(tileops.Of(make([]float32, 3))), tileops.Must(tileops.Of(make([]float32, 2)))
	err := tileops.Exp(y, x)
	var e *tileops.Error
	if errors.As(err, &e) && errors.Is(err, tileops.StatusInvalidArgument) {
		fmt.Printf("%s[%d] of %s\n%v\n", e.Argument, e.Index, e.Op, err)
	}
	// Output:
	// outputs[0] of exp
	// tileops: exp: tileops_plan_create: outputs[0]: shape is wrong (got (3,), need (2,))
}

// What this library knows of an operator.
func ExampleOp_Info() {
	info, err := tileops.OpSoftplus.Info()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(info.Name, "=", info.Doc)
	for _, a := range info.Attrs {
		fmt.Println(a.Name, a.Default)
	}
	// Output:
	// softplus = beta*x > threshold ? x : log1p(e^(beta*x))/beta
	// beta 1
	// threshold 20
	// fp8_overflow <nil>
}

// Tensors from and to other libraries of the process.
func ExampleFromDLPack() {
	managed, err := tileops.Must(tileops.Of([]int32{1, 2, 3})).DLPack() // by whatever library makes one
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := tileops.FromDLPack(managed)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close() // calls the deleter
	y := make([]int32, 3)
	err = tileops.Neg(tileops.Must(tileops.Of(y)), x)
	fmt.Println(y, err)
	// Output: [-1 -2 -3] <nil>
}

// Several operators in one pass over memory.
func ExampleExpr() {
	expr := tileops.Must(tileops.ParseExpr("(x, y; a = 1.0) -> a * x + y"))
	defer expr.Close()
	x, y := tileops.Must(tileops.Of([]float32{1, 2})), tileops.Must(tileops.Of([]float32{10, 20}))
	z := make([]float32, 2)
	out := tileops.Must(tileops.Of(z))
	plan := tileops.Must(expr.NewPlan([]*tileops.Tensor{out}, []*tileops.Tensor{x, y}))
	defer plan.Close()
	err := plan.ExecuteWith([]tileops.Number{tileops.Num(0.5)}, out, x, y)
	fmt.Println(z, err)
	// Output: [10.5 21] <nil>
}

// A call finds the plan of one before it.
func ExampleExpr_Call() {
	expr := tileops.Must(tileops.ParseExpr("(x, y; a = 1.0) -> a * x + y"))
	defer expr.Close()
	x, y := tileops.Must(tileops.Of([]float32{1, 2})), tileops.Must(tileops.Of([]float32{10, 20}))
	z := make([]float32, 2)
	out := tileops.Must(tileops.Of(z))
	err := expr.Call([]*tileops.Tensor{out}, []*tileops.Tensor{x, y})
	fmt.Println(z, err)
	err = expr.CallWith(tileops.Must(expr.Scalars(map[string]any{"a": 0.5})), []*tileops.Tensor{out}, []*tileops.Tensor{x, y})
	fmt.Println(z, err)
	// Output:
	// [11 22] <nil>
	// [10.5 21] <nil>
}

// The same expression, call by call.
func ExampleBuilder() {
	b := tileops.NewBuilder()
	x, y := b.Operand("x"), b.Operand("y")
	expr, err := b.Result(b.Scalar("a", 1.0).Mul(x).Add(y)).Finish()
	fmt.Println(expr, err)
	// Output: (x, y; a = 1.0) -> a * x + y <nil>
}

// One of those that have a name.
func ExampleNamedExpr() {
	expr, err := tileops.NamedExpr("softcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer expr.Close()
	fmt.Println(expr)
	// Output: (x; cap = 30.0) -> cap * tanh(x / cap)
}

// What comes out, before there is memory for it.
func ExampleExpr_Infer() {
	expr := tileops.Must(tileops.ParseExpr("(x, w) -> { h = x * w;  cast(h, bf16), h > 0 }"))
	defer expr.Close()
	x, w := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 4, 1)), tileops.Must(tileops.Spec(tileops.F16, tileops.CPU(), 3))
	for _, result := range tileops.Must(expr.Infer(x, w)) {
		fmt.Println(result.DType(), result.Shape())
	}
	// Output:
	// bfloat16 [4 3]
	// bool [4 3]
}
