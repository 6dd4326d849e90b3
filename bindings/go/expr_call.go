package tileops

import "runtime"

// Call runs the expression, as [Op.Call] does an operator: first the outputs, then the inputs, nil for absent
// optional ones, which may be left off at the end. Scalars have their defaults. The plan is kept for the next call
// of this Expr with operands like these, by the context and among as many as those of operators. Options are
// [WithContext], [WithStream] and those of plans.
//
//	err := expr.Call([]*tileops.Tensor{y}, []*tileops.Tensor{x, w})
//
// Errors: those of [Expr.NewPlan] and [Plan.Execute].
func (e *Expr) Call(outputs, inputs []*Tensor, options ...Option) error {
	return e.call("Expr.Call", nil, outputs, inputs, options)
}

// CallWith is [Expr.Call] with the values of scalars, as [Plan.ExecuteWith] takes them. They are no part of a plan:
// calls that differ in them alone share one.
func (e *Expr) CallWith(scalars []Number, outputs, inputs []*Tensor, options ...Option) error {
	return e.call("Expr.CallWith", scalars, outputs, inputs, options)
}

func (e *Expr) call(function string, scalars []Number, outputs, inputs []*Tensor, options []Option) error {
	if e == nil || !e.owner.Acquire() {
		return closedError(function, "expr", -1)
	}
	defer e.owner.Release()
	q := request{ctx: defaultContext, expr: e.id}
	if err := q.readPlan(function, options); err != nil {
		return err
	}
	if err := q.ctx.acquire(function); err != nil {
		return err
	}
	defer q.ctx.release()
	cache := q.ctx.planCache()
	kept := len(cache.sets) > 0 && q.Flags&planNoCache == 0
	hash := hashCall(&q, outputs, inputs)
	var plan *cachedPlan
	if kept {
		plan = cache.find(hash, &q, outputs, inputs)
	}
	if plan == nil {
		var err error
		if plan, err = e.makePlan(function, q, hash, outputs, inputs); err != nil {
			return err
		}
		if kept {
			cache.keep(plan)
		} else {
			defer plan.owner.Close()
		}
	}
	f, err := runWith(function, plan.executable, scalars, q.stream, outputs, inputs)
	runtime.KeepAlive(plan)
	if err != nil {
		return err
	}
	if f != nil {
		return failed("", f)
	}
	return nil
}

// makePlan makes a plan, by the library's own look-up. The request comes by value, as for calls of operators.
func (e *Expr) makePlan(function string, q request, hash uint64, outputs, inputs []*Tensor) (*cachedPlan, error) {
	var o exprOperands
	defer o.release()
	if err := o.gather(function, outputs, inputs); err != nil {
		return nil, err
	}
	made, f := e.plan(q.ctx, q.Flags, &o.c, outputs, inputs)
	if f != nil {
		return nil, failed("", f)
	}
	return newCachedPlan(hash, &q, outputs, inputs, made), nil
}
