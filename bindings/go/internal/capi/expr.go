//go:build cgo

package capi

// #include "shim.h"
import "C"

import (
	"encoding/binary"
	"math"
	"unsafe"
)

var (
	_ [unsafe.Sizeof(Many{})]byte   = [unsafe.Sizeof(C.tileops_go_many{})]byte{}
	_ [unsafe.Sizeof(Number{})]byte = [unsafe.Sizeof(C.tileops_number{})]byte{}
)

// Expr and Builder are C handles.
type (
	Expr    = unsafe.Pointer
	Builder = unsafe.Pointer
)

func many(o *Many) C.tileops_go_many { return *(*C.tileops_go_many)(unsafe.Pointer(o)) }

func number(n Number) C.tileops_number { return *(*C.tileops_number)(unsafe.Pointer(&n)) }

// ExprParse parses a text.
func ExprParse(text string) (Expr, *Failure) {
	bytes := C.CString(text)
	defer C.free(unsafe.Pointer(bytes))
	r := C.tileops_go_expr_parse(bytes, C.size_t(len(text)))
	return r.value, failure(r)
}

// ExprNamed is the expression that the library knows by that name.
func ExprNamed(name string) (Expr, *Failure) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	r := C.tileops_go_expr_named(text)
	return r.value, failure(r)
}

// NamedExprCount is the number of expressions that have a name.
func NamedExprCount() int { return int(C.tileops_expr_named_count()) }

// NamedExprAt is the i-th of them; it cannot fail below the count.
func NamedExprAt(i int) NamedExpr {
	c := C.tileops_named_expr_info{struct_size: C.uint32_t(C.sizeof_tileops_named_expr_info)}
	C.tileops_expr_named_at(C.size_t(i), &c)
	return NamedExpr{Name: C.GoString(c.name), Text: C.GoString(c.text), Doc: C.GoString(c.doc)}
}

// ExprDestroy drops an expression.
func ExprDestroy(expr Expr) { C.tileops_expr_destroy((*C.tileops_expr)(expr)) }

// ExprDescribe copies what an expression is, its canonical text with it.
func ExprDescribe(expr Expr) (ExprInfo, *Failure) {
	handle := (*C.tileops_expr)(expr)
	var c C.tileops_expr_info
	if f := failure(C.tileops_go_expr_describe(handle, &c)); f != nil {
		return ExprInfo{}, f
	}
	r := C.tileops_go_expr_text(handle)
	info := ExprInfo{
		Text: take(r.value), MinOperands: int(c.min_operands), Nodes: int(c.num_nodes),
		HostNodes: int(c.num_host_nodes),
		Operands:  exprOperands(unsafe.Slice(c.operands, c.num_operands)),
		Scalars:   exprOperands(unsafe.Slice(c.scalars, c.num_scalars)),
	}
	for _, name := range unsafe.Slice(c.results, c.num_results) {
		info.Results = append(info.Results, C.GoString(name))
	}
	return info, failure(r)
}

func exprOperands(list []C.tileops_expr_operand_info) []ExprOperand {
	var operands []ExprOperand
	for _, o := range list {
		operand := ExprOperand{Name: C.GoString(o.name)}
		if o.optional != 0 {
			operand.Default = numberOf(o.default_value)
		}
		operands = append(operands, operand)
	}
	return operands
}

// numberOf is a float64, an int64 or a bool.
func numberOf(n C.tileops_number) any {
	bits := binary.NativeEndian.Uint64(n.value[:])
	switch n.kind {
	case NumberFloat:
		return math.Float64frombits(bits)
	case NumberBool:
		return bits != 0
	}
	return int64(bits)
}

// ExprNodes copies the nodes of an expression, and the places of its results.
func ExprNodes(expr Expr) (nodes []ExprNode, results []int) {
	handle := (*C.tileops_expr)(expr)
	info := C.tileops_expr_info{struct_size: C.uint32_t(C.sizeof_tileops_expr_info)}
	C.tileops_expr_describe(handle, &info)
	for i := C.tileops_node(1); i <= C.tileops_node(info.num_listed_nodes); i++ {
		c := C.tileops_node_info{struct_size: C.uint32_t(C.sizeof_tileops_node_info)}
		C.tileops_expr_node(handle, i, &c)
		node := ExprNode{Kind: int(c.kind), Index: int(c.index), Op: int(c.function)}
		if c.kind == C.TILEOPS_NODE_CONSTANT {
			node.Value = numberOf(c.value)
		}
		for _, argument := range unsafe.Slice(c.arguments, c.num_arguments) {
			node.Arguments = append(node.Arguments, int(argument)-1)
		}
		for _, attr := range unsafe.Slice(c.attrs, c.num_attrs) {
			if node.Attrs == nil {
				node.Attrs = map[string]any{}
			}
			node.Attrs[attrName(c.function, attr.key)] = attrValue(attr)
		}
		nodes = append(nodes, node)
	}
	for i := C.size_t(0); i < C.size_t(info.num_results); i++ {
		results = append(results, int(C.tileops_expr_result(handle, i))-1)
	}
	return nodes, results
}

