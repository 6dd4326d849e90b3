//go:build cgo

package capi

// #include "shim.h"
import "C"

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// OpCount is the number of operators.
func OpCount() int { return int(C.tileops_op_count()) }

// OpAt is the i-th operator in table order, 0 if there is none.
func OpAt(i int) int32 { return int32(C.tileops_op_at(C.size_t(i))) }

// OpFromName is the operator of that name, 0 if there is none.
func OpFromName(name string) int32 {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return int32(C.tileops_op_from_name(text))
}

// OpDescribe describes an operator.
func OpDescribe(op int32) (OpInfo, *Failure) {
	var c C.tileops_op_info
	if f := failure(C.tileops_go_op_describe(C.tileops_op(op), &c)); f != nil {
		return OpInfo{}, f
	}
	return opInfo(&c), nil
}

func opInfo(c *C.tileops_op_info) OpInfo {
	info := OpInfo{
		Name: C.GoString(c.name), Category: C.GoString(c.category), Doc: C.GoString(c.doc),
		Result: C.GoString(c.result), DTypes: uint32(c.dtypes),
		MinInputs: int(c.min_inputs), MinOutputs: int(c.min_outputs),
		Inputs:  operandInfos(unsafe.Slice(c.inputs, c.max_inputs)),
		Outputs: operandInfos(unsafe.Slice(c.outputs, c.max_outputs)),
	}
	for _, a := range unsafe.Slice(c.attrs, c.num_attrs) {
		attr := AttrInfo{
			Name: C.GoString(a.name), Doc: C.GoString(a.doc), Choices: C.GoString(a.choices),
			Key: int32(a.key), Kind: int32(a.kind), Min: float64(a.min_value), Max: float64(a.max_value),
		}
		if bits := binary.NativeEndian.Uint64(a.default_value[:]); a.has_default != 0 {
			if attr.Default = int64(bits); a.kind == AttrFloat {
				attr.Default = math.Float64frombits(bits)
			}
		}
		info.Attrs = append(info.Attrs, attr)
	}
	return info
}

func operandInfos(list []C.tileops_operand_info) []OperandInfo {
	var infos []OperandInfo
	for _, o := range list {
		infos = append(infos, OperandInfo{
			Name: C.GoString(o.name), Fixed: C.GoString(o.dtype), Optional: o.optional != 0,
			DTypes: uint32(o.dtypes),
		})
	}
	return infos
}

// DeviceCount is the number of devices.
func DeviceCount() int { return int(C.tileops_device_count()) }

// DeviceDescribe describes the i-th device.
func DeviceDescribe(i int) (DeviceInfo, *Failure) {
	var c C.tileops_device_info
	if f := failure(C.tileops_go_device_describe(C.size_t(i), &c)); f != nil {
		return DeviceInfo{}, f
	}
	return DeviceInfo{
		Type: int32(c.device.device_type), ID: int32(c.device.device_id),
		Name: C.GoString(&c.name[0]), Arch: C.GoString(&c.arch[0]),
		MemoryBytes: uint64(c.memory_bytes), Units: int(c.units),
	}, nil
}
