package tileops_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
)

func parse(t *testing.T, text string) *tileops.Expr {
	t.Helper()
	expr, err := tileops.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { expr.Close() })
	return expr
}

// runExpr computes the one result of slices of equal length.
func runExpr(t *testing.T, expr *tileops.Expr, scalars []tileops.Number, inputs ...[]float32) ([]float32, error) {
	t.Helper()
	y := make([]float32, len(inputs[0]))
	out := tileops.Must(tileops.Of(y))
	var in tensors
	for _, x := range inputs {
		in = append(in, tileops.Must(tileops.Of(x)))
	}
	plan, err := expr.NewPlan(tensors{out}, in)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	return y, plan.ExecuteWith(scalars, append(tensors{out}, in...)...)
}

func TestExprInfo(t *testing.T) {
	expr := parse(t, "(x, r, w = 1; eps = 1e-6, n = 2) -> { h = x + r;  h * rsqrt(h * h + eps) * w ** n,  h }")
	want := tileops.ExprInfo{
		Operands:    []tileops.ExprOperand{{Name: "x"}, {Name: "r"}, {Name: "w", Default: int64(1)}},
		MinOperands: 2,
		Scalars:     []tileops.ExprOperand{{Name: "eps", Default: 1e-6}, {Name: "n", Default: int64(2)}},
		Results:     []string{"y0", "h"}, Nodes: 7,
	}
	if got := expr.Info(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n := parse(t, "(x; a = 1.0, b = 2.0) -> x * (a + b)").Info().HostNodes; n != 1 {
		t.Errorf("got %d functions of scalars", n)
	}
	if again := parse(t, expr.String()); again.String() != expr.String() {
		t.Errorf("%s is not %s", again, expr)
	}
	if a, b := parse(t, "(a)->a+1 # the same").String(), parse(t, "(a) -> a + 1").String(); a != b {
		t.Errorf("%s is not %s", a, b)
	}
}

func TestExprNodes(t *testing.T) {
	nodes, results := parse(t, "(x; s = 2) -> { a = silu(x) + 2.5; a, sum(a * s, axis = -2) }").Nodes()
	want := []tileops.ExprNode{
		{Kind: tileops.NodeOperand},
		{Kind: tileops.NodeFunction, Op: tileops.OpSilu, Arguments: []int{0}},
		{Kind: tileops.NodeConstant, Value: 2.5},
		{Kind: tileops.NodeFunction, Op: tileops.OpAdd, Arguments: []int{1, 2}},
		{Kind: tileops.NodeScalar},
		{Kind: tileops.NodeFunction, Op: tileops.OpMul, Arguments: []int{3, 4}},
		{Kind: tileops.NodeFunction, Op: tileops.OpSum, Arguments: []int{5}, Attrs: map[string]any{"axis": int64(2)}},
	}
	if !reflect.DeepEqual(nodes, want) || !slices.Equal(results, []int{3, 6}) {
		t.Errorf("got %+v and %v, want %+v", nodes, results, want)
	}
	for _, row := range tileops.NamedExprs() {
		expr := parse(t, row.Text)
		nodes, results := expr.Nodes()
		functions := 0
		for at, node := range nodes {
			for _, argument := range node.Arguments {
				if argument >= at {
					t.Errorf("%s: node %d takes %d", row.Name, at, argument)
				}
			}
			if node.Kind == tileops.NodeFunction {
				functions++
			}
		}
		if info := expr.Info(); functions != info.Nodes+info.HostNodes || len(results) != len(info.Results) {
			t.Errorf("%s: got %d functions and %d results of %+v", row.Name, functions, len(results), info)
		}
	}
}

func TestExprErrors(t *testing.T) {
	for _, c := range []struct {
		text    string
		offset  int
		status  tileops.Status
		message string
	}{
		{"(x) -> sillu(x)", 7, tileops.StatusInvalidArgument, "is 'silu' meant?"},
		{"(x) -> x +", 10, tileops.StatusInvalidArgument, "expected"},
		{"(x, x) -> x", 4, tileops.StatusInvalidArgument, "'x' is bound twice"},
		{"", 0, tileops.StatusInvalidArgument, "expected"},
		{"(x) -> \x00", 7, tileops.StatusInvalidArgument, ""},
		{"(x) -> rope_neox(x)", 7, tileops.StatusUnsupported, "operator alone"},
	} {
		_, err := tileops.ParseExpr(c.text)
		var e *tileops.Error
		if !errors.As(err, &e) || e.Offset != c.offset || !errors.Is(err, c.status) || !strings.Contains(e.Message, c.message) ||
			e.Func != "tileops_expr_parse" {
			t.Errorf("%q: got %+v", c.text, e)
		}
	}
	// When it is planned, what the text says is shown as well; other failures are about no text.
	_, err := parse(t, "(x, y) -> exp(x) + y").NewPlan(tensors{zeros(3)}, tensors{zeros(3), zeros(2)})
	var e *tileops.Error
	if !errors.As(err, &e) || e.Offset != 19 || e.Op != "" {
		t.Errorf("got %+v", e)
	}
	if err := tileops.Exp(zeros(2), zeros(3)); !errors.As(err, &e) || e.Offset != -1 {
		t.Errorf("got %+v", e)
	}
	if _, err := parse(t, "(x) -> x").Gradient("y"); !errors.As(err, &e) || e.Offset != -1 || e.Index != 0 {
		t.Errorf("got %+v", e)
	}
	if _, err := parse(t, "(x) -> x").NewPlan(tensors{zeros(2)}, tensors{zeros(2)}, tileops.WithAlpha(2)); !errors.As(err, &e) ||
		e.Argument != "options" {
		t.Errorf("got %+v", e)
	}
}

func TestNamedExprs(t *testing.T) {
	rows := tileops.NamedExprs()
	if len(rows) <= 30 {
		t.Errorf("%d expressions have a name", len(rows))
	}
	for _, row := range rows {
		expr, err := tileops.NamedExpr(row.Name)
		if err != nil || expr.String() != parse(t, row.Text).String() || row.Doc == "" {
			t.Errorf("%+v: got %v, %v", row, expr, err)
		}
		expr.Close()
	}
	swiglu := tileops.Must(tileops.NamedExpr("swiglu_residual"))
	defer swiglu.Close()
	y, err := runExpr(t, swiglu, nil, []float32{0, 1}, []float32{2, 3}, []float32{10, 20})
	if err != nil || y[0] != 10 || math.Abs(float64(y[1])-(3/(1+math.Exp(-1))+20)) > 1e-5 {
		t.Errorf("got %v, %v", y, err)
	}
	var e *tileops.Error
	if _, err := tileops.NamedExpr("no_such"); !errors.As(err, &e) || !errors.Is(err, tileops.StatusInvalidArgument) ||
		e.Argument != "name" || e.Message != "tileops_expr_named: name: there is no expression 'no_such'" {
		t.Errorf("got %+v", e)
	}
	if _, err := tileops.NamedExpr("adamw\x00"); !errors.Is(err, tileops.StatusInvalidArgument) {
		t.Errorf("got %v", err)
	}
}

func TestExprOf(t *testing.T) {
	norm := tileops.Must(tileops.NamedExpr("add_rms_norm"))
	own := parse(t, "(a, b = 2; s = 1.0) -> a * b + s")
	b := tileops.NewBuilder()
	x, r := b.Operand("x"), b.Operand("r")
	sum := norm.Of(b, x, r, nil, 1e-5)
	b.Result(own.Of(b, sum[0].Silu(), 3)[0]).ResultAs("h", sum[1])
	norm.Close() // what has been called stays
	built, err := b.Finish()
	if want := parse(t, "(x, r) -> { y, h = add_rms_norm(x, r, eps = 1e-5); silu(y) * 3 + 1.0, h }"); err != nil ||
		built.String() != want.String() {
		t.Errorf("got %v, %v, want %v", built, err, want)
	}
	for text, call := range map[string]func(b *tileops.Builder) tileops.Node{
		"closed, or not made": func(b *tileops.Builder) tileops.Node { return norm.Of(b, b.Operand("x"))[0] },
		"'a' is missing":      func(b *tileops.Builder) tileops.Node { return own.Of(b)[0] },
		"'s' takes a number (got a tensor)": func(b *tileops.Builder) tileops.Node {
			x := b.Operand("x")
			return own.Of(b, x, x, x)[0]
		},
		"num_arguments: is too large (got 4, need at most 3)": func(b *tileops.Builder) tileops.Node {
			return own.Of(b, b.Operand("x"), 1, 2, 3)[0]
		},
		"need a Node, a number or nil": func(b *tileops.Builder) tileops.Node { return own.Of(b, "x")[0] },
		"is no node of this builder": func(b *tileops.Builder) tileops.Node {
			return own.Of(b, tileops.NewBuilder().Operand("x"))[0]
		},
	} {
		b := tileops.NewBuilder()
		_, err := b.Result(call(b)).Finish()
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
}

// What would broadcast to a wrong loss.
func TestExprShapes(t *testing.T) {
	for _, c := range []struct {
		name, said string
		x, y       []int
	}{
		{"cross_entropy", "label: extent -1 is 8, the text says 1: label[..b, 1]", []int{8, 16}, []int{8}},
		{"cross_entropy_mean", "label: extent -1 is 8, the text says 1: label[..b, 1]", []int{8, 16}, []int{8}},
		{"token_logprob", "label: its leading extents are (1, 8), the text says (8)", []int{8, 16}, []int{1, 8, 1}},
		{"mse", "target: its leading extents are (4), the text says (4, 1): target[..b]", []int{4, 1}, []int{4}},
		{"bce_logits", "target: its leading extents are (4, 1), the text says (4): target[..b]", []int{4}, []int{4, 1}},
	} {
		expr := tileops.Must(tileops.NamedExpr(c.name))
		other := tileops.F32
		if strings.HasPrefix(c.said, "label") {
			other = tileops.I64
		}
		x := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), c.x...))
		y := tileops.Must(tileops.Spec(other, tileops.CPU(), c.y...))
		if _, err := expr.Infer(x, y); err == nil || !strings.Contains(err.Error(), c.said) {
			t.Errorf("%s: got %v", c.name, err)
		}
		expr.Close()
	}
}

