package tileops_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/libtileops/libtileops/bindings/go"
	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// netText is a random text with its names.
type netText struct {
	netRandom
	operands, scalars []string
	optional          int // operands at the end that may be absent
}

// value is a random value of the text.
func (x netText) value(depth int) string {
	if depth == 0 || x.chance(15) {
		switch {
		case len(x.scalars) > 0 && x.chance(25):
			return pick(x.netRandom, x.scalars...)
		case x.chance(15):
			return pick(x.netRandom, "0", "1", "2", "0.5", "3.0", "true", "300")
		}
		return pick(x.netRandom, x.operands...)
	}
	a, b := x.value(depth-1), x.value(depth-1)
	switch x.Intn(8) {
	case 0, 1:
		return fmt.Sprintf("%s(%s)", pick(x.netRandom, "exp", "tanh", "abs", "neg", "floor", "silu", "relu", "sqrt", "isnan"), a)
	case 2:
		return fmt.Sprintf("%s(%s, %s)", pick(x.netRandom, "maximum", "minimum", "pow", "eq"), a, b)
	case 3:
		return fmt.Sprintf("where(%s < %s, %s, %s)", a, b, x.value(depth-1), a)
	case 4:
		return fmt.Sprintf("cast(%s, %s)", a, pick(x.netRandom, "f32", "bf16", "i32", "u8", "bool", x.operands[0]))
	case 5:
		return fmt.Sprintf("clamp(%s, max = %s)", a, pick(x.netRandom, "1", "2", b))
	default:
		return fmt.Sprintf("(%s %s %s)", a, pick(x.netRandom, "+", "+", "-", "*", "*", "/", "//", "%"), b)
	}
}

// text is a random expression of so many results.
func (g netRandom) text(results int) (netText, string) {
	x := netText{netRandom: g, optional: g.Intn(2)}
	var operands, scalars, values []string
	for i := 0; i <= x.optional || g.chance(60) && i < 6; i++ {
		x.operands = append(x.operands, fmt.Sprint("x", i))
	}
	for i, name := range x.operands {
		if i >= len(x.operands)-x.optional {
			name += pick(g, " = 1", " = 0.5")
		}
		operands = append(operands, name)
	}
	for i := 0; g.chance(50) && i < 3; i++ {
		x.scalars = append(x.scalars, pick(g, "s", "scale", "sc")+fmt.Sprint(i))
		scalars = append(scalars, x.scalars[i]+pick(g, " = 1", " = 2.5", " = 3"))
	}
	for i := 0; i < results; i++ {
		values = append(values, x.value(1+g.Intn(3)))
	}
	text := "(" + strings.Join(operands, ", ")
	if scalars != nil {
		text += "; " + strings.Join(scalars, ", ")
	}
	text += ") -> " + strings.Join(values, ", ")
	if g.chance(2) {
		at := g.Intn(len(text))
		text = text[:at] + pick(g, "", "(", "$", "\x00", ",") + text[at+1:]
		x.scalars = nil // their names may be others now
	}
	return x, text
}

// expression is a random expression with random operands and scalars.
func (g netRandom) expression(ctx *tileops.Context, t *testing.T) *netCase {
	c := &netCase{again: true}
	results := 1 + g.Intn(3)
	x, text := g.text(results)
	shape, dtype := g.shape(), g.dtype()
	if g.chance(40) {
		dtype = tileops.F32
	}
	for i := range x.operands {
		if i >= len(x.operands)-x.optional && g.chance(40) || g.chance(1) {
			c.inputs = append(c.inputs, nil)
			continue
		}
		d := dtype
		if g.chance(25) {
			d = g.dtype()
		}
		c.inputs = append(c.inputs, g.view(d, g.broadcast(shape), true))
	}
	if g.chance(20) && c.inputs[len(c.inputs)-1] == nil || g.chance(1) {
		c.inputs = c.inputs[:len(c.inputs)-1]
	}
	scalars, numbers := g.numbers(x.scalars)
	c.what = fmt.Sprintf("%s %+v", text, numbers)
	for _, like := range g.inferred(text, c.inputs, results, t) {
		if like == nil {
			like = spec(shape...)
		}
		c.outputs = append(c.outputs, g.output(like.DType(), like.Shape(), c.inputs))
	}
	c.safe = g.safeExpression(text, ctx, scalars)
	c.plain = func(outputs, inputs []capi.Tensor) *capi.Failure {
		expr, f := capi.ExprParse(text)
		if f != nil {
			return f
		}
		defer capi.ExprDestroy(expr)
		o := many(outputs, inputs)
		plan, f := capi.ExprPlan(nil, expr, 0, &o)
		if f != nil {
			return f
		}
		defer capi.PlanDestroy(plan)
		return capi.ExecuteWith(plan, &o, numbers, capi.Space{}, 0)
	}
	return c.finish()
}

