package tileops

import (
	"time"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// What the tests, which are outside of the package, see of its inside.

// CheckVersion is what stands before every context.
var CheckVersion = checkVersion

// TimeAdd is the time of C alone.
func (p *Plan) TimeAdd(n, repeats int) time.Duration { return capi.TimeAdd(p.handle, n, repeats) }

// KeyOf is the key of an attribute's option.
func KeyOf(o Option) int32 { return o.attr.Key }

// LookUp makes the option of an attribute of an operator by name.
func LookUp(op Op, name string, value any) (Option, error) {
	o := WithAttr(name, value)
	attr, err := lookUp(op, 0, &o)
	return Option{kind: attrOption, attr: attr}, err
}

// StatusName is what C calls a status.
func StatusName(s Status) string { return capi.StatusName(int32(s)) }

// CachedPlans counts the plans of all caches of calls that are not freed yet.
func CachedPlans() int { return owner.Live(owner.CachedPlan) }

// PlansOf counts those that a context would find.
func PlansOf(c *Context) (n int) {
	for i := range c.planCache().sets {
		for j := range c.planCache().sets[i].ways {
			if c.planCache().sets[i].ways[j].Load() != nil {
				n++
			}
		}
	}
	return n
}

// KeptWorkspaces are the streams of those that a plan keeps, the oldest first.
func KeptWorkspaces(p *Plan) (streams []Stream) {
	for _, w := range p.own.free {
		streams = append(streams, w.stream)
	}
	return streams
}

// BorrowWorkspace does something while an execute would have a workspace of the plan.
func BorrowWorkspace(p *Plan, s Stream, do func()) error {
	w, err := p.own.take("BorrowWorkspace", s, p.own.bytes)
	if err != nil {
		return err
	}
	do()
	p.own.giveBack(w)
	return nil
}
