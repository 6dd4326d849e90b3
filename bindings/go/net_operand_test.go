package tileops_test

import (
	"math/rand"
	"slices"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go"
	"github.com/libtileops/libtileops/bindings/go/internal/capi"
)

// netDTypes are DLPack's code and bits of each dtype, and how a slice of it becomes a tensor.
var netDTypes = map[tileops.DType]struct {
	code, bits int64
	over       func(words []uint64, shape []int) *tileops.Tensor
}{
	tileops.F16: {2, 16, sliceOf[tileops.Float16]}, tileops.BF16: {4, 16, sliceOf[tileops.BFloat16]},
	tileops.F32: {2, 32, sliceOf[float32]}, tileops.F64: {2, 64, sliceOf[float64]},
	tileops.F8E4M3FN: {10, 8, sliceOf[tileops.Float8E4M3FN]}, tileops.F8E5M2: {12, 8, sliceOf[tileops.Float8E5M2]},
	tileops.F8E8M0FNU: {14, 8, sliceOf[tileops.Float8E8M0FNU]}, tileops.Bool: {6, 8, sliceOf[bool]},
	tileops.I8: {0, 8, sliceOf[int8]}, tileops.I16: {0, 16, sliceOf[int16]}, tileops.I32: {0, 32, sliceOf[int32]},
	tileops.I64: {0, 64, sliceOf[int64]}, tileops.U8: {1, 8, sliceOf[uint8]}, tileops.U16: {1, 16, sliceOf[uint16]},
	tileops.U32: {1, 32, sliceOf[uint32]}, tileops.U64: {1, 64, sliceOf[uint64]},
}

func sliceOf[T tileops.Element](words []uint64, shape []int) *tileops.Tensor {
	return tileops.Must(tileops.Of(unsafe.Slice((*T)(unsafe.Pointer(&words[0])), product(shape)), shape...))
}

func product(shape []int) int {
	n := 1
	for _, extent := range shape {
		n *= extent
	}
	return n
}

// netBuffer is row-major memory of one dtype that operands are views of. Each side has a copy of it.
type netBuffer struct {
	dtype tileops.DType
	shape []int
	data  []byte
	owned bool // in Go a tensor that owns its memory, else a slice
}

// netView is an operand: its buffer, transposed by axes, cut by ranges (start, stop, step), and expanded where a range
// has one element and the shape more.
type netView struct {
	buffer *netBuffer
	axes   []int
	ranges [][3]int
	shape  []int
}

// tensor makes the view by the safe interface.
func (v *netView) tensor(whole *tileops.Tensor) *tileops.Tensor {
	t := tileops.Must(whole.Transpose(v.axes...))
	for axis, r := range v.ranges {
		t = tileops.Must(t.Slice(axis, r[0], r[1], r[2]))
	}
	return tileops.Must(t.Expand(v.shape...))
}

// plain is the same view as C takes it, by arithmetic of its own; without words it has no memory.
func (v *netView) plain(words []uint64) capi.Tensor {
	if v == nil {
		return capi.Tensor{}
	}
	n, d := len(v.shape), netDTypes[v.buffer.dtype]
	layout := make([]int64, capi.Words+2*n)
	layout[capi.NDim], layout[capi.DTypeCode], layout[capi.DTypeBits], layout[capi.DeviceType] = int64(n), d.code, d.bits, 1
	offset := 0
	for i, axis := range v.axes {
		stride, r := product(v.buffer.shape[axis+1:]), v.ranges[i]
		offset += r[0] * stride
		layout[capi.Words+i] = int64(v.shape[i])
		switch count := (r[1] - r[0]) / r[2]; {
		case count <= 1 && v.shape[i] != 1 && r[0] != r[1]: // expanded
		case r[1]-r[0] == r[2]: // one element: its stride says nothing, and stays
			layout[capi.Words+n+i] = int64(stride)
		default:
			layout[capi.Words+n+i] = int64(stride * r[2])
		}
	}
	t := capi.Tensor{Layout: &layout[0]}
	if product(v.shape) > 0 && words != nil {
		t.Data = unsafe.Add(unsafe.Pointer(&words[0]), offset*int(d.bits)/8)
	}
	return t
}