func TestBuilder(t *testing.T) {
	for text, build := range map[string]func(b *tileops.Builder){
		"(x, w = 1; s = 0.5, n = 3) -> { out = (1 - n) * x; 2.0 * x + w - 1 / (x % 3.0) * -s, out, x }": func(b *tileops.Builder) {
			x, w := b.Operand("x"), b.Optional("w", 1)
			s, n := b.Scalar("s", 0.5), b.Scalar("n", int8(3))
			b.Result(b.Const(2.0).Mul(x).Add(w).Sub(b.Const(1).Div(x.Remainder(3.0)).Mul(s.Neg())))
			b.ResultAs("out", b.Const(1).Sub(n).Mul(x)).ResultAs("x", x)
		},
		`(x, y) -> (x < 0) & ~((y >= x) | true), clamp(maximum(where(x == y, x, y), 1), max = 2.5),
			cast(cast(fma(chunk(x, 0, 2), y, 1.0), bf16), x),
			index(x, -1) * extent(x, -2) + cast(dropout_mask(x, 0.5, 1, 2), i32),
			concat(every(x, 0, 2), every(x, 1, 2), every(y, 0, 2)), interleave(x, 2 * x)`: func(b *tileops.Builder) {
			x, y := b.Operand("x"), b.Operand("y")
			b.Result(x.Lt(0).BitwiseAnd(y.Ge(x).BitwiseOr(true).BitwiseNot()))
			b.Result(x.Eq(y).Where(x, y).Maximum(1).Clamp(nil, 2.5))
			b.Result(x.Chunk(0, 2).Fma(y, 1.0).Cast(tileops.BF16).Cast(x))
			b.Result(x.Index(-1).Mul(x.Extent(-2)).Add(x.DropoutMask(0.5, 1, 2).Cast(tileops.I32)))
			b.Result(x.Every(0, 2).Concat(x.Every(1, 2), y.Every(0, 2)))
			b.Result(x.Interleave(b.Const(2).Mul(x)))
		},
		`(x; alpha = 2.0) -> gelu(x, tanh), leaky_relu(x, 0.2), add(x, x, alpha), cast(x, e8m0fnu, rounding = up)`: func(b *tileops.Builder) {
			x, alpha := b.Operand("x"), b.Scalar("alpha", 2.0)
			b.Result(x.Gelu(tileops.WithApproximate(tileops.ApproximateTanh)))
			b.Result(x.LeakyRelu(tileops.WithAttr("negative_slope", 0.2)))
			b.Result(b.Apply(tileops.OpAdd, []any{x, x, alpha}))
			b.Result(x.Cast(tileops.F8E8M0FNU, tileops.WithRounding(tileops.RoundingUp)))
		},
	} {
		b := tileops.NewBuilder()
		build(b)
		expr, err := b.Finish()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want := parse(t, text).String(); expr.String() != want {
			t.Errorf("got %s, want %s", expr, want)
		}
		again := tileops.Must(b.Finish()) // as often as one likes
		if again.String() != expr.String() {
			t.Errorf("got %s, want %s", again, expr)
		}
		expr.Close()
		again.Close()
	}
}

