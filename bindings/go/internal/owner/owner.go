// Package owner holds C handles: closed once, never while a call uses them, and at last by the
// garbage collector if nobody closed them.
package owner

import (
	"runtime"
	"sync/atomic"
)

// Kind says what a handle is, for the counters.
type Kind int

// Kinds of handles.
const (
	Context Kind = iota
	Plan
	Tensor
	Stream
	Export
	Expr
	CachedPlan // of the cache of calls
	Kinds
)

var live [Kinds]atomic.Int64

// Live is the number of handles of a kind that are not freed yet.
func Live(k Kind) int { return int(live[k].Load()) }

// Count adds n to the number of a kind's handles; for those that Go does not free itself.
func Count(k Kind, n int64) { live[k].Add(n) }

// Owner owns one handle. Its methods may be called from any goroutine; a nil Owner is closed.
type Owner struct{ *state }

// state is apart from Owner so that the cleanup of an unreachable Owner can still reach it.
type state struct {
	// Users that hold the handle now, in the low bits; closing, and freed, above.
	word atomic.Uint64
	kind Kind
	free func()
}

const (
	closed uint64 = 1 << 62
	freed  uint64 = 1 << 63
)

// New makes the owner of a handle that free gives back. If free may block, as it may for all kinds
// but plans and expressions, the cleanup runs it in a goroutine of its own.
func New(kind Kind, free func()) *Owner {
	live[kind].Add(1)
	o := &Owner{&state{kind: kind, free: free}}
	onUnreachable(o, o.state)
	return o
}

// Acquire keeps the handle from being freed until Release; false if it is closed.
func (o *Owner) Acquire() bool {
	if o == nil || o.state == nil {
		return false
	}
	open := o.word.Add(1)&closed == 0
	// From here on the count protects the handle; until here it is that o is reachable.
	runtime.KeepAlive(o)
	if !open {
		o.Release()
	}
	return open
}

// Release ends an Acquire. The last user of a closed handle frees it.
func (o *Owner) Release() {
	if s := o.state; s.word.Add(^uint64(0)) == closed {
		s.reclaim()
	}
}

// Close frees the handle as soon as nobody uses it; false if it was closed before.
func (o *Owner) Close() bool {
	if o == nil || o.state == nil {
		return false
	}
	first := o.state.close()
	forget(o)
	return first
}

// Closed says whether Close was called.
func (o *Owner) Closed() bool { return o == nil || o.state == nil || o.word.Load()&closed != 0 }

func (s *state) close() bool {
	for {
		word := s.word.Load()
		if word&closed != 0 {
			return false
		}
		if s.word.CompareAndSwap(word, word|closed) {
			if word == 0 {
				s.reclaim()
			}
			return true
		}
	}
}

// reclaim frees once: a user that comes late may bring the count to 0 a second time.
func (s *state) reclaim() {
	if s.word.CompareAndSwap(closed, closed|freed) {
		s.free()
		live[s.kind].Add(-1)
	}
}

// collect is the cleanup. It must not hold up those of other objects.
func (s *state) collect() {
	if s.kind == Plan || s.kind == CachedPlan || s.kind == Expr {
		s.close()
	} else {
		go s.close()
	}
}
