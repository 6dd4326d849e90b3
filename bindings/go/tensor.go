package tileops

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/libtileops/libtileops/bindings/go/internal/capi"
	"github.com/libtileops/libtileops/bindings/go/internal/owner"
)

// MaxNDim is the largest number of dimensions of a tensor.
const MaxNDim = capi.MaxNDim

// Tensor is a shape, strides and a dtype over memory that is borrowed or owned.
//
//   - [Of], [View] and [Scalar] borrow a slice: the tensor keeps it alive, nothing is copied, and C
//     holds no pointer to it after a call.
//   - [FromPointer] borrows memory that is not Go's: that of a device, or of C.
//   - [Context.Alloc] and [FromDLPack] give tensors that own their memory until [Tensor.Close].
//   - [Spec] has no memory: it is enough to make a plan. Its extents may be [Open].
//
// The zero Tensor and nil have no shape, no elements and the dtype [Invalid]; calls refuse them. A
// Tensor never changes, and may be used from many goroutines; what they do with its elements is
// theirs to order. Executing on a stream does not wait: memory of a device must stay until the work
// on it is done.
type Tensor struct {
	raw      capi.Tensor
	layout   []int64 // as capi.Words says; raw.Layout points to it
	owner    *owner.Owner
	spec     bool // without memory
	readOnly bool
}

// Layout says where the elements of a view lie in a slice: element (i, j, ...) of a tensor of this
// Shape is at Offset + i*Strides[0] + j*Strides[1] + .... Strides may be 0 or negative; nil means
// row-major.
type Layout struct {
	Shape   []int
	Strides []int
	Offset  int
}

func newLayout(d DType, device Device, shape []int) []int64 {
	n := len(shape)
	layout := make([]int64, capi.Words+2*n)
	layout[capi.NDim] = int64(n)
	layout[capi.DTypeCode] = int64(dtypes[d].code)
	layout[capi.DTypeBits] = int64(dtypes[d].bits)
	layout[capi.DeviceType] = int64(device.Type)
	layout[capi.DeviceID] = int64(device.Index)
	step := int64(1)
	for i := n - 1; i >= 0; i-- {
		layout[capi.Words+i] = int64(shape[i])
		layout[capi.Words+n+i] = step
		step *= int64(shape[i])
	}
	return layout
}

// newTensor checks the shape, and gives the number of elements as well.
func newTensor(function string, d DType, device Device, shape []int) (*Tensor, int, error) {
	if d == Invalid || d >= numDTypes {
		return nil, 0, invalid(function, "dtype", -1, "no dtype (got %v)", d)
	}
	if len(shape) > MaxNDim {
		return nil, 0, invalid(function, "shape", -1, "too many dimensions (got %d, need at most %d)",
			len(shape), MaxNDim)
	}
	count, err := elements(function, shape)
	if err != nil {
		return nil, 0, err
	}
	if err := device.check(function); err != nil {
		return nil, 0, err
	}
	t := &Tensor{layout: newLayout(d, device, shape)}
	t.raw.Layout = &t.layout[0]
	return t, count, nil
}

func elements(function string, shape []int) (int, error) {
	for i, extent := range shape {
		if extent < 0 {
			return 0, invalid(function, "shape", i, "negative extent (got %d)", extent)
		}
	}
	count, large := uint64(1), false
	for _, extent := range shape {
		if extent == 0 {
			return 0, nil // before the others are multiplied, which alone may be too many
		}
		high, low := bits.Mul64(count, uint64(extent))
		large = large || high != 0 || low >= 1<<62
		count = low
	}
	if large {
		return 0, invalid(function, "shape", -1, "too many elements (got %v, need less than 2^62)", shape)
	}
	return int(count), nil
}

// Of is a row-major tensor over data, which must have exactly as many elements as the shape.
// Without a shape it has one dimension.
func Of[T Element](data []T, shape ...int) (*Tensor, error) {
	if shape == nil {
		shape = []int{len(data)}
	}
	t, count, err := newTensor("Of", DTypeOf[T](), CPU(), shape)
	if err != nil {
		return nil, err
	}
	if count != len(data) {
		return nil, invalid("Of", "data", -1, "wrong length for shape %v (got %d, need %d)", shape, len(data),
			count)
	}
	t.raw.Data = unsafe.Pointer(unsafe.SliceData(data))
	return t, nil
}

// OfBits is [Of] for elements that hold the bits of a dtype of their size, such as another package's
// type for halves:
//
//	x, err := tileops.OfBits(halves, tileops.F16, 2, 3)
func OfBits[T ~uint8 | ~uint16](data []T, d DType, shape ...int) (*Tensor, error) {
	if shape == nil {
		shape = []int{len(data)}
	}
	t, count, err := newTensor("OfBits", d, CPU(), shape)
	if err != nil {
		return nil, err
	}
	var element T
	if size := int(unsafe.Sizeof(element)); d.Size() != size {
		return nil, invalid("OfBits", "dtype", -1, "wrong size of an element (got %v of %d bytes, need %d)", d,
			d.Size(), size)
	}
	if count != len(data) {
		return nil, invalid("OfBits", "data", -1, "wrong length for shape %v (got %d, need %d)", shape,
			len(data), count)
	}
	t.raw.Data = unsafe.Pointer(unsafe.SliceData(data))
	return t, nil
}

// Scalar is a tensor without dimensions that holds v. It may be an input of a plan for CUDA too,
// and is then read before the call returns.
func Scalar[T Element](v T) *Tensor {
	t, _, _ := newTensor("Scalar", DTypeOf[T](), CPU(), nil)
	t.raw.Data = unsafe.Pointer(&v)
	return t
}

