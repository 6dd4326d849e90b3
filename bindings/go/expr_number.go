package tileops

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Number is a constant or the value of a scalar of an [Expr]: an integer, a float or a bool, which are
// different. The zero Number is the value that the expression gives.
type Number struct{ c capi.Number }

// Num makes a [Number]: Num(2) is an integer, Num(2.0) a float.
func Num[T interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64 | ~bool
}](v T) Number {
	n, _ := numberOf(v)
	return n
}

// numberOf reads a number of any type; wrong is what is wrong with another value, or "".
func numberOf(value any) (n Number, wrong string) {
	if n, ok := value.(Number); ok {
		return n, ""
	}
	make := func(kind int32, bits uint64) (Number, string) { return Number{capi.Number{Kind: kind, Bits: bits}}, "" }
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return make(capi.NumberBool, 1)
		}
		return make(capi.NumberBool, 0)
	case reflect.Float32, reflect.Float64:
		return make(capi.NumberFloat, math.Float64bits(v.Float()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return make(capi.NumberInt, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return Number{}, fmt.Sprintf("too large (got %d, need at most %d)", v.Uint(), math.MaxInt64)
		}
		return make(capi.NumberInt, v.Uint())
	}
	return Number{}, fmt.Sprintf("no number (got %v of %T)", value, value)
}

// noScalar is what is wrong with a number as the value of a scalar, or "".
func (n Number) noScalar() string {
	if n.c.Kind == capi.NumberBool {
		return fmt.Sprintf("a bool (got %v, need an integer or a float)", n.c.Bits != 0)
	}
	return ""
}

// numbers are the same values for C.
func numbers(list []Number) []capi.Number {
	return unsafe.Slice((*capi.Number)(unsafe.Pointer(unsafe.SliceData(list))), len(list))
}

// Scalars are values by name in the order of the expression, for [Plan.ExecuteWith] and [Expr.CallWith]; the
// others have their defaults. Values are integers up to those of int64, floats and Numbers of them.
//
// Errors: [StatusInvalidArgument] (a name that is no scalar, a value that is no number, a bool).
func (e *Expr) Scalars(values map[string]any) ([]Number, error) {
	const function = "Expr.Scalars"
	if e == nil || e.owner == nil {
		return nil, closedError(function, "expr", -1)
	}
	list := make([]Number, len(e.info.Scalars))
	var names []string
	for i, scalar := range e.info.Scalars {
		names = append(names, scalar.Name)
		value, given := values[scalar.Name]
		if !given {
			continue
		}
		n, wrong := numberOf(value)
		if wrong == "" {
			wrong = n.noScalar()
		}
		if wrong != "" {
			return nil, invalid(function, "values", -1, "%s: %s", scalar.Name, wrong)
		}
		list[i] = n
	}
	if wrong := unknown(values, names); wrong != nil {
		return nil, invalid(function, "values", -1, "unknown name (got %q, need %s)", wrong[0], listed(names))
	}
	return list, nil
}

// unknown are the keys that are none of the names, in order.
func unknown(values map[string]any, names []string) (wrong []string) {
	for key := range values {
		if !slices.Contains(names, key) {
			wrong = append(wrong, key)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// listed are names for a message.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