// moved is the same view one element of its buffer further along an axis, or nil.
func (v *netView) moved(axis, by int) *netView {
	if v == nil || axis >= len(v.ranges) {
		return nil
	}
	m := &netView{v.buffer, v.axes, slices.Clone(v.ranges), v.shape}
	r, extent := &m.ranges[axis], v.buffer.shape[v.axes[axis]]
	r[0], r[1] = r[0]+by, r[1]+by
	low, high := min(r[0], r[1]), max(r[0], r[1])
	if r[2] > 0 && (low < 0 || high > extent) || r[2] < 0 && (low < -1 || high >= extent) {
		return nil
	}
	return m
}

// netRandom makes everything that is random, from one seed.
type netRandom struct{ *rand.Rand }

func (g netRandom) chance(percent int) bool { return g.Intn(100) < percent }

func pick[T any](g netRandom, list ...T) T { return list[g.Intn(len(list))] }

func (g netRandom) shape() []int {
	shape := make([]int, g.Intn(4))
	for i := range shape {
		shape[i] = pick(g, 1, 2, 2, 3, 4, 5, 0)
		if shape[i] == 0 && g.chance(80) {
			shape[i] = 6
		}
	}
	return shape
}

// broadcast is a shape that broadcasts to another one, most of the time.
func (g netRandom) broadcast(shape []int) []int {
	s := slices.Clone(shape)
	if g.chance(15) {
		s = s[g.Intn(len(s)+1):]
	}
	for i := range s {
		if g.chance(12) {
			s[i] = 1
		} else if g.chance(1) {
			s[i]++
		}
	}
	return s
}

// dtypeOf is one of a list, but of those whose elements share bytes, which no slice holds.
func (g netRandom) dtypeOf(list []tileops.DType) tileops.DType {
	for {
		if d := pick(g, list...); netDTypes[d].over != nil {
			return d
		}
	}
}

func (g netRandom) dtype() tileops.DType { return tileops.DType(1 + g.Intn(len(netDTypes))) }

// view is a new operand: half of them row-major, the others transposed, with gaps, backwards, or repeated where it
// is an input.
func (g netRandom) view(dtype tileops.DType, shape []int, input bool) *netView {
	n, strided := len(shape), g.chance(50)
	v := &netView{buffer: &netBuffer{dtype: dtype, shape: make([]int, n), owned: g.chance(30)}, axes: make([]int, n),
		ranges: make([][3]int, n), shape: shape}
	for i := range v.axes {
		v.axes[i] = i
	}
	if strided && g.chance(50) {
		g.Shuffle(n, func(i, j int) { v.axes[i], v.axes[j] = v.axes[j], v.axes[i] })
	}
	for i, count := range shape {
		step, lead, tail := 1, 0, 0
		if strided {
			step, lead, tail = pick(g, 1, 1, 2, -1, -2), g.Intn(2), g.Intn(2)
			if input && count > 1 && g.chance(15) {
				count = 1 // and expanded
			}
		}
		size := max(step, -step)
		extent := lead + count*size + tail
		v.buffer.shape[v.axes[i]] = extent
		if step > 0 {
			v.ranges[i] = [3]int{lead, lead + count*size, step}
		} else {
			v.ranges[i] = [3]int{lead + count*size - 1, lead - 1, step}
		}
		if count == 0 {
			v.ranges[i] = [3]int{0, 0, 1}
		}
	}
	v.buffer.data = g.data(dtype, product(v.buffer.shape))
	return v
}

// data are the bytes of so many elements: any bits, or small numbers.
func (g netRandom) data(dtype tileops.DType, count int) []byte {
	data := make([]byte, count*dtype.Size())
	g.Read(data)
	usual := g.chance(50)
	for i := range data {
		if dtype == tileops.Bool {
			data[i] &= 1
		} else if usual {
			last := i%dtype.Size() == dtype.Size()-1
			data[i] = pick[byte](g, 0, 0, 1, 2, 0x80)
			if last {
				data[i] = pick[byte](g, 0, 0x3f, 0x40, 0xbf, 0xc0, 1)
			}
		}
	}
	return data
}
