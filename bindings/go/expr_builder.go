package tileops

import (
	"strings"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Builder builds an [Expr] call by call. It hands out values, [Node], with a method for each function:
//
//	b := tileops.NewBuilder()
//	g, u, r := b.Operand("g"), b.Operand("u"), b.Operand("r")
//	b.Result(g.Silu().Mul(u).Mul(b.Scalar("scale", 1.0)).Add(r))
//	expr, err := b.Finish()
//
// The first error sticks: [Builder.Finish] tells it. A Builder is used by one goroutine at a time, holds
// nothing that must be closed, and may be finished more than once.
type Builder struct {
	calls []capi.BuildCall
	err   error // found before the library was asked
}

// Node is a value in a [Builder]: an operand, a scalar, a constant, or what a function gives. What its
// methods take besides is a Node, a number of any type, or nil for an optional value that is absent. Functions
// along axes take options as well: [WithAxes], [WithAllAxes], [WithGroup], [WithCorrection], [WithReverse],
// [WithExclusive].
type Node struct {
	b    *Builder
	call int32 // from 1 on; 0: none
}

// NewBuilder is an empty builder.
func NewBuilder() *Builder { return &Builder{} }

// Operand adds an operand, which may not be absent.
func (b *Builder) Operand(name string) Node {
	return b.add(capi.BuildCall{Kind: capi.BuildOperand, Name: name, Named: true})
}

// Optional adds an operand that is this number where it is absent.
func (b *Builder) Optional(name string, value any) Node {
	n := b.number("Builder.Optional", value)
	return b.add(capi.BuildCall{Kind: capi.BuildOperand, Name: name, Named: true, Number: n.c})
}

// Scalar adds a scalar; its default says whether it is an integer or a float.
func (b *Builder) Scalar(name string, value any) Node {
	n := b.number("Builder.Scalar", value)
	return b.add(capi.BuildCall{Kind: capi.BuildScalar, Name: name, Named: true, Number: n.c})
}

// Const is a number as a value, so that it may stand first: b.Const(1).Sub(x).
func (b *Builder) Const(value any) Node {
	return b.add(capi.BuildCall{Kind: capi.BuildConstant, Number: b.number("Builder.Const", value).c})
}

// Apply applies an operator or function to values, each a [Node], a number, or nil for one that is absent;
// then, as in a text, attributes in the table's order may come, where scalars may stand for floats. Options
// are attributes.
func (b *Builder) Apply(op Op, values []any, options ...Option) Node {
	call := capi.BuildCall{Kind: capi.BuildOp, Op: int32(op)}
	var q request
	if err := q.read(op, options); err != nil {
		return b.fail(err)
	}
	for i := range options {
		if !options[i].isAttr() {
			return b.fail(q.wrong(op, i, "no attribute: plans and calls have flags, a context and a stream"))
		}
	}
	call.Attrs = append(call.Attrs, q.Attrs[:q.NumAttrs]...)
	for i, value := range values {
		switch v := value.(type) {
		case nil:
			call.Arguments = append(call.Arguments, 0)
		case Node:
			call.Arguments = append(call.Arguments, b.node(v))
		case DType:
			if v == Invalid || v >= numDTypes {
				return b.fail(invalid("Builder.Apply", "values", i, "no dtype (got %v)", v))
			}
			bits := int64(dtypes[v].code)*256 + int64(dtypes[v].bits)
			call.Arguments = append(call.Arguments, 0)
			call.Attrs = append(call.Attrs, intAttr(attrDType, bits).attr)
		default:
			n, wrong := numberOf(v)
			if wrong != "" {
				return b.fail(invalid("Builder.Apply", "values", i, "%s, need a Node, a number or nil", wrong))
			}
			call.Arguments = append(call.Arguments, b.Const(n).call)
		}
	}
	return b.add(call)
}

// Of writes the expression out as a part of what b builds, and gives its results. Values are for its operands and then
// its scalars, each a [Node], a number, or nil for its default; what is left off at the end is the default, too.
func (e *Expr) Of(b *Builder, values ...any) []Node {
	if e == nil || !e.owner.Acquire() {
		b.fail(closedError("Expr.Of", "expr", -1))
		return make([]Node, 1)
	}
	defer e.owner.Release()
	results := make([]Node, len(e.info.Results))
	if b == nil {
		return results
	}
	call := capi.BuildCall{Kind: capi.BuildText, Name: e.info.Text}
	for i, value := range values {
		switch v := value.(type) {
		case nil:
			call.Arguments = append(call.Arguments, 0)
		case Node:
			call.Arguments = append(call.Arguments, b.node(v))
		default:
			n, wrong := numberOf(v)
			if wrong != "" {
				b.fail(invalid("Expr.Of", "values", i, "%s, need a Node, a number or nil", wrong))
				return results
			}
			call.Arguments = append(call.Arguments, b.Const(n).call)
		}
	}
	text := b.add(call)
	for i := range results {
		results[i] = b.add(capi.BuildCall{Kind: capi.BuildPart, Arguments: []int32{text.call, int32(i)}})
	}
	return results
}

// Result makes a value the next result, named y0, y1, ....
func (b *Builder) Result(value Node) *Builder {
	b.add(capi.BuildCall{Kind: capi.BuildResult, Arguments: []int32{b.node(value)}})
	return b
}

// ResultAs makes a value the next result, with a name.
func (b *Builder) ResultAs(name string, value Node) *Builder {
	b.add(capi.BuildCall{Kind: capi.BuildResult, Name: name, Named: true, Arguments: []int32{b.node(value)}})
	return b
}

// Finish makes the expression. Errors: the first one that a call met, and [StatusInvalidArgument] (no
// results, limits).
func (b *Builder) Finish() (*Expr, error) {
	if b == nil {
		return nil, closedError("Builder.Finish", "builder", -1)
	}
	if err := ready(); err != nil {
		return nil, err
	}
	if b.err != nil {
		return nil, b.err
	}
	return newExpr(capi.Build(b.calls))
}

// add records a call. Of a nil Builder there is none: [Builder.Finish] says so.
func (b *Builder) add(call capi.BuildCall) Node {
	if b == nil {
		return Node{}
	}
	if strings.Contains(call.Name, "\x00") { // C would end the name there
		return b.fail(invalid("Builder", "name", -1, "has a NUL (got %q)", call.Name))
	}
	b.calls = append(b.calls, call)
	return Node{b, int32(len(b.calls))}
}

func (b *Builder) fail(err error) Node {
	if b == nil {
		return Node{}
	}
	if b.err == nil {
		b.err = err
	}
	return Node{b, 0}
}

// node is the call that a value comes from; -1, which the library refuses, for one of another builder.
func (b *Builder) node(n Node) int32 {
	if n.b != b {
		return -1
	}
	return n.call
}

func (b *Builder) number(function string, value any) Number {
	n, wrong := numberOf(value)
	if wrong == "" && n == (Number{}) {
		wrong = "no number (got the zero Number)"
	}
	if wrong != "" {
		b.fail(invalid(function, "value", -1, "%s", wrong))
	}
	return n
}

// apply is what the methods of functions do.
func (n Node) apply(op Op, options []Option, rest ...any) Node {
	if n.b == nil { // the zero Node: nothing to tell it to
		return n
	}
	return n.b.Apply(op, append([]any{n}, rest...), options...)
}
