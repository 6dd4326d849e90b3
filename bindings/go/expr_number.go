package tileops

import (
	"fmt"
	"math"
	"reflect"
	"sort"
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

// numberOf reads a number of any type.
func numberOf(value any) (Number, bool) {
	if n, ok := value.(Number); ok {
		return n, true
	}
	make := func(kind int32, bits uint64) (Number, bool) { return Number{capi.Number{Kind: kind, Bits: bits}}, true }
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
		if v.Uint() <= math.MaxInt64 {
			return make(capi.NumberInt, v.Uint())
		}
	}
	return Number{}, false
}

// numbers are the same values for C.
func numbers(list []Number) []capi.Number {
	return unsafe.Slice((*capi.Number)(unsafe.Pointer(unsafe.SliceData(list))), len(list))
}

// Scalars are values by name in the order of the expression, for [Plan.ExecuteWith]; the others have
// their defaults. Values are integers up to those of int64, floats, bools and Numbers.
//
// Errors: [StatusInvalidArgument] (a name that is no scalar, a value that is no number).
func (e *Expr) Scalars(values map[string]any) ([]Number, error) {
	if e == nil || e.owner == nil {
		return nil, closedError("Expr.Scalars", "expr", -1)
	}
	list := make([]Number, len(e.info.Scalars))
	found := 0
	for i, scalar := range e.info.Scalars {
		value, given := values[scalar.Name]
		if !given {
			continue
		}
		n, ok := numberOf(value)
		if !ok {
			return nil, invalid("Expr.Scalars", "values", -1, "%s: no number (got %v of %T)", scalar.Name, value, value)
		}
		list[i] = n
		found++
	}
	if found < len(values) {
		return nil, invalid("Expr.Scalars", "values", -1, "unknown name (got %s)", e.unknown(values))
	}
	return list, nil
}

// unknown names the first value that is no scalar, and the scalars.
func (e *Expr) unknown(values map[string]any) string {
	var names, wrong []string
	for _, scalar := range e.info.Scalars {
		names = append(names, scalar.Name)
	}
	all := " " + strings.Join(names, " ") + " "
	for name := range values {
		if !strings.Contains(all, " "+name+" ") {
			wrong = append(wrong, name)
		}
	}
	sort.Strings(wrong)
	if names == nil {
		names = []string{"none"}
	}
	return fmt.Sprintf("%q, need %s", wrong[0], strings.Join(names, ", "))
}
