//go:build cgo

package capi

// #include "shim.h"
import "C"

import "runtime/cgo"

// Tune measures the strategies of a plan. It calls progress after each, on this goroutine, and stops
// when that gives false. A panic of progress goes on when C has returned.
func Tune(ctx Context, q *Request, o *Operands, progress func(TuneProgress) bool) (TuneResult, *Failure) {
	var panicked any
	guarded := func(p TuneProgress) (goOn bool) {
		defer func() {
			if r := recover(); r != nil {
				panicked, goOn = r, false
			}
		}()
		return progress(p)
	}
	handle := cgo.NewHandle(guarded)
	defer handle.Delete()
	list, n := attrs(q)
	var out C.tileops_tune_result
	f := failure(C.tileops_go_tune((*C.tileops_context)(ctx), C.tileops_op(q.Op), C.uint32_t(q.Flags),
		operands(o), list, n, C.uintptr_t(handle), &out))
	if panicked != nil {
		panic(panicked)
	}
	if f != nil {
		return TuneResult{}, f
	}
	return TuneResult{
		Strategy: int32(out.strategy), Threads: int32(out.threads), NumPerThread: int32(out.num_per_thread),
		Candidates: int32(out.candidates), Seconds: float64(out.seconds), AutoSeconds: float64(out.auto_seconds),
	}, nil
}

//export tileopsGoTuneProgress
func tileopsGoTuneProgress(progress C.uintptr_t, p *C.tileops_tune_progress) C.int32_t {
	goOn := cgo.Handle(progress).Value().(func(TuneProgress) bool)(TuneProgress{
		Done: int32(p.done), Total: int32(p.total), Strategy: int32(p.strategy), Threads: int32(p.threads),
		NumPerThread: int32(p.num_per_thread), Seconds: float64(p.seconds), BestSeconds: float64(p.best_seconds),
	})
	if goOn {
		return 0
	}
	return 1
}
