package tileops_test

import (
	"math"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

const wrongStatus = tileops.StatusInvalidArgument

// scaled is an expression with scalars, and a plan of it for [zeros] of 2.
func scaled() (*tileops.Expr, *tileops.Plan) {
	expr := tileops.Must(tileops.ParseExpr("(x; scale = 1.0, n = 3) -> x * scale + n"))
	return expr, tileops.Must(expr.NewPlan(tensors{zeros(2)}, tensors{zeros(2)}))
}

// scalars are values by name for [scaled].
func scalars(values map[string]any) error {
	expr, _ := scaled()
	_, err := expr.Scalars(values)
	return err
}

// built is the error of an expression that is built.
func built(build func(b *tileops.Builder)) error {
	b := tileops.NewBuilder()
	build(b)
	_, err := b.Finish()
	return err
}

// masked is a plan of dropout with its optional second output, or without.
func masked(with bool) (plan *tileops.Plan, y, mask, x *tileops.Tensor) {
	y, x, mask = zeros(2), zeros(2), tileops.Must(tileops.Of(make([]bool, 2)))
	outputs := tensors{y, nil}
	if with {
		outputs[1] = mask
	}
	return tileops.Must(tileops.NewPlan(tileops.OpDropout, outputs, tensors{x})), y, mask, x
}

// wrongArguments belong to wrongCalls: what is nil, empty, no name, or beyond a range, in each place that takes one.
var wrongArguments = []wrongCall{
	// Names of scalars and operands are whole.
	{"no name of a scalar", func() error { return scalars(map[string]any{"": 1}) },
		wrongStatus, nil, "values", -1, `unknown name (got "", need scale, n)`},
	{"two names of scalars as one", func() error { return scalars(map[string]any{"scale n": 1}) },
		wrongStatus, nil, "values", -1, `unknown name (got "scale n", need scale, n)`},
	{"part of a name of a scalar", func() error { return scalars(map[string]any{"scale": 1, "scal": 1}) },
		wrongStatus, nil, "values", -1, `unknown name (got "scal", need scale, n)`},
	{"an operand for a scalar", func() error { return scalars(map[string]any{"x": 1}) },
		wrongStatus, nil, "values", -1, `unknown name (got "x", need scale, n)`},
	{"a scalar of an expression that has none", func() error {
		_, err := tileops.Must(tileops.ParseExpr("(x) -> x")).Scalars(map[string]any{"": nil})
		return err
	}, wrongStatus, nil, "values", -1, `unknown name (got "", need none)`},
	{"no name of an operand", func() error { expr, _ := scaled(); _, err := expr.Gradient(""); return err },
		wrongStatus, nil, "operands", 0, `unknown name (got "", need x)`},
	{"a scalar for an operand", func() error { expr, _ := scaled(); _, err := expr.Gradient("x", "n"); return err },
		wrongStatus, nil, "operands", 1, `unknown name (got "n", need x)`},
	{"a name with a NUL in a builder", func() error {
		return built(func(b *tileops.Builder) { b.Result(b.Operand("x\x00y").Exp()) })
	}, wrongStatus, nil, "name", -1, `has a NUL (got "x\x00y")`},
	{"the name of a result with a NUL", func() error {
		return built(func(b *tileops.Builder) { b.ResultAs("y\x00", b.Operand("x").Exp()) })
	}, wrongStatus, nil, "name", -1, "has a NUL"},
	{"no name of an operator", func() error { _, err := tileops.OpByName(""); return err },
		wrongStatus, nil, "name", -1, `no such operator (got "")`},
	{"no name of an attribute", func() error { return tileops.Add(zeros(2), zeros(2), zeros(2), tileops.WithAttr("", 1)) },
		wrongStatus, nil, "options", 0, `no such attribute (got "")`},
	{"no name of a choice", func() error { return tileops.Gelu(zeros(2), zeros(2), tileops.WithAttr("approximate", "")) },
		wrongStatus, nil, "options", 0, `no such choice (got "", need one of none, tanh)`},
	{"two choices as one", func() error {
		return tileops.Gelu(zeros(2), zeros(2), tileops.WithAttr("approximate", "none|tanh"))
	}, wrongStatus, nil, "options", 0, "no such choice"},
	{"no name of an expression", func() error { _, err := tileops.NamedExpr(""); return err },
		wrongStatus, nil, "name", -1, ""},
	{"no name of a dtype at all", func() error { _, err := tileops.ParseDType(""); return err },
		wrongStatus, nil, "name", -1, `unknown dtype (got "")`},
	{"no name of a device at all", func() error { _, err := tileops.ParseDevice(""); return err },
		wrongStatus, nil, "text", -1, `no device (got ""`},

	// Numbers.
	{"a bool for a scalar", func() error { return scalars(map[string]any{"n": true}) },
		wrongStatus, nil, "values", -1, "n: a bool (got true, need an integer or a float)"},
	{"a bool for a scalar in order", func() error {
		_, plan := scaled()
		return plan.ExecuteWith([]tileops.Number{{}, tileops.Num(false)}, zeros(2), zeros(2))
	}, wrongStatus, nil, "scalars", 1, "a bool (got false, need an integer or a float)"},
	{"nil for a scalar", func() error { return scalars(map[string]any{"n": nil}) },
		wrongStatus, nil, "values", -1, "n: no number (got <nil>"},
	{"a fraction for an integer", func() error {
		_, plan := scaled()
		return plan.ExecuteWith([]tileops.Number{{}, tileops.Num(2.5)}, zeros(2), zeros(2))
	}, wrongStatus, nil, "scalars", 1, "'n' must be an integer (got 2.5)"},
	{"a float beyond the integers", func() error {
		_, plan := scaled()
		return plan.ExecuteWith([]tileops.Number{{}, tileops.Num(0x1p63)}, zeros(2), zeros(2))
	}, wrongStatus, nil, "scalars", 1, "'n' must be an integer"},
	{"a large number in a builder", func() error {
		return built(func(b *tileops.Builder) { b.Result(b.Operand("x").Add(uint64(math.MaxUint64))) })
	}, wrongStatus, nil, "values", 1, "too large (got 18446744073709551615"},
	{"the zero Number in a builder", func() error {
		return built(func(b *tileops.Builder) { b.Result(b.Const(tileops.Number{})) })
	}, wrongStatus, nil, "value", -1, "the zero Number"},
	{"a pointer in a builder", func() error {
		return built(func(b *tileops.Builder) { b.Result(b.Operand("x").Add((*tileops.Node)(nil))) })
	}, wrongStatus, nil, "values", 1, "no number"},
	{"a stream in a builder", func() error {
		return built(func(b *tileops.Builder) { b.Result(b.Operand("x").Exp(tileops.WithStream(0))) })
	}, wrongStatus, nil, "options", 0, "no attribute"},

	{"a factor beyond the dtype of its operands", func() error {
		return tileops.Add(of[uint8](0), of[uint8](1), of[uint8](1), tileops.WithAlpha(300))
	}, wrongStatus, nil, "attrs", 0, "alpha"},
	{"a value beyond the dtype of its operand", func() error {
		return tileops.MaskedFill(of[int8](0), of[int8](1), of(true), nil, tileops.WithAttr("value", -129))
	}, wrongStatus, nil, "attrs", 0, "value"},
	{"a number beyond the dtype of an operand", func() error {
		b := tileops.NewBuilder()
		expr := tileops.Must(b.Result(b.Operand("x").Add(300).Gt(1)).Finish())
		return expr.Call(tensors{of(false)}, tensors{of[uint8](200)})
	}, wrongStatus, nil, "add", -1, "300 is out of range for uint8"},

	// What is nil, or the zero value.
	{"a nil builder", func() error {
		var b *tileops.Builder
		_, err := b.Result(b.Operand("x").Add(b.Scalar("s", 1)).Mul(b.Const(2))).ResultAs("y", b.Optional("w", nil)).Finish()
		return err
	}, wrongStatus, tileops.ErrClosed, "builder", -1, ""},
	{"a nil builder that applies", func() error {
		_, err := ((*tileops.Builder)(nil)).Result(((*tileops.Builder)(nil)).Apply(tileops.OpExp, []any{1, nil, tileops.Node{}})).Finish()
		return err
	}, wrongStatus, tileops.ErrClosed, "builder", -1, ""},
	{"the zero Node", func() error { return built(func(b *tileops.Builder) { b.Result(tileops.Node{}.Exp()) }) },
		wrongStatus, nil, "", -1, "no node of this builder"},
	{"a nil expression", func() error { return (*tileops.Expr)(nil).Call(nil, nil) },
		wrongStatus, tileops.ErrClosed, "expr", -1, ""},
	{"the zero Expr", func() error { return new(tileops.Expr).Call(tensors{zeros(2)}, tensors{zeros(2)}) },
		wrongStatus, tileops.ErrClosed, "expr", -1, ""},
	{"the zero Context", func() error {
		expr, _ := scaled()
		return expr.Call(tensors{zeros(2)}, tensors{zeros(2)}, tileops.WithContext(new(tileops.Context)))
	}, wrongStatus, tileops.ErrClosed, "context", -1, ""},
	{"a nil result", func() error { expr, _ := scaled(); return expr.Call(tensors{nil}, tensors{zeros(2)}) },
		wrongStatus, nil, "outputs", 0, "is absent"},
	{"the second of two results nil", func() error {
		expr := tileops.Must(tileops.ParseExpr("(x) -> x, x + 1"))
		_, err := expr.NewPlan(tensors{zeros(2), nil}, tensors{zeros(2)})
		return err
	}, wrongStatus, nil, "outputs", 1, "is absent"},
	{"a nil output of a plan", func() error { return expPlan().Execute(nil, zeros(2)) },
		wrongStatus, nil, "outputs", 0, "is NULL"},
	{"a nil output of a plan, unchecked", func() error { return expPlan().ExecuteUnchecked(0, nil, zeros(2)) },
		wrongStatus, nil, "outputs", 0, "is NULL"},
	{"an output that was planned is nil", func() error { p, y, _, x := masked(true); return p.Execute(y, nil, x) },
		wrongStatus, nil, "outputs", 1, "is NULL"},
	{"an output that was planned is nil, unchecked", func() error {
		p, y, _, x := masked(true)
		return p.ExecuteUnchecked(0, y, nil, x)
	}, wrongStatus, nil, "outputs", 1, "is NULL"},
	{"an output that was nil when planned", func() error { p, y, m, x := masked(false); return p.Execute(y, m, x) },
		wrongStatus, nil, "outputs", 1, "was absent when planned"},
	{"a nil operand of a call of an expression", func() error { expr, _ := scaled(); return expr.Call(tensors{zeros(2)}, tensors{nil}) },
		wrongStatus, nil, "inputs", 0, "is absent"},
	{"an attribute for a call of an expression", func() error {
		expr, _ := scaled()
		return expr.Call(tensors{zeros(2)}, tensors{zeros(2)}, tileops.WithStream(0), tileops.WithAttr("alpha", 1))
	}, wrongStatus, nil, "options", 1, "an attribute"},
	{"nil to copy to", func() error { return tileops.Default().Copy(nil, zeros(2), 0) },
		wrongStatus, nil, "dst", -1, "is nil"},
	{"the zero tensor to copy", func() error { return tileops.Default().Copy(zeros(2), new(tileops.Tensor), 0) },
		wrongStatus, tileops.ErrClosed, "src", -1, ""},
	{"the memory of a Spec", func() error { _, err := tileops.Data[float32](spec(2)); return err },
		wrongStatus, nil, "tensor", -1, "a Spec, which has no memory"},
	{"DLPack of a Spec", func() error { _, err := spec(2).DLPack(); return err },
		wrongStatus, nil, "tensor", -1, "a Spec, which has no memory"},
	{"a nil stream", func() error { return (*tileops.OwnedStream)(nil).Synchronize() },
		wrongStatus, tileops.ErrClosed, "stream", -1, ""},

	// Ranges.
	{"a negative extent behind none", func() error { _, err := tileops.Of([]float32{}, 0, -3); return err },
		wrongStatus, nil, "shape", 1, "negative extent (got -3)"},
	{"a negative extent of a view", func() error { _, err := spec(1, 1).Expand(0, -1); return err },
		wrongStatus, nil, "shape", 1, "negative extent"},
	{"an axis of a tensor that has none", func() error { _, err := tileops.Scalar(1.0).Slice(0, 0, 0, 1); return err },
		wrongStatus, nil, "axis", -1, "out of range"},
	{"a device beyond 32 bits", func() error {
		_, err := tileops.Default().Alloc(tileops.F32, tileops.Device{Type: tileops.DeviceCPU, Index: 1 << 32}, 2)
		return err
	}, tileops.StatusNoDevice, nil, "device", -1, "no such device (got cpu:4294967296"},
	{"a stream of a device beyond 32 bits", func() error {
		_, err := tileops.Default().NewStream(tileops.Device{Type: tileops.DeviceCPU, Index: 1 << 32})
		return err
	}, tileops.StatusNoDevice, nil, "device", -1, "no such device"},
	{"a wait for a device beyond 32 bits", func() error {
		return tileops.Default().Synchronize(tileops.Device{Type: tileops.DeviceCPU, Index: -1 << 32}, 0)
	}, tileops.StatusNoDevice, nil, "device", -1, "no such device"},
	{"memory that ends beyond all addresses", func() error {
		y := tileops.Must(tileops.FromPointer(^uintptr(0)-7, tileops.F64, tileops.CPU(), []int{1 << 61}, nil))
		_, err := tileops.Data[float64](y)
		return err
	}, wrongStatus, nil, "tensor", -1, "ends beyond all addresses"},
	{"a dtype that does not exist", func() error { _, err := tileops.Spec(tileops.DType(200), tileops.CPU(), 1); return err },
		wrongStatus, nil, "dtype", -1, "DType(200)"},
}

func spec(shape ...int) *tileops.Tensor {
	return tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), shape...))
}

