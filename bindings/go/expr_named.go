package tileops

import (
	"strings"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// NamedExprInfo is a row of the table of expressions that have a name.
type NamedExprInfo struct {
	Name string // "swiglu_residual"
	Text string // as ParseExpr takes it
	Doc  string // one line: what it is for
}

// NamedExprs lists the expressions that the library knows by name, what engines and trainers use and the
// gradients of activations, in the order of its table; nil without a library.
func NamedExprs() []NamedExprInfo {
	if ready() != nil {
		return nil
	}
	list := make([]NamedExprInfo, capi.NamedExprCount())
	for i := range list {
		list[i] = NamedExprInfo(capi.NamedExprAt(i))
	}
	return list
}

// NamedExpr is the expression of that name, such as "adamw"; [NamedExprs] lists them.
//
// Errors: [StatusInvalidArgument] (the library has no expression of that name).
func NamedExpr(name string) (*Expr, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	if strings.Contains(name, "\x00") { // C would end the name there
		return nil, invalid("NamedExpr", "name", -1, "there is no expression of that name (got %q)", name)
	}
	return newExpr(capi.ExprNamed(name))
}
