package tileops

import (
	"encoding/binary"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// Plan is an operator, or an [Expr], prepared for shapes, strides, dtypes, attributes and a device. It never
// changes: any number of goroutines may execute one plan at once, on any streams. Where extents of a [Spec] are [Open],
// one plan does for any of them.
type Plan struct {
	executable
	owner                 *owner.Owner
	op                    Op
	numOutputs, numInputs int
}

// executable is a plan of the library and the workspaces that its executes take.
type executable struct {
	handle capi.Plan
	own    *workspaces  // nil: it needs none
	open   []OpenExtent // those that each execute brings; of most plans none
}

func (e executable) destroy() {
	capi.PlanDestroy(e.handle)
	e.own.close()
}

// operands are tensors on their way to C.
type operands struct {
	c    capi.Operands
	held [capi.MaxInputs + capi.MaxOutputs]*owner.Owner
	n    int
}

// gather collects outputs and inputs, with nil for absent ones, and keeps those that own their
// memory from being freed.
func (o *operands) gather(function string, outputs, inputs []*Tensor) (err error) {
	o.n, err = gather(function, outputs, inputs, o.c.Outputs[:], o.c.Inputs[:], o.held[:])
	o.c.NumOutputs, o.c.NumInputs = int32(len(outputs)), int32(len(inputs))
	return err
}

func (o *operands) release() { release(o.held[:o.n]) }

// gather fills outs, ins and held; n is how many are held, also where it fails.
func gather(function string, outputs, inputs []*Tensor, outs, ins []capi.Tensor, held []*owner.Owner) (n int, err error) {
	if len(outputs) > len(outs) {
		return 0, invalid(function, "outputs", -1, "too many (got %d, need at most %d)", len(outputs), len(outs))
	}
	if len(inputs) > len(ins) {
		return 0, invalid(function, "inputs", -1, "too many (got %d, need at most %d)", len(inputs), len(ins))
	}
	for i, t := range outputs {
		if t == nil {
			continue
		}
		if t.readOnly {
			return n, invalid(function, "outputs", i, "read-only")
		}
		if !hold(t, held, &n) {
			return n, closedError(function, "outputs", i)
		}
		outs[i] = t.raw
	}
	for i, t := range inputs {
		if t == nil {
			continue
		}
		if !hold(t, held, &n) {
			return n, closedError(function, "inputs", i)
		}
		ins[i] = t.raw
	}
	return n, nil
}

func hold(t *Tensor, held []*owner.Owner, n *int) bool {
	if t.layout == nil {
		return false
	}
	if t.owner == nil {
		return true
	}
	if !t.owner.Acquire() {
		return false
	}
	held[*n] = t.owner
	*n++
	return true
}

func release(held []*owner.Owner) {
	for _, o := range held {
		o.Release()
	}
}

// NewPlan prepares an operator for operands like these; their elements are not touched, and a
// [Spec] serves as well. Absent optional operands are nil. Everything that can fail or take long
// happens here. Plans that the context knows are shared.
func (c *Context) NewPlan(op Op, outputs, inputs []*Tensor, options ...Option) (*Plan, error) {
	var q request
	var o operands
	defer o.release()
	if err := c.prepare("Context.NewPlan", op, outputs, inputs, options, &q, &o); err != nil {
		return nil, err
	}
	defer c.release()
	handle, f := capi.PlanCreate(c.handle, &q.Request, &o.c)
	if f != nil {
		return nil, failed(op.String(), f)
	}
	made, f := newExecutable(handle, outputs, inputs)
	if f != nil {
		return nil, failed(op.String(), f)
	}
	return newPlan(made, op, outputs, inputs), nil
}

// newExecutable asks a new plan of the library, which it owns from here on, what its executes take. Plans of operators
// need no workspace.
func newExecutable(handle capi.Plan, outputs, inputs []*Tensor) (e executable, f *capi.Failure) {
	e.handle = handle
	if anyOpen(inputs) {
		e.open, f = openExtents(handle)
	}
	if f != nil {
		capi.PlanDestroy(handle)
	}
	return e, f
}

func newPlan(e executable, op Op, outputs, inputs []*Tensor) *Plan {
	return &Plan{executable: e, op: op, numOutputs: len(outputs), numInputs: len(inputs),
		owner: owner.New(owner.Plan, e.destroy)}
}

// CheckPlan tells whether NewPlan would succeed, and why not. It prepares and compiles nothing.
func (c *Context) CheckPlan(op Op, outputs, inputs []*Tensor, options ...Option) error {
	var q request
	var o operands
	defer o.release()
	if err := c.prepare("Context.CheckPlan", op, outputs, inputs, options, &q, &o); err != nil {
		return err
	}
	defer c.release()
	if f := capi.PlanCheck(c.handle, &q.Request, &o.c); f != nil {
		return failed(op.String(), f)
	}
	return nil
}

// prepare reads options and operands, and acquires the context if it succeeds.
func (c *Context) prepare(function string, op Op, outputs, inputs []*Tensor, options []Option,
	q *request, o *operands) error {
	if err := o.gather(function, outputs, inputs); err != nil {
		return withOp(err, op)
	}
	if err := q.read(op, options); err != nil {
		return err
	}
	return c.acquire(function)
}

func withOp(err error, op Op) error {
	if e, ok := err.(*Error); ok {
		e.Op = op.label()
	}
	return err
}

// NewPlan is [Context.NewPlan] of [Default], or of [WithContext].
func NewPlan(op Op, outputs, inputs []*Tensor, options ...Option) (*Plan, error) {
	c := Default()
	for i := range options {
		if options[i].kind == contextOption {
			c = options[i].ctx
		}
	}
	return c.NewPlan(op, outputs, inputs, options...)
}

// Execute runs the plan on tensors like those it was made from: first the outputs, then the inputs,
// as many as were planned, nil for absent ones. On the CPU the result is there on return.
func (p *Plan) Execute(operands ...*Tensor) error {
	return p.execute("Plan.Execute", true, 0, operands)
}

// ExecuteOn enqueues the plan on a stream and does not wait; for a plan on the CPU the stream is 0.
func (p *Plan) ExecuteOn(stream Stream, operands ...*Tensor) error {
	return p.execute("Plan.ExecuteOn", true, stream, operands)
}

// ExecuteUnchecked is ExecuteOn without the library's checks of the tensors: that dtypes, shapes
// and strides are the planned ones, that memory is aligned and does not overlap, is the caller's
// promise. Those of a plan that needs a [Workspace], or has open extents, are checked nonetheless.
func (p *Plan) ExecuteUnchecked(stream Stream, operands ...*Tensor) error {
	return p.execute("Plan.ExecuteUnchecked", false, stream, operands)
}

func (p *Plan) execute(function string, checked bool, stream Stream, list []*Tensor) error {
	if p != nil && p.own != nil {
		return p.executeWith(function, nil, stream, list)
	}
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	if err := p.checkCount(function, list); err != nil {
		return err
	}
	f, err := run(function, p.handle, checked || p.open != nil, stream, list[:p.numOutputs], list[p.numOutputs:])
	if err != nil {
		return withOp(err, p.op)
	}
	if f != nil {
		return failed(p.op.label(), f)
	}
	return nil
}

func (p *Plan) checkCount(function string, list []*Tensor) error {
	if len(list) == p.numOutputs+p.numInputs {
		return nil
	}
	err := invalid(function, "operands", -1, "wrong number (got %d, need %d outputs and %d inputs)", len(list),
		p.numOutputs, p.numInputs)
	return withOp(err, p.op)
}

// run executes a plan that the caller keeps alive. Few operands over borrowed memory, as most calls
// have, go to C in a small struct of their own: copying the large one would take longer than they do.
func run(function string, handle capi.Plan, checked bool, stream Stream, outputs, inputs []*Tensor) (*capi.Failure, error) {
	annotate(outputs, inputs)
	var few capi.Few
	if checked && fill(&few, outputs, inputs) {
		return capi.ExecuteFew(handle, &few, uintptr(stream)), nil
	}
	return runMany(function, handle, checked, stream, outputs, inputs)
}

// fill collects operands as [operands.gather] does; false if they are too many, wrong, or own their
// memory, which must then be held.
func fill(few *capi.Few, outputs, inputs []*Tensor) bool {
	if len(outputs)+len(inputs) > capi.MaxFew {
		return false
	}
	for i, t := range outputs {
		if t == nil {
			continue
		}
		if t.readOnly || t.layout == nil || t.owner != nil {
			return false
		}
		few.Tensors[i] = t.raw
	}
	few.NumOutputs, few.NumInputs = int32(len(outputs)), int32(len(inputs))
	for i, t := range inputs {
		if t == nil {
			continue
		}
		if t.layout == nil || t.owner != nil {
			return false
		}
		few.Tensors[len(outputs)+i] = t.raw
	}
	return true
}

func runMany(function string, handle capi.Plan, checked bool, stream Stream, outputs, inputs []*Tensor) (*capi.Failure, error) {
	if len(outputs) > capi.MaxOutputs || len(inputs) > capi.MaxInputs { // only expressions have so many
		return runExpr(function, handle, capi.Space{}, nil, stream, outputs, inputs)
	}
	var o operands
	defer o.release()
	if err := o.gather(function, outputs, inputs); err != nil {
		return nil, err
	}
	if checked {
		return capi.Execute(handle, &o.c, uintptr(stream)), nil
	}
	return capi.ExecuteUnchecked(handle, &o.c, uintptr(stream)), nil
}

// Close frees the plan once no call executes it. CUDA work that is enqueued is not affected.
func (p *Plan) Close() error {
	if p == nil || !p.owner.Close() {
		return closedError("Plan.Close", "plan", -1)
	}
	return nil
}

// Op is the plan's operator; 0 for a plan of an [Expr], and of nil.
func (p *Plan) Op() Op {
	if p == nil {
		return 0
	}
	return p.op
}

// PlanInfo tells what a plan does. What depends on open extents is 0; [Plan.At] and [Plan.Result] say it.
type PlanInfo struct {
	BytesMoved   uint64 // read and written by one execute
	NumElements  uint64 // of output 0
	Workspace    uint64 // bytes
	Kernel       string // body, compute type and layout
	Strategy     string // such as "register_copy" on CUDA, "program" on the CPU
	Origin       string // of the kernel: "builtin", "memory", "pack", "disk" or "compiled"
	Layout       string // "contiguous", "broadcast", "tiled" or "strided"
	Source       string // CPU: what is done, an instruction a line; CUDA: what the run-time compiler was given, or ""
	Device       Device
	ComputeDType DType
}

// Info asks the library about the plan, by the numbers of tileops_plan_prop.
func (p *Plan) Info() (PlanInfo, error) {
	if p == nil || !p.owner.Acquire() {
		return PlanInfo{}, closedError("Plan.Info", "plan", -1)
	}
	defer p.owner.Release()
	var info PlanInfo
	var failure *capi.Failure
	property := func(prop int32, size int) []byte {
		value, f := capi.PlanQuery(p.handle, prop)
		if f != nil {
			failure = f
		}
		if len(value) < size {
			return make([]byte, size)
		}
		return value
	}
	number := func(prop int32) uint64 { return binary.NativeEndian.Uint64(property(prop, 8)) }
	text := func(prop int32) string {
		value := property(prop, 1)
		return string(value[:len(value)-1])
	}
	if p.open == nil {
		info.BytesMoved, info.NumElements = number(1), number(9)
	}
	info.Workspace = uint64(p.WorkspaceBytes())
	info.Kernel, info.Strategy, info.Origin = text(2), text(3), text(4)
	info.Source, info.Layout = text(5), text(6)
	device, native := property(7, 8), binary.NativeEndian
	info.Device = Device{DeviceType(native.Uint32(device)), int(int32(native.Uint32(device[4:])))}
	dtype := property(10, 4)
	info.ComputeDType = dtypeOf(int64(dtype[0]), int64(dtype[1]))
	return info, failed(p.op.label(), failure)
}
