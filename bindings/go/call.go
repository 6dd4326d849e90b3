package tileops

import (
	"runtime"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Call runs an operator by name. The plan of a call is kept for the next one of the same kind; a
// context keeps up to 256 of them, and no more than its [ContextOptions] say. A [Plan] spares finding it. Absent
// optional operands are nil; [WithStream] and [WithContext] say where.
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
	if err := q.read(op, options); err != nil {
		return err
	}
	if err := q.ctx.acquire("Call"); err != nil {
		return err
	}
	defer q.ctx.release()
	cache := q.ctx.planCache()
	if len(cache.sets) == 0 || q.Flags&planNoCache != 0 {
		return callOnce(q, op, outputs, inputs)
	}
	hash := hashCall(&q, outputs, inputs)
	plan := cache.find(hash, &q, outputs, inputs)
	if plan == nil {
		var err error
		if plan, err = makePlan(q, cache, hash, op, outputs, inputs); err != nil {
			return err
		}
	}
	f, err := run("Call", plan.handle, true, q.stream, outputs, inputs)
	runtime.KeepAlive(plan)
	if err != nil {
		return withOp(err, op)
	}
	if f != nil {
		return failed(op.String(), f)
	}
	return nil
}

// makePlan makes a plan, by the library's own look-up, and keeps it. The request comes by value, so
// that calls which find their plan need no memory for it.
func makePlan(q request, cache *planCache, hash uint64, op Op, outputs, inputs []*Tensor) (*cachedPlan, error) {
	var o operands
	defer o.release()
	if err := o.gather("Call", outputs, inputs); err != nil {
		return nil, withOp(err, op)
	}
	handle, f := capi.PlanCreate(q.ctx.handle, &q.Request, &o.c)
	if f != nil {
		return nil, failed(op.String(), f)
	}
	return cache.keep(newCachedPlan(hash, &q, outputs, inputs, executable{handle: handle})), nil
}

// callOnce plans and runs, and keeps nothing here.
func callOnce(q request, op Op, outputs, inputs []*Tensor) error {
	var o operands
	defer o.release()
	if err := o.gather("Call", outputs, inputs); err != nil {
		return withOp(err, op)
	}
	annotate(outputs, inputs)
	if f := capi.Call(q.ctx.handle, &q.Request, &o.c, uintptr(q.stream)); f != nil {
		return failed(op.String(), f)
	}
	return nil
}
