package tileops

import (
	"runtime"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// ExecuteList runs a plan that was made [WithList] for many sets of tensors at once, such as all parameters of a model
// for an optimiser's step. Each item has the operands of [Plan.Execute]: first the outputs, then the inputs. On CUDA that
// is one launch for some hundreds of items; on the CPU threads share the work of all, and the results are there on
// return. They have the bits of an execute of each item for itself.
//
//	descent, err := tileops.ParseExpr("(p, g; lr = 0.1) -> p - lr * g")
//	x := tileops.Must(tileops.Spec(tileops.F32, tileops.CPU(), tileops.Open))
//	plan, err := descent.NewPlan([]*tileops.Tensor{x}, []*tileops.Tensor{x, x}, tileops.WithList())
//	err = plan.ExecuteList(0, nil, []*tileops.Tensor{w, w, gw}, []*tileops.Tensor{b, b, gb})
//
// What differs from item to item may be open extents and the memory; a scalar that differs is an operand of one element.
// Items run in any order and at the same time: none may write what another one reads or writes.
//
// Errors: those of [Plan.ExecuteWith], naming the item; [StatusInvalidArgument] for items that overlap, and for a plan
// without that option.
func (p *Plan) ExecuteList(stream Stream, scalars []Number, items ...[]*Tensor) error {
	const function = "Plan.ExecuteList"
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	l := list{layouts: make([]int64, 0, len(items)*(p.numOutputs+p.numInputs)*(capi.Words+2))}
	defer l.release()
	for i, operands := range items {
		if err := l.add(function, i, p, operands); err != nil {
			return withOp(err, p.op)
		}
	}
	return p.executeList(function, stream, scalars, &l.spaces, func(space uintptr) *capi.Failure {
		all := capi.Items{Count: len(items), Outputs: p.numOutputs, Inputs: p.numInputs}
		return capi.ExecuteList(p.handle, all, l.layouts, l.spaces.bytes, numbers(scalars), space, uintptr(stream))
	})
}

// AddressItem is an item of [Plan.ExecuteListAddresses]: extents and addresses, as [Plan.ExecuteAddresses] takes them.
type AddressItem struct {
	Extents   []int
	Addresses []uintptr
}

// ExecuteListAddresses is [Plan.ExecuteList] on bare addresses, of which [Plan.ExecuteAddresses] says what holds. That no
// item writes what another one reads or writes is the caller's promise as well.
func (p *Plan) ExecuteListAddresses(stream Stream, scalars []Number, items ...AddressItem) error {
	const function = "Plan.ExecuteListAddresses"
	if p == nil || !p.owner.Acquire() {
		return closedError(function, "plan", -1)
	}
	defer p.owner.Release()
	var addresses []uintptr
	var extents []int64
	var s spaces
	for i, item := range items {
		if len(item.Addresses) != p.numOutputs+p.numInputs {
			return withOp(invalid(function, "items", i, "wrong number of addresses (got %d, need those of %d outputs and %d inputs)",
				len(item.Addresses), p.numOutputs, p.numInputs), p.op)
		}
		if len(item.Extents) != len(p.open) {
			return withOp(invalid(function, "items", i, "wrong number of extents (got %d, need %d)", len(item.Extents),
				len(p.open)), p.op)
		}
		own := words(item.Extents)
		addresses, extents = append(addresses, item.Addresses...), append(extents, own...)
		s.add(p.need(func() []int64 { return own }))
	}
	return p.executeList(function, stream, scalars, &s, func(space uintptr) *capi.Failure {
		all := capi.Items{Count: len(items), Outputs: p.numOutputs, Inputs: p.numInputs, Extents: len(p.open)}
		return capi.ExecuteListAddresses(p.handle, all, addresses, extents, s.bytes, numbers(scalars), space, uintptr(stream))
	})
}

// executeList calls run with a workspace that has room for all items, where any of them needs one.
func (p *Plan) executeList(function string, stream Stream, scalars []Number, s *spaces, run func(space uintptr) *capi.Failure) error {
	if err := checkScalars(function, scalars); err != nil {
		return withOp(err, p.op)
	}
	var space uintptr
	if s.all > 0 {
		w, err := p.own.take(function, stream, s.all)
		if err != nil {
			return withOp(err, p.op)
		}
		defer p.own.giveBack(w)
		space = w.space().Address
	}
	return failed(p.op.label(), run(space))
}

// spaces are the workspaces of items, one behind the other.
type spaces struct {
	bytes []uint64 // of each, a multiple of the alignment
	all   int
}

func (s *spaces) add(need int) {
	const alignment = 64
	bytes := (need + alignment - 1) / alignment * alignment
	s.bytes = append(s.bytes, uint64(bytes))
	s.all += bytes
}

// list are items on their way to C: there may be any number of them, so that C gets numbers alone, and memory of Go is
// pinned until it has returned.
type list struct {
	layouts []int64
	spaces  spaces
	held    []*owner.Owner
	pin     runtime.Pinner
}

// add collects the operands of item i.
func (l *list) add(function string, i int, p *Plan, operands []*Tensor) error {
	if len(operands) != p.numOutputs+p.numInputs {
		return invalid(function, "items", i, "wrong number of operands (got %d, need %d outputs and %d inputs)", len(operands),
			p.numOutputs, p.numInputs)
	}
	outputs, inputs := operands[:p.numOutputs], operands[p.numOutputs:]
	for k, t := range operands {
		if t == nil {
			l.layouts = append(l.layouts, capi.Absent)
			continue
		}
		if k < p.numOutputs && t.readOnly {
			return invalid(function, "items", i, "outputs[%d]: read-only", k)
		}
		var held [1]*owner.Owner
		n := 0
		if !hold(t, held[:], &n) {
			return closedError(function, "items", i)
		}
		l.held = append(l.held, held[:n]...)
		at := len(l.layouts)
		l.layouts = append(l.layouts, t.layout...)
		if data := t.raw.Data; data != nil {
			l.layouts[at+capi.Address] = int64(uintptr(data))
			if k < p.numOutputs || !isAmong(outputs, data) {
				pinned(&l.pin, data)
			}
		}
	}
	l.spaces.add(p.need(func() []int64 { return p.extentsIn(inputs) }))
	annotate(outputs, inputs)
	return nil
}

// isAmong says whether one of these tensors begins there.
func isAmong(tensors []*Tensor, data unsafe.Pointer) bool {
	for _, t := range tensors {
		if t != nil && t.raw.Data == data {
			return true
		}
	}
	return false
}

func (l *list) release() {
	l.pin.Unpin()
	release(l.held)
}
