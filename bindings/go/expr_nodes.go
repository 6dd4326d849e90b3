package tileops

import "github.com/libtileops/libtileops/bindings/go/internal/capi"

// NodeKind is what an [ExprNode] is.
type NodeKind int

// Kinds of nodes.
const (
	NodeOperand NodeKind = iota + 1
	NodeScalar
	NodeConstant
	NodeFunction
)

// ExprNode is a node of an [Expr], as [Expr.Nodes] lists them.
type ExprNode struct {
	Kind      NodeKind
	Index     int            // which operand or scalar
	Value     any            // of a constant: a float64, an int64 or a bool
	Op        Op             // of a function
	Arguments []int          // places in the list, in the order of the function's values and then its attributes; -1: left out
	Attrs     map[string]any // attributes that are constants and not their defaults: choices and dtypes are numbers
}

// Nodes is what the expression is made of: operands, scalars, constants and functions, each behind those that it
// takes, and the places of the results. What a text says of shapes is not among them.
func (e *Expr) Nodes() (nodes []ExprNode, results []int) {
	if e == nil || !e.owner.Acquire() {
		return nil, nil
	}
	defer e.owner.Release()
	all, results := capi.ExprNodes(e.handle)
	for _, n := range all {
		nodes = append(nodes, ExprNode{Kind: NodeKind(n.Kind), Index: n.Index, Value: n.Value, Op: Op(n.Op),
			Arguments: n.Arguments, Attrs: n.Attrs})
	}
	return nodes, results
}
