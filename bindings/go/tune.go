package tileops

import (
	"fmt"
	"time"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Strategy says how a CUDA kernel cuts its work; all give the same bits. tileops.h describes them.
type Strategy int32

// The strategies of the library.
const (
	StrategyAuto Strategy = iota
	StrategyDirect
	StrategyExplicitParallel
	StrategyRegisterCopy
	StrategyTable
	StrategyTile
	StrategyReread
	StrategyCluster
)

// String is the name that [PlanInfo] uses.
func (s Strategy) String() string {
	names := [...]string{"auto", "direct", "explicit_parallel", "register_copy", "table", "tile", "reread", "cluster"}
	if s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("Strategy(%d)", int32(s))
}

// TuneProgress tells of one candidate that was measured.
type TuneProgress struct {
	Done, Total           int // candidates measured so far, this one included; and altogether
	Strategy              Strategy
	Threads, NumPerThread int           // of a block; elements of a thread
	Time, Best            time.Duration // of one execute; the least so far
}

// TuneResult is the fastest candidate.
type TuneResult struct {
	Strategy              Strategy
	Threads, NumPerThread int
	Candidates            int           // measured
	Time, Auto            time.Duration // of one execute; of what the library chooses by itself
}

// Tune measures the strategies that a plan for operands like these could have on their CUDA device,
// and keeps the fastest for later plans of the same kernel and a like size: in this context, and by
// the kernel cache on disk in later processes. A [Spec] serves as operand: memory is the library's
// own. It takes seconds. After each candidate progress, unless it is nil, is called on this
// goroutine; where it gives false tuning stops, and nothing is kept. The CPU has nothing to tune:
// [StatusUnsupported].
func (c *Context) Tune(op Op, outputs, inputs []*Tensor, progress func(TuneProgress) bool, options ...Option) (TuneResult, error) {
	var q request
	var o operands
	defer o.release()
	if err := c.prepare("Context.Tune", op, outputs, inputs, options, &q, &o); err != nil {
		return TuneResult{}, err
	}
	defer c.release()
	r, f := capi.Tune(c.handle, &q.Request, &o.c, func(p capi.TuneProgress) bool {
		return progress == nil || progress(TuneProgress{int(p.Done), int(p.Total), Strategy(p.Strategy), int(p.Threads),
			int(p.NumPerThread), duration(p.Seconds), duration(p.BestSeconds)})
	})
	if f != nil {
		return TuneResult{}, failed(op.String(), f)
	}
	c.planCache().clear() // as the library does with its own
	return TuneResult{Strategy(r.Strategy), int(r.Threads), int(r.NumPerThread), int(r.Candidates),
		duration(r.Seconds), duration(r.AutoSeconds)}, nil
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
