package tileops

import (
	"encoding/binary"
	"math"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// OpenExtent is an extent of a plan that each execute brings: the first input and axis, from 0, that it stands at, and
// the most that it may be, [math.MaxInt] for any.
type OpenExtent struct{ Input, Axis, Most int }

// PlanFacts is what an execute of a plan is at given extents.
type PlanFacts struct {
	Phases         int    // passes over memory: on CUDA kernels that it launches, on the CPU phases of [Plan.ExecuteParts]
	Parts          int    // of a phase that are worth a goroutine each; 0 of plans on other devices than the CPU
	Way            int    // which of the plan's ways: for another one passes have other kernels, all made with the plan
	WorkspaceBytes int    // never less where no extent is less, so that those of a bound do for all below it
	BytesMoved     uint64 // read and written
}

// openExtents asks for those of a new plan.
func openExtents(handle capi.Plan) ([]OpenExtent, *capi.Failure) {
	const numExtents = 16 // TILEOPS_PLAN_NUM_EXTENTS
	value, f := capi.PlanQuery(handle, numExtents)
	if f != nil || len(value) < 4 {
		return nil, f
	}
	var open []OpenExtent
	for i := 0; i < int(binary.NativeEndian.Uint32(value)); i++ {
		input, axis, most, f := capi.PlanExtent(handle, i)
		if f != nil {
			return nil, f
		}
		open = append(open, OpenExtent{input, axis, int(min(most, math.MaxInt))})
	}
	return open, nil
}

// OpenExtents are those that each execute brings, in the order in which [Plan.At], [Plan.Result] and
// [Plan.ExecuteAddresses] take them: as they stand in the inputs, axes from the left. Where the operator or the
// expression makes two of them equal, they are one here. Nil for a plan that has none.
func (p *Plan) OpenExtents() []OpenExtent {
	if p == nil {
		return nil
	}
	return append([]OpenExtent(nil), p.open...)
}

// ExtentsOf are the extents that these operands, in the order of [Plan.Execute], bring.
//
// Errors: [StatusInvalidArgument] for an input without that axis.
func (p *Plan) ExtentsOf(operands ...*Tensor) ([]int, error) {
	const function = "Plan.ExtentsOf"
	if p == nil {
		return nil, closedError(function, "plan", -1)
	}
	if err := p.checkCount(function, operands); err != nil {
		return nil, err
	}
	var extents []int
	for _, o := range p.open {
		t := operands[p.numOutputs+o.Input]
		if !t.valid() || o.Axis >= t.ndim() {
			return nil, withOp(invalid(function, "inputs", o.Input, "brings no extent (need a tensor with an axis %d)", o.Axis), p.op)
		}
		extents = append(extents, int(t.shape()[o.Axis]))
	}
	return extents, nil
}

// At says what an execute is at these extents, in the order of [Plan.OpenExtents]; none for a plan without open ones.
//
// Errors: [StatusInvalidArgument] (the number of extents, one beyond its bound).
func (p *Plan) At(extents ...int) (PlanFacts, error) {
	if p == nil || !p.owner.Acquire() {
		return PlanFacts{}, closedError("Plan.At", "plan", -1)
	}
	defer p.owner.Release()
	facts, f := capi.PlanAt(p.handle, words(extents))
	if f != nil {
		return PlanFacts{}, failed(p.op.label(), f)
	}
	return PlanFacts{Phases: facts.Phases, Parts: facts.Parts, Way: facts.Way, WorkspaceBytes: int(facts.WorkspaceBytes),
		BytesMoved: facts.BytesMoved}, nil
}

// Result is dtype and shape of a result at these extents, as a [Spec]: what memory an execute at them wants.
//
// Errors: those of [Plan.At], and [StatusInvalidArgument] for an output that the plan does not have.
func (p *Plan) Result(output int, extents ...int) (*Tensor, error) {
	if p == nil || !p.owner.Acquire() {
		return nil, closedError("Plan.Result", "plan", -1)
	}
	defer p.owner.Release()
	layout, f := capi.PlanResult(p.handle, words(extents), output)
	if f != nil {
		return nil, failed(p.op.label(), f)
	}
	return specOf(layout)
}

// specOf makes what the library says of a result a [Spec].
func specOf(layout [capi.Words + capi.MaxNDim]int64) (*Tensor, error) {
	device := Device{DeviceType(layout[capi.DeviceType]), int(layout[capi.DeviceID])}
	dtype := dtypeOf(layout[capi.DTypeCode], layout[capi.DTypeBits])
	return Spec(dtype, device, ints(layout[capi.Words:capi.Words+int(layout[capi.NDim])])...)
}

func words(list []int) []int64 {
	result := make([]int64, len(list))
	for i, v := range list {
		result[i] = int64(v)
	}
	return result
}

// extentsIn are those of tensors on their way to C. An input without that axis brings 0: the library then says what is
// wrong with it.
func (e executable) extentsIn(inputs []*Tensor) []int64 {
	extents := make([]int64, len(e.open))
	for i, o := range e.open {
		if o.Input < len(inputs) && inputs[o.Input].valid() && o.Axis < inputs[o.Input].ndim() {
			extents[i] = inputs[o.Input].shape()[o.Axis]
		}
	}
	return extents
}

// ExecuteAddresses runs the plan on bare addresses of element 0 on its device, first those of the outputs, then those of
// the inputs, as many as were planned, 0 for absent operands. Shapes, strides and dtypes are the planned ones; open
// extents are `extents`, in the order of [Plan.OpenExtents], of which other plans have none. Scalars are those of
// [Plan.ExecuteWith]. On the CPU the result is there on return, and the stream is 0; on CUDA the work is enqueued.
//
// That the memory is there, aligned as its elements are, and that outputs overlap nothing but an input that they are in
// place of, is the caller's promise. It is memory of C, of a device or of a mapping, or pinned by a [runtime.Pinner]; for
// slices of Go there are [Of] and [Plan.Execute].
//
// Errors: [StatusInvalidArgument] (numbers of operands and extents, a null address, an extent beyond its bound, a scalar).
func (p *Plan) ExecuteAddresses(stream Stream, scalars []Number, extents []int, addresses ...uintptr) error {
	const function = "Plan.ExecuteAddresses"
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	if len(addresses) != p.numOutputs+p.numInputs {
		return withOp(invalid(function, "addresses", -1, "wrong number (got %d, need those of %d outputs and %d inputs)",
			len(addresses), p.numOutputs, p.numInputs), p.op)
	}
	if err := checkScalars(function, scalars); err != nil {
		return withOp(err, p.op)
	}
	given := words(extents)
	var space capi.Space
	if bytes := p.need(func() []int64 { return given }); bytes > 0 {
		w, err := p.own.take(function, stream, bytes)
		if err != nil {
			return withOp(err, p.op)
		}
		defer p.own.giveBack(w)
		space = w.space()
	}
	return failed(p.op.label(), capi.ExecuteAddresses(p.handle, p.numOutputs, addresses, given, numbers(scalars), space, uintptr(stream)))
}
