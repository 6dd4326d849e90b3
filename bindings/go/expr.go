package tileops

import (
	"slices"
	"sync/atomic"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// Expr is an expression over operators, several at once in one pass over memory:
//
//	(g, u, r; scale = 1.0) -> silu(g) * u * scale + r
//
// It has operands, scalars after ";", and one result or several; what is between is not rounded. It knows
// no shapes and no device: [Expr.NewPlan] makes plans of it as [NewPlan] does of an operator. Shapes are
// broadcast by NumPy's rules, node by node, and dtypes promoted by PyTorch's; [Expr.Infer] says what comes
// out. Absent optional operands are nil, trailing ones may be left off.
//
// It never changes and may be used by any number of goroutines. Plans made of it outlive it. [ParseExpr]
// makes one of a text, [Builder] call by call, [NamedExpr] one of those that have a name.
type Expr struct {
	handle capi.Expr
	owner  *owner.Owner
	info   capi.ExprInfo
	id     uint64 // of this one alone, for the plans of its calls; handles are used again
}

var lastExpr atomic.Uint64

// ExprOperand is an operand or a scalar of an [Expr].
type ExprOperand struct {
	Name    string
	Default any // what an absent one is: a float64, an int64 or a bool; nil: it may not be absent
}

// ExprInfo is what an [Expr] is.
type ExprInfo struct {
	Operands    []ExprOperand
	MinOperands int           // trailing optional ones may be left off
	Scalars     []ExprOperand // their defaults say whether they are integers or floats
	Results     []string      // their names
	Nodes       int           // functions computed for each element
	HostNodes   int           // functions of scalars, computed once an execute
}

// ParseExpr parses a text.
//
// Errors: [StatusInvalidArgument] (a text that is wrong: the message shows the line and the place, which
// [Error].Offset tells), [StatusUnsupported] (a function that is not there yet).
func ParseExpr(text string) (*Expr, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	return newExpr(capi.ExprParse(text))
}

func newExpr(handle capi.Expr, f *capi.Failure) (*Expr, error) {
	if f != nil {
		return nil, failed("", f)
	}
	free := func() { capi.ExprDestroy(handle) }
	info, f := capi.ExprDescribe(handle)
	if f != nil {
		free()
		return nil, failed("", f)
	}
	return &Expr{handle: handle, owner: owner.New(owner.Expr, free), info: info, id: lastExpr.Add(1)}, nil
}

// String is the canonical text: parsed, it gives the same expression, and expressions that mean the same
// by the same steps have the same one.
func (e *Expr) String() string {
	if e == nil {
		return ""
	}
	return e.info.Text
}

// Info describes the expression.
func (e *Expr) Info() ExprInfo {
	if e == nil {
		return ExprInfo{}
	}
	info := ExprInfo{MinOperands: e.info.MinOperands, Nodes: e.info.Nodes, HostNodes: e.info.HostNodes,
		Results: slices.Clone(e.info.Results)}
	for _, o := range e.info.Operands {
		info.Operands = append(info.Operands, ExprOperand(o))
	}
	for _, s := range e.info.Scalars {
		info.Scalars = append(info.Scalars, ExprOperand(s))
	}
	return info
}

// Close frees the expression once no call uses it. Plans made of it stay.
func (e *Expr) Close() error {
	if e == nil || !e.owner.Close() {
		return closedError("Expr.Close", "expr", -1)
	}
	return nil
}

// Gradient is the gradient with respect to operands, an expression itself. It takes the operands and
// scalars of e, then for each result r an operand grad_r of its shape, and gives for each of the named
// operands x a result grad_x of x's shape and dtype. Names that are taken get a number behind them: grad_x_2.
// Subgradients at ties and kinks are PyTorch's.
//
// Where an operand was broadcast its gradient is a sum, which cannot be planned yet (StatusUnsupported,
// naming it).
//
// Errors: [StatusInvalidArgument] (a name that is no operand or comes twice, an operand that no result
// depends on), [StatusUnsupported] (an operand that a function without a derivative takes).
func (e *Expr) Gradient(operands ...string) (*Expr, error) {
	if e == nil || !e.owner.Acquire() {
		return nil, closedError("Expr.Gradient", "expr", -1)
	}
	defer e.owner.Release()
	var names []string
	for _, o := range e.info.Operands {
		names = append(names, o.Name)
	}
	var indices []int32
	for i, name := range operands {
		at := slices.Index(names, name)
		if at < 0 {
			return nil, invalid("Expr.Gradient", "operands", i, "unknown name (got %q, need %s)", name,
				listed(names))
		}
		indices = append(indices, int32(at))
	}
	return newExpr(capi.ExprGradient(e.handle, indices))
}
