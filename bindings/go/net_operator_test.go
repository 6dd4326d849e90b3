package tileops_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/libtileops/libtileops/bindings/go"
	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// operator is a random operator with random operands and attributes.
func (g netRandom) operator(ctx *tileops.Context) *netCase {
	ops := tileops.Ops()
	op := ops[g.Intn(len(ops))]
	info := tileops.Must(op.Info())
	c := &netCase{again: true}
	shape, dtype := g.shape(), g.dtypeOf(info.DTypes)
	for i, operand := range info.Inputs {
		if operand.Optional && g.chance(50) || g.chance(1) {
			if g.chance(30) && i >= info.MinInputs {
				break // left off
			}
			c.inputs = append(c.inputs, nil)
			continue
		}
		d := dtype
		if !slices.Contains(operand.DTypes, d) || g.chance(10) {
			d = g.dtypeOf(operand.DTypes)
		}
		if g.chance(2) {
			d = g.dtype()
		}
		c.inputs = append(c.inputs, g.view(d, g.broadcast(shape), true))
	}
	if g.chance(2) {
		c.inputs = append(c.inputs, g.view(dtype, shape, true))
	}
	for i, result := range info.Outputs {
		d := dtype
		if i > 0 {
			d = g.dtypeOf(result.DTypes)
		}
		c.outputs = append(c.outputs, g.output(d, shape, c.inputs))
		if result.Optional && g.chance(40) {
			c.outputs[i] = nil
		}
	}
	options, attrs := g.attributes(op)
	flags := uint32(0)
	if g.chance(20) {
		options, flags = append(options, tileops.WithReproducible()), 1
	}
	c.what = fmt.Sprintf("%s %+v", info.Name, attrs)
	c.safe = g.safely(op, ctx, options)
	c.plain = func(outputs, inputs []capi.Tensor) *capi.Failure {
		q := capi.Request{Op: int32(op), Flags: flags, NumAttrs: int32(len(attrs))}
		copy(q.Attrs[:], attrs)
		o := capi.Operands{NumInputs: int32(len(inputs)), NumOutputs: int32(len(outputs))}
		copy(o.Inputs[:], inputs)
		copy(o.Outputs[:], outputs)
		plan, f := capi.PlanCreate(nil, &q, &o)
		if f != nil {
			return f
		}
		defer capi.PlanDestroy(plan)
		return capi.Execute(plan, &o, 0)
	}
	return c.finish()
}

// safely is one of the ways to run an operator.
func (g netRandom) safely(op tileops.Op, ctx *tileops.Context, options []tileops.Option) func(outputs, inputs tensors) error {
	planned := func(execute func(p *tileops.Plan, all tensors) error) func(outputs, inputs tensors) error {
		return func(outputs, inputs tensors) error {
			plan, err := tileops.NewPlan(op, outputs, inputs, options...)
			if err != nil {
				return err
			}
			defer plan.Close()
			return execute(plan, append(slices.Clone(outputs), inputs...))
		}
	}
	switch g.Intn(6) {
	case 0:
		return planned(func(p *tileops.Plan, all tensors) error { return p.Execute(all...) })
	case 1:
		return planned(func(p *tileops.Plan, all tensors) error { return p.ExecuteOn(0, all...) })
	case 2:
		return planned(func(p *tileops.Plan, all tensors) error { return p.ExecuteWith(nil, all...) })
	case 3:
		options = append(options, tileops.WithoutPlanCache())
	case 4:
		options = append(options, tileops.WithContext(ctx))
	}
	return func(outputs, inputs tensors) error { return op.Call(outputs, inputs, options...) }
}

// attributes are some of an operator's, by name and as C takes them.
func (g netRandom) attributes(op tileops.Op) (options []tileops.Option, attrs []capi.Attr) {
	described, _ := capi.OpDescribe(int32(op))
	for _, a := range described.Attrs {
		if g.chance(65) {
			continue
		}
		attr := capi.Attr{Key: a.Key, Kind: capi.AttrInt}
		var value any
		switch {
		case a.Choices != "" && g.chance(80):
			names := strings.Split(a.Choices, "|")
			i := g.Intn(len(names))
			value, attr.Bits = names[i], uint64(i)
		case a.Kind == capi.AttrFloat && g.chance(70):
			f := pick(g, 0, 0.5, 1, 2, -1, 3, 1e30, math.Inf(1), 300)
			value, attr.Kind, attr.Bits = f, capi.AttrFloat, math.Float64bits(f)
		case g.chance(10):
			b := g.chance(50)
			if value = b; b {
				attr.Bits = 1
			}
		default:
			i := pick(g, 0, 1, -1, 2, 5, 300, 1<<53+1)
			value, attr.Bits = i, uint64(i)
		}
		options, attrs = append(options, tileops.WithAttr(a.Name, value)), append(attrs, attr)
		if g.chance(1) {
			options, attrs = append(options, tileops.WithAttr(a.Name, value)), append(attrs, attr)
		}
	}
	return options, attrs
}