func attrName(function C.tileops_op, key C.tileops_attr_key) string {
	if key == C.TILEOPS_ATTR_DTYPE {
		return "dtype" // of a cast, whose operator has it from its output
	}
	info := C.tileops_op_info{struct_size: C.uint32_t(C.sizeof_tileops_op_info)}
	C.tileops_function_describe(function, &info)
	for _, attr := range unsafe.Slice(info.attrs, info.num_attrs) {
		if attr.key == key {
			return C.GoString(attr.name)
		}
	}
	return "?"
}

func attrValue(attr C.tileops_attr) any {
	bits := binary.NativeEndian.Uint64(attr.value[:])
	if attr.kind == C.TILEOPS_ATTR_F64 {
		return math.Float64frombits(bits)
	}
	return int64(bits)
}

// ExprGradient is the gradient with respect to operands by index.
func ExprGradient(expr Expr, operands []int32) (Expr, *Failure) {
	r := C.tileops_go_expr_gradient((*C.tileops_expr)(expr), (*C.int32_t)(unsafe.SliceData(operands)),
		C.size_t(len(operands)))
	return r.value, failure(r)
}

// ExprPlan makes a plan from the layouts of the operands.
func ExprPlan(ctx Context, expr Expr, flags uint32, o *Many) (Plan, *Failure) {
	r := C.tileops_go_expr_plan((*C.tileops_context)(ctx), (*C.tileops_expr)(expr), C.uint32_t(flags), many(o), 0)
	return r.value, failure(r)
}

// ExprCheck asks whether ExprPlan would succeed.
func ExprCheck(ctx Context, expr Expr, flags uint32, o *Many) *Failure {
	return failure(C.tileops_go_expr_plan((*C.tileops_context)(ctx), (*C.tileops_expr)(expr), C.uint32_t(flags),
		many(o), 1))
}

// ExprInfer gives the layout of a result, less its strides.
func ExprInfer(expr Expr, o *Many, output int) ([Words + MaxNDim]int64, *Failure) {
	var layout [Words + MaxNDim]int64
	f := failure(C.tileops_go_expr_infer((*C.tileops_expr)(expr), many(o), C.size_t(output), (*C.int64_t)(&layout[0])))
	return layout, f
}

// ExprDeviceFunction is the text of a header with a function of this name.
func ExprDeviceFunction(expr Expr, flags uint32, o *Many, name string) (string, *Failure) {
	given := C.CString(name)
	defer C.free(unsafe.Pointer(given))
	r := C.tileops_go_expr_device_function((*C.tileops_expr)(expr), C.uint32_t(flags), many(o), given)
	if f := failure(r); f != nil {
		return "", f
	}
	return take(r.value), nil
}

// PlanWorkspace is how many bytes of workspace an execute of a plan needs.
func PlanWorkspace(plan Plan) (uint64, *Failure) {
	var bytes C.uint64_t
	f := failure(C.tileops_go_plan_workspace((*C.tileops_plan)(plan), &bytes))
	return uint64(bytes), f
}

// ExecuteWith runs a plan with scalars, in a workspace.
func ExecuteWith(plan Plan, o *Many, scalars []Number, space Space, stream uintptr) *Failure {
	return failure(C.tileops_go_execute_with(C.uintptr_t(uintptr(plan)), many(o),
		(*C.tileops_number)(unsafe.Pointer(unsafe.SliceData(scalars))), C.uint32_t(len(scalars)),
		C.uintptr_t(space.Address), C.uint64_t(space.Bytes), C.uintptr_t(stream)))
}

// PlanParts is how many phases an execute in parts has, and how many parts of one are worth a thread each.
func PlanParts(plan Plan) (phases, parts int, failed *Failure) {
	var n, m C.int32_t
	f := failure(C.tileops_go_plan_parts((*C.tileops_plan)(plan), &n, &m))
	return int(n), int(m), f
}