func TestEveryFunctionHasAMethod(t *testing.T) {
	var names []string
	for _, f := range tileops.Functions() {
		names = append(names, f.String())
		method, ok := nodeMethods[f.String()]
		if !ok {
			t.Errorf("no method for %v: run ./dev bindings", f)
			continue
		}
		b := tileops.NewBuilder()
		var values []tileops.Node
		for i := 0; i < method.count; i++ {
			value := any(nil)
			switch f {
			case tileops.OpIndex, tileops.OpExtent:
				value = -1
			case tileops.OpChunk, tileops.OpEvery, tileops.OpDropoutMask:
				value = i - 1
			case tileops.OpTiled:
				value = 8
			case tileops.OpPow, tileops.OpMaskedFill:
				if i == method.count-1 {
					value = 2
				}
			}
			if i == 0 || value == nil {
				values = append(values, b.Operand("x"+itoa(i)))
			} else {
				values = append(values, b.Const(value))
			}
		}
		result := method.call(values)
		if f == tileops.OpExtent {
			result = result.Mul(values[0])
		}
		expr, err := b.Result(result).Finish()
		if err != nil {
			t.Errorf("%v: %v", f, err)
			continue
		}
		expr.Close()
	}
	if len(names) != len(nodeMethods) || len(names) < 60 {
		t.Errorf("%d functions, %d methods", len(names), len(nodeMethods))
	}
}

