package tileops

import (
	"os"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// planCache holds the plans that calls without a plan made last, so that most of them need not ask
// the library. Plans are in sets of a few; the oldest of a full set gives way. Finding one takes no
// lock: entries never change, and one that was replaced is freed by the garbage collector when no
// call uses it any more.
type planCache struct {
	sets []planSet // their number is a power of two; none: nothing is kept
	ways int       // of each set that may be used
}

const (
	maxSets = 64
	maxWays = 4
)

type planSet struct {
	ways [maxWays]atomic.Pointer[cachedPlan]
	next atomic.Uint32
}

// cachedPlan is a plan and all that it was made from. Layouts are those of tensors, which never
// change them.
type cachedPlan struct {
	executable
	owner      *owner.Owner // frees the handle when this is unreachable
	hash       uint64
	expr       uint64
	op         int32
	flags      uint32
	attrs      []capi.Attr
	layouts    [][]int64 // of the outputs, then of the inputs; nil for absent ones
	numOutputs int
}

// newPlanCache keeps as many plans as a context with that option would, and at most 256. Zero asks
// the environment, as the library does.
func newPlanCache(capacity uint32) *planCache {
	plans := maxSets * maxWays
	if capacity > 0 {
		plans = min(plans, int(capacity))
	} else if n, err := strconv.ParseInt(os.Getenv("TILEOPS_PLAN_CAPACITY"), 10, 64); err == nil && n >= 0 {
		plans = int(min(int64(plans), n))
	}
	if plans == 0 {
		return &planCache{}
	}
	sets := 1
	for 2*sets*maxWays <= plans {
		sets *= 2
	}
	return &planCache{sets: make([]planSet, sets), ways: min(plans, maxWays)}
}

// clear forgets all plans.
func (c *planCache) clear() {
	for i := range c.sets {
		for j := range c.sets[i].ways {
			c.sets[i].ways[j].Store(nil)
		}
	}
}

// find gives the plan for such a call, or nil.
func (c *planCache) find(hash uint64, q *request, outputs, inputs []*Tensor) *cachedPlan {
	set := &c.sets[hash>>32&uint64(len(c.sets)-1)]
	for i := range set.ways[:c.ways] {
		if p := set.ways[i].Load(); p != nil && p.hash == hash && p.fits(q, outputs, inputs) {
			return p
		}
	}
	return nil
}

// newCachedPlan owns the plan from here on.
func newCachedPlan(hash uint64, q *request, outputs, inputs []*Tensor, e executable) *cachedPlan {
	p := &cachedPlan{
		executable: e, hash: hash, expr: q.expr, op: q.Op, flags: q.Flags, attrs: slices.Clone(q.Attrs[:q.NumAttrs]),
		owner:      owner.New(owner.CachedPlan, e.destroy),
		numOutputs: len(outputs), layouts: make([][]int64, len(outputs)+len(inputs)),
	}
	for i, t := range outputs {
		p.layouts[i] = layoutOf(t)
	}
	for i, t := range inputs {
		p.layouts[len(outputs)+i] = layoutOf(t)
	}
	return p
}

// keep has a new plan found by later calls.
func (c *planCache) keep(p *cachedPlan) *cachedPlan {
	set := &c.sets[p.hash>>32&uint64(len(c.sets)-1)]
	set.ways[int(set.next.Add(1)-1)%c.ways].Store(p)
	return p
}

func layoutOf(t *Tensor) []int64 {
	if t == nil {
		return nil
	}
	return t.layout
}

func (p *cachedPlan) fits(q *request, outputs, inputs []*Tensor) bool {
	if p.expr != q.expr || p.op != q.Op || p.flags != q.Flags || p.numOutputs != len(outputs) ||
		len(p.layouts) != len(outputs)+len(inputs) || !slices.Equal(p.attrs, q.Attrs[:q.NumAttrs]) {
		return false
	}
	for i, t := range outputs {
		if !sameLayout(p.layouts[i], layoutOf(t)) {
			return false
		}
	}
	for i, t := range inputs {
		if !sameLayout(p.layouts[len(outputs)+i], layoutOf(t)) {
			return false
		}
	}
	return true
}

// sameLayout compares all words but the address.
func sameLayout(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	return slices.Equal(a[:capi.Address], b[:capi.Address]) && slices.Equal(a[capi.Words:], b[capi.Words:])
}

func mix(hash, word uint64) uint64 {
	return (hash<<5 | hash>>59 ^ word) * 0x9e3779b97f4a7c15
}

// hashCall hashes what [cachedPlan.fits] compares. Keys are few and not hostile: a word that is
// rotated, added and multiplied is enough.
func hashCall(q *request, outputs, inputs []*Tensor) uint64 {
	hash := mix(uint64(q.Op)|q.expr<<16, uint64(q.Flags)<<32|uint64(len(outputs))<<8|uint64(len(inputs)))
	for i := range q.Attrs[:q.NumAttrs] {
		a := &q.Attrs[i]
		hash = mix(mix(hash, uint64(a.Key)<<8|uint64(a.Kind)), a.Bits)
	}
	for _, t := range outputs {
		hash = hashLayout(hash, layoutOf(t))
	}
	for _, t := range inputs {
		hash = hashLayout(hash, layoutOf(t))
	}
	return hash
}

func hashLayout(hash uint64, l []int64) uint64 {
	if l == nil {
		return mix(hash, 1<<63)
	}
	hash = mix(hash, uint64(l[capi.NDim]|l[capi.DTypeCode]<<8|l[capi.DTypeBits]<<16|l[capi.DeviceType]<<24|
		l[capi.DeviceID]<<40))
	for _, word := range l[capi.Words:] {
		hash = mix(hash, uint64(word))
	}
	return hash
}