// ExecutePart runs a part of a plan on this thread.
func ExecutePart(plan Plan, o *Many, scalars []Number, space Space, part Part) *Failure {
	return failure(C.tileops_go_execute_part(C.uintptr_t(uintptr(plan)), many(o),
		(*C.tileops_number)(unsafe.Pointer(unsafe.SliceData(scalars))), C.uint32_t(len(scalars)),
		C.uintptr_t(space.Address), C.uint64_t(space.Bytes),
		C.tileops_go_part{C.uint32_t(part.Phase), C.uint32_t(part.Part), C.uint32_t(part.Parts)}))
}

// FunctionCount is the number of functions that expressions may have.
func FunctionCount() int { return int(C.tileops_function_count()) }

// FunctionAt is the i-th of them, 0 if there is none.
func FunctionAt(i int) int32 { return int32(C.tileops_function_at(C.size_t(i))) }

// FunctionDescribe describes a function as OpDescribe does an operator.
func FunctionDescribe(function int32) (OpInfo, *Failure) {
	var c C.tileops_op_info
	if f := failure(C.tileops_go_function_describe(C.tileops_op(function), &c)); f != nil {
		return OpInfo{}, f
	}
	return opInfo(&c), nil
}

// Build makes an expression: the builder is there for the time of calls alone.
func Build(calls []BuildCall) (Expr, *Failure) {
	var builder *C.tileops_builder
	if f := failure(C.tileops_go_builder_create(&builder)); f != nil {
		return nil, f
	}
	defer C.tileops_builder_destroy(builder)
	nodes := make([]C.tileops_node, 1, len(calls)+1) // by the number of the call, from 1 on
	texts := map[int32][]C.tileops_node{}            // results, by the number of the call
	for i := range calls {
		switch call := &calls[i]; call.Kind {
		case BuildText:
			results, f := buildText(builder, call, nodes)
			if f != nil {
				return nil, f
			}
			texts[int32(i+1)] = results
			nodes = append(nodes, 0)
		case BuildPart:
			nodes = append(nodes, texts[call.Arguments[0]][call.Arguments[1]])
		default:
			nodes = append(nodes, build(builder, call, nodes))
		}
	}
	r := C.tileops_go_builder_finish(builder)
	return r.value, failure(r)
}

func build(builder *C.tileops_builder, call *BuildCall, nodes []C.tileops_node) C.tileops_node {
	var name *C.char
	if call.Named {
		name = C.CString(call.Name)
		defer C.free(unsafe.Pointer(name))
	}
	switch call.Kind {
	case BuildOperand:
		if call.Number.Kind == NumberDefault {
			return C.tileops_build_operand(builder, name, nil)
		}
		value := number(call.Number)
		return C.tileops_build_operand(builder, name, &value)
	case BuildScalar:
		return C.tileops_build_scalar(builder, name, number(call.Number))
	case BuildConstant:
		return C.tileops_build_constant(builder, number(call.Number))
	case BuildResult:
		C.tileops_build_result(builder, nodeOf(nodes, call.Arguments[0]), name)
		return 0
	}
	arguments := make([]C.tileops_node, len(call.Arguments))
	for i, a := range call.Arguments {
		arguments[i] = nodeOf(nodes, a)
	}
	return C.tileops_build_op(builder, C.tileops_op(call.Op), unsafe.SliceData(arguments), C.size_t(len(arguments)),
		(*C.tileops_attr)(unsafe.Pointer(unsafe.SliceData(call.Attrs))), C.size_t(len(call.Attrs)))
}

// buildText writes an expression out, which is there for the time of the call alone.
func buildText(builder *C.tileops_builder, call *BuildCall, nodes []C.tileops_node) ([]C.tileops_node, *Failure) {
	expr, f := ExprParse(call.Name)
	if f != nil {
		return nil, f
	}
	defer ExprDestroy(expr)
	info, f := ExprDescribe(expr)
	if f != nil {
		return nil, f
	}
	arguments := make([]C.tileops_node, len(call.Arguments))
	for i, a := range call.Arguments {
		arguments[i] = nodeOf(nodes, a)
	}
	results := make([]C.tileops_node, len(info.Results))
	C.tileops_build_expr(builder, (*C.tileops_expr)(expr), unsafe.SliceData(arguments), C.size_t(len(arguments)),
		unsafe.SliceData(results))
	return results, nil
}

// nodeOf is the library's number of what a call gave; one that is no call's stays none.
func nodeOf(nodes []C.tileops_node, call int32) C.tileops_node {
	if call < 0 || int(call) >= len(nodes) {
		return -1
	}
	return nodes[call]
}