func TestBuilderErrors(t *testing.T) {
	other := tileops.NewBuilder().Operand("x")
	for message, build := range map[string]func(b *tileops.Builder){
		"results: there are none":                       func(b *tileops.Builder) { b.Operand("x") },
		"'2x' is no name":                               func(b *tileops.Builder) { b.Result(b.Operand("2x").Exp()) },
		"'x' is bound twice":                            func(b *tileops.Builder) { b.Result(b.Operand("x").Add(b.Scalar("x", 1))) },
		"scalar 's' is bool":                            func(b *tileops.Builder) { b.Result(b.Scalar("s", true)) },
		"values[1]: no number (got [1] of []int":        func(b *tileops.Builder) { b.Result(b.Operand("x").Add([]int{1})) },
		"no number (got <nil>":                          func(b *tileops.Builder) { b.Result(b.Const(nil)) },
		"no dtype":                                      func(b *tileops.Builder) { b.Result(b.Operand("x").Cast(tileops.Invalid)) },
		"'dtype' takes a dtype or an operand":           func(b *tileops.Builder) { b.Result(b.Operand("x").Cast(2)) },
		"maximum has no attribute 'dtype'":              func(b *tileops.Builder) { b.Result(b.Operand("x").Maximum(tileops.F32)) },
		"are both missing":                              func(b *tileops.Builder) { b.Result(b.Operand("x").Clamp(nil, nil)) },
		"no such attribute":                             func(b *tileops.Builder) { b.Result(b.Operand("x").Exp(tileops.WithAttr("alpha", 1))) },
		"add: argument 2 is no node of this builder":    func(b *tileops.Builder) { b.Result(b.Operand("x").Add(other)) },
		"result 0: is no node of this builder (got -1)": func(b *tileops.Builder) { b.Result(other) },
		"exp: argument 1 is no node of this builder":    func(b *tileops.Builder) { b.Result(b.Apply(tileops.OpExp, []any{tileops.Node{}})) },
		"is no function of single elements":             func(b *tileops.Builder) { b.Result(b.Apply(tileops.OpPrelu, []any{b.Operand("x"), 1})) },
	} {
		b := tileops.NewBuilder()
		build(b)
		if _, err := b.Finish(); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
	if got := (tileops.Node{}).Exp(); got != (tileops.Node{}) {
		t.Errorf("got %v", got)
	}
}

func TestScalars(t *testing.T) {
	expr := parse(t, "(x; a = 2.0, n = 3) -> x * a + n")
	x := []float32{1, 2}
	for _, c := range []struct {
		scalars []tileops.Number
		want    [2]float32
	}{
		{nil, [2]float32{5, 7}},
		{[]tileops.Number{tileops.Num(10.0)}, [2]float32{13, 23}},
		{[]tileops.Number{{}, tileops.Num(4)}, [2]float32{6, 8}},
		{tileops.Must(expr.Scalars(map[string]any{"n": 5})), [2]float32{7, 9}},
		{tileops.Must(expr.Scalars(map[string]any{"n": uint8(5), "a": float32(0.5)})), [2]float32{5.5, 6}},
	} {
		if y, err := runExpr(t, expr, c.scalars, x); err != nil || [2]float32(y) != c.want {
			t.Errorf("%v: got %v, %v", c.scalars, y, err)
		}
	}
	for message, scalars := range map[string][]tileops.Number{
		"'n'":         {tileops.Num(1.0), tileops.Num(2.5)},
		"num_scalars": {tileops.Num(1.0), tileops.Num(2), tileops.Num(3)},
	} {
		if _, err := runExpr(t, expr, scalars, x); !errors.Is(err, tileops.StatusInvalidArgument) || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
	for message, values := range map[string]map[string]any{
		`unknown name (got "b", need a, n)`:                                         {"a": 1.0, "b": 2},
		"a: no number (got x of string)":                                            {"a": "x"},
		"n: too large (got 18446744073709551615, need at most 9223372036854775807)": {"n": uint64(math.MaxUint64)},
	} {
		if _, err := expr.Scalars(values); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
	plan := tileops.Must(tileops.NewPlan(tileops.OpExp, tensors{zeros(2)}, tensors{zeros(2)}))
	defer plan.Close()
	if err := plan.ExecuteWith([]tileops.Number{tileops.Num(1)}, zeros(2), zeros(2)); err == nil {
		t.Error("an operator took a scalar")
	}
	if err := plan.ExecuteWith(nil, zeros(2), zeros(2)); err != nil {
		t.Error(err)
	}
}

func TestExprPlans(t *testing.T) {
	expr := parse(t, "(x, mask = 0) -> { h = x * 2 + mask; h, h > 3 }")
	h, over := make([]float64, 4), make([]bool, 4)
	x, mask := tileops.Must(tileops.Of([]float32{1, 2, 3, 4}, 2, 2)), tileops.Must(tileops.Of([]float32{0.5, -0.5}))
	outs := tensors{tileops.Must(tileops.Of(h, 2, 2)), tileops.Must(tileops.Of(over, 2, 2))}
	plan := tileops.Must(expr.NewPlan(outs, tensors{x, mask}, tileops.WithReproducible(), tileops.WithContext(tileops.Default())))
	defer plan.Close()
	if err := plan.Execute(outs[0], outs[1], x, mask); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(h, []float64{2.5, 3.5, 6.5, 7.5}) || !slices.Equal(over, []bool{false, true, true, true}) {
		t.Errorf("got %v, %v", h, over)
	}
	if info := tileops.Must(plan.Info()); info.NumElements != 4 || plan.Op() != 0 {
		t.Errorf("got %+v", info)
	}
	// Absent, left off, and described ahead.
	spec := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 2, 2))
	for _, in := range []tensors{{spec}, {spec, nil}} {
		results := tileops.Must(expr.Infer(in...))
		if err := expr.CheckPlan(results, in); err != nil {
			t.Error(err)
		}
		early := tileops.Must(expr.NewPlan(results, in))
		y := tileops.Must(tileops.Of(make([]float32, 4), 2, 2))
		if err := early.Execute(append(tensors{y, outs[1], x}, in[1:]...)...); err != nil {
			t.Error(err)
		}
		early.Close()
	}
	if err := plan.Execute(outs[0], x, mask); !errors.Is(err, tileops.StatusInvalidArgument) {
		t.Errorf("got %v", err)
	}
}

func TestInfer(t *testing.T) {
	expr := parse(t, "(x, s; n = 3) -> { h = x * s; cast(h, e4m3fn), h == n, index(x, -1), n }")
	x, s := tileops.Must(tileops.Spec(tileops.BF16, tileops.CPU(), 4, 1)), tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 8))
	var got []string
	for _, r := range tileops.Must(expr.Infer(x, s)) {
		got = append(got, fmt.Sprint(r.DType(), r.Shape()))
	}
	want := []string{"float8_e4m3fn [4 8]", "bool [4 8]", "int64 [4 1]", "int64 []"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := expr.Infer(x); !errors.Is(err, tileops.StatusInvalidArgument) {
		t.Errorf("got %v", err)
	}
}

