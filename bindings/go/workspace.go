package tileops

import (
	"math"
	"math/bits"
	"sync"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Workspace is memory for what a plan leaves from one pass over its operands for later ones, such as sums
// along all axes. Most plans need none; [Plan.WorkspaceBytes] says how much.
//
// An execute takes one by itself, of those that its plan keeps: one that is free, or a new one. On CUDA each
// is kept for the stream that it was used on first, which must be destroyed only when its work is done; they
// go with the plan. How much a plan with open extents needs may depend on them: with a bound on each ([UpTo]) it takes
// what does for all, else what those of an execute need, so that a larger one allocates. A program that wants to say which memory that is, or captures a graph, which works in the
// same memory each time that it is launched, gives one: [Plan.ExecuteIn].
//
// What it holds does not matter. One that is larger than needed serves as well, so that plans that run one
// after the other may share one; executes at the same time need one each.
type Workspace struct{ memory *Tensor }

// NewWorkspace is memory on a device, aligned to 64 bytes.
func NewWorkspace(d Device, bytes int) (*Workspace, error) {
	if bytes < 0 {
		return nil, invalid("NewWorkspace", "bytes", -1, "negative (got %d)", bytes)
	}
	memory, err := Default().Alloc(U8, d, bytes)
	if err != nil {
		return nil, err
	}
	return &Workspace{memory}, nil
}

// WorkspaceOf is all memory of a row-major tensor, such as one of [FromPointer], which the workspace keeps
// alive. It is none of Go's, which C may not hold and which is not aligned to 64 bytes.
func WorkspaceOf(t *Tensor) (*Workspace, error) {
	const function = "WorkspaceOf"
	switch {
	case !t.valid() || t.owner != nil && t.owner.Closed():
		return nil, closedError(function, "tensor", -1)
	case t.readOnly:
		return nil, invalid(function, "tensor", -1, "read-only")
	case t.spec || t.raw.Data != nil:
		return nil, invalid(function, "tensor", -1, "no memory of C or of a device (got %v)", t)
	}
	step := int64(1)
	for i := t.ndim() - 1; i >= 0; i-- {
		if t.shape()[i] > 1 && t.strides()[i] != step {
			return nil, invalid(function, "tensor", -1, "not row-major (got shape %v, strides %v)", t.Shape(), t.Strides())
		}
		step *= t.shape()[i]
	}
	return &Workspace{t}, nil
}

// Bytes is its size, 0 of nil.
func (w *Workspace) Bytes() int {
	if w == nil {
		return 0
	}
	return w.memory.Len() * w.memory.DType().Size()
}

// Device is where it is.
func (w *Workspace) Device() Device {
	if w == nil {
		return Device{}
	}
	return w.memory.Device()
}

// Close frees the memory, as [Tensor.Close] does.
func (w *Workspace) Close() error {
	if w == nil || w.memory.Close() != nil {
		return closedError("Workspace.Close", "workspace", -1)
	}
	return nil
}

func (w *Workspace) space() capi.Space {
	return capi.Space{Address: w.memory.Address(), Bytes: uint64(w.Bytes())}
}

// workspaces are those that a plan keeps, each of which no execute has taken. A nil one: the plan needs none.
type workspaces struct {
	device Device
	bytes  int // atExtents: as many as the extents of an execute need
	mutex  sync.Mutex
	free   []keptWorkspace
	closed bool
}

// keptWorkspace may be used again by work on that stream, which begins when the work before has ended.
type keptWorkspace struct {
	*Workspace
	stream Stream
}

const (
	mostKept        = 64 // beyond that the oldest one is freed
	streamPerThread = 2  // cudaStreamPerThread: one handle, which is another stream on each thread
)

const atExtents = -1

// newWorkspaces asks a new plan of an expression what it needs.
func newWorkspaces(made executable, outputs []*Tensor) (*workspaces, *capi.Failure) {
	need, f := capi.PlanWorkspace(made.handle)
	bytes := int(need)
	for _, o := range made.open {
		if f != nil && o.Most == math.MaxInt { // it depends on an extent that has no bound
			bytes, f = atExtents, nil
		}
	}
	if f != nil || bytes == 0 {
		return nil, f
	}
	return &workspaces{device: deviceOf(outputs), bytes: bytes}, nil
}

// need is how much an execute takes. Of extents that the plan refuses it is 0: the library says what is wrong with them.
func (e executable) need(extents func() []int64) int {
	switch {
	case e.own == nil:
		return 0
	case e.own.bytes != atExtents:
		return e.own.bytes
	}
	facts, f := capi.PlanAt(e.handle, extents())
	if f != nil {
		return 0
	}
	return int(facts.WorkspaceBytes)
}

// take gives one of so many bytes that no other execute has: even on one stream the passes of two that are enqueued at
// once would mix.
func (own *workspaces) take(function string, stream Stream, bytes int) (keptWorkspace, error) {
	if w, ok := own.find(stream); ok {
		if w.Bytes() >= bytes {
			return w, nil
		}
		w.Close() // it makes room for the one that will be
	}
	if stream == streamPerThread {
		return keptWorkspace{}, invalid(function, "stream", -1, "the plan needs a workspace, and cudaStreamPerThread "+
			"is another stream on each thread (need a stream of its own, or Plan.ExecuteIn)")
	}
	if own.bytes == atExtents { // where extents grow, not each of them allocates
		bytes = 1 << bits.Len(uint(bytes-1))
	}
	w, err := NewWorkspace(own.device, bytes)
	return keptWorkspace{w, stream}, err
}

func (own *workspaces) find(stream Stream) (keptWorkspace, bool) {
	own.mutex.Lock()
	defer own.mutex.Unlock()
	for i := len(own.free) - 1; i >= 0; i-- {
		if w := own.free[i]; w.stream == stream {
			own.free = append(own.free[:i], own.free[i+1:]...)
			return w, true
		}
	}
	return keptWorkspace{}, false
}

func (own *workspaces) giveBack(w keptWorkspace) {
	own.mutex.Lock()
	var oldest keptWorkspace
	if own.closed {
		oldest = w
	} else {
		if len(own.free) == mostKept {
			oldest = own.free[0]
			own.free = append(own.free[:0], own.free[1:]...)
		}
		own.free = append(own.free, w)
	}
	own.mutex.Unlock()
	if oldest.Workspace != nil {
		oldest.Close() // the driver frees memory when the device's work that may read it has ended
	}
}

// close frees them when their plan is freed. That may wait for a device, for which the garbage collector
// must not.
func (own *workspaces) close() {
	if own == nil {
		return
	}
	own.mutex.Lock()
	free := own.free
	own.free, own.closed = nil, true
	own.mutex.Unlock()
	all := func() {
		for _, w := range free {
			w.Close()
		}
	}
	if own.device == CPU() {
		all()
	} else {
		go all()
	}
}

// WorkspaceBytes is the size of the [Workspace] that an execute works in; 0 for most plans. Of a plan with open extents
// it is what does for all of them; 0 where there is no such number, since one has no bound: [Plan.At] says what some
// extents need.
func (p *Plan) WorkspaceBytes() int {
	if p == nil || p.own == nil {
		return 0
	}
	return max(p.own.bytes, 0)
}

// NewWorkspace is one for this plan, on its device. It fails where the size depends on open extents without a bound.
func (p *Plan) NewWorkspace() (*Workspace, error) {
	if p != nil && p.own != nil && p.own.bytes == atExtents {
		return nil, withOp(invalid("Plan.NewWorkspace", "plan", -1,
			"the size depends on open extents (need a bound, UpTo, or NewWorkspace with the bytes of Plan.At)"), p.op)
	}
	info, err := p.Info()
	if err != nil {
		return nil, err
	}
	return NewWorkspace(info.Device, p.WorkspaceBytes())
}

// ExecuteIn is [Plan.ExecuteWithOn] in a workspace that is given; none of the plan's is taken. On CUDA the
// workspace stays until the work is done, and no work uses it but such as is enqueued behind it on the stream.
//
// Errors: also [StatusInvalidArgument] for a workspace that is too small, or on another device.
func (p *Plan) ExecuteIn(w *Workspace, stream Stream, scalars []Number, operands ...*Tensor) error {
	const function = "Plan.ExecuteIn"
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	if w == nil || !w.memory.valid() || w.memory.owner != nil && !w.memory.owner.Acquire() {
		return closedError(function, "workspace", -1)
	}
	if w.memory.owner != nil {
		defer w.memory.owner.Release()
	}
	if err := p.checkCount(function, operands); err != nil {
		return err
	}
	outputs, inputs := operands[:p.numOutputs], operands[p.numOutputs:]
	if device := deviceOf(outputs); device != w.Device() {
		return withOp(invalid(function, "workspace", -1, "on another device (got %v, need %v)", w.Device(), device), p.op)
	}
	f, err := runIn(function, p.handle, w.space(), scalars, stream, outputs, inputs)
	if err != nil {
		return withOp(err, p.op)
	}
	return failed(p.op.label(), f)
}

// deviceOf is that of the outputs, where a plan runs.
func deviceOf(outputs []*Tensor) Device {
	for _, t := range outputs {
		if t.valid() {
			return t.Device()
		}
	}
	return CPU()
}
