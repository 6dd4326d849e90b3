package tileops

import (
	"fmt"
	"math"
	"strings"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// Open is an extent of a [Spec] that each execute brings: any, 0 and 1 as others. A plan of it does for all of them.
const Open = -1

// UpTo is an extent of a [Spec] that each execute brings: any from 0 to most, which is at least 1. With a bound on each
// open extent a plan knows how large a [Workspace] does for all of them.
func UpTo(most int) int {
	switch {
	case most < 1:
		return math.MinInt // which is no extent
	case int64(most) > mostBound:
		return Open
	}
	return math.MinInt + most
}

const mostBound = 1 << 62 // beyond all tensors

func isOpen(extent int64) bool {
	return extent == Open || extent > math.MinInt64 && extent <= math.MinInt64+mostBound
}

// Spec is the shape and dtype of a row-major tensor without memory, to make plans with. Extents may be [Open] or [UpTo]:
// each execute brings them. Which of them are equal follows from the operator or the expression; what is repeated along
// an open extent has a 1 there, or no such axis, when it is planned. What may not be open, such as an axis that is
// reduced in groups, is refused when it is planned.
func Spec(d DType, device Device, shape ...int) (*Tensor, error) {
	return newSpec("Spec", d, device, shape, nil)
}

// SpecStrided is [Spec] with strides, in elements, of which none is open. Of a result with strides one extent may be
// open, the outermost.
func SpecStrided(d DType, device Device, shape, strides []int) (*Tensor, error) {
	if len(strides) != len(shape) {
		return nil, invalid("SpecStrided", "strides", -1, "wrong number (got %d, need %d)", len(strides), len(shape))
	}
	return newSpec("SpecStrided", d, device, shape, strides)
}

func newSpec(function string, d DType, device Device, shape, strides []int) (*Tensor, error) {
	closed := make([]int, len(shape))
	for i, extent := range shape {
		if closed[i] = extent; isOpen(int64(extent)) {
			closed[i] = 1
		}
	}
	t, _, err := newTensor(function, d, device, closed)
	if err != nil {
		return nil, err
	}
	t.spec = true
	for i, extent := range shape {
		t.shape()[i] = int64(extent)
	}
	open := t.isOpen()
	for i := range shape {
		if strides != nil {
			t.strides()[i] = int64(strides[i])
		} else if open {
			t.strides()[i] = capi.RowMajor // of whatever extents come
		}
	}
	return t, nil
}

// isOpen says whether some extent is open, which only those of a [Spec] can be.
func (t *Tensor) isOpen() bool {
	if !t.valid() || !t.spec {
		return false
	}
	for _, extent := range t.shape() {
		if isOpen(extent) {
			return true
		}
	}
	return false
}

func anyOpen(list []*Tensor) bool {
	for _, t := range list {
		if t.isOpen() {
			return true
		}
	}
	return false
}

// refuseOpen is for views, which need numbers.
func (t *Tensor) refuseOpen(function string) error {
	if t.isOpen() {
		return invalid(function, "tensor", -1, "has open extents (got %v)", t)
	}
	return nil
}

// shapeText is the shape as a list, of open extents "?" or "<=" and the bound.
func (t *Tensor) shapeText() string {
	if !t.isOpen() {
		return fmt.Sprint(t.Shape())
	}
	var texts []string
	for _, extent := range t.shape() {
		switch {
		case extent == Open:
			texts = append(texts, "?")
		case isOpen(extent):
			texts = append(texts, fmt.Sprintf("<=%d", extent-math.MinInt64))
		default:
			texts = append(texts, fmt.Sprint(extent))
		}
	}
	return "[" + strings.Join(texts, " ") + "]"
}