func TestMoreOperandsThanAnOperatorHas(t *testing.T) {
	var names, sums []string
	var in, out tensors
	for i := 0; i < 32; i++ {
		names = append(names, "x"+itoa(i))
		in = append(in, tileops.Must(tileops.Of([]float32{float32(i), 1})))
	}
	for i := 0; i < 16; i++ {
		sums = append(sums, names[2*i]+" + "+names[2*i+1])
		out = append(out, zeros(2))
	}
	expr := parse(t, "("+strings.Join(names, ", ")+") -> "+strings.Join(sums, ", "))
	plan := tileops.Must(expr.NewPlan(out, in))
	defer plan.Close()
	if err := errors.Join(plan.Execute(append(out, in...)...), plan.ExecuteUnchecked(0, append(out, in...)...)); err != nil {
		t.Fatal(err)
	}
	for i, y := range out {
		if got := tileops.Must(tileops.Data[float32](y)); !slices.Equal(got, []float32{float32(4*i + 1), 2}) {
			t.Errorf("result %d: got %v", i, got)
		}
	}
	if _, err := expr.NewPlan(out, append(in, zeros(2))); err == nil || !strings.Contains(err.Error(), "too many (got 33, need at most 32)") {
		t.Errorf("got %v", err)
	}
}

func TestGradient(t *testing.T) {
	expr := parse(t, "(x, w; a = 3.0) -> a * x * x * w")
	gradient := tileops.Must(expr.Gradient("x"))
	defer gradient.Close()
	info := gradient.Info()
	if len(info.Operands) != 3 || info.Operands[2].Name != "grad_y0" || !slices.Equal(info.Results, []string{"grad_x"}) {
		t.Errorf("got %+v", info)
	}
	y, err := runExpr(t, gradient, nil, []float32{1, -2}, []float32{0.5, 1}, []float32{1, 10})
	if err != nil || !slices.Equal(y, []float32{3, -120}) {
		t.Errorf("got %v, %v", y, err)
	}
	for _, operands := range [][]string{{}, {"v"}, {"x", "x"}} {
		if _, err := expr.Gradient(operands...); !errors.Is(err, tileops.StatusInvalidArgument) {
			t.Errorf("%q: got %v", operands, err)
		}
	}
}