func many(outputs, inputs []capi.Tensor) capi.Many {
	o := capi.Many{NumInputs: int32(len(inputs)), NumOutputs: int32(len(outputs))}
	copy(o.Inputs[:], inputs)
	copy(o.Outputs[:], outputs)
	return o
}

// inferred are the results as the safe interface infers them, which C must do likewise; nil ones where it refuses.
func (g netRandom) inferred(text string, views []*netView, results int, t *testing.T) []*tileops.Tensor {
	list := make([]*tileops.Tensor, results)
	expr, err := tileops.ParseExpr(text)
	if err != nil {
		return list
	}
	defer expr.Close()
	var safe tensors
	var plain []capi.Tensor
	for _, v := range views {
		plain = append(plain, v.plain(nil))
		safe = append(safe, nil)
		if v != nil {
			safe[len(safe)-1] = tileops.Must(tileops.Spec(v.buffer.dtype, tileops.CPU(), v.shape...))
		}
	}
	handle, _ := capi.ExprParse(text)
	defer capi.ExprDestroy(handle)
	o := many(nil, plain)
	specs, err := expr.Infer(safe...)
	for i := range list {
		layout, f := capi.ExprInfer(handle, &o, i)
		if f != nil {
			if wrong := sameRefusal(err, f); wrong != "" {
				t.Errorf("%s: %s", text, wrong)
			}
			return make([]*tileops.Tensor, results)
		}
		if err != nil {
			continue // about a later one
		}
		d := netDTypes[specs[i].DType()]
		n := int(layout[capi.NDim])
		if layout[capi.DTypeCode] != d.code || layout[capi.DTypeBits] != d.bits || len(specs[i].Shape()) != n ||
			fmt.Sprint(layout[capi.Words:capi.Words+n]) != fmt.Sprint(specs[i].Shape()) {
			t.Errorf("%s: result %d is inferred as %v, by C as %v", text, i, specs[i], layout)
		}
		list[i] = specs[i]
	}
	return list
}

// numbers are values of scalars, in order or by name, and as C takes them.
func (g netRandom) numbers(names []string) (func(e *tileops.Expr) ([]tileops.Number, error), []capi.Number) {
	values, byName := make([]any, len(names)), map[string]any{}
	if g.chance(2) {
		values = append(values, nil)
	}
	plain := make([]capi.Number, len(values))
	inOrder := make([]tileops.Number, len(values))
	for i := range values {
		switch g.Intn(12) {
		case 0, 1, 2:
			f := pick(g, 0, 0.5, -2, 3, math.NaN(), 1e300)
			values[i], inOrder[i] = f, tileops.Num(f)
			plain[i] = capi.Number{Kind: capi.NumberFloat, Bits: math.Float64bits(f)}
		case 3, 4, 5, 6:
			n := pick(g, 0, 1, -3, 300, math.MaxInt64)
			values[i], inOrder[i] = n, tileops.Num(n)
			plain[i] = capi.Number{Kind: capi.NumberInt, Bits: uint64(n)}
		case 7:
			if g.chance(20) {
				values[i], inOrder[i] = true, tileops.Num(true)
				plain[i] = capi.Number{Kind: capi.NumberBool, Bits: 1}
			}
		}
		if values[i] != nil && i < len(names) {
			byName[names[i]] = values[i]
		}
	}
	if g.chance(50) && len(values) == len(names) {
		return func(e *tileops.Expr) ([]tileops.Number, error) { return e.Scalars(byName) }, plain
	}
	return func(*tileops.Expr) ([]tileops.Number, error) { return inOrder, nil }, plain
}

// safeExpression is one of the ways to run an expression, which it keeps, so that a second call finds the first one's
// plan.
func (g netRandom) safeExpression(text string, ctx *tileops.Context,
	scalars func(e *tileops.Expr) ([]tileops.Number, error)) func(outputs, inputs tensors) error {
	way := g.Intn(4)
	options := []tileops.Option{tileops.WithContext(ctx)}
	if way == 0 {
		options = append(options, tileops.WithoutPlanCache())
	}
	expr, parsed := tileops.ParseExpr(text)
	return func(outputs, inputs tensors) error {
		if parsed != nil {
			return parsed
		}
		// What is wrong with scalars is said after what is wrong with operands, as in C.
		plan, err := expr.NewPlan(outputs, inputs, options...)
		if err != nil {
			return err
		}
		defer plan.Close()
		values, err := scalars(expr)
		switch {
		case err != nil:
			return err
		case way == 1:
			return plan.ExecuteWith(values, append(slices.Clone(outputs), inputs...)...)
		case len(values) == 0:
			return expr.Call(outputs, inputs, options...)
		}
		return expr.CallWith(values, outputs, inputs, options...)
	}
}
