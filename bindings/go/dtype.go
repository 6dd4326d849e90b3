package tileops

import (
	"fmt"
	"reflect"
)

// DType is the type of a tensor's elements.
type DType uint8

// String is the name that the library uses, such as "float32".
func (d DType) String() string {
	if d < numDTypes {
		return dtypes[d].name
	}
	return fmt.Sprintf("DType(%d)", uint8(d))
}

// Size is the size of an element in bytes; of F4E2M1FN that of a pair, which shapes and strides count.
func (d DType) Size() int {
	if d < numDTypes {
		return (int(dtypes[d].bits) + 7) / 8
	}
	return 0
}

// ParseDType is the dtype of that name.
func ParseDType(name string) (DType, error) {
	for d := F16; d < numDTypes; d++ {
		if dtypes[d].name == name {
			return d, nil
		}
	}
	return Invalid, invalid("ParseDType", "name", -1, "unknown dtype (got %q)", name)
}

func dtypeOf(code, bits int64) DType {
	for d := F16; d < numDTypes; d++ {
		if int64(dtypes[d].code) == code && int64(dtypes[d].bits) == bits {
			return d
		}
	}
	return Invalid
}

// Element is what slices of tensors are made of: Go's numbers and bool, types derived from them,
// and the small floats of this package. A bool takes one byte; int and uint are int64 and uint64
// where they have 64 bits, else int32 and uint32.
//
// Types of your own over uint8 and uint16 are refused by the compiler: they may be numbers or the
// bits of a small float, and nothing tells which. [OfBits] takes them, with the dtype.
type Element interface {
	~float32 | ~float64 | ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint32 | ~uint64 | ~uint | ~bool |
		uint8 | uint16 | Float16 | BFloat16 | Float8E4M3FN | Float8E5M2 | Float8E8M0FNU | Float4E2M1FNx2
}

// DTypeOf is the dtype of slices of T.
func DTypeOf[T Element]() DType {
	var zero T
	switch any(zero).(type) { // the common ones, and those that are uint8 and uint16 underneath
	case float32:
		return F32
	case float64:
		return F64
	case Float16:
		return F16
	case BFloat16:
		return BF16
	case Float8E4M3FN:
		return F8E4M3FN
	case Float8E5M2:
		return F8E5M2
	case Float8E8M0FNU:
		return F8E8M0FNU
	case Float4E2M1FNx2:
		return F4E2M1FN
	}
	switch t := reflect.TypeOf(zero); t.Kind() {
	case reflect.Float32:
		return F32
	case reflect.Float64:
		return F64
	case reflect.Bool:
		return Bool
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return dtypeOf(0, int64(t.Bits()))
	default:
		return dtypeOf(1, int64(t.Bits()))
	}
}