// What has no error to give has a value that says so.
func TestNothingOfNil(t *testing.T) {
	if op := (*tileops.Plan)(nil).Op(); op != 0 {
		t.Errorf("got %v", op)
	}
	if s := (*tileops.OwnedStream)(nil).Stream(); s != 0 {
		t.Errorf("got %v", s)
	}
	if e := (*tileops.Expr)(nil); e.String() != "" || e.Info().Results != nil || new(tileops.Expr).String() != "" {
		t.Errorf("got %v", e)
	}
	if x := (*tileops.Tensor)(nil); x.Len() != 0 || x.Shape() != nil || x.DType() != tileops.Invalid || x.Address() != 0 ||
		x.Device() != (tileops.Device{}) || x.String() != new(tileops.Tensor).String() {
		t.Errorf("got %v", x)
	}
	tileops.ReleaseDLPack(nil)
}

// A float that is an integer is taken for one, as in C.
func TestIntegralFloats(t *testing.T) {
	expr, plan := scaled()
	y := make([]float32, 2)
	values := tileops.Must(expr.Scalars(map[string]any{"n": 5.0, "scale": 2}))
	if err := plan.ExecuteWith(values, tileops.Must(tileops.Of(y)), of[float32](1, 10)); err != nil || y[0] != 7 || y[1] != 25 {
		t.Errorf("got %v, %v", y, err)
	}
}
