package tileops

import "github.com/libtileops/libtileops/bindings/go/internal/capi"

// Call runs an operator by name. The context keeps the plan for the next call of the same kind; a
// [Plan] spares the look-up. Absent optional operands are nil; [WithStream] and [WithContext] say
// where.
func Call(name string, outputs, inputs []*Tensor, options ...Option) error {
	op, err := OpByName(name)
	if err != nil {
		return err
	}
	return call(op, outputs, inputs, options)
}

// Call runs the operator, as [Call] does by name.
func (op Op) Call(outputs, inputs []*Tensor, options ...Option) error {
	return call(op, outputs, inputs, options)
}

func call(op Op, outputs, inputs []*Tensor, options []Option) error {
	q := request{ctx: defaultContext}
	var o operands
	defer o.release()
	if err := q.read(op, options); err != nil {
		return err
	}
	if err := q.ctx.acquire("Call"); err != nil {
		return err
	}
	defer q.ctx.release()
	if err := o.gather("Call", outputs, inputs); err != nil {
		return withOp(err, op)
	}
	if f := capi.Call(q.ctx.handle, &q.Request, &o.c, uintptr(q.stream)); f != nil {
		return failed(op.String(), f)
	}
	return nil
}
