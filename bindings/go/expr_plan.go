package tileops

import (
	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// exprOperands are tensors of an expression on their way to C.
type exprOperands struct {
	c    capi.Many
	held [capi.MaxExprInputs + capi.MaxExprOutputs]*owner.Owner
	n    int
}

func (o *exprOperands) gather(function string, outputs, inputs []*Tensor) (err error) {
	o.n, err = gather(function, outputs, inputs, o.c.Outputs[:], o.c.Inputs[:], o.held[:])
	o.c.NumOutputs, o.c.NumInputs = int32(len(outputs)), int32(len(inputs))
	return err
}

func (o *exprOperands) release() { release(o.held[:o.n]) }

// NewPlan prepares the expression for operands like these; their elements are not touched, and a [Spec]
// serves as well. Absent optional operands are nil, trailing ones may be left off. Results may have any
// dtype: they are converted once. Plans that the context knows are shared. Options are [WithContext] and
// those of plans, such as [WithReproducible].
//
// Errors: those of [NewPlan]; one about the text has an Offset.
func (e *Expr) NewPlan(outputs, inputs []*Tensor, options ...Option) (*Plan, error) {
	const function = "Expr.NewPlan"
	var made executable
	err := e.planned(function, outputs, inputs, options, func(c *Context, flags uint32, o *capi.Many) (f *capi.Failure) {
		made, f = e.plan(c, flags, o, outputs, inputs)
		return f
	})
	if err != nil {
		return nil, err
	}
	return newPlan(made, 0, outputs, inputs), nil
}

// plan asks the library for a plan, and that for what it needs.
func (e *Expr) plan(c *Context, flags uint32, o *capi.Many, outputs, inputs []*Tensor) (executable, *capi.Failure) {
	handle, f := capi.ExprPlan(c.handle, e.handle, flags, o)
	if f != nil {
		return executable{}, f
	}
	made, f := newExecutable(handle, outputs, inputs)
	if f != nil {
		return executable{}, f
	}
	if made.own, f = newWorkspaces(made, outputs); f != nil {
		capi.PlanDestroy(handle)
		return executable{}, f
	}
	return made, nil
}

// CheckPlan says whether [Expr.NewPlan] would succeed; it prepares and compiles nothing.
func (e *Expr) CheckPlan(outputs, inputs []*Tensor, options ...Option) error {
	return e.planned("Expr.CheckPlan", outputs, inputs, options, func(c *Context, flags uint32, o *capi.Many) *capi.Failure {
		return capi.ExprCheck(c.handle, e.handle, flags, o)
	})
}

func (e *Expr) planned(function string, outputs, inputs []*Tensor, options []Option,
	call func(*Context, uint32, *capi.Many) *capi.Failure) error {
	if e == nil || !e.owner.Acquire() {
		return closedError(function, "expr", -1)
	}
	defer e.owner.Release()
	q := request{ctx: Default()}
	if err := q.readPlan(function, options); err != nil {
		return err
	}
	var o exprOperands
	defer o.release()
	if err := o.gather(function, outputs, inputs); err != nil {
		return err
	}
	if err := q.ctx.acquire(function); err != nil {
		return err
	}
	defer q.ctx.release()
	return failed("", call(q.ctx, q.Flags, &o.c))
}

// Infer gives dtypes and shapes of the results, as a [Spec] each, before there is memory for them; the
// device is that of the first input. An extent that follows from an open one is [Open].
//
// Errors: [StatusInvalidArgument] (counts, shapes), [StatusUnsupported] (dtypes).
func (e *Expr) Infer(inputs ...*Tensor) ([]*Tensor, error) {
	const function = "Expr.Infer"
	if e == nil || !e.owner.Acquire() {
		return nil, closedError(function, "expr", -1)
	}
	defer e.owner.Release()
	var o exprOperands
	defer o.release()
	if err := o.gather(function, nil, inputs); err != nil {
		return nil, err
	}
	var results []*Tensor
	for i := range e.info.Results {
		layout, f := capi.ExprInfer(e.handle, &o.c, i)
		if f != nil {
			return nil, failed("", f)
		}
		spec, err := specOf(layout)
		if err != nil {
			return nil, err
		}
		results = append(results, spec)
	}
	return results, nil
}

// DeviceFunction is the expression as a function for CUDA code: the text of a header that has a template of this
// name over values in registers, for inputs of these dtypes; of shapes it matters how long rows are, and
// which operands are one element. With reproducible it has the bits of the CPU.
//
// Errors: [StatusInvalidArgument] (counts, shapes, the name), [StatusUnsupported] (what is no function of registers).
func (e *Expr) DeviceFunction(name string, reproducible bool, inputs ...*Tensor) (string, error) {
	const function = "Expr.DeviceFunction"
	if e == nil || !e.owner.Acquire() {
		return "", closedError(function, "expr", -1)
	}
	defer e.owner.Release()
	var o exprOperands
	defer o.release()
	if err := o.gather(function, nil, inputs); err != nil {
		return "", err
	}
	var flags uint32
	if reproducible {
		flags = WithReproducible().flag
	}
	text, f := capi.ExprDeviceFunction(e.handle, flags, &o.c, name)
	return text, failed("", f)
}

// ExecuteWith is [Plan.Execute] of a plan of an [Expr] with the values of its scalars in order; those
// left off, and zero Numbers, have the defaults of the text. By name: [Expr.Scalars]. Scalars never make a
// plan and compile nothing.
//
// Errors: also [StatusInvalidArgument] for a scalar that its type cannot have: for an integer a float that is
// none (3.0 is one), a bool, an integer out of range.
func (p *Plan) ExecuteWith(scalars []Number, operands ...*Tensor) error {
	return p.executeWith("Plan.ExecuteWith", scalars, 0, operands)
}

// ExecuteWithOn enqueues the plan on a stream and does not wait, as [Plan.ExecuteOn]. The scalars are read
// before it returns; a captured graph keeps those of the capture.
func (p *Plan) ExecuteWithOn(stream Stream, scalars []Number, operands ...*Tensor) error {
	return p.executeWith("Plan.ExecuteWithOn", scalars, stream, operands)
}

func (p *Plan) executeWith(function string, scalars []Number, stream Stream, list []*Tensor) error {
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	if err := p.checkCount(function, list); err != nil {
		return err
	}
	f, err := runWith(function, p.executable, scalars, stream, list[:p.numOutputs], list[p.numOutputs:])
	if err != nil {
		return withOp(err, p.op)
	}
	if f != nil {
		return failed(p.op.label(), f)
	}
	return nil
}

// runWith is [run] with scalars, in a workspace of the plan's if it needs one.
func runWith(function string, e executable, scalars []Number, stream Stream, outputs, inputs []*Tensor) (*capi.Failure, error) {
	if e.own == nil && len(scalars) == 0 {
		return run(function, e.handle, true, stream, outputs, inputs)
	}
	bytes := e.need(func() []int64 { return e.extentsIn(inputs) })
	if bytes == 0 {
		return runIn(function, e.handle, capi.Space{}, scalars, stream, outputs, inputs)
	}
	w, err := e.own.take(function, stream, bytes)
	if err != nil {
		return nil, err
	}
	defer e.own.giveBack(w)
	return runIn(function, e.handle, w.space(), scalars, stream, outputs, inputs)
}

// runIn is runWith in memory that is given.
func runIn(function string, handle capi.Plan, space capi.Space, scalars []Number, stream Stream,
	outputs, inputs []*Tensor) (*capi.Failure, error) {
	if err := checkScalars(function, scalars); err != nil {
		return nil, err
	}
	annotate(outputs, inputs)
	return runExpr(function, handle, space, scalars, stream, outputs, inputs)
}

func checkScalars(function string, scalars []Number) error {
	for i, n := range scalars {
		if wrong := n.noScalar(); wrong != "" {
			return invalid(function, "scalars", i, "%s", wrong)
		}
	}
	return nil
}

// runExpr executes a plan that the caller keeps alive, of as many operands as an expression may have.
func runExpr(function string, handle capi.Plan, space capi.Space, scalars []Number, stream Stream,
	outputs, inputs []*Tensor) (*capi.Failure, error) {
	var o exprOperands
	defer o.release()
	if err := o.gather(function, outputs, inputs); err != nil {
		return nil, err
	}
	return capi.ExecuteWith(handle, &o.c, numbers(scalars), space, uintptr(stream)), nil
}