// View is a tensor over some of the elements of data. It fails if the layout leaves the slice.
func View[T Element](data []T, l Layout) (*Tensor, error) {
	t, count, err := newTensor("View", DTypeOf[T](), CPU(), l.Shape)
	if err != nil {
		return nil, err
	}
	if l.Strides != nil && len(l.Strides) != len(l.Shape) {
		return nil, invalid("View", "strides", -1, "wrong number (got %d, need %d)", len(l.Strides),
			len(l.Shape))
	}
	for i, stride := range l.Strides {
		t.strides()[i] = int64(stride)
	}
	if count == 0 {
		t.raw.Data = unsafe.Pointer(unsafe.SliceData(data))
		return t, nil
	}
	first, last, ok := t.reach(int64(l.Offset))
	if !ok || first < 0 || last >= int64(len(data)) {
		return nil, invalid("View", "layout", -1,
			"shape %v, strides %v, offset %d leave the slice (got elements %d to %d, need 0 to %d)",
			l.Shape, t.Strides(), l.Offset, first, last, len(data)-1)
	}
	t.raw.Data = unsafe.Pointer(&data[l.Offset])
	return t, nil
}

// reach gives the lowest and the highest offset of an element; false if one of them is out of all
// bounds.
func (t *Tensor) reach(offset int64) (first, last int64, ok bool) {
	const limit = 1 << 62
	first, last, ok = offset, offset, offset > -limit && offset < limit
	for i, extent := range t.shape() {
		stride := t.strides()[i]
		high, low := bits.Mul64(uint64(extent-1), uint64(max(stride, -stride)))
		if high != 0 || low >= limit {
			return first, last, false
		}
		if stride < 0 {
			first -= int64(low)
		} else {
			last += int64(low)
		}
		ok = ok && first > -limit && last < limit
	}
	return first, last, ok
}

// Pointer is what addresses come as: an unsafe.Pointer, or an integer such as a CUdeviceptr.
type Pointer interface{ ~uintptr | ~unsafe.Pointer }

// FromPointer is a tensor over memory that Go does not manage: of a CUDA device (a CUdeviceptr, or
// what cudaMalloc gave), or of C. Element 0 is at the address; strides in elements, nil for
// row-major. The caller promises that the memory is there, and stays until no work uses it. For
// memory of Go use [Of].
func FromPointer[P Pointer](address P, d DType, device Device, shape, strides []int) (*Tensor, error) {
	t, count, err := newTensor("FromPointer", d, device, shape)
	if err != nil {
		return nil, err
	}
	if strides != nil && len(strides) != len(shape) {
		return nil, invalid("FromPointer", "strides", -1, "wrong number (got %d, need %d)", len(strides),
			len(shape))
	}
	for i, stride := range strides {
		t.strides()[i] = int64(stride)
	}
	t.layout[capi.Address] = int64(uintptr(address))
	if uintptr(address) == 0 && count > 0 {
		return nil, invalid("FromPointer", "address", -1, "null, for %d elements", count)
	}
	return t, nil
}

func (t *Tensor) ndim() int        { return int(t.layout[capi.NDim]) }
func (t *Tensor) shape() []int64   { return t.layout[capi.Words : capi.Words+t.ndim()] }
func (t *Tensor) strides() []int64 { return t.layout[capi.Words+t.ndim():] }
func (t *Tensor) valid() bool      { return t != nil && t.layout != nil }

func ints(list []int64) []int {
	result := make([]int, len(list))
	for i, v := range list {
		result[i] = int(v)
	}
	return result
}

// Shape is a copy of the extents, in which open ones are [Open] or [UpTo].
func (t *Tensor) Shape() []int {
	if !t.valid() {
		return nil
	}
	return ints(t.shape())
}

// Strides is a copy of the strides, in elements; nil for a row-major [Spec] with open extents.
func (t *Tensor) Strides() []int {
	if !t.valid() || t.ndim() > 0 && t.strides()[0] == capi.RowMajor {
		return nil
	}
	return ints(t.strides())
}

// Len is the number of elements; 0 for a [Spec] with open extents.
func (t *Tensor) Len() int {
	if !t.valid() || t.isOpen() {
		return 0
	}
	count := 1
	for _, extent := range t.shape() {
		count *= int(extent)
	}
	return count
}

// DType is the type of the elements.
func (t *Tensor) DType() DType {
	if !t.valid() {
		return Invalid
	}
	return dtypeOf(t.layout[capi.DTypeCode], t.layout[capi.DTypeBits])
}

// Device is where the memory is.
func (t *Tensor) Device() Device {
	if !t.valid() {
		return Device{}
	}
	return Device{DeviceType(t.layout[capi.DeviceType]), int(t.layout[capi.DeviceID])}
}

// Address is the address of element 0, for other packages; 0 for a [Spec]. It keeps nothing alive.
func (t *Tensor) Address() uintptr {
	if !t.valid() {
		return 0
	}
	if t.raw.Data != nil {
		return uintptr(t.raw.Data)
	}
	return uintptr(t.layout[capi.Address])
}

// String tells dtype, shape and device, such as "float32[2 3] on cpu".
func (t *Tensor) String() string {
	if !t.valid() {
		return "no tensor"
	}
	return fmt.Sprintf("%v%s on %v", t.DType(), t.shapeText(), t.Device())
}

// Close frees the memory of a tensor that owns it, as soon as no call uses it. Views of it are
// closed with it. For other tensors there is nothing to do. Work on a stream must be done before.
//
// What is not closed is freed some time after it became unreachable; do not leave memory of a
// device to that while a stream may still use it.
func (t *Tensor) Close() error {
	if !t.valid() {
		return closedError("Tensor.Close", "tensor", -1)
	}
	if t.owner != nil && !t.owner.Close() {
		return closedError("Tensor.Close", "tensor", -1)
	}
	return nil
}
