package tileops

import (
	"sync"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Pool is the caller's own way to run work at once: it calls work(part) once for each part from 0 to parts - 1, in
// any order, on any goroutines, and returns when all of them have returned.
type Pool func(parts int, work func(part int))

// ExecuteParts is [Plan.ExecuteWith] on goroutines of the caller's, for plans on the CPU: no thread of the library
// works, and the results have the same bits. The pool is called once for each phase of the plan, of which most have
// one, with as many parts as are worth a goroutine each: 1 where there is little to do.
//
//	err := plan.ExecuteParts(func(parts int, work func(int)) {
//		var all sync.WaitGroup
//		for part := 0; part < parts; part++ {
//			all.Add(1)
//			go func(part int) { defer all.Done(); work(part) }(part)
//		}
//		all.Wait()
//	}, nil, y, x)
//
// A part that the pool leaves out, or runs twice at once, leaves results undefined.
//
// Errors: those of [Plan.ExecuteWith], the first one of a phase; [StatusUnsupported] for a plan on another device.
func (p *Plan) ExecuteParts(pool Pool, scalars []Number, operands ...*Tensor) error {
	const function = "Plan.ExecuteParts"
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	if pool == nil {
		return withOp(invalid(function, "pool", -1, "nil"), p.op)
	}
	if err := p.checkCount(function, operands); err != nil {
		return err
	}
	f, err := runParts(function, p.executable, pool, scalars, operands[:p.numOutputs], operands[p.numOutputs:])
	if err != nil {
		return withOp(err, p.op)
	}
	return failed(p.op.label(), f)
}

// runParts is [runWith] in parts.
func runParts(function string, e executable, pool Pool, scalars []Number, outputs, inputs []*Tensor) (*capi.Failure, error) {
	if err := checkScalars(function, scalars); err != nil {
		return nil, err
	}
	var space capi.Space
	extents := e.extentsIn(inputs)
	if bytes := e.need(func() []int64 { return extents }); bytes > 0 {
		w, err := e.own.take(function, 0, bytes)
		if err != nil {
			return nil, err
		}
		defer e.own.giveBack(w)
		space = w.space()
	}
	var o exprOperands
	defer o.release()
	if err := o.gather(function, outputs, inputs); err != nil {
		return nil, err
	}
	annotate(outputs, inputs)
	phases, parts, f := e.parts(extents)
	if f != nil {
		return f, nil
	}
	for phase := 0; phase < phases; phase++ {
		var mutex sync.Mutex
		var first *capi.Failure
		pool(parts, func(part int) {
			f := capi.ExecutePart(e.handle, &o.c, numbers(scalars), space, capi.Part{Phase: phase, Part: part, Parts: parts})
			if f == nil {
				return
			}
			mutex.Lock()
			defer mutex.Unlock()
			if first == nil {
				first = f
			}
		})
		if first != nil {
			return first, nil
		}
	}
	return nil, nil
}

// parts are as many as are worth a goroutine each, but at least one: of a plan on another device, and of extents that the
// plan refuses, the part says what is wrong.
func (e executable) parts(extents []int64) (phases, parts int, f *capi.Failure) {
	if e.open == nil {
		phases, parts, f = capi.PlanParts(e.handle)
		return phases, max(parts, 1), f
	}
	if facts, f := capi.PlanAt(e.handle, extents); f == nil {
		return facts.Phases, max(facts.Parts, 1), nil
	}
	return 1, 1, nil
}
