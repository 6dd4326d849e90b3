package tileops

import (
	"fmt"
	"math"
)

// Functions along axes go along the last one, unless options say more:
//
//	x.Sum(), x.Sum(tileops.WithAxes(-2)), x.Var(tileops.WithAxes(-3, -1), tileops.WithCorrection(1))
//	x.Argmax(tileops.WithAllAxes()), x.Amax(tileops.WithGroup(128)), x.Amax(tileops.WithGroup(16, 128))
//	table.Gather(id, tileops.WithAxes(-2)), x.Cumsum(tileops.WithReverse(true))

// WithAxes says along which axes a function of an expression goes, counted from the end: -1 is the last one.
// Their order does not count. Of Gather, Scatter and ScatterAdd one for each index.
func WithAxes(axes ...int) Option {
	set := uint64(0)
	for _, axis := range axes {
		if axis >= 0 || axis < -MaxNDim {
			return wrongAttr("axes count from the end (got %d, need -1 to %d)", axis, -MaxNDim)
		}
		bit := uint64(1) << (-axis - 1)
		if set&bit != 0 {
			return wrongAttr("axis %d is given twice", axis)
		}
		set |= bit
	}
	if set == 0 {
		return wrongAttr("no axes (need one, or WithAllAxes)")
	}
	return intAttr(attrAxes, int64(set))
}

// WithAllAxes has a function of an expression go along all axes.
func WithAllAxes() Option { return intAttr(attrAxes, -1) }

// WithGroup cuts the axis of a function of an expression into groups of so many elements, of which the last
// one may be short. Two numbers are a rectangle, of the last two axes unless [WithAxes] says which; the last
// number is that of the last axis.
func WithGroup(sizes ...int) Option {
	if len(sizes) != 1 && len(sizes) != 2 {
		return wrongAttr("a group has one number or two (got %d)", len(sizes))
	}
	bits := uint64(0)
	for _, size := range sizes {
		if size < 1 || size > math.MaxInt32 {
			return wrongAttr("the group is out of range (got %d, need 1 to %d)", size, math.MaxInt32)
		}
		bits = bits<<32 | uint64(size)
	}
	return intAttr(attrGroup, int64(bits))
}

// WithCorrection is what Var takes off the number of elements.
func WithCorrection(n int64) Option { return intAttr(attrCorrection, n) }

// WithReverse has what accumulates, such as Cumsum, go from the last element to the first.
func WithReverse(v bool) Option { return boolAttr(attrReverse, v) }

// WithExclusive has Cumsum and Cumprod leave out the element itself.
func WithExclusive(v bool) Option { return boolAttr(attrExclusive, v) }

// wrongAttr is an attribute with a value that there cannot be.
func wrongAttr(format string, args ...any) Option {
	return Option{kind: wrongOption, text: fmt.Sprintf(format, args...)}
}

// applyMixed is apply for functions of any number of values, behind which options may stand.
func (n Node) applyMixed(op Op, rest []any) Node {
	var values []any
	var options []Option
	for _, value := range rest {
		if option, ok := value.(Option); ok {
			options = append(options, option)
		} else {
			values = append(values, value)
		}
	}
	return n.apply(op, options, values...)
}