func TestExprHandles(t *testing.T) {
	waitFor(t, tileops.HandleCounts{})
	expr := tileops.Must(tileops.ParseExpr("(x) -> x * 2"))
	if n := tileops.LiveHandles().Exprs; n != 1 {
		t.Errorf("%d expressions", n)
	}
	plan := tileops.Must(expr.NewPlan(tensors{zeros(2)}, tensors{zeros(2)}))
	if err := expr.Close(); err != nil {
		t.Error(err)
	}
	_, gradient := expr.Gradient("x")
	_, infer := expr.Infer(zeros(2))
	_, again := expr.NewPlan(tensors{zeros(2)}, tensors{zeros(2)})
	_, null := (*tileops.Expr)(nil).Infer()
	_, scalars := (*tileops.Expr)(nil).Scalars(nil)
	for _, err := range []error{expr.Close(), gradient, infer, again, null, scalars, expr.CheckPlan(nil, nil),
		(*tileops.Expr)(nil).Close(), (*tileops.Plan)(nil).ExecuteWith(nil)} {
		if !errors.Is(err, tileops.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	// A plan outlives its expression.
	x, y := tileops.Must(tileops.Of([]float32{1, 2})), make([]float32, 2)
	if err := plan.Execute(tileops.Must(tileops.Of(y)), x); err != nil || y[1] != 4 {
		t.Errorf("got %v, %v", y, err)
	}
	plan.Close()
	for i := 0; i < 50; i++ {
		tileops.Must(tileops.ParseExpr("(x) -> x + " + itoa(i)))
	}
	waitFor(t, tileops.HandleCounts{})
}

func TestExprFromManyGoroutines(t *testing.T) {
	expr := parse(t, "(x; a = 1.0) -> x * a + 1")
	spec := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), 100))
	plan := tileops.Must(expr.NewPlan(tensors{spec}, tensors{spec}))
	defer plan.Close()
	inGoroutines(6, func(g int) {
		x, y := make([]float32, 100), make([]float32, 100)
		for i := range x {
			x[i] = float32(g)
		}
		in, out := tileops.Must(tileops.Of(x)), tileops.Must(tileops.Of(y))
		for round := 0; round < 50; round++ {
			own := tileops.Must(expr.NewPlan(tensors{out}, tensors{in}))
			scalars := tileops.Must(expr.Scalars(map[string]any{"a": float64(round)}))
			if err := errors.Join(plan.ExecuteWith(scalars, out, in), own.ExecuteWith(scalars, out, in), own.Close()); err != nil {
				t.Error(err)
			}
			if want := float32(g*round + 1); y[0] != want || y[99] != want {
				t.Errorf("got %v, want %v", y[99], want)
			}
			// Errors are those of their own call.
			var e *tileops.Error
			if _, err := tileops.ParseExpr(strings.Repeat(" ", g) + "(x) -> nope(x)"); !errors.As(err, &e) || e.Offset != 7+g {
				t.Errorf("got %v", err)
			}
		}
	})
}

func TestExprDeviceFunction(t *testing.T) {
	e, err := tileops.ParseExpr("(acc, bias) -> gelu(acc + bias)")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	x, err := tileops.Spec(tileops.F32, tileops.CPU(), 1024)
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.DeviceFunction("epilogue", true, x, x)
	if err != nil || !strings.Contains(text, "void epilogue(") || !strings.Contains(text, "op::gelu<bit_exact, float>") {
		t.Errorf("%v: %s", err, text)
	}
	if _, err := e.DeviceFunction("1f", false, x, x); err == nil || !strings.Contains(err.Error(), "name") {
		t.Errorf("a name that is none: %v", err)
	}
}
